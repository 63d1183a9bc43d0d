//===- thermocline/PairedRatio.cpp - Ratios of runs beside others ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairedRatio.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

Difference PairedRatio::difference() const {
  if (!Interval)
    return Difference::Unknown;
  return Interval->second < 1  ? Difference::Less
         : Interval->first > 1 ? Difference::More
                               : Difference::None;
}

double front::median(ArrayRef<double> Values) {
  std::vector<double> Sorted = Values.vec();
  llvm::sort(Sorted);
  const size_t Half = Sorted.size() / 2;
  return Sorted.size() % 2 ? Sorted[Half]
                           : (Sorted[Half - 1] + Sorted[Half]) / 2;
}

/// How many of \p Count ordered ratios are outside the interval on each side,
/// plus one: 0 if there is no interval.
static size_t rankOfInterval(size_t Count) {
  // The probability that less than K of the ratios are below the median.
  double Term = std::pow(0.5, static_cast<double>(Count)), Below = Term;
  size_t Rank = 0;
  while (Below <= 0.025) {
    ++Rank;
    Term *= static_cast<double>(Count - Rank + 1) / static_cast<double>(Rank);
    Below += Term;
  }
  return Rank;
}

static double ratioOf(double After, double Before) {
  if (Before > 0)
    return After / Before;
  return After > 0 ? std::numeric_limits<double>::infinity() : 1;
}

PairedRatio front::pairedRatio(ArrayRef<double> Before,
                               ArrayRef<double> After) {
  std::vector<double> Ratios;
  for (auto [A, B] : zip_equal(After, Before))
    Ratios.push_back(ratioOf(A, B));
  llvm::sort(Ratios);
  PairedRatio Result;
  Result.Median = median(Ratios);
  if (size_t Rank = rankOfInterval(Ratios.size()))
    Result.Interval = {Ratios[Rank - 1], Ratios[Ratios.size() - Rank]};
  return Result;
}
