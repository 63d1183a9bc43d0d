//===- alloc/lib/ColdMalloc.cpp - malloc_cold and kin ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C twins. Each tries the cold heap; where that cannot serve the call, for
// lack of room or because an argument is bad, it does what the plain function
// does.
//
//===----------------------------------------------------------------------===//

#include "ColdHeap.h"
#include "Export.h"
#include "Jemalloc.h"
#include "Malloc.h"
#include "Statistics.h"
#include "thermocline/hints.h"
#include <cerrno>
#include <cstdint>
#include <cstring>

using namespace thermocline::alloc;

extern "C" void *realloc(void *Pointer, size_t SizeBytes);

static bool isPowerOfTwo(size_t Number) {
  return Number != 0 && (Number & (Number - 1)) == 0;
}

static void *coldOrPlain(size_t SizeBytes) {
  if (void *Cold = allocateCold(SizeBytes, 0, false))
    return Cold;
  return allocate(SizeBytes);
}

static void *coldOrPlainAligned(size_t Alignment, size_t SizeBytes) {
  if (size_t Rounded = roundAlignment(Alignment))
    if (void *Cold = allocateCold(SizeBytes, Rounded, false))
      return Cold;
  return allocateAligned(Alignment, SizeBytes);
}

/// A cold object stays where it is if it can; another is moved.
static void *resizeToCold(void *Pointer, size_t SizeBytes) {
  if (Pointer == nullptr)
    return coldOrPlain(SizeBytes);
  if (SizeBytes == 0 || isCold(Pointer))
    return realloc(Pointer, SizeBytes);
  void *Moved = allocateCold(SizeBytes, 0, false);
  if (Moved == nullptr)
    return realloc(Pointer, SizeBytes);
  size_t OldBytes = je_malloc_usable_size(Pointer);
  memcpy(Moved, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  je_free(Pointer);
  return Moved;
}

static char *copyCold(Kind Called, const char *String, size_t Length) {
  char *Copy = static_cast<char *>(coldOrPlain(Length + 1));
  if (Copy != nullptr) {
    memcpy(Copy, String, Length);
    Copy[Length] = '\0';
  }
  return static_cast<char *>(count(Called, Copy, Length + 1));
}

THERMOCLINE_EXPORT void *malloc_cold(size_t SizeBytes) {
  return count(Kind::Malloc, coldOrPlain(SizeBytes), SizeBytes);
}

THERMOCLINE_EXPORT void *calloc_cold(size_t Count, size_t SizeBytes) {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void *Result = allocateCold(TotalBytes, 0, true);
  if (Result == nullptr)
    Result = je_calloc(Count, SizeBytes);
  return count(Kind::Calloc, Result, TotalBytes);
}

THERMOCLINE_EXPORT void *realloc_cold(void *Pointer, size_t SizeBytes) {
  return count(Kind::Realloc, resizeToCold(Pointer, SizeBytes), SizeBytes);
}

THERMOCLINE_EXPORT void *reallocarray_cold(void *Pointer, size_t Count,
                                           size_t SizeBytes) {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return count(Kind::Reallocarray, resizeToCold(Pointer, TotalBytes),
               TotalBytes);
}

THERMOCLINE_EXPORT void *aligned_alloc_cold(size_t Alignment,
                                            size_t SizeBytes) {
  return count(Kind::AlignedAlloc, coldOrPlainAligned(Alignment, SizeBytes),
               SizeBytes);
}

THERMOCLINE_EXPORT void *memalign_cold(size_t Alignment, size_t SizeBytes) {
  return count(Kind::Memalign, coldOrPlainAligned(Alignment, SizeBytes),
               SizeBytes);
}

THERMOCLINE_EXPORT int posix_memalign_cold(void **Result, size_t Alignment,
                                           size_t SizeBytes) {
  void *Cold = nullptr;
  if (isPowerOfTwo(Alignment) && Alignment >= sizeof(void *))
    Cold = allocateCold(SizeBytes, Alignment, false);
  if (Cold != nullptr)
    *Result = Cold;
  else if (int Error = je_posix_memalign(Result, Alignment, SizeBytes))
    return Error;
  count(Kind::PosixMemalign, *Result, SizeBytes);
  return 0;
}

THERMOCLINE_EXPORT char *strdup_cold(const char *String) {
  return copyCold(Kind::Strdup, String, strlen(String));
}

THERMOCLINE_EXPORT char *strndup_cold(const char *String, size_t SizeBytes) {
  return copyCold(Kind::Strndup, String, strnlen(String, SizeBytes));
}
