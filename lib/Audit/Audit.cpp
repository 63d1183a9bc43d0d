//===- Audit/Audit.cpp - Judges decisions without trusting them -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each context is judged by itself, in two sweeps over its frames. Upwards, the
// callsites that its stack ids match are found by hash from each (frame,
// function) that was reached. Downwards, the versions in which each of these
// can run follow from the versions of the one above, by the recorded decisions.
// A tail call leaves no frame: where the next frames are of a call whose callee
// leads to the function by tail calls, every such chain may have run.
// Where the context begins, every version that the program can reach is
// assumed; below a call that cannot be redirected, version 0. So it is below a
// frame of no callsite, a call without a record; or the version is one that
// tail calls lead to. Of a context that is not cold and ends so, every function
// below may have been inlined into an edited caller, and what it calls be
// entered likewise. Below a call through a pointer, such a context may have
// come by another function without a frame, which reaches the same versions.
// Below a call whose callee tail calls through pointers may enter again, it may
// have been entered in these as well; a cold context counts apart there.
// So does one that ends at a call without a record of an inline function: the
// call may have that inlined, with calls that reach version 0, or with the
// allocation.
//
// Cost: linear in the frames, times the ways in which one frame can be matched,
// times the versions of a function. Nothing recurses.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Audit/Audit.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <map>
#include <set>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

/// Finds callsites by callee and stack ids.
class CallsitesByFrames {
public:
  explicit CallsitesByFrames(const ContextProgram &Program);

  /// Calls \p Use with each callsite of callee (none: unknown) \p Callee whose
  /// stack ids begin \p Frames, or which \p Frames begin, and the number of
  /// frames matched.
  template <typename Callback>
  void forEachMatch(FunctionId Callee, ArrayRef<StackId> Frames,
                    Callback Use) const {
    match(key(Callee), Frames, Use);
  }

  /// Does the same for any known callee.
  template <typename Callback>
  void forEachMatch(ArrayRef<StackId> Frames, Callback Use) const {
    match(AnyCallee, Frames, Use);
  }

  /// \returns whether a callsite whose innermost frame is \p Frame has a frame
  /// twice in a row. If the program folds recursion, its contexts lack such
  /// repeats.
  bool repeatsFrames(StackId Frame) const { return Repeating.contains(Frame); }

  bool hasTailCalls() const { return !TailCallers.empty(); }
  /// \returns the tail calls that lead to \p Callee.
  ArrayRef<CallsiteId> tailCallsOf(FunctionId Callee) const {
    auto It = TailCallers.find(Callee);
    return It == TailCallers.end() ? ArrayRef<CallsiteId>() : It->second;
  }
  /// \returns whether tail calls lead from \p From to \p To, another function.
  bool isTailReached(FunctionId From, FunctionId To);
  /// \returns all functions from which tail calls lead to \p To.
  const DenseSet<FunctionId> &tailAncestors(FunctionId To);

private:
  struct Candidates {
    SmallVector<CallsiteId, 1> Ending;
    SmallVector<CallsiteId, 0> Longer;
  };
  static constexpr uint32_t AnyCallee = ~uint32_t(0) - 2;
  uint32_t key(FunctionId Callee) const {
    return Callee ? Callee.index() : Program.numFunctions();
  }

  template <typename Callback>
  void match(uint32_t Key, ArrayRef<StackId> Frames, Callback Use) const {
    SequenceHash Hash;
    size_t Depth = 0;
    for (StackId Frame : Frames) {
      Hash.add(raw(Frame));
      ++Depth;
      auto It = Prefixes.find({Key, Hash.value()});
      if (It == Prefixes.end())
        return;
      bool Last = Depth == Frames.size();
      const Candidates &Found = It->second;
      for (CallsiteId C : Found.Ending)
        if (Program.stackIds(C) == Frames.take_front(Depth))
          Use(C, Depth);
      if (Last)
        for (CallsiteId C : Found.Longer)
          if (Program.stackIds(C).take_front(Depth) == Frames)
            Use(C, Depth);
    }
  }

