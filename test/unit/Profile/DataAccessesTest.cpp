//===- unit/Profile/DataAccessesTest.cpp - Accesses to static data --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles are written by LLVM's writer; damaged copies must give errors, never
// more.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/DataAccesses.h"
#include "llvm/ProfileData/DataAccessProf.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

static std::string written(function_ref<void(DataAccessProfData &)> Fill) {
  DataAccessProfData All;
  Fill(All);
  std::string Result;
  raw_string_ostream OS(Result);
  ProfOStream Out(OS);
  cantFail(All.serialize(Out));
  return Result;
}

static void addTable(DataAccessProfData &All) {
  cantFail(All.setDataAccessProfile(
      StringRef("table"), 5,
      {SourceLocation("b.c", 7), SourceLocation("a.c", 3)}));
}

static std::string sample() {
  return written([](DataAccessProfData &All) {
    addTable(All);
    cantFail(All.setDataAccessProfile(uint64_t(77), 9));
    cantFail(All.addKnownSymbolWithoutSamples(StringRef("unused")));
    cantFail(All.addKnownSymbolWithoutSamples(uint64_t(11)));
  });
}

static DataAccesses parsed(StringRef Bytes) {
  return cantFail(DataAccesses::parse(Bytes, 0));
}

TEST(DataAccesses, StayAsTheyAre) {
  const DataAccesses A = parsed(sample());
  EXPECT_EQ(A.numSampled(), 2U);
  EXPECT_EQ(A.numCold(), 2U);
  EXPECT_EQ(A.accesses(), 14U);
  // LLVM's writer has the names in another order.
  const std::string Ours = cantFail(A.serialize());
  EXPECT_EQ(cantFail(parsed(Ours).serialize()), Ours);
  // Wherever they are in a file.
  DataAccesses Later = cantFail(DataAccesses::parse("12345" + sample(), 5));
  EXPECT_EQ(cantFail(Later.serialize()), Ours);
}

TEST(DataAccesses, SumsDependOnNoOrder) {
  const DataAccesses A = parsed(sample());
  const DataAccesses B = parsed(written([](DataAccessProfData &All) {
    cantFail(All.setDataAccessProfile(StringRef("unused"), 1));
    cantFail(All.setDataAccessProfile(StringRef("table"), UINT64_MAX,
                                      {SourceLocation("a.c", 3)}));
    cantFail(All.addKnownSymbolWithoutSamples(StringRef("table")));
  }));
  const DataAccesses C = parsed(written(addTable));
  auto Sum = [](ArrayRef<const DataAccesses *> Parts) {
    DataAccesses Result;
    for (const DataAccesses *Part : Parts)
      Result.add(*Part, 1);
    return Result;
  };
  const DataAccesses All = Sum({&A, &B, &C});
  EXPECT_EQ(All.accesses(), UINT64_MAX);
  EXPECT_EQ(All.numSampled(), 3U);
  EXPECT_EQ(All.numCold(), 1U);
  const std::string Bytes = cantFail(All.serialize());
  EXPECT_EQ(cantFail(Sum({&C, &B, &A}).serialize()), Bytes);
  const DataAccesses AC = Sum({&A, &C}), CB = Sum({&C, &B});
  EXPECT_EQ(cantFail(Sum({&B, &AC}).serialize()), Bytes);
  EXPECT_EQ(cantFail(Sum({&A, &CB}).serialize()), Bytes);

  DataAccesses Weighted;
  Weighted.add(A, 3);
  EXPECT_EQ(cantFail(Weighted.serialize()),
            cantFail(Sum({&A, &A, &A}).serialize()));
}

TEST(DataAccesses, TruncatedFilesAreErrors) {
  const std::string Whole = sample();
  for (size_t Size = 0; Size != Whole.size(); ++Size) {
    Expected<DataAccesses> Read =
        DataAccesses::parse(StringRef(Whole).take_front(Size), 0);
    ASSERT_FALSE(static_cast<bool>(Read)) << Size;
    EXPECT_NE(toString(Read.takeError()).find("accesses to static data: "),
              std::string::npos);
  }
  EXPECT_TRUE(errorToBool(DataAccesses::parse(Whole, UINT64_MAX).takeError()));
}

TEST(DataAccesses, NumbersTakeNoMoreBytesThanTheyNeed) {
  // Of no names, one untouched symbol, whose size is 0 in eleven bytes.
  std::string Bytes(3 * sizeof(uint64_t), '\0');
  Bytes[8] = 1;
  Bytes[16] = 16;
  Bytes += std::string(10, '\x80') + std::string(6, '\0');
  Expected<DataAccesses> Read = DataAccesses::parse(Bytes, 0);
  ASSERT_FALSE(static_cast<bool>(Read));
  EXPECT_EQ(toString(Read.takeError()),
            "accesses to static data: names are truncated");
}

TEST(DataAccesses, DamagedFilesDoNoHarm) {
  const std::string Whole = sample();
  for (size_t I = 0; I != Whole.size(); ++I)
    for (unsigned Bit = 0; Bit != 8; ++Bit) {
      std::string Damaged = Whole;
      Damaged[I] = static_cast<char>(Damaged[I] ^ 1 << Bit);
      if (Expected<DataAccesses> Read = DataAccesses::parse(Damaged, 0))
        cantFail(Read->serialize());
      else
        consumeError(Read.takeError());
    }
}
