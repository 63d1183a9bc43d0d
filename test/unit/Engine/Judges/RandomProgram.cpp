//===- unit/Engine/Judges/RandomProgram.cpp - Small random programs -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <random>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

class Generator {
public:
  explicit Generator(uint64_t Seed)
      : Engine(Seed), EnteredAgain(Seed % 3 ? 0 : Seed % 31),
        InHeaders(Seed % 2 ? 0 : Seed / 2) {
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
    Unrecorded = chance(50) ? below(40) : 0;
    Compared = chance(30) ? below(60) : 0;
    Coroutines = chance(15) ? below(40) : 0;
  }

  void makeWhole(bool WithTailCalls) {
    Whole = true;
    FewIds = false;
    Trimmed = Broken = 0;
    if (WithTailCalls)
      TailCalls = 5 + below(40);
  }

  void run() {
    addFunctions();
    addCallsites();
    if (Whole)
      addStart();
    addMarks();
    addContexts();
    addInlinedAllocations();
    chooseRecords();
  }
  ContextProgram &program() { return Program; }
  std::vector<CallsiteId> &recorded() { return Recorded; }
  std::set<CallsiteId> &mustTail() { return MustTail; }
  std::vector<std::pair<CallsiteId, CallsiteId>> &twins() { return Twins; }

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
        if (Callee >= N)
          continue;
        if (TailCalls && chance(TailCalls))
          add(FunctionId(I), FunctionId(Callee), {});
        else
          add(FunctionId(I), FunctionId(Callee), {newId()});
      }
    // Copies of a callee's calls inlined into a caller, with both frames.
    for (size_t Round = 0; Round != 2; ++Round)
      for (size_t I = 0, E = Program.numCallsites(); I != E; ++I) {
        CallsiteId Outer(I);
        if (!Program[Outer].Callee || !Program[Outer].NumStackIds)
          continue;
        for (CallsiteId Inner : std::vector<CallsiteId>(
                 Program[Program[Outer].Callee].Callsites)) {
          if (!chance(Inlined) || Program.numCallsites() > 40 ||
              !Program[Inner].NumStackIds)
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

  /// Calls the first, and what nothing else does, so that a context that is
  /// whole ends with a frame, and not in the middle of what was inlined.
  void addStart() {
    std::vector<bool> IsCalled(Program.numFunctions());
    for (size_t I = 0; I != Program.numCallsites(); ++I)
      if (FunctionId Callee = Program[CallsiteId(I)].Callee)
        IsCalled[Callee.index()] = true;
    FunctionId Start = Program.addFunction("start", 1, /*Clonable=*/true);
    for (size_t I = 0; I != IsCalled.size(); ++I)
      if (I == 0 || !IsCalled[I])
        Program.addCallsite(Start, FunctionId(I), Redirect::Yes, {newId()});
  }

  /// Inline functions, calls through pointers, those whose callee is entered
  /// again, and tail calls that have a frame in some contexts. In a whole
  /// program each is two calls.
  void addMarks() {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      if (InHeaders >> I & 1)
        Program.setMayBeInlinedAnywhere(FunctionId(I));
    for (size_t I = 0; !Whole && I != Program.numFunctions(); ++I)
      if (chance(Coroutines))
        Program.setEnteredInAnyVersion(FunctionId(I));
    for (size_t I = 0, E = Program.numCallsites(); I != E; ++I) {
      const Callsite C = Program[CallsiteId(I)];
      if (C.Redirectable != Redirect::Yes || !C.NumStackIds)
        continue;
      SmallVector<StackId> Ids(Program.stackIds(CallsiteId(I)));
      const bool IsCompared = chance(Compared),
                 IsAgain = EnteredAgain && chance(EnteredAgain);
      if (IsCompared)
        Program.setThroughPointer(CallsiteId(I));
      if (IsAgain)
        Program.setMayEnterAgain(CallsiteId(I));
      if (IsCompared || IsAgain) {
        if (Whole)
          Unmatched.insert(
              Program.addCallsite(C.Caller, C.Callee, C.Redirectable, Ids));
      } else if (TailCalls && chance(TailCalls) && Ids.size() == 1) {
        MustTail.insert(CallsiteId(I));
        Twins.push_back(
            {Program.addCallsite(C.Caller, C.Callee, C.Redirectable, {}),
             CallsiteId(I)});
      }
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
    FunctionId Callee = Owner;
    for (const InlinedCall &Call : InlinedCalls)
      if (Call.Callee == Owner && chance(40)) {
        Frames.push_back(Call.Id);
        Callee = Call.Caller;
        break;
      }
    bool IsAtRoot = false;
    for (size_t Calls = 0, Most = Whole ? 12 : 1 + below(6); Calls != Most;
         ++Calls) {
      SmallVector<CallsiteId> Callers;
      for (size_t I = 0; I != Program.numCallsites(); ++I)
        if (Program[CallsiteId(I)].Callee == Callee)
          Callers.push_back(CallsiteId(I));
      IsAtRoot = Callers.empty();
      if (IsAtRoot)
        break;
      CallsiteId C = Callers[below(Callers.size())];
      ArrayRef<StackId> Ids = Program.stackIds(C);
      Frames.append(Ids.begin(), Ids.end());
      Cold |= ColdCall[C.index()];
      Callee = Program[C].Caller;
    }
    if (Whole && (!IsAtRoot || endsInsideACall(Frames)))
      return;
    if (chance(Trimmed))
      Frames.truncate(below(Frames.size() + 1));
    if (!Frames.empty() && chance(Broken)) {
      // A frame that is unknown, or that of a call without a known callee.
      StackId Frame = StackId(1000000);
      if (size_t N = Program.numCallsites(); N && chance(50))
        if (CallsiteId C(below(N));
            !Program[C].Callee && Program[C].NumStackIds)
          Frame = Program.stackIds(C).front();
      Frames[below(Frames.size())] = Frame;
    }
    if (!ColdByCall)
      Cold = chance(50);
    Program.addContext(Cold ? Temperature::Cold : Temperature::NotCold,
                       Bytes(1 + below(1000)), Program.numContexts() + 1,
                       Frames);
  }

  /// What looks as if some call began with the last frames had more of them.
  bool endsInsideACall(ArrayRef<StackId> Frames) const {
    for (size_t I = 0; I != Program.numCallsites(); ++I)
      for (size_t Length = 1; Length <= Frames.size(); ++Length)
        if (ArrayRef<StackId> Ids = Program.stackIds(CallsiteId(I));
            Length < Ids.size() &&
            Frames.take_back(Length) == Ids.take_front(Length))
          return true;
    return false;
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
          SmallVector<StackId, 32> Frames = Program.stackIds(Original).copy();
          if (!Frames.empty() && Frames.front() == Call.Id)
            Program.addContext(C.Profiled, C.Size, C.FullStackId,
                               ArrayRef(Frames).drop_front());
        }
      }
  }

  /// Some frames lost their records, inlined or not.
  void chooseRecords() {
    std::set<StackId> Lost;
    for (size_t I = 0; I != Program.numCallsites(); ++I)
      for (StackId Id : Program.stackIds(CallsiteId(I)))
        if (Unrecorded && chance(Unrecorded))
          Lost.insert(Id);
    for (const auto &[Twin, Original] : Twins)
      Unmatched.insert(Twin);
    findUnrecordedTailCalls(Lost);
    for (size_t I = 0; I != Program.numCallsites(); ++I)
      if (none_of(Program.stackIds(CallsiteId(I)),
                  [&](StackId Id) { return Lost.count(Id); }) &&
          !Unmatched.contains(CallsiteId(I)))
        Recorded.push_back(CallsiteId(I));
  }

  /// Without its record a call that may leave no frame is like any other tail
  /// call. So is one at the end of a function that left its frame, because the
  /// profile's build makes no tail calls that it need not make; the link takes
  /// both for one if they lead to the same function.
  void findUnrecordedTailCalls(const std::set<StackId> &Lost) {
    std::set<std::pair<FunctionId, FunctionId>> Ends;
    for (CallsiteId C : MustTail)
      Ends.insert({Program[C].Caller, Program[C].Callee});
    for (auto &[Twin, Original] : Twins)
      if (Lost.count(Program.stackIds(Original).front())) {
        Unmatched.erase(Twin);
        MustTail.insert(Twin);
        std::swap(Twin, Original);
      }
    for (size_t I = 0, E = Program.numCallsites(); I != E; ++I) {
      const Callsite C = Program[CallsiteId(I)];
      if (!TailCalls || C.NumStackIds != 1 || !C.Callee ||
          C.Redirectable != Redirect::Yes ||
          !Lost.count(Program.stackIds(CallsiteId(I)).front()) ||
          MustTail.contains(CallsiteId(I)) || !Ends.count({C.Caller, C.Callee}))
        continue;
      const CallsiteId Twin =
          Program.addCallsite(C.Caller, C.Callee, Redirect::Yes, {});
      MustTail.insert(Twin);
      Twins.push_back({CallsiteId(I), Twin});
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
  std::vector<CallsiteId> Recorded;
  std::vector<std::pair<CallsiteId, CallsiteId>> Twins;
  /// What the link knows nothing of: calls that a comparison fails for, and the
  /// Twins.
  std::set<CallsiteId> Unmatched;
  /// Calls that the link knows to be marked musttail.
  std::set<CallsiteId> MustTail;
  bool Recursive, ColdByCall, FewIds, Whole = false;
  /// Per cent of what there is.
  uint64_t Inlined, Duplicated, Fixed, Unclonable, Trimmed, Broken,
      InlinedAllocations, Unrecorded, Compared, Coroutines, TailCalls = 0;
  const uint64_t EnteredAgain;
  /// A bit for each function: whether it is inline.
  const uint64_t InHeaders;
};

} // namespace

/// \p P with the callsites of \p Recorded alone.
static ContextProgram withCallsites(const ContextProgram &P,
                                    ArrayRef<CallsiteId> Recorded,
                                    const std::set<CallsiteId> &MustTail) {
  ContextProgram Result;
  for (size_t I = 0; I != P.numFunctions(); ++I) {
    const auto &F = P[FunctionId(I)];
    FunctionId Same = Result.addFunction(F.Name, F.Instructions, F.Clonable);
    if (F.EnteredInAnyVersion)
      Result.setEnteredInAnyVersion(Same);
  }
  for (CallsiteId C : Recorded) {
    CallsiteId Same = Result.addCallsite(P[C].Caller, P[C].Callee,
                                         P[C].Redirectable, P.stackIds(C));
    Result.takeMarks(Same, P[C]);
    if (MustTail.contains(C))
      Result.setMayLeaveNoFrame(Same);
  }
  for (size_t I = 0; I != P.numAllocations(); ++I) {
    const Allocation &A = P[AllocationId(I)];
    Result.addAllocation(A.Owner);
    for (uint32_t J = 0; J != A.NumContexts; ++J) {
      ContextId C(A.FirstContext + J);
      Result.addContext(P[C].Profiled, P[C].Size, P[C].FullStackId,
                        P.stackIds(C).copy());
    }
  }
  return Result;
}

ContextProgram thermocline::context::randomProgram(uint64_t Seed) {
  Generator G(Seed);
  G.run();
  return withCallsites(G.program(), G.recorded(), G.mustTail());
}

CompleteProgram::CompleteProgram(uint64_t Seed, bool TailCalls) {
  Generator G(Seed);
  G.makeWhole(TailCalls);
  G.run();
  Program = std::move(G.program());
  Recorded = std::move(G.recorded());
  Twins = std::move(G.twins());
  MustTail = std::move(G.mustTail());
}

ContextProgram CompleteProgram::withRecords() const {
  return withCallsites(Program, Recorded, MustTail);
}

Decisions CompleteProgram::decisions(const Decisions &OfRecorded) const {
  Decisions Result = OfRecorded;
  Result.Clones.clear();
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    Result.Clones.emplace_back(
        Result.NumVersions[Program[CallsiteId(I)].Caller.index()], 0);
  for (auto [Mine, Clones] : llvm::zip_equal(Recorded, OfRecorded.Clones))
    Result.Clones[Mine.index()] = Clones;
  for (auto [Twin, Original] : Twins)
    Result.Clones[Twin.index()] = Result.Clones[Original.index()];
  return Result;
}
