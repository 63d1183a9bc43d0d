//===- Instrument/UpdateSinking.cpp - Updates into later ones -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UpdateSinking.h"
#include "Barriers.h"
#include "Bases.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>
#include <utility>

using namespace llvm;
using namespace thermocline::instrument;

UpdateSinking::UpdateSinking(Function &F, const DominatorTree &Dominators,
                             const LoopInfo &Loops,
                             SmallVectorImpl<CounterUpdate> &Updates,
                             UpdatePlan &Plan)
    : F(F), Dominators(Dominators), Updates(Updates), Plan(Plan),
      Probabilities(F, Loops), Frequencies(F, Probabilities, Loops) {}

void UpdateSinking::run() {
  collect();
  // The most frequent first, as what absorbs once absorbs again for less.
  SmallVector<Member, 16> Order;
  for (Member U = 0; U != Updates.size(); ++U)
    if (Updates[U].Accesses != 0)
      Order.push_back(U);
  auto FrequencyOf = [&](Member U) {
    return Frequencies.getBlockFreq(Updates[U].Before->getParent());
  };
  sort(Order, [&](Member A, Member B) {
    return FrequencyOf(A) != FrequencyOf(B) ? FrequencyOf(A) > FrequencyOf(B)
                                            : A < B;
  });
  for (Member U : Order)
    if (Decided != MostSinks)
      decide(U);
  apply();
}

/// Finds the updates and barriers of each block.
void UpdateSinking::collect() {
  Sinks.resize(Updates.size());
  DenseMap<const Instruction *, SmallVector<Member, 2>> UpdatesAt;
  for (Member U = 0; U != Updates.size(); ++U)
    if (Updates[U].Accesses != 0)
      UpdatesAt[Updates[U].Before].push_back(U);
  for (const BasicBlock &Block : F) {
    auto &Items = ItemsOf[&Block];
    for (const Instruction &I : Block) {
      if (auto Found = UpdatesAt.find(&I); Found != UpdatesAt.end())
        for (Member U : Found->second) {
          Sinks[U].Place = Items.size();
          Items.push_back({U});
        }
      bool IsEnd = I.isTerminator() && !isa<BranchInst, SwitchInst>(I);
      if (IsEnd || mayNotComeBack(I) || mayEndLife(I))
        Items.push_back({std::nullopt});
    }
  }
}

/// The first of \p Items that is an update of the object \p Known names and can
/// count for another one. \p IsBarred tells whether something stands before it
/// that an update must not cross, or \p U itself, or too many to look at.
std::optional<UpdateSinking::Member>
UpdateSinking::absorberIn(ArrayRef<Item> Items, const Names &Known, Member U,
                          bool &IsBarred) const {
  for (const Item &It : Items.take_front(size_t(MostItems))) {
    if (!It.Update || *It.Update == U) {
      IsBarred = true;
      return std::nullopt;
    }
    const CounterUpdate &Update = Updates[*It.Update];
    if (!Update.MayBeNowhere && is_contained(Known, baseOf(Update)))
      return It.Update;
  }
  IsBarred = Items.size() > MostItems;
  return std::nullopt;
}

/// What the object is called behind \p E that is called \p Known in front of
/// it.
UpdateSinking::Names UpdateSinking::namesIn(const Edge &E,
                                            const Names &Known) const {
  Names Result;
  for (const Value *Name : Known) {
    const auto *Defined = dyn_cast<Instruction>(Name);
    if (!Defined || Defined->getParent() != E.second)
      Result.push_back(Name);
  }
  for (const PHINode &Phi : E.second->phis()) {
    if (!Phi.getType()->isPointerTy())
      continue;
    const Value *Incoming =
        getUnderlyingObject(Phi.getIncomingValueForBlock(E.first), 0);
    if (!mayBeAnyPointer(*Incoming) && is_contained(Known, Incoming) &&
        Result.size() != MostNames)
      Result.push_back(&Phi);
  }
  return Result;
}

/// The blocks behind an update that its count may be carried through.
struct UpdateSinking::Region {
  /// The block of the update.
  BasicBlock *Home;
  /// Blocks that are passed through, with the names at their beginning.
  MapVector<BasicBlock *, Names> Passed = {};
  /// Blocks of which an update absorbs.
  MapVector<BasicBlock *, Member> Absorbing = {};
  /// Edges that are not followed.
  SmallVector<Edge, 8> Cuts = {};
  /// The blocks of Passed from which a way leads to one of Absorbing.
  SmallPtrSet<BasicBlock *, 16> Useful = {};

  bool isCut(const Edge &E) const { return is_contained(Cuts, E); }
  bool isOnTheWay(BasicBlock *Block) const {
    return Absorbing.contains(Block) || Useful.contains(Block);
  }
  void findUseful();
};

