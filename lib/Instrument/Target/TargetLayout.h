//===- Target/TargetLayout.h - Addresses of a target's programs -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETLAYOUT_H
#define THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETLAYOUT_H

#include "thermocline/Format/AddressLayout.h"

namespace thermocline::instrument {

/// What updates of counters depend on of the target. By default they take
/// nothing for granted, as for a target without a port.
struct TargetLayout {
  format::AddressLayout Addresses;
  /// An instruction tests an address against a mask in memory, while a constant
  /// of Addresses would need a register.
  bool TestsAgainstMemory = false;
  /// A program that refers directly to a variable of a shared library has a
  /// copy of it, with all linkers.
  bool CopiesVariables = false;
};

} // namespace thermocline::instrument

#endif
