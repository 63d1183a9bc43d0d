//===- profile/measure/Contexts.cpp - Calling contexts and their measures -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contexts.h"
#include "platform/Lock.h"
#include "platform/System.h"

using namespace thermocline::runtime;

bool Contexts::initialize(Capacity C) {
  Limits = C;
  // Beyond the limits there is room for the overflow context.
  C.Bytes += bytesOf(1, 0);
  ++C.MaxContexts;
  // Ids are counted in units from the arena's beginning; unit 0 is "none".
  {
    Guard G(Growing);
    Used = UnitBytes;
  }
  size_t TableBytes = roundUp(C.Buckets * sizeof(*Buckets), pageBytes());
  size_t IdBytes = roundUp(C.MaxContexts * sizeof(*Ids), pageBytes());
  void *Memory = sys::mapPages(C.Bytes);
  void *Table = sys::mapPages(TableBytes);
  void *Numbers = sys::mapPages(IdBytes);
  if (!Memory || !Table || !Numbers)
    return false;
  sys::markSparse(Memory, C.Bytes);
  sys::markSparse(Numbers, IdBytes);
  Arena = reinterpret_cast<uintptr_t>(Memory);
  Buckets = static_cast<Atomic<Context *> *>(Table);
  Ids = static_cast<ContextId *>(Numbers);
  return true;
}

static uint64_t mix(uint64_t Hash, uint64_t Call) {
  Hash = (Hash ^ Call) * 0xFF51AFD7ED558CCD;
  return Hash << 31 | Hash >> 33;
}

/// Hashes in four chains, so that a multiplication need not wait for the one
/// before.
static uint64_t hashCalls(const uint64_t *Calls, size_t NumCalls) {
  constexpr size_t Chains = 4;
  uint64_t Hashes[Chains] = {NumCalls, 1, 2, 3};
  size_t I = 0;
  for (; I + Chains <= NumCalls; I += Chains)
    for (size_t Chain = 0; Chain != Chains; ++Chain)
      Hashes[Chain] = mix(Hashes[Chain], Calls[I + Chain]);
  for (; I != NumCalls; ++I)
    Hashes[0] = mix(Hashes[0], Calls[I]);
  return mix(mix(mix(mix(Hashes[0], Hashes[1]), Hashes[2]), Hashes[3]), 0);
}

/// A table for all contexts that there may ever be would take a page for each
/// of the first thousands. So the first contexts are only in the buckets at its
/// beginning, and the next ones in a larger part.
static unsigned partOf(uint32_t Number) {
  return Number < 1u << 12 ? 0 : Number < 1u << 16 ? 1 : 2;
}

Atomic<Contexts::Context *> &Contexts::bucketOf(uint64_t Hash,
                                                unsigned Part) const {
  uint32_t Size = Part == 0 ? 1u << 12 : Part == 1 ? 1u << 16 : Limits.Buckets;
  if (Size > Limits.Buckets)
    Size = Limits.Buckets;
  return Buckets[(Hash >> 16) & (Size - 1)];
}

Contexts::Context *Contexts::search(uint64_t Hash, const uint64_t *Calls,
                                    size_t NumCalls) const {
  unsigned Last = partOf(NumContexts.load());
  for (unsigned Part = 0; Part <= Last; ++Part)
    for (Context *C = bucketOf(Hash, Part).load(); C; C = C->Next) {
      if (C->Hash != Hash || C->NumCalls != NumCalls)
        continue;
      const uint64_t *Known = C->calls();
      size_t Same = 0;
      while (Same != NumCalls && Known[Same] == Calls[Same])
        ++Same;
      if (Same == NumCalls)
        return C;
    }
  return nullptr;
}

void Contexts::limit(uint32_t MaxContexts, size_t Bytes) {
  if (MaxContexts < Limits.MaxContexts)
    Limits.MaxContexts = MaxContexts;
  if (Bytes < Limits.Bytes)
    Limits.Bytes = Bytes;
}

/// Growing is held.
Contexts::Context *Contexts::append(uint64_t Hash, const uint64_t *Calls,
                                    size_t NumCalls, const FrameSteps &Steps) {
  uint32_t Number = NumContexts.loadRelaxed();
  auto *New = reinterpret_cast<Context *>(Arena + Used);
  Used += bytesOf(NumCalls, Steps.Count);
  New->Hash = Hash;
  New->Number = Number;
  New->NumCalls = static_cast<uint16_t>(NumCalls);
  New->NumSteps = static_cast<uint16_t>(Steps.Count);
  for (size_t I = 0; I != NumCalls; ++I)
    New->calls()[I] = Calls[I];
  for (size_t I = 0; I != Steps.Count; ++I) {
    New->steps()[I] = Steps.Units[I];
    if (I && !Steps.Units[I])
      New->StepsHaveUnknown = true;
  }
  Ids[Number] = idOf(New);
  return New;
}

Contexts::Context *Contexts::make(uint64_t Hash, const uint64_t *Calls,
                                  size_t NumCalls, const FrameSteps &Steps) {
  if (Used + bytesOf(NumCalls, Steps.Count) > Limits.Bytes ||
      NumContexts.loadRelaxed() == Limits.MaxContexts)
    return nullptr;
  return append(Hash, Calls, NumCalls, Steps);
}

