//===- profile/measure/TouchWindows.h - When memory is touched --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Totals do not tell what shares pages. So the run is cut into windows of
// processor time. At the end of each, a scan over all live units asks whether
// their access counters have changed since the last one. A unit is an object,
// or, of an object of a page or more, each page of it.
//
// What is used now and then is touched in each long window, like what is used
// all the time. So a window ends with a burst, which is always short: a scan at
// its beginning notes what was touched up to then, so that the one at its end
// tells what was touched in between.
//
// Nobody knows how long a run will be. The first windows are short; when all
// places are taken, two windows become one, and later ones are twice as long.
// A unit remembers in which windows it was touched, as a set of bits. So a
// table can also count units touched in two windows, in four, and so on, where
// such a group ends. When windows double, the counts of pairs take the place of
// those of single windows, and what is counted is the same as if windows had
// been that long from the beginning.
//
// A unit that ends between two scans is not seen by the second. Of many that
// live shortly, each scan sees those of the moment, which is what takes memory.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHWINDOWS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHWINDOWS_H

#include "platform/Base.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// What the scans have seen of the objects of one context, or of the pages of
/// its large ones. All zeros is empty.
struct TouchTable {
  static constexpr unsigned MaxWindows = format::MaxTouchWindows;
  /// Groups of 1, 2, 4, ... windows, up to all.
  static constexpr unsigned NumGroupSizes =
      __builtin_ctz(format::MaxTouchWindows) + 1;
  static constexpr unsigned NumGroups = 2 * MaxWindows - 1;

  /// Units that lived at the end of each window, and their bytes.
  uint32_t Live[MaxWindows];
  uint64_t LiveBytes[MaxWindows];
  /// Of those, how many were touched in the burst that the window ended with.
  uint32_t InBurst[MaxWindows];
  /// Of those that lived at the end of a group of windows, how many were
  /// touched in it: first all groups of one window, then of two, ...
  uint32_t Touched[NumGroups];
  /// Of all that lived at the end of a window, summed over windows: granules,
  /// and those that were accessed since the unit was allocated.
  uint64_t Granules;
  uint64_t TouchedGranules;

  /// \returns the place in Touched of a group of windows.
  static constexpr unsigned groupIndex(unsigned SizeLog2, unsigned Number) {
    return 2 * MaxWindows - (2 * MaxWindows >> SizeLog2) + Number;
  }
};
static_assert(isPowerOfTwo(TouchTable::MaxWindows));

/// In which windows a unit was touched, a bit each, and by what is told that it
/// was touched again. All zeros is that of a unit that was just allocated. Only
/// one scan at a time changes it, while the owner may begin it anew.
struct TouchMark {
  Atomic<uint32_t> Windows;
  /// A hash of what the sum of its counters was. It may stay the same by
  /// chance, once in 65,536 windows in which the unit was touched.
  Atomic<uint16_t> Digest;
  /// The owner changes it, so that another unit at the same place can be told
  /// apart.
  Atomic<uint16_t> Sequence;

  void clear() {
    Windows.storeRelaxed(0);
    Digest.storeRelaxed(0);
  }
};

/// What a scan reads of the counters of a unit.
struct UnitCounters {
  uint64_t Sum = 0;
  uint32_t Granules = 0;
  uint32_t TouchedGranules = 0;
};

/// The windows of a run up to now. For one thread at a time.
class TouchWindows {
public:
  static constexpr unsigned MaxWindows = TouchTable::MaxWindows;
  /// How long the first window takes, in processor time.
  static constexpr uint64_t FirstLengthUs = 5000;
  /// How long a burst is to take.
  static constexpr uint64_t BurstTargetUs = 5000;

  struct Window {
    uint64_t LengthUs;
    /// How long the burst at its end took; 0 if there was none. It may be the
    /// whole window.
    uint64_t BurstUs;
  };

  /// \returns how many windows have ended.
  unsigned size() const { return Size; }
  const Window &operator[](unsigned Number) const { return Windows[Number]; }
  /// \returns how long the next window is to take.
  uint64_t targetUs() const { return TargetUs; }

  /// Forgets all. The next scan must be one of beginBaseline().
  void restart() {
    Size = 0;
    TargetUs = FirstLengthUs;
    NeedsBaseline = true;
  }
  bool needsBaseline() const { return NeedsBaseline; }

  /// A scan is one of these, then visit() of each unit, then endScan(). This
  /// one only finds out what counters are:
  void beginBaseline();
  /// One with which the burst of the present window begins:
  void beginBurst();
  /// One with which the window ends. \p CostUs is what the scans of a window
  /// take: windows become longer where that is more than this part of them.
  static constexpr uint64_t CostPart = 16;
  /// Windows do not become longer for this reason while there are fewer than
  /// these.
  static constexpr unsigned FewWindows = 8;
  void endWindow(const Window &Ended, uint64_t CostUs);

  /// Whether the scan counts into tables.
  bool counts() const { return Kind == WindowEnd || Kind == Pairing; }
  /// Notes whether the unit of \p Mark was touched, and counts it in \p Table,
  /// which is not used unless counts(), as \p Weight units of \p Bytes each.
  void visit(TouchMark &Mark, TouchTable *Table, const UnitCounters &Counters,
             uint64_t Bytes, uint32_t Weight) const;
  /// Ends the scan. If isPaired() then, each table is to be paired as well.
  void endScan();
  bool isPaired() const { return Kind == Pairing; }
  /// Makes of each two windows one.
  static void pair(TouchTable &Table);

private:
  /// What visit() does where counts(). \returns in which windows the unit was
  /// touched, which were \p Set.
  uint32_t count(uint32_t Set, bool IsChanged, TouchTable &Table,
                 const UnitCounters &Counters, uint64_t Bytes,
                 uint32_t Weight) const;

  enum ScanKind { Baseline, BurstBegin, WindowEnd, Pairing };

  unsigned Size = 0;
  bool NeedsBaseline = false;
  /// Of the present scan, or the last one.
  ScanKind Kind = Baseline;
  uint64_t TargetUs = FirstLengthUs;
  Window Windows[MaxWindows] = {};
};

} // namespace thermocline::runtime

#endif
