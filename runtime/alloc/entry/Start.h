//===- alloc/entry/Start.h - What runs before main --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_START_H
#define THERMOCLINE_ALLOC_START_H

namespace thermocline::alloc {

/// Makes the cold heap while the process is single-threaded, and for programs
/// that never hint, so that their statistics can be asked for too.
void startAllocator();

} // namespace thermocline::alloc

#endif
