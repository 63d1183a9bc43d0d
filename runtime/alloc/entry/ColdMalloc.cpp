//===- alloc/entry/ColdMalloc.cpp - malloc_cold and kin -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cold variants of the C functions. Each tries the cold heap; where that
// cannot serve the call, for lack of room or because an argument is bad, it
// does what the plain function does.
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"
#include "heap/Alignment.h"
#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/OwnNames.h"
#include "heap/Sampler.h"
#include <cerrno>
#include <cstdint>
#include <cstring>

using namespace thermocline::alloc;

static bool isPowerOfTwo(size_t Number) {
  return Number != 0 && (Number & (Number - 1)) == 0;
}

// Profiles leave out calls inside of this namespace (BinaryReader.cpp).
namespace thermocline::alloc {
namespace {

void *coldOrPlain(size_t SizeBytes) {
  if (void *Cold = allocateCold(SizeBytes, 0, false))
    return Cold;
  return thermocline_alloc_malloc_long(SizeBytes);
}

void *coldOrPlainAligned(size_t Alignment, size_t SizeBytes) {
  if (size_t Rounded = roundAlignment(Alignment))
    if (void *Cold = allocateCold(SizeBytes, Rounded, false))
      return Cold;
  return thermocline_alloc_memalign(Alignment, SizeBytes);
}

/// A cold object stays where it is if it can; another is moved. So is each if
/// there is a sampler, which is offered what is new.
void *resizeToCold(void *Pointer, size_t SizeBytes) {
  if (Pointer == nullptr)
    return coldOrPlain(SizeBytes);
  if (SizeBytes == 0)
    return thermocline_alloc_realloc(Pointer, SizeBytes);
  if (Sampler == nullptr && isCold(Pointer))
    if (void *Resized = resizeCold(Pointer, SizeBytes))
      return Resized;
  void *Moved = allocateCold(SizeBytes, 0, false);
  if (Moved == nullptr)
    return thermocline_alloc_realloc(Pointer, SizeBytes);
  size_t OldBytes = thermocline_alloc_malloc_usable_size(Pointer);
  memcpy(Moved, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  thermocline_alloc_free(Pointer);
  return Moved;
}

} // namespace
} // namespace thermocline::alloc

/// Kept apart, so that the other is short. Users meet the name where a
/// sanitizer shows them who allocated.
THERMOCLINE_OWN __attribute__((noinline)) void *
thermocline_alloc_malloc_cold_slowly(size_t SizeBytes) {
  if (void *Cold = allocateColdAtOnce(Kind::Malloc, SizeBytes))
    return Cold;
  // A thread that has a record has tried.
  void *Cold =
      RecordOrNone != &NoRecord ? nullptr : allocateCold(SizeBytes, 0, false);
  return count(Kind::Malloc,
               Cold ? Cold : thermocline_alloc_malloc_long(SizeBytes),
               SizeBytes);
}

// The short path of a counted call and the long one, as ShortPath.c says.
THERMOCLINE_OWN void *thermocline_alloc_malloc_cold_counted(size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_malloc_cold_long(size_t SizeBytes) {
  if (void *Cold = thermocline_cold_je_malloc_default(SizeBytes))
    return Cold;
  takeBackCount(Kind::Malloc, SizeBytes);
  return count(Kind::Malloc, thermocline_alloc_malloc_long(SizeBytes),
               SizeBytes);
}

static char *copyCold(Kind Called, const char *String, size_t Length) {
  char *Copy = static_cast<char *>(coldOrPlain(Length + 1));
  if (Copy != nullptr) {
    memcpy(Copy, String, Length);
    Copy[Length] = '\0';
  }
  return static_cast<char *>(count(Called, Copy, Length + 1));
}

THERMOCLINE_FAST void *
thermocline_alloc_malloc_cold(size_t SizeBytes) noexcept {
  if (__builtin_expect(RecordOrNone->countColdAtOnce(Kind::Malloc, SizeBytes),
                       true))
    return thermocline_alloc_malloc_cold_counted(SizeBytes);
  return thermocline_alloc_malloc_cold_slowly(SizeBytes);
}

void *thermocline_alloc_calloc_cold(size_t Count, size_t SizeBytes) noexcept {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void *Result = allocateCold(TotalBytes, 0, true);
  if (Result == nullptr)
    Result = thermocline_alloc_calloc(Count, SizeBytes);
  return count(Kind::Calloc, Result, TotalBytes);
}

void *thermocline_alloc_realloc_cold(void *Pointer, size_t SizeBytes) noexcept {
  return count(Kind::Realloc, resizeToCold(Pointer, SizeBytes), SizeBytes);
}

void *thermocline_alloc_reallocarray_cold(void *Pointer, size_t Count,
                                          size_t SizeBytes) noexcept {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return count(Kind::Reallocarray, resizeToCold(Pointer, TotalBytes),
               TotalBytes);
}

void *thermocline_alloc_aligned_alloc_cold(size_t Alignment,
                                           size_t SizeBytes) noexcept {
  return count(Kind::AlignedAlloc, coldOrPlainAligned(Alignment, SizeBytes),
               SizeBytes);
}

void *thermocline_alloc_memalign_cold(size_t Alignment,
                                      size_t SizeBytes) noexcept {
  return count(Kind::Memalign, coldOrPlainAligned(Alignment, SizeBytes),
               SizeBytes);
}

int thermocline_alloc_posix_memalign_cold(void **Result, size_t Alignment,
                                          size_t SizeBytes) noexcept {
  void *Cold = nullptr;
  if (isPowerOfTwo(Alignment) && Alignment >= sizeof(void *))
    Cold = allocateCold(SizeBytes, Alignment, false);
  if (Cold != nullptr)
    *Result = Cold;
  else if (int Error =
               thermocline_alloc_posix_memalign(Result, Alignment, SizeBytes))
    return Error;
  count(Kind::PosixMemalign, *Result, SizeBytes);
  return 0;
}

char *thermocline_alloc_strdup_cold(const char *String) noexcept {
  return copyCold(Kind::Strdup, String, strlen(String));
}

char *thermocline_alloc_strndup_cold(const char *String,
                                     size_t SizeBytes) noexcept {
  return copyCold(Kind::Strndup, String, strnlen(String, SizeBytes));
}

// Weak, because libthermocline_hints.a may come first on a link line, and some
// of its members with it: they call these by the table.
#define NAMED(Name)                                                            \
  THERMOCLINE_REPLACEABLE __attribute__((alias("thermocline_alloc_" #Name)))

extern "C" {
NAMED(malloc_cold) void *malloc_cold(size_t);
NAMED(calloc_cold) void *calloc_cold(size_t, size_t);
NAMED(realloc_cold) void *realloc_cold(void *, size_t);
NAMED(reallocarray_cold) void *reallocarray_cold(void *, size_t, size_t);
NAMED(aligned_alloc_cold) void *aligned_alloc_cold(size_t, size_t);
NAMED(memalign_cold) void *memalign_cold(size_t, size_t);
NAMED(posix_memalign_cold) int posix_memalign_cold(void **, size_t, size_t);
NAMED(strdup_cold) char *strdup_cold(const char *);
NAMED(strndup_cold) char *strndup_cold(const char *, size_t);
}
