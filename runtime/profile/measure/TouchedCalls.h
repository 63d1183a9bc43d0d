//===- measure/TouchedCalls.h - Whose memory is accessed --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a context of which no recorded allocation was ever accessed looks
// cold. If others of it, not recorded, were accessed, that must be known.
//
// One bit for the innermost call of an allocation says that an allocation by
// that call that was not recorded was accessed. All contexts with this call
// share the bit, so that it need not be known which of them the allocation had.
// As long as the bit is clear, such allocations are shadow-tracked: their
// accesses are counted like those of recorded ones. Nearly every call is soon
// seen to be touched, and then what is not recorded costs nothing more.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHEDCALLS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHEDCALLS_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// A call by its hash: two may be taken for one, which errs on the safe side.
using CallId = uint16_t;

/// The bits of all calls. All zeros is untouched.
class TouchedCalls {
public:
  /// \p Call is the innermost call, as a context has it.
  static CallId idOf(uint64_t Call) {
    return static_cast<CallId>((Call * 0x9E3779B97F4A7C15) >> 48);
  }

  bool isTouched(CallId Id) const { return Touched[Id].loadRelaxed(); }
  void touch(CallId Id) { Touched[Id].storeRelaxed(true); }

private:
  Atomic<bool> Touched[size_t(1) << 16];
};

} // namespace thermocline::runtime

#endif
