//===- bench/allocator/footprint.cpp - What an allocator keeps ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// footprint WORKLOAD MIB BYTES
//
// Prints the most MiB of objects that were live at once, the most MiB that the
// process had in memory, the MiB that it has in the end, and the seconds of
// processor time. Objects have BYTES bytes, or, where BYTES is 0, 16 to 8191,
// as many of each power of two.
//
// refill    fills MIB and frees all, in the order of making, eight times
// backward  the same, freed in the opposite order
// scatter   the same, freed at random
// phases    fills and frees MIB of objects of one size, then of others, from 16
//           bytes to 64 KiB, up and down
// saw       grows to MIB and shrinks at random to a quarter, six times, and
//           ends there
// stack     the same, where what was made last is freed first
// litter    frees a random three quarters of MIB of objects of all sizes, then
//           fills what is free and frees that, eight times
// queue     two threads make objects, in bursts, that two others free
// turns     fills and frees MIB of objects on the ordinary heap, then on the
//           cold one, four times (-DHINTED; else all are ordinary)
// halves    the same, but each heap keeps the eighth that it made first
// relay     eight threads do the same in turns
// crowd     32 threads fill MIB together, free it, and end, ten times
// errands   fills MIB; then threads, one after another, free half a MiB each
//           and end
//
//===----------------------------------------------------------------------===//

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#ifdef HINTED
#include "thermocline/hints.h"
#else
static void *malloc_cold(size_t Bytes) { return malloc(Bytes); }
#endif

namespace {

class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t next() {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return State >> 16;
  }

private:
  uint64_t State;
};

/// What is live, and was at most, of all threads.
std::atomic<size_t> Live, MostLive;

/// The start of each object. Nothing else knows the objects, so that only the
/// allocator's memory is measured.
struct Object {
  Object *Next, *Before;
};
static_assert(sizeof(Object) == 16);

/// Objects in the order of making. Their bytes are asked for together.
class Objects {
public:
  void push(void *Memory, size_t Bytes) {
    memset(Memory, 1, Bytes);
    auto *Made = static_cast<Object *>(Memory);
    *Made = {nullptr, Newest};
    (Newest ? Newest->Next : Oldest) = Made;
    Newest = Made;
    Sum += Bytes;
  }
  void freeOldestFirst() {
    for (Object *Next; Oldest; Oldest = Next) {
      Next = Oldest->Next;
      free(Oldest);
    }
    forget();
  }
  void freeNewestFirst() {
    for (Object *Before; Newest; Newest = Before) {
      Before = Newest->Before;
      free(Newest);
    }
    forget();
  }
  size_t bytes() const { return Sum; }

private:
  void forget() {
    Live -= Sum;
    *this = {};
  }
  Object *Oldest = nullptr, *Newest = nullptr;
  size_t Sum = 0;
};

using Allocate = void *(*)(size_t);
void *ordinary(size_t Bytes) { return malloc(Bytes); }
void *cold(size_t Bytes) { return malloc_cold(Bytes); }

void countLive(size_t Bytes) {
  size_t Now = Live += Bytes, Most = MostLive;
  while (Most < Now && !MostLive.compare_exchange_weak(Most, Now))
    ;
}

/// Makes objects and puts each into one of the lists, at random.
class Filler {
public:
  Filler(size_t Bytes, uint64_t Seed = 1, Allocate Make = ordinary)
      : Bytes(Bytes), Numbers(Seed), Make(Make) {}
  void fill(Objects *Lists, size_t Count, size_t Target) {
    for (size_t Done = 0; Done < Target;) {
      uint64_t R = Numbers.next();
      size_t Size = Bytes;
      if (Size == 0) {
        Size = size_t(16) << (R & 7);
        Size += (R >> 3) % Size;
      }
      Lists[Count == 1 ? 0 : (R >> 20) % Count].push(Make(Size), Size);
      Done += Size;
      Pending += Size;
      if (Pending >= 65536)
        note();
    }
    note();
  }

private:
  void note() {
    countLive(Pending);
    Pending = 0;
  }
  size_t Bytes, Pending = 0;
  Random Numbers;
  Allocate Make;
};

