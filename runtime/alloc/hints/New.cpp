//===- alloc/hints/New.cpp - operator new with a hint, fallback -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each form calls the plain operator of the same form, so that a program's own
// operator new, its new handler and std::bad_alloc work as they did. Compiled
// once for each form, as Malloc.c is and for the same reason.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"

#if defined(HINT_NEW)
void *operator new(std::size_t Size, __hot_cold_t) {
  return ::operator new(Size);
}
#elif defined(HINT_NEW_NOTHROW)
void *operator new(std::size_t Size, const std::nothrow_t &Nothrow,
                   __hot_cold_t) noexcept {
  return ::operator new(Size, Nothrow);
}
#elif defined(HINT_NEW_ALIGNED)
void *operator new(std::size_t Size, std::align_val_t Alignment, __hot_cold_t) {
  return ::operator new(Size, Alignment);
}
#elif defined(HINT_NEW_ALIGNED_NOTHROW)
void *operator new(std::size_t Size, std::align_val_t Alignment,
                   const std::nothrow_t &Nothrow, __hot_cold_t) noexcept {
  return ::operator new(Size, Alignment, Nothrow);
}
#elif defined(HINT_NEW_ARRAY)
void *operator new[](std::size_t Size, __hot_cold_t) {
  return ::operator new[](Size);
}
#elif defined(HINT_NEW_ARRAY_NOTHROW)
void *operator new[](std::size_t Size, const std::nothrow_t &Nothrow,
                     __hot_cold_t) noexcept {
  return ::operator new[](Size, Nothrow);
}
#elif defined(HINT_NEW_ARRAY_ALIGNED)
void *operator new[](std::size_t Size, std::align_val_t Alignment,
                     __hot_cold_t) {
  return ::operator new[](Size, Alignment);
}
#elif defined(HINT_NEW_ARRAY_ALIGNED_NOTHROW)
void *operator new[](std::size_t Size, std::align_val_t Alignment,
                     const std::nothrow_t &Nothrow, __hot_cold_t) noexcept {
  return ::operator new[](Size, Alignment, Nothrow);
}
#elif defined(HINT_SIZE_RETURNING_NEW)
__sized_ptr_t __size_returning_new_hot_cold(std::size_t Size, __hot_cold_t) {
  return __size_returning_new(Size);
}
#elif defined(HINT_SIZE_RETURNING_NEW_ALIGNED)
__sized_ptr_t __size_returning_new_aligned_hot_cold(std::size_t Size,
                                                    std::align_val_t Alignment,
                                                    __hot_cold_t) {
  return __size_returning_new_aligned(Size, Alignment);
}
#else
#error "no form is chosen"
#endif
