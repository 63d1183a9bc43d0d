//===- unit/Engine/Judges/Oracle.cpp - What can be told apart, by force ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

using End = std::pair<FunctionId, std::vector<StackId>>;

class Enumerator {
public:
  Enumerator(const ContextProgram &Program, ContextId C)
      : Program(Program), Frames(Program.stackIds(C).copy()),
        IsCold(Program[C].Profiled == Temperature::Cold) {
    climb(Program[Program[C].Allocation].Owner, 0);
  }
  std::set<Chain> Found;
  /// Those that end at a frame of no callsite, and where; they count only if
  /// there are no others.
  std::map<Chain, End> DeadEnds;
  bool isDead() const { return Found.empty(); }
  /// The fewest frames that such a way leaves.
  size_t framesLeft() const {
    if (!isDead())
      return 0;
    size_t Result = Frames.size();
    for (const auto &[Ending, Place] : DeadEnds)
      Result = std::min(Result, Place.second.size());
    return Result;
  }
  static constexpr size_t MostChains = 200;
  bool tooMany() const { return Climbs > MostChains; }

private:
  void climb(FunctionId F, size_t Frame) {
    if (tooMany())
      return;
    if (Frame == Frames.size()) {
      find(F, /*FromOriginal=*/false);
      return;
    }
    bool Matched = false, Known = false;
    // Calls of others that the link has a record of, by caller and frames.
    std::map<std::pair<FunctionId, std::vector<StackId>>, std::set<FunctionId>>
        OfOthers;
    for (size_t I = 0; I != Program.numCallsites(); ++I) {
      CallsiteId C(I);
      ArrayRef<StackId> Ids = Program.stackIds(C);
      size_t Common = std::min(Ids.size(), Frames.size() - Frame);
      if (Common == 0 ||
          Ids.take_front(Common) != ArrayRef(Frames).slice(Frame, Common))
        continue;
      Known |= !Program[C].Callee || Program[C].IsThroughPointer;
      if (Program[C].Callee != F) {
        if (Program[C].Callee && !Program[C].IsThroughPointer)
          OfOthers[{Program[C].Caller, Ids.vec()}].insert(Program[C].Callee);
        continue;
      }
      Matched = true;
      Upwards.push_back(C);
      climb(Program[C].Caller, Frame + Common);
      Upwards.pop_back();
    }
    if (Matched)
      return;
    // A call without a record reaches the original, and what resumes a
    // coroutine any version. So may a call of another function, unless it has
    // several callees: then it is one through a pointer.
    const bool OfAnother = any_of(
        OfOthers, [](const auto &Call) { return Call.second.size() == 1; });
    const bool FromOriginal = !OfAnother && !Program[F].EnteredInAnyVersion;
    if (Known)
      find(F, FromOriginal);
    else
      DeadEnds.insert({finish(F, FromOriginal),
                       {F, known(ArrayRef(Frames).drop_front(Frame))}});
  }

  /// What is not cold may have come to the callee of a call through a pointer
  /// without a record, too.
  void find(FunctionId Root, bool FromOriginal) {
    Found.insert(finish(Root, FromOriginal));
    for (size_t I = 0; !IsCold && I != Upwards.size(); ++I)
      if (Program[Upwards[I]].mayBePassedBy()) {
        SmallVector<CallsiteId> Above(Upwards.begin() + I, Upwards.end());
        Upwards.truncate(I);
        Found.insert(finish(
            Program[Above.front()].Callee,
            !Program[Program[Above.front()].Callee].EnteredInAnyVersion));
        Upwards.append(Above);
      }
  }

  /// Frames of no callsite are all the same.
  std::vector<StackId> known(ArrayRef<StackId> Frames) const {
    std::vector<StackId> Result(Frames);
    for (StackId &S : Result)
      if (none_of(seq<size_t>(Program.numCallsites()), [&](size_t I) {
            return is_contained(Program.stackIds(CallsiteId(I)), S);
          }))
        S = StackId(0);
    return Result;
  }

  Chain finish(FunctionId Root, bool FromOriginal) {
    ++Climbs;
    Chain Result{FromOriginal || !Program[Root].Clonable, Root, {}};
    for (CallsiteId C : reverse(Upwards)) {
      Result.Calls.push_back(C);
      FunctionId Callee = Program[C].Callee;
      if (Program[C].Redirectable != Redirect::Yes || !Program[Callee].Clonable)
        Result = {true, Callee, {}};
    }
    return Result;
  }

