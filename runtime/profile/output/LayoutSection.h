//===- output/LayoutSection.h - How small objects lay -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of a raw profile (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_LAYOUTSECTION_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_LAYOUTSECTION_H

#include "RawPart.h"
#include "measure/LayoutRecord.h"

namespace thermocline::runtime {

/// Copies the part into pages of \p Part. \p Probe.recordOf() gives the
/// LayoutRecord of each of \p NumWindows windows. There is no part if all are
/// empty. \returns false if there is no memory.
template <typename AnyProbe>
bool encodeLayouts(const AnyProbe &Probe, unsigned NumWindows, RawPart &Part) {
  // The number of windows has one byte, and those of stretches.
  size_t Bytes = 1;
  bool IsEmpty = true;
  for (unsigned I = 0; I != NumWindows; ++I) {
    Bytes += 1 + Probe.recordOf(I).size();
    IsEmpty &= !Probe.recordOf(I).numStretches();
  }
  if (IsEmpty)
    return true;
  if (!Part.begin(format::RawLayoutPart, Bytes))
    return false;
  static_assert(format::MaxTouchWindows < 0x80);
  const auto Number = static_cast<char>(NumWindows);
  Part.append(&Number, 1);
  for (unsigned I = 0; I != NumWindows; ++I) {
    const LayoutRecord &R = Probe.recordOf(I);
    const auto Stretches = static_cast<char>(R.numStretches());
    Part.append(&Stretches, 1);
    Part.append(R.data(), R.size());
  }
  return true;
}

} // namespace thermocline::runtime

#endif
