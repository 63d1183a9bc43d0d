//===- alloc/lib/ColdHeap.cpp - The heap of cold objects ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range is reserved without access rights, and extents are cut from it in
// rising order; freed extents stay with the arena, which gives their pages back
// to the kernel. The heap is made by the first cold allocation or before main,
// whichever is first. A thread that comes while another makes it does not wait:
// its object goes to the ordinary heap. So there is no lock to be held over a
// fork.
//
//===----------------------------------------------------------------------===//

#include "ColdHeap.h"
#include "Jemalloc.h"
#include "Statistics.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace thermocline::alloc;

// jemalloc needs libm, which a link of a C program does not bring by itself.
// lld reads this; with another linker -lm must be given.
#pragma comment(lib, "m")

// State is used before any constructor runs, so none may run for it.
constinit ColdRange thermocline::alloc::Range = {};

namespace {

constexpr size_t DefaultReserveBytes = size_t(64) << 30;
constexpr size_t MinReserveBytes = size_t(1) << 20;
/// So that whole huge pages are cold.
constexpr size_t RangeAlignment = size_t(2) << 20;

enum class Stage { Unmade, Making, Ready, Failed };

struct HeapState {
  std::atomic<Stage> Now;
  std::atomic<size_t> UsedBytes; ///< Of the range, from its base.
  unsigned Arena;
};
constinit HeapState State = {};

void *allocExtent(extent_hooks_t *, void *WantedAddress, size_t SizeBytes,
                  size_t Alignment, bool *Zeroed, bool *Committed, unsigned) {
  uintptr_t Base = Range.Base.load(std::memory_order_relaxed);
  size_t Used = State.UsedBytes.load(std::memory_order_relaxed);
  uintptr_t Start;
  do {
    Start = (Base + Used + Alignment - 1) & ~(Alignment - 1);
    if (WantedAddress && reinterpret_cast<uintptr_t>(WantedAddress) != Start)
      return nullptr;
    size_t Capacity = Range.SizeBytes.load(std::memory_order_relaxed);
    if (Start - Base > Capacity || SizeBytes > Capacity - (Start - Base))
      return nullptr;
  } while (
      !State.UsedBytes.compare_exchange_weak(Used, Start - Base + SizeBytes));
  void *Extent = reinterpret_cast<void *>(Start);
  if (mprotect(Extent, SizeBytes, PROT_READ | PROT_WRITE) != 0)
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

/// The size of the range that the user allows; 0 turns the heap off.
size_t wantedReserveBytes() {
  const char *Text = secure_getenv("THERMOCLINE_ALLOC_COLD_MIB");
  if (Text == nullptr || *Text == '\0')
    return DefaultReserveBytes;
  char *End;
  unsigned long long MiB = strtoull(Text, &End, 10);
  if (*End != '\0' || Text[0] == '-' || MiB > (1u << 26)) {
    printLine(
        "thermocline-alloc: error: THERMOCLINE_ALLOC_COLD_MIB=%s is not a "
        "number of MiB; using %zu",
        Text, DefaultReserveBytes >> 20);
    return DefaultReserveBytes;
  }
  return MiB << 20;
}

/// Sets aside addresses, fewer if so many are not to be had.
bool reserveRange() {
  for (size_t SizeBytes = wantedReserveBytes(); SizeBytes >= MinReserveBytes;
       SizeBytes /= 2) {
    void *Start = mmap(nullptr, SizeBytes + RangeAlignment, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Start == MAP_FAILED)
      continue;
    uintptr_t Base = (reinterpret_cast<uintptr_t>(Start) + RangeAlignment - 1) &
                     ~(RangeAlignment - 1);
    Range.Base.store(Base, std::memory_order_relaxed);
    Range.SizeBytes.store(SizeBytes, std::memory_order_release);
    return true;
  }
  return false;
}

bool makeArena() {
  ArenaConfig Config = {&Hooks, false};
  size_t ResultBytes = sizeof(State.Arena);
  return je_mallctl("experimental.arenas_create_ext", &State.Arena,
                    &ResultBytes, &Config, sizeof(Config)) == 0;
}

bool isReady() {
  Stage Now = State.Now.load(std::memory_order_acquire);
  if (Now != Stage::Unmade)
    return Now == Stage::Ready;
  if (!State.Now.compare_exchange_strong(Now, Stage::Making))
    return Now == Stage::Ready;
  bool Made = reserveRange() && makeArena();
  State.Now.store(Made ? Stage::Ready : Stage::Failed,
                  std::memory_order_release);
  return Made;
}

/// While the process is single-threaded, and for programs that never hint, so
/// that their statistics can be asked for too.
__attribute__((constructor(101))) void start() {
  isReady();
  startStatistics();
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
  if (void *Resized = je_rallocx(Pointer, SizeBytes, arenaFlags()))
    return Resized;
  void *Moved = je_malloc(SizeBytes);
  if (Moved == nullptr)
    return nullptr;
  size_t OldBytes = je_malloc_usable_size(Pointer);
  memcpy(Moved, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  freeCold(Pointer);
  return Moved;
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
  Sizes.Mapped = State.UsedBytes.load(std::memory_order_relaxed);
  Sizes.Reserved = Range.SizeBytes.load(std::memory_order_relaxed);
  return Sizes;
}
