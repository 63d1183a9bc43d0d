// Small objects that lie in order keep what is written to them, never overlap,
// and have the size that was asked for, however threads that come and go make,
// resize and free them, each other's too, and processes that are forked
// meanwhile. In the end all are free again.
//
// RUN: %clangxx -std=c++20 -O1 -fno-builtin %s %liballoc -pthread -lm -fuse-ld=lld -o %t
// RUN: for seed in 1 2 3; do env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t $seed 2>&1 | %FileCheck %s || exit 1; done
// What is freed goes back at once; and is kept for ever.
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 MALLOC_CONF=dirty_decay_ms:0 %t 4 2>&1 | %FileCheck %s
// RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 MALLOC_CONF=dirty_decay_ms:-1 %t 5 2>&1 | %FileCheck %s
// Where there are few addresses, jemalloc has what is over.
// RUN: (ulimit -v 180000; env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t 6) 2>&1 | %FileCheck %s
// Without the setting, the same holds.
// RUN: %t 7
// CHECK-NOT: changed
// CHECK: heap=order live_bytes={{[0-9]?[0-9]?[0-9]?[0-9]}} mapped_bytes

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Object {
  unsigned char *Start;
  size_t Size;
  unsigned char Pattern;
};

class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t below(uint64_t Count) {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return (State >> 16) % Count;
  }

private:
  uint64_t State;
};

static std::mutex SharedLock;
static std::vector<Object> Shared;

static size_t size(Random &R) {
  switch (R.below(8)) {
  case 0:
    return R.below(3000);
  case 1:
    return 1000 + R.below(50);
  default:
    return R.below(size_t(16) << R.below(6));
  }
}

static void check(const Object &O, size_t Size) {
  for (size_t I = 0; I != Size; ++I)
    if (O.Start[I] != O.Pattern) {
      std::fprintf(stderr, "byte %zu of %zu changed\n", I, O.Size);
      std::_Exit(1);
    }
}

static void fill(Object &O) {
  if (O.Start == nullptr || malloc_usable_size(O.Start) < O.Size ||
      reinterpret_cast<uintptr_t>(O.Start) % (O.Size < 16 ? 8 : 16) != 0) {
    std::fprintf(stderr, "size or alignment changed\n");
    std::_Exit(1);
  }
  // All of what may be used.
  O.Size = malloc_usable_size(O.Start);
  std::memset(O.Start, O.Pattern, O.Size);
}

static Object make(Random &R) {
  Object O = {nullptr, size(R), static_cast<unsigned char>(R.below(256))};
  void *P = nullptr;
  switch (R.below(5)) {
  case 0:
    P = std::calloc(1, O.Size);
    for (size_t I = 0; I != O.Size; ++I)
      if (static_cast<char *>(P)[I] != 0) {
        std::fprintf(stderr, "zeros changed\n");
        std::_Exit(1);
      }
    break;
  case 1:
    P = ::operator new(O.Size);
    break;
  case 2:
    if (posix_memalign(&P, size_t(16) << R.below(3), O.Size) != 0)
      P = nullptr;
    break;
  default:
    P = std::malloc(O.Size < 16 ? 16 : O.Size);
    break;
  }
  O.Start = static_cast<unsigned char *>(P);
  fill(O);
  return O;
}

static void resize(Object &O, Random &R) {
  size_t Old = O.Size, New = 16 + size(R);
  check(O, Old);
  O.Start = static_cast<unsigned char *>(std::realloc(O.Start, New));
  O.Size = New;
  check(O, Old < New ? Old : New);
  fill(O);
}

static void destroy(const Object &O, Random &R) {
  check(O, O.Size);
  std::memset(O.Start, ~O.Pattern, O.Size);
  R.below(2) ? std::free(O.Start) : ::operator delete(O.Start);
}

/// Phases of growth and of deaths at random, with a part that others free.
static void work(unsigned Seed) {
  Random R(Seed);
  std::vector<Object> Mine;
  for (int Phase = 0; Phase != 12; ++Phase) {
    const bool Grows = Phase % 2 == 0;
    for (int I = 0; I != 4000; ++I) {
      if (Mine.empty() || R.below(10) < (Grows ? 8 : 3)) {
        Mine.push_back(make(R));
        continue;
      }
      std::swap(Mine[R.below(Mine.size())], Mine.back());
      if (R.below(6) == 0) {
        resize(Mine.back(), R);
        continue;
      }
      Object O = Mine.back();
      Mine.pop_back();
      if (R.below(3) == 0) {
        std::lock_guard<std::mutex> Held(SharedLock);
        std::swap(O, Shared[R.below(Shared.size())]);
      }
      destroy(O, R);
    }
    // All at once, in the order in which they lie.
    if (Phase % 4 == 3) {
      for (const Object &O : Mine)
        destroy(O, R);
      Mine.clear();
    }
  }
  for (const Object &O : Mine)
    destroy(O, R);
}

static void workInThreads(unsigned Seed) {
  for (unsigned Wave = 0; Wave != 2; ++Wave) {
    std::vector<std::thread> Threads;
    for (unsigned Thread = 0; Thread != 3; ++Thread)
      Threads.emplace_back(work, Seed * 8 + Wave * 4 + Thread);
    for (std::thread &Thread : Threads)
      Thread.join();
  }
}

int main(int, char **Arguments) {
  const unsigned Seed = static_cast<unsigned>(std::atoi(Arguments[1]));
  Random R(Seed);
  for (int I = 0; I != 500; ++I)
    Shared.push_back(make(R));
  workInThreads(Seed);
  std::atomic<bool> Stop = false;
  std::thread Other([&] {
    Random R(Seed + 50);
    while (!Stop)
      work(static_cast<unsigned>(R.below(1000)));
  });
  for (unsigned Child = 1; Child != 3; ++Child) {
    // Nobody has the program's own lock then.
    std::unique_lock<std::mutex> Held(SharedLock);
    const pid_t Process = fork();
    Held.unlock();
    if (Process == 0) {
      workInThreads(Seed + 100 * Child);
      _Exit(0);
    }
    int Status;
    if (Process < 0 || waitpid(Process, &Status, 0) != Process || Status != 0)
      std::_Exit(1);
  }
  Stop = true;
  Other.join();
  for (const Object &O : Shared)
    destroy(O, R);
  Shared = {};
}
