//===- bench/profiler/apart.cpp - Allocations kept apart ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with a program and LLVM's MemProf runtime, makes that runtime count
// exactly. It sums the counter of 64 bytes too many where an allocation ends at
// a multiple of 64, and does not clear the last counter wholly. So each
// allocation here begins at a multiple of 64 and has padding of its own where
// that counter is, which is cleared. Sizes in the profile are then too large;
// numbers of allocations and accesses are right.
//
// Without debug information, so that no frame of this file is in a context.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace __memprof {
extern int memprof_inited;
}
extern "C" {
extern uintptr_t __memprof_shadow_memory_dynamic_address;
void *___interceptor_malloc(size_t Size);
void *___interceptor_calloc(size_t Count, size_t Size);
void *___interceptor_realloc(void *Address, size_t Size);
void *___interceptor_memalign(size_t Alignment, size_t Size);
void ___interceptor_free(void *Address);
}

static constexpr size_t Granule = 64;

/// What allocates while the runtime starts is its own affair.
static bool hasStarted() { return __memprof::memprof_inited; }

static void *allocate(size_t Size, size_t Alignment = Granule) {
  if (Alignment < Granule)
    Alignment = Granule;
  // Nothing that is compared asks for that much.
  if (Size > PTRDIFF_MAX / 2)
    return nullptr;
  size_t Used = (Size + Granule - 1) / Granule * Granule;
  void *Result = ___interceptor_memalign(Alignment, Used + Granule / 2);
  if (Result) {
    uintptr_t Padding = reinterpret_cast<uintptr_t>(Result) + Used;
    *reinterpret_cast<uint64_t *>((Padding >> 3) +
                                  __memprof_shadow_memory_dynamic_address) = 0;
  }
  return Result;
}

// Byte by byte through volatile pointers: the runtime would count a call of
// memcpy or memset.
static void copy(void *To, const void *From, size_t Size) {
  for (size_t I = 0; I != Size; ++I)
    static_cast<volatile char *>(To)[I] = static_cast<const char *>(From)[I];
}

static void *allocateOrThrow(size_t Size, size_t Alignment = Granule) {
  if (void *Result = allocate(Size, Alignment))
    return Result;
  throw std::bad_alloc();
}

extern "C" {
void *malloc(size_t Size) {
  return hasStarted() ? allocate(Size) : ___interceptor_malloc(Size);
}

void *calloc(size_t Count, size_t Size) {
  if (!hasStarted())
    return ___interceptor_calloc(Count, Size);
  void *Result = allocate(Count * Size);
  for (size_t I = 0; Result && I != Count * Size; ++I)
    static_cast<volatile char *>(Result)[I] = 0;
  return Result;
}

void *realloc(void *Address, size_t Size) {
  if (!hasStarted())
    return ___interceptor_realloc(Address, Size);
  if (Address && Size == 0) {
    ___interceptor_free(Address);
    return nullptr;
  }
  void *Result = allocate(Size);
  if (!Address || !Result)
    return Result;
  size_t Old = malloc_usable_size(Address);
  copy(Result, Address, Old < Size ? Old : Size);
  ___interceptor_free(Address);
  return Result;
}

void *aligned_alloc(size_t Alignment, size_t Size) {
  return allocate(Size, Alignment);
}

int posix_memalign(void **Result, size_t Alignment, size_t Size) {
  *Result = allocate(Size, Alignment);
  return *Result ? 0 : ENOMEM;
}
}

#define NEW(Name)                                                              \
  void *operator Name(size_t Size) { return allocateOrThrow(Size); }           \
  void *operator Name(size_t Size, std::align_val_t Alignment) {               \
    return allocateOrThrow(Size, static_cast<size_t>(Alignment));              \
  }                                                                            \
  void *operator Name(size_t Size, const std::nothrow_t &) noexcept {          \
    return allocate(Size);                                                     \
  }                                                                            \
  void *operator Name(size_t Size, std::align_val_t Alignment,                 \
                      const std::nothrow_t &) noexcept {                       \
    return allocate(Size, static_cast<size_t>(Alignment));                     \
  }
NEW(new)
NEW(new[])

#define DELETE(Name)                                                           \
  void operator Name(void *Address) noexcept { ___interceptor_free(Address); } \
  void operator Name(void *Address, size_t) noexcept {                         \
    ___interceptor_free(Address);                                              \
  }                                                                            \
  void operator Name(void *Address, std::align_val_t) noexcept {               \
    ___interceptor_free(Address);                                              \
  }                                                                            \
  void operator Name(void *Address, size_t, std::align_val_t) noexcept {       \
    ___interceptor_free(Address);                                              \
  }
DELETE(delete)
DELETE(delete[])
