//===- lto/link/ColdHeapCheck.cpp - Hints that do nothing -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColdHeapCheck.h"
#include "AllocatorLink.h"
#include "thermocline/Profile/Program/ProgramFacts.h"
#include "thermocline/Support/RustNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

/// Without inputs, as with --version, nothing was written.
static bool hasWritten(ArrayRef<LinkArgument> Line, StringRef Output) {
  return any_of(Line,
                [](const LinkArgument &Each) { return Each.isInput(); }) &&
         sys::fs::is_regular_file(Output);
}

std::string thermocline::lto::problemWithNativeCode(ArrayRef<LinkArgument> Line,
                                                    StringRef Output) {
  if (!hasWritten(Line, Output))
    return "";
  const auto Program = expectedToOptional(profile::readFacts(Output));
  if (!Program || !Program->HasNativeCode)
    return "";
  return "native code of fat objects was linked, which lacks hints of the heap "
         "profile: link their bitcode (--fat-lto-objects; llvm-strip removes "
         "it)";
}

std::string thermocline::lto::problemWithColdHeap(ArrayRef<LinkArgument> Line,
                                                  StringRef Output) {
  if (!makesProgram(Line) || !hasWritten(Line, Output))
    return "";
  // What is written may be assembler text or bitcode.
  const auto Program = expectedToOptional(profile::readFacts(Output));
  if (!Program || Program->HintsWithoutHeap.empty() || Program->hasAllocator())
    return "";
  constexpr size_t MostNamed = 3;
  std::vector<std::string> Names;
  for (const std::string &Symbol : Program->HintsWithoutHeap)
    Names.push_back(demangled(Symbol));
  llvm::sort(Names);
  std::string Named =
      join(ArrayRef(Names).take_front(std::min(MostNamed, Names.size())), ", ");
  if (Names.size() > MostNamed)
    Named += " and " + formatCount(Names.size() - MostNamed) + " more";
  return "hinted calls (" + Named +
         ") get ordinary memory, as the program has no cold heap: add " +
         archiveBesideHints(Line) + " to its link";
}
