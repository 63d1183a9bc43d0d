//===- output/DumpPages.h - Memory for writing a profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pages for the time of a dump, from a range of addresses reserved when the
// program starts. A dump maps none: the program may have forbidden that
// meanwhile (RLIMIT_AS, a sandbox), and where a library was just unloaded
// nothing may lie until its addresses are reserved (Segments.h).
//
// Not for several threads at once: whoever dumps has the lock for it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_DUMPPAGES_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_DUMPPAGES_H

#include "platform/Base.h"

namespace thermocline::runtime::dumppages {

/// Called once, at the start; what is taken before, or if there is no room, or
/// beyond it, is mapped.
void reserve();

/// Zeroed pages of together at least \p Size bytes, to be given back. \returns
/// null if there are none.
void *take(size_t Size);

/// Gives back what take(\p Size) returned. All of it is used again when nothing
/// is taken any more.
void give(void *Pages, size_t Size);

} // namespace thermocline::runtime::dumppages

#endif
