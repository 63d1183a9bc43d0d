//===- alloc/order/Chunk.cpp - A piece of memory and its books ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chunk.h"

using namespace thermocline::alloc;

char *Chunk::start() {
  const uintptr_t Address = reinterpret_cast<uintptr_t>(this);
  const uintptr_t Segment = Address & ~(SegmentBytes - 1);
  return reinterpret_cast<char *>(Segment + (Address - Segment) /
                                                sizeof(Chunk) * ChunkBytes);
}

bool Chunk::needsSettling(State S, int64_t Before, int64_t After) const {
  if (S != Full && S != Listed)
    return false;
  const int64_t ListAt = ListAtGranules.load(std::memory_order_relaxed);
  return After == 0 || (S == Full && Before > ListAt && After <= ListAt);
}

void Chunk::addHoles(size_t W, uint64_t Added) {
  Holes[W].fetch_or(Added, std::memory_order_release);
}

bool Chunk::subtract(size_t Granules) {
  const int64_t Before =
      Word.fetch_sub(asLive(Granules), std::memory_order_acq_rel);
  return needsSettling(stateOf(Before), liveOf(Before),
                       liveOf(Before) - static_cast<int64_t>(Granules));
}

size_t Chunk::joinHoles(size_t First, uint64_t (&Joined)[ChunkGranules / 64]) {
  constexpr size_t Words = ChunkGranules / 64;
  uint64_t Behind = ~(bit(First) | (bit(First) - 1));
  for (size_t W = First / 64; W != Words; ++W, Behind = ~uint64_t(0)) {
    const uint64_t Starting = starts(W) & Behind;
    const uint64_t Ends = Starting & ~Joined[W];
    // What starts before the first object is a hole.
    const uint64_t Before = Ends ? (Ends & -Ends) - 1 : ~uint64_t(0);
    if (const uint64_t Within = Starting & Before) {
      removeStarts(W, Within);
      Joined[W] &= ~Within;
    }
    if (Ends)
      return W * 64 + static_cast<size_t>(__builtin_ctzll(Ends));
  }
  return ChunkGranules;
}

void Chunk::makeEmpty() {
  for (std::atomic<uint64_t> &W : Starts)
    W.store(0, std::memory_order_relaxed);
  for (std::atomic<uint64_t> &W : Holes)
    W.store(0, std::memory_order_relaxed);
  addStart(0);
  Starts[ChunkGranules / 64].store(1, std::memory_order_relaxed);
}

void Chunk::takeHoles(uint64_t (&Taken)[ChunkGranules / 64]) {
  for (size_t W = 0; W != ChunkGranules / 64; ++W)
    Taken[W] = Holes[W].load(std::memory_order_relaxed) == 0
                   ? 0
                   : Holes[W].exchange(0, std::memory_order_acquire);
}

bool Chunk::leave(size_t MadeGranules, size_t ListAt) {
  ListAtGranules.store(static_cast<int64_t>(ListAt), std::memory_order_relaxed);
  const int64_t Before = Word.fetch_add(asLive(MadeGranules) + Full - Owned,
                                        std::memory_order_acq_rel);
  return needsSettling(Full, INT64_MAX,
                       liveOf(Before) + static_cast<int64_t>(MadeGranules));
}
