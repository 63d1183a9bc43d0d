# Helpers that keep the CMake files of the folders to a list of sources.

# thermocline_library(NAME SOURCES... [DEPENDS libs...]): one static library a
# stage. It links no LLVM itself: the plugin takes LLVM from clang, the tools
# link the static archives.
function(thermocline_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/include
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC thermocline_llvm_headers ${ARG_DEPENDS})
  thermocline_read_precompiled(${name})
endfunction()

# thermocline_unit_test(NAME SOURCES... [LIBS libs...] [LLVM components...]):
# a GoogleTest program in test/unit, found by lit.
function(thermocline_unit_test name)
  cmake_parse_arguments(ARG "" "" "LIBS;LLVM" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  thermocline_link_llvm(${name} ${ARG_LLVM})
  if(THERMOCLINE_PRECOMPILED_HEADERS AND ARG_LLVM)
    target_precompile_headers(${name} REUSE_FROM thermocline_precompiled_tests)
  endif()
  set_property(GLOBAL APPEND PROPERTY THERMOCLINE_TEST_DEPENDS ${name})
endfunction()

# thermocline_test_depends(targets...): what must be built before lit runs.
function(thermocline_test_depends)
  set_property(GLOBAL APPEND PROPERTY THERMOCLINE_TEST_DEPENDS ${ARGN})
endfunction()
