//===- CommonCallsTest.cpp - Tests of calls of many contexts --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonCalls.h"
#include "thermocline/Profile/StackIds.h"
#include "gtest/gtest.h"

using namespace thermocline;
using namespace thermocline::profile;
using llvm::memprof::Frame;

namespace {

/// Contexts whose frames are one call of each of some functions.
struct Contexts {
  HeapProfile Heap;
  std::vector<bool> AreCold;

  /// Leaf first. Whether the leaf is inlined tells apart what has the same
  /// calls.
  void add(std::vector<unsigned> Functions, bool IsCold,
           bool IsInlined = false) {
    std::vector<Frame> Frames;
    for (unsigned F : Functions)
      Frames.emplace_back(F, 3, 7, Frames.empty() && IsInlined);
    Heap.addContext(Frames, {});
    AreCold.push_back(IsCold);
  }
  bool isCommon(unsigned Function) const {
    return findCommonCalls(Heap, AreCold)
        .count(raw(computeStackId(Frame(Function, 3, 7, false))));
  }
};

TEST(CommonCalls, HaveManyContextsColdOnesAndOthers) {
  Contexts C;
  // 1 is the allocator, and 2 the program. All of 3 is cold.
  for (unsigned I = 0; I != LeastOfCommonCall - 1; ++I)
    C.add({1, 100 + I, 3, 2}, /*IsCold=*/true);
  EXPECT_FALSE(C.isCommon(1));
  EXPECT_FALSE(C.isCommon(2));
  C.add({1, 200, 3, 2}, /*IsCold=*/true);
  EXPECT_FALSE(C.isCommon(1));
  C.add({1, 300, 2}, /*IsCold=*/false);
  EXPECT_TRUE(C.isCommon(1));
  EXPECT_TRUE(C.isCommon(2));
  EXPECT_FALSE(C.isCommon(3));
  EXPECT_FALSE(C.isCommon(100));
}

TEST(CommonCalls, CountContextsOfTheSameCallsOnce) {
  Contexts C;
  std::vector<unsigned> Deep = {1};
  for (unsigned I = 0; I != 2 * LeastOfCommonCall; ++I) {
    Deep.push_back(5);
    C.add(Deep, /*IsCold=*/I % 2);
    C.add({1, 6}, /*IsCold=*/true, /*IsInlined=*/I % 2);
  }
  C.add({1, 7}, /*IsCold=*/false);
  EXPECT_FALSE(C.isCommon(1));
  EXPECT_FALSE(C.isCommon(5));
}

} // namespace
