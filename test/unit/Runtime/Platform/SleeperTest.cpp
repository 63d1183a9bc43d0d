//===- unit/Runtime/Platform/SleeperTest.cpp - How a thread waits ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "platform/Sleeper.h"
#include "gtest/gtest.h"
#include <atomic>
#include <thread>

using namespace thermocline::runtime;

namespace {

/// A thread that counts its turns, and nothing is ever due but when it is
/// woken.
class Counting {
public:
  Counting() {
    Sleep.begin();
    Thread = std::thread([this] {
      while (!Stops) {
        const uint32_t Times = Sleep.timesWoken();
        ++Turns;
        Sleep.sleep(Times, Sleeper::Forever);
      }
      Sleep.end();
    });
  }
  ~Counting() {
    if (Thread.joinable())
      stop();
  }
  void stop() {
    Stops = true;
    Sleep.wakeAndWait();
    Thread.join();
  }

  Sleeper Sleep;
  std::atomic<unsigned> Turns = 0;

private:
  std::atomic<bool> Stops = false;
  std::thread Thread;
};

TEST(SleeperTest, HasHadItsTurnWhenWaitingEnds) {
  Counting C;
  for (unsigned I = 0; I != 1000; ++I) {
    const unsigned Before = C.Turns;
    C.Sleep.wakeAndWait();
    EXPECT_GT(C.Turns, Before);
  }
}

TEST(SleeperTest, ServesSeveralThatWait) {
  Counting C;
  std::thread Threads[3];
  for (std::thread &T : Threads)
    T = std::thread([&] {
      for (unsigned I = 0; I != 300; ++I) {
        const unsigned Before = C.Turns;
        C.Sleep.wakeAndWait();
        EXPECT_GT(C.Turns, Before);
        C.Sleep.wake();
      }
    });
  for (std::thread &T : Threads)
    T.join();
}

TEST(SleeperTest, NobodyWaitsForAThreadThatIsNotThere) {
  Sleeper Never;
  Never.wakeAndWait();
  Counting C;
  C.stop();
  C.Sleep.wakeAndWait();
  C.Sleep.wake();
}

TEST(SleeperTest, SleepsNoLongerThanItIsToldTo) {
  Sleeper Alone;
  Alone.begin();
  Alone.sleep(Alone.timesWoken(), 1);
  Alone.sleep(Alone.timesWoken(), Sleeper::Forever, 1);
}

} // namespace
