//===- profile/process/OtherTools.h - What excludes profiling ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds tools that exclude profiling because they replace malloc, too, or leave
// no room for the profiler's addresses. Without this check, each would be
// noticed late and only by its consequences.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_OTHERTOOLS_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_OTHERTOOLS_H

namespace thermocline::runtime {

/// The name of a sanitizer whose runtime is in this program and cannot be
/// beside this one; null if there is none.
const char *conflictingSanitizer();

bool runsUnderValgrind();

} // namespace thermocline::runtime

#endif
