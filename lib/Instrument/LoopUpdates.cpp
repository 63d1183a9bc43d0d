//===- Instrument/LoopUpdates.cpp - Updates out of loops ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopUpdates.h"
#include "Barriers.h"
#include "Bases.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace thermocline::instrument;

LoopUpdates::LoopUpdates(Function &F, const DominatorTree &Dominators,
                         const LoopInfo &Loops, ScalarEvolution &Evolution,
                         const TargetTransformInfo &Target,
                         SmallVectorImpl<CounterUpdate> &Updates,
                         UpdatePlan &Plan)
    : F(F), Dominators(Dominators), Loops(Loops), Evolution(Evolution),
      Target(Target), Updates(Updates), Plan(Plan), Originals(Updates.size()),
      NoObject(F) {}

void LoopUpdates::run() {
  for (Member U = 0; U != Updates.size(); ++U)
    if (Updates[U].Accesses != 0)
      if (const Loop *L = Loops.getLoopFor(Updates[U].Before->getParent()))
        OfLoop[L].push_back(U);
  const SmallVector<Loop *, 4> OuterFirst = Loops.getLoopsInPreorder();
  for (Loop *L : reverse(OuterFirst))
    if (Members Mine = OfLoop.lookup(L); !Mine.empty())
      leave(*L, Mine);
}

LoopUpdates::Form LoopUpdates::formOf(const Loop &L) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  Form Result{L.isLoopSimplifyForm(), true, {}};
  for (const BasicBlock *Exit : Exits)
    if (Exit->getFirstInsertionPt() == Exit->end())
      Result.IsSimple = false;
  for (BasicBlock *Block : L.blocks()) {
    auto [It, New] = BarriersOf.try_emplace(Block);
    if (New)
      for (Instruction &I : *Block)
        if (mayNotComeBack(I) || mayEndLife(I))
          It->second.push_back(&I);
    for (Instruction *I : It->second) {
      Result.Barriers.push_back(I);
      Result.ComesBack &= !mayNotComeBack(*I);
      // Nothing can be put in front of it.
      Result.IsSimple &= !I->isEHPad();
    }
  }
  return Result;
}

/// Whether counting \p Group in a register, which is emptied in front of
/// \p Barriers, is less work than its updates: an update costs about three
/// times what counting in a register does.
bool LoopUpdates::isWorthRegister(ArrayRef<Member> Group,
                                  ArrayRef<Instruction *> Barriers) {
  if (Barriers.empty())
    return true;
  if (Barriers.size() > MostBarriers)
    return false;
  if (!Frequencies) {
    Probabilities = std::make_unique<BranchProbabilityInfo>(F, Loops);
    Frequencies =
        std::make_unique<BlockFrequencyInfo>(F, *Probabilities, Loops);
  }
  BlockFrequency Accesses(0), Emptied(0);
  for (Member U : Group)
    Accesses += Frequencies->getBlockFreq(Updates[U].Before->getParent());
  for (const Instruction *Barrier : Barriers)
    Emptied += Frequencies->getBlockFreq(Barrier->getParent());
  return Accesses.getFrequency() / 3 > Emptied.getFrequency() / 2;
}

/// The pointer that update \p U's address is computed from, if it is the same
/// in all iterations of \p L; none if it is not.
Value *LoopUpdates::invariantBase(const Loop &L, Member U) {
  Value *Computed = Updates[U].Base ? Updates[U].Base : Updates[U].Address;
  // What is added to the pointer does not matter, and may take long to analyze.
  Value *Pointer = Computed;
  while (auto *Arithmetic = dyn_cast<GEPOperator>(Pointer))
    Pointer = Arithmetic->getPointerOperand();
  // Unlike the underlying object, this looks through pointers that the loop
  // itself increments.
  const auto *Unknown = dyn_cast<SCEVUnknown>(
      Evolution.getPointerBase(Evolution.getSCEV(Pointer)));
  if (!Unknown)
    return nullptr;
  Value *Base = Unknown->getValue();
  if (mayBeAnyPointer(*Base))
    Base = Computed;
  return L.isLoopInvariant(Base) ? Base : nullptr;
}

/// Counts \p U among those that leave their loop, by \p How.
void LoopUpdates::left(Member U, uint64_t PlanStatistics::*How) {
  if (U < Originals)
    ++(Plan.Statistics.*How);
}

/// Notes that \p U stays in its loop, for \p Why.
void LoopUpdates::stays(Member U, uint64_t PlanStatistics::*Why) {
  if (U < Originals)
    LeftInLoops[U] = Why;
}

