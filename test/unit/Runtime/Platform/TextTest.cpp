//===- unit/Runtime/Platform/TextTest.cpp - Text without stdio ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "platform/Text.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace thermocline::runtime;

TEST(TextTest, FormatsNumbers) {
  int Pipe[2];
  ASSERT_EQ(pipe(Pipe), 0);
  {
    TextWriter Out(Pipe[1]);
    Out << uint64_t(0) << " " << UINT64_MAX << " ";
    Out.hex(0) << " ";
    Out.hex(0xdeadbeef00) << " ";
    Out.hundredths(1205) << " ";
    Out.hundredths(7);
  }
  char Buffer[200] = {};
  EXPECT_GT(read(Pipe[0], Buffer, sizeof Buffer), 0);
  EXPECT_STREQ(Buffer, "0 18446744073709551615 0x0 0xdeadbeef00 12.05 0.07");
  close(Pipe[0]);
  close(Pipe[1]);
}

TEST(TextTest, WritesMoreThanItsBuffer) {
  FILE *File = tmpfile();
  {
    TextWriter Out(fileno(File));
    for (int I = 0; I != 1000; ++I)
      Out << "0123456789";
    EXPECT_TRUE(Out.flush());
  }
  fseek(File, 0, SEEK_END);
  EXPECT_EQ(ftell(File), 10000);
  fclose(File);
  TextWriter Closed(-1);
  Closed << "x";
  EXPECT_FALSE(Closed.flush());
}

TEST(TextTest, FixedStringTellsOfOverflow) {
  FixedString S;
  for (int I = 0; I != 409; ++I)
    S << "0123456789";
  EXPECT_FALSE(S.overflowed());
  S << "abcdef";
  EXPECT_TRUE(S.overflowed());
  EXPECT_EQ(strlen(S.text()), S.size());
}
