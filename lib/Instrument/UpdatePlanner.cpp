//===- Instrument/UpdatePlanner.cpp - Fewer updates -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/UpdatePlanner.h"
#include "Barriers.h"
#include "Bases.h"
#include "LoopUpdates.h"
#include "UpdateSinking.h"
#include "thermocline/Format/Counters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace thermocline::instrument;

/// Whether blocks of \p F that dominate each other both ways execute equally
/// often, and loops are all that goes in circles. What comes back more often
/// than it is called, or round a cycle that is not a loop, does not.
static bool hasPlainControlFlow(const Function &F, const LoopInfo &Loops) {
  ReversePostOrderTraversal<const Function *> Order(&F);
  return !F.hasOptNone() && !F.callsFunctionThatReturnsTwice() &&
         !F.isPresplitCoroutine() &&
         !containsIrreducibleCFG<const BasicBlock *>(Order, Loops);
}

namespace {

/// Merges updates of one block, then of blocks that execute equally often.
class StraightLineMerger {
public:
  StraightLineMerger(Function &F, SmallVectorImpl<CounterUpdate> &Updates,
                     MergeScope Scope, PlanStatistics &Statistics)
      : F(F), Updates(Updates), Scope(Scope), Statistics(Statistics) {}

  void mergeInBlocks();
  void mergeAcrossBlocks(const DominatorTree &Dominators,
                         const PostDominatorTree &PostDominators,
                         const LoopInfo &Loops);

private:
  /// An update that what comes later may go into.
  struct Leader {
    size_t Update;
    /// Nothing that may not come back lies between it and its block's end, or
    /// its block's beginning and it.
    bool ReachesEnd, ComesFromBegin;
  };
  static constexpr unsigned MostLeaders = 8, MostBlocksBetween = 32;

  bool alwaysFollows(const BasicBlock *First, const BasicBlock *Second,
                     const Loop *L) const;

  /// Updates with an equal key may become one.
  const Value *keyOf(const CounterUpdate &Update) const {
    return Scope == MergeScope::Address ? Update.Address : baseOf(Update);
  }

  Function &F;
  SmallVectorImpl<CounterUpdate> &Updates;
  MergeScope Scope;
  PlanStatistics &Statistics;
  SmallPtrSet<const BasicBlock *, 8> Barred;
  DenseMap<const BasicBlock *, SmallVector<Leader, 4>> Leaders;
};

} // namespace

void StraightLineMerger::mergeInBlocks() {
  // Updates are in program order; a copy has two.
  size_t Next = 0;
  DenseMap<const Value *, size_t> LeaderOf;
  for (const BasicBlock &Block : F) {
    LeaderOf.clear();
    auto &OfBlock = Leaders[&Block];
    bool IsBarred = false;
    for (const Instruction &I : Block) {
      for (; Next != Updates.size() && Updates[Next].Before == &I; ++Next) {
        CounterUpdate &Update = Updates[Next];
        if (Update.Times)
          continue;
        auto [It, New] = LeaderOf.try_emplace(keyOf(Update), OfBlock.size());
        if (New) {
          OfBlock.push_back({Next, true, !IsBarred});
        } else {
          Updates[OfBlock[It->second].Update].Accesses += Update.Accesses;
          Update.Accesses = 0;
          ++Statistics.MergedInBlock;
        }
      }
      if (mayNotComeBack(I)) {
        IsBarred = true;
        LeaderOf.clear();
        for (Leader &Earlier : OfBlock)
          Earlier.ReachesEnd = false;
      }
    }
    if (IsBarred)
      Barred.insert(&Block);
  }
}

/// Whether \p Second, which \p First dominates and which post-dominates it,
/// comes exactly once after \p First, with nothing between that may not come
/// back. Both are in \p L and in no loop inside of it.
bool StraightLineMerger::alwaysFollows(const BasicBlock *First,
                                       const BasicBlock *Second,
                                       const Loop *L) const {
  SmallPtrSet<const BasicBlock *, MostBlocksBetween> Seen;
  SmallVector<const BasicBlock *, 8> Worklist(successors(First));
  while (!Worklist.empty()) {
    const BasicBlock *Block = Worklist.pop_back_val();
    if (Block == Second || !Seen.insert(Block).second)
      continue;
    if (Block == First || Barred.contains(Block) ||
        (L && (Block == L->getHeader() || !L->contains(Block))) ||
        Seen.size() > MostBlocksBetween)
      return false;
    append_range(Worklist, successors(Block));
  }
  return true;
}