void LoopUpdates::leave(Loop &L, ArrayRef<Member> Mine) {
  const Form Is = formOf(L);
  if (!Is.IsSimple) {
    for (Member U : Mine)
      stays(U, &PlanStatistics::LeftForm);
    return;
  }
  MapVector<Value *, Members> Groups;
  for (Member U : Mine)
    if (Value *Base = invariantBase(L, U))
      Groups[Base].push_back(U);
    else
      stays(U, &PlanStatistics::LeftChangingObject);
  unsigned Registers = 0;
  for (const auto &[Base, Group] : Groups) {
    Members Rest = Is.ComesBack ? hoist(L, Group, Base) : Group;
    if (Rest.empty())
      continue;
    uint64_t PlanStatistics::*Fate = &PlanStatistics::InRegister;
    if (!isWorthRegister(Rest, Is.Barriers))
      Fate = Is.ComesBack ? &PlanStatistics::LeftEndOfLife
                          : &PlanStatistics::LeftNoReturn;
    else if (Registers == MostRegisters)
      Fate = &PlanStatistics::LeftRegisters;
    const bool Leaves = Fate == &PlanStatistics::InRegister;
    for (Member U : Rest)
      Leaves ? left(U, Fate) : stays(U, Fate);
    if (Leaves) {
      ++Registers;
      countInRegister(L, Rest, Base, Is.Barriers);
    }
  }
}

/// Whether \p U happens exactly once in each iteration of \p L, also in that
/// which leaves it.
bool LoopUpdates::happensEachTime(const Loop &L, Member U) const {
  const BasicBlock *Block = Updates[U].Before->getParent();
  SmallVector<BasicBlock *, 4> Ends;
  L.getExitingBlocks(Ends);
  Ends.push_back(L.getLoopLatch());
  return Loops.getLoopFor(Block) == &L &&
         all_of(Ends, [&](const BasicBlock *End) {
           return Dominators.dominates(Block, End);
         });
}

/// Whether \p Expression has one value in \p L that can be computed in front of
/// it, from values there and the counters of loops around it.
bool LoopUpdates::isComputable(const SCEV *Expression, const Loop &L,
                               const SCEVExpander &Expander) const {
  const Instruction *InsertPt = L.getLoopPreheader()->getTerminator();
  bool IsOfOtherLoop = SCEVExprContains(Expression, [&](const SCEV *Part) {
    const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Part);
    return Recurrence && !Recurrence->getLoop()->contains(InsertPt);
  });
  return !IsOfOtherLoop && Evolution.isLoopInvariant(Expression, &L) &&
         Expander.isSafeToExpandAt(Expression, InsertPt);
}

/// The address of \p U in the first iteration of \p L, which must have it; none
/// if it cannot be computed in front of the loop.
const SCEV *LoopUpdates::firstAddress(const Loop &L, Member U,
                                      const SCEVExpander &Expander) {
  const SCEV *First = Evolution.getSCEV(Updates[U].Address);
  while (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(First)) {
    if (Recurrence->getLoop() != &L)
      break;
    First = Recurrence->getStart();
  }
  return isComputable(First, L, Expander) ? First : nullptr;
}

/// Makes one update in front of \p L of those of \p Group for which that is
/// possible. \returns the others.
LoopUpdates::Members LoopUpdates::hoist(Loop &L, ArrayRef<Member> Group,
                                        Value *Base) {
  Members Rest(Group);
  // How often a loop iterates may take long to find out.
  if (none_of(Group, [&](Member U) { return happensEachTime(L, U); }))
    return Rest;
  Type *CountTy = Type::getInt64Ty(F.getContext());
  Instruction *InsertPt = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(Evolution, "memprof");
  const SCEV *Taken = Evolution.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      Evolution.getTypeSizeInBits(Taken->getType()) > 64 ||
      !isComputable(Taken, L, Expander) ||
      Expander.isHighCostExpansion(Taken, &L, SCEVCheapExpansionBudget, &Target,
                                   InsertPt))
    return Rest;
  const SCEV *Iterations = Evolution.getAddExpr(
      Evolution.getNoopOrZeroExtend(Taken, CountTy), Evolution.getOne(CountTy));

  const SCEV *Sum = Evolution.getZero(CountTy), *Address = nullptr;
  erase_if(Rest, [&](Member U) {
    CounterUpdate &Update = Updates[U];
    if (!happensEachTime(L, U))
      return false;
    const SCEV *Times = Update.Times ? Evolution.getSCEV(Update.Times)
                                     : Evolution.getOne(CountTy);
    const SCEV *First = firstAddress(L, U, Expander);
    if (!First || !isComputable(Times, L, Expander))
      return false;
    if (!Address)
      Address = First;
    Sum = Evolution.getAddExpr(
        Sum, Evolution.getMulExpr(
                 Times, Evolution.getConstant(CountTy, Update.Accesses)));
    Update.Accesses = 0;
    left(U, &PlanStatistics::Hoisted);
    return true;
  });
  if (!Address)
    return Rest;
  Sum = Evolution.getMulExpr(Sum, Iterations);
  CounterUpdate InFront{
      InsertPt, Expander.expandCodeFor(Address, Base->getType(), InsertPt)};
  InFront.Base = Base;
  if (const auto *Constant = dyn_cast<SCEVConstant>(Sum))
    InFront.Accesses = Constant->getAPInt().getZExtValue();
  else
    InFront.Times = Expander.expandCodeFor(Sum, CountTy, InsertPt);
  // Sums that are zero are those of loops that never end.
  if (InFront.Accesses != 0)
    add(InFront);
  return Rest;
}

