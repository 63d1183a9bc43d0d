// Hot and cold objects of all sizes, allocated, resized and freed at random by
// two threads that also free each other's: no page ever holds both sorts.
//
// RUN: %clangxx -std=c++20 -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t
// RUN: %t | %FileCheck %s
// CHECK: 200000 operations, no page shared

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

struct Object {
  char *Start;
  size_t Size;
  bool Cold;
};

/// What each page has ever held.
class PageTable {
public:
  void note(const Object &O) {
    std::lock_guard<std::mutex> Guard(Lock);
    uintptr_t First = reinterpret_cast<uintptr_t>(O.Start) >> 12;
    uintptr_t Last = (reinterpret_cast<uintptr_t>(O.Start) + O.Size - 1) >> 12;
    for (uintptr_t Page = First; Page <= Last; ++Page) {
      Slot &S = slot(Page);
      if (S.Page == Page && S.Cold != O.Cold) {
        std::printf("page %lx holds hot and cold objects\n", Page);
        std::_Exit(1);
      }
      S = {Page, O.Cold};
    }
  }

private:
  struct Slot {
    uintptr_t Page;
    bool Cold;
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
  switch (Random() % 3) {
  case 0:
    P = static_cast<char *>(Cold ? malloc_cold(Size) : malloc(Size));
    break;
  case 1:
    P = static_cast<char *>(Cold ? calloc_cold(1, Size) : calloc(1, Size));
    break;
  default:
    P = static_cast<char *>(Cold ? ::operator new(Size, __hot_cold_t(1))
                                 : ::operator new(Size));
    break;
  }
  std::memset(P, Cold ? 'c' : 'h', Size);
  Object O = {P, Size, Cold};
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
  O.Start = static_cast<char *>(realloc(O.Start, Size));
  O.Size = Size;
  if (thermocline_alloc_is_cold(O.Start) != O.Cold) {
    std::printf("realloc changed the heap\n");
    std::_Exit(1);
  }
  std::memset(O.Start, O.Cold ? 'c' : 'h', Size);
  Pages.note(O);
}

static void work(unsigned Seed) {
  std::mt19937 Random(Seed);
  for (int I = 0; I != 100000; ++I) {
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

int main() {
  std::thread Other(work, 1);
  work(2);
  Other.join();
  for (const Object &O : Shared)
    destroy(O);
  std::puts("200000 operations, no page shared");
}
