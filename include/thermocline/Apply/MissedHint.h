//===- Apply/MissedHint.h - Cold contexts without a hint ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the thin link knows and no record tells: which allocations have cold
// contexts that get no hint, and why. Backends have the places in the source,
// so it is they who remark on it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_MISSEDHINT_H
#define THERMOCLINE_APPLY_MISSEDHINT_H

#include "thermocline/Support/Units.h"
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class FunctionSummary;
}

namespace thermocline::apply {

/// Cold contexts of one allocation that get no hint for the same reason.
struct MissedHint {
  /// As reports say it: "indirect call".
  std::string Reason;
  uint64_t Contexts = 0;
  Bytes Size;
};

/// Of one allocation, each reason once.
using MissedHints = std::vector<MissedHint>;

/// By the records of a function's allocations; only functions that have any.
/// The index owns the summaries, and is that of the link that decided.
using MissedBySummary =
    std::unordered_map<const llvm::FunctionSummary *, std::vector<MissedHints>>;

} // namespace thermocline::apply

#endif