void StraightLineMerger::mergeAcrossBlocks(
    const DominatorTree &Dominators, const PostDominatorTree &PostDominators,
    const LoopInfo &Loops) {
  using Key = std::pair<const Value *, const Loop *>;
  DenseMap<Key, SmallVector<Leader, 2>> Earlier;
  ReversePostOrderTraversal<const Function *> Order(&F);
  for (const BasicBlock *Block : Order)
    for (const Leader &Mine : Leaders[Block]) {
      CounterUpdate &Update = Updates[Mine.Update];
      const Loop *Innermost = Loops.getLoopFor(Block);
      auto &Known = Earlier[{keyOf(Update), Innermost}];
      auto Found = find_if(Known, [&](const Leader &L) {
        const BasicBlock *Other = Updates[L.Update].Before->getParent();
        return Mine.ComesFromBegin && Other != Block &&
               Dominators.dominates(Other, Block) &&
               PostDominators.dominates(Block, Other) &&
               alwaysFollows(Other, Block, Innermost);
      });
      if (Found != Known.end()) {
        Updates[Found->Update].Accesses += Update.Accesses;
        Update.Accesses = 0;
        ++Statistics.MergedAcrossBlocks;
      } else if (Mine.ReachesEnd && Known.size() != MostLeaders) {
        Known.push_back(Mine);
      }
    }
}

/// The most uses of one address. If many addresses are computed from one value,
/// one register would hold the counter in all of a long function, and the
/// register allocator's work would grow with the square of its uses. In a loop
/// it saves as many registers.
static constexpr unsigned MostOfOneAddress = 128;

static void makeAddressesCheap(const LoopInfo &Loops,
                               SmallVectorImpl<CounterUpdate> &Updates) {
  DenseMap<const Value *, unsigned> Uses;
  for (CounterUpdate &Update : Updates) {
    // Windows tell which pages of a large object are touched: the index of an
    // element says which, but not one that only chooses a field.
    Value *Cheap =
        cheapAddress(Update.Address, thermocline::format::GranuleBytes);
    if (Cheap != Update.Address &&
        (Loops.getLoopFor(Update.Before->getParent()) ||
         ++Uses[Cheap] <= MostOfOneAddress))
      Update.Address = Cheap;
  }
}

void thermocline::instrument::prepareLoops(Function &F,
                                           FunctionAnalysisManager &Analyses) {
  auto &Loops = Analyses.getResult<LoopAnalysis>(F);
  if (Loops.empty() || !hasPlainControlFlow(F, Loops))
    return;
  auto &Dominators = Analyses.getResult<DominatorTreeAnalysis>(F);
  auto &Evolution = Analyses.getResult<ScalarEvolutionAnalysis>(F);
  auto &Assumptions = Analyses.getResult<AssumptionAnalysis>(F);
  for (Loop *L : Loops)
    simplifyLoop(L, &Dominators, &Loops, &Evolution, &Assumptions,
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
}

UpdatePlan thermocline::instrument::planUpdates(
    Function &F, FunctionAnalysisManager &Analyses,
    SmallVectorImpl<CounterUpdate> &Updates, MergeScope Scope) {
  UpdatePlan Plan;
  auto DropMerged = [&] {
    erase_if(Updates, [](const CounterUpdate &U) { return U.Accesses == 0; });
  };
  StraightLineMerger Merger(F, Updates, Scope, Plan.Statistics);
  Merger.mergeInBlocks();
  auto &Loops = Analyses.getResult<LoopAnalysis>(F);
  const bool IsPlain = hasPlainControlFlow(F, Loops);
  if (IsPlain)
    Merger.mergeAcrossBlocks(Analyses.getResult<DominatorTreeAnalysis>(F),
                             PostDominatorTree(F), Loops);
  DropMerged();
  if (Scope == MergeScope::Address)
    return Plan;
  makeAddressesCheap(Loops, Updates);
  if (IsPlain) {
    auto &Dominators = Analyses.getResult<DominatorTreeAnalysis>(F);
    const size_t Originals = Updates.size();
    DenseMap<size_t, uint64_t PlanStatistics::*> LeftInLoops;
    if (!Updates.empty() && !Loops.empty()) {
      LoopUpdates InLoops(
          F, Dominators, Loops, Analyses.getResult<ScalarEvolutionAnalysis>(F),
          Analyses.getResult<TargetIRAnalysis>(F), Updates, Plan);
      InLoops.run();
      LeftInLoops = InLoops.leftInLoops();
    }
    if (Updates.size() > 1) {
      UpdateSinking Sinking(F, Dominators, Loops, Updates, Plan);
      Sinking.run();
      for (size_t U = 0; U != Originals; ++U)
        if (Sinking.hasSunk(U)) {
          ++Plan.Statistics.Sunk;
          LeftInLoops.erase(U);
        }
    }
    for (const auto &[U, Why] : LeftInLoops)
      ++(Plan.Statistics.*Why);
  }
  DropMerged();
  return Plan;
}
