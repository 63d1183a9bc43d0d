//===- thermo-profdata/page/PageFrames.h - Frames of a page -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the pages of a profile and of a comparison name the frames of a context.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_PAGEFRAMES_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_PAGEFRAMES_H

#include "../ContextList.h"
#include "thermocline/Report/Page.h"

namespace thermocline::profdata {

/// Adds the frames of \p C to \p Page, with files and lines as far as \p Names
/// has them. \returns their numbers, from the allocation on.
std::vector<uint32_t> addFrames(const ListedContext &C,
                                const profile::FunctionNames &Names,
                                report::PageModel &Page);

} // namespace thermocline::profdata

#endif
