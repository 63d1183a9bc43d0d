//===- Profile/AllocationCalls.h - Names of what allocates ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which allocation function a call of the source is of.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_ALLOCATIONCALLS_H
#define THERMOCLINE_PROFILE_ALLOCATIONCALLS_H

#include <cstdint>
#include <string>

namespace thermocline::profile {

/// The demangled name of the allocation function that \p Callee, a
/// SourceCall::Callee, stands for. Empty if it is none.
std::string allocationFunction(uint64_t Callee);

} // namespace thermocline::profile

#endif
