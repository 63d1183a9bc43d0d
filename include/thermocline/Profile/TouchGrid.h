//===- Profile/TouchGrid.h - Windows of several runs as one -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs differ in length and number of windows. So that they can be added, the
// windows of each are laid over a grid: each phase of a run has BinsPerPhase
// bins, which are equal shares of the processor time that the run spent in it.
// A bin takes the mean, weighted by time, of the windows that it overlaps. What
// was touched in two windows is not joined in this: a bin says what is touched
// in *one window* of that part of the run. How long windows were is known by
// phase.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_TOUCHGRID_H
#define THERMOCLINE_PROFILE_TOUCHGRID_H

#include "thermocline/Profile/TouchWindows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

constexpr size_t BinsPerPhase = 32;

/// A phase of all runs that had it. Times are in microseconds of processor
/// time, summed over its windows.
struct TouchPhase {
  /// What the program called it; nothing if it named none.
  std::string Name;
  uint64_t Runs = 0;
  uint64_t Windows = 0;
  uint64_t WindowUs = 0;
  /// Windows that ended with a burst, and how long the bursts took.
  uint64_t Bursts = 0;
  uint64_t BurstUs = 0;

  bool operator==(const TouchPhase &) const = default;
};

/// The phases of all runs, in the order of their names. Bin number I of phase
/// number P is window number P * BinsPerPhase + I of each context.
struct TouchGrid {
  std::vector<TouchPhase> Phases;

  bool empty() const { return Phases.empty(); }
  size_t numBins() const { return Phases.size() * BinsPerPhase; }
  bool operator==(const TouchGrid &) const = default;
};

/// A grid, and for each context, in an order of the caller's, its touches by
/// bin. Numbers of several runs are summed.
struct GridTouches {
  TouchGrid Grid;
  std::vector<ContextTouches> Contexts;
};

} // namespace thermocline::profile

#endif
