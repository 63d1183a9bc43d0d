//===- Runtime/Measure/ContextFinderTest.cpp - Contexts of made-up stacks -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/ContextFinder.h"
#include "unwind/ThreadStack.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <ostream>
#include <pthread.h>
#include <random>
#include <streambuf>
#include <sys/mman.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

constexpr size_t StackWords = 32 * 1024;

/// Frames as calls leave them, in an array that lies on the test's own stack.
class MadeUpStack {
public:
  explicit MadeUpStack(uintptr_t *Words) : Words(Words) {}

  struct Frame {
    /// From the frame before, in words.
    size_t Distance;
    uintptr_t ReturnAddress;
  };

  /// \p Last is what the outermost frame has for the next one's address.
  Caller make(const std::vector<Frame> &Frames, size_t Begin, uintptr_t Last) {
    Places.clear();
    size_t Word = Begin;
    for (const Frame &F : Frames) {
      Word += Places.empty() ? 0 : F.Distance;
      Places.push_back(Word);
    }
    for (size_t I = 0; I != Frames.size(); ++I) {
      Words[Places[I]] =
          I + 1 != Frames.size()
              ? reinterpret_cast<uintptr_t>(&Words[Places[I + 1]])
              : Last;
      Words[Places[I] + 1] = Frames[I].ReturnAddress;
    }
    return {&Words[Places[0]], Frames[0].ReturnAddress};
  }

  uintptr_t &savedFrame(size_t Call) { return Words[Places[Call]]; }
  uintptr_t &returnAddress(size_t Call) { return Words[Places[Call] + 1]; }

private:
  uintptr_t *Words;
  std::vector<size_t> Places;
};

/// Some contexts, and two ways to find them.
struct Finders {
  Contexts Known;
  ContextFinder Finder;
  std::unique_ptr<ContextGuesses> Guesses = std::make_unique<ContextGuesses>();

  Finders() {
    initializeStacks();
    EXPECT_TRUE(Known.initialize({1 << 24, 100000, 4096}));
    Finder.initialize(&Known);
  }
  ContextId find(Caller Site) { return Finder.find(Site, *Guesses); }
  /// What the walk alone finds.
  ContextId walk(Caller Site) {
    std::vector<uint64_t> Calls(Finder.Use.Limit);
    StackShape Shape;
    size_t Count = captureCalls(Site, Finder.Use, Calls.data(), Shape);
    return Known.find(Calls.data(), Count);
  }
};

std::vector<MadeUpStack::Frame> randomFrames(std::mt19937 &Random,
                                             size_t Count) {
  std::vector<MadeUpStack::Frame> Frames;
  for (size_t I = 0; I != Count; ++I) {
    size_t Distance = 2 * (1 + Random() % 12);
    // Too large for a step, or not aligned as the ABI wants it.
    if (Random() % 200 == 0)
      Distance = 600;
    if (Random() % 200 == 0)
      Distance = 5;
    Frames.push_back({Distance, 0x10000 + Random() % 3 * 16});
  }
  return Frames;
}

} // namespace

TEST(ContextFinderTest, FindsWhatTheWalkFinds) {
  alignas(16) uintptr_t Words[StackWords] = {};
  MadeUpStack Stack(Words);
  auto F = std::make_unique<Finders>();
  std::mt19937 Random(11);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    size_t Count = 1 + Random() % (Round % 3 ? 60 : 300);
    std::vector<MadeUpStack::Frame> Frames = randomFrames(Random, Count);
    size_t Begin = 2 * (Random() % 64);
    constexpr uintptr_t Ends[] = {0, 1, UINTPTR_MAX - 7};
    uintptr_t End = Ends[Random() % 3];
    Caller Site = Stack.make(Frames, Begin, End);
    ContextId First = F->find(Site);
    ASSERT_EQ(First, F->walk(Site));
    ASSERT_EQ(First, F->find(Site));
    // One thing of it has changed, while the guess stays what it was.
    size_t Which = Random() % Count;
    switch (Random() % 4) {
    case 0:
      Stack.returnAddress(Which) += 16;
      break;
    case 1:
      // A frame less, more or nothing that could be one.
      Stack.savedFrame(Which) +=
          Random() % 2 ? 16 : static_cast<uintptr_t>(-16);
      break;
    case 2:
      Stack.savedFrame(Which) = Ends[Random() % 3];
      break;
    case 3:
      // The same calls, of which one has a larger frame.
      Frames[Which].Distance += 2;
      Site = Stack.make(Frames, Begin, End);
      ASSERT_EQ(F->find(Site), First);
      break;
    }
    Site.ReturnAddress = Stack.returnAddress(0);
    ASSERT_EQ(F->find(Site), F->walk(Site));
  }
}

// A walk that followed nothing would find the same, one frame after the other.
TEST(ContextFinderTest, FollowsKnownSteps) {
  alignas(16) uintptr_t Words[StackWords] = {};
  MadeUpStack Stack(Words);
  auto F = std::make_unique<Finders>();
  constexpr size_t Count = 61;
  Caller Site =
      Stack.make(std::vector<MadeUpStack::Frame>(Count, {8, 0x10000}), 0, 0);
  ContextId Id = F->find(Site);
  FrameSteps Steps = F->Known.stepsOf(Id);
  ASSERT_EQ(Steps.Count, Count);
  EXPECT_EQ(FrameWalk(Site).follow(F->Known.callsOf(Id).First, Steps, 1),
            Count);
  // Up to the four in which one differs.
  Stack.returnAddress(30) += 16;
  EXPECT_EQ(FrameWalk(Site).follow(F->Known.callsOf(Id).First, Steps, 1), 29u);
}

