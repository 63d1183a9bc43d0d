//===- Instrument/UpdateSinking.h - Updates into later ones -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets a later update of the same object count what an earlier one would have,
// where that comes only sometimes, or under another name:
//
//   visit:                         ; count = 1 pending for %p on each way in
//     %p = phi [ %root ], [ %next ]
//     ++counter(%p)                ; absorbs: counter(%p) += 1 + pending
//     %next = load %p
//     if null, leave
//     ++counter(%next)             ; sinks: pending = 1 from here ...
//     %key = load %next + 8
//     if equal, leave, else visit  ; ... and added on the way that leaves
//
// which is a search in a tree or a chain of a hash table: two updates a node
// become one.
//
// An update that sinks is a store to a register that says what is pending. From
// there the ways that control may take are followed, and with them the names of
// the object: on entry to a block, its phis may be new names, and what the
// block defines is a name no more. Each way ends at an update of one of the
// names, which absorbs what is pending, or is cut: in front of anything that
// may not come back or may end the object's life, that returns, or where the
// names of two ways differ. Where a way is cut, what is pending is added to the
// sinking update's own address; so all blocks on the way are dominated by it.
//
// Invariant: when control leaves these blocks the register is zero. Every
// update that sinks is on each way added once: absorbed, or at a cut. So the
// number of updates that are executed never grows; what has to be weighed is
// the work for what is absorbed, and the size of the code.
//
// Cost: a bounded number of blocks, and of updates in each, for each update,
// and a search back over these blocks for each of a bounded number of
// registers.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_UPDATESINKING_H
#define THERMOCLINE_LIB_INSTRUMENT_UPDATESINKING_H

#include "thermocline/Instrument/Accesses.h"
#include "thermocline/Instrument/UpdatePlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace thermocline::instrument {

class UpdateSinking {
public:
  UpdateSinking(llvm::Function &F, const llvm::DominatorTree &Dominators,
                const llvm::LoopInfo &Loops,
                llvm::SmallVectorImpl<CounterUpdate> &Updates,
                UpdatePlan &Plan);

  /// Decides, then changes, and splits critical edges for it. Updates that have
  /// sunk are left behind with no accesses; new ones are added.
  void run();

  bool hasSunk(size_t Update) const {
    return Update < Sinks.size() && Sinks[Update].IsSunk;
  }

private:
  /// An index into Updates.
  using Member = size_t;
  using Edge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;
  /// Bounds of the work for each update, and of the code that it takes.
  static constexpr unsigned MostBlocks = 24, MostNames = 4, MostCuts = 4,
                            MostAbsorbed = 64, MostItems = 64;
  /// The most sinks of a function. There is a limit because the cost of
  /// registers adds up in the code generator.
  static constexpr unsigned MostSinks = 512;

  /// What stands in a block, in order.
  struct Item {
    /// The update; none for a barrier.
    std::optional<Member> Update;
  };
  /// The ways that an update would take.
  struct Ways {
    llvm::SmallVector<Member, 2> Absorbers;
    /// The edges where what is pending is added.
    llvm::SmallVector<Edge, 2> Cuts;
    /// Blocks at whose end nothing is pending, in front of those in which
    /// something may be.
    llvm::SmallVector<llvm::BasicBlock *, 4> Outside;
  };
  /// What became of an update.
  struct Sink {
    bool IsSunk = false;
    /// Updates that have sunk into this one.
    llvm::SmallVector<Member, 2> Absorbs;
    /// Which of the items of its block it is.
    size_t Place = 0;
    Ways Taken;
    llvm::AllocaInst *Pending = nullptr;
  };
  using Names = llvm::SmallVector<const llvm::Value *, MostNames>;
  struct Region;

  void collect();
  void decide(Member U);
  std::optional<Ways> follow(Member U) const;
  bool explore(Member U, Region &Behind) const;
  static Ways waysThrough(const Region &Behind);
  std::optional<Member> absorberIn(llvm::ArrayRef<Item> Items,
                                   const Names &Known, Member U,
                                   bool &IsBarred) const;
  Names namesIn(const Edge &E, const Names &Known) const;
  bool wouldCycle(Member U, Member Absorber) const;
  void apply();
  void addPending(Member U);
  void addCut(Member U, const Edge &Where);

  llvm::Function &F;
  const llvm::DominatorTree &Dominators;
  llvm::SmallVectorImpl<CounterUpdate> &Updates;
  UpdatePlan &Plan;
  llvm::BranchProbabilityInfo Probabilities;
  llvm::BlockFrequencyInfo Frequencies;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<Item, 4>> ItemsOf;
  llvm::SmallVector<Sink, 16> Sinks;
  unsigned Decided = 0;
  /// Blocks in the middle of edges that were split.
  llvm::DenseMap<Edge, llvm::BasicBlock *> Split;
};

} // namespace thermocline::instrument

#endif
