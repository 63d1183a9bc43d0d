//===- alloc/hints/New.cpp - operator new with a hint, fallback -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each form calls the plain operator of the same form, so that a program's own
// operator new, its new handler and std::bad_alloc work as they did.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"

void *operator new(std::size_t Size, __hot_cold_t) {
  return ::operator new(Size);
}

void *operator new(std::size_t Size, const std::nothrow_t &Nothrow,
                   __hot_cold_t) noexcept {
  return ::operator new(Size, Nothrow);
}

void *operator new(std::size_t Size, std::align_val_t Alignment, __hot_cold_t) {
  return ::operator new(Size, Alignment);
}

void *operator new(std::size_t Size, std::align_val_t Alignment,
                   const std::nothrow_t &Nothrow, __hot_cold_t) noexcept {
  return ::operator new(Size, Alignment, Nothrow);
}

void *operator new[](std::size_t Size, __hot_cold_t) {
  return ::operator new[](Size);
}

void *operator new[](std::size_t Size, const std::nothrow_t &Nothrow,
                     __hot_cold_t) noexcept {
  return ::operator new[](Size, Nothrow);
}

void *operator new[](std::size_t Size, std::align_val_t Alignment,
                     __hot_cold_t) {
  return ::operator new[](Size, Alignment);
}

void *operator new[](std::size_t Size, std::align_val_t Alignment,
                     const std::nothrow_t &Nothrow, __hot_cold_t) noexcept {
  return ::operator new[](Size, Alignment, Nothrow);
}
