# Precompiled headers, of LLVM's and some of ours: reading them is most of what a compile of
# ours takes.
#
# There are a few sets of them. choose-precompiled.py gives each source file the largest that it
# includes anyway, so that the build shows that the file includes what it needs.

option(THERMOCLINE_PRECOMPILED_HEADERS "Read headers precompiled" ON)

# An executable takes what was precompiled for libraries.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

# What thermocline_choose_precompiled() asks of each file's target.
define_property(TARGET PROPERTY THERMOCLINE_READS_PRECOMPILED)

# thermocline_precompile(NAME HEADERS... [LIBS libs...]): a set.
function(thermocline_precompile name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  if(NOT THERMOCLINE_PRECOMPILED_HEADERS)
    return()
  endif()
  set(target thermocline_precompiled_${name})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// ${target}: headers alone.\n")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE thermocline_llvm_headers ${ARG_LIBS})
  list(TRANSFORM ARG_UNPARSED_ARGUMENTS REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(${target} PRIVATE ${headers})
  list(JOIN ARG_UNPARSED_ARGUMENTS "\t" words)
  set_property(GLOBAL APPEND_STRING PROPERTY THERMOCLINE_PRECOMPILED "set\t${name}\t${words}\n")
  set(THERMOCLINE_PRECOMPILED_${name}
    ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch CACHE INTERNAL "")
endfunction()

# thermocline_read_precompiled(TARGETS...): their files may be given a set. What is not
# sanitized reads headers as they are where all else is.
function(thermocline_read_precompiled)
  foreach(target ${ARGN})
    get_target_property(is_sanitized ${target} THERMOCLINE_SANITIZED)
    if(THERMOCLINE_PRECOMPILED_HEADERS AND (is_sanitized OR NOT THERMOCLINE_SANITIZE))
      set_target_properties(${target} PROPERTIES THERMOCLINE_READS_PRECOMPILED ON)
      set_property(GLOBAL APPEND PROPERTY THERMOCLINE_PRECOMPILED_READERS ${target})
    endif()
  endforeach()
endfunction()

# A source file may be in other targets of its folder as well, which have other options.
function(thermocline_give_precompiled target file name)
  set(pch ${THERMOCLINE_PRECOMPILED_${name}})
  set(reads $<BOOL:$<TARGET_PROPERTY:THERMOCLINE_READS_PRECOMPILED>>)
  set_property(SOURCE ${file} TARGET_DIRECTORY ${target} APPEND PROPERTY
    COMPILE_OPTIONS "$<${reads}:-Winvalid-pch;-include-pch;${pch}>")
  set_property(SOURCE ${file} TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS ${pch})
endfunction()

# thermocline_choose_precompiled(): when all targets are there, gives their files the sets.
function(thermocline_choose_precompiled)
  get_property(question GLOBAL PROPERTY THERMOCLINE_PRECOMPILED)
  get_property(readers GLOBAL PROPERTY THERMOCLINE_PRECOMPILED_READERS)
  foreach(target ${readers})
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(folders ${target} INCLUDE_DIRECTORIES)
    list(FILTER sources INCLUDE REGEX "^[^$]*\\.cpp$")
    list(FILTER folders INCLUDE REGEX "^/")
    list(JOIN folders "\t" folders)
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
      string(APPEND question "source\t${target}\t${source}\t${folders}\n")
    endforeach()
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled.txt "${question}")
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/choose-precompiled.py
      ${CMAKE_BINARY_DIR}/precompiled.txt ${CMAKE_BINARY_DIR}/precompiled.cmake
    COMMAND_ERROR_IS_FATAL ANY)
  include(${CMAKE_BINARY_DIR}/precompiled.cmake)
endfunction()

# To choose these, headers and pairs of headers were compared by the bytes that all files together
# then need not read.
thermocline_precompile(string string)
thermocline_precompile(arrays llvm/ADT/ArrayRef.h)
thermocline_precompile(errors llvm/Support/Error.h)
thermocline_precompile(values llvm/IR/GlobalValue.h)
thermocline_precompile(constants llvm/IR/DataLayout.h llvm/IR/Constants.h)
thermocline_precompile(summary llvm/IR/ModuleSummaryIndex.h)
thermocline_precompile(profile llvm/ProfileData/InstrProf.h map)
thermocline_precompile(profile_reader
  llvm/ProfileData/InstrProfReader.h llvm/IR/ModuleSummaryIndex.h)
thermocline_precompile(passes llvm/Passes/PassBuilder.h)
thermocline_precompile(contexts thermocline/Context/ContextProgram.h)
thermocline_precompile(indexed_profile thermocline/Profile/Indexed/IndexedProfile.h)
thermocline_precompile(merger thermocline/Profile/Indexed/Merger.h)
