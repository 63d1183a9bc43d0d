//===- unit/Annotate/PackedContextsTest.cpp -------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
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
    uint64_t Frame = 0;
    for (unsigned Depth = Random() % 30; Depth != 0; --Depth) {
      Frame = (Frame * 7 + Random() % FanOut) % NumFrames;
      // Ids of all sizes.
      Stack.push_back(Frame % 3 == 0   ? ~Frame - 8
                      : Frame % 3 == 1 ? Frame
                                       : Frame << 40);
    }
    Result.ByStack[Stack] = {
        Random() % 2 ? AllocationType::Cold : AllocationType::NotCold,
        Random() % 4 ? Random() : 0, CoarseWeight::fromCode(Random() % 256)};
  }
  return Result;
}

TEST(PackedContexts, ComeOutAsTheyWentIn) {
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 100; ++Round) {
    // Several allocations, which share some frames.
    struct Allocation {
      Ids Covered;
      Contexts Known;
      std::vector<ProfiledContext> List;
    };
    std::vector<Allocation> All(1 + Round % 5);
    ContextPacker Packer;
    for (auto [I, A] : enumerate(All)) {
      A.Covered = {77 + I};
      if (Round % 3)
        A.Covered.push_back(Round % 3);
      A.Known = randomContexts(Random, A.Covered);
      A.List = A.Known.list();
      EXPECT_EQ(Packer.add(A.List, A.Covered.size()), I);
    }
    std::string Packed = Packer.pack();
    auto Read = PackedContexts::read(cantFail(packedIn(nameOfPacked(Packed))));
    ASSERT_TRUE(static_cast<bool>(Read)) << toString(Read.takeError());
    ASSERT_EQ(Read->numAllocations(), All.size());
    // In any order.
    for (size_t I = All.size(); I-- != 0;) {
      const Allocation &A = All[I];
      size_t Next = 0;
      std::vector<uint32_t> Before;
      Error E = Read->unpack(I, [&](const UnpackedContext &C) {
        ASSERT_LT(Next, A.List.size());
        const ProfiledContext &Want = A.List[Next++];
        Ids Stack = A.Covered;
        ContextKey Key;
        for (uint32_t Frame : C.Callers)
          Stack.push_back(Read->stackId(Frame));
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
      EXPECT_EQ(Next, A.List.size());
    }
    Error E = Read->unpack(All.size(), [](const UnpackedContext &) {});
    EXPECT_TRUE(static_cast<bool>(E));
    consumeError(std::move(E));
  }
}

// LLVM prints names of summaries as they are, between quotes.
TEST(PackedContexts, AreANameThatCanBePrinted) {
  std::mt19937 Random(6);
  for (size_t Size = 0; Size != 300; ++Size) {
    std::string Bytes;
    // Zeros and ones at the end as well.
    for (const int Kind = Size % 3; Bytes.size() != Size;)
      Bytes += Kind == 0 ? Random() : Kind == 1 ? 0 : 0xff;
    std::string Name = nameOfPacked(Bytes);
    EXPECT_TRUE(all_of(Name, [](char C) {
      return isPrint(C) && C != ' ' && C != '"' && C != '\\';
    }));
    EXPECT_EQ(cantFail(packedIn(Name)), Bytes);
    EXPECT_TRUE(packedIdOf(Name));
    EXPECT_LE(Name.size(), 38 + (48 + Size + 7) * 16 / 13 + 2);
  }
  EXPECT_EQ(packedIdOf("thermocline.contexts.00"), std::nullopt);
  EXPECT_EQ(packedIdOf("main"), std::nullopt);
  EXPECT_EQ(toString(packedIn("thermocline.contexts.0000000000000000.\"\xff~~~")
                         .takeError()),
            "packed contexts: its head is damaged");
}

TEST(PackedContexts, AreReferredToBeforeBasisAndMark) {
  PackedReference To{4711, 3};
  std::vector<ContextTotalSize> Named;
  for (const ContextTotalSize &Word : To.encode())
    Named.push_back(Word);
  Named.push_back({99, 0});
  Named.push_back(ContextMark{ContextMark::Kind::Packed, {}, 1}.encode());
  auto Read = PackedReference::of(Named);
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->Id, 4711u);
  EXPECT_EQ(Read->Number, 3u);
  // More words: as they were packed before.
  Named.insert(Named.begin(), {5, 0});
  EXPECT_FALSE(PackedReference::of(Named));
  Named.back() = ContextMark{}.encode();
  EXPECT_FALSE(PackedReference::of(Named));
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
  ContextPacker Packer;
  Packer.add(List, 1);
  EXPECT_LT(Packer.pack().size(), List.size());
}

std::string packedRandomly(std::mt19937 &Random) {
  ContextPacker Packer;
  Contexts A = randomContexts(Random, {5}), B = randomContexts(Random, {6, 7});
  Packer.add(A.list(), 1);
  Packer.add(B.list(), 2);
  return Packer.pack();
}

TEST(PackedContexts, DamageIsAnError) {
  std::mt19937 Random(3);
  const std::string Name = nameOfPacked(packedRandomly(Random));
  // Behind the id.
  const size_t Begin = Name.find('.', strlen("thermocline.contexts.")) + 1;
  auto IsRefused = [](StringRef Other) {
    auto Read = packedIn(Other);
    bool Result = !Read;
    consumeError(Read.takeError());
    return Result;
  };
  EXPECT_FALSE(IsRefused(Name));
  for (unsigned Round = 0; Round != 500; ++Round) {
    std::string Other = Name;
    char &Letter = Other[Begin + Random() % (Other.size() - Begin)];
    Letter = Letter == 'A' ? 'B' : 'A';
    EXPECT_TRUE(IsRefused(Other));
  }
  for (size_t Size = Begin; Size != Name.size(); ++Size)
    EXPECT_TRUE(IsRefused(StringRef(Name).take_front(Size)));
}

// Whoever makes the checksum right gets an error or other contexts, and reads
// nothing else.
TEST(PackedContexts, AreCheckedBehindTheChecksum) {
  std::mt19937 Random(5);
  unsigned Refused = 0, Read = 0;
  for (unsigned Round = 0; Round != 3000; ++Round) {
    std::string Other = packedRandomly(Random);
    for (unsigned Change = 1 + Random() % 3; Change != 0; --Change)
      Other[Random() % Other.size()] = Random();
    auto Contexts = PackedContexts::read(Other);
    if (!Contexts) {
      consumeError(Contexts.takeError());
      ++Refused;
      continue;
    }
    for (size_t I = 0; I != Contexts->numAllocations(); ++I) {
      Error E = Contexts->unpack(I, [&](const UnpackedContext &C) {
        for (uint32_t Frame : C.Callers)
          ASSERT_LT(Frame, Contexts->numFrames());
      });
      ++(E ? Refused : Read);
      consumeError(std::move(E));
    }
  }
  EXPECT_GT(Refused, 100u);
  EXPECT_GT(Read, 100u);
}

} // namespace
