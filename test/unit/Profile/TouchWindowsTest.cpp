//===- unit/Profile/TouchWindowsTest.cpp - Touches in few bytes -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchWindows.h"
#include "llvm/ADT/SmallString.h"
#include "gtest/gtest.h"
#include <tuple>

using namespace llvm;
using namespace thermocline::profile;

static std::string encoded(const UnitTouches &Touches) {
  SmallString<64> Result;
  encodeUnitTouches(Touches, Result);
  return Result.str().str();
}

/// What is wrong with \p Bytes, which are of a run of \p NumWindows windows.
static std::string decoded(StringRef Bytes, uint64_t NumWindows,
                           UnitTouches &Result) {
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  std::string What = decodeUnitTouches(Data, Cursor, NumWindows, Result).str();
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return "ends too early";
  }
  return What.empty() && Cursor.tell() != Bytes.size() ? "has more bytes"
                                                       : What;
}

/// Nine windows from the third on.
static UnitTouches touches() {
  UnitTouches Result;
  Result.First = 2;
  Result.Granules = 500;
  Result.TouchedGranules = 60;
  Result.Variance = uint64_t(1) << 60;
  Result.Windows = {
      {10, 640, 10, 3, 0, 7}, {10, 640, 10, 3, 0, 7}, {10, 640, 0, 0, 2, 10},
      {0, 0, 0, 0, 0, 0},     {0, 0, 0, 0, 0, 0},     {7, 448, 7, 7, 0, 0},
      {7, 448, 7, 0, 0, 7},   {7, 449, 7, 0, 0, 3},   {7, 449, 7, 0, 0, 3}};
  return Result;
}

TEST(TouchWindowsTest, NothingIsOneByte) {
  UnitTouches Read;
  EXPECT_EQ(encoded(UnitTouches()), StringRef("\0", 1));
  EXPECT_EQ(decoded(StringRef("\0", 1), 0, Read), "");
  EXPECT_TRUE(Read.empty());
}

TEST(TouchWindowsTest, WritesTheFormThatIsDescribed) {
  UnitTouches T;
  T.First = 1;
  T.Granules = 9;
  T.TouchedGranules = 2;
  T.Variance = 261;
  T.Windows = {{3, 90, 2, 1, 1, 2},
               {3, 90, 2, 1, 1, 2},
               {3, 90, 1, 1, 1, 2},
               {2, 60, 0, 0, 0, 1}};
  const char Expected[] = {4, 1, 9, 2, char(0x85), 2,
                           // Six change, and the next one is alike.
                           char(191), 8, 6, char(180), 1, 4, 2, 2, 4,
                           // One less is touched.
                           4, 1,
                           // One less lives, 30 bytes less, none is touched,
                           // and one less is far.
                           63, 1, 59, 1, 1, 1, 1};
  EXPECT_EQ(encoded(T), StringRef(Expected, sizeof(Expected)));
}

TEST(TouchWindowsTest, WritesWhatWasBornBehindWhatIsFar) {
  UnitTouches T;
  T.Windows = {{9, 90, 5, 4, 0, 0, 3, 2, 1, 7},
               {9, 90, 5, 4, 0, 0, 2, 2, 1, 7}};
  const char Expected[] = {2, 0, 0, 0, 0,
                           // All but far ones.
                           char(207), 7, 18, char(180), 1, 10, 8, 6, 4, 2, 14,
                           // One less was born.
                           64, 1};
  EXPECT_EQ(encoded(T), StringRef(Expected, sizeof(Expected)));
}

TEST(TouchWindowsTest, GivesBackWhatWasWritten) {
  UnitTouches Read;
  ASSERT_EQ(decoded(encoded(touches()), 11, Read), "");
  EXPECT_EQ(Read.First, 2u);
  EXPECT_EQ(Read.Granules, 500u);
  EXPECT_EQ(Read.TouchedGranules, 60u);
  EXPECT_EQ(Read.Variance, uint64_t(1) << 60);
  EXPECT_EQ(Read.Windows, touches().Windows);
  UnitTouches Born = touches();
  Born.Windows[0] = {10, 640, 10, 3, 4, 9, 4, 2, 6, 8};
  Born.Windows[8] = {7, 449, 7, 0, 7, 3, 7, 0, 0, 7};
  Read = {};
  ASSERT_EQ(decoded(encoded(Born), 11, Read), "");
  EXPECT_EQ(Read.Windows, Born.Windows);
  UnitTouches Large = touches();
  Large.Windows[4] = {MaxTouchNumber, MaxTouchNumber, 0, 0,
                      MaxTouchNumber, MaxTouchNumber};
  Read = {};
  ASSERT_EQ(decoded(encoded(Large), 11, Read), "");
  EXPECT_EQ(Read.Windows, Large.Windows);
}

