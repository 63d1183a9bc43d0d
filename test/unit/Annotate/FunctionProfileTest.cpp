//===- unit/Annotate/FunctionProfileTest.cpp ------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/FunctionProfile.h"
#include "ProfileText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

profile::ContextClass classify(ArrayRef<const memprof::AllocationInfo *> Same,
                               const memprof::PortableMemInfoBlock &Block) {
  EXPECT_FALSE(Same.empty());
  return {Block.getTotalSize() >= 1000 ? AllocationType::Cold
                                       : AllocationType::NotCold,
          std::nullopt};
}

TEST(FunctionProfile, EqualContextsMergeBeforeTheyAreClassified) {
  memprof::MemProfRecord Record;
  std::vector<memprof::Frame> Stack = {frame("a", 1, 2), frame("main", 3, 4)};
  Record.AllocSites.push_back(allocation(Stack, 600));
  Record.AllocSites.push_back(allocation({frame("a", 1, 2)}, 7));
  Record.AllocSites.push_back(allocation(Stack, 500));
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  ASSERT_EQ(Profile.contexts().size(), 2u);
  const ProfiledContext &Short = Profile.contexts()[0];
  const ProfiledContext &Long = Profile.contexts()[1];
  EXPECT_EQ(Short.Stack.size(), 1u);
  EXPECT_EQ(Short.TotalSize, Bytes(7));
  EXPECT_EQ(Long.TotalSize, Bytes(1100));
  EXPECT_EQ(Long.Type, AllocationType::Cold);
  EXPECT_EQ(Long.FullStackId, profile::computeFullStackId(Stack));
}

TEST(FunctionProfile, ContextsOfInlinedAllocationsAreNotItsOwn) {
  memprof::MemProfRecord Record;
  Record.AllocSites.push_back(
      allocation({frame("leaf", 1, 1, true), frame("a", 2, 2)}, 8));
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_TRUE(Profile.contexts().empty());
  EXPECT_TRUE(Profile.knows(idOf(frame("a", 2, 2))));
  EXPECT_FALSE(Profile.knows(idOf(frame("leaf", 1, 1))));
}

// Beside what was reached by functions without a frame stands a mark.
TEST(FunctionProfile, WhatACallOnlyLedToIsNotWhatItCalled) {
  const GlobalValue::GUID Called = memprof::getGUID("called"),
                          LedTo = memprof::getGUID("ledTo");
  memprof::MemProfRecord Record;
  memprof::CallSiteInfo Call({frame("a", 1, 2)});
  Call.CalleeGuids = {LedTo, Called, profile::interruptedMark(LedTo)};
  Record.CallSites.push_back(Call);
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(Profile.callees(idOf(frame("a", 1, 2))), ArrayRef(Called));
  // To find the call again in edited source, either will do.
  auto Places = Profile.places([](GlobalValue::GUID F) { return F; });
  ASSERT_EQ(Places.size(), 1u);
  EXPECT_EQ(ArrayRef(Places[0].Callees), ArrayRef<uint64_t>({Called, LedTo}));
}

TEST(FunctionProfile, PrefixesAreIntervals) {
  memprof::MemProfRecord Record;
  for (unsigned Caller = 0; Caller != 50; ++Caller)
    for (unsigned Root = 0; Root != 3; ++Root)
      Record.AllocSites.push_back(
          allocation({frame("a", Caller % 2, 1), frame("b", Caller, 1),
                      frame("main", Root, 1)},
                     8));
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(Profile.contexts().size(), 150u);
  EXPECT_EQ(Profile.contextsWithPrefix(idOf(frame("a", 0, 1))).size(), 75u);
  uint64_t Prefix[] = {idOf(frame("a", 1, 1)), idOf(frame("b", 7, 1))};
  ArrayRef<ProfiledContext> Found = Profile.contextsWithPrefix(Prefix);
  ASSERT_EQ(Found.size(), 3u);
  for (const ProfiledContext &C : Found)
    EXPECT_EQ(C.Stack.take_front(2), ArrayRef(Prefix));
  uint64_t None[] = {idOf(frame("a", 0, 1)), idOf(frame("b", 7, 1))};
  EXPECT_TRUE(Profile.contextsWithPrefix(None).empty());
  uint64_t TooLong[] = {Prefix[0], Prefix[1], idOf(frame("main", 0, 1)), 1};
  EXPECT_TRUE(Profile.contextsWithPrefix(TooLong).empty());
}

