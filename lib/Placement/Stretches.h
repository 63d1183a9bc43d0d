//===- Placement/Stretches.h - When contexts allocate -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A heap that grows puts what is allocated later on pages of its own. So the
// objects of two contexts share pages only as far as they were allocated in the
// same stretch of the run. When that was is told by the windows in which a
// context's live bytes first exceeded what they had been before.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLACEMENT_STRETCHES_H
#define THERMOCLINE_LIB_PLACEMENT_STRETCHES_H

#include "thermocline/Profile/TouchGrid.h"
#include <array>
#include <cstddef>
#include <vector>

namespace thermocline::placement {

/// In each of them about as many bytes are allocated, unless more are in one
/// bin.
constexpr size_t NumStretches = 32;

/// The part of a context's small objects that was allocated in each stretch.
/// The sum is 1.
using StretchParts = std::array<double, NumStretches>;

/// \returns that of each context of \p Touches. A context of which at some time
/// less than half lives of what had lived before may be anywhere: it is spread
/// as all are together.
std::vector<StretchParts> stretchesOf(const profile::GridTouches &Touches);

} // namespace thermocline::placement

#endif
