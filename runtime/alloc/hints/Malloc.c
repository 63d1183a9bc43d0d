//===- alloc/hints/Malloc.c - malloc_cold and kin, fallback ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twins of the C functions, for programs linked without the segregating
// allocator. Compiled once for each function, whose macro is then defined: an
// archive member that is taken after link-time optimization must refer to
// nothing but the one function that the program used before. A program may
// define some of these functions itself, and then lacks, or must not get, the
// C library's others.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#if defined(HINT_MALLOC)
void *malloc_cold(size_t size) { return malloc(size); }
#elif defined(HINT_CALLOC)
void *calloc_cold(size_t count, size_t size) { return calloc(count, size); }
#elif defined(HINT_REALLOC)
void *realloc_cold(void *ptr, size_t size) { return realloc(ptr, size); }
#elif defined(HINT_REALLOCARRAY)
void *reallocarray_cold(void *ptr, size_t count, size_t size) {
  return reallocarray(ptr, count, size);
}
#elif defined(HINT_ALIGNED_ALLOC)
void *aligned_alloc_cold(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}
#elif defined(HINT_MEMALIGN)
void *memalign_cold(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
#elif defined(HINT_POSIX_MEMALIGN)
int posix_memalign_cold(void **result, size_t alignment, size_t size) {
  return posix_memalign(result, alignment, size);
}
#elif defined(HINT_STRDUP)
char *strdup_cold(const char *string) { return strdup(string); }
#elif defined(HINT_STRNDUP)
char *strndup_cold(const char *string, size_t size) {
  return strndup(string, size);
}
#else
#error "no function is chosen"
#endif
