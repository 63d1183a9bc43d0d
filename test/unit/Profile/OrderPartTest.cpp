//===- unit/Profile/OrderPartTest.cpp - Order in indexed files ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderPart.h"
#include "ProfileParts.h"
#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Format/TouchPart.h"
#include "thermocline/Support/Part.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

namespace {

LayoutRun run(uint64_t Context, uint32_t Count = 1, uint32_t Pieces = 0) {
  LayoutRun Result;
  Result.State = Pieces ? LayoutState::Touched : LayoutState::Hole;
  Result.Granules = 64;
  Result.Pieces = Pieces;
  Result.FirstBytes = Pieces ? 32 : 64;
  Result.Count = Count;
  Result.Context = Context;
  return Result;
}

const std::vector<BurstLayout> Bursts = {
    {"", {{true, {run(0x1122334455667788), run(9, 3)}}}},
    {"serve", {{false, {run(9, 1, 0x10001)}}, {true, {run(0)}}}},
    {"serve", {{false, {run(10, 2, 1), run(9)}}}},
};
const OrderCountsByPhase Counts = {
    {"", {1, {1, 2, 3}, {4, 5.5, 6}, 12.5, 13}},
    {"serve", {2, {1e9, 7, 8}, {9, 0, 11}, 0, 0}},
};

std::string written() {
  std::string Result = "LLVM's part";
  appendOrder(Result, {Counts, Bursts});
  return Result;
}

/// The error of reading \p Bytes.
std::string errorOf(StringRef Bytes) {
  Expected<OrderData> Read = readOrder(Bytes, /*WithBursts=*/true);
  return Read ? "" : toString(Read.takeError());
}

/// A small part with another word at \p Offset of its payload.
std::string changed(size_t Offset, uint64_t Value) {
  const PartForm Form = {format::OrderPart, format::OrderPartVersion, "",
                         Compress::No};
  std::string Small;
  appendOrder(Small, {{{"", {1, {1, 2, 3}, {4, 5, 6}, 7, 8}}},
                      {{"", {{true, {run(0x1122334455667788)}}}}}});
  std::string Payload = cantFail(readPart(Small, Form))->bytes().str();
  support::endian::write64le(Payload.data() + Offset, Value);
  std::string Result = "LLVM's part";
  appendPart(Result, Form, Payload);
  return Result;
}

TEST(OrderPartTest, ReadsWhatItWrites) {
  Expected<OrderData> Read = readOrder(written(), /*WithBursts=*/true);
  ASSERT_TRUE(!!Read);
  EXPECT_EQ(Read->Counts, Counts);
  EXPECT_EQ(Read->Bursts, Bursts);
  Read = readOrder(written(), /*WithBursts=*/false);
  ASSERT_TRUE(!!Read);
  EXPECT_EQ(Read->Counts, Counts);
  EXPECT_TRUE(Read->Bursts.empty());
}

TEST(OrderPartTest, NeedNotBeThere) {
  Expected<OrderData> Read = readOrder("LLVM's part", /*WithBursts=*/true);
  ASSERT_TRUE(!!Read);
  EXPECT_TRUE(Read->Counts.empty());
}

TEST(OrderPartTest, RefusesDamage) {
  EXPECT_EQ(errorOf(changed(2 * 8, 3)), "");
  const std::string Phases = "part of order: its phases are damaged";
  // Bursts, an infinite number, a name that is too long.
  EXPECT_EQ(errorOf(changed(8, UINT64_MAX)), Phases);
  EXPECT_EQ(errorOf(changed(2 * 8, 0x7FF0000000000000)), Phases);
  EXPECT_EQ(errorOf(changed(8 * 8, 0x7FF8000000000000)), Phases);
  EXPECT_EQ(errorOf(changed(9 * 8, 0xBFF0000000000000)), Phases);
  EXPECT_EQ(errorOf(changed(10 * 8, 1000)), Phases);
  EXPECT_EQ(errorOf(changed(10 * 8, UINT64_MAX)), Phases);
  EXPECT_EQ(errorOf(changed(11 * 8, 1000)),
            "part of order: its contexts are damaged");
  const std::string Filled = "part of order: its bursts do not fill it";
  EXPECT_EQ(errorOf(changed(8, 0)), Filled);
  EXPECT_EQ(errorOf(changed(8, 2)), Filled);
}

TEST(OrderPartTest, KeepsTheSameBurstsInWhateverOrderTheyCome) {
  std::vector<BurstLayout> All;
  for (uint64_t I = 0; I != 100; ++I)
    All.push_back({I % 2 ? "serve" : "", {{true, {run(I)}}}});
  std::vector<BurstLayout> AtOnce = All;
  AtOnce.push_back(All[7]);
  keepSomeBursts(AtOnce);
  EXPECT_EQ(AtOnce.size(), 2 * MostBurstsKept);
  std::vector<BurstLayout> First(All.rbegin(), All.rbegin() + 70);
  keepSomeBursts(First);
  First.insert(First.end(), All.begin(), All.begin() + 40);
  keepSomeBursts(First);
  EXPECT_EQ(First, AtOnce);
}

} // namespace
