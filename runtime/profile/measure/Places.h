//===- measure/Places.h - Which calling places are in use -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a context of which no recorded allocation was ever accessed looks
// cold. If others of it, not recorded, were accessed, that must be known.
//
// One bit for the place of an allocation, its innermost call, says that an
// allocation there that was not recorded was accessed. All contexts with this
// call share it, so that it need not be known whose the allocation was. As
// long as the bit is clear such allocations are watched: their accesses are
// counted like those of recorded ones. Nearly every place is soon seen to be
// touched, and then what is not recorded costs nothing more.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_PLACES_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_PLACES_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// A place by its hash: two may be taken for one, which errs on the safe side.
using PlaceId = uint16_t;

/// The bits of all places. All zeros is untouched.
class Places {
public:
  /// \p Call is the innermost call, as a context has it.
  static PlaceId idOf(uint64_t Call) {
    return static_cast<PlaceId>((Call * 0x9E3779B97F4A7C15) >> 48);
  }

  bool isTouched(PlaceId Id) const { return Touched[Id].loadRelaxed(); }
  void touch(PlaceId Id) { Touched[Id].storeRelaxed(true); }

private:
  Atomic<bool> Touched[size_t(1) << 16];
};

} // namespace thermocline::runtime

#endif
