//===- unit/Support/GroupedArrayTest.cpp ----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/GroupedArray.h"
#include "thermocline/Support/Ids.h"
#include "gtest/gtest.h"
#include <random>

using namespace thermocline;

namespace {

using RowId = Id<struct RowTag, uint32_t>;

template <typename Group> using Pairs = std::vector<std::pair<Group, int>>;

template <typename Group>
GroupedArray<Group, int> sorted(size_t NumGroups, const Pairs<Group> &All) {
  return GroupedArray<Group, int>(NumGroups, [&](auto Add) {
    for (auto [G, Each] : All)
      Add(G, Each);
  });
}

} // namespace

TEST(GroupedArray, HasNoGroupsAtFirst) {
  GroupedArray<uint32_t, int> Table;
  EXPECT_EQ(Table.numGroups(), 0U);
  EXPECT_EQ(Table.numItems(), 0U);
}

TEST(GroupedArray, GroupsOneAfterTheOther) {
  GroupedArray<RowId, int> Table;
  Table.add(7);
  Table.append(std::vector<int>{8, 9});
  Table.endGroup();
  Table.endGroup();
  Table.add(10);
  Table.endGroup();
  EXPECT_EQ(Table.numGroups(), 3U);
  EXPECT_EQ(Table.numItems(), 4U);
  EXPECT_EQ(Table[RowId(0)].vec(), (std::vector{7, 8, 9}));
  EXPECT_TRUE(Table[RowId(1)].empty());
  EXPECT_EQ(Table[RowId(2)].vec(), (std::vector{10}));
}

TEST(GroupedArray, SortsIntoGroupsAndKeepsTheOrderInEach) {
  auto Table = sorted<RowId>(
      4, {{RowId(3), 5}, {RowId(1), 9}, {RowId(3), 4}, {RowId(1), 9}});
  EXPECT_EQ(Table.numGroups(), 4U);
  EXPECT_TRUE(Table[RowId(0)].empty());
  EXPECT_EQ(Table[RowId(1)].vec(), (std::vector{9, 9}));
  EXPECT_TRUE(Table[RowId(2)].empty());
  EXPECT_EQ(Table[RowId(3)].vec(), (std::vector{5, 4}));
}

TEST(GroupedArray, SortsNothingIntoAnyNumberOfGroups) {
  EXPECT_EQ(sorted<uint32_t>(0, {}).numGroups(), 0U);
  auto Table = sorted<uint32_t>(2, {});
  EXPECT_EQ(Table.numGroups(), 2U);
  EXPECT_TRUE(Table[0].empty());
  EXPECT_TRUE(Table[1].empty());
}

TEST(GroupedArray, ItemsMayBeChanged) {
  auto Table = sorted<uint32_t>(2, {{1, 3}, {1, 2}, {0, 1}});
  llvm::sort(Table[1]);
  EXPECT_EQ(Table[0].vec(), (std::vector{1}));
  EXPECT_EQ(Table[1].vec(), (std::vector{2, 3}));
}

TEST(GroupedArray, IsAVectorOfVectors) {
  std::mt19937 Engine(1);
  for (unsigned NumGroups = 1; NumGroups != 20; ++NumGroups) {
    Pairs<uint32_t> All;
    std::vector<std::vector<int>> Expected(NumGroups);
    for (unsigned I = Engine() % 50; I-- != 0;) {
      All.push_back({Engine() % NumGroups, int(Engine() % 100)});
      Expected[All.back().first].push_back(All.back().second);
    }
    const auto Table = sorted(NumGroups, All);
    GroupedArray<uint32_t, int> Built;
    Built.reserve(NumGroups, All.size());
    for (const auto &Mine : Expected) {
      Built.append(Mine);
      Built.endGroup();
    }
    ASSERT_EQ(Table.numGroups(), NumGroups);
    ASSERT_EQ(Built.numGroups(), NumGroups);
    for (uint32_t G = 0; G != NumGroups; ++G) {
      EXPECT_EQ(Table[G].vec(), Expected[G]);
      EXPECT_EQ(Built[G].vec(), Expected[G]);
    }
  }
}
