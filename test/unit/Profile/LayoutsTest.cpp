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

std::string section(StringRef Windows, uint64_t NumWindows = 1,
                    uint64_t Version = format::LayoutVersion) {
  format::LayoutHeader Head;
  Head.Version = Version;
  Head.NumWindows = NumWindows;
  Head.NumBytes = Windows.size();
  std::string Result(reinterpret_cast<const char *>(&Head), sizeof(Head));
  Result += Windows;
  Result.resize((Result.size() + 7) / 8 * 8);
  return Result;
}

Expected<std::vector<BurstLayout>>
decode(StringRef Section, std::vector<std::string> Phases = {"work"}) {
  std::vector<BurstLayout> Result;
  if (Error E = decodeRawLayouts(
          Section, Phases, Result, [](const Twine &Where, const Twine &What) {
            return createStringError("layout" + Where + ": " + What);
          }))
    return std::move(E);
  return Result;
}

TEST(LayoutsTest, ReadsWhatTheRuntimeWrites) {
  // The bytes of LayoutRecordTest.
  const StringRef Stretch(
      "\x87\x00\x11\x05\x01\x3A\xC8\x01\x07\xFD\x03\x05\x00", 13);
  Expected<std::vector<BurstLayout>> Read = decode(
      section(("\x01" + Stretch + StringRef("\0", 1)).str(), 2), {"work", ""});
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
  std::string Section;
  StringRef Message;
};

TEST(LayoutsTest, RefusesWhatCannotBe) {
  const BadLayout All[] = {
      {section(StringRef("\0", 1), 1, 9),
       "layout section: version 9 is not supported (1 is)"},
      {section(StringRef("\0", 1), 2), "layout section: is of 2 windows of 1"},
      {section("").substr(0, 20), "layout section: truncated"},
      {section("\x01\x02"),
       "layout of window 0: reaches past the end of the section"},
      {section(StringRef("\0\0", 2)), "layout section: has 1 bytes too many"},
      {section("\x01\x02\x06\x01"), "layout of window 0: has an unknown state"},
      {section("\x01\x02\x80\x04\x01"),
       "layout of window 0: has objects that are too large"},
      {section("\x01\x02\x02\x01\x01"),
       "layout of window 0: was touched where it is not"},
      {section("\x01\x02\x01\x01\xFF\x7F"),
       "layout of window 0: has too many objects"},
      {section("\x01\x82\x20"), "layout of window 0: has too many runs"},
  };
  for (const BadLayout &Bad : All) {
    Expected<std::vector<BurstLayout>> Read = decode(Bad.Section);
    ASSERT_FALSE(Read);
    EXPECT_EQ(toString(Read.takeError()), Bad.Message);
  }
}

} // namespace
