//===- unit/Profile/FunctionNamesTest.cpp ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/FunctionNames.h"
#include "llvm/ProfileData/MemProf.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::profile;

TEST(FunctionNames, ShowsPeopleNeitherManglingNorUniqueSuffix) {
  FunctionNames Names;
  Names.add("_ZL4loadPKc.__uniq.1234");
  EXPECT_EQ(Names.display(memprof::getGUID("_ZL4loadPKc.__uniq.1234")),
            "load(char const*)");
  Names.add("pool_buffer");
  EXPECT_EQ(Names.display(memprof::getGUID("pool_buffer")), "pool_buffer");
}

TEST(FunctionNames, AnUnknownFunctionIsItsNumber) {
  EXPECT_EQ(FunctionNames().display(0x1234abcd), "0x1234abcd");
}
