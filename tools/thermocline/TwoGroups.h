//===- thermocline/TwoGroups.h - Runs of two kinds --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some programs run in one of two times, as they happen to lie in the caches:
// the median of their runs is then that of whichever came more often, and
// another day's is another one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_TWOGROUPS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_TWOGROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace thermocline::front {

struct TwoGroups {
  /// The medians of the lesser values and of the greater ones.
  double Low, High;
};

/// The groups of \p Values, if between two of these is a gap of a tenth of
/// their median, and half as much again as what each side of it spans, with two
/// values at least on each side. None of less than eight values.
std::optional<TwoGroups> findTwoGroups(llvm::ArrayRef<double> Values);

} // namespace thermocline::front

#endif
