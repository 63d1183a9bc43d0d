//===- heap/Sampler.h - Beside what profiles the process --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process is profiled as it is, and keeps its heaps: each new object is
// offered to a sampler, which takes few of them
// (thermocline/Format/Live/ProfilerFunctions.h).
//
// Problem: the short paths of malloc, free and the hinted functions know
// nothing of it, and must not have an instruction more. So the ordinary
// jemalloc is told that each malloc is to take the long path
// (jemalloc/LongPath.c); no hinted call finds a record of its thread, by which
// it would be served at once (ColdThread.h); and the range of cold objects lies
// above all that is the sampler's, which free therefore meets where it looks
// for objects below it.
//
// Cost: what the long path takes, and the sampler.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_SAMPLER_H
#define THERMOCLINE_ALLOC_SAMPLER_H

#include "ColdRange.h"
#include "Export.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The sampler's functions. Null where there is none, and then for good, once
/// it is known who serves the process.
extern const format::SamplerFunctions *Sampler THERMOCLINE_HIDDEN;

/// Whether the object is one that the sampler has taken.
inline bool isSampled(const void *Pointer) {
  const auto Address = reinterpret_cast<uintptr_t>(Pointer);
  return Sampler != nullptr &&
         Address - Sampler->Begin < Sampler->End - Sampler->Begin;
}

/// Whether the object is cold, or stands for one that would be.
inline bool countsAsCold(const void *Pointer) {
  return isCold(Pointer) ||
         (isSampled(Pointer) && isCold(Sampler->OwnOf(Pointer)));
}

/// Offers what was just allocated, if there is a sampler; Own may be null.
/// \returns where it is now, which may be without zeros.
inline void *offer(void *Own, size_t SizeBytes, size_t Alignment) {
  return Sampler != nullptr && Own != nullptr
             ? Sampler->Offer(Own, SizeBytes, Alignment)
             : Own;
}

/// An object that the sampler allocates itself. Null if it is not one of these,
/// or there is no memory.
inline void *allocateSampled(size_t SizeBytes, size_t Alignment, bool OfZeros) {
  return Sampler != nullptr && SizeBytes > Sampler->MostOffered
             ? Sampler->Allocate(SizeBytes, Alignment, OfZeros)
             : nullptr;
}

/// What the sampler is given. Malloc.cpp defines it.
extern const format::AllocatorFunctions FunctionsForSampler THERMOCLINE_HIDDEN;

} // namespace thermocline::alloc

#endif
