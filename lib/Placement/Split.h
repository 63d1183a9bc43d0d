//===- Placement/Split.h - The best split into two heaps --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches for the set of contexts whose move to a heap of their own leaves the
// smallest working set. Of one size class the best cut is found exactly. The
// objects of a context may be of several classes, which have to agree, and
// contexts differ in when they are touched. So the classes vote, and then
// contexts are moved one by one as long as that saves something.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLACEMENT_SPLIT_H
#define THERMOCLINE_LIB_PLACEMENT_SPLIT_H

#include "Heaps.h"
#include "Stretches.h"
#include "Unseen.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace thermocline::placement {

/// The small objects of one context.
struct Tenant {
  size_t Context = 0;
  Occupant Where;
  std::vector<ClassPart> Parts;
  StretchParts Stretches = {};
  /// Whether it stays hot in any case. Its accesses are not known, so that it
  /// counts as touched all the time.
  bool MustBeHot = false;
};

/// The small objects of all contexts that have any, at the horizon \p H, with
/// what of \p Unseen was not seen.
std::vector<Tenant> tenantsOf(const profile::GridTouches &Touches, Horizon H,
                              const BinWeights &Weights,
                              const UnseenTouches &Unseen);

/// The tenants at both horizons: each bin becomes two, first one for its
/// bursts, and then one for its windows, as BinWeights count them.
std::vector<Tenant> atBothHorizons(llvm::ArrayRef<Tenant> InBursts,
                                   llvm::ArrayRef<Tenant> InWindows);

/// What of a cold heap lies at random.
enum class ColdOrder {
  /// All of it: what a search goes by, so that neither heap is favored.
  Mixed,
  /// What was allocated in the same stretch of the run: what is predicted. In
  /// the heap without hints, and in what hints leave of it, stretches are seen
  /// by what is far from all that is touched.
  ByStretch
};

/// Two heaps of all size classes. All contexts are in the first to begin with.
class TwoHeaps {
public:
  TwoHeaps(const BinWeights &Weights, uint64_t PageBytes, ColdOrder Order)
      : Weights(&Weights), PageBytes(PageBytes), Order(Order) {}

  void add(const Tenant &T, bool Cold);
  void move(const Tenant &T, bool FromCold);
  /// \returns by how much the working set is less with \p T cold than with it
  /// hot. \p IsCold says where it is.
  double benefit(const Tenant &T, bool IsCold) const;
  /// \returns a number that rises when what benefit() says of \p T may change.
  uint64_t changes(const Tenant &T) const;
  double workingSet() const;
  double workingSet(uint64_t ClassBytes) const;
  /// \returns that of one bin in each heap, the hot one first, summed over the
  /// runs that have the bin.
  std::pair<double, double> workingSetOf(size_t Bin) const;
  /// \returns how that of one bin in both heaps changes if \p Added is added of
  /// \p T, which is there.
  double ifAddedIn(size_t Bin, const Tenant &T, bool IsCold,
                   const Presence &Added) const;
  /// \returns what of the working set is due to \p T.
  double shareOf(const Tenant &T, bool IsCold) const;

private:
  struct Pair {
    Heap Hot;
    /// By stretch, or just one.
    std::vector<Heap> Cold;
    /// How often anything was added or moved.
    uint64_t Changes = 0;
  };
  /// \returns the part of \p T that is in the cold heap's stretch \p Stretch.
  double partIn(const Tenant &T, size_t Stretch) const {
    return Order == ColdOrder::Mixed ? 1 : T.Stretches[Stretch];
  }
  Pair &at(uint64_t ClassBytes);
  const Pair &at(uint64_t ClassBytes) const {
    return Classes.find(ClassBytes)->second;
  }

  const BinWeights *Weights;
  uint64_t PageBytes;
  ColdOrder Order;
  std::map<uint64_t, Pair> Classes;
};

/// What a search makes small.
struct Objective {
  BinWeights Weights;
  std::vector<Tenant> Tenants;
};

/// \returns for each of \p Goals, for each of its tenants, what a cold hint for
/// it saves, and 0 for those that are best left where they are. Each is
/// searched for in several orders, each on a thread of its own.
std::vector<std::vector<double>> bestSplits(llvm::ArrayRef<Objective> Goals,
                                            uint64_t PageBytes);

} // namespace thermocline::placement

#endif
