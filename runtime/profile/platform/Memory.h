//===- platform/Memory.h - Copies and fills without libc --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime defines memcpy and the like for the program, to count what they
// access. The functions here, and those of arch/Processor.h, copy and fill
// without counting.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_MEMORY_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_MEMORY_H

#include "Base.h"
#include "arch/Processor.h"

namespace thermocline::runtime {

using arch::copyBytes;
using arch::fillBytes;

/// The ranges may overlap.
inline void moveBytes(void *To, const void *From, size_t Size) {
  auto ToAddress = reinterpret_cast<uintptr_t>(To);
  auto FromAddress = reinterpret_cast<uintptr_t>(From);
  if (ToAddress - FromAddress >= Size) {
    copyBytes(To, From, Size);
    return;
  }
  // Backwards, eight bytes at a time from the end.
  auto *T = static_cast<char *>(To);
  auto *F = static_cast<const char *>(From);
  while (Size >= 8) {
    Size -= 8;
    uint64_t Word;
    __builtin_memcpy(&Word, F + Size, 8);
    __builtin_memcpy(T + Size, &Word, 8);
  }
  while (Size) {
    --Size;
    *static_cast<volatile char *>(T + Size) = F[Size];
  }
}

} // namespace thermocline::runtime

#endif
