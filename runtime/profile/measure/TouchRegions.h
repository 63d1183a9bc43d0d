//===- profile/measure/TouchRegions.h - What lies near touched ones -*- C++ -*//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is allocated together is often touched together: whole stretches of the
// heap are idle, though in others the same contexts are busy. Idle units there
// share no page with busy ones, so a hint would gain nothing. So a scan, which
// goes over the units of a size class by their addresses, cuts them into
// regions of a page or more, and finds out how many units of each context lie
// near touched ones, and how many lie far from all of them.
//
// A region in which something is touched is near. A scan sees only some of many
// units, and may miss those that are touched. So it is also asked how many of
// the other units of its region are touched, on average, for a touched unit and
// for the units of the context: if the second is half of the first, half of the
// context's units lie near touched ones. The larger of both answers counts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHREGIONS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHREGIONS_H

#include "TouchTable.h"

namespace thermocline::runtime {

/// One scan after another, class by class.
class TouchRegions {
public:
  /// A region has this many units at least, and spans a page of objects.
  static constexpr unsigned LeastUnits = 32;
  static constexpr unsigned MostUnits = 256;
  static constexpr uint64_t PartOne = 4096;
  /// So many touched neighbors of touched units have to be seen in a size class
  /// before they say how units lie; else they are taken to be mixed at random.
  /// So where nothing is touched, nothing is far: size classes part what is
  /// there from all that is touched, and that is not to be counted twice.
  static constexpr uint64_t LeastMates = 8;

  /// Adds a unit of \p Size bytes at \p Address, which counts as \p Weight.
  void add(TouchTable &Table, TouchState State, uint32_t Weight,
           uintptr_t Address, size_t Size);
  /// Ends a size class: adds to each table how many of its units are far, in
  /// the window number \p Window, and if it \p HasBurst, in that.
  void end(unsigned Window, bool HasBurst);

private:
  struct Unit {
    TouchTable *Table = nullptr;
    uint32_t Weight = 0;
    TouchState State;
  };
  /// Sums over all units of the class.
  struct Sums {
    /// The weight of touched units, and the parts of the others of their
    /// regions that were touched, in 1/PartOne, with and without weights.
    uint64_t Touched = 0;
    uint64_t Mates = 0;
    uint64_t MatesSeen = 0;
  };

  void closeRegion();
  void closePart(bool TouchState::*Is, TouchNeighbors::Part TouchNeighbors::*Of,
                 Sums &All);
  static uint64_t near(const TouchNeighbors &N, const TouchNeighbors::Part &P,
                       const Sums &All);

  Unit Units[MostUnits] = {};
  unsigned NumUnits = 0;
  uintptr_t Begin = 0;
  Sums Window, Burst;
  TouchTable *Seen = nullptr;
};

} // namespace thermocline::runtime

#endif
