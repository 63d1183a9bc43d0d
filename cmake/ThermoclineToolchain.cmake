# Compiler settings shared by everything in the tree.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
include(${PROJECT_SOURCE_DIR}/arch/Architectures.cmake)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "Thermocline is for Linux; this is ${CMAKE_SYSTEM_NAME}.")
endif()
if(THERMOCLINE_TESTED AND NOT THERMOCLINE_RUNTIMES_ONLY)
  message(WARNING "The port to ${THERMOCLINE_ARCHITECTURE} was tested ${THERMOCLINE_TESTED}.")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O2 without NDEBUG: asserts check the program's own invariants in every build.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")

add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# Messages of asserts name files from this folder on, whatever it is called.
add_compile_options(-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
add_link_options(-fuse-ld=lld)
if(CMAKE_SYSROOT)
  # Headers are called as on a machine of which it is the root.
  add_compile_options(-fmacro-prefix-map=${CMAKE_SYSROOT}/=/)
endif()

set(THERMOCLINE_LIBEXEC_DIR ${CMAKE_INSTALL_LIBEXECDIR}/thermocline)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
