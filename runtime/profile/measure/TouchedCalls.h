//===- measure/TouchedCalls.h - Whose memory is accessed --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a context looks cold if none of its recorded allocations was ever
// accessed. It must be known if others of the context, which were not recorded,
// were accessed.
//
// There is one bit for the innermost call of an allocation. It says that an
// allocation from that call that was not recorded was accessed. All contexts
// with this call share the bit, so the context of the allocation need not be
// known. As long as the bit is clear, such allocations are shadow-tracked:
// their accesses are counted like those of recorded ones. Nearly every call is
// soon seen to be touched. From then on, allocations that are not recorded cost
// nothing more.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHEDCALLS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_TOUCHEDCALLS_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// Identifies a call by its hash. Two calls may be taken for one, which errs on
/// the safe side.
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
