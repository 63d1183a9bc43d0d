//===- thermo-profdata/export/LinkOutcomes.h - What links made --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile says which contexts are cold, and the report of a link which of
// them it hints. The others are lost.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_LINKOUTCOMES_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_LINKOUTCOMES_H

#include "../ContextList.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace thermocline::profdata {

/// The outcomes of the contexts of a profile in links of it.
class LinkOutcomes {
public:
  /// Reads \p Reports, as links and `thermo-lto audit` write them in JSON. It
  /// is an error if one was made without a profile, or of one with other cold
  /// bytes than \p List, which has all of its contexts.
  static llvm::Expected<LinkOutcomes> read(llvm::ArrayRef<std::string> Reports,
                                           const ContextList &List);

  /// The bytes of \p C if it is cold and no link hints it, else 0.
  uint64_t lostBytes(const ListedContext &C) const {
    return Lost.count(C.Id) ? C.Info.TotalSize : 0;
  }

  /// The reason that reports give for a context that is lost; may be empty.
  llvm::StringRef reason(const ListedContext &C) const {
    auto Found = Lost.find(C.Id);
    return Found == Lost.end() ? llvm::StringRef() : Found->second;
  }

private:
  /// Reasons, by the ids of contexts.
  std::map<uint64_t, std::string> Lost;
};

} // namespace thermocline::profdata

#endif
