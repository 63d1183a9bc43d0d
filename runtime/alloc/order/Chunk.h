//===- alloc/order/Chunk.h - A piece of memory and its books ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects lie in granules of 16 bytes, without anything between them, in chunks
// of 32 KiB. A chunk is cut into runs of granules: objects, and holes between
// them. Two bits for each granule, which lie elsewhere, say whether a run
// starts there, and whether the run is a hole. So the size of an object is the
// distance to the next start.
//
// Problem: anyone may free at any time, but holes can be joined and filled only
// by one thread at a time. So a chunk has an owner while it is filled. Only the
// owner changes starts; where an object and the run behind it start does not
// change while the object lives. Whoever frees sets the bit of the hole by an
// atomic operation, then subtracts from the granules that are in use. Both the
// sum and the state are in one word, so that exactly one thread sees that the
// chunk has become worth filling again, or empty.
//
// Cost: 576 bytes for 32 KiB. The books of all chunks of a segment lie at its
// start, so that they are found by a mask. A segment is large, so that almost
// all of its huge pages are without books, and can go back whole.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_CHUNK_H
#define THERMOCLINE_ALLOC_ORDER_CHUNK_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

inline constexpr size_t GranuleBytes = 16;
inline constexpr size_t ChunkBytes = 32 << 10;
inline constexpr size_t ChunkGranules = ChunkBytes / GranuleBytes;
inline constexpr size_t SegmentBytes = 64 << 20;
inline constexpr size_t SegmentChunks = SegmentBytes / ChunkBytes;

/// Larger objects are not in chunks. An object of so many granules ends in the
/// word of bits in which it starts or in the next; and no hole of a chunk that
/// is left because an object does not fit is more than a 32nd of it.
inline constexpr size_t MostGranules = 64;
inline constexpr size_t MostObjectBytes = MostGranules * GranuleBytes;

/// \returns how many granules an object has; 1 where it has no bytes.
inline size_t granulesFor(size_t SizeBytes) {
  return (SizeBytes + (SizeBytes == 0) + GranuleBytes - 1) / GranuleBytes;
}

/// The books of a chunk. All zero, they are those of an unused one.
class alignas(64) Chunk {
public:
  enum State : uint8_t {
    Unused, ///< Nothing in it, and as far as we know no memory behind it.
    Free,   ///< Nothing in it, but memory.
    Owned,  ///< A thread fills it.
    Full,   ///< Nobody fills it, and not much of it is free.
    Listed, ///< Nobody fills it, but it is worth it.
  };

  /// The chunk in which Pointer lies.
  static Chunk *of(const void *Pointer) {
    const uintptr_t Address = reinterpret_cast<uintptr_t>(Pointer);
    auto *Books = reinterpret_cast<Chunk *>(Address & ~(SegmentBytes - 1));
    return Books + Address % SegmentBytes / ChunkBytes;
  }
  static size_t granuleOf(const void *Pointer) {
    return reinterpret_cast<uintptr_t>(Pointer) % ChunkBytes / GranuleBytes;
  }
  char *start();

  /// \returns the granules of the object that starts at First.
  size_t objectGranules(size_t First) const {
    const size_t Word = First / 64, Bit = First % 64;
    const uint64_t Behind = starts(Word) >> Bit >> 1 | starts(Word + 1)
                                                           << (63 - Bit);
    return static_cast<size_t>(__builtin_ctzll(Behind)) + 1;
  }

  /// Makes holes of runs, as the bits of the first granules in a word of bits.
  void addHoles(size_t Word, uint64_t Holes);
  /// Then takes their granules off. \returns whether the pool has to settle the
  /// chunk.
  bool subtract(size_t Granules);

  // For the owner.

  /// Notes that a run starts at the granule. The first one, for which that of
  /// the next chunk may be given, always is a start.
  void addStart(size_t Granule) {
    std::atomic<uint64_t> &Word = Starts[Granule % ChunkGranules / 64];
    Word.store(Word.load(std::memory_order_relaxed) | bit(Granule),
               std::memory_order_relaxed);
  }
  void removeStart(size_t Granule) { removeStarts(Granule / 64, bit(Granule)); }
  /// Joins the hole that starts at First, and is not in Holes, with those of
  /// Holes that follow it, and removes these from Holes. \returns where it
  /// ends.
  size_t joinHoles(size_t First, uint64_t (&Holes)[ChunkGranules / 64]);
  /// Makes one hole of the chunk, in which nothing lives.
  void makeEmpty();
  /// Moves the holes to Holes, which has a bit for the first granule of each.
  void takeHoles(uint64_t (&Holes)[ChunkGranules / 64]);
  /// Ends the ownership, in which MadeGranules became objects. The chunk is to
  /// be listed when no more than ListAt are in use. \returns whether the pool
  /// has to settle it now.
  bool leave(size_t MadeGranules, size_t ListAt);

  // For the pool, under its lock.

  State state() const { return stateOf(Word.load(std::memory_order_acquire)); }
  void changeState(State From, State To) {
    Word.fetch_add(To - From, std::memory_order_acq_rel);
  }
  /// Granules in use; while the chunk is owned, without those of new objects.
  int64_t liveGranules() const {
    return liveOf(Word.load(std::memory_order_acquire));
  }
  bool isWorthListing() const {
    return liveGranules() <= ListAtGranules.load(std::memory_order_relaxed);
  }
  /// Neighbours in a list of the pool.
  Chunk *Older, *Newer;
  /// When it became free, by a clock of the pool's.
  int64_t FreeSinceMs;

private:
  /// The state is in the lowest bits, so that a sum that is negative for a
  /// while leaves it alone.
  static constexpr int StateBits = 8;
  static State stateOf(int64_t Word) { return static_cast<State>(Word & 255); }
  static int64_t liveOf(int64_t Word) { return Word >> StateBits; }
  static int64_t asLive(size_t Granules) {
    return static_cast<int64_t>(Granules) << StateBits;
  }
  static uint64_t bit(size_t Granule) { return uint64_t(1) << Granule % 64; }
  uint64_t starts(size_t Word) const {
    return Starts[Word].load(std::memory_order_relaxed);
  }
  void removeStarts(size_t W, uint64_t Bits) {
    Starts[W].store(starts(W) & ~Bits, std::memory_order_relaxed);
  }
  bool needsSettling(State S, int64_t Before, int64_t After) const;

  std::atomic<int64_t> Word;
  std::atomic<int64_t> ListAtGranules;
  /// The last word has a start behind the end of the chunk.
  std::atomic<uint64_t> Starts[ChunkGranules / 64 + 1];
  std::atomic<uint64_t> Holes[ChunkGranules / 64];
};

/// The chunks at the start of a segment whose memory has the books.
inline constexpr size_t BookChunks =
    (SegmentChunks * sizeof(Chunk) + ChunkBytes - 1) / ChunkBytes;
static_assert(sizeof(Chunk) == 576 && BookChunks == 36);

} // namespace thermocline::alloc

#endif
