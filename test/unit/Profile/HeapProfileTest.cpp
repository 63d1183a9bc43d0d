//===- unit/Profile/HeapProfileTest.cpp - Merging by context --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/StackIds.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

static MemInfoBlock mib(uint32_t Size, uint64_t Accesses, uint32_t From,
                        uint32_t To, uint32_t Cpu) {
  return MemInfoBlock(Size, Accesses, From, To, Cpu, Cpu + 1, 0, 0);
}

/// alloc, inlined into f, called by main.
static std::vector<Frame> context(uint32_t Line) {
  return {Frame(1, Line, 1, true), Frame(2, 5, 1, false),
          Frame(3, 9, 1, false)};
}

TEST(MergeBlocksTest, AddsTotalsAndWidensBounds) {
  MemInfoBlock A = mib(64, 10, 100, 300, 1);
  mergeBlocks(A, mib(32, 1, 50, 60, 2));
  EXPECT_EQ(+A.AllocCount, 2u);
  EXPECT_EQ(+A.TotalSize, 96u);
  EXPECT_EQ(+A.MinSize, 32u);
  EXPECT_EQ(+A.MaxSize, 64u);
  EXPECT_EQ(+A.TotalAccessCount, 11u);
  EXPECT_EQ(+A.TotalLifetime, 210u);
  EXPECT_EQ(+A.MinLifetime, 10u);
  EXPECT_EQ(+A.MaxLifetime, 200u);
  EXPECT_EQ(+A.NumMigratedCpu, 2u);
  // Of the allocation that was freed last.
  EXPECT_EQ(+A.AllocTimestamp, 100u);
  EXPECT_EQ(+A.DeallocTimestamp, 300u);
  EXPECT_EQ(+A.AllocCpuId, 1u);
  // Times and CPUs of different runs are not compared.
  EXPECT_EQ(+A.NumLifetimeOverlaps, 0u);
  EXPECT_EQ(+A.NumSameAllocCpu, 0u);
}

TEST(MergeBlocksTest, CountsStayAtTheMost) {
  MemInfoBlock Many = mib(8, 1, 0, 10, 1);
  Many.AllocCount = 3000000000;
  MemInfoBlock OfRuns = Many, OfDumps = Many;
  mergeBlocks(OfRuns, Many);
  mergeLaterBlock(OfDumps, Many);
  EXPECT_EQ(+OfRuns.AllocCount, MostAllocations);
  EXPECT_EQ(+OfDumps.AllocCount, MostAllocations);
  EXPECT_EQ(tooManyAllocationsText(2),
            "2 contexts have 4,294,967,295 allocations or more, which is as "
            "far as a profile counts: what is said of one allocation is too "
            "much there");
}

TEST(MergeBlocksTest, WhatNobodyCountsIsSoOfMoreAllocationsThanCount) {
  for (auto Merge : {mergeBlocks, mergeLaterBlock}) {
    MemInfoBlock Many = mib(8, 0, 0, 10, 1);
    Many.AllocCount = 3000000000;
    forgetAccesses(Many);
    MemInfoBlock Sum = Many;
    Merge(Sum, Many);
    EXPECT_EQ(accessKind(Sum), AccessKind::Watched);
  }
}

TEST(MergeBlocksTest, OrderDoesNotMatter) {
  std::vector<MemInfoBlock> Blocks = {
      mib(64, 10, 100, 300, 1), mib(32, 1, 50, 300, 2), mib(8, 0, 0, 1, 3)};
  std::vector<size_t> Order = {0, 1, 2};
  MemInfoBlock First = Blocks[0];
  mergeBlocks(First, Blocks[1]);
  mergeBlocks(First, Blocks[2]);
  do {
    MemInfoBlock Merged = Blocks[Order[0]];
    mergeBlocks(Merged, Blocks[Order[1]]);
    mergeBlocks(Merged, Blocks[Order[2]]);
    EXPECT_TRUE(Merged == First);
  } while (std::next_permutation(Order.begin(), Order.end()));
}

TEST(MergeBlocksTest, CountsSaturate) {
  MemInfoBlock A = mib(64, 10, 0, 1, 1);
  A.AllocCount = UINT32_MAX - 1;
  MemInfoBlock B = A;
  mergeBlocks(A, B);
  EXPECT_EQ(+A.AllocCount, UINT32_MAX);
}

TEST(HeapProfileTest, EqualContextsAreOne) {
  HeapProfile P;
  P.addContext(context(1), mib(64, 0, 0, 1, 0));
  P.addContext(context(2), mib(64, 0, 0, 1, 0));
  P.addContext(context(1), mib(64, 0, 0, 1, 0));
  EXPECT_EQ(P.numContexts(), 2u);
  uint64_t Bytes = 0;
  P.forEachContext([&](ArrayRef<Frame> Frames, const MemInfoBlock &Info) {
    EXPECT_EQ(Frames.size(), 3u);
    Bytes += Info.TotalSize;
  });
  EXPECT_EQ(Bytes, 192u);
}

