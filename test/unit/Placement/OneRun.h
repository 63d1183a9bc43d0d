//===- unit/Placement/OneRun.h - A grid for tests ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_PLACEMENT_ONERUN_H
#define THERMOCLINE_TEST_UNIT_PLACEMENT_ONERUN_H

#include "thermocline/Profile/TouchGrid.h"

namespace thermocline::test {

/// One run without named phases, of windows of a second that end with bursts of
/// 5 ms.
inline profile::TouchGrid oneRun() {
  profile::TouchGrid Result;
  Result.Phases.push_back({.Name = "",
                           .Runs = 1,
                           .Windows = 32,
                           .WindowUs = 32000000,
                           .Bursts = 32,
                           .BurstUs = 160000});
  return Result;
}

} // namespace thermocline::test

#endif
