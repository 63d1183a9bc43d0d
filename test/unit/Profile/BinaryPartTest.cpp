//===- unit/Profile/BinaryPartTest.cpp - Binaries in indexed files --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BinaryPart.h"
#include "PartBytes.h"
#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using namespace thermocline::test;

static constexpr uint64_t Checksum = 0x1122334455667788;

static BinaryMap binaries() {
  BinaryMap Result;
  BinaryContents &Library = Result.add({9, 8, 7}, "libx.so");
  Library.Functions = {5, 3};
  Library.Contexts = {700};
  BinaryContents &Program = Result.add({1}, "program");
  Program.Functions = {5, 2};
  return Result;
}

static std::string written(const BinaryMap &Map) {
  std::string Result = "LLVM's part";
  appendBinaries(Result, Checksum, Map);
  return Result;
}

/// What is read of \p Bytes, as text; or the error.
static std::string read(StringRef Bytes, uint64_t ProfileChecksum = Checksum) {
  Expected<BinaryMap> Map = readBinaries(Bytes, ProfileChecksum);
  if (!Map)
    return toString(Map.takeError());
  std::string Result;
  for (const auto &[Id, Has] : Map->binaries()) {
    Result += toHex(Id, /*LowerCase=*/true) + " " + Has.Name + ":";
    for (uint64_t Function : Has.Functions)
      Result += " f" + utostr(Function);
    for (uint64_t Context : Has.Contexts)
      Result += " c" + utostr(Context);
    Result += "\n";
  }
  return Result;
}

/// \p Bytes with the checksum of what is there now.
static std::string repaired(std::string Bytes) {
  setWord(Bytes, Begin + 8, rightChecksum(Bytes));
  return Bytes;
}

TEST(BinaryPart, IsReadAsItWasWritten) {
  EXPECT_EQ(read(written(binaries())), "01 program: f2 f5\n"
                                       "090807 libx.so: f3 f5 c700\n");
  EXPECT_EQ(read("LLVM's part"), "");
  EXPECT_EQ(read(""), "");
}

TEST(BinaryPart, HasItsFormByteByByte) {
  const std::string File = written(binaries());
  std::string Expected("LLVM's part\0\0\0\0\0", 16);
  auto Put = [&](uint64_t Number) {
    Expected.resize(Expected.size() + 8);
    setWord(Expected, Expected.size() - 8, Number);
  };
  Put(0x72616e69623a6374);
  Put(rightChecksum(File));
  Put(1);
  Put(0);
  Put(File.size() - Payload - Foot);
  Put(File.size() - Payload - Foot);
  Put(Checksum);
  Put(2);
  for (uint64_t Size : {1, 7, 2, 0})
    Put(Size);
  Expected += "\1program";
  Put(2);
  Put(5);
  for (uint64_t Size : {3, 7, 2, 1})
    Put(Size);
  Expected += std::string("\x9\x8\x7libx.so\0\0\0\0\0\0", 16);
  Put(3);
  Put(5);
  Put(700);
  Put(Expected.size() + 16 - Begin);
  Put(format::PartEnd);
  EXPECT_EQ(toHex(File), toHex(Expected));
}

TEST(BinaryPart, MapsAddUpInAnyOrder) {
  BinaryMap One = binaries(), Other, Both;
  Other.add({9, 8, 7}, "liba.so").Contexts = {1, 800};
  Other.add({4}, "plugin.so").Functions = {77};
  Both.add(Other);
  Both.add(One);
  One.add(Other);
  EXPECT_EQ(written(One), written(Both));
  EXPECT_EQ(read(written(One)), "01 program: f2 f5\n"
                                "04 plugin.so: f77\n"
                                "090807 liba.so: f3 f5 c1 c700 c800\n");
}

TEST(BinaryPart, DamageIsTold) {
  const std::string File = written(binaries());
  EXPECT_EQ(read(File, Checksum + 1),
            "part of binaries: the memory profile is not the one that it "
            "was written for; is it damaged?");
  // Cut off anywhere, and with any word of it changed.
  for (size_t Size = Begin + 8; Size != File.size(); ++Size)
    EXPECT_TRUE(StringRef(read(StringRef(File).take_front(Size)))
                    .starts_with("part of binaries: "))
        << Size;
  for (size_t Offset = Begin; Offset != File.size(); Offset += 8)
    for (uint64_t Value : {uint64_t(0), uint64_t(1) << 40, UINT64_MAX}) {
      std::string Damaged = File;
      setWord(Damaged, Offset, Value);
      if (Damaged == File)
        continue;
      EXPECT_TRUE(StringRef(read(Damaged)).starts_with("part of binaries: "))
          << Offset << ' ' << Value;
      // With a right checksum it may be another part, but reads no further.
      read(repaired(Damaged));
    }
  std::string Disordered = File;
  setWord(Disordered, File.size() - Foot - 16, 2);
  EXPECT_EQ(read(repaired(Disordered)),
            "part of binaries: binary 2 is damaged");
  std::string Fewer = File;
  setWord(Fewer, Payload + 8, 1);
  EXPECT_EQ(read(repaired(Fewer)),
            "part of binaries: its parts do not fill it");
}
