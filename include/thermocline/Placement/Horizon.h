//===- Placement/Horizon.h - For how long a touch counts --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PLACEMENT_HORIZON_H
#define THERMOCLINE_PLACEMENT_HORIZON_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace thermocline::placement {

/// For how long a page that was touched costs nothing more.
enum class Horizon : uint8_t {
  /// A few milliseconds: what the TLB and the caches hold. Bursts tell it.
  Burst,
  /// A window: what stays resident.
  Window,
};

/// In programs' formats.
constexpr llvm::StringRef nameOf(Horizon H) {
  return H == Horizon::Burst ? "burst" : "window";
}

} // namespace thermocline::placement

#endif
