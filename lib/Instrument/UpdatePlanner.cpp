//===- Instrument/UpdatePlanner.cpp - Fewer updates -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/UpdatePlanner.h"
#include "Barriers.h"
#include "LoopUpdates.h"
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
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace thermocline::instrument;

void PlanStatistics::add(const PlanStatistics &Other) {
  MergedInBlock += Other.MergedInBlock;
  MergedAcrossBlocks += Other.MergedAcrossBlocks;
  Hoisted += Other.Hoisted;
  InRegister += Other.InRegister;
  LeftChangingObject += Other.LeftChangingObject;
  LeftNoReturn += Other.LeftNoReturn;
  LeftEndOfLife += Other.LeftEndOfLife;
  LeftForm += Other.LeftForm;
  LeftRegisters += Other.LeftRegisters;
}

/// The pointer that \p Address was computed from. What may be any pointer says
/// nothing but that equal addresses are equal.
static const Value *baseOf(const Value *Address) {
  const Value *Base = getUnderlyingObject(Address, /*MaxLookup=*/0);
  return mayBeAnyPointer(*Base) ? Address : Base;
}

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
                     const Loop *In) const;

  /// Updates with an equal key may become one.
  const Value *keyOf(const CounterUpdate &Update) const {
    return Scope == MergeScope::Address ? Update.Address
                                        : baseOf(Update.Address);
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
  // In program order; a copy has two.
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
/// back. Both are in \p In and in no loop inside of it.
bool StraightLineMerger::alwaysFollows(const BasicBlock *First,
                                       const BasicBlock *Second,
                                       const Loop *In) const {
  SmallPtrSet<const BasicBlock *, MostBlocksBetween> Seen;
  SmallVector<const BasicBlock *, 8> Worklist(successors(First));
  while (!Worklist.empty()) {
    const BasicBlock *Block = Worklist.pop_back_val();
    if (Block == Second || !Seen.insert(Block).second)
      continue;
    if (Block == First || Barred.contains(Block) ||
        (In && (Block == In->getHeader() || !In->contains(Block))) ||
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
      const Loop *In = Loops.getLoopFor(Block);
      auto &Known = Earlier[{keyOf(Update), In}];
      auto Into = find_if(Known, [&](const Leader &L) {
        const BasicBlock *Other = Updates[L.Update].Before->getParent();
        return Mine.ComesFromBegin && Other != Block &&
               Dominators.dominates(Other, Block) &&
               PostDominators.dominates(Block, Other) &&
               alwaysFollows(Other, Block, In);
      });
      if (Into != Known.end()) {
        Updates[Into->Update].Accesses += Update.Accesses;
        Update.Accesses = 0;
        ++Statistics.MergedAcrossBlocks;
      } else if (Mine.ReachesEnd && Known.size() != MostLeaders) {
        Known.push_back(Mine);
      }
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
  if (hasPlainControlFlow(F, Loops)) {
    auto &Dominators = Analyses.getResult<DominatorTreeAnalysis>(F);
    Merger.mergeAcrossBlocks(Dominators, PostDominatorTree(F), Loops);
    DropMerged();
    if (!Updates.empty() && !Loops.empty() && Scope == MergeScope::Object)
      LoopUpdates(F, Dominators, Loops,
                  Analyses.getResult<ScalarEvolutionAnalysis>(F),
                  Analyses.getResult<TargetIRAnalysis>(F), Updates, Plan)
          .run();
  }
  DropMerged();
  return Plan;
}

void UpdatePlan::promoteRegisters(Function &F) const {
  if (Registers.empty())
    return;
  DominatorTree Dominators(F);
  PromoteMemToReg(Registers, Dominators);
}
