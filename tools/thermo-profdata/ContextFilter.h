//===- thermo-profdata/ContextFilter.h - Contexts asked for -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Selects contexts by --function=, --cold and --top=, and sums them up by
// --by=.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_CONTEXTFILTER_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_CONTEXTFILTER_H

#include "Askers.h"
#include "ContextList.h"
#include "RawCalls.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "llvm/Support/Regex.h"
#include <functional>
#include <unordered_map>

namespace thermocline::profdata {

/// Selects contexts with a function whose name matches.
class FunctionFilter {
public:
  /// Returns an error if \p Pattern is no regular expression. An empty one
  /// selects everything.
  static llvm::Expected<FunctionFilter> create(llvm::StringRef Pattern);

  bool isEmpty() const { return !Pattern; }
  /// Whether a part of the name that is shown, or of the linkage name, matches.
  bool matches(llvm::GlobalValue::GUID Function,
               const profile::FunctionNames &Names);
  bool matches(const ListedContext &C, const profile::FunctionNames &Names);
  bool matches(profile::RawAddresses Addresses, const RawCalls &Calls);

private:
  std::unique_ptr<llvm::Regex> Pattern;
  /// By function, or in raw profiles by address.
  std::unordered_map<uint64_t, bool> Known;
};

/// Takes those contexts out of \p List that \p Settings do not ask for, and all
/// but the first \p Top of the others.
llvm::Error filterContexts(const ProfileSettings &Settings,
                           const profile::FunctionNames &Names,
                           std::optional<unsigned> Top, ContextList &List);

/// Writes the totals of the contexts of \p List by what \p Command says, most
/// bytes first. Below a funnel come those that ask it for most.
llvm::Error writeTotals(const ShowCommand &Command, const ContextList &List,
                        const profile::FunctionNames &Names, const Askers &Who,
                        llvm::raw_ostream &OS);

} // namespace thermocline::profdata

#endif
