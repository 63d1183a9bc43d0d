//===- lto/program/FrameNames.h - Names of inlined functions ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names the functions of frames. These functions may have been inlined
// everywhere, so that no summary and no symbol table names them. The debug
// locations of the calls do.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_FRAMENAMES_H
#define THERMOCLINE_LTO_PROGRAM_FRAMENAMES_H

#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"

namespace llvm {
class Module;
}

namespace thermocline::lto {

/// Adds the functions of \p M, and those that its calls with contexts were
/// inlined from, with their places in the source. The frames of all calls are
/// added to \p Frames, which may be null: a frame of a profile is known by a
/// hash of its place, so those whose places are still what they were are named
/// without the profile.
void addFrameNames(const llvm::Module &M, profile::FunctionNames &Names,
                   profile::FrameTable *Frames = nullptr);

} // namespace thermocline::lto

#endif
