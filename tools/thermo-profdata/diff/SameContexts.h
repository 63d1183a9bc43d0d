//===- diff/SameContexts.h - Which context became which ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: two profiles of one program need not have one context under one id.
// The names of local functions depend on the folder that the program was built
// in, and an edit moves calls. The compiler, which has a profile of then and
// the source of now, knows what is the same all the same (Annotate/Edits). Here
// both sides are profiles, and each has a table of the calls of its source.
//
// So the functions of the later profile are compared with those of the earlier
// one as if they were one module. What the later profile knows by name alone is
// taken for declared: it is not gone.
//
// Cost: that of EditedSource, and linear in the frames of both profiles.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_SAMECONTEXTS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_SAMECONTEXTS_H

#include "../ContextList.h"
#include "llvm/Support/Error.h"
#include <set>
#include <vector>

namespace thermocline::profdata {

/// Two profiles, and which of their contexts are the same.
struct SameContexts {
  /// For each context of the later profile, that of the earlier one; null if
  /// there is none. No two have the same.
  std::vector<const ListedContext *> Was;
  /// For each context of the later profile, whether a call of it was edited so
  /// that it may be for something else, or is new.
  std::vector<bool> IsStale;

  /// Compares \p After with \p Before. The error is that of a damaged profile.
  static llvm::Expected<SameContexts> find(const ContextList &Before,
                                           const ContextList &After);
};

} // namespace thermocline::profdata

#endif
