//===- unit/Runtime/Measure/LayoutRecordTest.cpp - Stretches encoded ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/LayoutRecord.h"
#include "gtest/gtest.h"
#include <memory>
#include <string>

using namespace thermocline;
using namespace thermocline::runtime;

namespace {

constexpr LayoutRecord::Run Idle{format::LayoutIdle, 3, 5, 0};
constexpr LayoutRecord::Run Touched{format::LayoutTouched, 8, 200, 7};
constexpr LayoutRecord::Run Hole{format::LayoutHole, 64, 5, 0};

struct LayoutRecordTest : testing::Test {
  std::string bytes() const { return {Record->data(), Record->size()}; }

  std::unique_ptr<LayoutRecord> Record = std::make_unique<LayoutRecord>();
};

TEST_F(LayoutRecordTest, EncodesRunsOfEqualObjects) {
  Record->begin();
  for (const LayoutRecord::Run &R : {Idle, Idle, Idle, Touched, Hole, Hole})
    Record->add(R);
  EXPECT_TRUE(Record->end(/*IsByClass=*/true));
  EXPECT_EQ(Record->numStretches(), 1u);
  // Three runs, as a number of two bytes; 2 * 8 + 1, the context, one more than
  // two; 7 * 8 + 2, the context, pieces; 63 * 8 + 5, the context, none more.
  EXPECT_EQ(bytes(), std::string("\x87\x00\x11\x05\x01\x3A\xC8\x01\x07"
                                 "\xFD\x03\x05\x00",
                                 13));
}

TEST_F(LayoutRecordTest, LeavesOutStretchesWithoutObjects) {
  Record->begin();
  EXPECT_TRUE(Record->end(false));
  EXPECT_EQ(Record->numStretches(), 0u);
  EXPECT_EQ(Record->size(), 0u);
}

TEST_F(LayoutRecordTest, LeavesOutWhatItHasNoRoomFor) {
  unsigned Stretches = 0;
  size_t Size = 0;
  for (;; ++Stretches) {
    Size = Record->size();
    Record->begin();
    for (uint64_t I = 0; I != 1000; ++I)
      Record->add({format::LayoutTouched, 1, 1000000 + I, 2});
    if (!Record->end(false))
      break;
  }
  EXPECT_GT(Stretches, 5u);
  EXPECT_EQ(Record->numStretches(), Stretches);
  EXPECT_EQ(Record->size(), Size);
  EXPECT_LE(Size, LayoutRecord::MostBytes);
}

TEST_F(LayoutRecordTest, TakesWhatAnotherHas) {
  Record->begin();
  Record->add(Touched);
  Record->end(false);
  auto Other = std::make_unique<LayoutRecord>();
  Other->take(*Record);
  EXPECT_EQ(std::string(Other->data(), Other->size()), bytes());
  EXPECT_EQ(Other->numStretches(), 1u);
  Record->clear();
  EXPECT_EQ(Record->numStretches(), 0u);
  EXPECT_EQ(Record->size(), 0u);
}

} // namespace
