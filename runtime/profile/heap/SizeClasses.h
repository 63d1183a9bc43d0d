//===- profile/heap/SizeClasses.h - Sizes of blocks -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks come in fixed sizes: steps of 32 bytes up to 256, then four steps to
// each power of two. A block holds the 32-byte header and the allocation. These
// are the sizes that LLVM's runtime uses, so that allocations have the same
// place in their 64-byte granules and counts can be compared.
//
// Invariant: every size is a multiple of 32, and from 256 on of 64. Waste is at
// most a quarter of a block beyond 256 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_SIZECLASSES_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_SIZECLASSES_H

#include "platform/Base.h"

namespace thermocline::runtime::sizeclass {

constexpr size_t SmallStep = 32;
constexpr size_t SmallMax = 256;
constexpr size_t Max = 128 * 1024;
constexpr unsigned NumSmall = SmallMax / SmallStep;
constexpr unsigned StepsPerDoubling = 4;
constexpr unsigned Count = NumSmall + StepsPerDoubling * 9;

/// The size of the blocks of class \p Class, below Count.
constexpr size_t blockBytes(unsigned Class) {
  if (Class < NumSmall)
    return (Class + 1) * SmallStep;
  unsigned Doubling = (Class - NumSmall) / StepsPerDoubling;
  unsigned Step = (Class - NumSmall) % StepsPerDoubling + 1;
  return (SmallMax << Doubling) +
         Step * ((SmallMax / StepsPerDoubling) << Doubling);
}

/// The class of the smallest blocks of at least \p Size bytes, 1 to Max.
constexpr unsigned classOf(size_t Size) {
  if (Size <= SmallMax)
    return static_cast<unsigned>((Size + SmallStep - 1) / SmallStep) - 1;
  unsigned Log = 63 - static_cast<unsigned>(__builtin_clzl(Size - 1));
  unsigned Doubling = Log - 8;
  size_t Over = Size - (size_t(1) << Log);
  size_t Step = size_t(1) << (Log - 2);
  return NumSmall + Doubling * StepsPerDoubling +
         static_cast<unsigned>((Over + Step - 1) / Step) - 1;
}

/// Threads keep free blocks of the classes below this one for themselves.
constexpr size_t MaxCached = 16 * 1024;
constexpr unsigned NumCached = classOf(MaxCached) + 1;
static_assert(blockBytes(NumCached - 1) == MaxCached);

static_assert(blockBytes(Count - 1) == Max && classOf(Max) == Count - 1);

} // namespace thermocline::runtime::sizeclass

#endif
