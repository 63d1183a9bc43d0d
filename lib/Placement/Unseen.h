//===- Placement/Unseen.h - Touches that were not seen ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the objects of a context that were looked at, none may have been touched,
// and some of the others were. How likely that is depends on the program. In
// most, a context is in use or it is not: then few that are not touched tell of
// all. So what the contexts of which many objects were looked at do is taken to
// be what others do as well. Their rates are taken to have a beta distribution,
// which adds its first parameter to the touches that were seen (empirical
// Bayes; the parameters by moments: Kleinman, "Proportions with extraneous
// variance", Journal of the American Statistical Association 68, 1973).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PLACEMENT_UNSEEN_H
#define THERMOCLINE_LIB_PLACEMENT_UNSEEN_H

#include "Heaps.h"
#include "thermocline/Profile/TouchGrid.h"

namespace thermocline::placement {

/// How many more of the objects of a context that were looked at are taken to
/// have been touched.
struct UnseenTouches {
  /// If all of its objects were looked at, or if the program does not tell: the
  /// upper limit of a Poisson number at about 40 % confidence.
  static constexpr double Usual = 0.5;
  /// No program tells that there are fewer.
  static constexpr double Least = 0.05;

  double OfAll = 0;
  double OfSampled = 0;

  double of(const profile::UnitTouches &Objects) const {
    return Objects.Variance ? OfSampled : OfAll;
  }
};

/// \returns that at the horizon \p H.
UnseenTouches unseenTouches(const profile::GridTouches &Touches, Horizon H,
                            const BinWeights &Weights);

} // namespace thermocline::placement

#endif
