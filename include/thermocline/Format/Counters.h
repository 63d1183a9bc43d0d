//===- Format/Counters.h - How accesses are counted -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What instrumented code and the profiling runtime must agree on. The mapping
// is that of LLVM's MemProf, so that objects compiled with clang's
// -fmemory-profile and with Thermocline link together, with either runtime.
//
// This header is freestanding, like all of Format, because the runtime includes
// it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_COUNTERS_H
#define THERMOCLINE_FORMAT_COUNTERS_H

#include <stdint.h>

namespace thermocline::format {

/// The size of a granule: the memory whose accesses one counter of 8 bytes
/// counts. counter = ((address & ~63) >> 3) + base.
constexpr uint64_t GranuleBytes = 64;
constexpr unsigned ShadowScale = 3;

/// The granule of a program compiled for histograms, whose counters have 1
/// byte: counter = (address >> 3) + base. A counter stays at its greatest
/// value.
constexpr uint64_t HistogramGranuleBytes = 8;
constexpr uint64_t HistogramMaxCount = 255;

static_assert(GranuleBytes >> ShadowScale == sizeof(uint64_t) &&
              HistogramGranuleBytes >> ShadowScale == sizeof(uint8_t));

/// The most allocations that one recorded allocation may stand for.
constexpr uint64_t MaxSampleInterval = 65535;
/// The most that looks at watched objects may be allowed to cost, in
/// thousandths of the program's processor time.
constexpr uint64_t MaxTouchCost = 500;

} // namespace thermocline::format

#endif
