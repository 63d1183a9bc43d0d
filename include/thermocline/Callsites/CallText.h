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

#include "thermocline/Callsites/NameInSource.h"
#include "thermocline/Callsites/SourceTokens.h"
#include "thermocline/Profile/CallTable.h"
#include <cstdint>
#include <set>
#include <vector>

namespace thermocline::callsites {

/// Describes the call at \p Line and \p Column of \p File in what \p Call says
/// of its text. Leaves it as it is if there is no token. \p Callee is the name
/// that source has for what it calls, without scopes and template arguments;
/// empty if it is not known. \p Nameless is withoutLocalNames() of \p File;
/// null if SourceCall::Nameless is not asked for.
void describeCall(
    const SourceTokens &File, const SourceTokens *Nameless, uint32_t Line,
    uint32_t Column, llvm::StringRef Callee, profile::SourceCall &Call,
    AddMeaning Meaning = nullptr,
    IsDefined IsOwn = [](llvm::StringRef) { return false; },
    TakesSize IsSize = [](llvm::StringRef, unsigned) { return true; });

/// Whether the name \p Callee stands there, which is as of describeCall().
bool isNamedAt(const SourceTokens &File, uint32_t Line, uint32_t Column,
               llvm::StringRef Callee);

/// What SourceCall::Words are of names and small numbers.
struct NamesInCall {
  /// Those of each argument, and of what the result is stored in.
  std::vector<std::set<uint16_t>> Arguments = {};
  std::set<uint16_t> Target = {};
};
NamesInCall namesAt(const SourceTokens &File, uint32_t Line, uint32_t Column,
                    llvm::StringRef Callee);

/// The same of the variables of the function that the place is in.
struct VariableNames {
  /// One for each, in their order.
  std::vector<uint16_t> Parameters = {};
  std::set<uint16_t> Others = {};
};
VariableNames variablesAt(const SourceTokens &File, uint32_t Line,
                          uint32_t Column);

/// SourceFunction::Locals of the function that the call at \p Line and \p
/// Column of \p File is in.
std::vector<uint16_t> localsAt(const SourceTokens &File, uint32_t Line,
                               uint32_t Column);

} // namespace thermocline::callsites

#endif
