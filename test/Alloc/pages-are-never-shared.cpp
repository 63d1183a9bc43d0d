// Hot and cold objects of all sizes and alignments, allocated, resized, moved
// to the cold heap and freed at random by threads that come and go and free
// each other's, and by forked processes: no page ever holds both sorts. So too
// small hot objects, where these lie in order, and other ones.
//
// RUN: %clangxx -std=c++20 -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t
// RUN: for seed in 1 2 3; do %t $seed | %FileCheck %s || exit 1; done
// Caches of threads that keep nothing, and memory that goes back at once.
// RUN: env MALLOC_CONF=tcache:false,dirty_decay_ms:0 %t 4 | %FileCheck %s
// RUN: env MALLOC_CONF=narenas:1,retain:false %t 5 | %FileCheck %s
// RUN: for seed in 6 7; do env THERMOCLINE_ALLOC_ORDER=1 %t $seed | %FileCheck %s || exit 1; done
// RUN: env THERMOCLINE_ALLOC_ORDER=1 MALLOC_CONF=dirty_decay_ms:0 %t 8 | %FileCheck %s
// CHECK-COUNT-3: 160000 operations, no page shared
// CHECK-NOT: {{.}}

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

enum class Sort { Ordinary, Small, Cold };

struct Object {
  char *Start;
  size_t Size;
  bool Cold;
  /// Aligned to more than what all are.
  bool Aligned;

  Sort sort() const {
    if (Cold)
      return Sort::Cold;
    return HasOrder && Size <= 1024 && !Aligned ? Sort::Small : Sort::Ordinary;
  }
  static bool HasOrder;
};
bool Object::HasOrder = std::getenv("THERMOCLINE_ALLOC_ORDER") != nullptr;

/// What each page has ever held.
class PageTable {
public:
  void note(const Object &O) {
    std::lock_guard<std::mutex> Guard(Lock);
    uintptr_t First = reinterpret_cast<uintptr_t>(O.Start) >> 12;
    uintptr_t Last = (reinterpret_cast<uintptr_t>(O.Start) + O.Size - 1) >> 12;
    for (uintptr_t Page = First; Page <= Last; ++Page) {
      Slot &S = slot(Page);
      if (S.Page == Page && S.Holds != O.sort()) {
        std::fprintf(stderr, "page %lx holds objects of sorts %d and %d\n",
                     Page, static_cast<int>(S.Holds),
                     static_cast<int>(O.sort()));
        std::_Exit(1);
      }
      S = {Page, O.sort()};
    }
  }

private:
  struct Slot {
    uintptr_t Page;
    Sort Holds;
  };
  Slot &slot(uintptr_t Page) {
    size_t At = Page * 0x9e3779b97f4a7c15 >> 44;
    while (Slots[At].Page != 0 && Slots[At].Page != Page)
      At = (At + 1) % Slots.size();
    return Slots[At];
  }
  std::mutex Lock;
  std::vector<Slot> Slots = std::vector<Slot>(1 << 20);
};

static PageTable Pages;
/// Objects that any thread may free.
static std::mutex SharedLock;
static std::vector<Object> Shared;

static Object make(std::mt19937 &Random) {
  size_t Size = 1 + Random() % (Random() % 50 == 0 ? 100000 : 600);
  bool Cold = Random() % 2;
  char *P;
  size_t Alignment = size_t(16) << Random() % 10;
  unsigned Function = Random() % 6;
  bool Aligned = (Function == 2 || Function == 3) && Alignment > 16;
  // Small ones would leave others of their size beside them.
  if (Aligned && Object::HasOrder)
    Size += 1024;
  switch (Function) {
  case 0:
    P = static_cast<char *>(Cold ? malloc_cold(Size) : malloc(Size));
    break;
  case 1:
    P = static_cast<char *>(Cold ? calloc_cold(1, Size) : calloc(1, Size));
    break;
  case 2:
    P = static_cast<char *>(Cold ? memalign_cold(Alignment, Size)
                                 : memalign(Alignment, Size));
    break;
  case 3:
    P = static_cast<char *>(Cold ? aligned_alloc_cold(Alignment, Size)
                                 : aligned_alloc(Alignment, Size));
    break;
  case 4:
    P = static_cast<char *>(Cold ? realloc_cold(malloc(Size / 2 + 1), Size)
                                 : realloc(nullptr, Size));
    break;
  default:
    P = static_cast<char *>(Cold ? ::operator new(Size, __hot_cold_t(1))
                                 : ::operator new(Size));
    break;
  }
  std::memset(P, Cold ? 'c' : 'h', Size);
  Object O = {P, Size, Cold, Aligned};
  Pages.note(O);
  return O;
}

