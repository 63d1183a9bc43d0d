//===- profile/heap/OrderProbe.cpp - How small objects would lie ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderProbe.h"
#include "platform/System.h"

using namespace thermocline;
using namespace thermocline::runtime;

/// Blocks of the greatest small object and smaller ones.
static constexpr unsigned NumClasses =
    sizeclass::classOf(format::MostOrderedBytes + MinAlignment) + 1;

/// \returns how many blocks of \p Class make a stretch, of objects that take
/// as much as a chunk.
static constexpr uint64_t blocksOfStretch(unsigned Class) {
  uint64_t Bytes = sizeclass::blockBytes(Class) - MinAlignment;
  if (Bytes < format::OrderGranuleBytes)
    Bytes = format::OrderGranuleBytes;
  if (Bytes > format::MostOrderedBytes)
    Bytes = format::MostOrderedBytes;
  return format::OrderChunkBytes /
         format::classBytes(format::orderGranules(Bytes));
}
static_assert(blocksOfStretch(0) == 2048 && blocksOfStretch(1) == 1024 &&
              blocksOfStretch(NumClasses - 1) == 32);

/// Calls \p Do for the counters of an object at \p User.
template <typename Function>
static void forEachCounter(uintptr_t User, unsigned Granules, Function Do) {
  const uint64_t *Last =
      shadow::counter(User + Granules * format::OrderGranuleBytes - 1);
  for (const uint64_t *C = shadow::counter(User); C <= Last; ++C)
    Do(*C);
}

/// It stays the same by chance once in 65,536 touches.
static uint16_t digest(uint64_t Count) {
  return static_cast<uint16_t>((Count * 0x9E3779B97F4A7C15) >> 48);
}

bool OrderProbe::start(Allocations *A, Contexts *C) {
  TheAllocations = A;
  TheContexts = C;
  Memory = static_cast<AllMemory *>(sys::mapPages(sizeof(AllMemory)));
  return isOn();
}

void OrderProbe::forgetAll() {
  for (LayoutRecord &R : Memory->Records)
    R.clear();
  Memory->Last.clear();
  IsInBurst = false;
}

void OrderProbe::pair(const TouchWindows &Windows) {
  for (unsigned I = 0; I != TouchWindows::MaxWindows; ++I) {
    LayoutRecord &To = Memory->Records[I];
    const unsigned From = I < Windows.size() ? Windows.burstOf(I) : I;
    // Windows only move to the front.
    if (I >= Windows.size())
      To.clear();
    else if (From != I)
      To.take(Memory->Records[From]);
  }
}

//===-- The beginning of a burst ------------------------------------------===//

/// Reads the chunk in slot \p Slot, which is its number plus 1.
void OrderProbe::readChunk(const TrackedChunk &Chunk, unsigned Slot) {
  Stretch &S = Memory->Stretches[NumStretches];
  S.IsByClass = false;
  S.NumObjects = 0;
  constexpr unsigned Ahead = 16;
  for (unsigned Granule = 0; Granule != format::OrderChunkGranules; ++Granule) {
    if (Granule + Ahead < format::OrderChunkGranules)
      if (const void *Next = Chunk.at(Granule + Ahead).Block)
        Allocations::fetch(reinterpret_cast<uintptr_t>(Next));
    const TrackedChunk::Object Made = Chunk.at(Granule);
    if (!Made.Block)
      continue;
    PlacedObject Is;
    const bool IsThere = TheAllocations->readPlaced(Made.Block, Is) &&
                         Is.IsLive && Is.Place.slot() == Slot &&
                         Chunk.has(Is.Place) && Is.Place.granule() == Granule;
    S.Objects[S.NumObjects++] = {
        Made.Block, Made.Context, Is.Sequence,
        static_cast<uint8_t>(IsThere ? Is.Granules : Made.Granules), IsThere};
  }
  NumStretches += S.NumObjects != 0;
}

void OrderProbe::chooseInOrder() {
  const OrderSpace &Space = *TheAllocations->places();
  for (unsigned I = 0, Chosen = 0;
       I != OrderSpace::MaxTracked && Chosen != MostStretches; ++I) {
    const unsigned Number = NextTracked;
    NextTracked = (NextTracked + 1) % OrderSpace::MaxTracked;
    const TrackedChunk &Chunk = Space.tracked(Number);
    if (!Chunk.isInUse())
      continue;
    ++Chosen;
    readChunk(Chunk, Number + 1);
  }
}

void OrderProbe::readClass(unsigned Class, uint64_t First) {
  const Heap &H = TheAllocations->heap();
  const uint64_t Blocks = H.numBlocks(Class);
  Stretch &S = Memory->Stretches[NumStretches];
  S.IsByClass = true;
  S.NumObjects = 0;
  constexpr uint64_t Ahead = 8;
  uint64_t End = First + blocksOfStretch(Class);
  if (End > Blocks)
    End = Blocks;
  for (uint64_t Number = First; Number < End; ++Number) {
    Allocations::fetch(
        reinterpret_cast<uintptr_t>(H.block(Class, Number + Ahead)));
    void *Block = H.block(Class, Number);
    PlacedObject Is;
    if (TheAllocations->readPlaced(Block, Is))
      S.Objects[S.NumObjects++] = {
          Block, static_cast<uint32_t>(Is.Context), Is.Sequence,
          static_cast<uint8_t>(Is.Granules), Is.IsLive};
  }
  NumStretches += S.NumObjects != 0;
}

