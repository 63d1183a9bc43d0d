//===- Placement/Heaps.h - Contexts on the pages of two heaps ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The working set of a heap whose contexts come and go. All contexts in it are
// of one size class, so they share pages.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLACEMENT_HEAPS_H
#define THERMOCLINE_LIB_PLACEMENT_HEAPS_H

#include "thermocline/Placement/Horizon.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace thermocline::placement {

/// The bytes that jemalloc takes for an object of \p Bytes: of each doubling
/// from 64 on there are four classes.
uint64_t sizeClass(double Bytes);

/// \returns the probability that something happens at least once in \p Times
/// trials, each of which has the probability \p Part.
double scaled(double Part, double Times);

/// What the bins of a grid count for.
class BinWeights {
public:
  /// Bins of other phases than \p Phase count for nothing, unless it is empty.
  BinWeights(const profile::TouchGrid &Grid, llvm::StringRef Phase);
  /// The weights for a grid that has two bins for each of \p Other: first one
  /// for its bursts, which count \p Bursts as much, and then one for its
  /// windows.
  BinWeights(const BinWeights &Other, double Bursts, double Windows);

  size_t size() const { return Weights.size(); }
  /// The share of the time of one mean run that \p Bin stands for, divided by
  /// the runs whose numbers it sums: the mean of a quantity is the sum of its
  /// values times this.
  double operator[](size_t Bin) const { return Weights[Bin]; }
  /// The weight of \p Bin for pages of larger objects, of which some runs know
  /// nothing.
  double ofPages(size_t Bin) const { return PageWeights[Bin]; }
  /// By what the rate of \p Bin is to be multiplied: 1 for windows. Bursts are
  /// brought to one length, as far as they took longer.
  double rateScale(size_t Bin, Horizon H) const {
    return H == Horizon::Burst ? BurstScales[Bin] : 1;
  }
  /// How many bursts the bins that count sum up.
  uint64_t numBursts() const { return NumBursts; }
  bool hasBursts() const { return NumBursts != 0; }

private:
  std::vector<double> Weights;
  std::vector<double> PageWeights;
  std::vector<double> BurstScales;
  uint64_t NumBursts = 0;
};

/// The length that bursts are brought to, in microseconds.
constexpr double ReferenceBurstUs = 5000;

/// One context in one bin: its objects that share pages with something that is
/// touched, or would if they lay at random where they lie. Others are in no
/// working set, wherever they are allocated.
struct Presence {
  double Objects = 0;
  /// How many of them are touched, other than since they were born.
  double Touched = 0;
  /// All of its objects, how many of them are born, and how many lie on pages
  /// with such, these included.
  double Live = 0;
  double Born = 0;
  double WithBorn = 0;

  /// All that are touched.
  double touched() const { return Touched + Born; }
  /// Adds the part \p Part of \p Other.
  void add(const Presence &Other, double Part) {
    for (double Presence::*Number :
         {&Presence::Objects, &Presence::Touched, &Presence::Live,
          &Presence::Born, &Presence::WithBorn})
      this->*Number += Part * (Other.*Number);
  }
};

/// One context in the bins in which it has small objects.
struct Occupant {
  size_t First = 0;
  std::vector<Presence> Bins;
};

/// What \p Touches come to at the horizon \p H, if \p ExtraTouches more of the
/// objects that were looked at had been touched, spread over all bins.
Occupant occupy(const profile::UnitTouches &Touches, Horizon H,
                const BinWeights &Weights, double ExtraTouches);

/// Pages that hold objects of one size class.
struct PageShape {
  double ObjectBytes = 0;
  double ObjectsPerPage = 0;

  PageShape(uint64_t ClassBytes, uint64_t PageBytes);
  /// \returns the working set of \p P, whose objects lie at random, and so do
  /// pages on which some are born.
  double workingSet(const Presence &P) const;
};

/// The part of a context's objects that are of one size class.
struct ClassPart {
  uint64_t ClassBytes = 0;
  double Part = 0;
};

/// The size classes of objects of less than \p PageBytes whose sizes are in \p
/// Sizes and have the mean \p Mean, by rising size. Of all distributions with
/// this mean the one is taken that assumes least: it falls or rises
/// exponentially. Parts of less than a hundredth are left out.
std::vector<ClassPart> classesOf(const profile::SizeRange &Sizes, double Mean,
                                 uint64_t PageBytes);

/// A heap of one size class.
class Heap {
public:
  Heap(const BinWeights &Weights, PageShape Shape)
      : Weights(&Weights), Shape(Shape), Bins(Weights.size()) {}

  /// Adds the part \p Part of the objects of \p O, or removes it.
  void add(const Occupant &O, double Part) { change(O, Part); }
  void remove(const Occupant &O, double Part) { change(O, -Part); }

  /// \returns the working set, in bytes.
  double workingSet() const { return Total; }
  /// \returns that of one bin, summed over the runs that have it.
  double workingSetOf(size_t Bin) const { return Bins[Bin].WorkingSet; }
  /// \returns what of the working set is due to \p Part of \p O, which is in
  /// the heap: a page belongs to the objects that are touched on it.
  double shareOf(const Occupant &O, double Part) const;
  /// \returns how it changes if \p Part of \p O is added, or if it is removed.
  double ifAdded(const Occupant &O, double Part) const {
    return ifChanged(O, Part);
  }
  double ifRemoved(const Occupant &O, double Part) const {
    return ifChanged(O, -Part);
  }

  /// \returns how the working set of \p Bin changes if \p Part of \p Added is
  /// added to it.
  double ifAddedIn(size_t Bin, const Presence &Added, double Part) const;

private:
  struct Bin {
    Presence Sum;
    /// The working set of Sum, which is dear to work out.
    double WorkingSet = 0;
  };

  void change(const Occupant &O, double Part);
  double ifChanged(const Occupant &O, double Part) const;
  /// Calls \p Visit with the number of each bin that changes and what it is
  /// then. \returns how the working set changes.
  double forEachChanged(const Occupant &O, double Part, auto &&Visit) const;

  const BinWeights *Weights;
  PageShape Shape;
  std::vector<Bin> Bins;
  double Total = 0;
};

} // namespace thermocline::placement

#endif