  const ContextProgram &Program;
  DenseMap<std::pair<uint32_t, uint64_t>, Candidates> Prefixes;
  std::set<StackId> Repeating;
  /// This holds the tail calls that lead to each callee.
  DenseMap<FunctionId, SmallVector<CallsiteId, 2>> TailCallers;
  /// This holds for each callee the functions from which tail calls lead to it.
  /// It is filled when asked for.
  DenseMap<FunctionId, DenseSet<FunctionId>> TailAncestors;
};

CallsitesByFrames::CallsitesByFrames(const ContextProgram &Program)
    : Program(Program) {
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (const Callsite &C = Program[CallsiteId(I)];
        (!C.NumStackIds || C.MayLeaveNoFrame) && C.Callee)
      TailCallers[C.Callee].push_back(CallsiteId(I));
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    CallsiteId C(I);
    SequenceHash Hash;
    size_t Left = Program[C].NumStackIds;
    for (StackId Frame : Program.stackIds(C)) {
      Hash.add(raw(Frame));
      --Left;
      auto Add = [&](uint32_t Key) {
        Candidates &Entry = Prefixes[{Key, Hash.value()}];
        if (Left)
          Entry.Longer.push_back(C);
        else
          Entry.Ending.push_back(C);
      };
      Add(key(Program[C].Callee));
      if (Program[C].Callee)
        Add(AnyCallee);
    }
    ArrayRef<StackId> Frames = Program.stackIds(C);
    if (Program.foldsRecursion() &&
        std::adjacent_find(Frames.begin(), Frames.end()) != Frames.end())
      Repeating.insert(Frames.front());
  }
}

const DenseSet<FunctionId> &CallsitesByFrames::tailAncestors(FunctionId To) {
  auto [It, New] = TailAncestors.try_emplace(To);
  if (New) {
    SmallVector<FunctionId, 8> Worklist = {To};
    while (!Worklist.empty())
      for (CallsiteId C : tailCallsOf(Worklist.pop_back_val()))
        if (It->second.insert(Program[C].Caller).second)
          Worklist.push_back(Program[C].Caller);
  }
  return It->second;
}

bool CallsitesByFrames::isTailReached(FunctionId From, FunctionId To) {
  return From != To && tailAncestors(To).contains(From);
}

class Auditor {
public:
  Auditor(const ContextProgram &Program, const Decisions &Decided)
      : Program(Program), Decided(Decided), Callsites(Program) {}

  AuditResult run() {
    checkForm();
    findReachable();
    countClones();
    for (size_t I = 0; I != Program.numContexts(); ++I)
      Result.Contexts.push_back(
          walk(ContextId(I), /*RanElsewhere=*/false).Judged);
    joinCopies();
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (!Result.Contexts[I].CountedAs)
        enter(ContextId(I));
    return std::move(Result);
  }

  /// Finds what walk() needs to know beforehand. run() calls it.
  void findReachable();
  /// \p RanElsewhere means what AuditedContext says.
  ContextWalk walk(ContextId C, bool RanElsewhere);

private:
  using Stop = ContextWalk::Stop;
  using Step = ContextWalk::Step;
  struct Climb;

  void checkForm();
  void countClones();
  void joinCopies();
  SmallVector<CallsiteId, 2> tailCallsOf(FunctionId F,
                                         ArrayRef<StackId> Frames);
  bool hasRecordOfAnother(FunctionId F, ArrayRef<StackId> Frames) const;
  const SmallBitVector &calledVersions(FunctionId F);
  bool addSteps(size_t Below, ArrayRef<StackId> Left, Climb &Found);
  void endAt(Stop &S, ArrayRef<StackId> Left) const;
  bool climb(ContextId C, ContextWalk &Walked);
  void begin(ContextId C, ContextWalk &Walked);
  void passDownVersions(ContextWalk &Walked, bool HasCircles) const;
  bool hasSeveralChains(ArrayRef<Stop> Stops, ArrayRef<Step> Steps) const;
  bool mayEnterAgain(AllocationId A, const ContextWalk &Walked) const;
  bool mayBeInlined(AllocationId A, ContextWalk Walked, bool HasCircles) const;
  void enter(ContextId C);

