//===- alloc/entry/HintTable.cpp - From a library to the allocator --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/HintTable.h"
#include "Statistics.h"
#include "heap/ColdHeap.h"
#include "heap/OwnNames.h"
#include "heap/Role.h"
#include "order/OrderThread.h"
#include "thermocline/Format/ProgramNotes.h"

using namespace thermocline::alloc;

static bool reachesUs(void *(*Allocate)(size_t),
                      void (*Release)(void *)) noexcept {
  WithoutOrder Counted;
  return reaches(Allocate, Release);
}

static void *allocateColdCounted(Kind Called, size_t SizeBytes,
                                 size_t Alignment) noexcept {
  if (Alignment == 0)
    if (void *AtOnce = allocateColdAtOnce(Called, SizeBytes))
      return AtOnce;
  void *Cold = allocateCold(SizeBytes, Alignment, /*Zeroed=*/false);
  return Cold ? count(Called, Cold, SizeBytes) : nullptr;
}

static void *countOrdinary(Kind Called, void *Result,
                           size_t SizeBytes) noexcept {
  return count(Called, Result, SizeBytes);
}

static size_t usableBytes(void *Pointer) noexcept {
  return thermocline_alloc_malloc_usable_size(Pointer);
}

const HintTable thermocline_alloc_hints = {
    .Version = HintTableVersion,
    .Reaches = reachesUs,
    .AllocateCold = allocateColdCounted,
    .CountOrdinary = countOrdinary,
    .UsableBytes = usableBytes,
    .Malloc = thermocline_alloc_malloc_cold,
    .Calloc = thermocline_alloc_calloc_cold,
    .Realloc = thermocline_alloc_realloc_cold,
    .Reallocarray = thermocline_alloc_reallocarray_cold,
    .AlignedAlloc = thermocline_alloc_aligned_alloc_cold,
    .Memalign = thermocline_alloc_memalign_cold,
    .PosixMemalign = thermocline_alloc_posix_memalign_cold,
    .Strdup = thermocline_alloc_strdup_cold,
    .Strndup = thermocline_alloc_strndup_cold,
};

#ifdef THERMOCLINE_ALLOC_ARCHIVE
extern "C"
    __attribute__((visibility("hidden"), alias("thermocline_alloc_hints")))
    const HintTable thermocline_alloc_noted_hints;

THERMOCLINE_NOTE(THERMOCLINE_NOTE_ALLOCATOR,
                 ".long thermocline_alloc_noted_hints - 2b");
#endif
