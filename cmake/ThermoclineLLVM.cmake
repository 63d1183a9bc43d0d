# Finds LLVM 22.1 and lld, exactly: the summary records, the profile formats and
# the class layouts that Thermocline stands in for change between releases.

set(THERMOCLINE_LLVM_PREFIX /usr/lib/llvm-22 CACHE PATH "Where LLVM 22.1 is installed")
find_package(LLVM CONFIG REQUIRED HINTS ${THERMOCLINE_LLVM_PREFIX}/lib/cmake/llvm
             NO_DEFAULT_PATH)
if(NOT LLVM_PACKAGE_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR "Thermocline needs LLVM 22.1, but found "
                      "${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()
find_package(LLD CONFIG REQUIRED HINTS ${LLVM_DIR}/../lld NO_DEFAULT_PATH)
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# Programs that the build runs, and where those of an installation are.
set(THERMOCLINE_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
if(CMAKE_CROSSCOMPILING)
  set(THERMOCLINE_LLVM_BIN ${THERMOCLINE_LLVM_PREFIX}/bin)
endif()

# The exported targets name libLLVM.so beside the static archives; linking both
# aborts at start on options registered twice.
foreach(target lldELF lldCommon LLVMExtensions)
  if(TARGET ${target})
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "")
  endif()
endforeach()

# It also names a library by where that is on a machine that has LLVM installed.
if(CMAKE_SYSROOT)
  get_target_property(needed LLVMSupport INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM needed REPLACE "^/usr/" "${CMAKE_SYSROOT}/usr/")
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${needed}")
endif()

separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

add_library(thermocline_llvm_headers INTERFACE)
target_include_directories(thermocline_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(thermocline_llvm_headers INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(thermocline_llvm_headers INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)

find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)

# thermocline_link_llvm(TARGET COMPONENT...): static LLVM for a program of ours.
function(thermocline_link_llvm target)
  llvm_map_components_to_libnames(libraries ${ARGN})
  target_link_libraries(${target} PRIVATE thermocline_llvm_headers ${libraries})
  thermocline_sanitize_program(${target})
endfunction()

# thermocline_sanitize_program(TARGET): a sanitized program has the options of ours.
function(thermocline_sanitize_program target)
  get_target_property(type ${target} TYPE)
  get_target_property(is_sanitized ${target} THERMOCLINE_SANITIZED)
  if(is_sanitized AND type STREQUAL "EXECUTABLE")
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:thermocline_sanitizer_options>)
  endif()
endfunction()