  std::string name(FunctionId F) const { return Program[F].Name; }
  void malformed(const Twine &Message) {
    Result.Malformed.push_back(Message.str());
  }
  uint32_t numVersions(FunctionId F) const {
    return F.index() < Decided.NumVersions.size()
               ? std::max(Decided.NumVersions[F.index()], 1u)
               : 1;
  }
  /// \returns the version that is called, or 0 if the decision makes no sense.
  uint32_t callee(CallsiteId C, uint32_t CallerVersion) const {
    if (Program[C].Redirectable != Redirect::Yes || !Program[C].Callee ||
        C.index() >= Decided.Clones.size() ||
        CallerVersion >= Decided.Clones[C.index()].size())
      return 0;
    uint32_t Version = Decided.Clones[C.index()][CallerVersion];
    return Version < numVersions(Program[C].Callee) ? Version : 0;
  }
  bool isCold(AllocationId A, uint32_t OwnerVersion) const {
    return takesHint(Program[A].Hintable) && A.index() < Decided.Hints.size() &&
           OwnerVersion < Decided.Hints[A.index()].size() &&
           Decided.Hints[A.index()][OwnerVersion] == Temperature::Cold;
  }

  const ContextProgram &Program;
  const Decisions &Decided;
  CallsitesByFrames Callsites;
  /// This holds for each function the versions that some call of the program
  /// reaches.
  std::vector<SmallBitVector> Reachable;
  /// This holds what calledVersions() found.
  DenseMap<FunctionId, SmallBitVector> Called;
  AuditResult Result;
};

void Auditor::checkForm() {
  auto CheckSize = [&](size_t Actual, size_t Expected, const char *What) {
    if (Actual != Expected)
      malformed(Twine("decisions for ") + Twine(Actual) + " " + What + " of " +
                Twine(Expected));
  };
  CheckSize(Decided.NumVersions.size(), Program.numFunctions(), "functions");
  CheckSize(Decided.Clones.size(), Program.numCallsites(), "callsites");
  CheckSize(Decided.Hints.size(), Program.numAllocations(), "allocations");

  for (size_t I = 0;
       I != std::min(Program.numFunctions(), Decided.NumVersions.size()); ++I) {
    FunctionId F(I);
    if (Decided.NumVersions[I] == 0)
      malformed(Twine("function ") + name(F) + " has no version");
    if (Decided.NumVersions[I] > 1 && !Program[F].Clonable)
      malformed(Twine("function ") + name(F) + " has " +
                Twine(Decided.NumVersions[I]) +
                " versions but cannot be cloned");
  }
  for (size_t I = 0;
       I != std::min(Program.numCallsites(), Decided.Clones.size()); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    std::string Where =
        "callsite " + std::to_string(I) + " in " + name(C.Caller);
    if (Decided.Clones[I].size() != numVersions(C.Caller))
      malformed(Where + " decides for " + Twine(Decided.Clones[I].size()) +
                " versions of " + Twine(numVersions(C.Caller)));
    for (uint32_t Version : Decided.Clones[I]) {
      if (Version == 0)
        continue;
      if (C.Redirectable != Redirect::Yes || !C.Callee)
        malformed(Where + " calls version " + Twine(Version) +
                  " but cannot be redirected");
      else if (Version >= numVersions(C.Callee))
        malformed(Where + " calls version " + Twine(Version) + " of " +
                  name(C.Callee) + ", which has " +
                  Twine(numVersions(C.Callee)));
    }
  }
  for (size_t I = 0;
       I != std::min(Program.numAllocations(), Decided.Hints.size()); ++I) {
    FunctionId Owner = Program[AllocationId(I)].Owner;
    if (Decided.Hints[I].size() != numVersions(Owner))
      malformed(Twine("allocation ") + Twine(I) + " in " + name(Owner) +
                " decides for " + Twine(Decided.Hints[I].size()) +
                " versions of " + Twine(numVersions(Owner)));
  }
}

