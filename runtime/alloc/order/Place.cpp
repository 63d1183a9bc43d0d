//===- alloc/order/Place.cpp - Where a thread makes objects ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Place.h"

using namespace thermocline::alloc;

static constexpr size_t Words = ChunkGranules / 64;

bool Place::extend(void *Object, size_t OldGranules, size_t NewGranules) {
  char *OldEnd = static_cast<char *>(Object) + OldGranules * GranuleBytes;
  if (!isOpen() || OldEnd != Next || Object < HoleStart ||
      !fits(NewGranules - OldGranules))
    return false;
  Current->removeStart(Chunk::granuleOf(Next));
  make(NewGranules - OldGranules);
  return true;
}

void Place::openEmpty(Chunk *C) {
  C->makeEmpty();
  Current = C;
  HoleWord = Words;
  enter(0, ChunkGranules);
}

void Place::openUsed(Chunk *C) {
  Current = C;
  C->takeHoles(Holes);
  HoleWord = 0;
}

void Place::enter(size_t First, size_t Behind) {
  char *Start = Current->start();
  HoleStart = Next = Start + First * GranuleBytes;
  End = Start + Behind * GranuleBytes;
}

void Place::leaveHole() {
  FormerGranules += static_cast<size_t>(Next - HoleStart) / GranuleBytes;
  if (Next != End) {
    const size_t First = Chunk::granuleOf(Next);
    Current->addHoles(First / 64, uint64_t(1) << First % 64);
    LeftGranules += restGranules();
  }
  HoleStart = Next = End = nullptr;
}

bool Place::enterNextHole() {
  leaveHole();
  while (HoleWord != Words && Holes[HoleWord] == 0)
    ++HoleWord;
  if (HoleWord == Words)
    return false;
  const size_t First =
      HoleWord * 64 + static_cast<size_t>(__builtin_ctzll(Holes[HoleWord]));
  Holes[HoleWord] &= Holes[HoleWord] - 1;
  const size_t Behind = Current->joinHoles(First, Holes);
  enter(First, Behind);
  return true;
}

Chunk *Place::close() {
  leaveHole();
  for (; HoleWord != Words; ++HoleWord)
    if (Holes[HoleWord] != 0)
      Current->addHoles(HoleWord, Holes[HoleWord]);
  // What nobody could fill now does not make it worth trying again.
  const size_t Wanted = LeftGranules + WorthGranules;
  Chunk *Closed = Current;
  const bool ToSettle = Closed->leave(
      FormerGranules, Wanted < ChunkGranules ? ChunkGranules - Wanted : 0);
  *this = {};
  return ToSettle ? Closed : nullptr;
}

size_t Place::madeGranules() const {
  const char *Start = __atomic_load_n(&HoleStart, __ATOMIC_RELAXED);
  const char *Now = __atomic_load_n(&Next, __ATOMIC_RELAXED);
  const size_t InHole =
      Start != nullptr && Now >= Start && Now - Start <= ptrdiff_t(ChunkBytes)
          ? static_cast<size_t>(Now - Start) / GranuleBytes
          : 0;
  return __atomic_load_n(&FormerGranules, __ATOMIC_RELAXED) + InHole;
}
