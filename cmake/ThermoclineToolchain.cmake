# Compiler settings shared by everything in the tree.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# The name of the architecture, as its folder in runtime/profile/arch has it.
string(REPLACE AMD64 x86_64 THERMOCLINE_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}")
string(REPLACE arm64 aarch64 THERMOCLINE_ARCHITECTURE "${THERMOCLINE_ARCHITECTURE}")
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/runtime/profile/arch/${THERMOCLINE_ARCHITECTURE})
  message(FATAL_ERROR "There is no port to ${CMAKE_SYSTEM_PROCESSOR} (docs/design.md)")
endif()
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR
   NOT (THERMOCLINE_ARCHITECTURE STREQUAL "x86_64" OR THERMOCLINE_RUNTIMES_ONLY))
  message(WARNING "Thermocline is tested on AMD64 Linux, and programs for AArch64 under an "
                  "emulator; this is ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_SYSTEM_NAME}.")
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
