//===- Profile/Indexed/RandomHotness.cpp - Contexts that are cold by chance
//===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "RandomHotness.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

/// The mean lifetime of what is cold, the same for all: 50 days. Totals are
/// those of at most 2^32 allocations, and do not overflow.
static constexpr uint64_t ColdLifetimeMs = UINT64_C(1) << 32;

static bool isColdByChance(uint64_t Seed, uint64_t FullStackId) {
  const uint64_t Key[] = {Seed, FullStackId};
  return xxh3_64bits(
             ArrayRef(reinterpret_cast<const uint8_t *>(Key), sizeof(Key))) &
         1;
}

void profile::randomizeHotness(HeapProfile &Heap, uint64_t Seed) {
  Heap.changeMeasures([&](uint64_t Id, MemInfoBlock &Info) {
    const bool IsCold = isColdByChance(Seed, Id);
    const uint64_t Accesses = IsCold ? 0 : UINT64_MAX;
    Info.TotalLifetime = IsCold ? Info.AllocCount * ColdLifetimeMs : 0;
    Info.TotalAccessCount = Accesses;
    Info.TotalAccessDensity = Accesses;
    Info.TotalLifetimeAccessDensity = Accesses;
  });
  Heap.forgetTouches();
  // Nothing is cold in runs of no length.
  RunInfo Runs = Heap.runs().value_or(RunInfo());
  if (Runs.comparedLengthMs() < 1)
    Runs = RunInfo::oneEstimatedRun(Milliseconds(1));
  Runs.WithWindows = 0;
  Heap.setRuns(Runs);
}