/// Finds the blocks and the cuts of the region. \returns false if \p U cannot
/// sink.
bool UpdateSinking::explore(Member U, Region &Behind) const {
  DenseMap<BasicBlock *, Names> NamesOf;
  SmallVector<BasicBlock *, 8> Worklist = {Behind.Home};
  Behind.Passed[Behind.Home] = {baseOf(Updates[U])};
  while (!Worklist.empty()) {
    BasicBlock *Block = Worklist.pop_back_val();
    const Names Known = Behind.Passed.lookup(Block);
    SmallPtrSet<BasicBlock *, 4> Successors;
    for (BasicBlock *Next : successors(Block)) {
      // A switch may have several edges to a block.
      if (!Successors.insert(Next).second)
        return false;
      Edge E(Block, Next);
      Names There = namesIn(E, Known);
      if (auto Before = NamesOf.find(Next); Before != NamesOf.end()) {
        if (Before->second != There)
          Behind.Cuts.push_back(E);
        continue;
      }
      bool IsBarred;
      if (auto Absorber =
              absorberIn(ItemsOf.find(Next)->second, There, U, IsBarred)) {
        NamesOf[Next] = There;
        Behind.Absorbing[Next] = *Absorber;
      } else if (IsBarred || There.empty() ||
                 !Dominators.dominates(Behind.Home, Next) ||
                 Behind.Passed.size() == MostBlocks) {
        Behind.Cuts.push_back(E);
      } else {
        NamesOf[Next] = There;
        Behind.Passed[Next] = There;
        Worklist.push_back(Next);
      }
    }
  }
  return true;
}

/// It is of no use to pass through a block from which nothing absorbs.
void UpdateSinking::Region::findUseful() {
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const auto &[Block, Known] : Passed)
      for (BasicBlock *Next : successors(Block))
        if (!isCut({Block, Next}) && isOnTheWay(Next))
          Changed |= Useful.insert(Block).second;
}

/// \returns the ways through the useful blocks of \p Behind.
UpdateSinking::Ways UpdateSinking::waysThrough(const Region &Behind) {
  Ways Result;
  for (const auto &[Block, Known] : Behind.Passed) {
    if (!Behind.Useful.contains(Block))
      continue;
    for (BasicBlock *Next : successors(Block)) {
      Edge E(Block, Next);
      if (Behind.isCut(E) || !Behind.isOnTheWay(Next))
        Result.Cuts.push_back(E);
      else if (auto Found = Behind.Absorbing.find(Next);
               Found != Behind.Absorbing.end() &&
               !is_contained(Result.Absorbers, Found->second))
        Result.Absorbers.push_back(Found->second);
    }
  }
  auto AddOutside = [&](BasicBlock *Block) {
    for (BasicBlock *Before : predecessors(Block))
      if (!Behind.Useful.contains(Before) &&
          !is_contained(Result.Outside, Before))
        Result.Outside.push_back(Before);
  };
  for (const auto &[Block, Known] : Behind.Passed)
    if (Block != Behind.Home && Behind.Useful.contains(Block))
      AddOutside(Block);
  for (const auto &[Block, Absorber] : Behind.Absorbing)
    if (is_contained(Result.Absorbers, Absorber))
      AddOutside(Block);
  return Result;
}

/// \returns the ways from \p U; none if it cannot sink.
std::optional<UpdateSinking::Ways> UpdateSinking::follow(Member U) const {
  BasicBlock *Home = Updates[U].Before->getParent();
  ArrayRef<Item> Rest = ItemsOf.find(Home)->second;
  Rest = Rest.drop_front(Sinks[U].Place + 1);
  bool IsBarred;
  if (auto Absorber = absorberIn(Rest, {baseOf(Updates[U])}, U, IsBarred))
    return Ways{{*Absorber}, {}, {}};
  if (IsBarred)
    return std::nullopt;
  Region Behind{Home};
  if (!explore(U, Behind))
    return std::nullopt;
  Behind.findUseful();
  if (!Behind.Useful.contains(Home))
    return std::nullopt;
  return waysThrough(Behind);
}

/// Whether \p U would count for itself if \p Absorber counted for it, or
/// already counts for so many that it may.
bool UpdateSinking::wouldCycle(Member U, Member Absorber) const {
  SmallVector<Member, 8> Worklist = {U};
  SmallDenseSet<Member> Seen;
  while (!Worklist.empty()) {
    Member Next = Worklist.pop_back_val();
    if (Next == Absorber || Seen.size() == MostAbsorbed)
      return true;
    if (Seen.insert(Next).second)
      append_range(Worklist, Sinks[Next].Absorbs);
  }
  return false;
}

