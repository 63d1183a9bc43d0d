//===- Runtime/Heap/WatchedPagesTest.cpp - Objects on pages of their own --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/WatchedPages.h"
#include "platform/System.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace thermocline::runtime;

namespace {

class WatchedPagesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(heap());
    Watched->start(heap());
    ASSERT_TRUE(Watched->isOn());
  }

  /// By a thread that may close all files. Returns when there is only one
  /// again.
  void look() {
    std::thread([&] { Watched->look(); }).join();
    while (sys::countThreads() > 1)
      sys::pauseShortly();
  }
  char *take(size_t Size, size_t Alignment = 32) {
    return reinterpret_cast<char *>(Watched->take(Size, Alignment, 1));
  }
  /// In a child there is room once the thread that looks has made it.
  char *takeInChild(size_t Size) {
    EXPECT_EQ(take(Size), nullptr);
    look();
    return take(Size);
  }
  WatchedPages::Object find(const char *Object) {
    return Watched->find(reinterpret_cast<uintptr_t>(Object));
  }
  void giveBack(char *Object) {
    Watched->giveBack(reinterpret_cast<uintptr_t>(Object));
  }
  /// Runs \p Child in a child as the runtime lets programs fork, beside looks
  /// only if \p IsInterrupted. \returns how it ended.
  template <typename Function>
  int runInChild(Function Child, bool IsInterrupted = false) {
    const bool IsPrepared = Watched->prepareFork(IsInterrupted);
    const pid_t Id = fork();
    if (Id == 0) {
      Watched->continueInChild(IsPrepared);
      _exit(Child());
    }
    if (IsPrepared)
      (void)Watched->continueInParent();
    int Status = -1;
    waitpid(Id, &Status, 0);
    return Status;
  }

  /// One for all tests: its addresses are never given back.
  static Heap *heap() {
    static const std::unique_ptr<Heap> TheHeap = [] {
      auto Made = std::make_unique<Heap>();
      return Made->initialize() ? std::move(Made) : nullptr;
    }();
    return TheHeap.get();
  }
  const std::unique_ptr<WatchedPages> Watched =
      std::make_unique<WatchedPages>();
};

} // namespace

TEST_F(WatchedPagesTest, LooksTellWhatWasTouchedInBetween) {
  char *Read = take(64), *Written = take(64), *Idle = take(64);
  ASSERT_TRUE(Read && Written && Idle);
  memset(Read, 1, 64), memset(Written, 2, 64), memset(Idle, 3, 64);
  look();
  for (const char *Each : {Read, Written, Idle})
    EXPECT_EQ(find(Each).Touches, 1u);
  look();
  for (const char *Each : {Read, Written, Idle})
    EXPECT_EQ(find(Each).Touches, 1u);
  EXPECT_EQ(*static_cast<volatile char *>(Read), 1);
  *static_cast<volatile char *>(Written) = 4;
  look();
  EXPECT_EQ(find(Read).Touches, 2u);
  EXPECT_EQ(find(Written).Touches, 2u);
  EXPECT_EQ(find(Idle).Touches, 1u);
  EXPECT_EQ(Written[0], 4);
  EXPECT_EQ(Written[63], 2);
  EXPECT_EQ(Idle[63], 3);
}

TEST_F(WatchedPagesTest, FaultsAreCountedForWhatWasTouched) {
  std::vector<char *> All;
  for (int I = 0; I != 200; ++I) {
    All.push_back(take(64));
    ASSERT_TRUE(All.back());
    *All.back() = 1;
  }
  look();
  const uint64_t OfAll = Watched->faultsUs();
  EXPECT_GT(OfAll, 0u);
  for (int I = 0; I != 100; ++I)
    *static_cast<volatile char *>(All[static_cast<size_t>(I)]) = 2;
  look();
  EXPECT_NEAR(double(Watched->faultsUs()), double(OfAll) / 2, 1);
  look();
  EXPECT_EQ(Watched->faultsUs(), 0u);
}

