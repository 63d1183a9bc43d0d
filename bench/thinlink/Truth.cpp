//===- bench/thinlink/Truth.cpp - What a program really does --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Truth.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;
using namespace thermocline::context;

ContextProgram thermocline::bench::truthOf(const SourceProgram &P,
                                           ArrayRef<uint32_t> Instructions) {
  ContextProgram Truth;
  std::vector<FunctionId> Ids(P.functions().size());
  for (uint32_t I = 0; I != P.functions().size(); ++I)
    if (!P.functions()[I].AlwaysInlined)
      Ids[I] = Truth.addFunction(symbolName(P, SourceFunctionId(I)),
                                 Instructions[I], /*Clonable=*/true);

  SmallVector<StackId, 32> Frames;
  for (uint32_t I = 0; I != Ids.size(); ++I) {
    if (!Ids[I])
      continue;
    LoweredFunction F = lower(P, SourceFunctionId(I));
    for (const LoweredCall &C : F.Calls)
      for (SourceFunctionId Target : P[C.Call].Targets)
        Truth.addCallsite(Ids[I], Ids[Target.index()], Redirect::Yes, C.Frames);
    for (const LoweredAllocation &A : F.Allocations) {
      if (A.Contexts.empty())
        continue;
      Truth.addAllocation(Ids[I]);
      for (const SourceContext &C : A.Contexts) {
        Frames.clear();
        // Without those of the allocation call.
        for (SourceCallId Call : P.calls(C).drop_front(A.Frames.size() - 1))
          Frames.push_back(P[Call].Frame);
        Truth.addContext(C.Cold ? Temperature::Cold : Temperature::NotCold,
                         C.Size, /*FullStackId=*/0, Frames);
      }
    }
  }
  return Truth;
}
