//===- thermocline/PairedRatio.h - Ratios of runs beside others -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a slow minute of the machine slows the runs of it, and times are not
// normally distributed. So each run of the one program is divided by the run of
// the other that was beside it, and the interval of the median ratio is that of
// the sign test: the K-th least and the K-th greatest ratio, with the greatest
// K for which the median lies between them with a probability of at least 95 %,
// whatever the distribution is. It takes no random numbers, and six pairs at
// least: of five, even the least and the greatest leave out 6 %.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_PAIREDRATIO_H
#define THERMOCLINE_TOOLS_THERMOCLINE_PAIREDRATIO_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <utility>

namespace thermocline::front {

enum class Difference {
  /// Too few pairs for an interval.
  Unknown,
  /// The interval holds 1.
  None,
  Less,
  More
};

struct PairedRatio {
  /// The median ratio of after to before.
  double Median = 1;
  /// The 95 % interval of it.
  std::optional<std::pair<double, double>> Interval;

  Difference difference() const;
  /// Whether the whole interval is above \p Limit.
  bool isAbove(double Limit) const {
    return Interval && Interval->first > Limit;
  }
};

/// The median of \p Values, of which there is at least one.
double median(llvm::ArrayRef<double> Values);

/// Both have one value for each pair, which is not negative, and at least one.
/// The ratio of two zeros is 1.
PairedRatio pairedRatio(llvm::ArrayRef<double> Before,
                        llvm::ArrayRef<double> After);

} // namespace thermocline::front

#endif
