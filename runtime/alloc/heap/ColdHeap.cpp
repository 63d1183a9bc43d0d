//===- alloc/heap/ColdHeap.cpp - The heap of cold objects -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Freed extents stay with the arena, which gives their pages back to the
// kernel. The heap is made by the first cold allocation or before main,
// whichever is first. A thread that comes while another makes it does not wait:
// its object goes to the ordinary heap. So there is no lock to be held over a
// fork.
//
//===----------------------------------------------------------------------===//

#include "ColdHeap.h"
#include "Jemalloc.h"
#include "Role.h"
#include <atomic>
#include <cstdio>
#include <sys/mman.h>

using namespace thermocline::alloc;

// jemalloc needs libm, which a link of a C program does not bring by itself.
// lld reads this; with another linker -lm must be given.
#pragma comment(lib, "m")

namespace {

enum class Stage { Unmade, Making, Ready, Failed };

struct HeapState {
  std::atomic<Stage> Now;
  unsigned Arena;
};
constinit HeapState State = {};

void *allocExtent(extent_hooks_t *, void *WantedAddress, size_t SizeBytes,
                  size_t Alignment, bool *Zeroed, bool *Committed, unsigned) {
  void *Extent = takeAddresses(WantedAddress, SizeBytes, Alignment);
  if (Extent == nullptr)
    return nullptr;
  *Zeroed = true;
  *Committed = true;
  return Extent;
}

/// Refuses: the arena keeps the addresses and purges the pages instead.
bool deallocExtent(extent_hooks_t *, void *, size_t, bool, unsigned) {
  return true;
}

bool purgeExtent(extent_hooks_t *, void *Extent, size_t, size_t Offset,
                 size_t SizeBytes, unsigned) {
  return madvise(static_cast<char *>(Extent) + Offset, SizeBytes,
                 MADV_DONTNEED) != 0;
}

bool splitExtent(extent_hooks_t *, void *, size_t, size_t, size_t, bool,
                 unsigned) {
  return false;
}

bool mergeExtents(extent_hooks_t *, void *, size_t, void *, size_t, bool,
                  unsigned) {
  return false;
}

extent_hooks_t Hooks = {allocExtent, deallocExtent, nullptr,
                        nullptr,     nullptr,       nullptr,
                        purgeExtent, splitExtent,   mergeExtents};

/// What jemalloc's experimental.arenas_create_ext takes.
struct ArenaConfig {
  extent_hooks_t *Hooks;
  bool MetadataUsesHooks;
};

bool makeArena() {
  ArenaConfig Config = {&Hooks, false};
  size_t ResultBytes = sizeof(State.Arena);
  return je_mallctl("experimental.arenas_create_ext", &State.Arena,
                    &ResultBytes, &Config, sizeof(Config)) == 0;
}

bool isReady() {
  // Objects that another allocator would free must not be ours.
  if (!serves())
    return false;
  Stage Now = State.Now.load(std::memory_order_acquire);
  if (Now != Stage::Unmade)
    return Now == Stage::Ready;
  if (!State.Now.compare_exchange_strong(Now, Stage::Making))
    return Now == Stage::Ready;
  bool Made = !whyNoneIsCold() && reserveRange() && makeArena();
  State.Now.store(Made ? Stage::Ready : Stage::Failed,
                  std::memory_order_release);
  return Made;
}

int arenaFlags() { return MALLOCX_ARENA(State.Arena) | MALLOCX_TCACHE_NONE; }

uint64_t readStatistic(const char *Name) {
  char Path[64];
  snprintf(Path, sizeof(Path), "stats.arenas.%u.%s", State.Arena, Name);
  size_t Value = 0, ValueBytes = sizeof(Value);
  if (je_mallctl(Path, &Value, &ValueBytes, nullptr, 0) != 0)
    return 0;
  return Value;
}

} // namespace

void thermocline::alloc::makeColdHeap() { isReady(); }

void *thermocline::alloc::allocateCold(size_t SizeBytes, size_t Alignment,
                                       bool Zeroed) {
  if (!isReady() || SizeBytes > PTRDIFF_MAX)
    return nullptr;
  int Flags = arenaFlags();
  if (Alignment > 1)
    Flags |= __builtin_ctzl(Alignment);
  if (Zeroed)
    Flags |= MALLOCX_ZERO;
  return je_mallocx(SizeBytes == 0 ? 1 : SizeBytes, Flags);
}

void thermocline::alloc::freeCold(void *Pointer) {
  je_dallocx(Pointer, MALLOCX_TCACHE_NONE);
}

void *thermocline::alloc::resizeCold(void *Pointer, size_t SizeBytes) {
  if (SizeBytes > PTRDIFF_MAX)
    return nullptr;
  return je_rallocx(Pointer, SizeBytes, arenaFlags());
}

ColdHeapSizes thermocline::alloc::coldHeapSizes() {
  ColdHeapSizes Sizes = {};
  if (!isReady())
    return Sizes;
  uint64_t Epoch = 1;
  size_t EpochBytes = sizeof(Epoch);
  je_mallctl("epoch", &Epoch, &EpochBytes, &Epoch, EpochBytes);
  Sizes.Live =
      readStatistic("small.allocated") + readStatistic("large.allocated");
  Sizes.Mapped = takenBytes();
  Sizes.Reserved = Range.SizeBytes.load(std::memory_order_relaxed);
  return Sizes;
}
