//===- profile/heap/OrderSpace.cpp - Where order would put objects --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSpace.h"
#include "platform/System.h"

using namespace thermocline;
using namespace thermocline::runtime;

/// How many granules of a chunk are used, so that what is behind the last
/// granule is still of it.
static constexpr unsigned MostMade = format::OrderChunkGranules - 1;

bool OrderSpace::start() {
  Tracked.store(static_cast<TrackedChunk *>(
      sys::mapPages(MaxTracked * sizeof(TrackedChunk))));
  return isOn();
}

bool OrderSpace::isTracked(uint32_t Chunk) const {
  const uint64_t Hash = (uint64_t(Chunk) + 1) * 0x9E3779B97F4A7C15;
  return Hash >> 32 >> (32 - Shift.load()) == 0;
}

void OrderSpace::drop(TrackedChunk &Chunk) {
  Chunk.Round.fetchAdd(1);
  Chunk.Chunk.store(0);
}

/// Tracks half as many chunks.
void OrderSpace::refine() {
  constexpr uint32_t MostShift = OrderPlace::ChunkBits - 1;
  uint32_t Now = Shift.load();
  if (Now == MostShift || !Shift.compareExchange(Now, Now + 1))
    return;
  for (unsigned I = 0; I != MaxTracked; ++I) {
    TrackedChunk &T = Tracked.load()[I];
    if (const uint32_t Chunk = T.Chunk.load(); Chunk && !isTracked(Chunk - 1))
      drop(T);
  }
}

/// \returns the slot for \p Chunk, or 0 if it is not to be tracked.
unsigned OrderSpace::track(uint32_t Chunk, uint8_t &Round) {
  while (isTracked(Chunk)) {
    for (unsigned I = 0; I != MaxTracked; ++I) {
      TrackedChunk &T = Tracked.load()[I];
      uint32_t None = 0;
      if (T.Chunk.load() || !T.Chunk.compareExchange(None, Chunk + 1))
        continue;
      Round = static_cast<uint8_t>(T.Round.load());
      T.Live.store(TrackedChunk::Open);
      for (auto &Entry : T.Entries)
        Entry.storeRelaxed(0);
      return I + 1;
    }
    const uint32_t Before = Shift.load();
    refine();
    if (Shift.load() == Before)
      break;
  }
  return 0;
}

void OrderSpace::openChunk(OrderCursor &Cursor) {
  if (Cursor.Next.slot())
    if (TrackedChunk *Old = find(Cursor.Next))
      subtract(*Old, TrackedChunk::Open - (MostMade - Cursor.Left));
  const uint32_t Chunk =
      NumChunks.fetchAdd(1) & ((uint32_t(1) << OrderPlace::ChunkBits) - 1);
  uint8_t Round = 0;
  const uint64_t Slot = track(Chunk, Round);
  Cursor.Next.Bits =
      OrderPlace::IsPlaced |
      uint64_t(Chunk) << (OrderPlace::SizeBits + OrderPlace::GranuleBits) |
      Slot << OrderPlace::SlotShift | uint64_t(Round) << OrderPlace::RoundShift;
  Cursor.Left = MostMade;
}

void OrderSpace::noteTracked(OrderPlace Place, const void *Block,
                             uint32_t Context, unsigned Granules) {
  TrackedChunk *Chunk = find(Place);
  if (!Chunk)
    return;
  Chunk->Contexts[Place.granule()].storeRelaxed(Context);
  Chunk->Entries[Place.granule()].storeRelaxed(
      reinterpret_cast<uintptr_t>(Block) | uint64_t(Granules - 1)
                                               << TrackedChunk::AddressBits);
}

void OrderSpace::giveUp(OrderPlace Place, unsigned Granules) {
  if (TrackedChunk *Chunk = find(Place))
    subtract(*Chunk, Granules);
}

/// Who takes off the last of it makes room for another chunk.
void OrderSpace::subtract(TrackedChunk &Chunk, int64_t Granules) {
  if (Chunk.Live.fetchAdd(-Granules) == Granules)
    drop(Chunk);
}
