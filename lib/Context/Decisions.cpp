//===- Context/Decisions.cpp - Versions of functions, as data -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/Decisions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace thermocline::context;

Decisions Decisions::none(const ContextProgram &Program) {
  Decisions Result;
  Result.NumVersions.assign(Program.numFunctions(), 1);
  Result.Clones.assign(Program.numCallsites(), {0});
  Result.Hints.reserve(Program.numAllocations());
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    auto Ids = seq(A.FirstContext, A.FirstContext + A.NumContexts);
    bool AllCold =
        takesHint(A.Hintable) && !Ids.empty() && all_of(Ids, [&](uint32_t C) {
          return Program[ContextId(C)].Profiled == Temperature::Cold;
        });
    Result.Hints.push_back(
        {AllCold ? Temperature::Cold : Temperature::NotCold});
  }
  return Result;
}
