# LLVM's headers, precompiled: reading them is most of what a compile of ours takes.
#
# One list serves all targets, as what a file does not use costs it next to
# nothing. It names no header of ours, so that it is compiled once.

option(THERMOCLINE_PRECOMPILED_HEADERS "Read LLVM's headers precompiled" ON)

# An executable takes what was precompiled for libraries.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

set(THERMOCLINE_COMMON_HEADERS
  <algorithm> <map> <memory> <optional> <set> <string> <unordered_map> <vector>
  <llvm/ADT/DenseMap.h>
  <llvm/ADT/DenseSet.h>
  <llvm/ADT/MapVector.h>
  <llvm/ADT/STLExtras.h>
  <llvm/ADT/SmallPtrSet.h>
  <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringMap.h>
  <llvm/ADT/StringSet.h>
  <llvm/ADT/StringSwitch.h>
  <llvm/Support/CommandLine.h>
  <llvm/Support/Error.h>
  <llvm/Support/FileSystem.h>
  <llvm/Support/Format.h>
  <llvm/Support/JSON.h>
  <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h>
  <llvm/Support/Threading.h>
  <llvm/Support/WithColor.h>
  <llvm/Support/raw_ostream.h>
)
set(THERMOCLINE_LLVM_HEADERS
  ${THERMOCLINE_COMMON_HEADERS}
  <llvm/Analysis/LoopInfo.h>
  <llvm/Analysis/MemoryProfileInfo.h>
  <llvm/Analysis/OptimizationRemarkEmitter.h>
  <llvm/Analysis/ScalarEvolution.h>
  <llvm/Analysis/TargetTransformInfo.h>
  <llvm/AsmParser/Parser.h>
  <llvm/Bitcode/BitcodeReader.h>
  <llvm/Bitcode/BitcodeWriter.h>
  <llvm/IR/Constants.h>
  <llvm/IR/DebugInfoMetadata.h>
  <llvm/IR/DiagnosticInfo.h>
  <llvm/IR/DiagnosticPrinter.h>
  <llvm/IR/Dominators.h>
  <llvm/IR/IRBuilder.h>
  <llvm/IR/InstIterator.h>
  <llvm/IR/IntrinsicInst.h>
  <llvm/IR/Module.h>
  <llvm/IR/ModuleSummaryIndex.h>
  <llvm/IR/PassManager.h>
  <llvm/Object/ELFObjectFile.h>
  <llvm/Object/IRObjectFile.h>
  <llvm/Passes/PassBuilder.h>
  <llvm/ProfileData/InstrProfReader.h>
  <llvm/ProfileData/MemProf.h>
)

# thermocline_precompile(NAME HEADERS... [LIBS libs...]): for
# target_precompile_headers(... REUSE_FROM NAME).
function(thermocline_precompile name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  if(NOT THERMOCLINE_PRECOMPILED_HEADERS)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// ${name}: headers alone.\n")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${name} PRIVATE thermocline_llvm_headers ${ARG_LIBS})
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
endfunction()

# thermocline_read_precompiled(TARGETS... [FROM NAME]): their files include LLVM's
# headers first. What is not sanitized reads them as they are where all else is.
function(thermocline_read_precompiled)
  cmake_parse_arguments(ARG "" "FROM" "" ${ARGN})
  if(NOT ARG_FROM)
    set(ARG_FROM thermocline_precompiled)
  endif()
  foreach(target ${ARG_UNPARSED_ARGUMENTS})
    get_target_property(is_sanitized ${target} THERMOCLINE_SANITIZED)
    if(THERMOCLINE_PRECOMPILED_HEADERS AND (is_sanitized OR NOT THERMOCLINE_SANITIZE))
      target_precompile_headers(${target} REUSE_FROM ${ARG_FROM})
    endif()
  endforeach()
endfunction()

thermocline_precompile(thermocline_precompiled ${THERMOCLINE_LLVM_HEADERS})
