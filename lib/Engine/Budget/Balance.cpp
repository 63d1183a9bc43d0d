//===- Engine/Budget/Balance.cpp - Corners of the frontier, without a cut -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Balance.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace llvm;
using namespace thermocline::context;

Balance::Balance(std::vector<uint64_t> Costs)
    : Costs(std::move(Costs)), Received(this->Costs.size()) {}

void Balance::addGroup(uint64_t Worth, ArrayRef<uint32_t> Items) {
  Worths.push_back(Worth);
  Needs.insert(Needs.end(), Items.begin(), Items.end());
  First.push_back(Needs.size());
  // Equal shares to begin with.
  double Share = double(Worth) / Items.size();
  for (uint32_t I : Items) {
    Given.push_back(Share);
    Received[I] += Share;
  }
}

/// Gives from the bottom: the least dense items are brought to one level, as
/// water finds it.
void Balance::level(size_t Group) {
  if (First[Group + 1] - First[Group] == 1)
    return;
  Scratch.clear();
  for (uint32_t N = First[Group]; N != First[Group + 1]; ++N) {
    uint32_t I = Needs[N];
    Received[I] = std::max(Received[I] - Given[N], 0.0);
    Scratch.push_back({Received[I] / Costs[I], N});
  }
  // A group fills few of its items, so that the others need no order: those
  // from Dry on were taken, the least dense first.
  const auto Begin = Scratch.begin(), End = Scratch.end();
  auto Dry = End;
  std::make_heap(Begin, End, std::greater<>());
  double Cost = 0, Filled = Worths[Group], Level = 0;
  while (Dry != Begin && (Dry == End || Level > Begin->first)) {
    std::pop_heap(Begin, Dry, std::greater<>());
    --Dry;
    uint32_t I = Needs[Dry->second];
    Cost += Costs[I];
    Filled += Received[I];
    Level = Filled / Cost;
  }
  for (auto It = Begin; It != Dry; ++It)
    Given[It->second] = 0;
  for (auto It = Dry; It != End; ++It) {
    uint32_t N = It->second, I = Needs[N];
    Given[N] = std::max(Level * Costs[I] - Received[I], 0.0);
    Received[I] += Given[N];
  }
}

void Balance::run(unsigned Rounds) {
  for (unsigned Round = 0; Round != Rounds; ++Round)
    for (size_t G = 0; G != Worths.size(); ++G)
      level(G);
  Order.resize(Costs.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    double X = Received[A] / Costs[A], Y = Received[B] / Costs[B];
    return X != Y ? X > Y : A < B;
  });
}

std::vector<uint32_t> Balance::corners() const {
  std::vector<uint32_t> Rank(Order.size());
  for (uint32_t R = 0; R != Order.size(); ++R)
    Rank[Order[R]] = R;
  // A group spoils each end between the first item that it gives to and the
  // last that it needs: by end, how many begin to, less those that cease.
  std::vector<int64_t> Spoilt(Order.size() + 2);
  for (size_t G = 0; G != Worths.size(); ++G) {
    uint32_t FirstGiven = Order.size(), LastNeeded = 0;
    for (uint32_t N = First[G]; N != First[G + 1]; ++N) {
      LastNeeded = std::max(LastNeeded, Rank[Needs[N]]);
      if (Given[N] > 0)
        FirstGiven = std::min(FirstGiven, Rank[Needs[N]]);
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
