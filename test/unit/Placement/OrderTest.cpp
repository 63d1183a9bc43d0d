//===- unit/Placement/OrderTest.cpp - In order or by size class -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Order.h"
#include "gtest/gtest.h"

using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

namespace {

constexpr uint64_t Cold = 99;

LayoutRun idle(unsigned Granules, unsigned Count = 1, uint64_t Context = 1) {
  LayoutRun Result;
  Result.Granules = static_cast<uint8_t>(Granules);
  Result.Count = Count;
  Result.Context = Context;
  return Result;
}

LayoutRun touched(unsigned Granules, uint32_t Pieces = 1,
                  uint8_t FirstBytes = 64) {
  LayoutRun Result = idle(Granules);
  Result.State = LayoutState::Touched;
  Result.Pieces = Pieces;
  Result.FirstBytes = FirstBytes;
  return Result;
}

OrderCounts count(bool IsByClass, std::vector<LayoutRun> Runs) {
  return countLayouts(LayoutStretch{IsByClass, std::move(Runs)},
                      [](uint64_t Context) { return Context == Cold; });
}

LayoutCounts inOrder(std::vector<LayoutRun> Runs) {
  const OrderCounts Result = count(false, std::move(Runs));
  EXPECT_EQ(Result.ByClass, LayoutCounts());
  EXPECT_EQ(Result.Bursts, 1u);
  return Result.InOrder;
}
LayoutCounts byClass(std::vector<LayoutRun> Runs) {
  return count(true, std::move(Runs)).ByClass;
}

/// Fills what is left of some pages.
LayoutRun rest(unsigned Granules) { return idle(1, Granules); }

TEST(OrderTest, CountsPagesAndPairsOnce) {
  // Two in the first pair, one in the next, one on the second page.
  EXPECT_EQ(inOrder({touched(2), touched(4), idle(2), touched(2), rest(246),
                     touched(3), rest(253)}),
            (LayoutCounts{4, 2, 3}));
}

TEST(OrderTest, PutsPiecesWhereTheyLie) {
  // 1008 bytes: the first piece has 32, and the fourth begins at 160.
  EXPECT_EQ(inOrder({touched(63, 0b1001, 32), rest(193)}),
            (LayoutCounts{2, 1, 2}));
  EXPECT_EQ(inOrder({touched(63, 0b11, 32), rest(193)}),
            (LayoutCounts{2, 1, 1}));
}

TEST(OrderTest, CountsPagesThatAreFilledInPartForThatPart) {
  EXPECT_EQ(inOrder({touched(2), idle(62)}), (LayoutCounts{1, 0.25, 1}));
  EXPECT_EQ(inOrder({touched(2), idle(2)}),
            (LayoutCounts{1, 64.0 / 4096, 0.5}));
}

TEST(OrderTest, MovesUpWhatLiesBehindColdObjects) {
  EXPECT_EQ(inOrder({touched(1), idle(64, 20, Cold), touched(1), rest(254)}),
            (LayoutCounts{2, 1, 1}));
  // Other holes stay.
  LayoutRun Hole = idle(64, 20);
  Hole.State = LayoutState::Hole;
  EXPECT_EQ(inOrder({touched(1), Hole, touched(1), rest(254)}),
            (LayoutCounts{2, 2, 2}));
}

TEST(OrderTest, PutsObjectsByClassBesideThoseOfTheirSize) {
  // 16 bytes and 32 bytes lie in a class of the runtime's.
  EXPECT_EQ(byClass({touched(1), touched(2), idle(1, 255), idle(2, 127)}),
            (LayoutCounts{2, 2, 2}));
  // 10 granules take as much as 9, 160 bytes; a page has 25 of these.
  EXPECT_EQ(byClass({touched(9), idle(10, 25), touched(10), idle(10, 229)}),
            (LayoutCounts{2, 2, 2}));
}

OrderCounts counts(double Pages, double Pairs) {
  OrderCounts Result;
  Result.Bursts = 10;
  Result.InOrder = {500, 200 * Pages, 400 * Pairs};
  Result.ByClass = {1000, 400, 800};
  return Result;
}

TEST(OrderTest, ChoosesOrderWhereItTouchesLess) {
  auto Choose = [](double Pages, double Pairs) {
    return chooseOrder({{"", counts(Pages, Pairs)}}, "", true).Choice;
  };
  const double Pages = OrderRule::MostPages, Pairs = OrderRule::MostPairs;
  EXPECT_EQ(Choose(Pages - 0.01, Pairs - 0.01), OrderChoice::Order);
  EXPECT_EQ(Choose(Pages + 0.01, Pairs - 0.01), OrderChoice::Classes);
  EXPECT_EQ(Choose(Pages - 0.01, Pairs + 0.01), OrderChoice::Classes);
}

TEST(OrderTest, ChoosesClassesWhereMuchIsReplaced) {
  OrderCounts C = counts(0.1, 0.1);
  C.TouchedAgain = 1000 * (1 - OrderRule::MostReplaced);
  C.Replacing = 1000 * OrderRule::MostReplaced - 1;
  EXPECT_EQ(chooseOrder({{"", C}}, "", true).Choice, OrderChoice::Order);
  C.TouchedAgain = 60;
  C.Replacing = 20;
  const OrderVerdict V = chooseOrder({{"", C}}, "", true);
  EXPECT_EQ(V.Choice, OrderChoice::Classes);
  EXPECT_EQ(V.Replaced, 0.25);
  EXPECT_EQ(describe(V),
            "by size class, as 25.0 % of the objects that bursts touch replace "
            "others (good are 5.0 % at most); order touches 0.10 of the pages "
            "and 0.10 of the pairs of lines that size classes do");
}

/// Objects of one context by bins of a phase, of which \p Live are alive, \p
/// Touched are touched in bursts, and \p Born are born in each window and \p
/// BornInBurst in its burst.
UnitTouches objects(size_t First, llvm::ArrayRef<uint64_t> Live,
                    uint64_t Touched, uint64_t Born, uint64_t BornInBurst) {
  UnitTouches Result;
  Result.First = First;
  for (uint64_t L : Live) {
    WindowTouches &W = Result.Windows.emplace_back();
    W.Live = L;
    W.Touched = W.TouchedInBurst = Touched;
    W.Born = Born;
    W.BornInBurst = BornInBurst;
  }
  return Result;
}

/// What is replaced, and what is older and touched, of two contexts of which
/// the second is cold, in the second of two phases with as many windows as
/// bins.
OrderCounts replacement(UnitTouches Objects) {
  GridTouches Touches;
  Touches.Grid.Phases = {{"load", 1, BinsPerPhase, 1, BinsPerPhase, 1},
                         {"serve", 1, BinsPerPhase, 1, BinsPerPhase, 1}};
  Touches.Contexts.resize(2);
  Touches.Contexts[0].Objects = std::move(Objects);
  Touches.Contexts[1].Objects =
      objects(0, std::vector<uint64_t>(2 * BinsPerPhase, 100), 50, 40, 30);
  OrderCountsByPhase Result = {{"serve", {}}};
  countReplacement(Touches, [](size_t I) { return I == 1; }, Result);
  return Result["serve"];
}

TEST(OrderTest, CountsWhatReplacesOthers) {
  constexpr double Bins = BinsPerPhase;
  const std::vector<uint64_t> Same(2 * BinsPerPhase, 100);
  OrderCounts C = replacement(objects(0, Same, 30, 20, 10));
  // What was born in the first window may have been in place of nothing.
  EXPECT_DOUBLE_EQ(C.Replacing, Bins * 10 * (Bins - 1) / Bins);
  EXPECT_DOUBLE_EQ(C.TouchedAgain, Bins * 20);
  // Nothing is left at the end.
  std::vector<uint64_t> Gone(BinsPerPhase - 1, 100);
  C = replacement(objects(BinsPerPhase, Gone, 30, 20, 10));
  EXPECT_DOUBLE_EQ(C.Replacing, (Bins - 1) * 10);
  EXPECT_DOUBLE_EQ(C.TouchedAgain, (Bins - 1) * 20);
  // None are born.
  C = replacement(objects(BinsPerPhase, Gone, 30, 0, 0));
  EXPECT_EQ(C.Replacing, 0);
  EXPECT_DOUBLE_EQ(C.TouchedAgain, (Bins - 1) * 30);
}

TEST(OrderTest, WhatGrowsReplacesNothing) {
  std::vector<uint64_t> Growing;
  for (uint64_t I = 1; I <= BinsPerPhase; ++I)
    Growing.push_back(20 * I);
  OrderCounts C = replacement(objects(BinsPerPhase, Growing, 30, 20, 10));
  EXPECT_EQ(C.Replacing, 0);
  EXPECT_DOUBLE_EQ(C.TouchedAgain, BinsPerPhase * 20.0);
  // Half of what is born stays.
  C = replacement(objects(BinsPerPhase, Growing, 60, 40, 10));
  EXPECT_NEAR(C.Replacing, BinsPerPhase * 5.0, 10);
}

TEST(OrderTest, NeedsHints) {
  const OrderVerdict V = chooseOrder({{"", counts(0.1, 0.1)}}, "", false);
  EXPECT_EQ(V.Choice, OrderChoice::Classes);
  EXPECT_EQ(describe(V),
            "by size class, as nothing is cold; order touches 0.10 of the "
            "pages and 0.10 of the pairs of lines that size classes do");
}

TEST(OrderTest, LooksAtThePhaseThatCounts) {
  const OrderCountsByPhase All = {{"load", counts(2, 2)},
                                  {"serve", counts(0.25, 0.5)}};
  const OrderVerdict V = chooseOrder(All, "serve", true);
  EXPECT_EQ(V.Choice, OrderChoice::Order);
  EXPECT_EQ(describe(V), "in order, as order touches 0.25 of the pages and "
                         "0.50 of the pairs of lines that size classes do");
  EXPECT_EQ(chooseOrder(All, "", true).Choice, OrderChoice::Classes);
  EXPECT_EQ(chooseOrder(All, "other", true).Choice, OrderChoice::CannotTell);
}

TEST(OrderTest, CannotTellByFewTouches) {
  OrderCounts Few = counts(0.1, 0.1);
  Few.InOrder.Touches = OrderRule::LeastTouches - 1;
  EXPECT_EQ(chooseOrder({{"", Few}}, "", true).Choice, OrderChoice::CannotTell);
  Few = counts(0.1, 0.1);
  Few.Bursts = OrderRule::LeastBursts - 1;
  EXPECT_EQ(chooseOrder({{"", Few}}, "", true).Choice, OrderChoice::CannotTell);
}

} // namespace
