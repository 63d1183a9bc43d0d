//===- thermo-profdata/PageReasons.cpp - Why pages are touched ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageReasons.h"
#include <array>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profdata;

static constexpr std::array<PageExplanation, NumPageReasons> Explanations = {{
    {"small objects, most of which are in use",
     "Nothing is to be gained there."},
    {"small objects, few of which are in use at a time",
     "Used and idle ones come from the same contexts, so hints cannot part "
     "them. If callers know which is which, let them allocate in functions of "
     "their own."},
    {"objects that are hinted cold, and touched now and then",
     "That is what is left of them."},
    {"large blocks with many accesses",
     "If a block is a pool or an arena from which the program hands out "
     "objects, name the function that does, and profile again: see "
     "own-allocators.md. If it is an array, nothing is to be gained."},
    {"other objects of a page and more",
     "They share pages with nobody, so hints change nothing."},
}};

/// A block of this size that is accessed as often for each of its KiB may be a
/// pool.
static constexpr uint64_t LeastBlockBytes = 16 * 1024;
static constexpr uint64_t LeastAccessesPerKiB = 64;
/// A context is busy if this part of its bytes is touched.
static constexpr double BusyPart = 0.5;

const PageExplanation &profdata::explanationOf(PageReason R) {
  return Explanations[static_cast<size_t>(R)];
}

PageReason profdata::reasonOfSmall(const ContextShare &Share, bool Cold) {
  if (Cold)
    return PageReason::Cold;
  return Share.TouchedSmallBytes >= BusyPart * Share.SmallBytes
             ? PageReason::Busy
             : PageReason::Mixed;
}

PageReason profdata::reasonOfLarge(const ListedContext &C) {
  const bool IsBlock =
      C.Info.AllocCount &&
      C.Info.TotalSize / C.Info.AllocCount >= LeastBlockBytes &&
      C.Info.TotalAccessCount >= C.Info.TotalSize / 1024 * LeastAccessesPerKiB;
  return IsBlock ? PageReason::Block : PageReason::Large;
}
