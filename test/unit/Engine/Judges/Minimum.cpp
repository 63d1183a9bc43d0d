//===- unit/Engine/Judges/Minimum.cpp - The fewest clones, by force -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Minimum.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

constexpr uint32_t Unknown = ~0u;

class Search {
public:
  Search(const ContextProgram &Program,
         const std::vector<std::set<Chain>> &Chains,
         const std::vector<bool> &Hintable, Price Per, uint64_t Bound)
      : Program(Program), Bound(Bound), NumVersions(Program.numFunctions(), 1),
        Next(Program.numCallsites()), Labels(Program.numAllocations()) {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      Prices.push_back(
          Per == Price::Clones ? 1 : Program[FunctionId(I)].Instructions);
    joinEqualCallsites();
    addRuns(Chains, Hintable);
    for (auto &OfCall : Next)
      OfCall.assign(1, Unknown);
    for (auto &OfAllocation : Labels)
      OfAllocation.assign(1, Label::Free);
    for (AllocationId A : NotColdAllocations)
      Labels[A.index()][0] = Label::NotCold;
  }

  Minimum run() {
    visit(0);
    return std::move(Best);
  }

private:
  enum class Label : uint8_t { Free, NotCold, Cold };
  struct Run {
    bool FromOriginal;
    FunctionId Start;
    std::vector<uint32_t> Calls;
    AllocationId End;
    Label Wanted;
    auto operator<=>(const Run &) const = default;
  };
  struct Waiting {
    const Run *Path;
    size_t Call;
  };

  void joinEqualCallsites();
  void addRuns(const std::vector<std::set<Chain>> &Chains,
               const std::vector<bool> &Hintable);
  void visit(uint64_t Cost);
  void enter(FunctionId F);
  void leave(FunctionId F);
  bool fits(const Waiting &W, uint32_t Version) const;
  void keep(uint64_t Cost);

  FunctionId callee(uint32_t Call) const {
    return Program[CallsiteId(Call)].Callee;
  }

  const ContextProgram &Program;
  uint64_t Bound;
  Minimum Best;
  std::vector<uint64_t> Prices;
  /// By callsite: the first with its caller, callee and ids, which stands for
  /// it: nothing is gained by telling them apart, as contexts run both.
  std::vector<uint32_t> Representative;
  std::set<Run> Runs;
  std::set<AllocationId> NotColdAllocations;
  std::vector<uint32_t> NumVersions;
  /// By representative and version.
  std::vector<std::vector<uint32_t>> Next;
  std::vector<std::vector<Label>> Labels;
  uint64_t Visits = 0;
  static constexpr uint64_t MostVisits = 20000;
};

void Search::joinEqualCallsites() {
  for (uint32_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &Mine = Program[CallsiteId(I)];
    uint32_t First = 0;
    for (;; ++First) {
      const Callsite &Other = Program[CallsiteId(First)];
      if (Mine.Caller == Other.Caller && Mine.Callee == Other.Callee &&
          Mine.Redirectable == Other.Redirectable &&
          Program.stackIds(CallsiteId(I)) ==
              Program.stackIds(CallsiteId(First)))
        break;
    }
    Representative.push_back(First);
  }
}

void Search::addRuns(const std::vector<std::set<Chain>> &Chains,
                     const std::vector<bool> &Hintable) {
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const Context &C = Program[ContextId(I)];
    bool NotCold = C.Profiled == Temperature::NotCold;
    if (NotCold)
      NotColdAllocations.insert(C.Allocation);
    if (!NotCold && !Hintable[I])
      continue;
    for (const Chain &Route : Chains[I]) {
      Run R{Route.FromOriginal,
            Route.Start,
            {},
            C.Allocation,
            NotCold ? Label::NotCold : Label::Cold};
      for (CallsiteId Call : Route.Calls)
        R.Calls.push_back(Representative[Call.index()]);
      Runs.insert(std::move(R));
    }
  }
}

void Search::enter(FunctionId F) {
  ++NumVersions[F.index()];
  for (CallsiteId C : Program[F].Callsites)
    Next[C.index()].push_back(Unknown);
  for (AllocationId A : Program[F].Allocations)
    Labels[A.index()].push_back(Label::Free);
}

void Search::leave(FunctionId F) {
  --NumVersions[F.index()];
  for (CallsiteId C : Program[F].Callsites)
    Next[C.index()].pop_back();
  for (AllocationId A : Program[F].Allocations)
    Labels[A.index()].pop_back();
}

