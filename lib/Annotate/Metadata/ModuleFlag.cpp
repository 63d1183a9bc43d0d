//===- Annotate/Metadata/ModuleFlag.cpp - Was there a profile? ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;

static constexpr char Name[] = "thermocline-heap-profile";
/// Merging takes the larger.
enum FlagValue : uint32_t { NothingMatched = 1, SomeMatched = 2 };

void annotate::setMatchedProfile(Module &M, bool Matched) {
  M.setModuleFlag(Module::Max, Name, Matched ? SomeMatched : NothingMatched);
}

std::optional<bool> annotate::matchedProfile(const Module &M) {
  auto *Value = mdconst::extract_or_null<ConstantInt>(M.getModuleFlag(Name));
  if (!Value)
    return std::nullopt;
  return Value->getZExtValue() >= SomeMatched;
}