void Auditor::findReachable() {
  std::vector<std::pair<FunctionId, uint32_t>> Worklist;
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    Reachable.emplace_back(numVersions(FunctionId(I)));
    Reachable.back().set(0);
    Worklist.push_back({FunctionId(I), 0});
  }
  while (!Worklist.empty()) {
    auto [F, Version] = Worklist.back();
    Worklist.pop_back();
    for (CallsiteId C : Program[F].Callsites) {
      uint32_t Called = callee(C, Version);
      if (!Program[C].Callee || Reachable[Program[C].Callee.index()][Called])
        continue;
      Reachable[Program[C].Callee.index()].set(Called);
      Worklist.push_back({Program[C].Callee, Called});
    }
  }
}

void Auditor::countClones() {
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    uint64_t Clones = numVersions(FunctionId(I)) - 1;
    Result.ClonesMade += Clones;
    Result.FunctionsCloned += Clones != 0;
    Result.InstructionsAdded += Clones * Program[FunctionId(I)].Instructions;
  }
}

/// \returns the tail calls of \p F that a call of the next frames leads to.
SmallVector<CallsiteId, 2> Auditor::tailCallsOf(FunctionId F,
                                                ArrayRef<StackId> Frames) {
  SmallVector<CallsiteId, 2> Result;
  for (CallsiteId Tail : Callsites.tailCallsOf(F)) {
    FunctionId Caller = Program[Tail].Caller;
    bool IsReached = false;
    Callsites.forEachMatch(Frames, [&](CallsiteId C, size_t) {
      FunctionId Callee = Program[C].Callee;
      IsReached |= Callee != F && (Callee == Caller ||
                                   Callsites.isTailReached(Callee, Caller));
    });
    if (IsReached)
      Result.push_back(Tail);
  }
  return Result;
}

/// \returns the versions of \p F that a call without a record may lead to: the
/// original, and those that tail calls lead to from some original, or from any
/// version if the call may be one of them.
const SmallBitVector &Auditor::calledVersions(FunctionId F) {
  auto [It, New] = Called.try_emplace(F);
  if (!New)
    return It->second;
  std::set<std::pair<FunctionId, uint32_t>> Known = {{F, 0}};
  const DenseSet<FunctionId> &Before = Callsites.tailAncestors(F);
  for (FunctionId Caller : Before)
    if (Program[Caller].EnteredInAnyVersion)
      for (unsigned Version : Reachable[Caller.index()].set_bits())
        Known.insert({Caller, Version});
    else
      Known.insert({Caller, 0});
  std::vector<std::pair<FunctionId, uint32_t>> Worklist(Known.begin(),
                                                        Known.end());
  while (!Worklist.empty()) {
    auto [Caller, Version] = Worklist.back();
    Worklist.pop_back();
    for (CallsiteId C : Program[Caller].Callsites) {
      FunctionId Callee = Program[C].Callee;
      if (!Callee || (Callee != F && !Before.contains(Callee)) ||
          !is_contained(Callsites.tailCallsOf(Callee), C))
        continue;
      if (std::pair Next(Callee, callee(C, Version)); Known.insert(Next).second)
        Worklist.push_back(Next);
    }
  }
  It->second.resize(Reachable[F.index()].size());
  for (auto [Function, Version] : Known)
    if (Function == F)
      It->second.set(Version);
  for (CallsiteId C : Callsites.tailCallsOf(F))
    if (Program[C].NumStackIds == 0 &&
        any_of(Callsites.tailCallsOf(F), [&](CallsiteId Other) {
          return Program[Other].Caller == Program[C].Caller &&
                 Program[Other].MayLeaveNoFrame;
        }))
      for (unsigned Version : Reachable[Program[C].Caller.index()].set_bits())
        It->second.set(callee(C, Version));
  return It->second;
}

