//===- Format/Counters.h - How accesses are counted -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instrumented code and the profiling runtime must agree on. The mapping
// is that of LLVM's MemProf, so that objects of clang's -fmemory-profile and
// ours link together, with either runtime.
//
// Freestanding, as all of Format: the runtime includes it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_COUNTERS_H
#define THERMOCLINE_FORMAT_COUNTERS_H

#include <stdint.h>

namespace thermocline::format {

/// A counter of 8 bytes counts the accesses to so many bytes of memory, a
/// granule: counter = ((address & ~63) >> 3) + base.
constexpr uint64_t GranuleBytes = 64;
constexpr unsigned ShadowScale = 3;

/// In a program compiled for histograms, a counter of 1 byte counts those to so
/// many bytes: counter = (address >> 3) + base. It stays at its greatest value.
constexpr uint64_t HistogramGranuleBytes = 8;
constexpr uint64_t HistogramMaxCount = 255;

static_assert(GranuleBytes >> ShadowScale == sizeof(uint64_t) &&
              HistogramGranuleBytes >> ShadowScale == sizeof(uint8_t));

/// Code for sampling asks this bit of each address. If it is clear, the memory
/// may be of a sampled allocation, and the counter counts: the runtime places
/// all allocations that it records so, whatever the program was built for, as
/// a library with such code may be loaded later. The bit is set in all other
/// memory that programs get from Linux on AMD64 but for images that are not
/// position independent; nothing is done there. (Unsampled allocations come
/// from libc's own allocator, as their layout in caches matters more than what
/// counting costs.)
constexpr unsigned UnsampledAddressBit = 46;

/// The most allocations that one which is recorded may stand for.
constexpr uint64_t MaxSampleInterval = 65535;

} // namespace thermocline::format

#endif
