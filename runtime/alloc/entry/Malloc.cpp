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
#include "heap/Sampler.h"
#include "order/OrderHeap.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unistd.h>

using namespace thermocline::alloc;

// Profiles leave out calls inside of this namespace (BinaryReader.cpp).
namespace thermocline::alloc {
namespace {

// Calls that are not for this allocator, and probes. Kept apart, so that the
// others stay as short as they are.
#define ELSEWHERE __attribute__((noinline, cold))

ELSEWHERE void *mallocElsewhere(size_t SizeBytes) {
  if (!isProbe())
    return Other.Malloc(SizeBytes);
  if (!noteArrival())
    return nullptr;
  void *Probe = probeMemory(SizeBytes);
  return Probe ? Probe : je_malloc(SizeBytes);
}

ELSEWHERE void *callocElsewhere(size_t Count, size_t SizeBytes) {
  if (!isProbe())
    return Other.Calloc(Count, SizeBytes);
  return noteArrival() ? je_calloc(Count, SizeBytes) : nullptr;
}

ELSEWHERE void freeElsewhere(void *Pointer) {
  if (isSampled(Pointer))
    Sampler->Free(Pointer);
  else if (serves())
    je_free(Pointer);
  else if (!isProbe())
    Other.Free(Pointer);
  else if (!noteFreed(Pointer))
    je_free(Pointer);
}

ELSEWHERE void *reallocElsewhere(void *Pointer, size_t SizeBytes) {
  if (!isProbe())
    return Other.Realloc(Pointer, SizeBytes);
  return noteArrival() ? je_realloc(Pointer, SizeBytes) : nullptr;
}

ELSEWHERE void *memalignElsewhere(size_t Alignment, size_t SizeBytes) {
  if (!isProbe())
    return Other.Memalign(Alignment, SizeBytes);
  return noteArrival() ? je_aligned_alloc(Alignment, SizeBytes) : nullptr;
}

ELSEWHERE int posixMemalignElsewhere(void **Result, size_t Alignment,
                                     size_t SizeBytes) {
  if (!isProbe())
    return Other.PosixMemalign(Result, Alignment, SizeBytes);
  *Result = memalignElsewhere(Alignment, SizeBytes);
  return *Result ? 0 : ENOMEM;
}

ELSEWHERE size_t usableSizeElsewhere(void *Pointer) {
  return isProbe() ? je_malloc_usable_size(Pointer) : Other.UsableSize(Pointer);
}

void *alignedByClass(size_t Alignment, size_t SizeBytes) {
  size_t Rounded = roundAlignment(Alignment);
  if (Rounded == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return je_aligned_alloc(Rounded, SizeBytes);
}

// Calls of a process whose small objects may lie in order, and those above.
// Kept apart as well.
#define OTHERWISE __attribute__((noinline))

/// A small object in order. Null if it cannot be; jemalloc then has it.
inline void *smallInOrder(size_t SizeBytes) {
  return servesInOrder() && SizeBytes <= MostObjectBytes
             ? allocateInOrder(SizeBytes)
             : nullptr;
}

void *mallocNotOffered(size_t SizeBytes) {
  if (void *Small = smallInOrder(SizeBytes))
    return Small;
  return thermocline_je_malloc_default(SizeBytes);
}

OTHERWISE void *mallocOtherwise(size_t SizeBytes) {
  if (void *Small = smallInOrder(SizeBytes))
    return offer(Small, SizeBytes, 1);
  if (!serves())
    return mallocElsewhere(SizeBytes);
  if (void *Large = allocateSampled(SizeBytes, 1, /*OfZeros=*/false))
    return Large;
  return offer(thermocline_je_malloc_default(SizeBytes), SizeBytes, 1);
}

void *callocNotOffered(size_t Count, size_t SizeBytes) {
  size_t TotalBytes;
  if (!__builtin_mul_overflow(Count, SizeBytes, &TotalBytes))
    if (void *Small = smallInOrder(TotalBytes))
      return memset(Small, 0, TotalBytes);
  return je_calloc(Count, SizeBytes);
}

OTHERWISE void *callocOtherwise(size_t Count, size_t SizeBytes) {
  if (!serves())
    return callocElsewhere(Count, SizeBytes);
  size_t TotalBytes;
  // It says that there is no memory.
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes))
    return je_calloc(Count, SizeBytes);
  if (void *Large = allocateSampled(TotalBytes, 1, /*OfZeros=*/true))
    return Large;
  void *Own = callocNotOffered(1, TotalBytes);
  void *Result = offer(Own, TotalBytes, 1);
  return Result == Own ? Own : memset(Result, 0, TotalBytes);
}

void *memalignNotOffered(size_t Alignment, size_t SizeBytes) {
  if (Alignment <= GranuleBytes)
    if (void *Small = smallInOrder(SizeBytes))
      return Small;
  return alignedByClass(Alignment, SizeBytes);
}

OTHERWISE void *memalignOtherwise(size_t Alignment, size_t SizeBytes) {
  if (!serves())
    return memalignElsewhere(Alignment, SizeBytes);
  const size_t Rounded = roundAlignment(Alignment);
  if (void *Large =
          Rounded ? allocateSampled(SizeBytes, Rounded, false) : nullptr)
    return Large;
  return offer(memalignNotOffered(Alignment, SizeBytes), SizeBytes, Rounded);
}

OTHERWISE int posixMemalignOtherwise(void **Result, size_t Alignment,
                                     size_t SizeBytes) {
  if (!serves())
    return posixMemalignElsewhere(Result, Alignment, SizeBytes);
  // jemalloc says which alignments there are.
  if (roundAlignment(Alignment) == Alignment && Alignment >= sizeof(void *))
    if (void *Large = allocateSampled(SizeBytes, Alignment, false)) {
      *Result = Large;
      return 0;
    }
  void *Made = nullptr;
  if (Alignment == sizeof(void *) || Alignment == GranuleBytes)
    Made = smallInOrder(SizeBytes);
  if (Made == nullptr)
    if (int Error = je_posix_memalign(&Made, Alignment, SizeBytes))
      return Error;
  *Result = offer(Made, SizeBytes, Alignment);
  return 0;
}

/// The object goes where a new one of its size would. Null, with the object
/// untouched, if there is no memory.
void *resizeInOrder(void *Pointer, size_t SizeBytes) {
  if (!isInOrder(Pointer) && SizeBytes > MostObjectBytes)
    return je_realloc(Pointer, SizeBytes);
  if (isInOrder(Pointer) && resizeInOrderInPlace(Pointer, SizeBytes))
    return Pointer;
  const size_t OldBytes = thermocline_alloc_malloc_usable_size(Pointer);
  void *Moved = mallocNotOffered(SizeBytes);
  if (Moved == nullptr)
    return SizeBytes <= OldBytes ? Pointer : nullptr;
  memcpy(Moved, Pointer, std::min(OldBytes, SizeBytes));
  thermocline_alloc_free(Pointer);
  return Moved;
}

OTHERWISE size_t usableSizeOtherwise(void *Pointer) {
  if (isSampled(Pointer))
    return Sampler->UsableSize(Pointer);
  if (isInOrder(Pointer))
    return bytesInOrder(Pointer);
  return serves() ? je_malloc_usable_size(Pointer)
                  : usableSizeElsewhere(Pointer);
}

size_t pageBytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

/// What no hint asks for is not cold, whatever the object was: the profile
/// tells of what each call returns. A cold object stays where there is no other
/// memory. Null, with the object untouched, if there is no memory at all.
void *moveOutOfCold(void *Pointer, size_t SizeBytes) {
  void *Moved = mallocNotOffered(SizeBytes);
  if (Moved == nullptr)
    return resizeCold(Pointer, SizeBytes);
  size_t OldBytes = thermocline_cold_je_malloc_usable_size(Pointer);
  memcpy(Moved, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  thermocline_cold_je_free(Pointer);
  return Moved;
}

/// Neither is null or 0. Null, with the object untouched, if there is no
/// memory.
void *resizeNotOffered(void *Pointer, size_t SizeBytes) {
  if (isCold(Pointer))
    return moveOutOfCold(Pointer, SizeBytes);
  return servesInOrder() ? resizeInOrder(Pointer, SizeBytes)
                         : je_realloc(Pointer, SizeBytes);
}

OTHERWISE void *reallocOtherwise(void *Pointer, size_t SizeBytes) {
  if (!serves())
    return reallocElsewhere(Pointer, SizeBytes);
  if (Pointer == nullptr)
    return thermocline_alloc_malloc(SizeBytes);
  if (SizeBytes == 0) {
    thermocline_alloc_free(Pointer);
    return nullptr;
  }
  void *Resized = Sampler ? Sampler->Realloc(Pointer, SizeBytes)
                          : resizeNotOffered(Pointer, SizeBytes);
  if (Resized == nullptr)
    errno = ENOMEM;
  return Resized;
}

void *reallocNotOffered(void *Pointer, size_t SizeBytes) {
  return Pointer ? resizeNotOffered(Pointer, SizeBytes)
                 : mallocNotOffered(SizeBytes);
}

void *mallocBeside(const void * /*Object*/, size_t SizeBytes) {
  return mallocNotOffered(SizeBytes);
}

void offerAll(bool All) {
  if (All)
    thermocline_je_leave_short_path();
  else
    thermocline_je_take_short_path();
}

/// The profiler asks by its address, which would make a COMDAT group of the
/// inline function. Linkers cannot take one late (docs/allocator.md).
bool isColdObject(const void *Pointer) { return isCold(Pointer); }

/// Whoever links this file has the allocator, and starts it.
__attribute__((constructor(101))) void start() { startAllocator(); }

} // namespace
} // namespace thermocline::alloc