/// \returns whether the link has a record of the call of the next frames as a
/// call of one function alone, other than \p F. Such a call may lead to any
/// version of \p F in some way. The same holds if the call may have other
/// frames. A call through a pointer, or that has several other callees, is made
/// as it is.
bool Auditor::hasRecordOfAnother(FunctionId F, ArrayRef<StackId> Frames) const {
  std::map<std::pair<FunctionId, std::vector<StackId>>, std::set<FunctionId>>
      Others;
  Callsites.forEachMatch(Frames, [&](CallsiteId C, size_t) {
    if (Program[C].Callee != F && !Program[C].IsThroughPointer)
      Others[{Program[C].Caller, Program.stackIds(C).vec()}].insert(
          Program[C].Callee);
  });
  return Callsites.repeatsFrames(Frames.front()) ||
         any_of(Others,
                [](const auto &Call) { return Call.second.size() == 1; });
}

/// \returns whether \p S leads on without a frame. A call that the context may
/// have repeated leads to its caller, and is none.
static bool isTailCall(const ContextWalk::Step &S,
                       ArrayRef<ContextWalk::Stop> Stops) {
  return S.Above != S.Below && Stops[S.Above].Frame == Stops[S.Below].Frame;
}

/// \returns whether tail calls of several functions lead to one function, so
/// that nothing says which of them ran.
bool Auditor::hasSeveralChains(ArrayRef<Stop> Stops,
                               ArrayRef<Step> Steps) const {
  DenseMap<size_t, size_t> AboveOf;
  return any_of(Steps, [&](const Step &S) {
    if (!isTailCall(S, Stops) || !Stops[S.Above].Alive)
      return false;
    auto [It, New] = AboveOf.try_emplace(S.Below, S.Above);
    return !New && It->second != S.Above;
  });
}

/// \returns AuditedContext::MayEnterAgain of a context of \p A. A function of
/// which there is one version, and an allocation whose versions are all cold,
/// do not care.
bool Auditor::mayEnterAgain(AllocationId A, const ContextWalk &Walked) const {
  if (none_of(Walked.Steps,
              [&](const Step &S) { return Program[S.Via].MayEnterAgain; }))
    return false;
  const uint32_t NumVersions = numVersions(Program[A].Owner);
  if (all_of(seq(NumVersions), [&](uint32_t V) { return isCold(A, V); }))
    return false;
  std::vector<bool> Again(Walked.Stops.size());
  // Tail calls lead from one stop to another of the same frame.
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const Step &S : reverse(Walked.Steps)) {
      const Callsite &Via = Program[S.Via];
      if (Again[S.Below] || Via.Redirectable != Redirect::Yes ||
          !Program[Via.Callee].Clonable ||
          (Walked.Stops[S.Below].Alive && !Walked.Stops[S.Above].Alive))
        continue;
      if (Again[S.Above] || (Via.MayEnterAgain && numVersions(Via.Callee) > 1))
        Again[S.Below] = Changed = true;
    }
  return Again.front();
}

/// \returns AuditedContext::MayBeInlined of a cold context of \p A.
bool Auditor::mayBeInlined(AllocationId A, ContextWalk Walked,
                           bool HasCircles) const {
  if (Walked.Judged.Matched)
    return false;
  std::vector<bool> Below(Walked.Stops.size());
  auto IsInlined = [&](size_t I) {
    const Stop &S = Walked.Stops[I];
    return Program[S.Function].MayBeInlinedAnywhere &&
           (S.Begins || S.Unrecorded || Below[I]);
  };
  for (bool Again = true; std::exchange(Again, false);)
    for (const Step &S : reverse(Walked.Steps))
      if (!Below[S.Below] && S.Above != S.Below && IsInlined(S.Above) &&
          Program[S.Via].Redirectable == Redirect::Yes &&
          Program[Program[S.Via].Callee].Clonable) {
        Below[S.Below] = true;
        Walked.Stops[S.Below].Versions.set(0);
        Again = HasCircles;
      }
  passDownVersions(Walked, HasCircles);
  return IsInlined(0) ||
         any_of(Walked.Stops.front().Versions.set_bits(),
                [&](unsigned Version) { return !isCold(A, Version); });
}

