//===- unit/Annotate/PackedContextsTest.cpp -------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

using Ids = std::vector<uint64_t>;

/// Contexts of one allocation, sorted by stack, and what owns their stacks.
struct Contexts {
  struct What {
    AllocationType Type;
    uint64_t Size;
    CoarseWeight Weight = {};
  };
  std::map<Ids, What> ByStack;

  std::vector<ProfiledContext> list() const {
    std::vector<ProfiledContext> Result;
    for (const auto &[Stack, What] : ByStack)
      Result.push_back({Stack, 0, Bytes(What.Size), What.Type, What.Weight});
    return Result;
  }
};

/// Walks from the leaf through a small graph, in which frames recur.
Contexts randomContexts(std::mt19937 &Random, const Ids &Covered) {
  Contexts Result;
  const unsigned NumFrames = 1 + Random() % 40, FanOut = 1 + Random() % 4;
  const size_t Number = 1 + Random() % 300;
  for (size_t I = 0; I != Number; ++I) {
    Ids Stack = Covered;
    uint64_t At = 0;
    for (unsigned Depth = Random() % 30; Depth != 0; --Depth) {
      At = (At * 7 + Random() % FanOut) % NumFrames;
      // Ids of all sizes.
      Stack.push_back(At % 3 == 0 ? ~At - 8 : At % 3 == 1 ? At : At << 40);
    }
    Result.ByStack[Stack] = {
        Random() % 2 ? AllocationType::Cold : AllocationType::NotCold,
        Random() % 4 ? Random() : 0, CoarseWeight::fromCode(Random() % 256)};
  }
  return Result;
}

constexpr ContextTotalSize PackedMark = {2, 0};

/// The full contexts of the first MIB.
std::vector<ContextTotalSize> namedIn(const PackedContexts &Packed) {
  std::vector<ContextTotalSize> Result;
  for (uint64_t Word : Packed.Words)
    Result.push_back({Word, 0});
  Result.push_back(PackedMark);
  return Result;
}

FrameList framesOf(const PackedContexts &Packed, size_t NumCovered) {
  FrameList Result;
  for (const ListedContext &C : Packed.Listed)
    for (uint64_t Id : C.Stack.drop_front(NumCovered))
      Result.add(Id);
  return Result;
}

TEST(PackedContexts, ComeOutAsTheyWentIn) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 300; ++Round) {
    Ids Covered = {77};
    if (Round % 3)
      Covered.push_back(Round % 3);
    Contexts Known = randomContexts(Random, Covered);
    std::vector<ProfiledContext> List = Known.list();
    PackedContexts Packed = packContexts(List, Covered.size());
    auto Mark = ContextMark::of(namedIn(Packed));
    ASSERT_TRUE(Mark);
    ASSERT_EQ(Mark->Is, ContextMark::Kind::Packed);

    size_t Next = 0;
    const FrameList Frames = framesOf(Packed, Covered.size());
    std::vector<uint32_t> Before;
    Error E = unpackContexts(
        namedIn(Packed), Frames.ids(), [&](const UnpackedContext &C) {
          ASSERT_LT(Next, List.size());
          const ProfiledContext &Want = List[Next++];
          Ids Stack = Covered;
          ContextKey Key;
          for (uint32_t Place : C.Callers)
            Stack.push_back(Frames.ids()[Place]);
          ASSERT_LE(C.NumShared, Before.size());
          EXPECT_EQ(C.Callers.take_front(C.NumShared),
                    ArrayRef(Before).take_front(C.NumShared));
          Before = C.Callers.vec();
          for (uint64_t Id : Stack)
            Key.add(Id);
          EXPECT_EQ(ArrayRef(Stack), Want.Stack);
          EXPECT_EQ(C.IsCold, Want.Type == AllocationType::Cold);
          EXPECT_EQ(C.Size, Want.TotalSize);
          EXPECT_EQ(C.Weight, C.IsCold ? Want.Weight : CoarseWeight());
          EXPECT_EQ(C.Key, Key.get());
        });
    EXPECT_FALSE(static_cast<bool>(E));
    EXPECT_EQ(Next, List.size());
  }
}

// 64 cold contexts of 300 bytes below three functions of four calls each, and
// one of 1,000 that is not cold.
TEST(PackedContexts, ThoseFromBeforeThereWereWeightsAreRead) {
  FrameList Frames;
  const uint64_t Ids[] = {
      0x109d698938d52657, 0x26604306555f72fa, 0x1125f5ed35779bfb,
      0x1e4892217ba6532d, 0x3361bdedd3377be0, 0xf104ad835d50ffbc,
      0x2e87079fcfbab979, 0xa1aec490ce5b8eab, 0xf702567c434f3f3e,
      0x19da6af927ccb8ca, 0x1f256fec818b1e9d, 0xd3944174462902c6,
      0xf444402e5a2bf2f1};
  for (uint64_t Id : Ids)
    Frames.add(Id);
  std::vector<ContextTotalSize> Named;
  const uint64_t Words[] = {
      0x803c211a9ca4a901, 0x80b528770399d876, 0x80036d009960fd2f,
      0x8088640141040400, 0x800d110d2ccb3b8c, 0x8003020101010041,
      0x8000000055010341, 0x8001030201030201, 0x8007060525040302,
      0x800a080706010908, 0x80e802ac01820c0b, 0x80feffffffff0907,
      0x8030a01401ffffff, 0x8002b067ada58620, 0x80296ef339331ec2,
      0x806d300c2db06db0, 0x80b59138e897461b, 0x80dba4337ef06b80,
      0x800000029a0dc92c};
  for (uint64_t Word : Words)
    Named.push_back({Word, 0});
  Named.push_back(PackedMark);
  unsigned NumCold = 0, NumNotCold = 0;
  Error E = unpackContexts(Named, Frames.ids(), [&](const UnpackedContext &C) {
    ++(C.IsCold ? NumCold : NumNotCold);
    EXPECT_EQ(C.Size, Bytes(C.IsCold ? 300 : 1000));
    EXPECT_EQ(C.Callers.size(), C.IsCold ? 3U : 1U);
    EXPECT_FALSE(C.Weight.isKnown());
  });
  EXPECT_FALSE(static_cast<bool>(E));
  EXPECT_EQ(NumCold, 64U);
  EXPECT_EQ(NumNotCold, 1U);
}

