//===- alloc/hints/Malloc.cpp - malloc_cold and kin, for linking anywhere -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cold variants of the C functions, for libraries, and for programs linked
// without the segregating allocator. Each calls the cold variant that the
// process's allocator has, if there is one, else the plain function. Compiled
// once for each function, whose macro is then defined: an archive member that
// is taken after link-time optimization must need nothing but the one function
// that the program used before. A program may define some of these functions
// itself, and then lacks, or must not get, the C library's others.
//
// All are hidden, so that those of one library are never another's.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include <cstdlib>
#include <cstring>
#include <malloc.h>

using thermocline::alloc::Kind;

/// What the process's allocator has for the function, null where the function
/// is to be called as it is.
#define HINT_COLD_VARIANT(Name)                                                \
  (thermocline_hints_serves_malloc() ? thermocline_hints_table()->Name : Named)

/// Counts the final NUL too. It stands in for strlen, which the program may
/// lack.
[[maybe_unused]] static size_t bytesOf(const char *String) {
  size_t Bytes = 0;
  while (String[Bytes++] != '\0')
    ;
  return Bytes;
}

#if defined(HINT_MALLOC)
using Function = void *(size_t);
HINTS_NAMED(Function, "malloc_cold")
extern "C" HINTS_OWN void *malloc_cold(size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Malloc))
    return Cold(SizeBytes);
  return ordinary(Kind::Malloc, malloc(SizeBytes), SizeBytes);
}
#elif defined(HINT_CALLOC)
using Function = void *(size_t, size_t);
HINTS_NAMED(Function, "calloc_cold")
extern "C" HINTS_OWN void *calloc_cold(size_t Count, size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Calloc))
    return Cold(Count, SizeBytes);
  return ordinary(Kind::Calloc, calloc(Count, SizeBytes), Count * SizeBytes);
}
#elif defined(HINT_REALLOC)
using Function = void *(void *, size_t);
HINTS_NAMED(Function, "realloc_cold")
extern "C" HINTS_OWN void *realloc_cold(void *Pointer, size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Realloc))
    return Cold(Pointer, SizeBytes);
  return ordinary(Kind::Realloc, realloc(Pointer, SizeBytes), SizeBytes);
}
#elif defined(HINT_REALLOCARRAY)
using Function = void *(void *, size_t, size_t);
HINTS_NAMED(Function, "reallocarray_cold")
extern "C" HINTS_OWN void *reallocarray_cold(void *Pointer, size_t Count,
                                             size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Reallocarray))
    return Cold(Pointer, Count, SizeBytes);
  return ordinary(Kind::Reallocarray, reallocarray(Pointer, Count, SizeBytes),
                  Count * SizeBytes);
}
#elif defined(HINT_ALIGNED_ALLOC)
using Function = void *(size_t, size_t);
HINTS_NAMED(Function, "aligned_alloc_cold")
extern "C" HINTS_OWN void *aligned_alloc_cold(size_t Alignment,
                                              size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(AlignedAlloc))
    return Cold(Alignment, SizeBytes);
  return ordinary(Kind::AlignedAlloc, aligned_alloc(Alignment, SizeBytes),
                  SizeBytes);
}
#elif defined(HINT_MEMALIGN)
using Function = void *(size_t, size_t);
HINTS_NAMED(Function, "memalign_cold")
extern "C" HINTS_OWN void *memalign_cold(size_t Alignment, size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Memalign))
    return Cold(Alignment, SizeBytes);
  return ordinary(Kind::Memalign, memalign(Alignment, SizeBytes), SizeBytes);
}
#elif defined(HINT_POSIX_MEMALIGN)
using Function = int(void **, size_t, size_t);
HINTS_NAMED(Function, "posix_memalign_cold")
extern "C" HINTS_OWN int posix_memalign_cold(void **Result, size_t Alignment,
                                             size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(PosixMemalign))
    return Cold(Result, Alignment, SizeBytes);
  int Error = posix_memalign(Result, Alignment, SizeBytes);
  if (Error == 0)
    ordinary(Kind::PosixMemalign, *Result, SizeBytes);
  return Error;
}
#elif defined(HINT_STRDUP)
using Function = char *(const char *);
HINTS_NAMED(Function, "strdup_cold")
extern "C" HINTS_OWN char *strdup_cold(const char *String) {
  if (auto *Cold = HINT_COLD_VARIANT(Strdup))
    return Cold(String);
  char *Copy = strdup(String);
  if (Copy != nullptr && thermocline_hints_table())
    ordinary(Kind::Strdup, Copy, bytesOf(String));
  return Copy;
}
#elif defined(HINT_STRNDUP)
using Function = char *(const char *, size_t);
HINTS_NAMED(Function, "strndup_cold")
extern "C" HINTS_OWN char *strndup_cold(const char *String, size_t SizeBytes) {
  if (auto *Cold = HINT_COLD_VARIANT(Strndup))
    return Cold(String, SizeBytes);
  char *Copy = strndup(String, SizeBytes);
  if (Copy != nullptr && thermocline_hints_table())
    ordinary(Kind::Strndup, Copy, bytesOf(Copy));
  return Copy;
}
#else
#error "no function is chosen"
#endif
