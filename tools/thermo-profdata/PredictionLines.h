//===- thermo-profdata/PredictionLines.h - What hints gain, as text -*- C++
//-*-//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What commands and pages say of a prediction besides the working set at its
// goal: that at the other horizon, and whether runs were long enough.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_PREDICTIONLINES_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_PREDICTIONLINES_H

#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/TouchGrid.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace thermocline::profdata {

/// \returns the mean length of the bursts or windows of \p Grid in \p Phase, or
/// in all phases if that is empty: "5.02 ms".
std::string lengthText(const profile::TouchGrid &Grid, llvm::StringRef Phase,
                       placement::Horizon H);

/// \returns what is to be put behind "pages" if those of \p Grid do not have 4
/// KiB, as on most machines: " of 64.0 KiB"; else nothing.
std::string pageSizeText(const profile::TouchGrid &Grid);

/// What is said once where intervals are shown, without a stop.
constexpr llvm::StringLiteral IntervalsText =
    "±: 95 % intervals of what sampling leaves open";
/// \returns what contexts have of which sampling told too little, behind their
/// number: "12 contexts, 1.2 MiB (1.6 % of bytes), have too few samples to be
/// judged, and stay where they are". Nothing if there are none.
std::string tooFewText(const profile::ContextCount &TooFew, Bytes All);

/// \returns what is predicted at the horizon that is not the goal, to be put
/// behind "within": "windows of 512.0 ms: 18.1 MiB -> 6.9 MiB (-61.9 %)".
/// Nothing if no run had bursts.
std::string otherHorizonText(const placement::Prediction &Predicted,
                             const profile::TouchGrid &Grid,
                             llvm::StringRef Phase);

/// Whether nothing is predicted to be gained at the goal, and it does not
/// follow that hints gain nothing, as the runs in \p Phase, or in all phases if
/// that is empty, are too short.
bool isTooShortToTell(const placement::Prediction &Predicted,
                      const profile::TouchGrid &Grid, llvm::StringRef Phase);
/// What is said then, without a stop.
constexpr llvm::StringLiteral TooShortToTell =
    "the runs are too short to say that hints gain nothing";

} // namespace thermocline::profdata

#endif
