//===- alloc/hints/Rust.cpp - Cold variants of Rust's functions -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cold variants of what a Rust program calls for its memory
// (thermocline/Support/RustNames.h). They ask malloc_cold and its kin where
// Rust's default allocator, `std::alloc::System`, asks malloc and its kin, so
// that what they give may go wherever other memory of the program goes, back
// to `free` above all. The link calls none of them in a program with a
// #[global_allocator], which frees in a way of its own.
//
// Compiled once for each function, and hidden, as Malloc.cpp is and for the
// same reasons.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "thermocline/hints.h"
#include <cstdlib>
#include <cstring>

/// malloc is asked for what it aligns as well as for what is wanted, as Rust's
/// default allocator has it: up to two words, and not for less than that.
[[maybe_unused]] static bool isMallocs(size_t SizeBytes, size_t Alignment) {
  return Alignment <= alignof(max_align_t) && Alignment <= SizeBytes;
}

/// Null if there is no memory.
[[maybe_unused]] static void *alignedCold(size_t SizeBytes, size_t Alignment) {
  void *Result = nullptr;
  // Less is not allowed.
  if (Alignment < sizeof(void *))
    Alignment = sizeof(void *);
  return posix_memalign_cold(&Result, Alignment, SizeBytes) ? nullptr : Result;
}

#if defined(HINT___RUST_ALLOC)
extern "C" HINTS_OWN void *__rust_alloc_cold(size_t SizeBytes,
                                             size_t Alignment) {
  return isMallocs(SizeBytes, Alignment) ? malloc_cold(SizeBytes)
                                         : alignedCold(SizeBytes, Alignment);
}
#elif defined(HINT___RUST_ALLOC_ZEROED)
extern "C" HINTS_OWN void *__rust_alloc_zeroed_cold(size_t SizeBytes,
                                                    size_t Alignment) {
  if (isMallocs(SizeBytes, Alignment))
    return calloc_cold(SizeBytes, 1);
  void *Result = alignedCold(SizeBytes, Alignment);
  return Result ? memset(Result, 0, SizeBytes) : nullptr;
}
#elif defined(HINT___RUST_REALLOC)
extern "C" HINTS_OWN void *__rust_realloc_cold(void *Pointer, size_t OldBytes,
                                               size_t Alignment,
                                               size_t SizeBytes) {
  if (isMallocs(SizeBytes, Alignment))
    return realloc_cold(Pointer, SizeBytes);
  void *Result = alignedCold(SizeBytes, Alignment);
  if (!Result)
    return nullptr;
  memcpy(Result, Pointer, OldBytes < SizeBytes ? OldBytes : SizeBytes);
  free(Pointer);
  return Result;
}
#else
#error "no function is chosen"
#endif