TEST_F(WatchedPagesTest, WhatIsLeftOutIsMostlyNotLookedAt) {
  std::vector<char *> LeftOut;
  for (int I = 0; I != 20000; ++I)
    if (char *Object = take(64))
      LeftOut.push_back(Object);
  llvm::erase_if(LeftOut, [&](char *Each) { return find(Each).Weight; });
  ASSERT_GT(LeftOut.size(), 1000u);
  look();
  for (char *Each : LeftOut)
    *static_cast<volatile char *>(Each) = 1;
  const auto Seen = [&] {
    uint64_t Result = 0;
    for (char *Each : LeftOut)
      Result += find(Each).Touches;
    return Result;
  };
  const uint64_t Before = Seen();
  look();
  EXPECT_LT(Seen() - Before, LeftOut.size() / 3);
}

TEST_F(WatchedPagesTest, TheKernelsAccessesCount) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  look();
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  ASSERT_EQ(write(Ends[1], "text", 4), 4);
  ASSERT_EQ(read(Ends[0], Object, 4), 4);
  close(Ends[0]), close(Ends[1]);
  look();
  EXPECT_EQ(find(Object).Touches, 1u);
  EXPECT_EQ(memcmp(Object, "text", 4), 0);
}

TEST_F(WatchedPagesTest, ObjectsLieApartAndAnywhereInTheirPages) {
  std::set<uintptr_t> Pages, Offsets;
  for (size_t I = 0; I != 500; ++I) {
    const size_t Alignment = size_t(32) << I % 6, Size = 1 + I * 7 % 2000;
    const uintptr_t Address = Watched->take(Size, Alignment, 1);
    ASSERT_TRUE(Address);
    EXPECT_EQ(Address % Alignment, 0u);
    EXPECT_GE(Address % LeastPageBytes, 32u);
    EXPECT_LE(Address % LeastPageBytes + Size, LeastPageBytes);
    EXPECT_TRUE(Pages.insert(Address / 65536).second);
    Offsets.insert(Address % LeastPageBytes / 64);
    EXPECT_TRUE(Watched->contains(Address));
  }
  EXPECT_GT(Offsets.size(), 50u);
  EXPECT_FALSE(take(LeastPageBytes));
  EXPECT_FALSE(take(LeastPageBytes - 31));
  EXPECT_TRUE(take(LeastPageBytes - 32));
  EXPECT_FALSE(take(8, LeastPageBytes));
}

TEST_F(WatchedPagesTest, LargerPagesHoldLargerObjectsAndAreFewer) {
  ThePageBytes = MostPageBytes;
  std::set<uintptr_t> Pages;
  for (size_t I = 0; I != 100; ++I) {
    const size_t Size = 1 + I * 7919 % (MostPageBytes - 32);
    const uintptr_t Address = Watched->take(Size, 32, 1);
    ASSERT_TRUE(Address);
    EXPECT_LE(Address % MostPageBytes + Size, MostPageBytes);
    EXPECT_TRUE(Pages.insert(Address / MostPageBytes).second);
  }
  EXPECT_FALSE(take(MostPageBytes - 31));
  // No more than 64 MiB.
  for (size_t I = 0; I != size_t(1) << 22; ++I)
    if (const uintptr_t Address = Watched->take(8, 16, 1))
      EXPECT_TRUE(Pages.insert(Address / MostPageBytes).second);
  EXPECT_GT(Pages.size(), 300u);
  EXPECT_LE(Pages.size(), 1024u);
  ThePageBytes = LeastPageBytes;
}

TEST_F(WatchedPagesTest, FewerAreWatchedAsPagesBecomeRareAndStandForTheOthers) {
  std::vector<char *> All;
  constexpr uint64_t Number = 1000000;
  for (uint64_t I = 0; I != Number; ++I)
    if (char *Object = take(100))
      All.push_back(Object);
  EXPECT_GT(All.size(), 6000u);
  EXPECT_LE(All.size(), 8192u);
  uint64_t Stand = 0;
  for (char *Each : All)
    Stand += find(Each).Weight;
  EXPECT_GT(Stand, Number * 8 / 10);
  EXPECT_LT(Stand, Number * 12 / 10);
  for (char *Each : All)
    giveBack(Each);
  // Soon there is room for all again.
  for (int I = 0; I != 100; ++I)
    take(100);
  for (int I = 0; I != 800; ++I) {
    char *Object = take(100);
    ASSERT_TRUE(Object);
    EXPECT_EQ(find(Object).Weight, 1u);
    EXPECT_EQ(find(Object).Touches, 0u);
  }
}

