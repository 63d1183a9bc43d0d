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
// table can also count the units that were touched in the last two windows, or
// the last four: in each group that may become one window. When it does, its
// count takes the place of those of single windows, and what is counted is the
// same as if windows had been that long from the beginning.
//
// The program may name phases. Each window is of one phase, which has groups of
// its own: the windows of other phases in between are no part of them. The
// phase with the most windows gives places to others. The time in no phase is a
// phase like others.
//
// Whoever allocates a unit writes to it, so the window of its birth touches it.
// That is counted apart, as units that are born together mostly lie together.
// The first window that touched a unit is that of its birth, unless a scan
// found it untouched before.
//
// A unit that ends between two scans is not seen by the second. Of many that
// live shortly, each scan sees those of the moment, which is what takes memory.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHWINDOWS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHWINDOWS_H

#include "TouchTable.h"

namespace thermocline::runtime {

/// In which windows a unit was touched, a bit each, and by what is told that it
/// was touched again. All zeros is that of a unit that was just allocated. Only
/// one scan at a time changes it, while the owner may begin it anew.
struct TouchMark {
  Atomic<uint32_t> Windows;
  /// A hash of what the sum of its counters was, without its lowest bit. It may
  /// stay the same by chance, once in 32,768 windows in which the unit was
  /// touched. The lowest bit is IsOld.
  Atomic<uint16_t> Digest;
  /// Whether the unit was there before the first of Windows.
  static constexpr uint16_t IsOld = 1;
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
  static constexpr unsigned MaxPhases = format::MaxTouchPhases;
  /// So that one of them has two windows when all places are taken.
  static_assert(MaxPhases < MaxWindows);
  /// How long the first window of a phase takes, in processor time.
  static constexpr uint64_t FirstLengthUs = 5000;
  /// How long a burst is to take.
  static constexpr uint64_t BurstTargetUs = 5000;
  /// What takes less is no window of its own.
  static constexpr uint64_t LeastUs = 2500;

  struct Window {
    uint64_t LengthUs;
    /// How long the burst at its end took; 0 if there was none. It may be the
    /// whole window.
    uint64_t BurstUs;
    unsigned Phase;
  };

  /// \returns how many windows have ended.
  unsigned size() const { return Size; }
  const Window &operator[](unsigned Number) const { return Windows[Number]; }
  /// \returns how many windows of \p Phase have ended.
  unsigned numOf(unsigned Phase) const { return Phases[Phase].NumWindows; }
  /// \returns how long the next window of \p Phase is to take; begin() was
  /// called.
  uint64_t targetUs(unsigned Phase) const { return Phases[Phase].TargetUs; }
  /// \returns how much of that it has: the last window of the phase, if that
  /// was cut off by another phase in its first half, goes on; else 0.
  uint64_t continuedUs(unsigned Phase) const {
    return continuesWith(Phase, LeastUs) ? Windows[Phases[Phase].Last].LengthUs
                                         : 0;
  }
  /// Whether the last window of \p Phase goes on with what took \p PieceUs.
  bool continuesWith(unsigned Phase, uint64_t PieceUs) const;

  /// Forgets all. The next scan must be one of beginBaseline().
  void restart();
  bool needsBaseline() const { return NeedsBaseline; }
  /// The program is in \p Phase.
  void begin(unsigned Phase);

  /// A scan is one of these, then visit() of each unit, then endScan(). This
  /// one only finds out what counters are:
  void beginBaseline();
  /// One with which the burst of the next window of \p Phase begins:
  void beginBurst(unsigned Phase);
  /// One with which a window ends. \p Piece has what came after the last scan
  /// of this kind. If isContinued() then, each table must forget() the window
  /// first.
  void endWindow(const Window &Piece);
  bool isContinued() const { return Continues; }
  /// Which window that is, and whether it has a burst.
  unsigned present() const { return Present; }
  bool hasBurst() const { return HasBurst; }
  void forget(TouchTable &Table) const;

