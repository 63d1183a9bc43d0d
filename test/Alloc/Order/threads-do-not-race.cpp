// What threads do with chunks at once is ordered: objects that are made by one
// thread, freed by another, and made anew by a third, many at a time and one by
// one, as ThreadSanitizer sees it. No race is suppressed.
//
// ThreadSanitizer has a malloc of its own, so this is the heap by itself: its
// addresses are mapped here, and jemalloc has no pages.
//
// DEFINE: %{order} = %srcroot/runtime/alloc/order
// RUN: %clangxx -std=c++20 -O1 -g -fsanitize=thread -pthread -I%srcroot/runtime/alloc -I%srcroot/include %s %srcroot/runtime/alloc/heap/Decay.cpp %srcroot/runtime/alloc/heap/Footprint.cpp %{order}/Chunk.cpp %{order}/ChunkPool.cpp %{order}/OrderThread.cpp %{order}/Place.cpp -o %t
// What is empty is kept for a while; goes back at once; is kept for ever.
// RUN: %t 1000 && %t 0 && %t -1

#include "order/ChunkPool.h"
#include "order/OrderThread.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <vector>

using namespace thermocline::alloc;

constinit OrderRange thermocline::alloc::Ordered = {};

extern "C" {
void *thermocline_je_mallocx(size_t Bytes, int) { return calloc(1, Bytes); }
void thermocline_je_count_pages(size_t *, size_t *, unsigned) {}
size_t thermocline_je_purge_pages(size_t Bytes, unsigned) { return Bytes; }
void thermocline_cold_je_count_pages(size_t *, size_t *, unsigned) {}
size_t thermocline_cold_je_purge_pages(size_t Bytes, unsigned) { return Bytes; }
void thermocline_je_decay_pages() {}
void thermocline_cold_je_decay_pages() {}
}

constexpr size_t MostBytes = 4 * SegmentBytes, StepBytes = 4 << 20;

FreshChunks thermocline::alloc::growOrderRange() {
  const size_t Old = Ordered.SizeBytes;
  if (Old == MostBytes)
    abort();
  Ordered.SizeBytes = Old + StepBytes;
  const size_t Books = Old % SegmentBytes == 0 ? BookChunks : 0;
  return {Chunk::of(reinterpret_cast<void *>(Ordered.Base + Old)) + Books,
          StepBytes / ChunkBytes - Books};
}

static unsigned char *make(size_t Granules) {
  OrderThread *Mine = OrderThreadOrNone;
  if (Mine == &NoOrderThread)
    Mine = giveOrderRecord();
  void *Made = Mine->allocateAtOnce(Granules);
  if (Made == nullptr)
    Made = Mine->allocateSlowly(Granules);
  memset(Made, static_cast<int>(Granules), Granules * GranuleBytes);
  return static_cast<unsigned char *>(Made);
}

static void release(unsigned char *Object) {
  if (Object == nullptr)
    return;
  const size_t Granules =
      Chunk::of(Object)->objectGranules(Chunk::granuleOf(Object));
  for (size_t I = 0; I != Granules * GranuleBytes; ++I)
    if (Object[I] != Granules) {
      puts("changed");
      abort();
    }
  OrderThread *Mine = OrderThreadOrNone;
  if (!Mine->releaseAtOnce(Object, Granules))
    Mine->releaseSlowly(Object, Granules);
}

static constexpr size_t Count = 2000, Together = 300;
static std::atomic<unsigned char *> Shared[Count];

static void work(uint64_t State) {
  auto below = [&](uint64_t End) {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return (State >> 11) % End;
  };
  for (int I = 0; I != 8000; ++I) {
    const size_t Most = below(4) != 0 ? 6 : MostGranules;
    release(Shared[below(Count)].exchange(make(1 + below(Most))));
    if (below(64) == 0)
      for (size_t First = below(Count - Together), J = 0; J != Together; ++J)
        release(Shared[First + J].exchange(nullptr));
  }
}

int main(int, char **Arguments) {
  void *Mapped = mmap(nullptr, MostBytes + SegmentBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  Ordered.Base = (reinterpret_cast<uintptr_t>(Mapped) + SegmentBytes - 1) &
                 ~(SegmentBytes - 1);
  if (!startOrderThreads())
    abort();
  Pool.start(atoi(Arguments[1]));
  for (uint64_t Wave = 0; Wave != 2; ++Wave) {
    std::vector<std::thread> Threads;
    for (uint64_t I = 1; I != 5; ++I)
      Threads.emplace_back(work, (Wave * 8 + I) * 0x9E3779B97F4A7C15);
    for (std::thread &T : Threads)
      T.join();
  }
  for (auto &Object : Shared)
    release(Object.exchange(nullptr));
  if (Pool.usedBytes() != 0) {
    printf("%zu bytes are not free\n", Pool.usedBytes());
    return 1;
  }
  return 0;
}
