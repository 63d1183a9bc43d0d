//===- Engine/Budget/FreeContexts.cpp - Contexts that bind nothing --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FreeContexts.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

std::vector<bool>
thermocline::context::indifferent(const ContextProgram &Program,
                                  Bytes MinSize) {
  std::vector<bool> Result(Program.numContexts());
  for (size_t I = 0; I != Result.size(); ++I) {
    const Context &C = Program[ContextId(I)];
    const Bytes Worth = Program.savedBytes(ContextId(I)).value_or(C.Size);
    Result[I] = !takesHint(Program[C.Allocation].Hintable) ||
                (C.Profiled == Temperature::Cold && C.Size.count() != 0 &&
                 Worth.count() < MinSize.count());
  }
  return Result;
}

ReducedProgram thermocline::context::without(const ContextProgram &Program,
                                             const std::vector<bool> &Free) {
  ReducedProgram Result;
  if (Program.foldsRecursion())
    Result.Program.setFoldsRecursion();
  if (Program.weightsAreSavings())
    Result.Program.setSavings();
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    const Function &F = Program[FunctionId(I)];
    FunctionId Same =
        Result.Program.addFunction(F.Name, F.Instructions, F.Clonable);
    if (F.EnteredInAnyVersion)
      Result.Program.setEnteredInAnyVersion(Same);
    if (F.MayBeInlinedAnywhere)
      Result.Program.setMayBeInlinedAnywhere(Same);
  }
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    Result.Program.takeMarks(
        Result.Program.addCallsite(C.Caller, C.Callee, C.Redirectable,
                                   Program.stackIds(CallsiteId(I))),
        C);
  }
  // Frames have the same numbers in both programs.
  for (size_t I = 0; I != Program.numFrames(); ++I)
    Result.Program.addFrame(Program.stackId(ContextFrame(I)));
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    AllocationId Same = Result.Program.addAllocation(A.Owner);
    if (A.OmitsNotCold)
      Result.Program.setOmitsNotCold(Same);
    Result.Program.setHintable(Same, A.Hintable);
    if (ArrayRef<StackId> Place = Program.place(AllocationId(I));
        !Place.empty())
      Result.Program.setPlace(Same, Place);
    for (uint32_t J = 0; J != A.NumContexts; ++J) {
      ContextId Original(A.FirstContext + J);
      if (Free[Original.index()])
        continue;
      const Context &C = Program[Original];
      ContextId Mine = Result.Program.addContextOf(
          C.Profiled, C.Size, C.FullStackId, Program.frames(Original));
      Result.Program.setWeight(Mine, C.Weight);
      if (C.IsKnownByKey)
        Result.Program.setKnownByKey();
      if (const ContextMeasures *Measured = Program.measures(Original))
        Result.Program.setMeasures(Mine, *Measured);
      Result.Originals.push_back(Original);
    }
  }
  return Result;
}

bool thermocline::context::giveUp(const ContextProgram &Program,
                                  const EngineResult &Result, Bytes Limit,
                                  std::vector<bool> &Free) {
  uint64_t Left = Limit.count();
  for (size_t I = 0; I != Free.size(); ++I)
    if (Free[I] && Program[ContextId(I)].Profiled == Temperature::NotCold &&
        takesHint(Program[Program[ContextId(I)].Allocation].Hintable))
      Left -= Program[ContextId(I)].Size.count();
  struct Candidate {
    ContextId Id;
    uint64_t Benefit = 0, Size = 0;
  };
  std::map<ContextId, Candidate> ByContext;
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    ContextId Rival = Result.CollidesWith[I];
    if (Result.Outcomes[I] != Outcome::Collides || !Rival)
      continue;
    Candidate &Mine = ByContext[Rival];
    Mine.Id = Rival;
    Mine.Size = Program[Rival].Size.count();
    Mine.Benefit += Program.benefit(ContextId(I));
  }
  std::vector<Candidate> Candidates;
  for (const auto &[Id, Mine] : ByContext)
    if (Mine.Size != 0)
      Candidates.push_back(Mine);
  std::sort(Candidates.begin(), Candidates.end(),
            [](const Candidate &A, const Candidate &B) {
              auto X = static_cast<unsigned __int128>(A.Benefit) * B.Size;
              auto Y = static_cast<unsigned __int128>(B.Benefit) * A.Size;
              return X != Y ? X > Y : A.Id < B.Id;
            });
  bool Any = false;
  for (const Candidate &C : Candidates) {
    if (C.Size > Left)
      continue;
    Left -= C.Size;
    Free[C.Id.index()] = Any = true;
  }
  return Any;
}
