//===- Engine/Budget/DensityBalance.cpp - Corners without a cut -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DensityBalance.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

DensityBalance::DensityBalance(ArrayRef<uint64_t> Costs,
                               ArrayRef<uint64_t> Benefits,
                               const GroupedArray<uint32_t, uint32_t> &ItemsOf)
    : Costs(Costs), Benefits(Benefits), Between(Costs.size()),
      Ranks(Costs.size()) {
  for (uint64_t Cost : Costs)
    Items.push_back({.InverseCost = 1.0 / Cost});
  SharesOf.reserve(ItemsOf.numGroups(), ItemsOf.numItems());
  for (uint32_t G = 0; G != Benefits.size(); ++G) {
    // All shares are equal to begin with.
    float Given = double(Benefits[G]) / ItemsOf[G].size();
    for (uint32_t I : ItemsOf[G]) {
      SharesOf.add({I, Given});
      Items[I].Received += Given;
    }
    SharesOf.endGroup();
  }
  std::iota(Between.begin(), Between.end(), 0);
}

/// Brings the least dense items to one level, as water fills a vessel from the
/// bottom.
void DensityBalance::level(uint32_t Group) {
  MutableArrayRef<Share> Shares = SharesOf[Group];
  if (Shares.size() == 1)
    return;
  // The level is no higher than if all were given to one item.
  double Highest = std::numeric_limits<double>::infinity();
  const double Benefit = Benefits[Group];
  const Share *Lowest = nullptr;
  for (Share &S : Shares) {
    Item &I = Items[S.Item];
    I.Received = std::max(I.Received - S.Given, 0.0);
    S.Given = 0;
    double Alone = (I.Received + Benefit) * I.InverseCost;
    if (Alone < Highest) {
      Highest = Alone;
      Lowest = &S;
    }
  }
  Scratch.clear();
  double Cost = 0, Filled = Benefit;
  for (Share &S : Shares) {
    const Item &I = Items[S.Item];
    if (I.density() >= Highest && &S != Lowest)
      continue;
    Scratch.push_back(&S);
    Cost += Costs[S.Item];
    Filled += I.Received;
  }
  // Without an item that is above the level, the level of the others is lower.
  double Level = Filled / Cost;
  for (size_t Before = 0; Before != Scratch.size();) {
    Before = Scratch.size();
    llvm::erase_if(Scratch, [&](const Share *S) {
      const Item &I = Items[S->Item];
      if (I.density() < Level || S == Lowest)
        return false;
      Cost -= Costs[S->Item];
      Filled -= I.Received;
      return true;
    });
    Level = Filled / Cost;
  }
  for (Share *S : Scratch) {
    Item &I = Items[S->Item];
    S->Given = std::max(Level * Costs[S->Item] - I.Received, 0.0);
    I.Received += S->Given;
  }
}

void DensityBalance::sort() {
  llvm::sort(Between, [&](uint32_t A, uint32_t B) {
    double X = Items[A].density(), Y = Items[B].density();
    return X != Y ? X > Y : A < B;
  });
  for (uint32_t R = 0; R != Between.size(); ++R)
    Ranks[Between[R]] = R;
}

/// \returns, in rising order, how many of the first items are above a corner.
std::vector<uint32_t> DensityBalance::corners() {
  // A group spoils each end between the first item that it gives to and the
  // last that it needs. Each entry counts the groups that begin to spoil at
  // that end, less those that cease.
  std::vector<int64_t> Spoilt(Between.size() + 2);
  for (uint32_t G = 0; G != Benefits.size(); ++G) {
    uint32_t FirstGiven = Between.size(), LastNeeded = 0;
    for (auto [I, Given] : SharesOf[G]) {
      LastNeeded = std::max(LastNeeded, Ranks[I]);
      if (Given > 0)
        FirstGiven = std::min(FirstGiven, Ranks[I]);
    }
    if (FirstGiven < LastNeeded) {
      ++Spoilt[FirstGiven + 1];
      --Spoilt[LastNeeded + 1];
    }
  }
  std::vector<uint32_t> Result;
  int64_t Spoiling = 0;
  for (uint32_t End = 0; End <= Between.size(); ++End) {
    Spoiling += Spoilt[End];
    if (Spoiling == 0)
      Result.push_back(End);
  }
  return Result;
}

/// Leaves only the items from \p Below to \p Above, which are corners, and the
/// groups that divide their benefit among those.
void DensityBalance::narrow(uint32_t Below, uint32_t Above) {
  for (uint32_t R = 0; R != Between.size(); ++R)
    if (R < Below)
      Within.push_back(Between[R]);
  std::vector<uint64_t> BenefitsLeft;
  GroupedArray<uint32_t, Share> SharesLeft;
  for (uint32_t G = 0; G != Benefits.size(); ++G) {
    ArrayRef<Share> Shares = SharesOf[G];
    uint32_t LastNeeded = 0;
    for (const Share &S : Shares)
      LastNeeded = std::max(LastNeeded, Ranks[S.Item]);
    if (LastNeeded < Below || LastNeeded >= Above)
      continue;
    for (const Share &S : Shares)
      if (Ranks[S.Item] >= Below)
        SharesLeft.add(S);
    SharesLeft.endGroup();
    BenefitsLeft.push_back(Benefits[G]);
  }
  Benefits = std::move(BenefitsLeft);
  SharesOf = std::move(SharesLeft);
  Between.resize(Above);
  Between.erase(Between.begin(), Between.begin() + Below);
}

void DensityBalance::enclose(uint64_t Budget, unsigned Rounds) {
  // To look for corners costs as much as a round.
  constexpr unsigned RoundsBetween = 2;
  for (unsigned Round = 0; Round < Rounds && !Benefits.empty();
       Round += RoundsBetween) {
    for (unsigned I = 0; I != RoundsBetween; ++I)
      for (uint32_t G = 0; G != Benefits.size(); ++G)
        level(G);
    sort();
    uint32_t Below = 0, Above = Between.size(), Counted = 0;
    uint64_t Cost = 0, CostBelow = 0;
    for (uint32_t Corner : corners()) {
      for (; Counted != Corner; ++Counted)
        Cost += Costs[Between[Counted]];
      if (Cost > Budget) {
        Above = Corner;
        break;
      }
      Below = Corner;
      CostBelow = Cost;
    }
    if (Below == 0 && Above == Between.size())
      continue;
    Budget -= CostBelow;
    narrow(Below, Above);
  }
}
