//===- Profile/Indexed/CommonCalls.h - Calls of many contexts ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call through which many contexts go, cold ones and others, is a step on the
// way to all sorts of memory: the loop of a server, the function that runs a
// command, a wrapper of malloc. It does not say by itself what memory is for,
// so that under which conditions it is made says nothing of that either. When
// such a call is edited, less evidence will do (Annotate/Edits/CallEvidence.h).
//
// Contexts that have the same calls, however often, count once: the depth of a
// recursion says nothing. So do those of one class that differ only in what was
// inlined.
//
// Cost: linear in the frames of all contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_INDEXED_COMMONCALLS_H
#define THERMOCLINE_LIB_PROFILE_INDEXED_COMMONCALLS_H

#include "thermocline/Profile/HeapProfile.h"
#include <set>
#include <vector>

namespace thermocline::profile {

/// So many contexts go through a common call, at least.
inline constexpr unsigned LeastOfCommonCall = 16;

/// The stack ids of these calls. \p AreCold tells of each context of \p Heap,
/// in their order, whether it is cold.
std::set<uint64_t> findCommonCalls(const HeapProfile &Heap,
                                   const std::vector<bool> &AreCold);

} // namespace thermocline::profile

#endif