/// The stops and steps of a context, while they are found.
struct Auditor::Climb {
  Climb(ContextWalk &Walked, size_t NumFrames)
      : Walked(Walked), ByFrame(NumFrames + 1) {}

  ContextWalk &Walked;
  /// The stops after each number of frames.
  std::vector<SmallVector<size_t, 1>> ByFrame;
  DenseMap<std::pair<size_t, uint32_t>, size_t> StopAt;
  /// Whether steps may lead in circles within a frame.
  bool HasCircles = false;

  size_t reach(FunctionId F, size_t Frame) {
    auto [It, New] =
        StopAt.try_emplace({Frame, F.index()}, Walked.Stops.size());
    if (New) {
      ByFrame[Frame].push_back(Walked.Stops.size());
      Walked.Stops.push_back({F, Frame, false, false, {}});
    }
    return It->second;
  }
};

/// Adds the steps to callers of the stop \p Below. \returns whether there are
/// any. \p Left are the frames above the stop.
bool Auditor::addSteps(size_t Below, ArrayRef<StackId> Left, Climb &Found) {
  ContextWalk &Walked = Found.Walked;
  const auto [Function, Frame] =
      std::pair(Walked.Stops[Below].Function, Walked.Stops[Below].Frame);
  bool Matched = false;
  Callsites.forEachMatch(Function, Left, [&](CallsiteId Via, size_t Depth) {
    Matched = true;
    size_t Above = Found.reach(Program[Via].Caller, Frame + Depth);
    Walked.Steps.push_back({Below, Via, Above});
    if (Program.mayRepeat(Via)) {
      Found.HasCircles = true;
      Walked.Steps.push_back({Below, Via, Below});
    }
  });
  for (CallsiteId Via : tailCallsOf(Function, Left)) {
    Matched = Found.HasCircles = true;
    size_t Above = Found.reach(Program[Via].Caller, Frame);
    Walked.Steps.push_back({Below, Via, Above});
    // The missing frame may also be that of a call that resumes it.
    Walked.Stops[Below].Begins |= Program[Function].EnteredInAnyVersion;
  }
  return Matched;
}

/// Says what is known of the stop \p S, which no call is known to lead to.
/// \p Left are the frames above it.
void Auditor::endAt(Stop &S, ArrayRef<StackId> Left) const {
  Callsites.forEachMatch(FunctionId::none(), Left,
                         [&](CallsiteId, size_t) { S.Alive = true; });
  // The pointer led to a function that its value profile lacks.
  Callsites.forEachMatch(Left, [&](CallsiteId Via, size_t) {
    S.Alive |= Program[Via].IsThroughPointer;
  });
  if (Program[S.Function].EnteredInAnyVersion ||
      hasRecordOfAnother(S.Function, Left))
    S.Begins = true;
  else
    S.Unrecorded = true;
}

/// Sweeps upwards: finds all stops and steps of \p C. \returns whether steps
/// may lead in circles within a frame.
bool Auditor::climb(ContextId C, ContextWalk &Walked) {
  const SmallVector<StackId, 32> Frames = Program.stackIds(C).copy();
  Climb Found(Walked, Frames.size());
  Found.reach(Program[Program[C].Allocation].Owner, 0);
  // The stops of one frame are complete when the sweep comes to them, but for
  // what tail calls add to its list.
  for (size_t Frame = 0; Frame != Found.ByFrame.size(); ++Frame)
    for (size_t Next = 0; Next != Found.ByFrame[Frame].size(); ++Next) {
      size_t Below = Found.ByFrame[Frame][Next];
      ArrayRef<StackId> Left = ArrayRef(Frames).drop_front(Frame);
      if (Left.empty())
        Walked.Stops[Below].Begins = Walked.Stops[Below].Alive = true;
      else if (!addSteps(Below, Left, Found))
        endAt(Walked.Stops[Below], Left);
    }
  return Found.HasCircles;
}

