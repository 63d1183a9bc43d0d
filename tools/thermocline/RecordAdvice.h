//===- thermocline/RecordAdvice.h - What to do after record -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands that record shows to people at its end: how to look at the
// profile, and how to build with it, or to build what it lacks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_RECORDADVICE_H
#define THERMOCLINE_TOOLS_THERMOCLINE_RECORDADVICE_H

#include "Binaries.h"
#include "Commands.h"
#include "thermo-profdata/Commands.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"

namespace thermocline::front {

/// Says on standard error what comes after \p Command, which has written a
/// profile of \p Found, of which thermo-profdata advise says \p Says. \p
/// Profile is what was written, or null if it cannot be read: then its programs
/// are taken for this machine's.
void sayWhatNext(const RecordCommand &Command, const Binaries &Found,
                 profdata::Verdict Says,
                 const profile::IndexedProfile *Profile);

} // namespace thermocline::front

#endif
