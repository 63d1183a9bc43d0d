//===- alloc/heap/ColdHeap.cpp - The heap of cold objects -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap is made by the first cold allocation or before main, whichever is
// first. A thread that comes while another makes it does not wait: its object
// goes to the ordinary heap. So there is no lock to be held over a fork.
//
//===----------------------------------------------------------------------===//

#include "ColdHeap.h"
#include "ColdThread.h"
#include "Role.h"
#include "Sampler.h"
#include <atomic>
#include <cstdio>
#include <cstring>

using namespace thermocline::alloc;

// jemalloc needs libm, which a link of a C program does not bring by itself.
// lld reads this; with another linker -lm must be given.
#pragma comment(lib, "m")

namespace {

enum class Stage { Unmade, Making, Ready, Failed };

constinit std::atomic<Stage> Now = Stage::Unmade;

/// Whether jemalloc comes up. What it has to say of MALLOC_CONF, the jemalloc
/// of the ordinary heap says as well.
bool startJemalloc() {
  auto *Message = thermocline_cold_je_malloc_message;
  thermocline_cold_je_malloc_message = [](void *, const char *) {};
  void *First = thermocline_cold_je_malloc(1);
  thermocline_cold_je_malloc_message = Message;
  thermocline_cold_je_free(First);
  return First != nullptr;
}

} // namespace

// Profiles leave out calls inside of this namespace (BinaryReader.cpp).
namespace thermocline::alloc {
namespace {

/// A new cold object of the heap, which is there.
void *takeCold(size_t SizeBytes, size_t Alignment, bool Zeroed) {
  if (Zeroed)
    return thermocline_cold_je_calloc(1, SizeBytes);
  if (Alignment > 1)
    return thermocline_cold_je_aligned_alloc(Alignment, SizeBytes);
  return thermocline_cold_je_malloc(SizeBytes);
}

/// A new cold object where there is a sampler.
void *offerCold(size_t SizeBytes, size_t Alignment, bool Zeroed) {
  const size_t Aligned = Alignment ? Alignment : 1;
  if (void *Large = allocateSampled(SizeBytes, Aligned, Zeroed))
    return Large;
  void *Own = takeCold(SizeBytes, Alignment, Zeroed);
  void *Result = offer(Own, SizeBytes, Aligned);
  if (Zeroed && Result != Own)
    memset(Result, 0, SizeBytes);
  return Result;
}

} // namespace
} // namespace thermocline::alloc

namespace {

/// Reads a statistic of all arenas together.
uint64_t ofArenas(const char *Name) {
  char Path[64];
  snprintf(Path, sizeof(Path), "stats.arenas.%u.%s", MALLCTL_ARENAS_ALL, Name);
  return readStatistic(thermocline_cold_je_mallctl, Path);
}

} // namespace

bool thermocline::alloc::hasColdHeap() {
  // Objects that another allocator would free must not be ours.
  if (!serves())
    return false;
  Stage Current = Now.load(std::memory_order_acquire);
  if (Current != Stage::Unmade)
    return Current == Stage::Ready;
  if (!Now.compare_exchange_strong(Current, Stage::Making))
    return Current == Stage::Ready;
  bool Made = !whyNoneIsCold() && reserveRange() && startJemalloc();
  if (Made)
    startThreads();
  Now.store(Made ? Stage::Ready : Stage::Failed, std::memory_order_release);
  return Made;
}

bool thermocline::alloc::isColdHeapDecided() {
  Stage Current = Now.load(std::memory_order_acquire);
  return Current == Stage::Ready || Current == Stage::Failed;
}

ThreadRecord *thermocline::alloc::prepareThread() {
  if (myRecord() == nullptr && hasColdHeap())
    giveRecord();
  return myRecord();
}

void *thermocline::alloc::allocateCold(size_t SizeBytes, size_t Alignment,
                                       bool Zeroed) {
  if (prepareThread() == nullptr && !hasColdHeap())
    return nullptr;
  return Sampler ? offerCold(SizeBytes, Alignment, Zeroed)
                 : takeCold(SizeBytes, Alignment, Zeroed);
}

void thermocline::alloc::takeBackCount(Kind Called, size_t SizeBytes) {
  myRecord()->takeBackCold(Called, SizeBytes);
}

void *thermocline::alloc::resizeCold(void *Pointer, size_t SizeBytes) {
  return thermocline_cold_je_realloc(Pointer, SizeBytes);
}

ColdHeapSizes thermocline::alloc::coldHeapSizes() {
  ColdHeapSizes Sizes = {};
  if (!hasColdHeap())
    return Sizes;
  refreshStatistics(thermocline_cold_je_mallctl);
  // What threads keep to give it out again counts as allocated, and so do the
  // places where they keep it.
  Sizes.Live = ofArenas("small.allocated") + ofArenas("large.allocated") -
               ofArenas("tcache_bytes") - ofArenas("internal");
  Sizes.Mapped = takenBytes();
  Sizes.Reserved = rangeBytes();
  return Sizes;
}
