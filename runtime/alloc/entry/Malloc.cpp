//===- alloc/entry/Malloc.cpp - malloc and kin ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C allocation functions over jemalloc. Those that take a pointer first ask
// which heap it is from.
//
//===----------------------------------------------------------------------===//

#include "Start.h"
#include "heap/Alignment.h"
#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/Jemalloc.h"
#include "heap/OwnNames.h"
#include "heap/Role.h"
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unistd.h>

using namespace thermocline::alloc;

namespace {

// Calls that are not for this allocator, and probes. Kept apart, so that the
// others stay as short as they are.
#define ELSEWHERE __attribute__((noinline, cold))

ELSEWHERE void *mallocElsewhere(size_t SizeBytes) {
  if (!isProbe())
    return Other.malloc(SizeBytes);
  if (!noteArrival())
    return nullptr;
  void *Probe = probeMemory(SizeBytes);
  return Probe ? Probe : je_malloc(SizeBytes);
}

ELSEWHERE void *callocElsewhere(size_t Count, size_t SizeBytes) {
  if (!isProbe())
    return Other.calloc(Count, SizeBytes);
  return noteArrival() ? je_calloc(Count, SizeBytes) : nullptr;
}

ELSEWHERE void *reallocElsewhere(void *Pointer, size_t SizeBytes) {
  if (!isProbe())
    return Other.realloc(Pointer, SizeBytes);
  return noteArrival() ? je_realloc(Pointer, SizeBytes) : nullptr;
}

ELSEWHERE void *memalignElsewhere(size_t Alignment, size_t SizeBytes) {
  if (!isProbe())
    return Other.memalign(Alignment, SizeBytes);
  return noteArrival() ? je_aligned_alloc(Alignment, SizeBytes) : nullptr;
}

ELSEWHERE int posixMemalignElsewhere(void **Result, size_t Alignment,
                                     size_t SizeBytes) {
  if (!isProbe())
    return Other.posix_memalign(Result, Alignment, SizeBytes);
  *Result = memalignElsewhere(Alignment, SizeBytes);
  return *Result ? 0 : ENOMEM;
}

ELSEWHERE size_t usableSizeElsewhere(void *Pointer) {
  return isProbe() ? je_malloc_usable_size(Pointer)
                   : Other.malloc_usable_size(Pointer);
}

size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

/// A cold object stays cold while there is room. Null, with the object
/// untouched, if there is no memory at all.
void *resizeColdOrMove(void *Pointer, size_t SizeBytes) {
  if (void *Resized = resizeCold(Pointer, SizeBytes))
    return Resized;
  void *Moved = je_malloc(SizeBytes);
  if (Moved == nullptr)
    return nullptr;
  size_t OldBytes = thermocline_cold_je_malloc_usable_size(Pointer);
  memcpy(Moved, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  thermocline_cold_je_free(Pointer);
  return Moved;
}

/// Whoever links this file has the allocator, and starts it.
__attribute__((constructor(101))) void start() { startAllocator(); }

} // namespace

void *thermocline_alloc_malloc_long(size_t SizeBytes) noexcept {
  return serves() ? thermocline_je_malloc_default(SizeBytes)
                  : mallocElsewhere(SizeBytes);
}

void *thermocline_alloc_calloc(size_t Count, size_t SizeBytes) noexcept {
  return serves() ? je_calloc(Count, SizeBytes)
                  : callocElsewhere(Count, SizeBytes);
}

ELSEWHERE void thermocline_alloc_free_elsewhere(void *Pointer) noexcept {
  if (Pointer == nullptr)
    return;
  if (serves())
    je_free(Pointer);
  else if (!isProbe())
    Other.free(Pointer);
  else if (!noteFreed(Pointer))
    je_free(Pointer);
}

THERMOCLINE_FAST void thermocline_alloc_free(void *Pointer) noexcept {
  release(Pointer);
}

void *thermocline_alloc_realloc(void *Pointer, size_t SizeBytes) noexcept {
  bool IsCold = isCold(Pointer);
  if (!IsCold && !serves())
    return reallocElsewhere(Pointer, SizeBytes);
  if (Pointer != nullptr && SizeBytes == 0) {
    thermocline_alloc_free(Pointer);
    return nullptr;
  }
  void *Resized = __builtin_expect(IsCold, false)
                      ? resizeColdOrMove(Pointer, SizeBytes)
                      : je_realloc(Pointer, SizeBytes);
  // jemalloc leaves errno alone where the size is larger than any it has.
  if (Resized == nullptr)
    errno = ENOMEM;
  return Resized;
}

void *thermocline_alloc_memalign(size_t Alignment, size_t SizeBytes) noexcept {
  if (!serves())
    return memalignElsewhere(Alignment, SizeBytes);
  size_t Rounded = roundAlignment(Alignment);
  if (Rounded == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return je_aligned_alloc(Rounded, SizeBytes);
}

int thermocline_alloc_posix_memalign(void **Result, size_t Alignment,
                                     size_t SizeBytes) noexcept {
  return serves() ? je_posix_memalign(Result, Alignment, SizeBytes)
                  : posixMemalignElsewhere(Result, Alignment, SizeBytes);
}

size_t thermocline_alloc_malloc_usable_size(void *Pointer) noexcept {
  if (__builtin_expect(isCold(Pointer), false))
    return thermocline_cold_je_malloc_usable_size(Pointer);
  return serves() ? je_malloc_usable_size(Pointer)
                  : usableSizeElsewhere(Pointer);
}

// The names that programs know. All of glibc's that give or take memory are
// here, but for malloc, which is with its short path (ShortPath.c): one that
// was missing would be glibc's, and of another heap.
#define SAME_AS(Name) __attribute__((alias("thermocline_alloc_" #Name)))

THERMOCLINE_EXPORT SAME_AS(calloc) void *calloc(size_t, size_t);
THERMOCLINE_EXPORT SAME_AS(realloc) void *realloc(void *, size_t);
THERMOCLINE_EXPORT SAME_AS(free) void free(void *);
THERMOCLINE_EXPORT SAME_AS(memalign) void *memalign(size_t, size_t);
THERMOCLINE_EXPORT SAME_AS(memalign) void *aligned_alloc(size_t, size_t);
THERMOCLINE_EXPORT
SAME_AS(posix_memalign) int posix_memalign(void **, size_t, size_t);
THERMOCLINE_EXPORT SAME_AS(malloc_usable_size)
size_t malloc_usable_size(void *);

THERMOCLINE_EXPORT void *reallocarray(void *Pointer, size_t Count,
                                      size_t SizeBytes) {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return thermocline_alloc_realloc(Pointer, TotalBytes);
}

THERMOCLINE_EXPORT void *valloc(size_t SizeBytes) {
  return thermocline_alloc_memalign(pageBytes(), SizeBytes);
}

THERMOCLINE_EXPORT void *pvalloc(size_t SizeBytes) {
  size_t PageBytes = pageBytes();
  if (SizeBytes > SIZE_MAX - PageBytes) {
    errno = ENOMEM;
    return nullptr;
  }
  size_t Rounded = (SizeBytes + PageBytes - 1) & ~(PageBytes - 1);
  return thermocline_alloc_memalign(PageBytes,
                                    Rounded == 0 ? PageBytes : Rounded);
}

// C23, where jemalloc knows the size by itself. A program may have functions of
// these names from before.
extern "C" {
THERMOCLINE_REPLACEABLE void free_sized(void *Pointer, size_t) {
  thermocline_alloc_free(Pointer);
}

THERMOCLINE_REPLACEABLE void free_aligned_sized(void *Pointer, size_t, size_t) {
  thermocline_alloc_free(Pointer);
}

// Before glibc 2.26, whose libraries still look for it.
THERMOCLINE_REPLACEABLE SAME_AS(free) void cfree(void *);
}
