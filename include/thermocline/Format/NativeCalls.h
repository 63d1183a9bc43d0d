//===- Format/NativeCalls.h - Calls of code without a profile ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By what the calls of a profiled program that lead through pointers to native
// code differ from others (Annotate/PointersToAllocators.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_NATIVECALLS_H
#define THERMOCLINE_FORMAT_NATIVECALLS_H

#include <stdint.h>

namespace thermocline::format {

/// The first of the 16 bytes in front of a function that is compiled for
/// profiling. The others are its own.
constexpr uint64_t ProfiledFunctionMark = 0x6465'6c69'666f'7270; // "profiled"
constexpr uint64_t ProfiledFunctionMarkBytes = 16;

/// The base discriminator in the line table at calls of native code. Others
/// count the blocks of a line from 0.
constexpr uint32_t NativeCallDiscriminator = 0xa71;

} // namespace thermocline::format

#endif
