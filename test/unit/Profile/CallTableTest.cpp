//===- CallTableTest.cpp - The calls that the source had ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/CallTable.h"
#include "ProfileParts.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

SourceFunction function(GlobalValue::GUID GUID) {
  SourceCall All{-3, 5, 11, 12};
  All.Left = 13;
  All.Target = SourceCall::PathBit | 14;
  All.Guard = 15;
  All.Conditions = {2, 900};
  All.Given = {2};
  All.Nameless = 6;
  All.StoredAs = SourceCall::SinkStored | 8;
  All.Sinks = {3};
  All.Words = {1, 700, SourceCall::AmountBit | 3};
  All.Arguments = {9, 5};
  All.Around = {65535, 0, 3};
  All.IsReturned = true;
  All.Base = 16;
  SourceFunction F{GUID, 7, 8, {All, {70000, 1, 0, 0}}};
  F.Name = {17, 18, {4, 5}};
  F.Locals = {9, 4};
  return F;
}

/// As clang's assembler writes it.
std::string section(const SourceFunction &F) {
  std::string Payload;
  raw_string_ostream Encoded(Payload);
  encode(F, Encoded);
  format::CallTableFunction Head;
  Head.NumBytes = Payload.size();
  std::string Result(reinterpret_cast<const char *>(&Head), sizeof(Head));
  Result += Payload;
  Result.resize(alignTo(Result.size(), format::CallTableAlignment));
  return Result;
}

std::string withTable(const CallTable &Table) {
  std::string File = "an indexed profile";
  Table.appendTo(File, [](GlobalValue::GUID GUID) { return GUID != 3; });
  return File;
}

TEST(CallTable, ReadsTheSection) {
  CallTable Table;
  const std::string Contents =
      section(function(1)) + std::string(16, '\0') + section(function(2));
  ASSERT_EQ(toString(Table.addSection(Contents)), "");
  ASSERT_TRUE(Table.lookup(1) && Table.lookup(2));
  EXPECT_EQ(*Table.lookup(1), function(1));
  EXPECT_EQ(*Table.lookup(2), function(2));
  EXPECT_FALSE(Table.lookup(3));

  CallTable Damaged;
  EXPECT_EQ(toString(Damaged.addSection("not what it should be, it is not!")),
            "table of calls: damaged at byte 0");
  const size_t Second = section(function(1)).size() + 16;
  EXPECT_EQ(toString(Damaged.addSection(StringRef(Contents).drop_back(4))),
            "table of calls: damaged at byte " + std::to_string(Second));
  // A payload that is longer, or shorter, than what it holds.
  for (int Change : {-1, 1}) {
    std::string Other = section(function(1)) + std::string(4, '\0');
    Other[offsetof(format::CallTableFunction, NumBytes)] += Change;
    EXPECT_EQ(toString(Damaged.addSection(Other)),
              "table of calls: damaged at byte 0");
  }
  std::string Newer = section(function(1));
  Newer[4] = 1;
  EXPECT_EQ(toString(Damaged.addSection(Newer)),
            "table of calls: version 1 is not supported (6 is)");
}

TEST(CallTable, KeepsWhatIsWantedInAProfile) {
  CallTable Table;
  for (uint64_t GUID : {1, 2, 3})
    Table.add(function(GUID));
  Table.ColdBytes = 4711;
  const std::string File = withTable(Table);
  EXPECT_EQ(File.size() % 8, 0u);
  Expected<CallTable> Read = CallTable::readFrom(File);
  ASSERT_TRUE(!!Read);
  EXPECT_EQ(Read->ColdBytes, 4711u);
  ASSERT_TRUE(Read->lookup(2));
  EXPECT_EQ(*Read->lookup(2), function(2));
  EXPECT_FALSE(Read->lookup(3));
  EXPECT_TRUE(Read->hadFunction(3));
  EXPECT_FALSE(Read->hadFunction(4));
  // Of the others, it is known whether they have the same calls.
  SourceFunction Edited = function(3);
  EXPECT_TRUE(Read->hadUnprofiled(Edited));
  Edited.Calls.front().Line += 2;
  EXPECT_TRUE(Read->hadUnprofiled(Edited));
  Edited.Calls.front().Text += 1;
  EXPECT_FALSE(Read->hadUnprofiled(Edited));
  EXPECT_FALSE(Read->hadUnprofiled(function(4)));
  Edited = function(3);
  Edited.File += 1;
  EXPECT_FALSE(Read->hadUnprofiled(Edited));
  // One version of several.
  CallTable Other;
  Other.add(Edited);
  Other.add(*Read);
  Expected<CallTable> Both = CallTable::readFrom(withTable(Other));
  ASSERT_TRUE(!!Both);
  EXPECT_TRUE(Both->hadUnprofiled(Edited));
  EXPECT_TRUE(Both->hadUnprofiled(function(3)));

  Expected<CallTable> None = CallTable::readFrom("an indexed profile");
  ASSERT_TRUE(!!None);
  EXPECT_TRUE(None->empty());
}

