//===- profile/process/OtherTools.h - What excludes profiling ---*- C++ -*-===//
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools that replace malloc, too, or leave no room for the profiler's
// addresses. Each would be noticed late and by its consequences only.
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