void refill(size_t Total, size_t Bytes, size_t Lists, bool Backward) {
  Filler F(Bytes);
  std::vector<Objects> Made(Lists);
  for (int Round = 0; Round != 8; ++Round) {
    F.fill(Made.data(), Lists, Total);
    for (Objects &O : Made)
      Backward ? O.freeNewestFirst() : O.freeOldestFirst();
  }
}

void phases(size_t Total) {
  for (size_t Bytes : {16, 1000, 100, 6000, 65536, 500, 20000, 48, 4096}) {
    Objects Made[16];
    Filler(Bytes, Bytes).fill(Made, 16, Total);
    for (Objects &O : Made)
      O.freeOldestFirst();
  }
}

void saw(size_t Total, size_t Bytes, bool Stack) {
  Objects Kept, Made[3];
  Filler F(Bytes);
  // In a stack the oldest quarter stays, else a random one.
  Objects Lists[4];
  if (Stack) {
    F.fill(&Kept, 1, Total / 4);
  } else {
    F.fill(Lists, 4, Total);
    for (int I = 1; I != 4; ++I)
      Lists[I].freeOldestFirst();
  }
  for (int Round = 0; Round != 6; ++Round) {
    F.fill(Stack ? Made : Lists, Stack ? 1 : 4, Total - Live);
    if (Stack) {
      Made[0].freeNewestFirst();
      continue;
    }
    // Other objects each time.
    for (int I = 0; I != 4; ++I)
      if (Live > Total / 4)
        Lists[(Round + I) % 4].freeOldestFirst();
  }
}

void litter(size_t Total, size_t Bytes) {
  Objects Made[4];
  Filler(0).fill(Made, 4, Total);
  for (int I = 1; I != 4; ++I)
    Made[I].freeOldestFirst();
  Filler F(Bytes, 2);
  for (int Round = 0; Round != 8; ++Round) {
    F.fill(Made + 1, 1, Total - Live);
    Made[1].freeOldestFirst();
  }
}

void queue(size_t Total, size_t Bytes) {
  constexpr size_t Bursts = 100, BurstsAtOnce = 10;
  const size_t BurstBytes = Total / BurstsAtOnce;
  std::mutex Lock;
  std::condition_variable Changed;
  std::deque<Objects> Ready;
  size_t Begun = 0, Ended = 0;
  bool WasFull = false;
  auto produce = [&](uint64_t Seed) {
    Filler F(Bytes, Seed);
    std::unique_lock<std::mutex> Held(Lock);
    while (Begun != Bursts) {
      if (Begun - Ended == BurstsAtOnce) {
        Changed.wait(Held);
        continue;
      }
      ++Begun;
      Held.unlock();
      Objects Made;
      F.fill(&Made, 1, BurstBytes);
      Held.lock();
      Ready.push_back(Made);
      // Nothing is freed before all is full once.
      WasFull |= Ready.size() == BurstsAtOnce;
      Changed.notify_all();
    }
  };
  auto consume = [&] {
    std::unique_lock<std::mutex> Held(Lock);
    while (Ended != Bursts) {
      if (Ready.empty() || !WasFull) {
        Changed.wait(Held);
        continue;
      }
      Objects Taken = Ready.front();
      Ready.pop_front();
      Held.unlock();
      Taken.freeOldestFirst();
      Held.lock();
      ++Ended;
      Changed.notify_all();
    }
  };
  std::thread Threads[] = {std::thread(produce, 1), std::thread(produce, 2),
                           std::thread(consume), std::thread(consume)};
  for (std::thread &T : Threads)
    T.join();
}