// What one run has contexts of, and another has not: in whichever steps their
// profiles are merged.
TEST(CallTable, IsTheSameInAnyStepsOfMerging) {
  CallTable Program;
  for (uint64_t GUID : {1, 2, 3})
    Program.add(function(GUID));
  auto File = [](const CallTable &Table, std::set<GlobalValue::GUID> Wanted) {
    std::string Result = "an indexed profile";
    Table.appendTo(Result,
                   [&](GlobalValue::GUID F) { return Wanted.count(F); });
    return Result;
  };
  Expected<CallTable> First = CallTable::readFrom(File(Program, {1})),
                      Second = CallTable::readFrom(File(Program, {2}));
  ASSERT_TRUE(First && Second);
  EXPECT_TRUE(First->hadUnprofiled(function(2)));
  CallTable InSteps = *First;
  InSteps.add(*Second);
  EXPECT_EQ(File(InSteps, {1, 2}), File(Program, {1, 2}));
}

/// Function 1 with so many calls.
SourceFunction version(size_t NumCalls) {
  SourceFunction F = function(1);
  F.Calls.resize(NumCalls);
  return F;
}

TEST(CallTable, KeepsTheVersionsOfAFunction) {
  CallTable Table, Other;
  Table.add(version(2));
  Table.add(function(2));
  Other.add(version(1));
  Other.add(version(2));
  Other.add(function(2));
  Table.add(Other);
  const std::vector<SourceFunction> Both = {version(1), version(2)};
  EXPECT_EQ(Table.versions(1), ArrayRef(Both));
  EXPECT_FALSE(Table.lookup(1));
  EXPECT_FALSE(Table.isAmbiguous(1));
  EXPECT_TRUE(Table.lookup(2));
  EXPECT_TRUE(Table.versions(3).empty());

  const std::string File = withTable(Table);
  Expected<CallTable> Read = CallTable::readFrom(File);
  ASSERT_TRUE(!!Read);
  EXPECT_EQ(Read->versions(1), ArrayRef(Both));
  EXPECT_FALSE(Read->lookup(1));
  EXPECT_TRUE(Read->lookup(2));
  // The order in which they come does not matter.
  Other.add(Table);
  EXPECT_EQ(withTable(Other), File);
}

TEST(CallTable, DropsFunctionsOfTooManyVersions) {
  CallTable Up, Down;
  for (size_t I = 0; I != CallTable::MaxVersions; ++I)
    Up.add(version(I));
  EXPECT_EQ(Up.versions(1).size(), CallTable::MaxVersions);
  for (size_t I = CallTable::MaxVersions + 1; I-- != 0;)
    Down.add(version(I));
  Up.add(version(CallTable::MaxVersions));
  EXPECT_EQ(withTable(Up), withTable(Down));
  // It stays so, whatever is merged later.
  Expected<CallTable> Read = CallTable::readFrom(withTable(Up));
  ASSERT_TRUE(!!Read);
  Read->add(version(3));
  EXPECT_TRUE(Read->isAmbiguous(1));
  EXPECT_TRUE(Read->versions(1).empty());
  CallTable Other;
  Other.add(version(3));
  Other.add(*Read);
  EXPECT_TRUE(Other.isAmbiguous(1));
  EXPECT_TRUE(Other.versions(1).empty());
  EXPECT_TRUE(Other.hadFunction(1));
}

/// A profile with a table of these contents.
std::string withPayload(StringRef Payload,
                        uint64_t Version = format::CallPartVersion) {
  std::string File;
  appendPart(File, {format::CallsPart, Version, "table of calls"}, Payload);
  return File;
}

/// A function without calls, as a payload has it.
std::string encoded(uint8_t Function, uint8_t Local) {
  // Two GUIDs, three hashes, no words, no variables and no calls.
  std::string Result(8 + 8 + 4 + 4 + 4 + 1 + 1 + 1, '\0');
  Result[0] = static_cast<char>(Function);
  Result[8] = static_cast<char>(Local);
  return Result;
}

/// 4711 cold bytes, no common calls, no names, and the function \p Ambiguous,
/// if it is not 0.
std::string payloadHead(uint8_t Ambiguous) {
  std::string Result("\xe7\x24\0\0\0", 5);
  if (Ambiguous) {
    Result.back() = 1;
    Result += static_cast<char>(Ambiguous);
    Result.append(7, '\0');
  }
  return Result;
}