TEST(HeapProfileTest, ContextsBelongToAllFunctionsTheCallWasInlinedThrough) {
  HeapProfile P;
  P.addContext(context(1), mib(64, 0, 0, 1, 0));
  IndexedMemProfData Tables = P.tables(getFullSchema());
  ASSERT_EQ(Tables.Records.size(), 3u);
  EXPECT_EQ(Tables.Records[1].AllocSites.size(), 1u);
  EXPECT_EQ(Tables.Records[1].CallSites.size(), 0u);
  EXPECT_EQ(Tables.Records[2].AllocSites.size(), 1u);
  EXPECT_EQ(Tables.Records[2].CallSites.size(), 1u);
  EXPECT_EQ(Tables.Records[3].AllocSites.size(), 0u);
  EXPECT_EQ(Tables.Records[3].CallSites.size(), 1u);
}

TEST(HeapProfileTest, CallsNameWhatTheyLedToByBytes) {
  HeapProfile P;
  // main calls 4 or 5 through a pointer. 5 was inlined into 2.
  const Frame Call(3, 9, 1, false);
  P.addContext({Frame(4, 1, 1, false), Call}, mib(64, 0, 0, 1, 0));
  P.addContext({Frame(5, 1, 1, true), Frame(2, 1, 1, false), Call},
               mib(32, 0, 0, 1, 0));
  P.addContext({Frame(5, 2, 1, true), Frame(2, 1, 1, false), Call},
               mib(48, 0, 0, 1, 0));
  IndexedMemProfData Tables = P.tables(getFullSchema());
  ASSERT_EQ(Tables.Records[3].CallSites.size(), 1u);
  const GlobalValue::GUID ByBytes[] = {2, 4};
  EXPECT_EQ(ArrayRef(Tables.Records[3].CallSites[0].CalleeGuids),
            ArrayRef(ByBytes));
  // The call that an allocation was inlined into is known by its frames.
  for (const IndexedCallSiteInfo &Site : Tables.Records[2].CallSites)
    EXPECT_TRUE(Site.CalleeGuids.empty());
}

// Which come first of those that as much was allocated in depends on no GUID.
TEST(HeapProfileTest, SourceDecidesBetweenCalleesOfEqualBytes) {
  const Frame Call(3, 9, 1, false);
  auto CalleesOf = [&](ArrayRef<GlobalValue::GUID> GUIDs, bool Named) {
    HeapProfile P;
    uint32_t Line = 0;
    for (GlobalValue::GUID Callee : GUIDs)
      P.addContext({Frame(Callee, ++Line, 1, false), Call},
                   mib(64, 0, 0, 1, 0));
    if (Named)
      P.setNames([&](GlobalValue::GUID F) {
        return std::string(1, "cab"[find(GUIDs, F) - GUIDs.begin()]);
      });
    std::vector<GlobalValue::GUID> Result;
    for (const auto &[Site, Callees] : P.callsites())
      Result.assign(Callees.begin(), Callees.end());
    return Result;
  };
  for (auto [A, B, C] : {std::tuple(7, 5, 6), {5, 6, 7}, {6, 7, 5}}) {
    using GUIDs = std::vector<GlobalValue::GUID>;
    const GUIDs All = {GlobalValue::GUID(A), GlobalValue::GUID(B),
                       GlobalValue::GUID(C)};
    EXPECT_EQ(CalleesOf(All, /*Named=*/true), (GUIDs{All[1], All[2], All[0]}));
    EXPECT_EQ(CalleesOf(All, /*Named=*/false), All);
  }
}

TEST(HeapProfileTest, TablesDoNotDependOnTheOrder) {
  HeapProfile A, B;
  for (uint32_t I = 0; I != 20; ++I) {
    A.addContext(context(I), mib(I + 1, I, 0, 1, 0));
    B.addContext(context(19 - I), mib(20 - I, 19 - I, 0, 1, 0));
  }
  A.addRuns(RunInfo::oneRun(Milliseconds(5)));
  B.addRuns(RunInfo::oneRun(Milliseconds(5)));
  IndexedMemProfData TA = A.tables(getFullSchema());
  IndexedMemProfData TB = B.tables(getFullSchema());
  auto Equal = [](auto &X, auto &Y) {
    ASSERT_EQ(X.size(), Y.size());
    auto It = Y.begin();
    for (const auto &Entry : X) {
      EXPECT_EQ(Entry.first, It->first);
      EXPECT_TRUE(Entry.second == It->second);
      ++It;
    }
  };
  Equal(TA.Records, TB.Records);
  Equal(TA.Frames, TB.Frames);
  Equal(TA.CallStacks, TB.CallStacks);
}

TEST(HeapProfileTest, AnInlinedLastFrameIsTolerated) {
  HeapProfile P;
  P.addContext({Frame(1, 1, 1, true)}, mib(64, 0, 0, 1, 0));
  EXPECT_EQ(P.tables(getFullSchema()).Records.size(), 1u);
}

