//===- Context/Walk.cpp - Where resolved contexts end ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

using namespace llvm;
using namespace thermocline::context;

namespace {

/// Sets of versions, each kept once. Nearly all have one version or two, and
/// neighbours have the same, so there are few.
class VersionSets {
public:
  ArrayRef<uint32_t> operator[](uint32_t Set) const {
    return ArrayRef(Versions).slice(First[Set], First[Set + 1] - First[Set]);
  }

  /// Begins a set: add() to it, and finish() gives its number.
  void begin() { Scratch.clear(); }
  void add(uint32_t Version) {
    if (Scratch.empty() || Scratch.back() != Version)
      Scratch.push_back(Version);
  }
  uint32_t finish() {
    if (Scratch.size() > 1) {
      llvm::sort(Scratch);
      Scratch.erase(llvm::unique(Scratch), Scratch.end());
    }
    if (Scratch.size() == 1 && Scratch[0] < Singles.size() &&
        Singles[Scratch[0]] != None)
      return Singles[Scratch[0]];
    auto [It, New] =
        Known.try_emplace(std::vector<uint32_t>(Scratch.begin(), Scratch.end()),
                          First.size() - 1);
    if (New) {
      llvm::append_range(Versions, Scratch);
      First.push_back(Versions.size());
    }
    if (Scratch.size() == 1) {
      if (Singles.size() <= Scratch[0])
        Singles.resize(Scratch[0] + 1, None);
      Singles[Scratch[0]] = It->second;
    }
    return It->second;
  }

private:
  static constexpr uint32_t None = ~0u;
  SmallVector<uint32_t, 8> Scratch;
  std::vector<uint32_t> Versions;
  std::vector<uint32_t> First = {0};
  std::map<std::vector<uint32_t>, uint32_t> Known;
  /// By version, the set of it alone.
  std::vector<uint32_t> Singles;
};

} // namespace

std::vector<Outcome>
thermocline::context::outcomes(const ContextProgram &Program,
                               const Resolution &Resolved,
                               const Decisions &Decided) {
  // Decisions are equal for all callsites of a call.
  std::vector<CallsiteId> CallsiteOf(Resolved.numCalls());
  for (size_t I = Program.numCallsites(); I-- != 0;)
    if (CallId C = Resolved.call(CallsiteId(I)))
      CallsiteOf[C.index()] = CallsiteId(I);

  // Callers come first, so what reaches a place is known when its turn comes.
  VersionSets Sets;
  std::vector<uint32_t> ReachedAt(Resolved.numPlaces());
  std::vector<Outcome> Result(Program.numContexts(), Outcome::KeptNotCold);
  for (size_t I = 0; I != Resolved.numPlaces(); ++I) {
    PlaceId P(I);
    const Place &Here = Resolved[P];
    if (!Here.Function)
      continue;
    Sets.begin();
    if (Here.BindsAllVersions)
      for (uint32_t V = 0; V != Decided.NumVersions[Here.Function.index()]; ++V)
        Sets.add(V);
    else if (Here.BindsOriginal)
      Sets.add(0);
    for (PlaceEdge E : Resolved.callersOf(P)) {
      const auto &Clones = Decided.Clones[CallsiteOf[E.Via.index()].index()];
      for (uint32_t V : Sets[ReachedAt[E.From.index()]])
        Sets.add(Clones[V]);
    }
    ReachedAt[I] = Sets.finish();

    for (ContextId C : Resolved.contextsAt(P)) {
      if (Program[C].Profiled != Temperature::Cold)
        continue;
      const auto &Hints = Decided.Hints[Program[C].Allocation.index()];
      bool AllCold = all_of(Sets[ReachedAt[I]], [&](uint32_t V) {
        return Hints[V] == Temperature::Cold;
      });
      if (AllCold)
        Result[C.index()] = Outcome::HintedCold;
      else
        Result[C.index()] = Here.Obstacle == Outcome::HintedCold
                                ? Outcome::Collides
                                : Here.Obstacle;
    }
  }
  return Result;
}
