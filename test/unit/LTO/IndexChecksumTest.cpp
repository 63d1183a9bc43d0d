//===- unit/LTO/IndexChecksumTest.cpp - Damaged indexes -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/IndexChecksum.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

std::string written(StringRef Bitcode) {
  std::string Result;
  raw_string_ostream OS(Result);
  cantFail(writeWithChecksum(Bitcode, OS));
  return Result;
}

std::string verified(StringRef Index) {
  return toString(verifyChecksum(Index));
}

TEST(IndexChecksumTest, AnyOtherByteIsNoticed) {
  const std::string Good = written("the bitcode of an index");
  EXPECT_EQ(verified(Good), "");
  // What does not begin like a wrapper is taken for an index of stock lld's.
  for (size_t I = 4; I != Good.size(); ++I) {
    std::string Bad = Good;
    Bad[I] ^= 1;
    EXPECT_EQ(verified(Bad), "damaged: its checksum does not fit its contents");
  }
  for (size_t Size = 4; Size != Good.size(); ++Size)
    EXPECT_NE(verified(StringRef(Good).take_front(Size)), "");
  EXPECT_NE(verified(Good + " "), "");
}

TEST(IndexChecksumTest, IndexesThatAreTooLargeAreNotWritten) {
  std::string Result;
  raw_string_ostream OS(Result);
  // Only the size is looked at.
  EXPECT_EQ(toString(writeWithChecksum(StringRef("", uint64_t(1) << 32), OS)),
            "an index of 4,294,967,296 bytes is too large for a checksum, "
            "which there is room for up to 4,294,967,295");
  EXPECT_EQ(Result, "");
}

} // namespace