TEST(StackIdTest, HighBitsOfTheLineOffsetDoNotCount) {
  EXPECT_EQ(raw(computeStackId(Frame(1, 0x10002, 3, false))),
            raw(computeStackId(1, 2, 3)));
  EXPECT_NE(raw(computeStackId(1, 2, 3)), raw(computeStackId(1, 3, 3)));
  EXPECT_NE(raw(computeStackId(1, 2, 3)), raw(computeStackId(1, 2, 4)));
}

/// What forEachTouched says of each context, by its bytes.
static std::map<uint64_t, std::optional<uint64_t>>
touchedIds(const HeapProfile &P) {
  std::map<uint64_t, std::optional<uint64_t>> Result;
  P.forEachTouched(
      [&](std::optional<uint64_t> Id, const HeapProfile::Context &C) {
        Result[+C.Info.TotalSize] = Id;
      });
  return Result;
}

TEST(HeapProfileTest, WhatHasTheIdOfATouchedContextIsToldById) {
  HeapProfile P;
  std::vector<Frame> NotInlined = context(1);
  NotInlined.front().IsInlineFrame = false;
  P.addContext(context(1), mib(1, 0, 0, 1, 0));
  P.addContext(NotInlined, mib(2, 0, 0, 1, 0));
  P.addContext(context(2), mib(3, 0, 0, 1, 0));
  for (const auto &[Bytes, Id] : touchedIds(P))
    EXPECT_FALSE(Id) << Bytes;

  const RunLayout Layout(std::vector<RawWindow>{{1000, 0, ""}});
  ContextTouches Touches;
  Touches.Objects.Windows.assign(1, {5, 80, 1, 1});
  P.addTouches(context(1), P.addGrid(Layout.grid()), Layout.layOut(Touches));
  const auto Known = touchedIds(P);
  ASSERT_EQ(Known.size(), 3u);
  EXPECT_EQ(Known.at(1), computeFullStackId(context(1)));
  EXPECT_EQ(Known.at(2), Known.at(1));
  EXPECT_FALSE(Known.at(3));

  P.forgetTouches();
  for (const auto &[Bytes, Id] : touchedIds(P))
    EXPECT_FALSE(Id) << Bytes;
}

// Frames are missing between main and f in one of two contexts.
TEST(HeapProfileTest, MarksWhatWasReachedByFunctionsWithoutAFrame) {
  HeapProfile P;
  P.addContext(context(1), mib(1, 0, 0, 1, 0));
  auto CalleesOfMain = [&] {
    for (const auto &[Site, Callees] : P.callsites())
      if (Site.second == 3)
        return std::vector<uint64_t>(Callees.begin(), Callees.end());
    return std::vector<uint64_t>();
  };
  EXPECT_EQ(CalleesOfMain(), std::vector<uint64_t>({2}));
  P.addContext(context(2), mib(1, 0, 0, 1, 0));
  P.noteMissingFrames(1);
  EXPECT_EQ(CalleesOfMain(), std::vector<uint64_t>({2, interruptedMark(2)}));
}

TEST(HeapProfileTest, CallsThatMayBeOfAnythingSaySo) {
  // Innermost calls of main: known to be of an allocation function; known not
  // to be; both, in either order; not known.
  using enum AllocatingCall;
  const std::pair<uint32_t, std::vector<AllocatingCall>> Calls[] = {
      {1, {Allocator}},        {2, {Other}},  {3, {Allocator, Other}},
      {4, {Other, Allocator}}, {5, {Either}}, {6, {Other, Either}},
      {7, {Allocator, Either}}};
  HeapProfile Profile;
  for (const auto &[Line, Kinds] : Calls) {
    const HeapProfile::FrameIndex Index =
        Profile.addFrame(Frame(3, Line, 1, false));
    for (AllocatingCall Is : Kinds) {
      HeapProfile::Context &C = Profile.enterContext(Index);
      HeapProfile::addMeasures(C, mib(8, 0, 0, 1, 1));
      Profile.noteAllocatingCall(C, Is);
    }
  }
  std::map<uint32_t, HeapProfile::Callees> ByLine;
  for (const auto &[Site, Callees] : Profile.callsites())
    ByLine[Profile.frame(Profile.stacks().frame(Site.first)).LineOffset] =
        Callees;
  auto Has = [&](uint32_t Line, GlobalValue::GUID GUID) {
    return llvm::is_contained(ByLine[Line], GUID);
  };
  EXPECT_EQ(ByLine.size(), 6u);
  EXPECT_TRUE(Has(2, anythingGUID()) && !Has(2, allocatorGUID()));
  for (uint32_t Line : {3, 4, 5, 6, 7})
    EXPECT_TRUE(Has(Line, anythingGUID()) && Has(Line, allocatorGUID()));
}
