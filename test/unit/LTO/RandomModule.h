//===- unit/LTO/RandomModule.h - Small random modules -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_UNIT_LTO_RANDOMMODULE_H
#define THERMOCLINE_TEST_UNIT_LTO_RANDOMMODULE_H

#include <cstdint>
#include <string>

namespace thermocline::test {

/// The text of a module with contexts: functions of every linkage, aliases,
/// direct and indirect calls, several stack ids at a call, duplicated calls,
/// recursion, calls out of the module, tail calls, contexts with and without
/// sizes, some of them of no call. Nothing in it is dead.
std::string randomModule(uint64_t Seed);

} // namespace thermocline::test

#endif
