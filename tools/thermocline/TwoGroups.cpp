//===- thermocline/TwoGroups.cpp - Runs of two kinds ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TwoGroups.h"
#include "PairedRatio.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace thermocline::front;

std::optional<TwoGroups>
thermocline::front::findTwoGroups(ArrayRef<double> Values) {
  constexpr size_t LeastValues = 8, LeastOfGroup = 2;
  constexpr double LeastPart = 0.1, LeastTimes = 1.5;
  if (Values.size() < LeastValues)
    return std::nullopt;
  std::vector<double> Sorted(Values.begin(), Values.end());
  llvm::sort(Sorted);
  for (size_t I = LeastOfGroup; I + LeastOfGroup <= Sorted.size(); ++I) {
    const double Gap = Sorted[I] - Sorted[I - 1];
    const double Span =
        std::max(Sorted[I - 1] - Sorted.front(), Sorted.back() - Sorted[I]);
    if (Gap > 0 && Gap >= LeastPart * median(Sorted) &&
        Gap >= LeastTimes * Span)
      return TwoGroups{median(ArrayRef(Sorted).take_front(I)),
                       median(ArrayRef(Sorted).drop_front(I))};
  }
  return std::nullopt;
}