TEST(FunctionProfile, WithoutColumnsInTheProfileThoseOfTheSourceDoNotCount) {
  memprof::MemProfRecord Record;
  Record.AllocSites.push_back(allocation({frame("a", 1, 0)}, 8));
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(Profile.stackId(source("a", 1, 17)), idOf(frame("a", 1, 0)));
  Record.AllocSites.push_back(allocation({frame("a", 2, 5)}, 8));
  FunctionProfile WithColumns(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(WithColumns.stackId(source("a", 1, 17)), idOf(frame("a", 1, 17)));
}

TEST(FunctionProfile, RecursionDeeperThanAnyRuntimeRecords) {
  memprof::MemProfRecord Record;
  std::vector<memprof::Frame> Stack = {frame("a", 1, 1)};
  for (unsigned Depth = 0; Depth != 1000; ++Depth)
    Stack.push_back(frame("a", 2, 2));
  Record.AllocSites.push_back(allocation(Stack, 8));
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(Profile.contextsWithPrefix(idOf(Stack[0]))[0].Stack.size(), 1001u);
}

TEST(FunctionProfile, WeightsAreWhatHintsSaveOfAMebibyte) {
  memprof::MemProfRecord Record;
  Record.AllocSites = {allocation({frame("a", 1, 1)}, 1 << 20),
                       allocation({frame("a", 2, 1)}, 1 << 22),
                       allocation({frame("a", 3, 1)}, 0)};
  auto WithSavings = [&](double Saved) {
    FunctionProfile Profile(
        memprof::getGUID("a"), Record,
        [&](ArrayRef<const memprof::AllocationInfo *>,
            const memprof::PortableMemInfoBlock &) -> profile::ContextClass {
          return {AllocationType::Cold, Saved};
        });
    std::map<uint64_t, uint64_t> BySize;
    for (const ProfiledContext &C : Profile.contexts())
      BySize[C.TotalSize.count()] = C.Weight.value();
    return BySize;
  };
  std::map<uint64_t, uint64_t> Weights = WithSavings(1 << 16);
  EXPECT_EQ(Weights[1 << 20], 1u << 16);
  EXPECT_EQ(Weights[1 << 22], 1u << 14);
  // Of which no size is known, so that it counts as a byte.
  EXPECT_EQ(Weights[0], CoarseWeight::of(UINT64_MAX).value());
  Weights = WithSavings(1e300);
  EXPECT_EQ(Weights[1 << 20], CoarseWeight::of(UINT64_MAX).value());
  // Less than can be told.
  EXPECT_EQ(WithSavings(0)[1 << 20], 1u);
}

TEST(FunctionProfile, WithoutSavingsWeightsAreMeanLifetimes) {
  memprof::MemInfoBlock Block;
  Block.AllocCount = 2;
  Block.TotalSize = 64;
  Block.TotalLifetime = 1024;
  memprof::MemProfRecord Record;
  Record.AllocSites = {allocation({frame("a", 1, 1)}, 64)};
  Record.AllocSites[0].Info =
      memprof::PortableMemInfoBlock(Block, memprof::getFullSchema());
  FunctionProfile Profile(memprof::getGUID("a"), Record, classify);
  EXPECT_EQ(Profile.contexts()[0].Weight.value(), 512u);
}

TEST(FunctionProfile, FatesKeepWhatDescribesThePlaceBest) {
  memprof::MemProfRecord Record;
  FunctionProfile Profile(1, Record, classify);
  EXPECT_EQ(Profile.fate(7), LeafFate::NotSeen);
  Profile.noteFate(7, LeafFate::OtherInlining);
  Profile.noteFate(7, LeafFate::OtherCallee);
  EXPECT_EQ(Profile.fate(7), LeafFate::OtherInlining);
}

} // namespace
