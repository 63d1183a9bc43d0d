//===- CallTableTest.cpp - The calls that the source had ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/CallTable.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

SourceFunction function(GlobalValue::GUID GUID) {
  return {GUID, 7, 8, {{-3, 5, 11, 12}, {70000, 1, 0, 0}}};
}

/// As clang's assembler writes it.
std::string section(const SourceFunction &F) {
  format::CallTableFunction Head;
  Head.Function = F.Function;
  Head.Local = F.Local;
  Head.File = F.File;
  Head.NumCalls = F.Calls.size();
  std::string Result(reinterpret_cast<const char *>(&Head), sizeof(Head));
  for (const SourceCall &Call : F.Calls) {
    const format::CallTableCall Of{Call.Line, Call.Column, Call.Callee,
                                   Call.Text, 0};
    Result.append(reinterpret_cast<const char *>(&Of), sizeof(Of));
  }
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
  EXPECT_EQ(toString(Damaged.addSection(
                StringRef(Contents).drop_back(sizeof(format::CallTableCall)))),
            "table of calls: damaged at byte 96");
  std::string Newer = section(function(1));
  Newer[4] = 2;
  EXPECT_EQ(toString(Damaged.addSection(Newer)),
            "table of calls: version 2 is not supported (1 is)");
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

  Expected<CallTable> None = CallTable::readFrom("an indexed profile");
  ASSERT_TRUE(!!None);
  EXPECT_TRUE(None->empty());
}

TEST(CallTable, DropsFunctionsOfSeveralSources) {
  CallTable Table, Other;
  Table.add(function(1));
  Table.add(function(2));
  SourceFunction Edited = function(1);
  Edited.Calls.pop_back();
  Other.add(Edited);
  Other.add(function(2));
  Table.add(Other);
  EXPECT_FALSE(Table.lookup(1));
  EXPECT_TRUE(Table.lookup(2));
  // It stays so, whatever is merged later.
  Expected<CallTable> Read = CallTable::readFrom(withTable(Table));
  ASSERT_TRUE(!!Read);
  Read->add(function(1));
  EXPECT_FALSE(Read->lookup(1));
}

TEST(CallTable, RefusesWhatIsDamaged) {
  CallTable Table;
  Table.add(function(1));
  const std::string Whole = withTable(Table);
  unsigned Accepted = 0;
  for (size_t At = 24; At != Whole.size(); ++At) {
    std::string Damaged = Whole;
    Damaged[At] ^= 0x40;
    Expected<CallTable> Read = CallTable::readFrom(Damaged);
    if (Read) {
      ++Accepted;
      continue;
    }
    EXPECT_TRUE(
        StringRef(toString(Read.takeError())).starts_with("table of calls: "));
  }
  // Of zeros behind the payload, and of the mark of its end.
  EXPECT_LT(Accepted, 16u);
}

} // namespace
