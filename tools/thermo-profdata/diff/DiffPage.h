//===- thermo-profdata/diff/DiffPage.h - Two profiles as a page -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page of a comparison. docs/report.md says what users see.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_DIFFPAGE_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_DIFFPAGE_H

#include "Comparison.h"
#include "thermocline/Report/Page.h"

namespace thermocline::profdata {

/// The page of \p Found, the comparison of \p Before and \p After, whose
/// functions \p Names has.
report::PageModel pageOf(const Comparison &Found, const ContextList &Before,
                         const ContextList &After,
                         const profile::FunctionNames &Names);

} // namespace thermocline::profdata

#endif
