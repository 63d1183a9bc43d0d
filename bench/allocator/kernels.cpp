//===- bench/allocator/kernels.cpp - Allocations, and nothing else --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels KERNEL FUNCTIONS THREADS BYTES ROUNDS [OPERATIONS]
//
// Prints a line for each round: nanoseconds of processor time, over all
// threads, of an allocation with its free, by plain functions and, compiled
// with -DHINTED, by hinted ones, which take turns. FUNCTIONS are malloc or new.
//
// pair   frees each object at once
// churn  replaces one of 1,000 objects, chosen at random, by one of half to one
//        and a half times BYTES
// batch  allocates 10,000 objects, then frees them in the same order
// cross  gives batches of 100 objects to the next thread, which frees them
// hand   gives batches of 500 objects to a thread that makes none, which frees
//        them; with one thread, this one frees them some batches later
//
// kernels fragment plain|mixed THREADS BYTES ROUNDS prints bytes resident and
// bytes asked for, after objects of 16 to 2 * BYTES bytes, ROUNDS MiB of them,
// were replaced at random four times over. With mixed, every other is cold.
//
// kernels serve hinted 1 BYTES MIB SECONDS does what a server may do, in one
// thread: it makes MIB of objects of 16 to BYTES bytes, a quarter of them cold;
// replaces as many at random three times over; reads those that are not cold at
// random, five times each; frees three quarters of all; and replaces some for
// SECONDS. It prints the seconds of processor time of making, replacing and
// reading, and MiB resident before objects are freed and at the end.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#ifdef HINTED
#include "thermocline/hints.h"
#endif

namespace {

struct Malloc {
  static void *allocate(size_t Bytes) { return malloc(Bytes); }
  static void release(void *Object) { free(Object); }
};

struct New {
  static void *allocate(size_t Bytes) { return ::operator new(Bytes); }
  static void release(void *Object) { ::operator delete(Object); }
};

#ifdef HINTED
struct ColdMalloc : Malloc {
  static void *allocate(size_t Bytes) { return malloc_cold(Bytes); }
};

struct ColdNew : New {
  static void *allocate(size_t Bytes) {
    return ::operator new(Bytes, __hot_cold_t(1));
  }
};
#endif

/// Xorshift: a kernel must not spend its time on random numbers.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed * 0x9e3779b97f4a7c15 + 1) {}
  uint64_t next() {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return State;
  }

private:
  uint64_t State;
};

/// What each kernel is told.
struct Work {
  unsigned Thread, Threads;
  size_t Bytes;
  uint64_t Operations;
};

template <typename Functions> void *make(size_t Bytes) {
  void *Object = Functions::allocate(Bytes);
  *static_cast<volatile char *>(Object) = 1;
  return Object;
}

template <typename Functions> void pair(const Work &W) {
  for (uint64_t I = 0; I != W.Operations; ++I)
    Functions::release(make<Functions>(W.Bytes));
}

template <typename Functions> void churn(const Work &W) {
  enum { Count = 1000 };
  Random Number(W.Thread + 1);
  void *Objects[Count];
  auto makeOne = [&](uint64_t R) {
    return make<Functions>(W.Bytes / 2 + (R >> 40) % (W.Bytes + 1));
  };
  for (void *&Object : Objects)
    Object = makeOne(Number.next());
  for (uint64_t I = 0; I != W.Operations; ++I) {
    uint64_t R = Number.next();
    void *&Object = Objects[(R & 0xffffff) % Count];
    Functions::release(Object);
    Object = makeOne(R);
  }
  for (void *Object : Objects)
    Functions::release(Object);
}

template <typename Functions> void batch(const Work &W) {
  enum { Count = 10000 };
  std::vector<void *> Objects(Count);
  for (uint64_t Done = 0; Done < W.Operations; Done += Count) {
    for (void *&Object : Objects)
      Object = make<Functions>(W.Bytes);
    for (void *Object : Objects)
      Functions::release(Object);
  }
}

/// Where a thread finds what others made for it.
struct alignas(64) Mailbox {
  std::atomic<void **> Batch;
};
Mailbox Mailboxes[256];
enum { BatchCount = 100 };

template <typename Functions> void empty(Mailbox &Box) {
  void **Batch = Box.Batch.exchange(nullptr);
  if (Batch == nullptr)
    return;
  for (int I = 0; I != BatchCount; ++I)
    Functions::release(Batch[I]);
  Functions::release(Batch);
}

template <typename Functions> void cross(const Work &W) {
  Mailbox &Next = Mailboxes[(W.Thread + 1) % W.Threads];
  for (uint64_t Done = 0; Done < W.Operations; Done += BatchCount) {
    auto **Batch =
        static_cast<void **>(Functions::allocate(BatchCount * sizeof(void *)));
    for (int I = 0; I != BatchCount; ++I)
      Batch[I] = make<Functions>(W.Bytes);
    // What the other has not fetched is freed here: nobody waits.
    void **Left = Next.Batch.exchange(Batch);
    if (Left != nullptr) {
      for (int I = 0; I != BatchCount; ++I)
        Functions::release(Left[I]);
      Functions::release(Left);
    }
    empty<Functions>(Mailboxes[W.Thread]);
    if (Done % (BatchCount * 16) == 0)
      sched_yield();
  }
}

