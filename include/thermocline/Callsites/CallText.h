//===- CallText.h - What the source has around a call -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: whether a call of then is one of now, when its line was edited. That
// both call the same says nothing: `Grid[i] = make(n)` may have become
// `Log[i] = make(n)`. What tells is what the call is for.
//
// So a call is described by its statement: by all of its tokens, by those in
// front of the call, by what its result is stored in, and by the words of the
// rest and the order of its parts. Other statements of the same block on the
// same line belong to it. What encloses it (if, loops, cases) is noted as well,
// and what macros and constants stand for. Comments, spaces and the end of
// lines do not count.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_CALLTEXT_H
#define THERMOCLINE_CALLSITES_CALLTEXT_H

#include "thermocline/Callsites/SourceTokens.h"
#include "thermocline/Profile/CallTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace thermocline::callsites {

/// A name that is used in a statement or in its conditions.
struct NameInSource {
  llvm::StringRef Name;
  /// It is a variable of the function, a member of an object, or neither.
  enum class Kind : uint8_t { Local, Member, Global };
  Kind What;
  /// A condition depends on its value.
  bool IsAsked;
  /// It is that of a function, of which what it does with what it gets counts;
  /// or what it returns, perhaps only if that is no number; or what it sets, if
  /// it does nothing else. Or that of an operator.
  enum class Role : uint8_t { None, Taker, Decider, Locator, Setter, Operator };
  Role Is = Role::None;
  /// For an operator, the class of the objects that it is for.
  llvm::StringRef Class = {};
};

/// Adds hashes of what \p Name stands for, if it is a macro or a constant; or
/// of what it does, if it is a function with a role.
using AddMeaning =
    llvm::function_ref<void(const NameInSource &Name, std::set<uint16_t> &To)>;

/// Describes the call at \p Line and \p Column of \p File in what \p Call says
/// of its text. Leaves it as it is if there is no token. \p Callee is the name
/// that source has for what it calls, without scopes and template arguments;
/// empty if it is not known.
void describeCall(const SourceTokens &File, uint32_t Line, uint32_t Column,
                  llvm::StringRef Callee, profile::SourceCall &Call,
                  AddMeaning Meaning = nullptr);

} // namespace thermocline::callsites

#endif
