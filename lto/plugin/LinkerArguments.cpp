//===- plugin/LinkerArguments.cpp - What no callback tells ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkerArguments.h"
#include "link/AllocatorLink.h"
#include "link/LinkInputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace thermocline::lto;
using namespace thermocline::lto::plugin;

/// The names in an expression of --defsym.
static void addNames(StringRef Expression, std::vector<std::string> &Names) {
  auto IsOfName = [](char C) { return isAlnum(C) || is_contained("_$.@", C); };
  while (!Expression.empty()) {
    StringRef Name = Expression.take_while(IsOfName);
    Expression = Expression.drop_front(std::max<size_t>(Name.size(), 1));
    if (!Name.empty() && !isDigit(Name.front()))
      Names.push_back(Name.str());
  }
}

LinkerArguments LinkerArguments::parse(std::vector<const char *> Words) {
  LinkerArguments Result;
  Result.Words = std::move(Words);
  Result.Line = readLinkLine(Result.Words);
  Result.Problems = problemsWithAllocator(Result.Line);
  Result.Defined = LinkInputs::find(Result.Line).namesAssigned();
  for (const LinkArgument &Argument : Result.Line) {
    Result.Relocatable |= Argument.isAny({"r", "relocatable"});
    if (!Argument.HasValue)
      continue;
    if (Argument.Name == "wrap") {
      Result.Wrapped.push_back(Argument.Value.str());
    } else if (Argument.Name == "defsym") {
      auto [Defined, Expression] = Argument.Value.split('=');
      Result.Defined.push_back(Defined.str());
      addNames(Expression, Result.Referred);
    } else if (Argument.isAny({"undefined", "u", "require-defined", "entry",
                               "e", "init", "fini"})) {
      Result.Referred.push_back(Argument.Value.str());
    }
  }
  return Result;
}

LinkerArguments LinkerArguments::ofThisProcess() {
  auto Text = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Text || (*Text)->getBufferSize() == 0)
    return LinkerArguments();
  // The linker's command line is as long-lived as the process.
  static BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 256> Words;
  for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
    auto [Word, Next] = Rest.split('\0');
    Words.push_back(Saver.save(Word).data());
    Rest = Next;
  }
  std::vector<const char *> Unexpanded(Words.begin(), Words.end());
  cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Words);
  LinkerArguments Result =
      parse(std::vector(std::next(Words.begin()), Words.end()));
  Result.Unexpanded = std::move(Unexpanded);
  return Result;
}
