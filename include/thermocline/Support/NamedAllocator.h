//===- Support/NamedAllocator.h - What users name ------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An allocation function of the program's own and its cold variant, as users
// write them for the compiler and for thermo-profdata alike: NAME:VARIANT, both
// by their linkage names.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_NAMEDALLOCATOR_H
#define THERMOCLINE_SUPPORT_NAMEDALLOCATOR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <string>
#include <vector>

namespace thermocline {

struct NamedAllocator {
  std::string Name;
  std::string ColdName;
};

/// The name of the option in all tools; LLVM options have "thermocline-" before
/// it.
inline constexpr char NamedAllocatorOption[] = "alloc-function";

/// Reads NAME:VARIANT, or several with commas between them, and adds them to \p
/// Allocators. Returns what is wrong; empty if nothing is.
std::string parseNamedAllocators(llvm::StringRef Text,
                                 std::vector<NamedAllocator> &Allocators);

/// Parses such an option of LLVM's. Checks each occurrence, also against those
/// before.
class NamedAllocatorParser : public llvm::cl::parser<std::string> {
public:
  using parser::parser;
  bool parse(llvm::cl::Option &O, llvm::StringRef /*Name*/,
             llvm::StringRef Text, std::string &Value) {
    if (std::string Problem = parseNamedAllocators(Text, Parsed);
        !Problem.empty())
      return O.error(Problem);
    Value = Text.str();
    return false;
  }

  /// The values of all occurrences.
  std::vector<NamedAllocator> Parsed;
};

} // namespace thermocline

#endif