void LoopUpdates::add(const CounterUpdate &Update) {
  if (const Loop *L = Loops.getLoopFor(Update.Before->getParent()))
    OfLoop[L].push_back(Updates.size());
  Updates.push_back(Update);
}

AllocaInst *LoopUpdates::addRegister(Type *Ty, StringRef Name) {
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Register = Entry.CreateAlloca(Ty, nullptr, Name);
  Plan.Registers.push_back(Register);
  return Register;
}

/// The address that all of \p Group have in all iterations of \p L: what any of
/// them is counted at, if it happens. None if there is none.
Value *LoopUpdates::commonAddress(const Loop &L, ArrayRef<Member> Group) const {
  Value *Address = Updates[Group.front()].Address;
  return L.isLoopInvariant(Address) &&
                 all_of(Group,
                        [&](Member U) {
                          return Updates[U].Address == Address &&
                                 !Updates[U].MayBeNowhere;
                        })
             ? Address
             : nullptr;
}

void LoopUpdates::countInRegister(Loop &L, ArrayRef<Member> Group, Value *Base,
                                  ArrayRef<Instruction *> Barriers) {
  Type *CountTy = Type::getInt64Ty(F.getContext());
  Instruction *InsertPt = L.getLoopPreheader()->getTerminator();
  AllocaInst *Count = addRegister(CountTy, "memprof.count");
  IRBuilder<> InFront(InsertPt);
  InFront.CreateStore(ConstantInt::get(CountTy, 0), Count);

  // The address: that of the first iteration, or one that all have, or the
  // last. In a loop in which the object may end, none must be kept for longer
  // than there is a count.
  Value *Address = nullptr, *Common = nullptr;
  AllocaInst *Last = nullptr;
  SCEVExpander Expander(Evolution, "memprof");
  for (Member U : Group)
    if (Barriers.empty() && !Address && happensEachTime(L, U) &&
        !Updates[U].MayBeNowhere)
      if (const SCEV *First = firstAddress(L, U, Expander))
        Address = Expander.expandCodeFor(First, Base->getType(), InsertPt);
  if (!Address)
    Common = commonAddress(L, Group);
  if (!Address && !Common) {
    Last = addRegister(Base->getType(), "memprof.last");
    InFront.CreateStore(NoObject.address(), Last);
  }

  for (Member U : Group) {
    CounterUpdate &Update = Updates[U];
    IRBuilder<> Builder(Update.Before);
    Value *Added = ConstantInt::get(CountTy, Update.Accesses);
    if (Update.Times)
      Added = Update.Accesses == 1 ? Update.Times
                                   : Builder.CreateMul(Added, Update.Times);
    Builder.CreateStore(
        Builder.CreateAdd(Builder.CreateLoad(CountTy, Count), Added), Count);
    Update.Accesses = 0;
    if (!Last)
      continue;
    Value *Known = Update.Address;
    // An inner loop that accessed nothing must not make this one forget.
    if (Update.MayBeNowhere)
      Known = Builder.CreateSelect(Builder.CreateIsNull(Update.Times),
                                   Builder.CreateLoad(Base->getType(), Last),
                                   Update.Address);
    Builder.CreateStore(Known, Last);
  }

  auto Empty = [&](Instruction *Before) {
    IRBuilder<> Builder(Before);
    CounterUpdate Left{Before, Address};
    Left.Times = Builder.CreateLoad(CountTy, Count);
    if (Last)
      Left.Address = Builder.CreateLoad(Base->getType(), Last);
    else if (Common)
      Left.Address = Builder.CreateSelect(Builder.CreateIsNull(Left.Times),
                                          NoObject.address(), Common);
    Left.Base = Base;
    Left.MayBeNowhere = !Address;
    add(Left);
  };
  for (Instruction *Barrier : Barriers) {
    Empty(Barrier);
    IRBuilder<> Builder(Barrier);
    Builder.CreateStore(ConstantInt::get(CountTy, 0), Count);
    if (Last)
      Builder.CreateStore(NoObject.address(), Last);
  }
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits) {
    // Nothing is left where a call has thrown.
    bool IsEmpty = all_of(predecessors(Exit), [&](const BasicBlock *Block) {
      return is_contained(Barriers, Block->getTerminator());
    });
    if (!IsEmpty)
      Empty(&*Exit->getFirstInsertionPt());
  }
}
