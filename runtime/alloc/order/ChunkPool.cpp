//===- alloc/order/ChunkPool.cpp - Chunks that nobody fills ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkPool.h"
#include "heap/Footprint.h"
#include <cerrno>
#include <ctime>
#include <sys/mman.h>

using namespace thermocline::alloc;

constinit ChunkPool thermocline::alloc::Pool;

extern "C" {
// Pages of the heaps beside (jemalloc/Unused.c), of all arenas.
void thermocline_je_count_pages(size_t *Used, size_t *Unused, unsigned But);
size_t thermocline_je_purge_pages(size_t SizeBytes, unsigned But);
void thermocline_cold_je_count_pages(size_t *Used, size_t *Unused,
                                     unsigned But);
size_t thermocline_cold_je_purge_pages(size_t SizeBytes, unsigned But);
}

namespace {

constexpr unsigned AllArenas = -1u;

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
constexpr size_t FreedStepBytes = MiB;
constexpr size_t HugePageBytes = 2 * MiB;
/// How often it is looked what others have unused, by what is taken.
constexpr size_t GrownStepBytes = 256 * KiB;
/// Without addresses, it is asked for some as seldom.
constexpr unsigned FailuresBetween = 256;

int64_t clockMs() {
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &Now);
  return int64_t(Now.tv_sec) * 1000 + Now.tv_nsec / 1000000;
}

void countOthers(size_t &Used, size_t &Unused) {
  thermocline_je_count_pages(&Used, &Unused, AllArenas);
  thermocline_cold_je_count_pages(&Used, &Unused, AllArenas);
}

void purgeOthers(size_t SizeBytes) {
  SizeBytes = thermocline_je_purge_pages(SizeBytes, AllArenas);
  if (SizeBytes != 0)
    thermocline_cold_je_purge_pages(SizeBytes, AllArenas);
}

