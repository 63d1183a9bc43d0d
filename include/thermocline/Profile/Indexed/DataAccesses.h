//===- Indexed/DataAccesses.h - Accesses to static data ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's data access profile, a part of version 4 of the memory profile: how
// often global variables and string literals were accessed, and which ones the
// profiled program had and never touched. Thermocline hints no static data. It
// keeps what others measured, for clang's -memprof-annotate-static-data-prefix.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_INDEXED_DATAACCESSES_H
#define THERMOCLINE_PROFILE_INDEXED_DATAACCESSES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace thermocline::profile {

class DataAccesses {
public:
  struct Place {
    std::string File;
    uint32_t Line = 0;
    auto operator<=>(const Place &) const = default;
  };
  /// What is known of a variable or a literal that was accessed.
  struct Sampled {
    uint64_t Accesses = 0;
    /// Where it is in the source; may be empty.
    std::vector<Place> Places = {};
  };

  /// Reads what LLVM's writer wrote at \p Offset of \p Contents, and checks all
  /// that LLVM's reader trusts. Errors do not name the file.
  static llvm::Expected<DataAccesses> parse(llvm::StringRef Contents,
                                            uint64_t Offset);

  bool empty() const;
  /// The number of variables and literals that were accessed.
  size_t numSampled() const { return Symbols.size() + Literals.size(); }
  /// The number of those that the program had and nobody accessed.
  size_t numCold() const {
    return coldSymbols().size() + coldLiterals().size();
  }
  /// All accesses, at most UINT64_MAX.
  uint64_t accesses() const;

  /// Adds \p Weight times what \p Other says. Accesses are added. Where one
  /// profile accessed what another did not, it is accessed. In which order
  /// profiles are added changes nothing.
  void add(const DataAccesses &Other, uint64_t Weight);

  /// The bytes that LLVM's reader takes; none if it is empty.
  llvm::Expected<std::string> serialize() const;

private:
  std::set<std::string> coldSymbols() const;
  std::set<uint64_t> coldLiterals() const;

  /// By the name without suffixes, as LLVM keeps it.
  std::map<std::string, Sampled> Symbols;
  /// By the hash of the text.
  std::map<uint64_t, Sampled> Literals;
  /// What a profile has that did not access it; others may have done so.
  std::set<std::string> UntouchedSymbols;
  std::set<uint64_t> UntouchedLiterals;
};

} // namespace thermocline::profile

#endif
