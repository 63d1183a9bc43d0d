//===- thermo-profdata/diff/Comparison.h - Two profiles ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs between two profiles of the same program, or of two versions of
// it. Which contexts are the same is told as the compiler would
// (SameContexts.h). Each difference is listed once, by what matters most: first
// whether the context appeared or disappeared, then a changed class, then
// changed bytes. What sampling explains is listed last, and is no change.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_COMPARISON_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_DIFF_COMPARISON_H

#include "../ContextList.h"
#include "SameContexts.h"
#include "thermocline/Profile/Raw/RawIndexer.h"

namespace thermocline::profdata {

enum class ChangeKind : uint8_t {
  Disappeared,
  Appeared,
  BecameCold,
  BecameNotCold,
  Grew,
  Shrank,
  /// Any of these, but sampling explains it. It is not counted as a change.
  WithinError,
};
constexpr unsigned NumChangeKinds =
    static_cast<unsigned>(ChangeKind::WithinError) + 1;

struct Change {
  ChangeKind Kind;
  /// A call of it was edited so that it may be for something else, or is new.
  bool IsEdited;
  /// Null if the context is in the other profile only.
  const ListedContext *Before;
  const ListedContext *After;

  /// The number of bytes by which the profiles differ; for a changed class, the
  /// bytes that changed it.
  uint64_t weight() const;
};

struct Comparison {
  /// By kind, then those that weigh most first.
  std::vector<Change> Changes;
  /// The contexts of the later profile that are as they were.
  std::vector<const ListedContext *> Same;
  profile::ContextCount Unchanged;
  /// By kind.
  profile::ContextCount Counts[NumChangeKinds];
};

/// "became cold".
llvm::StringRef name(ChangeKind Kind);

/// Compares the contexts of two profiles, which must outlive the result. \p
/// Same says which are the same.
Comparison compare(const ContextList &Before, const ContextList &After,
                   const SameContexts &Same);

} // namespace thermocline::profdata

#endif
