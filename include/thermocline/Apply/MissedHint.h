//===- Apply/MissedHint.h - Cold contexts without a hint ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cold contexts that get no hint, and why. Only the thin link knows these, and
// no record tells them. But only backends know the places in the source. So the
// thin link passes this on to them, and they emit the remarks.
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
  /// The reason as reports print it: "indirect call".
  std::string Reason;
  uint64_t Contexts = 0;
  Bytes Size;
};

/// The missed hints of one allocation, each reason once.
using MissedHints = std::vector<MissedHint>;

/// For each function, the missed hints by the records of its allocations. Only
/// functions that have any are listed. The index owns the summaries, and is
/// that of the link that decided.
using MissedBySummary =
    std::unordered_map<const llvm::FunctionSummary *, std::vector<MissedHints>>;

} // namespace thermocline::apply

#endif
