//===- DataTypesTest.cpp - The types that calls allocate ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Format/DataTypes.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using memprof::Frame;

namespace {

/// As clang's assembler writes it.
std::string section(GlobalValue::GUID Function, ArrayRef<TypedCall> Calls) {
  format::TypeTableFunction Head;
  Head.Function = Function;
  Head.NumCalls = Calls.size();
  std::string Result(reinterpret_cast<const char *>(&Head), sizeof(Head));
  for (const TypedCall &Call : Calls) {
    const format::TypeTableCall Record{Call.Line, Call.Column, Call.Callee,
                                       Call.Type.size()};
    Result.append(reinterpret_cast<const char *>(&Record), sizeof(Record));
  }
  for (const TypedCall &Call : Calls)
    Result += Call.Type;
  return Result;
}

std::string withTable(const DataTypes &Types) {
  std::string File = "an indexed profile";
  Types.appendTo(File, [](GlobalValue::GUID GUID) { return GUID != 3; });
  return File;
}

Frame frame(GlobalValue::GUID Function, uint32_t Line, uint32_t Column) {
  return Frame(Function, Line, Column, /*IsInlineFrame=*/false);
}

std::string typeOf(const DataTypes &Types, ArrayRef<Frame> Frames) {
  return Types.of(Frames).describe();
}

constexpr StringLiteral NotNamed = "(unknown: the call names no type)";
constexpr StringLiteral NotTold = "(unknown: code that does not tell types)";

TEST(DataTypes, ReadsTheSection) {
  DataTypes Types;
  const std::string Contents = section(1, {{2, 3, 9, "struct \"S\""}}) +
                               std::string(5, '\0') +
                               section(2, {{2, 3, 9, "T"}, {4, 5, 9, ""}});
  ASSERT_EQ(toString(Types.addSection(Contents)), "");
  EXPECT_EQ(typeOf(Types, {frame(1, 2, 3)}), "struct \"S\"");
  EXPECT_EQ(typeOf(Types, {frame(2, 2, 3)}), "T");
  EXPECT_EQ(typeOf(Types, {frame(2, 4, 5)}), NotNamed);
  EXPECT_EQ(typeOf(Types, {frame(2, 4, 6)}), NotTold);
  EXPECT_EQ(typeOf(Types, {frame(3, 4, 5)}), NotTold);
  EXPECT_EQ(typeOf({}, {frame(1, 2, 3)}),
            "(unknown: the profile has no types)");
}

TEST(DataTypes, RefusesADamagedSection) {
  const std::string Good = section(1, {{2, 3, 9, "S"}});
  auto Problem = [](StringRef Contents) {
    DataTypes Types;
    return toString(Types.addSection(Contents));
  };
  EXPECT_EQ(Problem("not what it should be, it is not!"),
            "table of types: damaged at byte 0");
  for (size_t Size = 1; Size != Good.size(); ++Size)
    EXPECT_EQ(Problem(StringRef(Good).take_front(Size)),
              "table of types: damaged at byte 0");
  std::string Newer = Good;
  Newer[4] = 2;
  EXPECT_EQ(Problem(Newer),
            "table of types: version 2 is not supported (1 is)");
  std::string TooMany = Good;
  TooMany[23] = '\xff';
  EXPECT_EQ(Problem(TooMany), "table of types: damaged at byte 0");
}

TEST(DataTypes, JoinsTypesOfOnePlace) {
  DataTypes Types, Other;
  Types.add(1, {2, 3, 9, "T"});
  Types.add(1, {2, 3, 9, ""});
  Other.add(1, {2, 3, 8, "S"});
  Other.add(1, {2, 3, 9, "T"});
  Types.add(Other);
  EXPECT_EQ(typeOf(Types, {frame(1, 2, 3)}), "S or T");
}

TEST(DataTypes, ComesFromTheCallerOfWhatHandsMemoryOn) {
  DataTypes Types;
  // 1 calls malloc, 2 calls 1, 3 calls 2; 4 calls 1, but does not say so.
  Types.add(1, {1, 1, 99, ""});
  Types.add(2, {2, 2, 1, ""});
  Types.add(3, {3, 3, 2, "S"});
  Types.add(3, {3, 3, 7, "Other"});
  Types.add(4, {4, 4, 7, "Other"});
  const Frame One = frame(1, 1, 1), Two = frame(2, 2, 2),
              Three = frame(3, 3, 3), Four = frame(4, 4, 4);
  EXPECT_EQ(typeOf(Types, {One, Two, Three, Four}), "S");
  EXPECT_EQ(typeOf(Types, {One, Two}), NotNamed);
  EXPECT_EQ(typeOf(Types, {One, Four, Three}), NotNamed);
}

TEST(DataTypes, KeepsWhatIsWantedInAProfile) {
  DataTypes Types;
  Types.add(1, {2, 3, 9, "S"});
  Types.add(2, {2, 3, 9, "S"});
  Types.add(2, {70, 3, 9, ""});
  Types.add(3, {2, 3, 9, "Unwanted"});
  const std::string File = withTable(Types);
  EXPECT_FALSE(StringRef(File).contains("Unwanted"));
  Expected<DataTypes> Read = DataTypes::readFrom(File);
  ASSERT_TRUE(static_cast<bool>(Read)) << toString(Read.takeError());
  EXPECT_EQ(typeOf(*Read, {frame(1, 2, 3)}), "S");
  EXPECT_EQ(typeOf(*Read, {frame(2, 2, 3)}), "S");
  EXPECT_EQ(typeOf(*Read, {frame(2, 70, 3)}), NotNamed);
  EXPECT_EQ(typeOf(*Read, {frame(3, 2, 3)}), NotTold);

  DataTypes Nothing;
  Nothing.add(3, {2, 3, 9, "Unwanted"});
  EXPECT_EQ(withTable(Nothing), "an indexed profile");
  Expected<DataTypes> None = DataTypes::readFrom("an indexed profile");
  ASSERT_TRUE(static_cast<bool>(None)) << toString(None.takeError());
  EXPECT_TRUE(None->empty());
}

TEST(DataTypes, RefusesWhatIsDamaged) {
  DataTypes Types;
  Types.add(1, {2, 3, 9, "S"});
  const std::string Whole = withTable(Types);
  unsigned Accepted = 0;
  for (size_t I = 24; I != Whole.size(); ++I) {
    std::string Damaged = Whole;
    Damaged[I] ^= 0x40;
    Expected<DataTypes> Read = DataTypes::readFrom(Damaged);
    if (Read) {
      ++Accepted;
      continue;
    }
    EXPECT_TRUE(
        StringRef(toString(Read.takeError())).starts_with("table of types: "));
  }
  // Of zeros behind the payload, and of the mark of its end.
  EXPECT_LT(Accepted, 16u);
}

} // namespace
