//===- unit/Context/RandomProgram.cpp - Small random programs -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "llvm/ADT/SmallVector.h"
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

class Generator {
public:
  explicit Generator(uint64_t Seed) : Engine(Seed) {
    Recursive = chance(30);
    Inlined = chance(50) ? below(60) : 0;
    Duplicated = chance(30) ? below(40) : 0;
    Fixed = chance(30) ? below(30) : 0;
    Unclonable = chance(20) ? below(30) : 0;
    Trimmed = chance(50) ? below(100) : 0;
    Broken = chance(30) ? below(30) : 0;
    ColdByCall = chance(60);
    FewIds = chance(20);
    InlinedAllocations = chance(30) ? below(60) : 0;
  }

  ContextProgram run() {
    addFunctions();
    addCallsites();
    addContexts();
    addInlinedAllocations();
    return std::move(Program);
  }

private:
  uint64_t below(uint64_t N) { return Engine() % N; }
  bool chance(uint64_t Percent) { return below(100) < Percent; }
  StackId newId() { return StackId(FewIds ? 1 + below(6) : ++LastId); }

  void addFunctions() {
    size_t N = 2 + below(7);
    for (size_t I = 0; I != N; ++I)
      Program.addFunction("f" + std::to_string(I), 1 + below(20),
                          !chance(Unclonable));
  }

  void add(FunctionId Caller, FunctionId Callee, ArrayRef<StackId> Ids) {
    Redirect Way = Redirect::Yes;
    if (chance(Fixed))
      Way = chance(50) ? Redirect::Indirect : Redirect::OutsideLink;
    if (Way != Redirect::Yes && chance(50))
      Callee = FunctionId::none();
    Program.addCallsite(Caller, Callee, Way, Ids);
  }

  void addCallsites() {
    size_t N = Program.numFunctions();
    for (size_t I = 0; I != N; ++I)
      for (size_t J = 0, E = 1 + below(3); J != E; ++J) {
        size_t Callee = Recursive ? below(N) : I + 1 + below(2);
        if (Callee < N)
          add(FunctionId(I), FunctionId(Callee), {newId()});
      }
    // Copies of a callee's calls inlined into a caller, with both frames.
    for (size_t Round = 0; Round != 2; ++Round)
      for (size_t I = 0, E = Program.numCallsites(); I != E; ++I) {
        CallsiteId Outer(I);
        if (!Program[Outer].Callee)
          continue;
        for (CallsiteId Inner : std::vector<CallsiteId>(
                 Program[Program[Outer].Callee].Callsites)) {
          if (!chance(Inlined) || Program.numCallsites() > 40)
            continue;
          SmallVector<StackId> Ids(Program.stackIds(Inner));
          ArrayRef<StackId> OuterIds = Program.stackIds(Outer);
          Ids.append(OuterIds.begin(), OuterIds.end());
          FunctionId Callee = Program[Inner].Callee;
          if (Callee)
            add(Program[Outer].Caller, Callee, Ids);
        }
      }
    for (size_t I = 0, E = Program.numCallsites(); I != E; ++I)
      if (chance(Duplicated)) {
        SmallVector<StackId> Ids(Program.stackIds(CallsiteId(I)));
        Callsite C = Program[CallsiteId(I)];
        Program.addCallsite(C.Caller, C.Callee, C.Redirectable, Ids);
      }
  }

  void addContexts() {
    for (size_t I = 0; I + 1 < Program.numFunctions(); ++I)
      if (chance(InlinedAllocations))
        InlinedCalls.push_back({FunctionId(I), FunctionId(I + 1), newId()});
    std::vector<bool> ColdCall(Program.numCallsites());
    for (size_t I = 0; I != ColdCall.size(); ++I)
      ColdCall[I] = chance(25);
    for (size_t I = 0, E = 1 + below(3); I != E; ++I) {
      FunctionId Owner(below(Program.numFunctions()));
      Program.addAllocation(Owner);
      for (size_t J = 0, JE = below(9); J != JE; ++J)
        addContext(Owner, ColdCall);
    }
  }

  void addContext(FunctionId Owner, const std::vector<bool> &ColdCall) {
    SmallVector<StackId> Frames;
    bool Cold = false;
    FunctionId At = Owner;
    for (const InlinedCall &Call : InlinedCalls)
      if (Call.Callee == Owner && chance(40)) {
        Frames.push_back(Call.Id);
        At = Call.Caller;
        break;
      }
    for (size_t Calls = 0, Most = 1 + below(6); Calls != Most; ++Calls) {
      SmallVector<CallsiteId> Callers;
      for (size_t I = 0; I != Program.numCallsites(); ++I)
        if (Program[CallsiteId(I)].Callee == At)
          Callers.push_back(CallsiteId(I));
      if (Callers.empty())
        break;
      CallsiteId C = Callers[below(Callers.size())];
      ArrayRef<StackId> Ids = Program.stackIds(C);
      Frames.append(Ids.begin(), Ids.end());
      Cold |= ColdCall[C.index()];
      At = Program[C].Caller;
    }
    if (chance(Trimmed))
      Frames.truncate(below(Frames.size() + 1));
    if (!Frames.empty() && chance(Broken)) {
      // A frame that is unknown, or that of a call without a known callee.
      StackId Frame = StackId(1000000);
      if (size_t N = Program.numCallsites(); N && chance(50))
        if (CallsiteId C(below(N)); !Program[C].Callee)
          Frame = Program.stackIds(C).front();
      Frames[below(Frames.size())] = Frame;
    }
    if (!ColdByCall)
      Cold = chance(50);
    Program.addContext(Cold ? Temperature::Cold : Temperature::NotCold,
                       Bytes(1 + below(1000)), Program.numContexts() + 1,
                       Frames);
  }

  /// Copies of allocations in callers into which their functions were inlined,
  /// most of them. Their functions remain, with all contexts.
  void addInlinedAllocations() {
    size_t NumAllocations = Program.numAllocations();
    for (const InlinedCall &Call : InlinedCalls)
      for (size_t I = 0; I != NumAllocations; ++I) {
        Allocation A = Program[AllocationId(I)];
        if (A.Owner != Call.Callee || chance(10))
          continue;
        Program.addAllocation(Call.Caller);
        for (uint32_t J = 0; J != A.NumContexts; ++J) {
          ContextId Original(A.FirstContext + J);
          Context C = Program[Original];
          SmallVector<StackId> Frames(Program.stackIds(Original));
          if (!Frames.empty() && Frames.front() == Call.Id)
            Program.addContext(C.Profiled, C.Size, C.FullStackId,
                               ArrayRef(Frames).drop_front());
        }
      }
  }

  std::mt19937_64 Engine;
  ContextProgram Program;
  uint64_t LastId = 0;
  /// Calls that are no callsites any more.
  struct InlinedCall {
    FunctionId Caller, Callee;
    StackId Id;
  };
  std::vector<InlinedCall> InlinedCalls;
  bool Recursive, ColdByCall, FewIds;
  /// Per cent of what there is.
  uint64_t Inlined, Duplicated, Fixed, Unclonable, Trimmed, Broken,
      InlinedAllocations;
};

} // namespace

ContextProgram thermocline::context::randomProgram(uint64_t Seed) {
  return Generator(Seed).run();
}
