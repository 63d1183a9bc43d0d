//===- Placement/Placement.h - What to call cold, by pages ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hints change one thing: which objects lie on the same page. So what is called
// cold follows from what sharing costs.
//
// Of the objects of one size class in a heap, let the part p be touched in a
// window. If they lie at random, n to a page, the heap's working set is
//
//   WS = B * (1 - (1 - p)^n),    B its live bytes.
//
// This is concave in p, so to split a heap never raises the sum, and the best
// split is contiguous in the order of the contexts' own p. place() finds the
// best cut of each size class, and then moves contexts whose windows differ
// from those of others. Objects of a page and more share pages with nobody, so
// they stay where they are.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PLACEMENT_PLACEMENT_H
#define THERMOCLINE_PLACEMENT_PLACEMENT_H

#include "thermocline/Placement/Horizon.h"
#include "thermocline/Placement/WorkingSet.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::placement {

struct PlacementOptions {
  /// What the cut is best for. If it is for bursts, and they are few, windows
  /// count beside them.
  Horizon Goal = Horizon::Burst;
  /// The phase of the program to look at; nothing looks at all of them.
  std::string Phase;

  bool operator==(const PlacementOptions &) const = default;
};

struct Prediction {
  /// What the cut is best for. If no run had bursts, that is a window.
  Horizon Goal = Horizon::Window;
  WorkingSet AtBurst;
  WorkingSet AtWindow;
  /// The bytes that live at the same time, of objects of less than a page and
  /// in all, as the same mean.
  double SmallBytes = 0;
  double LiveBytes = 0;

  const WorkingSet &atGoal() const {
    return Goal == Horizon::Burst ? AtBurst : AtWindow;
  }
  /// The working set at the horizon which is not the goal.
  const WorkingSet &atOther() const {
    return Goal == Horizon::Burst ? AtWindow : AtBurst;
  }
};

/// What a file may tell of a working set, in bytes: from 0 to this.
constexpr double MostPredicted = 0x1p62;
constexpr bool isPredictable(double Bytes) {
  return Bytes >= 0 && Bytes <= MostPredicted;
}

struct PlacedContext {
  bool Cold = false;
  /// The part of this context in the bytes of working set that all cold
  /// contexts save together at the goal. They share it as the working set would
  /// rise if just one of them were left among the hot ones. 0 unless it is
  /// cold.
  double Benefit = 0;
  /// Whether it is not cold, but would be if all of its objects had been looked
  /// at and looked like those of them that were.
  bool TooFew = false;
};

struct Placement {
  /// In the order of the contexts that were given.
  std::vector<PlacedContext> Contexts;
  Prediction Predicted;
};

/// What a context has in memory, in bytes, as the mean over the time of all
/// runs.
struct ContextShare {
  /// Its objects of less than a page: what they take, what of it is in objects
  /// that are touched, and its part of the pages that are touched with hints.
  double SmallBytes = 0;
  double TouchedSmallBytes = 0;
  double SmallPages = 0;
  /// Its larger objects, and those of their pages that are touched.
  double LargeBytes = 0;
  double LargePages = 0;
};

/// Shares out what the program touches at the goal of \p Options, if the
/// contexts in \p Hinted are hinted: a page belongs to the objects that are
/// touched on it.
llvm::Expected<std::vector<ContextShare>>
shareOut(const profile::GridTouches &Touches, const llvm::BitVector &Hinted,
         const PlacementOptions &Options);

/// Returns an error if \p Phase is not empty, and no phase of \p Grid has this
/// name.
llvm::Error checkPhase(const profile::TouchGrid &Grid, llvm::StringRef Phase);

/// The best placement of \p Touches. Returns an error if no phase has the name
/// that the options ask for.
llvm::Expected<Placement> place(const profile::GridTouches &Touches,
                                const PlacementOptions &Options);

/// What to expect if just the contexts in \p Hinted allocate from a heap of
/// their own.
llvm::Expected<Prediction> predict(const profile::GridTouches &Touches,
                                   const llvm::BitVector &Hinted,
                                   const PlacementOptions &Options);

/// Memory in one bin of a grid, in bytes, as the mean of the runs that have it.
struct BinPicture {
  double Live = 0;
  /// Pages that are touched at the goal: without hints, and with them those of
  /// objects without and with a hint.
  double Before = 0;
  double Hot = 0;
  double Cold = 0;
};

/// What each bin of the grid has in memory if just the contexts in \p Hinted
/// allocate from a heap of their own. Bins of other phases than that of
/// \p Options have nothing that is touched.
llvm::Expected<std::vector<BinPicture>>
pictureBins(const profile::GridTouches &Touches, const llvm::BitVector &Hinted,
            const PlacementOptions &Options);

} // namespace thermocline::placement

#endif