/// Sweeps downwards: finds the stops below one that is alive. What begins at a
/// frame of no callsite counts only if nothing else does.
static void passDownAlive(ContextWalk &Walked, bool HasCircles) {
  // Steps were found by rising frame of their lower end. Only circles within a
  // frame need more than one sweep.
  for (bool Again = true; std::exchange(Again, false);)
    for (const ContextWalk::Step &S : reverse(Walked.Steps))
      if (Walked.Stops[S.Above].Alive && !Walked.Stops[S.Below].Alive) {
        Walked.Stops[S.Below].Alive = true;
        Again = HasCircles;
      }
}

/// \returns how many of \p NumFrames frames are above the last stop of a
/// context that is not matched.
static unsigned framesLeft(ArrayRef<ContextWalk::Stop> Stops,
                           size_t NumFrames) {
  unsigned Left = NumFrames;
  for (const ContextWalk::Stop &S : Stops)
    if (S.Begins || S.Unrecorded)
      Left = std::min<unsigned>(Left, NumFrames - S.Frame);
  return Left;
}

/// Sets the versions in which the context may begin at each stop.
void Auditor::begin(ContextId C, ContextWalk &Walked) {
  const bool IsNotCold = Program[C].Profiled == Temperature::NotCold;
  AuditedContext &Judged = Walked.Judged;
  for (Stop &S : Walked.Stops) {
    const SmallBitVector &All = Reachable[S.Function.index()];
    S.Versions = SmallBitVector(All.size());
    if (S.Begins &&
        (!Judged.RanElsewhere || Program[S.Function].EnteredInAnyVersion))
      S.Versions = All;
    else if (S.Unrecorded)
      S.Versions = calledVersions(S.Function);
    else if (S.Begins)
      S.Versions.set(0);
    // The caller may have been inlined, so that its call has no record any
    // more.
    if (!Judged.Matched && IsNotCold) {
      S.Unrecorded = true;
      S.Versions |= calledVersions(S.Function);
    }
    if (S.Alive && S.Frame != Program.stackIds(C).size() &&
        (S.Begins || S.Unrecorded || !Program[S.Function].Clonable))
      Judged.Separable = false;
  }
  if (!IsNotCold)
    return;
  // The pointer may have led there by another function, or one that was called
  // is entered again.
  for (const Step &Way : Walked.Steps) {
    Stop &S = Walked.Stops[Way.Below];
    if (Program[Way.Via].mayBePassedBy() &&
        (Walked.Stops[Way.Above].Alive || !S.Alive))
      S.Versions |= Program[S.Function].EnteredInAnyVersion
                        ? Reachable[S.Function.index()]
                        : calledVersions(S.Function);
  }
}

/// Sweeps downwards: passes versions on by the recorded decisions.
void Auditor::passDownVersions(ContextWalk &Walked, bool HasCircles) const {
  for (bool Again = true; std::exchange(Again, false);)
    for (const Step &S : reverse(Walked.Steps)) {
      const Stop &Above = Walked.Stops[S.Above];
      Stop &Below = Walked.Stops[S.Below];
      if (Below.Alive && !Above.Alive)
        continue;
      if (Program[S.Via].Redirectable != Redirect::Yes)
        Walked.Judged.Separable = false;
      for (unsigned Version : Above.Versions.set_bits()) {
        uint32_t Called = callee(S.Via, Version);
        if (Below.Versions[Called])
          continue;
        Below.Versions.set(Called);
        Again = HasCircles;
      }
    }
}

ContextWalk Auditor::walk(ContextId C, bool RanElsewhere) {
  const AllocationId A = Program[C].Allocation;
  ContextWalk Walked;
  const bool HasCircles = climb(C, Walked);
  passDownAlive(Walked, HasCircles);

  AuditedContext &Judged = Walked.Judged;
  Judged.Matched = Walked.Stops.front().Alive;
  Judged.RanElsewhere = RanElsewhere;
  if (!Judged.Matched)
    Judged.FramesLeft = framesLeft(Walked.Stops, Program.stackIds(C).size());
  Judged.Separable = Judged.Matched && takesHint(Program[A].Hintable) &&
                     !hasSeveralChains(Walked.Stops, Walked.Steps);

  begin(C, Walked);
  passDownVersions(Walked, HasCircles);
  Judged.MayEnterAgain = mayEnterAgain(A, Walked);
  for (unsigned Version : Walked.Stops.front().Versions.set_bits())
    (isCold(A, Version) ? Judged.ReachesCold : Judged.ReachesNotCold) = true;
  if (Program[C].Profiled == Temperature::Cold && !Judged.ReachesNotCold)
    Judged.MayBeInlined = mayBeInlined(A, Walked, HasCircles);
  return Walked;
}

