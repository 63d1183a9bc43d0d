//===- unit/Profile/ArchitecturesTest.cpp - Architectures in files --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Architectures.h"
#include "PartBytes.h"
#include "thermocline/Format/ProfileParts.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cstdint>
#include <initializer_list>
#include <string>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using namespace thermocline::test;

static Architectures of(std::initializer_list<StringRef> Names) {
  Architectures Result;
  for (StringRef Name : Names)
    Result.add(Name);
  return Result;
}

static std::string written(const Architectures &All) {
  std::string Result = "LLVM's part";
  All.appendTo(Result);
  return Result;
}

/// What is read of \p Bytes, as text; or the error.
static std::string read(StringRef Bytes) {
  Expected<Architectures> All = Architectures::readFrom(Bytes);
  return All ? All->text() : toString(All.takeError());
}

TEST(Architectures, AreReadAsTheyWereWritten) {
  EXPECT_EQ(read(written(of({"x86_64", "aarch64"}))), "aarch64 and x86_64");
  EXPECT_EQ(read(written(of({"x86_64", "", "x86_64"}))), "x86_64");
  EXPECT_EQ(read("LLVM's part"), "");
  EXPECT_EQ(written(of({})), "LLVM's part");
}

TEST(Architectures, HaveTheirFormByteByByte) {
  const std::string File = written(of({"aarch64"}));
  std::string Expected("LLVM's part\0\0\0\0\0", 16);
  for (uint64_t Number :
       {uint64_t(0x69686372613a6374), rightChecksum(File), uint64_t(1),
        uint64_t(0), uint64_t(24), uint64_t(24), uint64_t(1), uint64_t(7)})
    putWord(Expected, Number);
  Expected += std::string("aarch64\0", 8);
  putWord(Expected, Expected.size() + 16 - Begin);
  putWord(Expected, format::PartEnd);
  EXPECT_EQ(toHex(File), toHex(Expected));
}

TEST(Architectures, AddUpInAnyOrder) {
  Architectures One = of({"x86_64"}), Other = of({"aarch64", "riscv64"});
  Architectures Both = Other;
  Both.add(One);
  One.add(Other);
  EXPECT_EQ(written(One), written(Both));
  EXPECT_EQ(One.names().size(), 3u);
}

TEST(Architectures, DamageIsTold) {
  const std::string File = written(of({"aarch64", "x86_64"}));
  for (size_t Offset = Payload; Offset < File.size() - Foot; Offset += 8)
    for (uint64_t Value : {uint64_t(0), uint64_t(1) << 40, UINT64_MAX}) {
      std::string Damaged = File;
      setWord(Damaged, Offset, Value);
      EXPECT_TRUE(
          StringRef(read(Damaged)).starts_with("part of architectures: "))
          << Offset << ' ' << Value;
      // With a right checksum it may tell something else, but reads no further.
      setWord(Damaged, Begin + 8, rightChecksum(Damaged));
      read(Damaged);
    }
  auto Changed = [&](size_t Offset, StringRef Bytes) {
    std::string Result = File;
    Result.replace(Payload + Offset, Bytes.size(), Bytes);
    setWord(Result, Begin + 8, rightChecksum(Result));
    return read(Result);
  };
  // Out of order, twice the same, no text, and fewer than there are.
  EXPECT_EQ(Changed(16, "z"),
            "part of architectures: architecture 2 is damaged");
  EXPECT_EQ(Changed(16, "\n"),
            "part of architectures: architecture 1 is damaged");
  EXPECT_EQ(Changed(0, "\1"),
            "part of architectures: its names do not fill it");
  EXPECT_EQ(Changed(0, "\3"),
            "part of architectures: architecture 3 is damaged");
  EXPECT_EQ(Changed(8, StringRef("\0", 1)),
            "part of architectures: architecture 1 is damaged");
}