void turns(size_t Total, size_t Bytes, bool Keep) {
  Objects Kept[2], Made[8];
  Filler Heaps[] = {Filler(Bytes, 1, ordinary), Filler(Bytes, 2, cold)};
  for (int Turn = 0; Turn != 8; ++Turn) {
    if (Keep && Turn < 2)
      Heaps[Turn].fill(&Kept[Turn], 1, Total / 8);
    Heaps[Turn % 2].fill(Made, 8, Total - Live);
    for (Objects &O : Made)
      O.freeOldestFirst();
  }
}

void relay(size_t Total, size_t Bytes) {
  constexpr int Runners = 8;
  std::mutex Lock;
  std::condition_variable Changed;
  int Turn = 0;
  auto runOne = [&](int Me) {
    Filler F(Bytes, Me + 1);
    for (int Round = 0; Round != 2; ++Round) {
      std::unique_lock<std::mutex> Held(Lock);
      Changed.wait(Held, [&] { return Turn % Runners == Me; });
      Objects Made;
      F.fill(&Made, 1, Total);
      Made.freeOldestFirst();
      ++Turn;
      Changed.notify_all();
    }
  };
  std::vector<std::thread> Threads;
  for (int I = 0; I != Runners; ++I)
    Threads.emplace_back(runOne, I);
  for (std::thread &T : Threads)
    T.join();
}

void crowd(size_t Total, size_t Bytes) {
  constexpr int Threads = 32;
  for (int Wave = 0; Wave != 10; ++Wave) {
    std::barrier Full(Threads);
    std::vector<std::thread> Running;
    for (int I = 0; I != Threads; ++I)
      Running.emplace_back([&, I] {
        Objects Made;
        Filler(Bytes, I + 1).fill(&Made, 1, Total / Threads);
        Full.arrive_and_wait();
        Made.freeOldestFirst();
      });
    for (std::thread &T : Running)
      T.join();
  }
}

void errands(size_t Total, size_t Bytes) {
  std::vector<Objects> Made(Total >> 19);
  Filler F(Bytes);
  for (Objects &O : Made)
    F.fill(&O, 1, Total / Made.size());
  for (Objects &O : Made)
    std::thread([&] { O.freeOldestFirst(); }).join();
}

size_t kib(const char *Name) {
  FILE *File = fopen("/proc/self/status", "r");
  char Line[256];
  size_t KiB = 0;
  while (File && fgets(Line, sizeof(Line), File))
    if (strncmp(Line, Name, strlen(Name)) == 0)
      KiB = strtoul(Line + strlen(Name) + 1, nullptr, 10);
  if (File)
    fclose(File);
  return KiB;
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 4) {
    fprintf(stderr, "footprint WORKLOAD MIB BYTES\n");
    return 1;
  }
  const char *Name = Arguments[1];
  size_t Total = strtoul(Arguments[2], nullptr, 10) << 20;
  size_t Bytes = strtoul(Arguments[3], nullptr, 10);
  auto is = [&](const char *Other) { return strcmp(Name, Other) == 0; };
  if (is("refill") || is("backward") || is("scatter"))
    refill(Total, Bytes, is("scatter") ? 64 : 1, is("backward"));
  else if (is("phases"))
    phases(Total);
  else if (is("saw") || is("stack"))
    saw(Total, Bytes, is("stack"));
  else if (is("litter"))
    litter(Total, Bytes);
  else if (is("queue"))
    queue(Total, Bytes);
  else if (is("turns") || is("halves"))
    turns(Total, Bytes, is("halves"));
  else if (is("relay"))
    relay(Total, Bytes);
  else if (is("crowd"))
    crowd(Total, Bytes);
  else if (is("errands"))
    errands(Total, Bytes);
  else
    return 1;
  double FinalKiB = static_cast<double>(kib("VmRSS:"));
  double Seconds = static_cast<double>(clock()) / CLOCKS_PER_SEC;
  printf("%.1f %.1f %.1f %.3f\n", static_cast<double>(MostLive) / 1048576,
         static_cast<double>(kib("VmHWM:")) / 1024, FinalKiB / 1024, Seconds);
}
