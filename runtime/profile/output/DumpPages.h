//===- output/DumpPages.h - Memory for writing a profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory for the time of a dump, from a range of addresses that is reserved
// when the program starts. A dump itself maps nothing, for two reasons. The
// program may have forbidden that meanwhile (RLIMIT_AS, a sandbox). And where a
// library was just unloaded nothing may be mapped until its addresses are
// reserved (Segments.h).
//
// Several threads must not use it at once: whoever dumps has the lock for it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_DUMPPAGES_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_DUMPPAGES_H

#include "platform/Base.h"

namespace thermocline::runtime::dumppages {

/// Reserves a range of \p Bytes. Called once, at the start. Pages that are
/// taken before that, or for which the range has no room, are mapped.
void reserve(size_t Bytes);

/// Zeroed pages of together at least \p Size bytes, to be given back. \returns
/// null if there are none.
void *take(size_t Size);

/// Gives back what take(\p Size) returned. All of it is used again when nothing
/// is taken any more.
void give(void *Pages, size_t Size);

} // namespace thermocline::runtime::dumppages

#endif
