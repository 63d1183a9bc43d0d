//===- alloc/order/Place.h - Where a thread makes objects -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread makes objects one behind the other in a hole of a chunk that it
// owns, then in the next hole of the chunk. Neighbouring holes are joined
// before. The rest of a hole that is left stays a hole.
//
// Making an object adds one start, that of the rest behind it; what is made is
// counted when the hole is left. So it costs no atomic operation.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_PLACE_H
#define THERMOCLINE_ALLOC_ORDER_PLACE_H

#include "Chunk.h"

namespace thermocline::alloc {

class Place {
public:
  /// A chunk that is left with more than this to fill is listed, as is one of
  /// which so much becomes free later.
  static constexpr size_t WorthGranules = ChunkGranules / 4;

  bool isOpen() const { return Current != nullptr; }
  bool fits(size_t Granules) const {
    return static_cast<size_t>(End - Next) >= Granules * GranuleBytes;
  }
  /// \returns the granules of the hole that are left.
  size_t restGranules() const {
    return static_cast<size_t>(End - Next) / GranuleBytes;
  }
  /// Makes an object, which fits.
  void *make(size_t Granules) {
    char *Made = Next;
    Next += Granules * GranuleBytes;
    Current->addStart(Chunk::granuleOf(Next));
    return Made;
  }
  /// Makes the object longer, which is the last one made and has OldGranules.
  /// \returns false if it is not, or there is no room.
  bool extend(void *Object, size_t OldGranules, size_t NewGranules);

  /// Begins with the chunk, which the calling thread owns and in which nothing
  /// lives.
  void openEmpty(Chunk *C);
  /// Begins with a chunk in which something lives, before the first hole.
  void openUsed(Chunk *C);
  /// Goes to the next hole. \returns false if there is none.
  bool enterNextHole();
  /// Ends the ownership. \returns the chunk if the pool has to settle it, else
  /// null.
  Chunk *close();

  /// \returns the granules that became objects so far. Other threads may ask,
  /// for a number that was right a moment ago.
  size_t madeGranules() const;

private:
  /// Between Next and End is what is left of the hole.
  char *Next = nullptr, *End = nullptr;
  /// Where the hole began to be filled.
  char *HoleStart = nullptr;
  Chunk *Current = nullptr;
  /// Objects of former holes, and what was left of these.
  size_t FormerGranules = 0, LeftGranules = 0;
  /// The holes that are still to come.
  uint64_t Holes[ChunkGranules / 64] = {};
  size_t HoleWord = 0;

  void leaveHole();
  void enter(size_t First, size_t Behind);
};

} // namespace thermocline::alloc

#endif