  const ContextProgram &Program;
  SmallVector<StackId, 32> Frames;
  bool IsCold;
  SmallVector<CallsiteId> Upwards;
  size_t Climbs = 0;
};

bool endsIn(const std::vector<CallsiteId> &Calls,
            const std::vector<CallsiteId> &Suffix) {
  return Suffix.size() <= Calls.size() &&
         std::equal(Suffix.rbegin(), Suffix.rend(), Calls.rbegin());
}

/// Both end at the same allocation.
bool runInOneVersion(const Chain &A, const Chain &B) {
  if (A.FromOriginal && B.FromOriginal)
    return A == B;
  return (!A.FromOriginal && endsIn(B.Calls, A.Calls)) ||
         (!B.FromOriginal && endsIn(A.Calls, B.Calls));
}

} // namespace

/// A context that ends nowhere known, but not in another copy of its
/// allocation, ran in that one, or below a call that reaches the original. If
/// it is not cold, the calls of an edited function, and of what was inlined
/// into it, may have led to each function on its way; and what resumes a
/// coroutine may have, where the call of it may be passed by.
static void takeDeadEnds(const ContextProgram &Program,
                         std::vector<Enumerator> &All) {
  auto KeyOf = [&](size_t I) {
    const Context &C = Program[ContextId(I)];
    return std::tuple(C.FullStackId, C.Profiled, C.Size);
  };
  std::vector<bool> RanElsewhere(All.size());
  std::set<End> Needed;
  for (size_t I = 0; I != All.size(); ++I) {
    RanElsewhere[I] = any_of(seq(All.size()), [&](size_t J) {
      return All[J].framesLeft() < All[I].framesLeft() && KeyOf(J) == KeyOf(I);
    });
    if (All[I].isDead() && !RanElsewhere[I])
      for (const auto &[Ending, Place] : All[I].DeadEnds)
        // What is above a call of the original does not matter.
        if (!Ending.FromOriginal)
          Needed.insert(Place);
  }
  for (size_t I = 0; I != All.size(); ++I)
    if (All[I].isDead())
      for (const auto &[Ending, Place] : All[I].DeadEnds) {
        bool Bound = RanElsewhere[I] && !Needed.contains(Place) &&
                     !Program[Ending.Start].EnteredInAnyVersion;
        All[I].Found.insert(
            {Ending.FromOriginal || Bound, Ending.Start, Ending.Calls});
        if (Program[ContextId(I)].Profiled == Temperature::NotCold)
          for (size_t J = 0; J != Ending.Calls.size(); ++J)
            if (const Callsite &C = Program[Ending.Calls[J]]; C.Callee)
              All[I].Found.insert(
                  {!C.mayBePassedBy() || !Program[C.Callee].EnteredInAnyVersion,
                   C.Callee,
                   {Ending.Calls.begin() + J + 1, Ending.Calls.end()}});
      }
}

std::optional<std::vector<std::set<Chain>>>
thermocline::context::chains(const ContextProgram &Program) {
  std::vector<Enumerator> All;
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    All.emplace_back(Program, ContextId(I));
    if (All.back().tooMany())
      return std::nullopt;
  }
  takeDeadEnds(Program, All);
  std::vector<std::set<Chain>> Result;
  for (Enumerator &E : All)
    Result.push_back(std::move(E.Found));
  return Result;
}

std::vector<bool>
thermocline::context::canBeHinted(const ContextProgram &Program,
                                  const std::vector<std::set<Chain>> &Chains) {
  std::vector<bool> Result(Program.numContexts());
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    std::vector<ContextId> Cold;
    std::set<Chain> NotCold;
    for (uint32_t J = 0; J != A.NumContexts; ++J) {
      ContextId C(A.FirstContext + J);
      if (Program[C].Profiled == Temperature::Cold) {
        Cold.push_back(C);
        continue;
      }
      NotCold.insert(Chains[C.index()].begin(), Chains[C.index()].end());
      // The original of an allocation is cold only if all its contexts are.
      NotCold.insert({true, A.Owner, {}});
    }
    for (ContextId C : Cold)
      Result[C.index()] = all_of(Chains[C.index()], [&](const Chain &Mine) {
        return none_of(NotCold, [&](const Chain &Other) {
          return runInOneVersion(Mine, Other);
        });
      });
  }
  return Result;
}