void Auditor::joinCopies() {
  // A trimmed context stands for several and has the id of the first, so two of
  // them are the same only if their sizes are equal.
  using Key = std::tuple<uint64_t, Temperature, Bytes>;
  std::map<Key, SmallVector<ContextId, 1>> ById;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (const Context &C = Program[ContextId(I)]; C.FullStackId)
      ById[{C.FullStackId, C.Profiled, C.Size}].push_back(ContextId(I));
  for (auto &[Key, Copies] : ById) {
    if (Copies.size() == 1)
      continue;
    bool IsCold = std::get<Temperature>(Key) == Temperature::Cold;
    auto Judged = [&](ContextId C) -> AuditedContext & {
      return Result.Contexts[C.index()];
    };
    unsigned Least = ~0u;
    for (ContextId C : Copies)
      Least = std::min(Least, Judged(C).FramesLeft);
    for (ContextId C : Copies)
      if (Judged(C).FramesLeft > Least)
        Judged(C) = walk(C, /*RanElsewhere=*/true).Judged;
    // The copy that counts most against the decisions speaks for all.
    auto Rank = [&](ContextId C) {
      const AuditedContext &J = Judged(C);
      bool IsWrong = IsCold ? J.ReachesNotCold : J.ReachesCold;
      bool RanHere = J.FramesLeft == Least;
      return IsCold ? 2 * RanHere + IsWrong : RanHere + 2 * IsWrong;
    };
    ContextId Counted = *max_element(Copies, [&](ContextId A, ContextId B) {
      return std::pair(Rank(A), B) < std::pair(Rank(B), A);
    });
    for (ContextId C : Copies) {
      if (C == Counted)
        continue;
      Judged(C).CountedAs = Counted;
      if (Judged(C).FramesLeft != Least)
        continue;
      Judged(Counted).Separable &= Judged(C).Separable;
      Judged(Counted).MayEnterAgain |= Judged(C).MayEnterAgain;
      Judged(Counted).MayBeInlined |= Judged(C).MayBeInlined;
    }
  }
}

void Auditor::enter(ContextId C) {
  const AuditedContext &Judged = Result.Contexts[C.index()];
  auto Count = [&](AuditCell &Cell) {
    ++Cell.Contexts;
    Cell.Size += Program[C].Size;
  };
  if (Program[C].Profiled == Temperature::NotCold) {
    Count(Judged.ReachesCold ? Result.NotColdToCold : Result.NotColdToNotCold);
    return;
  }
  if (!Judged.ReachesNotCold) {
    Count(Program[Program[C].Allocation].Hintable == Hintable::IfPointer ||
                  Judged.isUnsure()
              ? Result.ColdIfPointer
              : Result.ColdToCold);
    return;
  }
  Count(Result.ColdToNotCold);
  if (!Judged.Separable)
    Count(Result.ColdNotSeparable);
}

} // namespace

AuditResult thermocline::context::audit(const ContextProgram &Program,
                                        const Decisions &Decided) {
  return Auditor(Program, Decided).run();
}

class ContextWalker::Impl : public Auditor {
  using Auditor::Auditor;
};

ContextWalker::ContextWalker(const ContextProgram &Program,
                             const Decisions &Decided)
    : Walker(std::make_unique<Impl>(Program, Decided)) {
  Walker->findReachable();
}

ContextWalker::~ContextWalker() = default;

ContextWalk ContextWalker::walk(ContextId C, bool RanElsewhere) {
  return Walker->walk(C, RanElsewhere);
}
