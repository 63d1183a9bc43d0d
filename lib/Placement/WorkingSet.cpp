//===- Placement/WorkingSet.cpp - What a program touches ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/WorkingSet.h"
#include "thermocline/Support/Units.h"

using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

std::string placement::describe(const WorkingSet &Set) {
  const Bytes Before(truncated(Set.Before)), After(truncated(Set.After));
  auto Size = [&](Bytes Value, double Error) {
    return formatBytes(Value) + (Set.isExact() ? "" : formatInterval(Error));
  };
  if (After >= Before)
    return Size(Before, Set.Errors.Before) + ", nothing to gain";
  std::string Result =
      Size(Before, Set.Errors.Before) + " -> " + Size(After, Set.Errors.After) +
      " (-" + formatPercent(Before.count() - After.count(), Before.count());
  if (!Set.isExact())
    Result += " ± " + formatPart(StandardErrors95 * Set.Errors.SavedPart);
  Result += ")";
  if (Set.maySaveNothing())
    Result += ", not certain";
  return Result;
}

std::string placement::formatInterval(double Error) {
  return " ± " + formatBytes(Bytes(truncated(StandardErrors95 * Error)));
}

std::string placement::formatPart(double Part) {
  constexpr uint64_t Whole = 1'000'000;
  return formatPercent(truncated(Part * Whole), Whole);
}