TEST_F(WatchedPagesTest, AChildHasACopyOfItsOwn) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  strcpy(Object, "parent's");
  look();
  const int Status = runInChild([&] {
    if (strcmp(Object, "parent's") != 0)
      return 1;
    strcpy(Object, "child's");
    // It is an object as others are, but for being watched.
    if (find(Object).Weight ||
        !Watched->contains(reinterpret_cast<uintptr_t>(Object)))
      return 2;
    giveBack(Object);
    char *Own = takeInChild(64);
    if (!Own || Own == Object || !find(Own).Weight)
      return 3;
    strcpy(Own, "own");
    look();
    if (find(Own).Touches != 1)
      return 4;
    // So has its child.
    return runInChild([&] {
             const bool IsCopied =
                 strcmp(Own, "own") == 0 && strcmp(Object, "child's") == 0;
             return IsCopied ? 0 : 1;
           }) == 0
               ? 0
               : 5;
  });
  EXPECT_EQ(Status, 0);
  EXPECT_STREQ(Object, "parent's");
  // The copy was no touch; what came after it is one.
  look();
  EXPECT_EQ(find(Object).Touches, 2u);
  look();
  EXPECT_EQ(find(Object).Touches, 2u);
  EXPECT_EQ(runInChild([] { return 0; }), 0);
  look();
  EXPECT_EQ(find(Object).Touches, 2u);
}

TEST_F(WatchedPagesTest, ChildrenOfChildrenWatchAsWell) {
  std::vector<char *> All;
  std::function<int(int)> Descend = [&](int Depth) {
    for (char *Each : All)
      if (*Each != 'x')
        return 1;
    char *Own = All.empty() ? take(64) : takeInChild(64);
    if (!Own || !find(Own).Weight)
      return 2;
    *Own = 'x';
    All.push_back(Own);
    look();
    if (find(Own).Touches != 1)
      return 3;
    return Depth && runInChild([&] { return Descend(Depth - 1); }) ? 4 : 0;
  };
  EXPECT_EQ(Descend(20), 0);
}

TEST_F(WatchedPagesTest, AChildHasItsCopyWhateverTheProgramLimits) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  strcpy(Object, "parent's");
  for (const auto Limit : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE}) {
    rlimit Old;
    ASSERT_EQ(getrlimit(Limit, &Old), 0);
    const rlimit None = {0, Old.rlim_max};
    ASSERT_EQ(setrlimit(Limit, &None), 0);
    EXPECT_EQ(runInChild([&] { return strcmp(Object, "parent's") ? 1 : 0; }),
              0);
    ASSERT_EQ(setrlimit(Limit, &Old), 0);
  }
}

TEST_F(WatchedPagesTest, ACopyTakesNoMoreMemoryThanTheObjects) {
  ASSERT_TRUE(take(64));
  EXPECT_EQ(runInChild([&] {
              // In pages.
              long Total, Resident;
              FILE *File = fopen("/proc/self/statm", "r");
              if (!File || fscanf(File, "%ld %ld", &Total, &Resident) != 2)
                return 1;
              return Resident < 16384 ? 0 : 2;
            }),
            0);
}

TEST_F(WatchedPagesTest, AForkBesideThreadsLetsGoOfObjects) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  strcpy(Object, "parent's");
  std::thread([&] {
    EXPECT_EQ(runInChild([&] { return strcmp(Object, "parent's") ? 1 : 0; }),
              0);
  }).join();
  EXPECT_STREQ(Object, "parent's");
  EXPECT_EQ(find(Object).Weight, 0u);
  EXPECT_TRUE(Watched->contains(reinterpret_cast<uintptr_t>(Object)));
  EXPECT_TRUE(Watched->hasLetGo());
  EXPECT_FALSE(Watched->hasLetGo());
  // What is in use is not lost by looks, and what comes is watched.
  look();
  EXPECT_STREQ(Object, "parent's");
  char *New = take(64);
  ASSERT_TRUE(New);
  EXPECT_EQ(find(New).Weight, 1u);
  *New = 1;
  look();
  EXPECT_EQ(find(New).Touches, 1u);
}

