//===- lto/link/LinkReport.h - What the user is told of a link  -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells the user about a link: warnings, remarks, statistics, and the files
// that options ask for.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKREPORT_H
#define THERMOCLINE_LTO_LINK_LINKREPORT_H

#include "LinkResults.h"
#include "LinkSetup.h"
#include "llvm/Support/Error.h"

namespace thermocline::lto {

/// Warns of contexts that the engine's limits leave without a hint, in a part
/// of the link with so many instructions.
void warnOfLimits(const context::EngineStatistics &Statistics,
                  const GrowthLimit &Growth, uint64_t Instructions,
                  const LinkMessages &Say);

/// Tells all else of \p Results. \p Options: null if the program compiled no
/// bitcode and opened no profile. Called once, when the link is through.
llvm::Error reportLink(const LinkSetup &Setup, const LinkOptions *Options,
                       LinkResults &Results);

} // namespace thermocline::lto

#endif