TEST(CallTable, KeepsWhatIsAmbiguous) {
  Expected<CallTable> Read = CallTable::readFrom(
      withPayload(payloadHead(5) + encoded(2, 7) + encoded(3, 0)));
  ASSERT_TRUE(!!Read);
  EXPECT_EQ(Read->ColdBytes, 4711u);
  ASSERT_TRUE(Read->lookup(2) && Read->lookup(3));
  EXPECT_EQ(Read->lookup(2)->Local, 7u);
  EXPECT_TRUE(Read->isAmbiguous(5));
  Read->add(function(5));
  EXPECT_FALSE(Read->lookup(5));
  EXPECT_TRUE(Read->versions(5).empty());
}

TEST(CallTable, RefusesWordsThatAreNotSorted) {
  SourceFunction F = function(2);
  F.Calls.front().Words = {700, 1};
  CallTable Table;
  Table.add(F);
  Expected<CallTable> Read = CallTable::readFrom(withTable(Table));
  ASSERT_FALSE(!!Read);
  EXPECT_EQ(toString(Read.takeError()),
            "table of calls: the words of a function are damaged");
}

TEST(CallTable, RefusesVersionsThatCannotBe) {
  auto Error = [](const std::string &Payload,
                  uint64_t Version = format::CallPartVersion) {
    Expected<CallTable> Read =
        CallTable::readFrom(withPayload(Payload, Version));
    return Read ? "" : toString(Read.takeError());
  };
  const std::string Head = payloadHead(0);
  EXPECT_EQ(Error(Head + encoded(2, 1) + encoded(2, 7)), "");
  const std::string Damaged =
      "table of calls: the versions of function 2 are damaged";
  EXPECT_EQ(Error(Head + encoded(2, 7) + encoded(2, 1)), Damaged);
  EXPECT_EQ(Error(Head + encoded(2, 7) + encoded(2, 7)), Damaged);
  std::string Many = Head;
  for (size_t I = 0; I != CallTable::MaxVersions; ++I)
    Many += encoded(2, I);
  EXPECT_EQ(Error(Many), "");
  EXPECT_EQ(Error(Many + encoded(2, CallTable::MaxVersions)), Damaged);
  EXPECT_EQ(Error(payloadHead(5) + encoded(5, 0)),
            "table of calls: the versions of function 5 are damaged");
  EXPECT_EQ(Error(Head + encoded(2, 1) + "\x01"),
            "table of calls: reaches past its end");
  for (uint64_t Version : {5, 7})
    EXPECT_EQ(Error(Head, Version), "table of calls: version " +
                                        std::to_string(Version) +
                                        " is not supported (6 is)");
}

/// No memory is taken for what a damaged header says.
TEST(CallTable, RefusesASizeThatTheCompressedPartDoesNotHave) {
  for (uint64_t Functions : {8, 60, 20000}) {
    CallTable Table;
    for (uint64_t GUID = 4; GUID != Functions + 4; ++GUID)
      Table.add(function(GUID));
    const std::string Whole = withTable(Table);
    const size_t Header = alignTo(strlen("an indexed profile"), 8);
    const size_t Bytes = Header + offsetof(format::PartHeader, Bytes);
    ASSERT_NE(Whole.substr(Bytes, 8), Whole.substr(Bytes - 8, 8));
    ASSERT_TRUE(!!CallTable::readFrom(Whole));
    for (unsigned Bit = 0; Bit != 64; ++Bit) {
      std::string Damaged = Whole;
      Damaged[Bytes + Bit / 8] ^= static_cast<char>(1 << Bit % 8);
      Expected<CallTable> Read = CallTable::readFrom(Damaged);
      ASSERT_FALSE(!!Read) << Bit;
      const std::string Said = toString(Read.takeError());
      EXPECT_TRUE(Said == "table of calls: its size is damaged" ||
                  Said == "table of calls: its checksum is wrong");
    }
  }
}

TEST(CallTable, RefusesWhatIsDamaged) {
  CallTable Table;
  Table.add(function(1));
  const std::string Whole = withTable(Table);
  unsigned Accepted = 0;
  for (size_t I = 24; I != Whole.size(); ++I) {
    std::string Damaged = Whole;
    Damaged[I] ^= 0x40;
    Expected<CallTable> Read = CallTable::readFrom(Damaged);
    if (Read) {
      ++Accepted;
      continue;
    }
    EXPECT_TRUE(
        StringRef(toString(Read.takeError())).starts_with("table of calls: "));
  }
  // Without the mark of its end there is none.
  EXPECT_EQ(Accepted, 8u);
}

} // namespace
