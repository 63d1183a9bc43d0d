//===- alloc/order/ChunkPool.h - Chunks that nobody fills -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads take chunks from here and give them back: empty ones, and those
// that are worth filling again. An empty chunk that has memory is given out
// first, the one that became empty last; then what is worth filling, the oldest
// first, since most of that has been freed since; then what needs memory.
//
// What is empty goes back to the kernel by the rules of the two heaps beside
// (heap/Footprint.h): some time after it was freed (dirty_decay_ms), instead
// of fresh pages that one of those takes, and at once if nearly all is free.
// Before it takes fresh memory, it has them give back as much.
//
// There is one lock, taken a few times for 32 KiB of objects. Who holds it
// takes no other lock, and those who may hold one of jemalloc's only try. It is
// held over a fork.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_CHUNKPOOL_H
#define THERMOCLINE_ALLOC_ORDER_CHUNKPOOL_H

#include "OrderRange.h"
#include "heap/Export.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <pthread.h>
#include <sys/types.h>

namespace thermocline::alloc {

/// Chunks in the order in which they came.
class ChunkList {
public:
  Chunk *oldest() const { return Oldest; }
  Chunk *newest() const { return Newest; }
  void add(Chunk *C);
  void remove(Chunk *C);

private:
  Chunk *Oldest = nullptr, *Newest = nullptr;
};

class ChunkPool {
public:
  /// Which chunks will do. Empty ones that have memory always do.
  enum Wanted : unsigned { OnlyFree = 0, AlsoListed = 1, AlsoUnused = 2 };
  struct Taken {
    Chunk *Which; ///< Null if there is none.
    bool IsEmpty;
  };

  /// Called once, before others. Empty chunks are kept for so many
  /// milliseconds, -1 stands for ever.
  void start(ssize_t KeepMs) { this->KeepMs = KeepMs; }
  /// Gives a chunk to the calling thread, which then owns it.
  Taken take(unsigned AlsoWanted);
  /// Puts a chunk that nobody owns where it belongs, after its books have
  /// changed.
  void settle(Chunk *C);
  /// Gives memory back that is empty for too long. Threads call it now and
  /// then, as time goes on for who neither takes nor settles chunks.
  void tick();
  /// Gives memory of empty chunks back, those that are empty for longest first.
  /// \returns how many of the bytes are to be given back still: all if another
  /// thread has the lock.
  size_t tryPurge(size_t SizeBytes);

  /// Bytes of chunks in which something lives or may live, and of those that
  /// are empty and have memory.
  size_t usedBytes() const { return UsedBytes.load(std::memory_order_relaxed); }
  size_t freeBytes() const { return FreeBytes.load(std::memory_order_relaxed); }
  /// What may go back: nothing if it is kept for ever.
  size_t unusedBytes() const { return KeepMs < 0 ? 0 : freeBytes(); }

  // Around a fork.
  void lock() { pthread_mutex_lock(&Lock); }
  void unlock() { pthread_mutex_unlock(&Lock); }
  void renewLock() { pthread_mutex_init(&Lock, nullptr); }

private:
  Chunk *takeUnused();
  size_t purgeRun(Chunk *C, int64_t FreeBeforeMs);
  void purgeOld(int64_t NowMs);
  void growFor(size_t SizeBytes);
  void giveBackIfNearlyAllIsFree();

  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  ChunkList Free, Listed, Unused;
  /// Chunks that were never used.
  FreshChunks Fresh = {};
  /// How often there were no addresses in a row.
  unsigned Failures = 0;
  ssize_t KeepMs = 0;
  std::atomic<size_t> UsedBytes = 0, FreeBytes = 0;
  /// Since it was last looked what others have unused, and what is free.
  std::atomic<size_t> GrownBytes = 0, FreedBytes = 0;
};

extern ChunkPool Pool THERMOCLINE_HIDDEN;

} // namespace thermocline::alloc

// What jemalloc/OtherHeap.c calls: adds the bytes in use, and those that may go
// back; gives back so many, and returns how many are left to do.
THERMOCLINE_OWN void thermocline_alloc_count_order(size_t *UsedBytes,
                                                   size_t *UnusedBytes);
THERMOCLINE_OWN size_t thermocline_alloc_purge_order(size_t SizeBytes);
// What heap/Decay.cpp calls.
THERMOCLINE_OWN void thermocline_alloc_tick_order();

#endif