enum { HandCount = 500 };

template <typename Functions> void **makeHand(size_t Bytes) {
  auto **Batch =
      static_cast<void **>(Functions::allocate(HandCount * sizeof(void *)));
  for (int I = 0; I != HandCount; ++I)
    Batch[I] = make<Functions>(Bytes);
  return Batch;
}

template <typename Functions> void releaseHand(void **Batch) {
  for (int I = 0; I != HandCount; ++I)
    Functions::release(Batch[I]);
  Functions::release(Batch);
}

/// Two threads, or one that is left over, have a ring of mailboxes.
template <typename Functions> void hand(const Work &W) {
  enum { BoxCount = 16 };
  const bool IsMaker = W.Thread % 2 == 0;
  const bool IsAlone = IsMaker && W.Thread + 1 == W.Threads;
  Mailbox *Ring = Mailboxes + W.Thread / 2 * BoxCount;
  const uint64_t Batches = W.Operations * (IsAlone ? 1 : 2) / HandCount;
  // A thread that never makes anything has no cache in jemalloc.
  Functions::release(make<Functions>(W.Bytes));
  for (uint64_t I = 0; I != Batches; ++I) {
    std::atomic<void **> &Box = Ring[I % BoxCount].Batch;
    void **Found = Box;
    if (IsAlone) {
      if (Found != nullptr)
        releaseHand<Functions>(Found);
      Box = makeHand<Functions>(W.Bytes);
      continue;
    }
    void **Made = IsMaker ? makeHand<Functions>(W.Bytes) : nullptr;
    for (; (Found == nullptr) != IsMaker; Found = Box)
      Box.wait(Found);
    Box = Made;
    Box.notify_one();
    if (!IsMaker)
      releaseHand<Functions>(Found);
  }
  for (int I = 0; IsAlone && I != BoxCount; ++I)
    if (void **Left = Ring[I].Batch.exchange(nullptr))
      releaseHand<Functions>(Left);
}

using Kernel = void (*)(const Work &);

double now(clockid_t Clock) {
  timespec Time;
  clock_gettime(Clock, &Time);
  return static_cast<double>(Time.tv_sec) * 1e9 +
         static_cast<double>(Time.tv_nsec);
}

/// Nanoseconds of processor time for each operation.
double measure(Kernel Run, unsigned Threads, size_t Bytes,
               uint64_t Operations) {
  std::vector<double> Times(Threads);
  std::atomic<unsigned> Ready = 0;
  auto runOne = [&](unsigned Thread) {
    Work W = {Thread, Threads, Bytes, Operations / Threads};
    Run({Thread, Threads, Bytes, 20000 / Threads});
    ++Ready;
    while (Ready != Threads)
      sched_yield();
    double Start = now(CLOCK_THREAD_CPUTIME_ID);
    Run(W);
    Times[Thread] = now(CLOCK_THREAD_CPUTIME_ID) - Start;
  };
  std::vector<std::thread> Others;
  for (unsigned Thread = 1; Thread != Threads; ++Thread)
    Others.emplace_back(runOne, Thread);
  runOne(0);
  double Sum = Times[0];
  for (std::thread &Other : Others)
    Other.join();
  for (unsigned Thread = 1; Thread != Threads; ++Thread)
    Sum += Times[Thread];
  return Sum / static_cast<double>(Operations);
}

template <typename Functions> Kernel kernel(const char *Name) {
  const struct {
    const char *Name;
    Kernel Run;
  } Kernels[] = {{"pair", pair<Functions>},
                 {"churn", churn<Functions>},
                 {"batch", batch<Functions>},
                 {"cross", cross<Functions>},
                 {"hand", hand<Functions>}};
  for (const auto &K : Kernels)
    if (strcmp(K.Name, Name) == 0)
      return K.Run;
  fprintf(stderr, "kernels: no kernel '%s'\n", Name);
  exit(1);
}

template <typename Functions> void emptyAll() {
  for (Mailbox &Box : Mailboxes)
    empty<Functions>(Box);
}

/// What an object of the kernel "fragment" is.
struct Slot {
  void *Object;
  size_t Bytes;
};

