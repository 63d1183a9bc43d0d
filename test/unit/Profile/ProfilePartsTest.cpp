//===- unit/Profile/ProfilePartsTest.cpp - Parts behind LLVM's own --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileParts.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static const PartForm Types = {format::TypesPart, 1, "types"};
static const PartForm Calls = {format::CallsPart, 7, "calls", Compress::Best};
static const PartForm Windows = {format::WindowsPart, 2, "windows",
                                 Compress::No};

static const std::string Long(1000, 'x');

/// What the part has inside; "none", or the error.
static std::string read(StringRef File, const PartForm &Part) {
  auto Read = readPart(File, Part);
  if (!Read)
    return toString(Read.takeError());
  return *Read ? (*Read)->bytes().str() : "none";
}

static std::string file() {
  std::string File = "LLVM's";
  appendPart(File, Types, "short");
  appendPart(File, Calls, Long);
  appendPart(File, Windows, Long);
  return File;
}

TEST(ProfileParts, AreFoundInAnyOrder) {
  const std::string File = file();
  EXPECT_EQ(File.size() % 8, 0u);
  EXPECT_EQ(read(File, Types), "short");
  EXPECT_EQ(read(File, Calls), Long);
  EXPECT_EQ(read(File, Windows), Long);
  EXPECT_EQ(read(File, {format::TouchesPart, 1, "touches"}), "none");
  EXPECT_EQ(read("LLVM's", Types), "none");
  EXPECT_EQ(read("", Types), "none");
  std::string Other;
  appendPart(Other, Windows, "w");
  appendPart(Other, Types, "");
  EXPECT_EQ(read(Other, Windows), "w");
  EXPECT_EQ(read(Other, Types), "");
}

TEST(ProfileParts, AreCompressedOnlyIfTheyMay) {
  std::string Packed, Plain;
  appendPart(Packed, Calls, Long);
  appendPart(Plain, Windows, Long);
  EXPECT_LT(Packed.size(), 200u);
  EXPECT_EQ(Plain.size(), sizeof(format::PartHeader) + Long.size() +
                              sizeof(format::PartFooter));
  // What is not compressed is read in place.
  const StringRef Read = cantFail(readPart(Plain, Windows))->bytes();
  EXPECT_EQ(Read.data(), Plain.data() + sizeof(format::PartHeader));
}

TEST(ProfileParts, OtherVersionsAreRefused) {
  EXPECT_EQ(read(file(), {format::CallsPart, 8, "calls"}),
            "calls: version 7 is not supported (8 is)");
}

// One that is lost behind another is missed, whatever became of it.
TEST(ProfileParts, NoneIsLostInSilence) {
  const std::string File = file();
  std::string First = "LLVM's";
  appendPart(First, Types, "short");
  for (size_t I = 8; I != File.size() - 8; ++I) {
    std::string Damaged = File;
    Damaged[I] ^= 0x10;
    const bool IsFirst = I < First.size();
    const std::string Said = read(Damaged, Types);
    EXPECT_TRUE(IsFirst
                    ? Said != "none" && Said != "short"
                    : Said == "short" || StringRef(Said).starts_with("types: "))
        << I << Said;
  }
  // The last part without the one in front of it.
  std::string Cut = First;
  Cut += StringRef(File).take_back(sizeof(format::PartHeader) + Long.size() +
                                   sizeof(format::PartFooter));
  EXPECT_EQ(read(Cut, Windows), Long);
  EXPECT_EQ(read(Cut, Calls), "calls: a part behind it is not in its place");
  EXPECT_EQ(read(StringRef(Cut).drop_front(First.size()), Types),
            "types: a part behind it says that there are more");
}

TEST(ProfileParts, CutOffIsSeen) {
  const std::string File = file();
  EXPECT_TRUE(isPartCutOff(StringRef(File).drop_back(20), Windows));
  EXPECT_FALSE(isPartCutOff(File, {format::TouchesPart, 1, "touches"}));
}
