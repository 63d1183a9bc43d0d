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
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace thermocline::profile {

constexpr size_t BinsPerPhase = 32;
/// A profile has no more.
constexpr size_t MaxGridPhases = 64;
/// Runs that have fewer windows in the mean are too short to tell when memory
/// is touched.
constexpr uint64_t LeastWindows = 2;
/// Runs with fewer windows, or shorter ones, may have missed what is to be
/// gained. A run of some hundred milliseconds has 16 windows at least.
constexpr uint64_t LeastWindowsForNoGain = 4;
constexpr uint64_t LeastUsForNoGain = 100'000;

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
  /// How many of Runs were watched by the page table, and so know nothing of
  /// the pages of larger objects.
  uint64_t WatchedRuns = 0;

  /// By what a sum over the pages of larger objects is to be multiplied, to be
  /// one of all runs. If no run knows any, there is nothing to multiply.
  double scaleOfPages() const {
    return WatchedRuns < Runs ? static_cast<double>(Runs) /
                                    static_cast<double>(Runs - WatchedRuns)
                              : 1;
  }
  bool operator==(const TouchPhase &) const = default;
};

/// The phases of all runs, in the order of their names. Bin number I of phase
/// number P is window number P * BinsPerPhase + I of each context.
struct TouchGrid {
  std::vector<TouchPhase> Phases;
  /// The size of pages for which touches were counted, in bytes: if runs had
  /// several, the largest.
  uint64_t PageBytes = UsualPageBytes;

  bool empty() const { return Phases.empty(); }
  size_t numBins() const { return Phases.size() * BinsPerPhase; }
  /// Whether runs had LeastWindows in the mean.
  bool isLongEnough() const;
  /// Whether runs that show no gain in \p Phase, or in all phases if that is
  /// empty, are long enough to say that there is none.
  bool isLongEnoughForNoGain(llvm::StringRef Phase) const;
  /// Whether the page table told of touches in any run.
  bool isWatched() const;
  /// Whether any window ended with a burst.
  bool hasBursts() const;
  bool operator==(const TouchGrid &) const = default;
};

/// The least and the greatest size of a context's allocations, in bytes. Both
/// are 0 if they are not known.
struct SizeRange {
  uint64_t Least = 0;
  uint64_t Most = 0;

  void add(const SizeRange &Other) {
    if (Other.Most == 0)
      return;
    Least = Most ? std::min(Least, Other.Least) : Other.Least;
    Most = std::max(Most, Other.Most);
  }
};

/// A grid, and for each context, in an order of the caller's, its touches by
/// bin. Numbers of several runs are summed. Granules are summed over bins, too,
/// and each run counts the same whatever the number of its windows.
struct GridTouches {
  TouchGrid Grid;
  std::vector<ContextTouches> Contexts;
  /// For each context the sizes of its allocations; empty if nobody asked.
  std::vector<SizeRange> Sizes = {};
  /// For each context whether nobody knows what accesses its objects, so that
  /// it must not be called cold; empty if all are known.
  std::vector<bool> AccessesUnknown = {};
};

/// The grid of one run.
class RunLayout {
public:
  /// \p IsWatched is whether the page table told of touches.
  /// \p PageBytes is the size of pages.
  explicit RunLayout(llvm::ArrayRef<RawWindow> Windows, bool IsWatched = false,
                     uint64_t PageBytes = UsualPageBytes);

  const TouchGrid &grid() const { return Grid; }
  /// Lays \p Touches, which are by windows of the run, over the grid. Numbers
  /// are rounded so that their sums over a phase stay: units that lived in a
  /// small part of each bin are counted in some of the bins. Where no window of
  /// a bin ended with a burst, those of the phase tell what part of the units
  /// one touches, or else the windows do, of which it can be no more.
  ContextTouches layOut(const ContextTouches &Touches) const;

private:
  /// The part of a window that lies in a bin.
  struct Overlap {
    size_t Window = 0;
    size_t Bin = 0;
    /// In units of which there are as many in each bin of the phase.
    uint64_t Time = 0;
  };
  UnitTouches layOut(const UnitTouches &Touches) const;

