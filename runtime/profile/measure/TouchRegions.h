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
// What was born in the window is touched, of course, and is no reason why
// others are near. But it matters how it lies: side by side, as where a heap
// grows, or in holes among others, of the same context or not. So of some units
// that were born it is asked what else lies on a page with them. Each of the
// others counts for as many as the asked one stands for, divided by the units
// of its page that were born.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHREGIONS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHREGIONS_H

#include "TouchTable.h"
#include "platform/Base.h"

namespace thermocline::runtime {

/// One scan after another, class by class.
class TouchRegions {
public:
  /// A region has this many units at least, and spans a page of objects.
  static constexpr unsigned LeastUnits = 32;
  /// It has no more than fit into a page.
  static constexpr unsigned LeastUnitBytes = 16;
  static constexpr unsigned MostUnits = MostPageBytes / LeastUnitBytes;
  static constexpr uint64_t PartOne = 4096;
  /// So many touched neighbors of touched units have to be seen in a size class
  /// before they say how units lie; else they are taken to be mixed at random.
  /// So where nothing is touched, nothing is far: size classes part what is
  /// there from all that is touched, and that is not to be counted twice.
  static constexpr uint64_t LeastMates = 8;

  /// So many units that were born are asked about before each next one stands
  /// for twice as many.
  static constexpr unsigned AskedPerStep = 16;
  /// Notes another unit that was born in the window, or in the burst, and
  /// counts as \p Weight. \returns for how many that were born the page of this
  /// one is to be asked about; 0 if it is not.
  double asksAboutWindow(uint32_t Weight) { return asks(BornInWindow, Weight); }
  double asksAboutBurst(uint32_t Weight) { return asks(BornInBurst, Weight); }
  /// Adds another unit of that page that was not born then, for \p Births of
  /// those that were.
  void addAmongInWindow(TouchTable &Table, double Births) {
    listed(Table).InWindow.Among += Births;
  }
  void addAmongInBurst(TouchTable &Table, double Births) {
    listed(Table).InBurst.Among += Births;
  }

  /// Adds a unit of \p Size bytes at \p Address, which counts as \p Weight.
  void add(TouchTable &Table, TouchState State, uint32_t Weight,
           uintptr_t Address, size_t Size);
  /// Where few of many units are seen, one after another, so many make a
  /// region, and so many touched neighbors say how units lie.
  static constexpr unsigned FewUnits = 8;
  static constexpr uint64_t LeastMatesOfFew = 4;
  void addOneOfFew(TouchTable &Table, TouchState State, uint32_t Weight);
  /// Ends a size class: adds to each table how many of its units are far, and
  /// how many are among those that were born, in the window number \p Window,
  /// and if it \p HasBurst, in that.
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
  /// Units of the class that were born, and how many of them are asked about:
  /// fewer, the more there are.
  struct Births {
    uint64_t Left = 0;
    uint64_t Step = 1;
    unsigned AskedAtStep = 0;
    /// The weights of all, and what those that were asked about stand for.
    uint64_t All = 0;
    double Asked = 0;
  };

  void closeRegion();
  void closePart(bool TouchState::*Is,
                 TouchNeighbors::Part TouchNeighbors::*Member, Sums &All);
  uint64_t near(const TouchNeighbors &N, const TouchNeighbors::Part &P,
                const Sums &All) const;
  static uint64_t amongBorn(const TouchNeighbors &N,
                            const TouchNeighbors::Part &P, const Births &B);
  static double asks(Births &B, uint32_t Weight);
  /// What is known of the class's units of a context, which is in the list.
  TouchNeighbors &listed(TouchTable &Table);

  Unit Units[MostUnits] = {};
  unsigned NumUnits = 0;
  uintptr_t Begin = 0;
  /// Whether the class has what addOneOfFew() added.
  bool HasFew = false;
  Sums Window, Burst;
  Births BornInWindow, BornInBurst;
  TouchTable *Seen = nullptr;
};

} // namespace thermocline::runtime

#endif
