/*===- thermocline/hints.h - Allocation calls that carry a hint
------------===*\
|*
|* Part of the Thermocline project, under the Apache License v2.0 with LLVM
|* Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The functions that a hinted program calls instead of malloc, operator new and
|* their kin. The optimizer writes these calls; a program may also write them
|* itself. Two libraries define them: libthermocline_alloc, where cold objects
|* lie on pages of their own, and libthermocline_hints.a, for libraries, where
|* each calls that of the process's allocator, or the plain function if that
|* allocator has none.
|*
|* What a call returns is what the plain function would return: same size,
|* alignment, errors and errno. It is freed by free or operator delete, like any
|* other object.
|*
\*===----------------------------------------------------------------------===*/

#ifndef THERMOCLINE_HINTS_H
#define THERMOCLINE_HINTS_H

#include <stddef.h>

#ifdef __cplusplus
#include <cstdint>
#include <new>
extern "C" {
#endif

/* As the function without _cold; the result is expected to be hardly touched.
   realloc_cold(p, n) also moves an object that was not cold, and realloc(p, n)
   one that was. */
void *malloc_cold(size_t size);
void *calloc_cold(size_t count, size_t size);
void *realloc_cold(void *ptr, size_t size);
void *reallocarray_cold(void *ptr, size_t count, size_t size);
void *aligned_alloc_cold(size_t alignment, size_t size);
void *memalign_cold(size_t alignment, size_t size);
int posix_memalign_cold(void **result, size_t alignment, size_t size);
char *strdup_cold(const char *string);
char *strndup_cold(const char *string, size_t size);

#ifdef __cplusplus
} // extern "C"

/// How warm an object will be: 0 is coldest, 255 hottest. LLVM writes 1 for
/// cold, 128 for not cold, 222 for both, 254 for hot. Up to 127 the object
/// belongs to the cold heap.
enum class __hot_cold_t : std::uint8_t;

void *operator new(std::size_t, __hot_cold_t);
void *operator new(std::size_t, const std::nothrow_t &, __hot_cold_t) noexcept;
void *operator new(std::size_t, std::align_val_t, __hot_cold_t);
void *operator new(std::size_t, std::align_val_t, const std::nothrow_t &,
                   __hot_cold_t) noexcept;
void *operator new[](std::size_t, __hot_cold_t);
void *operator new[](std::size_t, const std::nothrow_t &,
                     __hot_cold_t) noexcept;
void *operator new[](std::size_t, std::align_val_t, __hot_cold_t);
void *operator new[](std::size_t, std::align_val_t, const std::nothrow_t &,
                     __hot_cold_t) noexcept;

/// What size-returning new gives: the object and its usable size in bytes.
struct __sized_ptr_t {
  void *p;
  std::size_t n;
};

extern "C" {
__sized_ptr_t __size_returning_new(std::size_t);
__sized_ptr_t __size_returning_new_aligned(std::size_t, std::align_val_t);
__sized_ptr_t __size_returning_new_hot_cold(std::size_t, __hot_cold_t);
__sized_ptr_t __size_returning_new_aligned_hot_cold(std::size_t,
                                                    std::align_val_t,
                                                    __hot_cold_t);
}
#endif

#endif