// A stock linker that hints what the list says hints nothing that is not cold.
TEST(PackedContexts, ListSaysColdOnlyOfWhatIs) {
  std::mt19937 Random(2);
  for (unsigned Round = 0; Round != 300; ++Round) {
    Contexts Known = randomContexts(Random, {5});
    std::vector<ProfiledContext> List = Known.list();
    bool AnyNotCold = false;
    PackedContexts Packed = packContexts(List, 1);
    for (const ProfiledContext &C : List) {
      if (C.Type == AllocationType::Cold)
        continue;
      AnyNotCold = true;
      for (const ListedContext &Listed : Packed.Listed)
        if (Listed.Type == AllocationType::Cold)
          EXPECT_NE(C.Stack.take_front(Listed.Stack.size()), Listed.Stack);
    }
    const ListedContext &Last = Packed.Listed.back();
    EXPECT_EQ(Last.Type != AllocationType::Cold, AnyNotCold);
    if (AnyNotCold)
      for (const ProfiledContext &C : List)
        EXPECT_EQ(C.Stack.take_front(Last.Stack.size()), Last.Stack);
  }
}

// As where functions of one module share a caller chain: each context has a
// hundred and more frames that others have, too.
TEST(PackedContexts, DeepContextsTakeFewBytes) {
  Contexts Known;
  for (unsigned Leaf = 0; Leaf != 40; ++Leaf)
    for (unsigned Depth = 60; Depth != 250; ++Depth) {
      Ids Stack = {1, 100 + Leaf};
      for (unsigned I = 0; I != Depth; ++I)
        Stack.push_back(200 + I % 3);
      Stack.push_back(300);
      Known.ByStack[Stack] = {AllocationType::Cold, 8 * Depth};
    }
  std::vector<ProfiledContext> List = Known.list();
  PackedContexts Packed = packContexts(List, 1);
  EXPECT_LT(Packed.Words.size() * sizeof(uint64_t), 2 * List.size());
  size_t Frames = 0;
  for (const ListedContext &C : Packed.Listed)
    Frames += C.Stack.size();
  EXPECT_LT(Frames, 500u);
}

// Random stacks of frames that hardly recur have nothing to share.
TEST(PackedContexts, AreNotSmallerWhereNothingIsShared) {
  std::mt19937_64 Random(4);
  Contexts Random10, Regular;
  for (unsigned I = 0; I != 200; ++I) {
    Ids Stack = {1}, Shared = {1};
    for (unsigned Depth = 0; Depth != 10; ++Depth) {
      Stack.push_back(Random());
      Shared.push_back(2 * Depth + (I >> Depth & 1));
    }
    Random10.ByStack[Stack] = {AllocationType::Cold, 8};
    Regular.ByStack[Shared] = {AllocationType::Cold, 8};
  }
  EXPECT_FALSE(isSmallerPacked(Random10.list()));
  EXPECT_TRUE(isSmallerPacked(Regular.list()));
}

TEST(PackedContexts, DamageIsAnError) {
  std::mt19937 Random(3);
  Contexts Known = randomContexts(Random, {5});
  std::vector<ProfiledContext> List = Known.list();
  PackedContexts Packed = packContexts(List, 1);
  const FrameList Frames = framesOf(Packed, 1);
  auto Refused = [&](const std::vector<ContextTotalSize> &Named,
                     const FrameList &Of) {
    Error E = unpackContexts(Named, Of.ids(), [](const UnpackedContext &) {});
    bool Result = static_cast<bool>(E);
    consumeError(std::move(E));
    return Result;
  };
  EXPECT_FALSE(Refused(namedIn(Packed), Frames));
  for (unsigned Round = 0; Round != 500; ++Round) {
    std::vector<ContextTotalSize> Named = namedIn(Packed);
    // Of the last word only the beginning may count, of all no topmost byte.
    Named[Random() % (Packed.Words.size() - 1)].FullStackId ^= uint64_t(1)
                                                               << Random() % 56;
    EXPECT_TRUE(Refused(Named, Frames));
  }
  std::vector<ContextTotalSize> Short = namedIn(Packed);
  Short.erase(Short.begin() + Short.size() / 2, Short.end() - 1);
  EXPECT_TRUE(Refused(Short, Frames));
  EXPECT_TRUE(Refused({PackedMark}, Frames));
  // Frames of another allocation.
  FrameList Others;
  for (uint64_t Id : Frames.ids())
    Others.add(Id ^ 1);
  EXPECT_TRUE(Refused(namedIn(Packed), Others));
}

} // namespace
