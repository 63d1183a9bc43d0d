//===- Indexed/RandomHotness.h - Contexts that are cold by chance -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profdata's --memprof-random-hotness. A program that is built with such a
// profile pays for hints, clones and two heaps as with a real one, and gains
// nothing by them but by chance. So it tells what the hints cost by themselves.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_RANDOMHOTNESS_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_RANDOMHOTNESS_H

#include "thermocline/Profile/HeapProfile.h"

namespace thermocline::profile {

/// Gives each context of \p Heap measures by which it is cold, with a
/// probability of one half, or not cold, by all rules of totals, LLVM's and
/// Thermocline's. \p Seed and the context's full stack id alone decide. When
/// memory was touched is forgotten, as that would decide otherwise.
void randomizeHotness(HeapProfile &Heap, uint64_t Seed);

} // namespace thermocline::profile

#endif
