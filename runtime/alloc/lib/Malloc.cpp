//===- alloc/lib/Malloc.cpp - malloc and kin ------------------------------===//
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

#include "Malloc.h"
#include "ColdHeap.h"
#include "Export.h"
#include "Jemalloc.h"
#include <cerrno>
#include <cstdint>
#include <unistd.h>

using namespace thermocline::alloc;

void *thermocline::alloc::allocate(size_t SizeBytes) {
  return je_malloc(SizeBytes);
}

size_t thermocline::alloc::roundAlignment(size_t Alignment) {
  if (Alignment > SIZE_MAX / 2 + 1)
    return 0;
  size_t Rounded = sizeof(void *);
  while (Rounded < Alignment)
    Rounded *= 2;
  return Rounded;
}

void *thermocline::alloc::allocateAligned(size_t Alignment, size_t SizeBytes) {
  size_t Rounded = roundAlignment(Alignment);
  if (Rounded == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return je_aligned_alloc(Rounded, SizeBytes);
}

void thermocline::alloc::release(void *Pointer) {
  if (__builtin_expect(isCold(Pointer), false))
    freeCold(Pointer);
  else
    je_free(Pointer);
}

THERMOCLINE_EXPORT void *malloc(size_t SizeBytes) {
  return je_malloc(SizeBytes);
}

THERMOCLINE_EXPORT void *calloc(size_t Count, size_t SizeBytes) {
  return je_calloc(Count, SizeBytes);
}

THERMOCLINE_EXPORT void free(void *Pointer) { release(Pointer); }

THERMOCLINE_EXPORT void *realloc(void *Pointer, size_t SizeBytes) {
  if (Pointer != nullptr && SizeBytes == 0) {
    release(Pointer);
    return nullptr;
  }
  void *Resized = __builtin_expect(isCold(Pointer), false)
                      ? resizeCold(Pointer, SizeBytes)
                      : je_realloc(Pointer, SizeBytes);
  // jemalloc leaves errno alone where the size is larger than any it has.
  if (Resized == nullptr)
    errno = ENOMEM;
  return Resized;
}

THERMOCLINE_EXPORT void *reallocarray(void *Pointer, size_t Count,
                                      size_t SizeBytes) {
  size_t TotalBytes;
  if (__builtin_mul_overflow(Count, SizeBytes, &TotalBytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(Pointer, TotalBytes);
}

THERMOCLINE_EXPORT void *aligned_alloc(size_t Alignment, size_t SizeBytes) {
  return allocateAligned(Alignment, SizeBytes);
}

THERMOCLINE_EXPORT void *memalign(size_t Alignment, size_t SizeBytes) {
  return allocateAligned(Alignment, SizeBytes);
}

THERMOCLINE_EXPORT int posix_memalign(void **Result, size_t Alignment,
                                      size_t SizeBytes) {
  return je_posix_memalign(Result, Alignment, SizeBytes);
}

THERMOCLINE_EXPORT void *valloc(size_t SizeBytes) {
  return allocateAligned(static_cast<size_t>(sysconf(_SC_PAGESIZE)), SizeBytes);
}

THERMOCLINE_EXPORT void *pvalloc(size_t SizeBytes) {
  size_t PageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (SizeBytes > SIZE_MAX - PageBytes) {
    errno = ENOMEM;
    return nullptr;
  }
  size_t Rounded = (SizeBytes + PageBytes - 1) & ~(PageBytes - 1);
  return allocateAligned(PageBytes, Rounded == 0 ? PageBytes : Rounded);
}

THERMOCLINE_EXPORT size_t malloc_usable_size(void *Pointer) {
  return je_malloc_usable_size(Pointer);
}