TEST(ContextFinderTest, KeepsToTheLimitOfCalls) {
  alignas(16) uintptr_t Words[StackWords] = {};
  MadeUpStack Stack(Words);
  std::mt19937 Random(12);
  for (size_t Limit : {1, 2, 3, 12, 13, 24, 25, 100}) {
    auto F = std::make_unique<Finders>();
    F->Finder.Use.Limit = Limit;
    for (size_t Count = 1; Count != 130; ++Count) {
      Caller Site = Stack.make(randomFrames(Random, Count), 0, 0);
      ContextId Id = F->find(Site);
      EXPECT_EQ(F->Known.callsOf(Id).Size, std::min(Limit, Count));
      EXPECT_EQ(F->find(Site), Id);
      EXPECT_EQ(F->walk(Site), Id);
    }
  }
}

namespace {
struct ShallowThread {
  Finders *F;
  std::vector<MadeUpStack::Frame> Frames;
  ContextId Found = ContextId::None;
};
} // namespace

static void *findNearTheEnd(void *Argument) {
  auto &T = *static_cast<ShallowThread *>(Argument);
  alignas(16) uintptr_t Words[256] = {};
  MadeUpStack Stack(Words);
  T.Found = T.F->find(Stack.make(T.Frames, 0, 0));
  return nullptr;
}

// A wrong guess has frames where this thread's stack has ended.
TEST(ContextFinderTest, StaysWithinTheStack) {
  alignas(16) uintptr_t Words[StackWords] = {};
  MadeUpStack Stack(Words);
  auto F = std::make_unique<Finders>();
  std::vector<MadeUpStack::Frame> Shallow(40, {2, 0x10000}), Deep = Shallow;
  Deep.resize(60, {510, 0x10000});
  ContextId DeepId = F->find(Stack.make(Deep, 0, 0));
  ASSERT_EQ(F->Known.stepsOf(DeepId).Count, Deep.size());

  constexpr size_t StackBytes = 256 * 1024, GuardBytes = 1024 * 1024;
  void *Memory = mmap(nullptr, StackBytes + GuardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Memory, MAP_FAILED);
  char *End = static_cast<char *>(Memory) + StackBytes;
  ASSERT_EQ(mprotect(End, GuardBytes, PROT_NONE), 0);
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  ASSERT_EQ(pthread_attr_setstack(&Attributes, Memory, StackBytes), 0);
  ShallowThread T = {F.get(), Shallow};
  pthread_t Thread;
  ASSERT_EQ(pthread_create(&Thread, &Attributes, findNearTheEnd, &T), 0);
  pthread_join(Thread, nullptr);
  pthread_attr_destroy(&Attributes);
  munmap(Memory, StackBytes + GuardBytes);
  EXPECT_NE(T.Found, DeepId);
  EXPECT_EQ(T.Found, F->walk(Stack.make(Shallow, 0, 0)));
}

// Recursion that is deeper than what is kept has few contexts in very many
// frames, which are told by their calls.
TEST(ContextFinderTest, DeepRecursionNeedsNoSecondContext) {
  alignas(16) uintptr_t Words[StackWords] = {};
  MadeUpStack Stack(Words);
  auto F = std::make_unique<Finders>();
  F->Finder.Use.Limit = 50;
  std::vector<MadeUpStack::Frame> Frames;
  for (unsigned I = 0; I != 2000; ++I)
    Frames.push_back({8, 0x10000 + I % 4 * 16});
  Stack.make(Frames, 0, 0);
  for (unsigned I = 0; I != 1900; ++I)
    F->find({&Words[size_t(I) * 8], Frames[I].ReturnAddress});
  EXPECT_EQ(F->Known.size(), 4u);
}

namespace {
/// The finder at work below code that keeps no frame pointers: libc's and the
/// C++ library's.
struct BelowLibraries : std::streambuf {
  std::unique_ptr<Finders> F = std::make_unique<Finders>();
  std::unique_ptr<UnwindRules> Rules = std::make_unique<UnwindRules>();
  std::ostream Stream{this};
  unsigned Compared = 0;

  explicit BelowLibraries(size_t Limit) {
    Rules->enable();
    F->Finder.Use.Rules = Rules.get();
    F->Finder.Use.Limit = Limit;
  }
  __attribute__((noinline)) void compare() {
    Caller Site = THERMOCLINE_CALLER;
    ContextId Id = F->find(Site);
    EXPECT_EQ(Id, F->walk(Site));
    EXPECT_EQ(Id, F->find(Site));
    ++Compared;
  }
  int overflow(int Char) override {
    compare();
    return Char;
  }
  static BelowLibraries *Present;
};
BelowLibraries *BelowLibraries::Present;
} // namespace

static int compareBelow(const void *A, const void *B) {
  BelowLibraries::Present->compare();
  return *static_cast<const int *>(A) - *static_cast<const int *>(B);
}

__attribute__((noinline)) static void recurseInto(unsigned Depth) {
  BelowLibraries &B = *BelowLibraries::Present;
  if (Depth) {
    recurseInto(Depth - 1);
  } else {
    int Numbers[] = {3, 1, 4, 1, 5};
    qsort(Numbers, std::size(Numbers), sizeof(int), compareBelow);
  }
  // From each depth on the way back.
  B.Stream << Depth << std::endl;
  B.compare();
}

TEST(ContextFinderTest, FindsWhatTheWalkFindsBelowLibraries) {
  for (size_t Limit : {5, 20, 256}) {
    BelowLibraries B(Limit);
    BelowLibraries::Present = &B;
    for (unsigned Depth : {0, 1, 3, 10, 11, 10, 300, 40, 300, 0})
      recurseInto(Depth);
    EXPECT_GT(B.Compared, 2000u);
    // Those above the limit differ in what lies on top only.
    EXPECT_GT(B.F->Known.size(), 10u);
  }
}
