//===- Callsites/NameInSource.h - Names, and who knows them -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call is for depends on what names stand for: macros, constants,
// functions. One file does not tell. So who describes a call (CallText.h) asks
// for each name, and says how it is used.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_NAMEINSOURCE_H
#define THERMOCLINE_CALLSITES_NAMEINSOURCE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
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
  /// it does nothing else. Or that of an operator. Or what is called in the
  /// end: a function, or a variable whose value names some.
  enum class Role : uint8_t {
    None,
    Taker,
    Decider,
    Locator,
    Setter,
    Operator,
    Callback
  };
  Role Is = Role::None;
  /// For an operator, the class of the objects that it is for.
  llvm::StringRef Class = {};
};

/// Adds hashes of what \p Name stands for, if it is a macro or a constant; or
/// of what it does, if it is a function with a role.
using AddMeaning =
    llvm::function_ref<void(const NameInSource &Name, std::set<uint16_t> &To)>;

/// Whether the program defines a function of this name, so that the name does
/// not say what it does.
using IsDefined = llvm::function_ref<bool(llvm::StringRef Name)>;

/// Whether the argument \p Index of the function \p Name may be a size, as far
/// as the program tells. Other numbers choose something.
using TakesSize =
    llvm::function_ref<bool(llvm::StringRef Name, unsigned Index)>;

} // namespace thermocline::callsites

#endif
