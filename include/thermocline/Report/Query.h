//===- Report/Query.h - What a user asks about ------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the function, call, allocation or context that a few words name, as
// users take them from reports and sources. Called by `thermo-lto explain` and
// `thermo-lto dot`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_QUERY_H
#define THERMOCLINE_REPORT_QUERY_H

#include "thermocline/Report/LinkView.h"
#include "llvm/Support/Error.h"
#include <variant>

namespace thermocline::report {

/// Index into ProfileCoverage::Biggest, the lost contexts, of the view's
/// coverage.
enum class LostIndex : size_t {};

struct Subject {
  /// Index into LinkView::Parts. Has no meaning for a lost context.
  size_t Part = 0;
  /// The thing that was found. It is a stack id alone if no call of the link
  /// has this frame.
  std::variant<context::FunctionId, context::CallsiteId, context::AllocationId,
               context::ContextId, StackId, LostIndex>
      What;
};

/// What \p Query names, in the order of the link; at least one:
///
///   FUNCTION            symbol or demangled name, with or without its scope
///   and
///                       parameters; also of a function that was inlined
///   FUNCTION:LINE[:COL] calls at this place, lines as in reports, with or
///                       without "+" ("FUNCTION +LINE:COL" as well)
///   FUNCTION#N          its allocation N, as the list of decisions counts them
///   N, context:N        the context of this number in the report
///   0xID                the context of this id, or the calls of this stack id
///
/// After them come the lost contexts that FUNCTION allocates, or that have this
/// id, if the view has its coverage.
///
/// The error says that nothing matches, and names what is similar.
llvm::Expected<std::vector<Subject>> findSubjects(const LinkView &View,
                                                  llvm::StringRef Query);

/// A demangled name without its parameters: "ns::f" for "ns::f(int) const".
llvm::StringRef withoutParameters(llvm::StringRef Demangled);

} // namespace thermocline::report

#endif