  /// Whether the scan counts into tables.
  bool counts() const { return Kind == WindowEnd; }
  /// If it does: notes whether the unit of \p Mark was touched, and counts it
  /// in \p Table as \p Weight units of \p Bytes each. \returns whether it was.
  TouchState count(TouchMark &Mark, TouchTable &Table,
                   const UnitCounters &Counters, uint64_t Bytes,
                   uint32_t Weight) const;
  /// If it does not: notes whether the unit of \p Mark, which has the sum of
  /// all counters \p Sum, was touched.
  void note(TouchMark &Mark, uint64_t Sum) const {
    if (Kind == Baseline)
      return join(Mark, Sum);
    const uint32_t Before = Mark.Windows.loadRelaxed();
    if (compare(Mark, Sum, Before).IsChanged)
      Mark.Windows.storeRelaxed(Before | uint32_t(1) << Present);
  }
  /// A unit that was there before and is visited for the first time, with the
  /// sum of all its counters \p Sum. It counts from the next scan on.
  void join(TouchMark &Mark, uint64_t Sum) const {
    Mark.Digest.storeRelaxed(digest(Sum) | TouchMark::IsOld);
    Mark.Windows.storeRelaxed(0);
  }
  /// Ends the scan. If isPaired() then, each table is to be paired as well.
  void endScan();
  bool isPaired() const { return Paired != NoPhase; }
  /// If they are, after endScan(): \returns which window the burst of \p Window
  /// was that of before.
  unsigned burstOf(unsigned Window) const { return Origins[Window].Window; }
  /// Makes one of each two windows of the phase.
  void pair(TouchTable &Table) const;

  /// \returns how many units of \p Table were touched in \p Window.
  uint32_t touched(const TouchTable &Table, unsigned Window) const {
    return Table.Touched[Slots[Window].FirstGroup];
  }
  /// \returns how many of those were born in it.
  uint32_t born(const TouchTable &Table, unsigned Window) const {
    return Table.Born[Slots[Window].FirstGroup];
  }

private:
  enum ScanKind : uint8_t { Baseline, BurstBegin, WindowEnd };
  static constexpr unsigned NoPhase = MaxPhases;

  struct PhaseState {
    unsigned NumWindows;
    /// The last of them, if there are any.
    unsigned Last;
    uint64_t TargetUs;
  };
  /// What is known of a window besides.
  struct Slot {
    /// How many of its phase come before it.
    unsigned Number;
    /// Where its groups begin in tables.
    unsigned FirstGroup;
  };
  /// What a window is made of when windows are paired.
  struct Origin {
    /// The window that gives its place in tables, and how many of its groups
    /// are left out.
    unsigned Window;
    unsigned SkippedGroups;
    /// In which windows a unit was touched if it was touched in this one.
    uint32_t Windows;
  };

  /// The digest of 0 is 0, as it is of a unit that was just allocated.
  static uint16_t digest(uint64_t Sum) {
    return static_cast<uint16_t>((Sum * 0x9E3779B97F4A7C15) >> 48) &
           static_cast<uint16_t>(~TouchMark::IsOld);
  }

  /// What a scan finds out of a unit.
  struct Comparison {
    bool IsChanged;
    bool IsOld;
  };
  /// Compares \p Mark, which says that the unit was touched in the windows
  /// \p Before, with the sum of all counters \p Sum, and keeps what it is now.
  static Comparison compare(TouchMark &Mark, uint64_t Sum, uint32_t Before) {
    const uint16_t Digest = digest(Sum), Known = Mark.Digest.loadRelaxed();
    Comparison Result;
    Result.IsChanged = ((Digest ^ Known) & ~TouchMark::IsOld) != 0;
    Result.IsOld = Known & TouchMark::IsOld || !(Result.IsChanged || Before);
    if (const uint16_t New = Digest | uint16_t(Result.IsOld); New != Known)
      Mark.Digest.storeRelaxed(New);
    return Result;
  }

  void findGroups();
  void planPairing();
  uint32_t farOfPair(const TouchTable &Table, const Origin &O) const;
  uint32_t amongBornOfPair(const TouchTable &Table, const Origin &O) const;
  void pairWindows();
  /// What the public count() does, for a unit that was touched in the windows
  /// \p Set, the present one included. \returns in which windows it was after
  /// they are paired.
  uint32_t count(uint32_t Set, uint32_t Birth, TouchState State,
                 TouchTable &Table, const UnitCounters &Counters,
                 uint64_t Bytes, uint32_t Weight) const;

