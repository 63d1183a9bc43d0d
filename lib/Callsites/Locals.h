//===- Callsites/Locals.h - Variables of a function -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `Head = p;` gives memory away if Head is a global variable or a
// member, but only another name if it is a local one. Nothing is looked up, so
// a declaration is what looks like one: `T Head`, `T *Head = x`, `auto &[Head`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_LOCALS_H
#define THERMOCLINE_LIB_CALLSITES_LOCALS_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thermocline::callsites {

/// Names of variables that have the same, by what they have: one number for
/// each result of a call.
using AlikeNames = llvm::StringMap<unsigned>;

/// What stands for the variable \p Name of \p Alike; the name itself if it is
/// none of them.
std::string spelled(llvm::StringRef Name, const AlikeNames &Alike);

/// The variables of the function, or of the lambda, that a token is in.
class Locals {
public:
  Locals(const SourceTokens &File, uint32_t Place);

  /// The tokens of the function.
  uint32_t begin() const { return Begin; }
  uint32_t end() const { return End; }

  /// Whether the token \p I declares a variable of its name.
  bool isDeclared(uint32_t I) const {
    return llvm::binary_search(File.declarationsOf(File[I].Text), I);
  }
  /// The last declaration of \p Name before the token \p Before, if any.
  std::optional<uint32_t> declaration(llvm::StringRef Name,
                                      uint32_t Before) const;
  /// Whether the declaration \p I is of a parameter.
  bool isParameter(uint32_t I) const { return I < Body; }
  /// Whether what is declared at \p I is a reference.
  bool isReference(uint32_t I) const { return I && File[I - 1].is("&"); }
  /// Whether what is declared at \p I can hold no memory: `int n`.
  bool isNumber(uint32_t I) const;
  /// Whether what is declared at \p I outlives the function.
  bool isStatic(uint32_t I) const;
  /// Whether nothing sets the variable, from its declaration \p I to the token
  /// \p Before.
  bool isUnset(uint32_t I, uint32_t Before) const;
  /// The names in the types that \p Name is declared with: by the function
  /// before the token \p Before, else anywhere in the file.
  std::set<llvm::StringRef> classesOf(llvm::StringRef Name,
                                      uint32_t Before) const;

private:
  const SourceTokens &File;
  uint32_t Begin;
  uint32_t Body;
  uint32_t End;
};

/// The tokens that are the first to declare a variable of their name in the
/// outermost function that the token \p Place is in; none if it is in none.
std::vector<uint32_t> localsAround(const SourceTokens &File, uint32_t Place);

} // namespace thermocline::callsites

#endif
