//===- alloc/heap/Alignment.h - Alignments as glibc takes them --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ALIGNMENT_H
#define THERMOCLINE_ALLOC_ALIGNMENT_H

#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// Rounds up to a power of two as glibc does. \returns 0 if there is none.
inline size_t roundAlignment(size_t Alignment) {
  if (Alignment > SIZE_MAX / 2 + 1)
    return 0;
  size_t Rounded = sizeof(void *);
  while (Rounded < Alignment)
    Rounded *= 2;
  return Rounded;
}

} // namespace thermocline::alloc

#endif