void OrderProbe::chooseByClass() {
  uint64_t Stretches[NumClasses];
  uint64_t All = 0;
  for (unsigned Class = 0; Class != NumClasses; ++Class) {
    const uint64_t PerStretch = blocksOfStretch(Class);
    Stretches[Class] =
        (TheAllocations->heap().numBlocks(Class) + PerStretch - 1) / PerStretch;
    All += Stretches[Class];
  }
  if (!All)
    return;
  // As far apart as they can be, from somewhere else each time.
  const uint64_t Step = (All + MostStretches - 1) / MostStretches;
  const uint64_t Start = (++Turn * 0x9E3779B97F4A7C15 >> 32) % Step;
  uint64_t Before = 0;
  for (unsigned Class = 0; Class != NumClasses; Before += Stretches[Class++])
    for (uint64_t Number = 0; Number != Stretches[Class]; ++Number)
      if ((Before + Number) % Step == Start)
        readClass(Class, Number * blocksOfStretch(Class));
}

void OrderProbe::noteCounters(Stretch &S) {
  unsigned Next = 0;
  for (unsigned I = 0; I != S.NumObjects; ++I)
    if (const Object &O = S.Objects[I]; O.IsLive)
      forEachCounter(Allocations::userOf(O.Block), O.Granules,
                     [&](uint64_t Count) {
                       if (Next != MostObjects)
                         S.Digests[Next++] = digest(Count);
                     });
}

void OrderProbe::begin(uint64_t Now) {
  NumStretches = 0;
  chooseInOrder();
  chooseByClass();
  for (unsigned I = 0; I != NumStretches; ++I)
    noteCounters(Memory->Stretches[I]);
  IsInBurst = true;
  BurstBeginUs = Now;
}

//===-- The end of a burst ------------------------------------------------===//

bool OrderProbe::recordStretch(const Stretch &S) {
  LayoutRecord &Record = Memory->Last;
  Record.begin();
  unsigned Next = 0;
  size_t End = 0, Page = SIZE_MAX, TouchedPage = SIZE_MAX;
  for (unsigned I = 0; I != S.NumObjects; ++I) {
    const Object &O = S.Objects[I];
    LayoutRecord::Run Run;
    Run.Granules = O.Granules;
    // As Snapshot::idOf() has it.
    Run.Context =
        uint64_t(TheContexts->numberOf(static_cast<ContextId>(O.Context))) + 1;
    Run.State = O.IsLive ? format::LayoutIdle : format::LayoutHole;
    if (End / LeastPageBytes != Page)
      ++Pages;
    Page = End / LeastPageBytes;
    End += O.Granules * format::OrderGranuleBytes;
    if (O.IsLive) {
      const uintptr_t User = Allocations::userOf(O.Block);
      uint64_t Touched = 0;
      unsigned Piece = 0;
      forEachCounter(User, O.Granules, [&](uint64_t Count) {
        if (Next != MostObjects)
          Touched |= uint64_t(S.Digests[Next++] != digest(Count)) << Piece++;
      });
      if (Touched && isStill(O)) {
        Run.State = format::LayoutTouched;
        Run.Pieces = Touched * 2 + User % format::GranuleBytes / MinAlignment;
        TouchedPages += Page != TouchedPage;
        TouchedPage = Page;
      } else if (Touched) {
        Run.State = format::LayoutHole;
      }
    }
    Record.add(Run);
  }
  return Record.end(S.IsByClass);
}

/// Whether it lives. What was not touched is not asked: it may have ended.
bool OrderProbe::isStill(const Object &O) const {
  PlacedObject Is;
  return TheAllocations->readPlaced(O.Block, Is) && Is.IsLive &&
         Is.Sequence == O.Sequence;
}

void OrderProbe::end() {
  IsInBurst = false;
  Pages = TouchedPages = 0;
  Memory->Last.clear();
  for (unsigned I = 0; I != NumStretches; ++I)
    if (!recordStretch(Memory->Stretches[I]))
      break;
  adapt();
}

void OrderProbe::adapt() {
  if (TouchedPages * MostOf > Pages && BurstUs > LeastBurstUs)
    BurstUs /= 2;
  else if (TouchedPages * LeastOf < Pages && BurstUs < MostBurstUs)
    BurstUs *= 2;
}

uint64_t OrderProbe::leftUs(uint64_t Now) const {
  if (!IsInBurst)
    return UINT64_MAX;
  const uint64_t Spent = Now - BurstBeginUs;
  return Spent < BurstUs ? BurstUs - Spent : 0;
}

bool OrderProbe::endIfDue(uint64_t Now) {
  if (leftUs(Now))
    return false;
  end();
  return true;
}

void OrderProbe::endWindow(unsigned Window, uint64_t Now) {
  if (IsInBurst && leftUs(Now) <= BurstUs / 2)
    end();
  IsInBurst = false;
  Memory->Records[Window].take(Memory->Last);
  Memory->Last.clear();
}
