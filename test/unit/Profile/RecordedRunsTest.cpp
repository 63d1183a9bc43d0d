//===- unit/Profile/RecordedRunsTest.cpp - Commands in indexed files ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/RecordedRuns.h"
#include "PartBytes.h"
#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Support/Part.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using namespace thermocline::test;

// 2026-01-02 03:04:05 UTC.
static constexpr uint64_t Time = 1767323045;

static RecordedRuns runs() {
  RecordedRuns Result;
  Result.add(Time + 60, "./program 'two words'");
  Result.add(Time, "./program");
  return Result;
}

static std::string written(const RecordedRuns &Runs) {
  std::string Result = "LLVM's part";
  Runs.appendTo(Result);
  return Result;
}

/// What is read of \p Bytes, as text; or the error.
static std::string read(StringRef Bytes) {
  Expected<RecordedRuns> Runs = RecordedRuns::readFrom(Bytes);
  if (!Runs)
    return toString(Runs.takeError());
  std::string Result;
  for (const RecordedRun &Each : Runs->all())
    Result += Each.text() + "\n";
  return Result;
}

static const std::string Recorder =
    " UTC, Thermocline " + version().str() + ": ";

TEST(RecordedRuns, AreReadAsTheyWereWritten) {
  EXPECT_EQ(read(written(runs())), "2026-01-02 03:04" + Recorder +
                                       "./program\n" + "2026-01-02 03:05" +
                                       Recorder + "./program 'two words'\n");
  EXPECT_EQ(read("LLVM's part"), "");
  EXPECT_EQ(written(RecordedRuns()), "LLVM's part");
}

TEST(RecordedRuns, HaveTheirFormByteByByte) {
  RecordedRuns Runs;
  Runs.add(Time, "./a b");
  const std::string File = written(Runs);
  std::string Expected("LLVM's part\0\0\0\0\0", 16);
  auto Put = [&](uint64_t Number) {
    Expected.resize(Expected.size() + 8);
    setWord(Expected, Expected.size() - 8, Number);
  };
  Put(0x726f6365723a6374);
  Put(rightChecksum(File));
  Put(1);
  Put(0);
  Put(File.size() - Payload - Foot);
  Put(File.size() - Payload - Foot);
  Put(1);
  Put(Time);
  Put(version().size());
  Put(5);
  Expected += version().str() + "./a b";
  Expected.resize(alignTo(Expected.size(), 8), '\0');
  Put(Expected.size() + 16 - Begin);
  Put(format::PartEnd);
  EXPECT_EQ(toHex(File), toHex(Expected));
}

TEST(RecordedRuns, AddUpInAnyOrder) {
  RecordedRuns One = runs(), Other, Both;
  Other.add(Time + 5, "./other");
  Both.add(Other);
  Both.add(One);
  Both.add(runs());
  One.add(Other);
  EXPECT_EQ(written(One), written(Both));
  EXPECT_EQ(One.all().size(), 3u);
}

TEST(RecordedRuns, TheNewestAreListed) {
  RecordedRuns Runs = runs();
  EXPECT_EQ(Runs.lines(),
            (std::vector<std::string>{
                "2026-01-02 03:05" + Recorder + "./program 'two words'",
                "2026-01-02 03:04" + Recorder + "./program"}));
  Runs.add(Time + 120, "./c");
  Runs.add(Time - 120, "./d");
  Runs.add(Time - 180, "./e");
  EXPECT_EQ(Runs.lines().size(), 4u);
  EXPECT_EQ(Runs.lines().front(), "2026-01-02 03:06" + Recorder + "./c");
  EXPECT_EQ(Runs.lines().back(), "and 2 before");
}

TEST(RecordedRuns, CommandsAreALineOfText) {
  auto Kept = [](StringRef Command) {
    RecordedRuns Runs;
    Runs.add(Time, Command);
    return Runs.all().begin()->Command;
  };
  EXPECT_EQ(Kept("a\tb\nc\x1b[1m\x7f"), "a b c [1m ");
  EXPECT_EQ(Kept("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(Kept(std::string(1000, 'x')), std::string(1000, 'x'));
  EXPECT_EQ(Kept(std::string(1001, 'x')), std::string(1000, 'x') + "…");
  RecordedRuns Late;
  Late.add(UINT64_MAX, "./late");
  EXPECT_EQ(Late.lines().front(), "9999-12-31 23:59" + Recorder + "./late");
  // No half of a letter is left.
  EXPECT_EQ(Kept(std::string(999, 'x') + "ä"), std::string(999, 'x') + "…");
}

TEST(RecordedRuns, WhatIsKeptOfACommandIsKeptAgain) {
  for (const std::string &Command :
       {std::string("./program 'a b'"), std::string("a\tb\n\xff\x1b"),
        std::string(1000, 'x'), std::string(1001, 'x'),
        std::string(998, 'x') + "ää", std::string(999, 'x') + "ä",
        std::string(999, '\xff'), std::string(2000, '\x7f')}) {
    const std::string Kept = RecordedRuns::keptOf(Command);
    EXPECT_EQ(RecordedRuns::keptOf(Kept), Kept);
  }
}

TEST(RecordedRuns, DamageIsTold) {
  const std::string File = written(runs());
  for (size_t Offset = Payload; Offset < File.size() - Foot; Offset += 8)
    for (uint64_t Value : {uint64_t(0), uint64_t(1) << 40, UINT64_MAX}) {
      std::string Damaged = File;
      setWord(Damaged, Offset, Value);
      if (Damaged == File)
        continue;
      EXPECT_TRUE(
          StringRef(read(Damaged)).starts_with("part of recorded commands: "))
          << Offset << ' ' << Value;
      // With a right checksum it may tell something else, but reads no further.
      setWord(Damaged, Begin + 8, rightChecksum(Damaged));
      read(Damaged);
    }
  // Times that go back.
  std::string Turned = File;
  setWord(Turned, Payload + 8, Time + 600);
  setWord(Turned, Begin + 8, rightChecksum(Turned));
  EXPECT_EQ(read(Turned), "part of recorded commands: command 2 is damaged");
  // What has no date.
  setWord(Turned = File, Payload + 8, UINT64_MAX);
  setWord(Turned, Begin + 8, rightChecksum(Turned));
  EXPECT_EQ(read(Turned), "part of recorded commands: command 1 is damaged");
  // More is told than is there, and less.
  for (uint64_t Number : {3, 1}) {
    setWord(Turned = File, Payload, Number);
    setWord(Turned, Begin + 8, rightChecksum(Turned));
    EXPECT_TRUE(
        StringRef(read(Turned)).starts_with("part of recorded commands: "));
  }
}
