//===- Callsites/Conditions.h - Under what a token stands -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: whether the condition under which a call is made is still the one of
// then. It may be written in another way: with braces or without, with `p` for
// `p != nullptr`, with one more `&&`. It is another one if it asks something
// else: `if (isCold(i))` for `if (isHot(i))`, or `if (!a)` for `if (a)`.
//
// So each of what must hold is one hash of its tokens, brought into one form
// (Expressions.h):
//
//   if (a && b), while (a && b)   one for a, one for b
//   else                          the same for what is not
//   a ? b : c, a && b, a || b     one for a, in b and in c
//   case X                        one for the switch with all labels there
//   default                       one for it, one for each label elsewhere
//                                 (labels of what goes on there as well)
//   if (a) return; ...            behind it the same as for else; so it is with
//                                 what breaks, continues, throws or goes on
//                                 elsewhere
//   if (a) goto x; return; x:     one for a
//   for (T t : c)                 one for c, also where a loop has c.begin()
//   for (p = a; p; p = p->next)   one for a, one for the step
//   for (i = 0; i < n && a; ++i)  one for a: numbers and bounds are not asked
//   EACH(p, c) {}                 one for all of it
//   try, catch (T &)              one for it, one for each handler in front
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_CONDITIONS_H
#define THERMOCLINE_LIB_CALLSITES_CONDITIONS_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::callsites {

/// A word that says nothing of what a call is for.
bool isCommonWord(llvm::StringRef Word);

/// Whether \p T is a number that does not tell one thing from another, such as
/// a size: one that is not small, or that is added to something. \p Before and
/// \p Behind are the tokens around it; null if there is none.
bool isAmount(const Token &T, const Token *Before, const Token *Behind);

/// The hash of one thing that counts for a call; never 0.
uint16_t hash16(const llvm::Twine &Text);

/// What must hold where the token \p Place of \p File stands, in its function:
/// sorted, none twice. The first line of each has its kind, and each other one
/// a token.
const std::vector<std::string> &conditionsAt(const SourceTokens &File,
                                             uint32_t Place);

/// Whether the values of variables in \p Condition, one of the above, count:
/// it is none that only tells what a loop goes over.
bool isValueAsked(llvm::StringRef Condition);

} // namespace thermocline::callsites

#endif
