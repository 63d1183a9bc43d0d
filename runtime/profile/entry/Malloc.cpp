//===- profile/entry/Malloc.cpp - The malloc family -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function notes its caller first of all and then behaves as glibc's
// manual says, errors included.
//
//===----------------------------------------------------------------------===//

#include "Malloc.h"
#include "lifecycle/Runtime.h"
#include "platform/LibcFunctions.h"
#include <errno.h>

using namespace thermocline::runtime;

static void *allocateOrSetErrno(size_t Size, size_t Alignment, Caller Site) {
  void *Result = Runtime::get().allocations().allocate(Size, Alignment, Site);
  if (!Result)
    errno = ENOMEM;
  return Result;
}

// With sampling most calls go to the allocator below. Those of malloc, calloc
// and free are jumps. So is the way to the long form, which therefore finds the
// same caller.
extern "C" __attribute__((visibility("hidden"), noinline)) void *
thermocline_malloc(size_t Size) {
  if (Allocations::isForBelow(Size, THERMOCLINE_CALLER) ||
      Runtime::get().allocations().delegatesAll())
    THERMOCLINE_JUMP libc().Allocator.Malloc(Size);
  return allocateOrSetErrno(Size, 1, THERMOCLINE_CALLER);
}

void *entry::malloc(size_t Size) {
  if (Allocations::isPassedOver(Size))
    THERMOCLINE_JUMP libc().Allocator.Malloc(Size);
  THERMOCLINE_JUMP thermocline_malloc(Size);
}

extern "C" __attribute__((visibility("hidden"), noinline)) void *
thermocline_calloc(size_t Count, size_t Size) {
  size_t Total;
  if (__builtin_mul_overflow(Count, Size, &Total)) {
    errno = ENOMEM;
    return nullptr;
  }
  if (Allocations::isForBelow(Total, THERMOCLINE_CALLER))
    THERMOCLINE_JUMP libc().Allocator.Calloc(Count, Size);
  bool Zeroed = false;
  void *Result = Runtime::get().allocations().allocate(
      Total, 1, THERMOCLINE_CALLER, &Zeroed);
  if (!Result)
    errno = ENOMEM;
  else if (!Zeroed)
    libc().Memset(Result, 0, Total);
  return Result;
}

// libc's own names of these functions, which it exports. A program that calls
// them may give the memory to free().
THERMOCLINE_INTERFACE void *__libc_malloc(size_t Size) {
  THERMOCLINE_JUMP thermocline_malloc(Size);
}

THERMOCLINE_INTERFACE void *__libc_calloc(size_t Count, size_t Size) {
  THERMOCLINE_JUMP thermocline_calloc(Count, Size);
}

void *entry::calloc(size_t Count, size_t Size) {
  size_t Total;
  if (!__builtin_mul_overflow(Count, Size, &Total) &&
      Allocations::isPassedOver(Total))
    THERMOCLINE_JUMP libc().Allocator.Calloc(Count, Size);
  THERMOCLINE_JUMP thermocline_calloc(Count, Size);
}

static void *reallocate(void *Old, size_t Size, Caller Site,
                        const char *Function) {
  if (!Old)
    return allocateOrSetErrno(Size, 1, Site);
  Runtime &R = Runtime::get();
  if (Size == 0 && R.options().ReallocZeroFrees) {
    R.allocations().release(Old, Function);
    return nullptr;
  }
  void *Result = R.allocations().reallocate(Old, Size, Site, Function);
  if (!Result)
    errno = ENOMEM;
  return Result;
}

void *entry::realloc(void *Old, size_t Size) {
  return reallocate(Old, Size, THERMOCLINE_CALLER, "realloc");
}

THERMOCLINE_INTERFACE void *__libc_realloc(void *Old, size_t Size) {
  return reallocate(Old, Size, THERMOCLINE_CALLER, "__libc_realloc");
}

