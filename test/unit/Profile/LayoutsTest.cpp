//===- unit/Profile/LayoutsTest.cpp - How small objects lay ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Layouts.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

std::string payload(StringRef Windows, char NumWindows = 1) {
  return NumWindows + Windows.str();
}

Expected<std::vector<BurstLayout>>
decode(StringRef Payload, std::vector<std::string> Phases = {"work"}) {
  std::vector<BurstLayout> Result;
  if (Error E =
          decodeRawLayouts(Payload, Phases, Result, [](const Twine &What) {
            return createStringError(What);
          }))
    return std::move(E);
  return Result;
}

TEST(LayoutsTest, ReadsWhatTheRuntimeWrites) {
  // The bytes of LayoutRecordTest.
  const StringRef Stretch(
      "\x87\x00\x11\x05\x01\x3A\xC8\x01\x07\xFD\x03\x05\x00", 13);
  Expected<std::vector<BurstLayout>> Read = decode(
      payload(("\x01" + Stretch + StringRef("\0", 1)).str(), 2), {"work", ""});
  ASSERT_TRUE(!!Read);
  LayoutRun Idle, Touched, Hole;
  Idle.Granules = 3;
  Idle.Count = 3;
  Idle.Context = 5;
  Touched.State = LayoutState::Touched;
  Touched.Granules = 8;
  Touched.Pieces = 3;
  Touched.FirstBytes = 32;
  Touched.Context = 200;
  Hole.State = LayoutState::Hole;
  Hole.Granules = 64;
  Hole.Count = 2;
  Hole.Context = 5;
  // A window of which nothing is known has no burst.
  ASSERT_EQ(Read->size(), 1u);
  EXPECT_EQ(Read->front().Phase, "work");
  EXPECT_EQ(Read->front().Stretches,
            std::vector({LayoutStretch{true, {Idle, Touched, Hole}}}));
}

struct BadLayout {
  std::string Payload;
  StringRef Message;
};

TEST(LayoutsTest, RefusesWhatCannotBe) {
  const BadLayout All[] = {
      {payload(StringRef("\0", 1), 2), "is of 2 windows of 1"},
      {"", "truncated"},
      {payload("\x01\x02"), "window 0 reaches past its end"},
      {payload(StringRef("\0\0", 2)), "has 1 bytes too many"},
      {payload("\x01\x02\x06\x01"), "window 0 has an unknown state"},
      {payload("\x01\x02\x80\x04\x01"),
       "window 0 has objects that are too large"},
      {payload("\x01\x02\x02\x01\x01"), "window 0 was touched where it is not"},
      {payload("\x01\x02\x01\x01\xFF\x7F"), "window 0 has too many objects"},
      {payload("\x01\x82\x20"), "window 0 has too many runs"},
  };
  for (const BadLayout &Bad : All) {
    Expected<std::vector<BurstLayout>> Read = decode(Bad.Payload);
    ASSERT_FALSE(Read);
    EXPECT_EQ(toString(Read.takeError()), Bad.Message);
  }
}

} // namespace
