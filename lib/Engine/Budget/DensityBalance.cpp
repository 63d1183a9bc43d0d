//===- Engine/Budget/DensityBalance.cpp - Corners without a cut -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DensityBalance.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace llvm;
using namespace thermocline::context;

DensityBalance::DensityBalance(ArrayRef<uint64_t> Costs,
                               ArrayRef<uint64_t> Benefits,
                               const GroupedArray<uint32_t, uint32_t> &ItemsOf)
    : Costs(Costs), Benefits(Benefits), Received(Costs.size()) {
  SharesOf.reserve(ItemsOf.numGroups(), ItemsOf.numItems());
  for (uint32_t G = 0; G != Benefits.size(); ++G) {
    // All shares are equal to begin with.
    double Given = double(Benefits[G]) / ItemsOf[G].size();
    for (uint32_t I : ItemsOf[G]) {
      SharesOf.add({I, Given});
      Received[I] += Given;
    }
    SharesOf.endGroup();
  }
}

/// Brings the least dense items to one level, as water fills a vessel from the
/// bottom.
void DensityBalance::level(uint32_t Group) {
  MutableArrayRef<Share> Shares = SharesOf[Group];
  if (Shares.size() == 1)
    return;
  Scratch.clear();
  for (uint32_t N = 0; N != Shares.size(); ++N) {
    auto [I, Given] = Shares[N];
    Received[I] = std::max(Received[I] - Given, 0.0);
    Scratch.push_back({Received[I] / Costs[I], N});
  }
  // A group gives to few of its items, so the others need no order. The items
  // from Dry on were taken, the least dense first.
  const auto Begin = Scratch.begin(), End = Scratch.end();
  auto Dry = End;
  std::make_heap(Begin, End, std::greater<>());
  double Cost = 0, Filled = Benefits[Group], Level = 0;
  while (Dry != Begin && (Dry == End || Level > Begin->first)) {
    std::pop_heap(Begin, Dry, std::greater<>());
    --Dry;
    uint32_t I = Shares[Dry->second].Item;
    Cost += Costs[I];
    Filled += Received[I];
    Level = Filled / Cost;
  }
  for (auto It = Begin; It != Dry; ++It)
    Shares[It->second].Given = 0;
  for (auto It = Dry; It != End; ++It) {
    auto &[I, Given] = Shares[It->second];
    Given = std::max(Level * Costs[I] - Received[I], 0.0);
    Received[I] += Given;
  }
}

void DensityBalance::run(unsigned Rounds) {
  for (unsigned Round = 0; Round != Rounds; ++Round)
    for (uint32_t G = 0; G != Benefits.size(); ++G)
      level(G);
  Order.resize(Costs.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    double X = Received[A] / Costs[A], Y = Received[B] / Costs[B];
    return X != Y ? X > Y : A < B;
  });
}

std::vector<uint32_t> DensityBalance::corners() const {
  std::vector<uint32_t> Rank(Order.size());
  for (uint32_t R = 0; R != Order.size(); ++R)
    Rank[Order[R]] = R;
  // A group spoils each end between the first item that it gives to and the
  // last that it needs. Each entry counts the groups that begin to spoil at
  // that end, less those that cease.
  std::vector<int64_t> Spoilt(Order.size() + 2);
  for (uint32_t G = 0; G != Benefits.size(); ++G) {
    uint32_t FirstGiven = Order.size(), LastNeeded = 0;
    for (auto [I, Given] : SharesOf[G]) {
      LastNeeded = std::max(LastNeeded, Rank[I]);
      if (Given > 0)
        FirstGiven = std::min(FirstGiven, Rank[I]);
    }
    if (FirstGiven < LastNeeded) {
      ++Spoilt[FirstGiven + 1];
      --Spoilt[LastNeeded + 1];
    }
  }
  std::vector<uint32_t> Result;
  int64_t Spoiling = 0;
  for (uint32_t End = 0; End <= Order.size(); ++End) {
    Spoiling += Spoilt[End];
    if (Spoiling == 0)
      Result.push_back(End);
  }
  return Result;
}
