//===- unit/Runtime/Platform/OwnerLockTest.cpp - Tests of the owner's lock ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "platform/OwnerLock.h"
#include "platform/System.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>
#include <vector>

using namespace thermocline::runtime;

namespace {

/// What the lock guards: two numbers that are equal but for the time in which
/// somebody changes them, and are neither atomic nor kept in registers.
struct Guarded {
  OwnerLock Mutex;
  volatile uint64_t First = 0;
  volatile uint64_t Second = 0;
  std::atomic<bool> WasTorn = false;

  void change() {
    uint64_t Before = First;
    First = Before + 1;
    if (Second != Before)
      WasTorn = true;
    Second = Before + 1;
  }
};

/// ThreadSanitizer makes each change take long, and sees a race at once.
#if __has_feature(thread_sanitizer)
constexpr unsigned Hundred = 10;
#else
constexpr unsigned Hundred = 100;
#endif

/// Others want the lock now and then, and not all the time: nothing keeps them
/// from taking it again before the owner has looked.
void rest() {
  for (int I = 0; I != 20; ++I)
    std::this_thread::yield();
}

class OwnerLockKinds : public testing::TestWithParam<OwnerLock::Kind> {
protected:
  void SetUp() override {
    // Also the tests' own condition: this kernel has membarrier.
    ASSERT_TRUE(sys::registerForBarriers());
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(OwnerLock, OwnerLockKinds,
                         testing::Values(OwnerLock::Fenced,
                                         OwnerLock::Asymmetric));

TEST_P(OwnerLockKinds, ExcludesOthersWhileTheOwnerGoesOn) {
  constexpr unsigned Owners = 3, Others = 2, Rounds = Hundred;
  Guarded Data[Owners];
  uint64_t OwnersChanges[Owners] = {};
  std::atomic<unsigned> Running = Others;
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I != Owners; ++I) {
    Data[I].Mutex.initialize(GetParam());
    Threads.emplace_back([&, I] {
      for (; Running; ++OwnersChanges[I]) {
        ASSERT_TRUE(Data[I].Mutex.enter());
        Data[I].change();
        Data[I].Mutex.leave();
      }
    });
  }
  for (unsigned I = 0; I != Others; ++I)
    Threads.emplace_back([&] {
      for (unsigned Round = 0; Round != Rounds; ++Round) {
        for (Guarded &D : Data) {
          D.Mutex.lockForeign();
          D.change();
          D.Mutex.unlockForeign();
        }
        rest();
      }
      --Running;
    });
  for (std::thread &T : Threads)
    T.join();
  for (unsigned I = 0; I != Owners; ++I) {
    EXPECT_FALSE(Data[I].WasTorn);
    EXPECT_EQ(Data[I].First, OwnersChanges[I] + Others * Rounds);
    EXPECT_EQ(Data[I].Second, Data[I].First);
  }
}

TEST_P(OwnerLockKinds, PassesFromOwnerToOwner) {
  constexpr unsigned Changes = 20 * Hundred;
  Guarded Data;
  Data.Mutex.initialize(GetParam());
  std::atomic<unsigned> Turn = 0;
  std::vector<std::thread> Threads;
  for (unsigned Mine = 0; Mine != 2; ++Mine)
    Threads.emplace_back([&, Mine] {
      for (unsigned I = 0; I != Changes; ++I) {
        while (Turn.load(std::memory_order_acquire) != Mine)
          std::this_thread::yield();
        ASSERT_TRUE(Data.Mutex.enter());
        Data.change();
        Data.Mutex.leave();
        Turn.store(1 - Mine, std::memory_order_release);
      }
    });
  std::atomic<bool> Done = false;
  uint64_t OthersChanges = 0;
  std::thread Other([&] {
    for (; !Done; ++OthersChanges) {
      Data.Mutex.lockForeign();
      Data.change();
      Data.Mutex.unlockForeign();
      rest();
    }
  });
  for (std::thread &T : Threads)
    T.join();
  Done = true;
  Other.join();
  EXPECT_FALSE(Data.WasTorn);
  EXPECT_EQ(Data.First, 2 * Changes + OthersChanges);
}

TEST_P(OwnerLockKinds, TellsAnInterruptedOwner) {
  OwnerLock Mutex;
  Mutex.initialize(GetParam());
  EXPECT_FALSE(Mutex.isEntered());
  ASSERT_TRUE(Mutex.enter());
  EXPECT_TRUE(Mutex.isEntered());
  EXPECT_FALSE(Mutex.enter());
  Mutex.leave();
  EXPECT_FALSE(Mutex.isEntered());
  Mutex.lockForeign();
  EXPECT_FALSE(Mutex.isEntered());
  Mutex.unlockForeign();
  EXPECT_TRUE(Mutex.enter());
  Mutex.leave();
}

TEST_P(OwnerLockKinds, GivesUpOnAnOwnerThatStaysInside) {
  OwnerLock Mutex;
  Mutex.initialize(GetParam());
  ASSERT_TRUE(Mutex.enter());
  std::thread([&] { EXPECT_FALSE(Mutex.lockForeignOrGiveUp(true)); }).join();
  Mutex.leave();
  // Giving up left nothing behind.
  ASSERT_TRUE(Mutex.enter());
  Mutex.leave();
  EXPECT_TRUE(Mutex.lockForeignOrGiveUp(true));
  EXPECT_FALSE(Mutex.lockForeignOrGiveUp(true));
  Mutex.unlockForeign();
}

TEST_P(OwnerLockKinds, ForgetsAnOwnerThatAForkLeftBehind) {
  OwnerLock Mutex;
  Mutex.initialize(GetParam());
  ASSERT_TRUE(Mutex.enter());
  Mutex.forgetOwner();
  EXPECT_FALSE(Mutex.isEntered());
  Mutex.lockForeign();
  Mutex.unlockForeign();
  EXPECT_TRUE(Mutex.enter());
  Mutex.leave();
}

TEST(OwnerLock, ExcludesAllFromOneAnotherIfItIsCommon) {
  constexpr unsigned Users = 3, Changes = 30000;
  Guarded Data;
  Data.Mutex.initialize(OwnerLock::Common);
  EXPECT_FALSE(Data.Mutex.enter());
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I != Users; ++I)
    Threads.emplace_back([&] {
      for (unsigned J = 0; J != Changes; ++J) {
        Data.Mutex.lockForeign();
        Data.change();
        Data.Mutex.leave();
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_FALSE(Data.WasTorn);
  EXPECT_EQ(Data.First, uint64_t(Users) * Changes);
  EXPECT_FALSE(Data.Mutex.isEntered());
  EXPECT_FALSE(Data.Mutex.enter());
}
