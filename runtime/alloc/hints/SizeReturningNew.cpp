//===- alloc/hints/SizeReturningNew.cpp - Size-returning new, fallback -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only a program whose allocator already defines __size_returning_new calls
// these, so they need no definition of it here.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"

__sized_ptr_t __size_returning_new_hot_cold(std::size_t Size, __hot_cold_t) {
  return __size_returning_new(Size);
}

__sized_ptr_t __size_returning_new_aligned_hot_cold(std::size_t Size,
                                                    std::align_val_t Alignment,
                                                    __hot_cold_t) {
  return __size_returning_new_aligned(Size, Alignment);
}
