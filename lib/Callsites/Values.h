//===- Callsites/Values.h - What a variable was set to ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call is for may depend on what a variable in its statement stands for:
//
//   char **To = Grid;
//   To[i] = make(n);
//
// So what such a variable is set to in front of the call counts as well: by the
// last statement that is always run before it, and by those in between.
// Counters of loops do not, nor do numbers that only tell how much. And so does
// what the name is bound to:
//
//   void f(char **Grid, char **Log)   which parameter of its type
//   auto [Grid, Log] = tables();      which element
//   Grid[i] = make(n);                that no variable of the function hides it
//
// What the members of an object that the call gets are set to counts, if that
// is a place: `Job.to = Grid; run(&Job);`. So it is with what it is given by
// statements that give it places alone: `Job.setTo(Grid);`, and
// `init(&Job, Grid);`. The same holds of global variables, and of functions
// that get global ones: `To = Grid; select(Grid); fill(i);`. Other statements
// in front that only call a function may be setters; who knows that function
// tells.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_VALUES_H
#define THERMOCLINE_LIB_CALLSITES_VALUES_H

#include "thermocline/Callsites/SourceTokens.h"
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::callsites {

/// Variables that tell what a call is for.
struct VariablesOfCall {
  /// In front of it and around, with what only says how often or how much.
  std::set<llvm::StringRef> InFront;
  /// In front of it, or with values that conditions ask.
  std::set<llvm::StringRef> Telling;
  /// In what the result is stored in.
  std::set<llvm::StringRef> OfTarget;
  /// Objects that the call gets; and those of which it gets the address.
  std::set<llvm::StringRef> Passed;
  std::set<llvm::StringRef> ByAddress;
};

/// What is left to ask of functions.
struct FunctionsInFront {
  /// Functions that give a variable its value.
  std::set<llvm::StringRef> Deciders;
  /// Functions that a statement does nothing but call, with its text.
  std::vector<std::pair<llvm::StringRef, std::string>> Setters;
};

/// Adds to \p To hashes of what those of \p Variables are which are declared in
/// the function of the call, the token \p CallPlace, and that others are not.
FunctionsInFront addValues(const SourceTokens &File, uint32_t CallPlace,
                           const VariablesOfCall &Variables,
                           std::set<uint16_t> &To);

} // namespace thermocline::callsites

#endif