/// Growing is held. The overflow context is in no bucket: the program may have
/// calls of its own at the same place.
void Contexts::makeOverflow() {
  Context *New = append(0, &Limits.OverflowCall, 1, {});
  NumContexts.store(New->Number + 1);
  OverflowId.store(static_cast<uint32_t>(idOf(New)));
}

ContextId Contexts::find(const uint64_t *Calls, size_t NumCalls,
                         const FrameSteps *Steps) {
  uint64_t Hash = hashCalls(Calls, NumCalls);
  if (Context *Found = search(Hash, Calls, NumCalls))
    return idOf(Found);
  if (!OverflowId.load()) {
    GuardUnlessForking G(Growing);
    if (!G.isHeld()) {
      loseBesideFork();
      return ContextId::None;
    }
    if (Context *Found = search(Hash, Calls, NumCalls))
      return idOf(Found);
    if (Context *New =
            OverflowId.load()
                ? nullptr
                : make(Hash, Calls, NumCalls, Steps ? *Steps : FrameSteps())) {
      Atomic<Context *> &Bucket = bucketOf(Hash, partOf(New->Number));
      New->Next = Bucket.load();
      Bucket.store(New);
      NumContexts.store(New->Number + 1);
      return idOf(New);
    }
    if (!OverflowId.load())
      makeOverflow();
  }
  Overflows.fetchAdd(1);
  return static_cast<ContextId>(OverflowId.load());
}

void Contexts::add(ContextId Id, const MemInfoBlock &Measures,
                   ByteCounters Counters) {
  Context *C = at(Id);
  GuardUnlessForking G(C->Mutex);
  if (!G.isHeld())
    return loseBesideFork();
  mergeMeasures(C->Measures, Measures);
  Accesses.add(C->Accesses, Counters);
}

/// Merges \p Batch as if its allocations had been merged one after the other.
static void mergeBatch(MemInfoBlock &Total, const MeasureBatch &Batch) {
  const MemInfoBlock &New = Batch.Sum;
  if (!Total.AllocCount) {
    copyMeasures(Total, New);
    return;
  }
  // Merge() takes its argument for one allocation: where it compares it with
  // the last one of Total, the first of the batch has to stand.
  auto WithFirst = [&](uint32_t OfTotal, uint32_t OfNew, bool CountsFirst) {
    return addCounts(OfTotal,
                     uint64_t(OfNew) + (CountsFirst ? Batch.FirstWeight : 0));
  };
  const uint32_t Count = addCounts(Total.AllocCount, New.AllocCount);
  const uint32_t Overlaps =
      WithFirst(Total.NumLifetimeOverlaps, New.NumLifetimeOverlaps,
                Batch.FirstAllocatedAt < Total.DeallocTimestamp);
  const uint32_t SameAlloc =
      WithFirst(Total.NumSameAllocCpu, New.NumSameAllocCpu,
                Batch.FirstAllocatedOnCpu == Total.AllocCpuId);
  const uint32_t SameDealloc =
      WithFirst(Total.NumSameDeallocCpu, New.NumSameDeallocCpu,
                Batch.FirstFreedOnCpu == Total.DeallocCpuId);
  Total.Merge(New);
  Total.AllocCount = Count;
  Total.NumLifetimeOverlaps = Overlaps;
  Total.NumSameAllocCpu = SameAlloc;
  Total.NumSameDeallocCpu = SameDealloc;
}

void Contexts::add(ContextId Id, const MeasureBatch &Batch, bool GiveUp) {
  Context *C = at(Id);
  GuardOrGiveUp G(C->Mutex, GiveUp);
  mergeBatch(C->Measures, Batch);
  C->Samples.merge(Batch.Samples);
}

Contexts::View Contexts::view(uint32_t Number, Histograms *Copies) {
  Context *C = at(Ids[Number]);
  GuardOrGiveUp G(C->Mutex);
  bool IsOverflow = static_cast<uint32_t>(Ids[Number]) == OverflowId.load();
  const bool HasGaps =
      IsOverflow || C->HasGaps.loadRelaxed() || AllHaveGaps.loadRelaxed();
  View Result = {C->calls(), C->NumCalls, C->Measures, {},
                 C->Samples, HasGaps,     IsOverflow};
  if (Copies)
    Copies->add(Result.Accesses, C->Accesses);
  return Result;
}

void Contexts::clearMeasures() {
  LostBesideForks.store(0);
  for (uint32_t Number = 0, End = size(); Number != End; ++Number) {
    Context *C = at(Ids[Number]);
    GuardOrGiveUp G(C->Mutex);
    C->Measures = MemInfoBlock();
    Histograms::clear(C->Accesses);
    C->Samples = {};
  }
}

void Contexts::lockAll() {
  Growing.lock();
  NumLocked = size();
  for (uint32_t Number = 0; Number != NumLocked; ++Number)
    at(Ids[Number])->Mutex.lock();
}

void Contexts::unlockAll() {
  for (uint32_t Number = 0; Number != NumLocked; ++Number)
    at(Ids[Number])->Mutex.unlock();
  Growing.unlock();
}
