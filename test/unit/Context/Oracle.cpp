//===- unit/Context/Oracle.cpp - What can be told apart, by force ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

class Enumerator {
public:
  Enumerator(const ContextProgram &Program, ContextId C)
      : Program(Program), Frames(Program.stackIds(C)) {
    climb(Program[Program[C].Allocation].Owner, 0);
    if (Found.empty())
      Found = DeadEnds;
  }
  std::set<Chain> Found;
  static constexpr size_t MostChains = 200;
  bool tooMany() const { return Climbs > MostChains; }

private:
  void climb(FunctionId F, size_t Frame) {
    if (tooMany())
      return;
    if (Frame == Frames.size())
      return finish(F, Found);
    bool Matched = false, Known = false;
    for (size_t I = 0; I != Program.numCallsites(); ++I) {
      CallsiteId C(I);
      ArrayRef<StackId> Ids = Program.stackIds(C);
      size_t Common = std::min(Ids.size(), Frames.size() - Frame);
      if (Common == 0 || Ids.take_front(Common) != Frames.slice(Frame, Common))
        continue;
      Known |= !Program[C].Callee;
      if (Program[C].Callee != F)
        continue;
      Matched = true;
      Upwards.push_back(C);
      climb(Program[C].Caller, Frame + Common);
      Upwards.pop_back();
    }
    if (!Matched)
      finish(F, Known ? Found : DeadEnds);
  }

  void finish(FunctionId Root, std::set<Chain> &Into) {
    ++Climbs;
    Chain Result{!Program[Root].Clonable, Root, {}};
    for (CallsiteId C : reverse(Upwards)) {
      Result.Calls.push_back(C);
      FunctionId Callee = Program[C].Callee;
      if (Program[C].Redirectable != Redirect::Yes || !Program[Callee].Clonable)
        Result = {true, Callee, {}};
    }
    Into.insert(std::move(Result));
  }

  const ContextProgram &Program;
  /// Those that end at a frame of no callsite.
  std::set<Chain> DeadEnds;
  ArrayRef<StackId> Frames;
  std::vector<CallsiteId> Upwards;
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

std::optional<std::vector<std::set<Chain>>>
thermocline::context::chains(const ContextProgram &Program) {
  std::vector<std::set<Chain>> Result;
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    Enumerator All(Program, ContextId(I));
    if (All.tooMany())
      return std::nullopt;
    Result.push_back(std::move(All.Found));
  }
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
