# Helpers that keep the CMake files of the folders to a list of sources.

# thermocline_library(NAME [OBJECT] SOURCES... [DEPENDS libs...]): one static library
# a stage. It links no LLVM itself: the plugin takes LLVM from clang, the tools
# link the static archives.
function(thermocline_library name)
  cmake_parse_arguments(ARG "OBJECT" "" "DEPENDS" ${ARGN})
  set(type STATIC)
  if(ARG_OBJECT)
    set(type OBJECT)
  endif()
  add_library(${name} ${type} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC thermocline_llvm_headers ${ARG_DEPENDS})
  thermocline_read_precompiled(${name})
endfunction()

# thermocline_plugin(NAME TYPE SOURCES...): NAME.so, which a program not of ours loads.
# MODULE, or SHARED if programs of ours are linked with it as well.
function(thermocline_plugin name type)
  add_library(${name} ${type} ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "")
  thermocline_read_precompiled(${name})
endfunction()

# thermocline_unit_test(NAME [RUNTIME] SOURCES... [LIBS libs...] [LLVM components...]):
# a GoogleTest program in test/unit, found by lit, and check-NAME, which builds and runs
# it alone. That of a runtime is never sanitized.
function(thermocline_unit_test name)
  cmake_parse_arguments(ARG "RUNTIME" "" "LIBS;LLVM" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_RUNTIME)
    set_target_properties(${name} PROPERTIES THERMOCLINE_SANITIZED OFF)
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  thermocline_link_llvm(${name} ${ARG_LLVM})
  if(ARG_LLVM)
    thermocline_read_precompiled(${name})
  endif()
  add_custom_target(check-${name} COMMAND ${name} --gtest_brief=1 USES_TERMINAL)
  set_property(GLOBAL APPEND PROPERTY THERMOCLINE_TEST_DEPENDS ${name})
endfunction()

# thermocline_test_depends(targets...): what must be built before lit runs.
function(thermocline_test_depends)
  set_property(GLOBAL APPEND PROPERTY THERMOCLINE_TEST_DEPENDS ${ARGN})
endfunction()
