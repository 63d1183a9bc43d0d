//===- unit/Annotate/BinarySharesTest.cpp - Parts of a profile ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/BinaryShares.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;
using namespace thermocline::annotate;

static constexpr uint64_t Profile = 0xabc;

static std::string nameOf(const std::vector<uint64_t> &Words) {
  std::string Payload;
  for (uint64_t Word : Words)
    thermocline::putWord(Payload, Word);
  return nameOfNote({"binaries", 1}, Payload);
}

/// Key, cold bytes, functions, those here, contexts, frames, shared contexts.
static const std::vector<uint64_t> Own = {Profile, 1, 1000, 2, 1,
                                          11,      0, 0,    1, 77};
static const std::vector<uint64_t> Foreign = {Profile, 2,  500, 4, 0, 2,
                                              21,      22, 1,   9, 0};

TEST(BinaryShares, LinkHasItsPart) {
  BinaryShares Shares;
  cantFail(Shares.addIn(nameOf(Own)));
  cantFail(Shares.addIn(nameOf(Foreign)));
  cantFail(Shares.addIn("thermocline.salvaged.0000000000000001"));
  ASSERT_TRUE(Shares.tellsOf(Profile));
  EXPECT_FALSE(Shares.tellsOf(1));
  EXPECT_EQ(Shares.onlyProfile(), Profile);
  auto Part = Shares.part(Profile);
  ASSERT_TRUE(Part);
  EXPECT_EQ(Part->ColdBytes, 1000u);
  EXPECT_EQ(Part->OtherContexts, (std::set<uint64_t>{21, 22, 77}));
  EXPECT_EQ(Part->OtherFrames, (std::set<uint64_t>{9}));
}

// The functions of a binary are in several modules, each of which may be in
// the link more than once.
TEST(BinaryShares, MostFunctionsMakeABinary) {
  BinaryShares Shares, More;
  cantFail(Shares.addIn(nameOf({Profile, 2, 500, 4, 1, 31, 0, 0, 0})));
  cantFail(Shares.addIn(nameOf({Profile, 2, 500, 4, 1, 31, 0, 0, 0})));
  cantFail(Shares.addIn(nameOf(Own)));
  // A half of one, and a quarter of the other.
  EXPECT_EQ(Shares.part(Profile)->ColdBytes, 1000u);
  cantFail(More.addIn(nameOf({Profile, 2, 500, 4, 2, 32, 33, 0, 0, 0})));
  Shares.add(More);
  // Three quarters of the other.
  EXPECT_EQ(Shares.part(Profile)->ColdBytes, 500u);
  cantFail(Shares.addIn(nameOf({Profile, 1, 1000, 2, 1, 12, 0, 0, 0})));
  EXPECT_EQ(Shares.part(Profile)->ColdBytes, 1500u);
}

TEST(BinaryShares, WithoutOwnFunctionsItCannotBeTold) {
  BinaryShares Shares;
  cantFail(Shares.addIn(nameOf(Foreign)));
  EXPECT_TRUE(Shares.anyCold(Profile));
  EXPECT_FALSE(Shares.part(Profile));
  EXPECT_FALSE(Shares.part(1));
  BinaryShares NotCold;
  cantFail(NotCold.addIn(nameOf({Profile, 2, 0, 4, 0, 0, 0, 0})));
  EXPECT_FALSE(NotCold.anyCold(Profile));
}

TEST(BinaryShares, DamageIsAnError) {
  for (const std::vector<uint64_t> &Words :
       {std::vector<uint64_t>{}, std::vector<uint64_t>{Profile, 2, 500, 4},
        std::vector<uint64_t>{Profile, 2, 500, 4, ~uint64_t(0)},
        std::vector<uint64_t>{Profile, 2, 500, 4, uint64_t(1) << 60, 1},
        std::vector<uint64_t>{Profile, 2, 500, 4, 2, 9, 8, 0, 0, 0}}) {
    BinaryShares Shares;
    EXPECT_EQ(toString(Shares.addIn(nameOf(Words))),
              "note of the compiler (binaries): it is damaged");
    EXPECT_FALSE(Shares.tellsOf(Profile));
  }
}