constinit const thermocline::format::AllocatorFunctions
    thermocline::alloc::FunctionsForSampler = {
        {
            .Malloc = mallocNotOffered,
            .Calloc = callocNotOffered,
            .Memalign = memalignNotOffered,
            .Realloc = reallocNotOffered,
            .Free = thermocline_alloc_free,
            .UsableSize = thermocline_alloc_malloc_usable_size,
        },
        mallocBeside,
        isColdObject,
        offerAll,
};

void *thermocline_alloc_malloc_long(size_t SizeBytes) noexcept {
  return servesByClass() ? thermocline_je_malloc_default(SizeBytes)
                         : mallocOtherwise(SizeBytes);
}

void *thermocline_alloc_calloc(size_t Count, size_t SizeBytes) noexcept {
  return servesByClass() ? je_calloc(Count, SizeBytes)
                         : callocOtherwise(Count, SizeBytes);
}

THERMOCLINE_FAST OTHERWISE void
thermocline_alloc_free_elsewhere(void *Pointer) noexcept {
  if (Pointer == nullptr)
    return;
  if (servesByClass())
    je_free(Pointer);
  else if (isInOrder(Pointer))
    releaseInOrder(Pointer);
  else
    freeElsewhere(Pointer);
}

THERMOCLINE_FAST void thermocline_alloc_free(void *Pointer) noexcept {
  release(Pointer);
}

