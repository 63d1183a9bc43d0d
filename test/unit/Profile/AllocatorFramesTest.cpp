//===- unit/Profile/AllocatorFramesTest.cpp -------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/AllocatorFrames.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

std::vector<memprof::Frame> stack(ArrayRef<StringRef> Functions) {
  std::vector<memprof::Frame> Result;
  for (StringRef Name : Functions)
    Result.emplace_back(memprof::getGUID(Name), 1, 1, false);
  return Result;
}

TEST(AllocatorFrames, ContextsBeginAtTheCaller) {
  AllocatorFrames Frames({{"pool", "pool_cold"}});
  auto Stack = stack({"grow", "pool", "make", "main"});
  auto Callers = Frames.callers(Stack);
  EXPECT_EQ(Callers.Frames, ArrayRef(Stack).drop_front(2));
  EXPECT_FALSE(Callers.IsHinted);
  EXPECT_TRUE(Frames.unseen().empty());
}

TEST(AllocatorFrames, TheOutermostCounts) {
  AllocatorFrames Frames({{"pool", "pool_cold"}, {"text", "text_cold"}});
  auto Stack = stack({"pool", "text", "main"});
  EXPECT_EQ(Frames.callers(Stack).Frames.size(), 1u);
  auto Cold = stack({"pool", "text_cold", "main"});
  EXPECT_EQ(Frames.callers(Cold).Frames.size(), 1u);
  EXPECT_TRUE(Frames.callers(Cold).IsHinted);
  // The caller asked for plain memory, whatever that did.
  auto Plain = stack({"pool_cold", "text", "main"});
  EXPECT_FALSE(Frames.callers(Plain).IsHinted);
}

TEST(AllocatorFrames, OthersStayWhole) {
  AllocatorFrames Frames({{"pool", "pool_cold"}});
  for (auto &Stack : {stack({"make", "main"}), stack({"pool"})})
    EXPECT_EQ(Frames.callers(Stack).Frames, ArrayRef(Stack));
  EXPECT_EQ(Frames.unseen(), std::vector<std::string>{"pool"});
}

} // namespace