/// Sinks \p U if what it saves is more than what its absorbers then cost.
void UpdateSinking::decide(Member U) {
  const std::optional<Ways> Found = follow(U);
  if (!Found || Found->Cuts.size() > MostCuts)
    return;
  auto FrequencyOf = [&](const BasicBlock *Block) {
    return Frequencies.getBlockFreq(Block).getFrequency();
  };
  const uint64_t Frequency = FrequencyOf(Updates[U].Before->getParent());
  uint64_t Cost = Frequency / 8;
  for (const Edge &E : Found->Cuts)
    Cost += Probabilities.getEdgeProbability(E.first, E.second)
                .scale(FrequencyOf(E.first));
  for (Member Absorber : Found->Absorbers) {
    if (wouldCycle(U, Absorber))
      return;
    // A constant becomes a register.
    const Sink &S = Sinks[Absorber];
    if (S.Absorbs.empty() && !S.IsSunk && !Updates[Absorber].Times)
      Cost += FrequencyOf(Updates[Absorber].Before->getParent()) / 4;
  }
  if (Cost >= Frequency)
    return;
  ++Decided;
  Sinks[U].IsSunk = true;
  Sinks[U].Taken = *Found;
  for (Member Absorber : Found->Absorbers)
    Sinks[Absorber].Absorbs.push_back(U);
}

void UpdateSinking::apply() {
  Type *CountTy = Type::getInt64Ty(F.getContext());
  Instruction *BehindAllocas =
      &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  for (Sink &S : Sinks) {
    if (!S.IsSunk)
      continue;
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
    S.Pending = Entry.CreateAlloca(CountTy, nullptr, "memprof.pending");
    Entry.SetInsertPoint(BehindAllocas);
    Entry.CreateStore(ConstantInt::get(CountTy, 0), S.Pending);
    Plan.Registers.push_back(S.Pending);
  }
  for (Member U = 0; U != Sinks.size(); ++U)
    if (Sinks[U].IsSunk || !Sinks[U].Absorbs.empty())
      addPending(U);
  // It is zero at the end of these blocks anyway, but that cannot be seen from
  // afar. What the block itself absorbs, perhaps at its end, comes before.
  for (const Sink &S : Sinks)
    if (S.IsSunk)
      for (BasicBlock *Block : S.Taken.Outside)
        new StoreInst(ConstantInt::get(CountTy, 0), S.Pending,
                      Block->getTerminator()->getIterator());
  for (Member U = 0; U != Sinks.size(); ++U)
    for (const Edge &E : Sinks[U].Taken.Cuts)
      addCut(U, E);
}

/// Adds to \p U what is pending for it, and makes all of that pending if it has
/// sunk itself.
void UpdateSinking::addPending(Member U) {
  CounterUpdate &Update = Updates[U];
  Type *CountTy = Type::getInt64Ty(F.getContext());
  IRBuilder<> Builder(Update.Before);
  Value *Sum = ConstantInt::get(CountTy, Update.Accesses);
  if (Update.Times)
    Sum = Update.Accesses == 1 ? Update.Times
                               : Builder.CreateMul(Update.Times, Sum);
  for (Member Sunk : Sinks[U].Absorbs) {
    Sum = Builder.CreateAdd(Builder.CreateLoad(CountTy, Sinks[Sunk].Pending),
                            Sum);
    Builder.CreateStore(ConstantInt::get(CountTy, 0), Sinks[Sunk].Pending);
    Plan.Sums.push_back(Sum);
  }
  if (Sinks[U].IsSunk) {
    Builder.CreateStore(Sum, Sinks[U].Pending);
    Update.Accesses = 0;
  } else {
    Update.Times = Sum;
    Update.Accesses = 1;
  }
}

void UpdateSinking::addCut(Member U, const Edge &Where) {
  auto [From, To] = Where;
  Instruction *Before;
  if (BasicBlock *Middle = Split.lookup(Where))
    Before = Middle->getTerminator();
  else if (To->getUniquePredecessor())
    Before = &*To->getFirstInsertionPt();
  else if (From->getUniqueSuccessor())
    Before = From->getTerminator();
  else
    Before = (Split[Where] = SplitCriticalEdge(From, To))->getTerminator();
  IRBuilder<> Builder(Before);
  Type *CountTy = Builder.getInt64Ty();
  CounterUpdate Rest{Before, Updates[U].Address};
  Rest.Times = Builder.CreateLoad(CountTy, Sinks[U].Pending);
  Rest.Base = Updates[U].Base;
  Rest.MayBeNowhere = Updates[U].MayBeNowhere;
  Builder.CreateStore(ConstantInt::get(CountTy, 0), Sinks[U].Pending);
  Updates.push_back(Rest);
}
