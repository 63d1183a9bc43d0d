//===- Placement/WorkingSet.h - What a program touches ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A working set without hints and with them, and how well both are known.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PLACEMENT_WORKINGSET_H
#define THERMOCLINE_PLACEMENT_WORKINGSET_H

#include "thermocline/Profile/Samples.h"
#include <string>

namespace thermocline::placement {

/// The standard errors of a working set, as sampling makes them
/// (docs/sampling.md), and of what hints save of it, in bytes and as a part of
/// that before. 0 if nothing was sampled.
struct WorkingSetErrors {
  double Before = 0;
  double After = 0;
  double Saved = 0;
  double SavedPart = 0;
};

/// The bytes of pages that a program touches within one horizon, as the mean
/// over the time of all runs.
struct WorkingSet {
  double Before = 0;
  double After = 0;
  WorkingSetErrors Errors = {};

  bool isExact() const { return Errors.Before == 0 && Errors.After == 0; }
  /// Whether something is saved, but the 95 % interval of that has nothing in
  /// it.
  bool maySaveNothing() const {
    return After < Before &&
           Before - After <= profile::StandardErrors95 * Errors.Saved;
  }
};

/// \returns "19.1 MiB -> 8.4 MiB (-56.0 %)", or that there is nothing to gain.
/// If it was sampled, 95 % intervals as well: "19.1 MiB ± 1.2 MiB -> 8.4 MiB ±
/// 0.9 MiB (-56.0 % ± 4.1 %)", and whether that is not certain.
std::string describe(const WorkingSet &Set);
/// \returns the 95 % interval of a number of bytes with the standard error \p
/// Error: " ± 1.2 MiB".
std::string formatInterval(double Error);
/// \returns "4.1 %" of 0.041.
std::string formatPart(double Part);

} // namespace thermocline::placement

#endif