THERMOCLINE_INTERFACE void *reallocarray(void *Old, size_t Count, size_t Size) {
  size_t Total;
  if (__builtin_mul_overflow(Count, Size, &Total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return reallocate(Old, Total, THERMOCLINE_CALLER, "reallocarray");
}

extern "C" __attribute__((visibility("hidden"), noinline)) void
thermocline_free(void *Address) {
  if (Runtime::get().allocations().delegatesAll() &&
      !Heap::isInRange(reinterpret_cast<uintptr_t>(Address)))
    THERMOCLINE_JUMP libc().Allocator.Free(Address);
  Runtime::get().allocations().release(Address, "free");
}

void entry::free(void *Address) {
  if (Allocations::isFromBelow(Address))
    THERMOCLINE_JUMP libc().Allocator.Free(Address);
  THERMOCLINE_JUMP thermocline_free(Address);
}

THERMOCLINE_INTERFACE void cfree(void *Address) {
  Runtime::get().allocations().release(Address, "cfree");
}

THERMOCLINE_INTERFACE void __libc_free(void *Address) {
  Runtime::get().allocations().release(Address, "__libc_free");
}

// Functions of C23. The sizes are what the program says, and nothing needs
// them.
THERMOCLINE_INTERFACE void free_sized(void *Address, size_t) {
  Runtime::get().allocations().release(Address, "free_sized");
}

THERMOCLINE_INTERFACE void free_aligned_sized(void *Address, size_t, size_t) {
  Runtime::get().allocations().release(Address, "free_aligned_sized");
}

/// The next power of two, because glibc's memalign() takes any alignment; 0 if
/// there is none.
static size_t powerOfTwoFrom(size_t Alignment) {
  if (Alignment > size_t(PTRDIFF_MAX) + 1)
    return 0;
  size_t Result = 1;
  while (Result < Alignment)
    Result *= 2;
  return Result;
}

static void *allocateAligned(size_t Alignment, size_t Size, Caller Site) {
  Alignment = powerOfTwoFrom(Alignment);
  if (!Alignment) {
    errno = EINVAL;
    return nullptr;
  }
  return allocateOrSetErrno(Size, Alignment, Site);
}

void *entry::memalign(size_t Alignment, size_t Size) {
  return allocateAligned(Alignment, Size, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE void *__libc_memalign(size_t Alignment, size_t Size) {
  return allocateAligned(Alignment, Size, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE void *aligned_alloc(size_t Alignment, size_t Size) {
  return allocateAligned(Alignment, Size, THERMOCLINE_CALLER);
}

int entry::posix_memalign(void **Result, size_t Alignment, size_t Size) {
  if (Alignment % sizeof(void *) || !isPowerOfTwo(Alignment))
    return EINVAL;
  void *Memory = allocateOrSetErrno(Size, Alignment, THERMOCLINE_CALLER);
  if (!Memory)
    return ENOMEM;
  *Result = Memory;
  return 0;
}

THERMOCLINE_INTERFACE void *valloc(size_t Size) {
  return allocateOrSetErrno(Size, pageBytes(), THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE void *__libc_valloc(size_t Size) {
  return allocateOrSetErrno(Size, pageBytes(), THERMOCLINE_CALLER);
}

static void *allocatePages(size_t Size, Caller Site) {
  if (Size > SIZE_MAX - pageBytes()) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocateOrSetErrno(Size ? roundUp(Size, pageBytes()) : pageBytes(),
                            pageBytes(), Site);
}

THERMOCLINE_INTERFACE void *pvalloc(size_t Size) {
  return allocatePages(Size, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE void *__libc_pvalloc(size_t Size) {
  return allocatePages(Size, THERMOCLINE_CALLER);
}

/// The size that was asked for, and not that of the block: accesses behind it
/// are not counted for the allocation.
size_t entry::malloc_usable_size(void *Address) {
  return Address ? Runtime::get().allocations().sizeOf(Address) : 0;
}

// The functions above by the names of libc.
#define THERMOCLINE_LIBC_NAME(Name)                                            \
  extern "C" __attribute__((                                                   \
      visibility("default"),                                                   \
      alias("thermocline_entry_" #Name))) decltype(entry::Name) Name;
THERMOCLINE_LIBC_NAME(malloc)
THERMOCLINE_LIBC_NAME(calloc)
THERMOCLINE_LIBC_NAME(realloc)
THERMOCLINE_LIBC_NAME(free)
THERMOCLINE_LIBC_NAME(memalign)
THERMOCLINE_LIBC_NAME(posix_memalign)
THERMOCLINE_LIBC_NAME(malloc_usable_size)
