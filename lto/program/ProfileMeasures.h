//===- lto/program/ProfileMeasures.h - What a profile adds ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bitcode tells at most the bytes of a context, and roughly how long its
// objects live. The indexed profile knows this exactly, and also how often they
// were used. It has the frames of the allocation call itself, which summaries
// leave out, and by which users tell two allocations of one function apart. All
// of this is for reports: it is added after everything is decided, and decides
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_PROFILEMEASURES_H
#define THERMOCLINE_LTO_PROGRAM_PROFILEMEASURES_H

#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/Support/Error.h"

namespace thermocline::lto {

/// How well the profile fits the program.
struct MeasuredContexts {
  /// Contexts that the profile was asked for, and those of them that it has.
  uint64_t Asked = 0;
  uint64_t Found = 0;
};

/// Sets the measures of all contexts of \p Program, or of none if \p Profile
/// has none of them, and the places of its allocations. A context is found by
/// its id in the profile, by its stack ids where contexts are packed (it gets
/// its id then), or, where the summary has no ids, by the function that
/// allocates and its frames. For one that is not found, and for what a trimmed
/// context stands for besides the first, the bytes count with the mean lifetime
/// of those that are known. The error is that of a damaged profile.
llvm::Expected<MeasuredContexts>
setMeasures(context::ContextProgram &Program,
            const profile::IndexedProfile &Profile);

} // namespace thermocline::lto

#endif