void *thermocline_alloc_realloc(void *Pointer, size_t SizeBytes) noexcept {
  bool IsCold = isCold(Pointer);
  if (!servesByClass() && (!IsCold || Sampler))
    return reallocOtherwise(Pointer, SizeBytes);
  if (Pointer != nullptr && SizeBytes == 0) {
    thermocline_alloc_free(Pointer);
    return nullptr;
  }
  void *Resized = __builtin_expect(IsCold, false)
                      ? moveOutOfCold(Pointer, SizeBytes)
                      : je_realloc(Pointer, SizeBytes);
  // jemalloc leaves errno alone where the size is larger than any it has.
  if (Resized == nullptr)
    errno = ENOMEM;
  return Resized;
}

void *thermocline_alloc_memalign(size_t Alignment, size_t SizeBytes) noexcept {
  return servesByClass() ? alignedByClass(Alignment, SizeBytes)
                         : memalignOtherwise(Alignment, SizeBytes);
}

int thermocline_alloc_posix_memalign(void **Result, size_t Alignment,
                                     size_t SizeBytes) noexcept {
  return servesByClass() ? je_posix_memalign(Result, Alignment, SizeBytes)
                         : posixMemalignOtherwise(Result, Alignment, SizeBytes);
}

size_t thermocline_alloc_malloc_usable_size(void *Pointer) noexcept {
  if (__builtin_expect(isCold(Pointer), false))
    return thermocline_cold_je_malloc_usable_size(Pointer);
  return servesByClass() ? je_malloc_usable_size(Pointer)
                         : usableSizeOtherwise(Pointer);
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