/// Whether \p W does not end at the other label if it goes on in \p Version.
bool Search::fits(const Waiting &W, uint32_t Version) const {
  for (size_t I = W.Call + 1; I != W.Path->Calls.size(); ++I) {
    Version = Next[W.Path->Calls[I]][Version];
    if (Version == Unknown)
      return true;
  }
  Label Here = Labels[W.Path->End.index()][Version];
  return Here == Label::Free || Here == W.Path->Wanted;
}

void Search::visit(uint64_t Cost) {
  if (Cost > Bound || Best.CutShort || Best.Cost == 0)
    return;
  if (++Visits > MostVisits) {
    Best.CutShort = true;
    return;
  }
  std::vector<std::pair<AllocationId, uint32_t>> Labelled;
  auto Unlabel = [&] {
    for (auto [A, V] : Labelled)
      Labels[A.index()][V] = Label::Free;
  };
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Waiting>> Open;
  for (const Run &R : Runs) {
    uint32_t Starts = R.FromOriginal ? 1 : NumVersions[R.Start.index()];
    for (uint32_t Start = 0; Start != Starts; ++Start) {
      uint32_t Version = Start;
      size_t I = 0;
      for (; I != R.Calls.size(); ++I) {
        uint32_t To = Next[R.Calls[I]][Version];
        if (To == Unknown)
          break;
        Version = To;
      }
      if (I != R.Calls.size()) {
        Open[{R.Calls[I], Version}].push_back({&R, I});
        continue;
      }
      Label &Here = Labels[R.End.index()][Version];
      if (Here == Label::Free) {
        Here = R.Wanted;
        Labelled.push_back({R.End, Version});
      } else if (Here != R.Wanted) {
        Unlabel();
        return;
      }
    }
  }
  if (Open.empty()) {
    keep(Cost);
    Unlabel();
    return;
  }

  // Which versions can serve each open transition.
  std::pair<uint32_t, uint32_t> Branch;
  std::vector<uint32_t> Candidates;
  bool Found = false;
  std::set<FunctionId> NeedNew;
  for (const auto &[Where, Waits] : Open) {
    std::vector<uint32_t> Mine;
    FunctionId Callee = callee(Where.first);
    for (uint32_t V = 0; V != NumVersions[Callee.index()]; ++V)
      if (all_of(Waits, [&](const Waiting &W) { return fits(W, V); }))
        Mine.push_back(V);
    if (Mine.empty() && Program[Callee].Clonable)
      NeedNew.insert(Callee);
    if (!Found || Mine.size() < Candidates.size()) {
      Branch = Where;
      Candidates = std::move(Mine);
      Found = true;
    }
  }
  uint64_t AtLeast = Cost;
  for (FunctionId F : NeedNew)
    AtLeast += Prices[F.index()];
  if (AtLeast <= Bound) {
    FunctionId Callee = callee(Branch.first);
    auto Set = [&](uint32_t To) { Next[Branch.first][Branch.second] = To; };
    for (uint32_t V : Candidates) {
      Set(V);
      visit(Cost);
    }
    if (Program[Callee].Clonable) {
      Set(NumVersions[Callee.index()]);
      enter(Callee);
      visit(Cost + Prices[Callee.index()]);
      leave(Callee);
    }
    Set(Unknown);
  }
  Unlabel();
}

void Search::keep(uint64_t Cost) {
  Best.Cost = Cost;
  Bound = Cost ? Cost - 1 : 0;
  Best.Decided = Decisions::none(Program);
  Best.Decided.NumVersions = NumVersions;
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    auto &Clones = Best.Decided.Clones[I];
    Clones.clear();
    for (uint32_t To : Next[Representative[I]])
      Clones.push_back(To == Unknown ? 0 : To);
  }
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    auto &Hints = Best.Decided.Hints[I];
    Temperature Original = Hints[0];
    Hints.clear();
    for (Label L : Labels[I])
      Hints.push_back(L == Label::Cold ? Temperature::Cold
                                       : Temperature::NotCold);
    if (Labels[I][0] == Label::Free)
      Hints[0] = Original;
  }
}

} // namespace

Minimum thermocline::context::cheapest(
    const ContextProgram &Program, const std::vector<std::set<Chain>> &Chains,
    const std::vector<bool> &Hintable, Price Per, uint64_t Bound) {
  return Search(Program, Chains, Hintable, Per, Bound).run();
}
