//===- profile/entry/New.h - operator new at the start ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ENTRY_NEW_H
#define THERMOCLINE_RUNTIME_PROFILE_ENTRY_NEW_H

namespace thermocline::runtime {

/// To be called when libc is ready, so that what is not the program's own
/// operator new is not taken for one.
void findOperatorStubs();

} // namespace thermocline::runtime

#endif