class Guard {
public:
  explicit Guard(ChunkPool &P) : P(P) { P.lock(); }
  ~Guard() { P.unlock(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  ChunkPool &P;
};

} // namespace

void ChunkList::add(Chunk *C) {
  C->Older = Newest;
  C->Newer = nullptr;
  (Newest ? Newest->Newer : Oldest) = C;
  Newest = C;
}

void ChunkList::remove(Chunk *C) {
  (C->Older ? C->Older->Newer : Oldest) = C->Newer;
  (C->Newer ? C->Newer->Older : Newest) = C->Older;
}

Chunk *ChunkPool::takeUnused() {
  if (Chunk *C = Unused.newest()) {
    Unused.remove(C);
    return C;
  }
  if (Fresh.Count == 0) {
    if (Failures != 0 && Failures++ % FailuresBetween != 0)
      return nullptr;
    Fresh = growOrderRange();
    if (Fresh.Count == 0) {
      Failures += Failures == 0;
      return nullptr;
    }
    Failures = 0;
  }
  --Fresh.Count;
  return Fresh.First++;
}

ChunkPool::Taken ChunkPool::take(unsigned AlsoWanted) {
  Taken T = {nullptr, true};
  bool NeedsMemory = false;
  {
    Guard Held(*this);
    if (KeepMs > 0)
      purgeOld(clockMs());
    if ((T.Which = Free.newest())) {
      Free.remove(T.Which);
      FreeBytes.fetch_sub(ChunkBytes, std::memory_order_relaxed);
    } else if ((AlsoWanted & AlsoListed) && (T.Which = Listed.oldest())) {
      Listed.remove(T.Which);
      T.IsEmpty = false;
    } else if (AlsoWanted & AlsoUnused) {
      T.Which = takeUnused();
      NeedsMemory = T.Which != nullptr;
    }
    if (T.Which == nullptr)
      return T;
    if (T.IsEmpty)
      UsedBytes.fetch_add(ChunkBytes, std::memory_order_relaxed);
    T.Which->changeState(T.Which->state(), Chunk::Owned);
  }
  if (NeedsMemory)
    growFor(ChunkBytes);
  return T;
}

void ChunkPool::settle(Chunk *C) {
  bool BecameFree = false;
  {
    Guard Held(*this);
    const Chunk::State S = C->state();
    // Another thread may have been faster.
    if (S != Chunk::Full && S != Chunk::Listed)
      return;
    if (C->liveGranules() == 0) {
      if (S == Chunk::Listed)
        Listed.remove(C);
      C->changeState(S, Chunk::Free);
      Free.add(C);
      UsedBytes.fetch_sub(ChunkBytes, std::memory_order_relaxed);
      FreeBytes.fetch_add(ChunkBytes, std::memory_order_relaxed);
      BecameFree = true;
      if (KeepMs == 0) {
        purgeRun(C, INT64_MAX);
      } else if (KeepMs > 0) {
        C->FreeSinceMs = clockMs();
        purgeOld(C->FreeSinceMs);
      }
    } else if (S == Chunk::Full && C->isWorthListing()) {
      C->changeState(S, Chunk::Listed);
      Listed.add(C);
    }
  }
  if (BecameFree &&
      FreedBytes.fetch_add(ChunkBytes, std::memory_order_relaxed) >=
          FreedStepBytes) {
    FreedBytes.store(0, std::memory_order_relaxed);
    giveBackIfNearlyAllIsFree();
  }
}

/// Gives back the chunk, and its neighbours of the same huge page that became
/// empty before that time: a huge page that goes back piece by piece stays in
/// pieces. \returns how many bytes.
size_t ChunkPool::purgeRun(Chunk *C, int64_t FreeBeforeMs) {
  auto goesBack = [=](const Chunk *Neighbour) {
    return Neighbour->state() == Chunk::Free &&
           Neighbour->FreeSinceMs <= FreeBeforeMs;
  };
  auto offset = [](Chunk *Each) {
    return reinterpret_cast<uintptr_t>(Each->start()) % HugePageBytes;
  };
  Chunk *First = C, *Behind = C + 1;
  while (offset(First) != 0 && goesBack(First - 1))
    --First;
  while (offset(Behind) != 0 && goesBack(Behind))
    ++Behind;
  const size_t SizeBytes = static_cast<size_t>(Behind - First) * ChunkBytes;
  const int Error = errno;
  madvise(First->start(), SizeBytes, MADV_DONTNEED);
  errno = Error;
  // What is given out first comes last.
  while (Behind-- != First) {
    Free.remove(Behind);
    Behind->changeState(Chunk::Free, Chunk::Unused);
    Unused.add(Behind);
  }
  FreeBytes.fetch_sub(SizeBytes, std::memory_order_relaxed);
  return SizeBytes;
}

/// Gives back what is empty for too long. Not much at once, as others wait.
void ChunkPool::purgeOld(int64_t NowMs) {
  constexpr unsigned MostRuns = 16;
  for (unsigned Runs = 0; Runs != MostRuns; ++Runs) {
    Chunk *C = Free.oldest();
    if (C == nullptr || C->FreeSinceMs > NowMs - KeepMs)
      return;
    purgeRun(C, NowMs - KeepMs);
  }
}

void ChunkPool::tick() {
  if (KeepMs <= 0 || freeBytes() == 0 || pthread_mutex_trylock(&Lock) != 0)
    return;
  purgeOld(clockMs());
  unlock();
}

size_t ChunkPool::tryPurge(size_t SizeBytes) {
  if (freeBytes() == 0 || pthread_mutex_trylock(&Lock) != 0)
    return SizeBytes;
  while (SizeBytes != 0 && Free.oldest() != nullptr) {
    const size_t Purged = purgeRun(Free.oldest(), INT64_MAX);
    SizeBytes -= Purged < SizeBytes ? Purged : SizeBytes;
  }
  unlock();
  return SizeBytes;
}

/// Nothing of ours is unused where fresh memory is taken.
void ChunkPool::growFor(size_t SizeBytes) {
  if (GrownBytes.fetch_add(SizeBytes, std::memory_order_relaxed) <
      GrownStepBytes)
    return;
  GrownBytes.store(0, std::memory_order_relaxed);
  size_t Used = usedBytes(), Unused = 0;
  countOthers(Used, Unused);
  if (!thermocline_alloc_has_had(Used + Unused + GrownStepBytes, Used) &&
      thermocline_alloc_exceeds_allowed(Used, Unused))
    purgeOthers(GrownStepBytes);
}

void ChunkPool::giveBackIfNearlyAllIsFree() {
  size_t Used = usedBytes(), Unused = unusedBytes();
  countOthers(Used, Unused);
  if (!thermocline_alloc_is_nearly_free(Used, Unused))
    return;
  thermocline_alloc_forget_had();
  if (unusedBytes() != 0)
    tryPurge(SIZE_MAX);
  purgeOthers(SIZE_MAX);
}

void thermocline_alloc_count_order(size_t *UsedBytes, size_t *UnusedBytes) {
  *UsedBytes += Pool.usedBytes();
  *UnusedBytes += Pool.unusedBytes();
}

void thermocline_alloc_tick_order() { Pool.tick(); }

size_t thermocline_alloc_purge_order(size_t SizeBytes) {
  return Pool.unusedBytes() == 0 ? SizeBytes : Pool.tryPurge(SizeBytes);
}
