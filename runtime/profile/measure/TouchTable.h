//===- profile/measure/TouchTable.h - What scans have seen ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What scans at the ends of windows (TouchWindows.h) have seen of one context.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHTABLE_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHTABLE_H

#include "platform/Base.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// Whether a unit was touched in the window that a scan ends, and in its burst,
/// other than since it was born in them, and whether it was.
struct TouchState {
  bool InWindow = false;
  bool InBurst = false;
  bool BornInWindow = false;
  bool BornInBurst = false;
};

struct TouchTable;

/// The units of one context in the size class that is being scanned
/// (TouchRegions.h). All zeros is empty.
struct TouchNeighbors {
  struct Part {
    /// Units in regions in which some were touched.
    uint64_t Near;
    /// For each unit, the part of the other units of its region that were
    /// touched; summed, in 1/PartOne.
    uint64_t Mates;
    /// Units that were born.
    uint64_t Born;
    /// Others that were seen on pages with units that were born, of any
    /// context, and count for as many as these stand for.
    double Among;
  };
  /// All of them.
  uint64_t Units;
  /// Whether it is in the list of those of the size class.
  bool IsListed;
  Part InWindow, InBurst;
  /// The next context of the size class.
  TouchTable *Next;
};

/// \returns how many groups of windows end with the one that comes after \p
/// Number others of its phase: for each bit of that number there is one that is
/// longer than the one before.
constexpr unsigned numTouchGroups(unsigned Number) {
  return static_cast<unsigned>(__builtin_popcount(Number)) + 1;
}

/// What the scans have seen of the objects of one context, or of the pages of
/// its large ones. All zeros is empty.
struct TouchTable {
  static constexpr unsigned MaxWindows = format::MaxTouchWindows;
  /// With all windows in one phase there are the most groups: as each bit is
  /// set in half of all numbers.
  static constexpr unsigned MaxGroups =
      MaxWindows * (2 + __builtin_ctz(MaxWindows)) / 2;
  static_assert(isPowerOfTwo(MaxWindows));

  /// Units that lived at the end of each window, and their bytes.
  uint32_t Live[MaxWindows];
  uint64_t LiveBytes[MaxWindows];
  /// How many of those were touched in the burst that the window ended with.
  uint32_t InBurst[MaxWindows];
  /// How many of them lay where nothing was touched in the window, and in its
  /// burst, as TouchRegions.h finds out.
  uint32_t Far[MaxWindows];
  uint32_t FarInBurst[MaxWindows];
  /// How many units that lived at the end of a window were touched in each of
  /// the groups that end with it, the window itself first. Where the groups of
  /// a window begin is known to TouchWindows.
  uint32_t Touched[MaxGroups];
  /// How many of those were born in the group. And how many of those touched in
  /// the burst were born in it.
  uint32_t Born[MaxGroups];
  uint32_t BornInBurst[MaxWindows];
  /// How many others lay on pages with those that were born, as TouchRegions.h
  /// finds out.
  uint32_t AmongBorn[MaxWindows];
  uint32_t AmongBornInBurst[MaxWindows];
  /// The granules of all units that lived when a window ended, and those that
  /// were accessed since the unit was allocated; summed over such scans.
  uint64_t Granules;
  uint64_t TouchedGranules;
  /// The sum of w (w - 1) over the units that are watched, of which each stands
  /// for w, and over all scans.
  uint64_t Variance;
  /// What TouchRegions knows of the size class that is being scanned.
  TouchNeighbors Neighbors;
};

} // namespace thermocline::runtime

#endif
