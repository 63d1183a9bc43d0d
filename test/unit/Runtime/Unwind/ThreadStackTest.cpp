//===- unit/Runtime/Unwind/ThreadStackTest.cpp ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bounds of stacks are those that libc tells. If a version of libc keeps
// them otherwise, this fails; programs only become slower.
//
//===----------------------------------------------------------------------===//

#include "unwind/ThreadStack.h"
#include "platform/Lock.h"
#include "gtest/gtest.h"
#include <pthread.h>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

uintptr_t here() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

/// What libc says of this thread's stack, and what is found.
struct Bounds {
  uintptr_t LibcLow = 0, LibcHigh = 0;
  StackRange Found;
  uintptr_t Frame = 0;

  void read() {
    pthread_attr_t Attributes;
    void *Low;
    size_t Size;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &Attributes), 0);
    ASSERT_EQ(pthread_attr_getstack(&Attributes, &Low, &Size), 0);
    pthread_attr_destroy(&Attributes);
    LibcLow = reinterpret_cast<uintptr_t>(Low);
    LibcHigh = LibcLow + Size;
    Frame = here();
    Found = stackOf(Frame);
  }
};

void *readBounds(void *Result) {
  static_cast<Bounds *>(Result)->read();
  return nullptr;
}

void expectBounds(const pthread_attr_t *Attributes, size_t GuardBytes) {
  Bounds B;
  pthread_t Thread;
  ASSERT_EQ(pthread_create(&Thread, Attributes, readBounds, &B), 0);
  pthread_join(Thread, nullptr);
  // libc leaves out the guard.
  EXPECT_LE(B.Found.Low, B.LibcLow);
  EXPECT_GE(B.Found.Low + GuardBytes, B.LibcLow);
  // And has its own block, and the thread's variables, at the upper end.
  EXPECT_LE(B.Found.High, B.LibcHigh);
  EXPECT_GT(B.Found.High + 8192, B.LibcHigh);
  EXPECT_GT(B.Found.High, B.Frame);
}

TEST(ThreadStackTest, IsThatWhichLibcTells) {
  initializeStacks();
  expectBounds(nullptr, 4096);
}

TEST(ThreadStackTest, OfAnySizeAndGuard) {
  for (size_t Size : {64u << 10, 1u << 20, 100u << 20})
    for (size_t Guard : {0u, 1u, 4096u, 32768u}) {
      pthread_attr_t Attributes;
      pthread_attr_init(&Attributes);
      ASSERT_EQ(pthread_attr_setstacksize(&Attributes, Size), 0);
      ASSERT_EQ(pthread_attr_setguardsize(&Attributes, Guard), 0);
      expectBounds(&Attributes, Guard + 4096);
      pthread_attr_destroy(&Attributes);
    }
}

TEST(ThreadStackTest, ThatTheProgramGives) {
  std::vector<char> Memory(1 << 20);
  for (size_t Offset = 0; Offset < 4096; Offset += 112) {
    pthread_attr_t Attributes;
    pthread_attr_init(&Attributes);
    ASSERT_EQ(pthread_attr_setstack(&Attributes, Memory.data() + Offset,
                                    Memory.size() - 2 * Offset),
              0);
    expectBounds(&Attributes, 0);
    pthread_attr_destroy(&Attributes);
  }
}

TEST(ThreadStackTest, OfManyThreadsAtOnce) {
  // Small ones, one right behind another: their blocks name each other.
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, 64 << 10);
  pthread_attr_setguardsize(&Attributes, 0);
  std::vector<Bounds> All(100);
  std::vector<pthread_t> Threads(All.size());
  for (size_t I = 0; I != All.size(); ++I)
    ASSERT_EQ(pthread_create(&Threads[I], &Attributes, readBounds, &All[I]), 0);
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
  pthread_attr_destroy(&Attributes);
  for (const Bounds &B : All) {
    EXPECT_EQ(B.Found.Low, B.LibcLow);
    EXPECT_LE(B.Found.High, B.LibcHigh);
    EXPECT_GT(B.Found.High, B.Frame);
  }
}

StackRange OnOther;
ucontext_t Main, Other;

TEST(ThreadStackTest, IsNoOther) {
  std::thread([] {
    static char Memory[64 << 10];
    getcontext(&Other);
    Other.uc_stack.ss_sp = Memory;
    Other.uc_stack.ss_size = sizeof(Memory);
    Other.uc_link = &Main;
    makecontext(&Other, +[] { OnOther = stackOf(here()); }, 0);
    OnOther.High = 1;
    swapcontext(&Main, &Other);
    EXPECT_EQ(OnOther.High, 0u);
    EXPECT_NE(stackOf(here()).High, 0u);
  }).join();
}

TEST(ThreadStackTest, OfTheMainThreadIsKnownToAll) {
  initializeStacks();
  uintptr_t OnMain = here();
  StackRange Here = stackOf(OnMain), There;
  std::thread([&] { There = stackOf(OnMain); }).join();
  EXPECT_TRUE(Here.contains(OnMain));
  EXPECT_EQ(Here.High, There.High);
}

TEST(ThreadStackTest, IsNotTakenFromOtherWords) {
  alignas(64) static uintptr_t Block[512];
  auto Begin = reinterpret_cast<uintptr_t>(Block);
  auto Put = [&](uintptr_t Low, uintptr_t Size, uintptr_t Guard) {
    Block[200] = Low;
    Block[201] = Size;
    Block[202] = Block[203] = Guard;
    return findStack(Block).High != 0;
  };
  uintptr_t Low = Begin - 65536, Size = 65536 + 2304;
  EXPECT_TRUE(Put(Low, Size, 4096));
  // A guard as large as the stack, and a size that leads elsewhere.
  EXPECT_FALSE(Put(Low, Size, Size + 1));
  EXPECT_FALSE(Put(Low, 65536, 4096));
  EXPECT_FALSE(Put(Low, 65536 + 64, 4096));
  EXPECT_FALSE(Put(Low, 65536 + 16384, 4096));
  EXPECT_FALSE(Put(Begin + 4096, Size, 4096));
  EXPECT_FALSE(Put(0, Begin + 2304, 4096));
}

} // namespace
