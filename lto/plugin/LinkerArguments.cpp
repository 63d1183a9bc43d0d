//===- plugin/LinkerArguments.cpp - What no callback tells ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkerArguments.h"
#include "link/AllocatorLink.h"
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

LinkerArguments LinkerArguments::parse(ArrayRef<StringRef> Arguments) {
  LinkerArguments Result;
  Result.Problems = problemsWithAllocator(Arguments);
  for (size_t I = 0; I != Arguments.size(); ++I) {
    StringRef Option = Arguments[I];
    if (!Option.consume_front("--") && !Option.consume_front("-"))
      continue;
    auto [Name, Value] = Option.split('=');
    Result.Relocatable |= Option == "r" || Option == "relocatable";
    bool IsWrap = Name == "wrap", IsDefsym = Name == "defsym";
    bool Refers = is_contained(
        {"undefined", "u", "require-defined", "entry", "e", "init", "fini"},
        Name);
    if (!IsWrap && !IsDefsym && !Refers)
      continue;
    if (!Option.contains('=')) {
      if (I + 1 == Arguments.size())
        break;
      Value = Arguments[++I];
    }
    if (IsWrap) {
      Result.Wrapped.push_back(Value.str());
    } else if (IsDefsym) {
      auto [Defined, Expression] = Value.split('=');
      Result.Defined.push_back(Defined.str());
      addNames(Expression, Result.Referred);
    } else {
      Result.Referred.push_back(Value.str());
    }
  }
  return Result;
}

LinkerArguments LinkerArguments::ofThisProcess() {
  auto Text = MemoryBuffer::getFileAsStream("/proc/self/cmdline");
  if (!Text)
    return LinkerArguments();
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 256> Words;
  for (StringRef Rest = (*Text)->getBuffer(); !Rest.empty();) {
    auto [Word, Next] = Rest.split('\0');
    Words.push_back(Saver.save(Word).data());
    Rest = Next;
  }
  std::vector<std::string> Unexpanded(Words.begin(), Words.end());
  cl::ExpandResponseFiles(Saver, cl::TokenizeGNUCommandLine, Words);
  SmallVector<StringRef, 256> Arguments;
  for (const char *Word : drop_begin(Words))
    Arguments.push_back(Word);
  LinkerArguments Result = parse(Arguments);
  Result.Words.assign(Arguments.begin(), Arguments.end());
  Result.Unexpanded = std::move(Unexpanded);
  return Result;
}