  TouchGrid Grid;
  size_t NumWindows;
  /// By window.
  std::vector<Overlap> Overlaps;
  std::vector<bool> HasBurst;
  /// By phase, the time of each of its bins.
  std::vector<uint64_t> BinTimes;
};

/// Touches of contexts that are known by ids, which ascend.
struct TouchesById {
  std::vector<uint64_t> Ids;
  GridTouches Touches;

  /// Adds what the profile says of the context \p Id, if it has touches: the
  /// sizes of its allocations, and whether their accesses are unknown.
  void addMeasures(uint64_t Id, const SizeRange &Sizes, bool AccessesUnknown);
};

/// Sums up touches by context. In which order they are added changes nothing.
class TouchSums {
public:
  /// For each phase of a grid, its place among those of all runs.
  using PhasePlaces = std::vector<size_t>;

private:
  struct UnitSums {
    /// By bin, in the order of Phases; may end early.
    std::vector<WindowTouches> Bins;
    uint64_t Granules = 0;
    uint64_t TouchedGranules = 0;
    uint64_t Estimated = 0;
    uint64_t Variance = 0;

    void add(const PhasePlaces &Places, const UnitTouches &Touches);
    bool raiseTo(llvm::ArrayRef<const UnitSums *> Parts);
    UnitTouches inOrder(llvm::ArrayRef<size_t> PhaseOrder) const;
  };

public:
  /// Adds the phases of \p Grid, which are of runs that were not added before.
  PhasePlaces addGrid(const TouchGrid &Grid);
  /// What is known of one context.
  class ContextSums {
    friend TouchSums;
    /// Units of one kind.
    using Kind = UnitSums ContextSums::*;
    UnitSums Objects;
    UnitSums Pages;
  };
  /// The sums of the context \p Id, which stay where they are.
  ContextSums &of(uint64_t Id) { return Contexts[Id]; }
  /// What was added of the context \p Id.
  ContextSums sumsOf(uint64_t Id) const {
    auto Known = Contexts.find(Id);
    return Known == Contexts.end() ? ContextSums() : Known->second;
  }
  /// Adds \p Touches to \p Total; they are by bins of the grid of which \p
  /// Places is known.
  static void add(ContextSums &Total, const PhasePlaces &Places,
                  const ContextTouches &Touches);
  void add(uint64_t Id, const PhasePlaces &Places,
           const ContextTouches &Touches) {
    if (!Touches.empty())
      add(of(Id), Places, Touches);
  }
  /// Makes all units that lived of the context \p Id be touched, always.
  void touchAll(uint64_t Id);
  /// Takes the context \p Id for as much in use as the one of \p Parts, of
  /// which it is the sum, that is most: in each bin. Parts that are not clearly
  /// more in use than the whole change nothing. \returns whether any did.
  bool raiseTo(uint64_t Id, llvm::ArrayRef<const ContextSums *> Parts);

  /// Whether no run was added that has windows.
  bool empty() const { return Phases.empty(); }
  /// The least size of pages of all runs, in bytes. The largest is the grid's.
  uint64_t leastPageBytes() const { return LeastPageBytes; }
  size_t numPhases() const { return Phases.size(); }
  /// The phases of all runs.
  TouchGrid grid() const;
  /// What was added, without contexts of which nothing lived in any bin.
  TouchesById sums() const;

private:
  /// The numbers of phases, in the order of their names.
  std::vector<size_t> phaseOrder() const;

  /// In the order in which they were met.
  std::vector<TouchPhase> Phases;
  /// The least and the largest size of the pages of runs.
  uint64_t LeastPageBytes = UINT64_MAX;
  uint64_t MostPageBytes = UsualPageBytes;
  std::unordered_map<uint64_t, ContextSums> Contexts;
};

} // namespace thermocline::profile

#endif