size_t residentBytes() {
  FILE *File = fopen("/proc/self/statm", "r");
  unsigned long Total, Resident;
  if (File == nullptr || fscanf(File, "%lu %lu", &Total, &Resident) != 2)
    exit(1);
  fclose(File);
  return Resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

int fragment([[maybe_unused]] bool Mixed, unsigned Threads, size_t Bytes,
             size_t MiB) {
  size_t Count = (MiB << 20) / (Bytes + 8) / Threads;
  size_t SlotBytes = Count * Threads * sizeof(Slot);
  auto *Slots =
      static_cast<Slot *>(mmap(nullptr, SlotBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  memset(Slots, 0, SlotBytes);
  size_t Before = residentBytes();
  auto runOne = [&](unsigned Thread) {
    Random Number(Thread + 1);
    Slot *Mine = Slots + Thread * Count;
    for (size_t I = 0; I != Count * 5; ++I) {
      uint64_t R = Number.next();
      Slot &S = I < Count ? Mine[I] : Mine[(R & 0xffffffff) % Count];
      free(S.Object);
      S.Bytes = 16 + (R >> 34) % (2 * Bytes - 15);
#ifdef HINTED
      if (Mixed && (R >> 33) % 2)
        S.Object = malloc_cold(S.Bytes);
      else
#endif
        S.Object = malloc(S.Bytes);
      memset(S.Object, 1, S.Bytes);
    }
  };
  std::vector<std::thread> Others;
  for (unsigned Thread = 0; Thread != Threads; ++Thread)
    Others.emplace_back(runOne, Thread);
  for (std::thread &Other : Others)
    Other.join();
  size_t Live = 0;
  for (size_t I = 0; I != Count * Threads; ++I)
    Live += Slots[I].Bytes;
  printf("%zu %zu\n", residentBytes() - Before, Live);
  return 0;
}

int serve(size_t Bytes, size_t MiB, unsigned Seconds) {
  size_t Count = (MiB << 20) / (Bytes / 2 + 8);
  std::vector<Slot> Slots(Count);
  Random Number(1);
  auto make = [&](size_t I) {
    uint64_t R = Number.next();
    Slot &S = Slots[I];
    S.Bytes = 16 + (R >> 34) % (Bytes - 15);
#ifdef HINTED
    S.Object = I % 4 == 0 ? malloc_cold(S.Bytes) : malloc(S.Bytes);
#else
    S.Object = malloc(S.Bytes);
#endif
    memset(S.Object, 1, S.Bytes);
  };
  auto replaceAny = [&](bool AlsoFreed) {
    size_t I = (Number.next() >> 20) % Count;
    if (Slots[I].Object || AlsoFreed) {
      free(Slots[I].Object);
      make(I);
    }
  };
  auto printTimeOf = [](auto Run) {
    double Start = now(CLOCK_PROCESS_CPUTIME_ID);
    Run();
    printf("%.3f ", (now(CLOCK_PROCESS_CPUTIME_ID) - Start) / 1e9);
  };
  printTimeOf([&] {
    for (size_t I = 0; I != Count; ++I)
      make(I);
  });
  printTimeOf([&] {
    for (size_t I = 0; I != 3 * Count; ++I)
      replaceAny(true);
  });
  printTimeOf([&] {
    size_t Sum = 0;
    for (size_t I = 0; I != 5 * Count; ++I)
      if (size_t Which = (Number.next() >> 20) % Count; Which % 4 != 0)
        Sum += *static_cast<volatile char *>(Slots[Which].Object);
    *static_cast<volatile size_t *>(&Slots[0].Bytes) = Sum;
  });
  printf("%zu ", residentBytes() >> 20);
  for (Slot &S : Slots)
    if ((Number.next() >> 20) % 4 != 0) {
      free(S.Object);
      S.Object = nullptr;
    }
  for (unsigned I = 0; I != Seconds; ++I) {
    sleep(1);
    for (int J = 0; J != 20000; ++J)
      replaceAny(false);
  }
  printf("%zu\n", residentBytes() >> 20);
  return 0;
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count < 6) {
    fprintf(stderr, "kernels KERNEL FUNCTIONS THREADS BYTES ROUNDS "
                    "[OPERATIONS]\n");
    return 1;
  }
  auto number = [&](int I) { return strtoul(Arguments[I], nullptr, 10); };
  auto Threads = static_cast<unsigned>(number(3));
  size_t Bytes = number(4);
  if (strcmp(Arguments[1], "fragment") == 0)
    return fragment(strcmp(Arguments[2], "mixed") == 0, Threads, Bytes,
                    number(5));
  if (strcmp(Arguments[1], "serve") == 0)
    return serve(Bytes, number(5), Count > 6 ? number(6) : 0);
  bool IsNew = strcmp(Arguments[2], "new") == 0;
  uint64_t Operations = Count > 6 ? number(6) : 1000000;
  Kernel Plain =
      IsNew ? kernel<New>(Arguments[1]) : kernel<Malloc>(Arguments[1]);
  for (unsigned long Round = 0; Round != number(5); ++Round) {
    double PlainTime = measure(Plain, Threads, Bytes, Operations);
    emptyAll<Malloc>();
#ifdef HINTED
    Kernel Cold = IsNew ? kernel<ColdNew>(Arguments[1])
                        : kernel<ColdMalloc>(Arguments[1]);
    double ColdTime = measure(Cold, Threads, Bytes, Operations);
    emptyAll<Malloc>();
    printf("%.3f %.3f\n", PlainTime, ColdTime);
#else
    printf("%.3f\n", PlainTime);
#endif
  }
}
