//===- Instrument/LoopUpdates.h - Updates out of loops ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes updates of objects that a loop does not change out of it, innermost
// loops first, so that what has left one may leave the next. The loop must be
// in simple form, with a place in front of it and one behind each exit. Then,
// for each base:
//
//   * What happens in each iteration, so often that it can be told in front of
//     the loop, is done there, at the address of the first iteration.
//   * The rest is counted in a register. Every exit adds what was counted to
//     one counter: that of the first iteration's address if one of the accesses
//     happens in each iteration, or of the address that all of them have in all
//     iterations, else of the last address that there was, which takes a second
//     register. If there was none, zero is added to the counter of the stack
//     frame, which nobody reads.
//
// The first comes before the accesses, so nothing in the loop may keep them
// from happening (mayNotComeBack). The second comes after them, so a register
// is emptied in front of whatever may not come back or may end the object's
// life (mayEndLife), if that happens much more seldom than the accesses.
//
// Cost: linear in the instructions of a loop, once for each loop around them,
// and in the updates.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_LOOPUPDATES_H
#define THERMOCLINE_LIB_INSTRUMENT_LOOPUPDATES_H

#include "Nowhere.h"
#include "thermocline/Instrument/Accesses.h"
#include "thermocline/Instrument/UpdatePlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include <memory>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class SCEV;
class SCEVExpander;
class ScalarEvolution;
class TargetTransformInfo;
class Type;
} // namespace llvm

namespace thermocline::instrument {

class LoopUpdates {
public:
  LoopUpdates(llvm::Function &F, const llvm::DominatorTree &Dominators,
              const llvm::LoopInfo &Loops, llvm::ScalarEvolution &Evolution,
              const llvm::TargetTransformInfo &Target,
              llvm::SmallVectorImpl<CounterUpdate> &Updates, UpdatePlan &Plan);

  /// Works through all loops. Updates that are no more are left behind with no
  /// accesses; new ones are added.
  void run();

  /// Updates of the program's own accesses that stay in loops, and why: where
  /// to count them.
  const llvm::DenseMap<size_t, uint64_t PlanStatistics::*> &
  leftInLoops() const {
    return LeftInLoops;
  }

private:
  /// An index into Updates.
  using Member = size_t;
  using Members = llvm::SmallVector<Member, 4>;
  /// More would take registers from the program.
  static constexpr unsigned MostRegisters = 4;
  /// The most instructions in front of which registers are emptied.
  static constexpr unsigned MostBarriers = 6;

  /// What is asked of each loop.
  struct Form {
    bool IsSimple, ComesBack;
    /// What may not come back or may end an object's life.
    llvm::SmallVector<llvm::Instruction *, 4> Barriers;
  };
  Form formOf(const llvm::Loop &L);
  bool isWorthRegister(llvm::ArrayRef<Member> Group,
                       llvm::ArrayRef<llvm::Instruction *> Barriers);

  void leave(llvm::Loop &L, llvm::ArrayRef<Member> Mine);
  llvm::Value *invariantBase(const llvm::Loop &L, Member U);
  bool happensEachTime(const llvm::Loop &L, Member U) const;
  const llvm::SCEV *firstAddress(const llvm::Loop &L, Member U,
                                 const llvm::SCEVExpander &Expander);
  bool isComputable(const llvm::SCEV *Expression, const llvm::Loop &L,
                    const llvm::SCEVExpander &Expander) const;
  Members hoist(llvm::Loop &L, llvm::ArrayRef<Member> Group, llvm::Value *Base);
  llvm::Value *commonAddress(const llvm::Loop &L,
                             llvm::ArrayRef<Member> Group) const;
  void countInRegister(llvm::Loop &L, llvm::ArrayRef<Member> Group,
                       llvm::Value *Base,
                       llvm::ArrayRef<llvm::Instruction *> Barriers);
  llvm::AllocaInst *addRegister(llvm::Type *Ty, llvm::StringRef Name);
  void add(const CounterUpdate &Update);
  void left(Member U, uint64_t PlanStatistics::*How);
  void stays(Member U, uint64_t PlanStatistics::*Why);

  llvm::Function &F;
  const llvm::DominatorTree &Dominators;
  const llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &Evolution;
  const llvm::TargetTransformInfo &Target;
  llvm::SmallVectorImpl<CounterUpdate> &Updates;
  UpdatePlan &Plan;

  /// How many updates were there before any left a loop.
  const size_t Originals;
  llvm::DenseMap<const llvm::Loop *, Members> OfLoop;
  llvm::DenseMap<Member, uint64_t PlanStatistics::*> LeftInLoops;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<llvm::Instruction *, 1>>
      BarriersOf;
  /// Made when first asked for.
  std::unique_ptr<llvm::BranchProbabilityInfo> Probabilities;
  std::unique_ptr<llvm::BlockFrequencyInfo> Frequencies;
  Nowhere NoObject;
};

} // namespace thermocline::instrument

#endif