TEST_F(WatchedPagesTest, ThreadsThatForkKeepTheSignalsThatTheyBlock) {
  ASSERT_TRUE(take(64));
  std::atomic<unsigned> NumWrong = 0;
  std::vector<std::thread> Threads;
  for (int T = 0; T != 4; ++T)
    Threads.emplace_back([&, T] {
      sigset_t Own, Present;
      sigemptyset(&Own);
      sigaddset(&Own, SIGRTMIN + T);
      pthread_sigmask(SIG_SETMASK, &Own, nullptr);
      for (int I = 0; I != 50; ++I) {
        if (Watched->prepareFork(/*IsInterrupted=*/false))
          (void)Watched->continueInParent();
        pthread_sigmask(SIG_SETMASK, nullptr, &Present);
        for (int Each = 0; Each != 4; ++Each)
          NumWrong += sigismember(&Present, SIGRTMIN + Each) != (Each == T);
      }
    });
  for (std::thread &Each : Threads)
    Each.join();
  EXPECT_EQ(NumWrong, 0u);
}

TEST_F(WatchedPagesTest, LooksSayWhenTheySeeNothing) {
  std::thread([&] {
    EXPECT_TRUE(Watched->prepareLooks());
    char *Object = take(64);
    *static_cast<volatile char *>(Object) = 1;
    EXPECT_TRUE(Watched->look());
    // The file is gone.
    close_range(0, ~0U, 0);
    EXPECT_FALSE(Watched->look());
    EXPECT_FALSE(Watched->isOn());
  }).join();
}

TEST_F(WatchedPagesTest, WhoForksByASystemCallOfItsOwnDoesNotShareMemory) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  strcpy(Object, "parent's");
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  const long Id =
      syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (Id == 0) {
    *static_cast<volatile char *>(Object) = 'x';
    _exit(0);
  }
  int Status = 0;
  waitpid(static_cast<pid_t>(Id), &Status, 0);
  EXPECT_TRUE(WIFSIGNALED(Status));
  EXPECT_STREQ(Object, "parent's");
}

TEST_F(WatchedPagesTest, LockedMemoryIsWatchedAsWell) {
  char *Object = take(64);
  ASSERT_TRUE(Object);
  ASSERT_EQ(mlock(Object, 64), 0);
  look();
  const uint32_t Before = find(Object).Touches;
  look();
  EXPECT_EQ(find(Object).Touches, Before);
  *static_cast<volatile char *>(Object) = 1;
  look();
  EXPECT_EQ(find(Object).Touches, Before + 1);
}

TEST_F(WatchedPagesTest, ThreadsTakeLookAndForkAtOnce) {
  std::atomic<bool> IsOver = false;
  std::atomic<unsigned> NumWrong = 0;
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != 4; ++T)
    Threads.emplace_back([&, T] {
      std::vector<char *> Mine;
      for (unsigned I = 0; !IsOver || I < 1000; ++I) {
        if (Mine.size() < 100) {
          if (char *Object = take(64)) {
            memset(Object, static_cast<int>(T + 1), 64);
            Mine.push_back(Object);
          }
          continue;
        }
        for (char *Each : Mine) {
          for (int B = 0; B != 64; ++B)
            NumWrong += Each[B] != static_cast<char>(T + 1);
          giveBack(Each);
        }
        Mine.clear();
      }
    });
  std::thread Looking([&] {
    while (!IsOver) {
      Watched->look();
      std::this_thread::yield();
    }
  });
  for (int I = 0; I != 20; ++I)
    EXPECT_EQ(runInChild([] { return 0; }, /*IsInterrupted=*/true), 0);
  IsOver = true;
  for (std::thread &Each : Threads)
    Each.join();
  Looking.join();
  EXPECT_EQ(NumWrong, 0u);
}
