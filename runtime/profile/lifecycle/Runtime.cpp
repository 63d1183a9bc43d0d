//===- profile/lifecycle/Runtime.cpp - The runtime's one state object -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The object, and functions that ask it or tell it something. Start.cpp,
// Fork.cpp, Dump.cpp, ProfilePath.cpp, Requests.cpp and Copies.cpp have the
// rest.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "arch/AddressSpace.h"
#include "measure/Shadow.h"
#include "platform/Text.h"
#include "platform/Thread.h"

using namespace thermocline::runtime;

constinit Runtime Runtime::Instance;
constinit UnwindRules Runtime::Rules;
constinit TouchedCalls Runtime::Touched;

/// Whether it counts accesses to all memory that this kernel gives a program,
/// wherever the heap is.
static bool codeForSamplingCountsAll() {
  return (arch::Layout.UncountedMask &
          ((uint64_t(1) << arch::Plan.Bits) - 1)) == 0;
}

void Runtime::noteCodeForSampling() {
  if (Over)
    return Over->NoteCodeForSampling();
  if (IsAbsent)
    return;
  if (TheHeap.usesRange() || codeForSamplingCountsAll() ||
      IsUncounted.exchange(true))
    return;
  Message() << "the addresses in which code for sampling counts are in use: "
               "accesses are not known\n";
}

void Runtime::checkCounters(uint32_t Bytes) {
  if (Over)
    return Over->CheckCounters(Bytes);
  if ((Bytes == 1) == shadow::IsHistogram || HasMixedCounters.exchange(true))
    return;
  Message() << "some parts of this program were compiled for histograms "
               "(-thermocline-generate-histogram) and others were not; no "
               "profile will be written\n";
}

int Runtime::unloadLibrary(int (*Unload)(void *), void *Library) {
  if (Over)
    return Over->UnloadLibrary(Unload, Library);
  if (IsAbsent)
    return Unload(Library);
  int Result = Code.unloadLibrary([&] { return Unload(Library); });
  Rules.clear();
  return Result;
}

void Runtime::printStatistics() {
  if (Over)
    return Over->PrintStatistics();
  if (IsAbsent)
    return;
  InsideRuntime Inside;
  Caches.flushMeasures(/*GiveUp=*/true);
  uint64_t Ended = 0, EndedBytes = 0;
  for (uint32_t Number = 0, Count = TheContexts.size(); Number != Count;
       ++Number) {
    const MemInfoBlock Measures = TheContexts.view(Number).Measures;
    Ended += Measures.AllocCount;
    EndedBytes += Measures.TotalSize;
  }
  const Allocations::Amount InUse = Allocated.inUse();
  const Heap::Sizes Sizes = TheHeap.sizes();
  auto Mebibytes = [](uint64_t Bytes) { return Bytes >> 20; };
  TextWriter(2) << "Stats: " << Mebibytes(EndedBytes + InUse.Bytes)
                << "M malloced by " << Ended + InUse.Count << " calls\n"
                << "Stats: " << Mebibytes(EndedBytes) << "M freed by " << Ended
                << " calls\n"
                << "Stats: " << Mebibytes(InUse.Bytes) << "M in " << InUse.Count
                << " allocations in use, "
                << Mebibytes(Sizes.SmallBytes + Sizes.LargeBytes)
                << "M of addresses for blocks\n";
}
