//===- thermo-profdata/PageReasons.h - Why pages are touched ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Why pages of a context are touched though everything is hinted, and what
// would help. advise and report say it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_PAGEREASONS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_PAGEREASONS_H

#include "ContextList.h"
#include "thermocline/Placement/Placement.h"

namespace thermocline::profdata {

enum class PageReason : uint8_t { Busy, Mixed, Cold, Block, Large };
constexpr size_t NumPageReasons = 5;

/// What is said of a reason, and what helps.
struct PageExplanation {
  llvm::StringRef What;
  llvm::StringRef Advice;
};
const PageExplanation &explanationOf(PageReason R);

/// The reason for the pages of small objects of a context that is hinted if
/// \p Cold.
PageReason reasonOfSmall(const placement::ContextShare &Share, bool Cold);
/// The reason for the pages of its objects of a page and more.
PageReason reasonOfLarge(const ListedContext &C);

} // namespace thermocline::profdata

#endif
