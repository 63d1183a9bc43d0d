//===- unit/Runtime/Heap/WatchedNeighborsTest.cpp - Where they would lie --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/WatchedNeighbors.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>
#include <vector>

using namespace thermocline::runtime;

namespace {

constexpr unsigned Window = 2;

struct Object {
  uintptr_t Place;
  size_t Size;
  bool IsTouched;
  bool IsCold = false;
};

/// The part of \p Objects that are far, which are found in any order.
double far(std::vector<Object> Objects) {
  std::shuffle(Objects.begin(), Objects.end(), std::mt19937(3));
  TouchTable Table = {};
  TouchRegions Regions;
  WatchedNeighbors Neighbors;
  for (const Object &O : Objects)
    Neighbors.add(Table, {O.IsTouched, O.IsTouched}, /*Weight=*/10,
                  {O.Place, O.IsCold}, O.Size);
  Neighbors.end(Regions, Window, /*HasBurst=*/true);
  EXPECT_EQ(Table.Far[Window], Table.FarInBurst[Window]);
  const double Result =
      Table.Far[Window] / (10.0 * static_cast<double>(Objects.size()));
  // None of them is seen in the next scan.
  Table = {};
  Neighbors.end(Regions, Window, /*HasBurst=*/true);
  EXPECT_EQ(Table.Far[Window], 0u);
  return Result;
}

} // namespace

TEST(WatchedNeighborsTest, StretchesAreThoseOfAddresses) {
  std::vector<Object> Apart, Mixed;
  for (uintptr_t I = 0; I != 400; ++I) {
    Apart.push_back({0x10000 + I * 4800, 48, I < 200});
    Mixed.push_back({0x10000 + I * 4800, 48, I % 2 == 0});
  }
  EXPECT_NEAR(far(Apart), 0.5, 0.02);
  EXPECT_EQ(far(Mixed), 0);
}

TEST(WatchedNeighborsTest, SizeClassesShareNoPages) {
  // The touched ones are of another size, so that nothing is known of the idle.
  std::vector<Object> Objects;
  for (uintptr_t I = 0; I != 400; ++I)
    Objects.push_back({0x10000 + I * 4800, I < 200 ? 48u : 480u, I < 200});
  EXPECT_EQ(far(Objects), 0);
}

TEST(WatchedNeighborsTest, WhatIsColdIsNotFarFromWhatIsHot) {
  std::vector<Object> Objects;
  for (uintptr_t I = 0; I != 400; ++I)
    Objects.push_back({0x10000 + I * 4800, 48, I < 200, I >= 200});
  EXPECT_EQ(far(Objects), 0);
}

TEST(WatchedNeighborsTest, AsManyAreSeenAsThereArePages) {
  std::vector<Object> Objects(WatchedSample::MaxPages + 5, {0x10000, 48, true});
  EXPECT_EQ(far(Objects), 0);
}