TEST(TouchWindowsTest, WhatSamplingLeftOutIsEstimated) {
  auto Estimated = [](uint64_t Live, uint64_t Measured, uint64_t All) {
    UnitTouches T;
    T.Windows = {{Live, 64 * Live, 0, 0}, {Live, 64 * Live, 0, 0}};
    T.noteSampling(Measured, All);
    return T.Estimated;
  };
  EXPECT_EQ(Estimated(50, 7, 7), 0u);
  EXPECT_EQ(Estimated(50, 10, 1000), 99u);
  EXPECT_EQ(Estimated(500, 10, 1000), 990u);
  EXPECT_EQ(Estimated(50, 500, 1000), 50u);
  // Something was seen, or else it would not be known that it lived.
  EXPECT_EQ(Estimated(50, 0, 1000), 99u);
  EXPECT_EQ(Estimated(MaxTouchNumber / 4, 1, 1 << 30),
            MaxTouchNumber / 2 - (MaxTouchNumber / 2 >> 30));
  EXPECT_EQ(Estimated(0, 1, 2), 0u);
}

TEST(TouchWindowsTest, RefusesWhatCannotBe) {
  auto Wrong = [](UnitTouches T, uint64_t NumWindows = 11) {
    UnitTouches Read;
    return decoded(encoded(T), NumWindows, Read);
  };
  EXPECT_EQ(Wrong(touches(), 10), "has windows beyond the last");
  UnitTouches T = touches();
  T.TouchedGranules = 501;
  EXPECT_EQ(Wrong(T), "touched more than there was");
  T = touches();
  T.Windows[5].Touched = 8;
  EXPECT_EQ(Wrong(T), "touched more than there was");
  T = touches();
  T.Windows[2].TouchedInBurst = 1;
  EXPECT_EQ(Wrong(T), "touched more than there was");
  T = touches();
  T.Windows[5].Far = 1;
  EXPECT_EQ(Wrong(T), "has more that is far than was not touched");
  T = touches();
  T.Windows[0].FarInBurst = 8;
  EXPECT_EQ(Wrong(T), "has more that is far than was not touched");
  for (auto [Field, Value, Most] :
       {std::tuple(&WindowTouches::Born, 8, 7),
        std::tuple(&WindowTouches::BornInBurst, 8, 7)}) {
    T = touches();
    T.Windows[5].Born = 7;
    T.Windows[5].*Field = Most;
    EXPECT_EQ(Wrong(T), "");
    T.Windows[5].*Field = Value;
    EXPECT_EQ(Wrong(T), "has more that was born than was touched");
  }
  T = touches();
  T.Windows[5].Born = 5;
  T.Windows[5].BornInBurst = 6;
  EXPECT_EQ(Wrong(T), "has more that was born than was touched");
  T = touches();
  T.Windows[5].Born = 5;
  T.Windows[5].AmongBorn = 3;
  EXPECT_EQ(Wrong(T), "has more among what was born than there was");
  T = touches();
  T.Windows[2].AmongBornInBurst = 11;
  EXPECT_EQ(Wrong(T), "has more among what was born than there was");
  T = touches();
  T.Windows[2].LiveBytes = MaxTouchNumber + 1;
  EXPECT_EQ(Wrong(T), "has an impossible number");
}

TEST(TouchWindowsTest, EachEndTooEarlyIsNoticed) {
  const std::string All = encoded(touches());
  for (size_t Size = 0; Size != All.size(); ++Size) {
    UnitTouches Read;
    EXPECT_EQ(decoded(StringRef(All).take_front(Size), 11, Read),
              "ends too early")
        << Size;
  }
}