  unsigned Size = 0;
  Window Windows[MaxWindows] = {};
  Slot Slots[MaxWindows] = {};
  PhaseState Phases[MaxPhases] = {{0, 0, FirstLengthUs}};
  bool NeedsBaseline = false;

  /// The present scan: its window, the groups that end with it, where they
  /// begin in tables, whether there is a burst, and the phase whose windows are
  /// paired.
  ScanKind Kind = Baseline;
  bool Continues = false;
  unsigned Paired = NoPhase;
  unsigned Present = 0;
  unsigned NumGroups = 0;
  unsigned GroupsBegin = 0;
  bool HasBurst = false;
  uint32_t Groups[numTouchGroups(MaxWindows - 1)] = {};

  /// If isPaired(), what the windows are made of: NumOrigins are left. After
  /// endScan(), where their groups were before.
  unsigned NumOrigins = 0;
  Origin Origins[MaxWindows] = {};
  unsigned OldFirstGroups[MaxWindows] = {};
};

//===-- For each unit of a scan -------------------------------------------===//

/// \p Weight or 0, without a branch, as no branch foretells what is touched.
inline uint32_t onlyIf(bool Is, uint32_t Weight) {
  return -uint32_t(Is) & Weight;
}

inline TouchState TouchWindows::count(TouchMark &Mark, TouchTable &Table,
                                      const UnitCounters &Counters,
                                      uint64_t Bytes, uint32_t Weight) const {
  const uint32_t Before = Mark.Windows.loadRelaxed();
  const Comparison Now = compare(Mark, Counters.Sum, Before);
  const uint32_t Bit = uint32_t(1) << Present;
  const uint32_t Set = Before | onlyIf(Now.IsChanged, Bit);
  // The first window that touched it; none if it was there before.
  const uint32_t Birth = Set & (0 - Set) & (uint32_t(Now.IsOld) - 1);
  // Without a scan at its beginning, the burst is all since the last window.
  const bool InBurst = Now.IsChanged & HasBurst;
  TouchState State;
  State.BornInWindow = (Birth & Bit) != 0;
  State.BornInBurst = InBurst & State.BornInWindow & !Before;
  State.InWindow = (Set & Bit) != 0 && !State.BornInWindow;
  State.InBurst = InBurst & !State.BornInBurst;
  const uint32_t After =
      count(Set, Birth, State, Table, Counters, Bytes, Weight);
  if (After != Before)
    Mark.Windows.storeRelaxed(After);
  return State;
}

inline uint32_t TouchWindows::count(uint32_t Set, uint32_t Birth,
                                    TouchState State, TouchTable &Table,
                                    const UnitCounters &Counters,
                                    uint64_t Bytes, uint32_t Weight) const {
  Table.Live[Present] += Weight;
  Table.LiveBytes[Present] += Bytes * Weight;
  Table.InBurst[Present] += onlyIf(State.InBurst | State.BornInBurst, Weight);
  Table.BornInBurst[Present] += onlyIf(State.BornInBurst, Weight);
  Table.Granules += uint64_t(Counters.Granules) * Weight;
  Table.TouchedGranules += uint64_t(Counters.TouchedGranules) * Weight;
  uint32_t *Touched = Table.Touched + GroupsBegin;
  uint32_t *Born = Table.Born + GroupsBegin;
  for (unsigned I = 0; I != NumGroups; ++I) {
    Touched[I] += onlyIf((Set & Groups[I]) != 0, Weight);
    Born[I] += onlyIf((Birth & Groups[I]) != 0, Weight);
  }
  if (!isPaired() || !Set)
    return Set;
  uint32_t Result = 0;
  for (unsigned I = 0; I != NumOrigins; ++I)
    Result |= uint32_t((Set & Origins[I].Windows) != 0) << I;
  return Result;
}

} // namespace thermocline::runtime

#endif