static void destroy(const Object &O) {
  for (size_t I = 0; I != O.Size; ++I)
    if (O.Start[I] != (O.Cold ? 'c' : 'h')) {
      std::printf("contents changed\n");
      std::_Exit(1);
    }
  free(O.Start);
}

static void resize(Object &O, std::mt19937 &Random) {
  size_t Size = 1 + Random() % 2000;
  O.Start = static_cast<char *>(O.Cold ? realloc_cold(O.Start, Size)
                                       : realloc(O.Start, Size));
  O.Size = Size;
  // Where small objects lie in order, so does this one now.
  O.Aligned = false;
  if (thermocline_alloc_is_cold(O.Start) != O.Cold) {
    std::printf("realloc changed the heap\n");
    std::_Exit(1);
  }
  std::memset(O.Start, O.Cold ? 'c' : 'h', Size);
  Pages.note(O);
}

static constexpr int Operations = 20000;

static void work(unsigned Seed) {
  std::mt19937 Random(Seed);
  for (int I = 0; I != Operations; ++I) {
    Object O = {};
    {
      std::lock_guard<std::mutex> Guard(SharedLock);
      if (Shared.size() > 2000 || (!Shared.empty() && Random() % 3 == 0)) {
        std::swap(Shared[Random() % Shared.size()], Shared.back());
        O = Shared.back();
        Shared.pop_back();
      }
    }
    if (O.Start != nullptr && Random() % 4 != 0) {
      destroy(O);
      continue;
    }
    if (O.Start != nullptr)
      resize(O, Random);
    else
      O = make(Random);
    std::lock_guard<std::mutex> Guard(SharedLock);
    Shared.push_back(O);
  }
}

/// Eight threads in two waves. Of the first some end while the others work.
static void workInThreads(unsigned Seed) {
  for (unsigned Wave = 0; Wave != 2; ++Wave) {
    std::vector<std::thread> Threads;
    for (unsigned Thread = 0; Thread != 4; ++Thread)
      Threads.emplace_back(work, Seed * 8 + Wave * 4 + Thread);
    for (std::thread &Thread : Threads)
      Thread.join();
  }
  std::printf("%d operations, no page shared\n", Operations * 8);
}

/// Two processes, which go on with the heap that there is, while another thread
/// allocates. That one must not hold our own locks when we fork.
static void fork(unsigned Seed) {
  std::atomic<bool> Stop = false;
  std::thread Other([&] {
    std::mt19937 Random(Seed);
    while (!Stop) {
      size_t Size = 1 + Random() % 600;
      free(malloc(Size));
      free(malloc_cold(Size));
    }
  });
  for (unsigned Child = 1; Child != 3; ++Child) {
    std::fflush(stdout);
    pid_t Process = ::fork();
    if (Process == 0) {
      workInThreads(Seed + Child * 100);
      std::fflush(stdout);
      _Exit(0);
    }
    int Status;
    if (Process < 0 || waitpid(Process, &Status, 0) != Process || Status != 0)
      std::_Exit(1);
  }
  Stop = true;
  Other.join();
}

int main(int, char **Arguments) {
  unsigned Seed = static_cast<unsigned>(std::atoi(Arguments[1]));
  workInThreads(Seed);
  fork(Seed);
  for (const Object &O : Shared)
    destroy(O);
}
