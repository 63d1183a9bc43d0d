//===- profile/measure/PhaseNames.h - The phases of a run -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_PHASENAMES_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_PHASENAMES_H

#include "platform/Base.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// The phases that the program has named, in the order of their first names.
/// Number 0 is the time in no phase. For one thread at a time.
class PhaseNames {
public:
  static constexpr unsigned MaxPhases = format::MaxTouchPhases;

  /// \returns the number of the phase \p Name, which is made if it is new; 0
  /// if the name is null or empty; MaxPhases if there is no room for it.
  unsigned find(const char *Name);

  /// The number of phases, that of no name included.
  unsigned size() const { return NumNamed + 1; }
  const char *operator[](unsigned Number) const { return Names[Number]; }

private:
  unsigned NumNamed = 0;
  char Names[MaxPhases][format::MaxPhaseNameBytes + 1] = {};
};

} // namespace thermocline::runtime

#endif
