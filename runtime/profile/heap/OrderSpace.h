//===- profile/heap/OrderSpace.h - Where order would put objects *- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each small object has a place in a space that has no memory: where it would
// lie in order of allocation (runtime/alloc/order). A thread makes places one
// behind the other in a chunk of its own. What it frees goes into a list, one
// for each size, and is given out first, so that what lives shortly takes no
// new places. What no list has room for is left a hole, though the allocator
// would fill it: so places are at most as dense as objects would be.
//
// The header of an object has its place. Which objects lie side by side is
// known of some chunks only, the tracked ones: all at first, and one of each
// 2, 4, 8 or more when there would be too many. Which these are looks random.
//
// Cost: some instructions in each malloc and free, and two stores more for
// objects of tracked chunks; 25 KiB for each of these, and 9 KiB for each
// thread.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_ORDERSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_ORDERSPACE_H

#include "platform/Base.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// A place, as headers have it: beside it are the lowest SizeBits for the size
/// of the object, and IsPlaced tells that there is one.
struct OrderPlace {
  static constexpr unsigned SizeBits = 11;
  static constexpr unsigned GranuleBits = 11;
  static constexpr unsigned ChunkBits = 25;
  static constexpr uint64_t IsPlaced = uint64_t(1) << 47;
  static constexpr unsigned SlotShift = 48;
  static constexpr unsigned RoundShift = 56;
  static_assert(SizeBits + GranuleBits + ChunkBits == 47 &&
                1 << GranuleBits == format::OrderChunkGranules &&
                1 << SizeBits > format::MostOrderedBytes);

  /// 0 if there is none.
  uint64_t Bits = 0;

  explicit operator bool() const { return Bits != 0; }
  bool operator==(const OrderPlace &) const = default;

  /// The granule of the object, counted from the beginning of its chunk.
  unsigned granule() const {
    return static_cast<unsigned>(Bits >> SizeBits) % format::OrderChunkGranules;
  }
  /// The number of the tracked chunk plus 1, or 0; and how often that had been
  /// another's.
  unsigned slot() const { return (Bits >> SlotShift) & 0xFF; }
  uint8_t round() const { return static_cast<uint8_t>(Bits >> RoundShift); }
  /// The place \p Granules behind it in the same chunk.
  OrderPlace behind(unsigned Granules) const {
    return {Bits + (uint64_t(Granules) << SizeBits)};
  }
};

/// What each thread has of the space. All zeros is empty. The caller sees to it
/// that no two threads use it at once.
class OrderCursor {
  friend class OrderSpace;
  struct FreeList {
    static constexpr unsigned Most = 16;
    OrderPlace Places[Most];
    /// The last that came, and how many there are: the oldest is given up for
    /// another.
    uint8_t Last, Size;
  };
  /// Where the next object lies, and how many granules are left behind it.
  OrderPlace Next;
  unsigned Left;
  FreeList Free[format::MostOrderedBytes / format::OrderGranuleBytes];
};

/// A chunk of which it is known what lies in it.
class TrackedChunk {
  friend class OrderSpace;

public:
  struct Object {
    /// Null if none was ever made there.
    void *Block;
    unsigned Granules;
    uint32_t Context;
  };
  /// What was last made in the granule \p Granule. It may have ended.
  Object at(unsigned Granule) const {
    const uint64_t Entry = Entries[Granule].loadRelaxed();
    return {reinterpret_cast<void *>(Entry & AddressMask),
            static_cast<unsigned>(Entry >> AddressBits) + 1,
            Contexts[Granule].loadRelaxed()};
  }
  /// Whether \p Place is in it.
  bool has(OrderPlace Place) const {
    return Place.round() == static_cast<uint8_t>(Round.loadRelaxed());
  }
  bool isInUse() const { return Chunk.load() != 0; }

private:
  static constexpr unsigned AddressBits = 48;
  static constexpr uint64_t AddressMask = (uint64_t(1) << AddressBits) - 1;
  /// What a chunk has in Live besides while a thread fills it, which then need
  /// not count what it makes.
  static constexpr int64_t Open = int64_t(1) << 32;

  /// The number of the chunk plus 1; 0 if it is none.
  Atomic<uint32_t> Chunk;
  Atomic<uint32_t> Round;
  /// Granules of objects that live, or whose places are in a list.
  Atomic<int64_t> Live;
  Atomic<uint64_t> Entries[format::OrderChunkGranules];
  Atomic<uint32_t> Contexts[format::OrderChunkGranules];
};

class OrderSpace {
public:
  /// So many chunks are tracked at most.
  static constexpr unsigned MaxTracked = 64;

  /// \returns false if there is no memory.
  bool start();
  bool isOn() const { return Tracked.loadRelaxed() != nullptr; }

  /// A place for an object of \p Granules granules.
  OrderPlace take(OrderCursor &Cursor, unsigned Granules) {
    OrderCursor::FreeList &List = Cursor.Free[Granules - 1];
    if (List.Size) {
      const OrderPlace Result = List.Places[List.Last];
      List.Last = (List.Last - 1) % OrderCursor::FreeList::Most;
      --List.Size;
      return Result;
    }
    if (__builtin_expect(Cursor.Left < Granules, false))
      openChunk(Cursor);
    const OrderPlace Result = Cursor.Next;
    Cursor.Next = Result.behind(Granules);
    Cursor.Left -= Granules;
    return Result;
  }
  /// Says what lies there.
  void note(OrderPlace Place, const void *Block, uint32_t Context,
            unsigned Granules) {
    if (Place.slot())
      noteTracked(Place, Block, Context, Granules);
  }
  /// The object ends.
  void giveBack(OrderCursor &Cursor, OrderPlace Place, unsigned Granules) {
    OrderCursor::FreeList &List = Cursor.Free[Granules - 1];
    List.Last = (List.Last + 1) % OrderCursor::FreeList::Most;
    if (List.Size != OrderCursor::FreeList::Most)
      ++List.Size;
    else if (List.Places[List.Last].slot())
      giveUp(List.Places[List.Last], Granules);
    List.Places[List.Last] = Place;
  }

  /// \p Number is below MaxTracked; isOn().
  const TrackedChunk &tracked(unsigned Number) const {
    return Tracked.loadRelaxed()[Number];
  }

private:
  void openChunk(OrderCursor &Cursor);
  unsigned track(uint32_t Chunk, uint8_t &Round);
  bool isTracked(uint32_t Chunk) const;
  void refine();
  void noteTracked(OrderPlace Place, const void *Block, uint32_t Context,
                   unsigned Granules);
  void giveUp(OrderPlace Place, unsigned Granules);
  void subtract(TrackedChunk &Chunk, int64_t Granules);
  static void drop(TrackedChunk &Chunk);
  TrackedChunk *find(OrderPlace Place) const {
    TrackedChunk &Result = Tracked.loadRelaxed()[Place.slot() - 1];
    return Result.has(Place) ? &Result : nullptr;
  }

  Atomic<uint32_t> NumChunks;
  /// One of each 1 << Shift chunks is tracked.
  Atomic<uint32_t> Shift;
  Atomic<TrackedChunk *> Tracked;
};

} // namespace thermocline::runtime

#endif
