//===- Callsites/Expressions.h - What a condition asks ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: whether two conditions ask the same, when one of them was written in
// another way. Each is brought into one form, by what is true of all values:
//
//   a > b                    b < a
//   !(a < b), !(a == b)      b <= a, a != b
//   !(a && b), !(a || b)     !a || !b; !a and !b
//   b == a, b & a            operands in the order of their text
//   p != nullptr, p != 0     p
//   ((a)), likely(a)         a
//
// All else counts as it stands: names, numbers, signs, and the order of
// operands and arguments. Nothing is known of types, so `a + b` is not `b + a`,
// and what is no expression has a form as well, which is the same for the same
// tokens.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_EXPRESSIONS_H
#define THERMOCLINE_LIB_CALLSITES_EXPRESSIONS_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::callsites {

/// Tokens as they count in a condition.
using Spelling = std::vector<std::string>;

/// \p Parts, with line ends between them.
std::string joinLines(llvm::ArrayRef<std::string> Parts);

/// The tokens \p Indices of \p File, with those of the blocks in them, as
/// lambdas have them. `nullptr` and the like are numbers, and numbers are
/// decimal.
Spelling spell(const SourceTokens &File, llvm::ArrayRef<uint32_t> Indices);

/// Each of what must hold so that \p Condition holds, or does not if it \p
/// IsNegated. What asks nothing of any name is left out.
std::vector<std::string> termsOf(llvm::ArrayRef<std::string> Condition,
                                 bool IsNegated = false);

/// An expression whose value counts.
std::string valueOf(llvm::ArrayRef<std::string> Expression);

/// Whether \p Token is a name or a string, not a number or sign.
bool isNameOrString(llvm::StringRef Token);

/// The number of the first \p Sign outside of parentheses; that of tokens if
/// there is none.
size_t findOutside(llvm::ArrayRef<std::string> Tokens, llvm::StringRef Sign);

/// What stands between each \p Sign outside of parentheses.
llvm::SmallVector<llvm::ArrayRef<std::string>, 4>
splitOutside(llvm::ArrayRef<std::string> Tokens, llvm::StringRef Sign);

} // namespace thermocline::callsites

#endif
