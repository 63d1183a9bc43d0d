//===- profile/entry/New.h - operator new at the start ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ENTRY_NEW_H
#define THERMOCLINE_RUNTIME_PROFILE_ENTRY_NEW_H

namespace thermocline::runtime {

/// Must be called when libc is ready. Finds stubs of operator new, so that they
/// are not taken for operators of the program's own. Only the first call
/// counts.
void findOperatorStubs();

} // namespace thermocline::runtime

#endif
