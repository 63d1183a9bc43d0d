//===- Callsites/Sinks.h - Where a local variable goes ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `char *p = make(n);` says nothing of what the memory is for. What
// the function does later with the variable does, which stands on lines of its
// own and may be edited alone. VariableUses.h has what counts.
//
// The variable is the one that is set (`p = make(n)`), the one whose member is
// (`row.key = make(n)`), one that is declared (`Row r(make(n))`), whose method
// is called (`v.resize(n)`), or whose address is given (`create(&p)`). All
// variables that it is copied to count, too. They are followed to the end of
// the function, or until they are set anew, and around the loops that they are
// declared outside of.
//
// Each sink is a hash of what is done. If there are several, one that stands
// under conditions which the call does not has a hash with each of them as
// well: `if (a) Grid[i] = p; else Log[i] = p;`. What the names in there stand
// for counts as it does for the call itself (Values.h). Where the function is
// too long, all that is left is one sink.
//
// What takes the result, and what says where it is stored, may be functions
// that the source has. These are named, for who asks to look at what they do
// with their parameters (Functions in Constants.h).
//
// Limits: places of other names (`Grid[i] = make(n); All = Grid;`), variables
// that a lambda has of the function around it, and `goto` are not followed.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_SINKS_H
#define THERMOCLINE_LIB_CALLSITES_SINKS_H

#include "Constants.h"
#include "VariableUses.h"
#include "thermocline/Callsites/NameInSource.h"
#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace thermocline::callsites {

struct Sinks {
  /// What is done with it in one place.
  struct Place {
    uint32_t Token;
    /// The words of what counts there, and what must hold for it that need not
    /// hold for the call, if that chooses between places.
    std::vector<uint32_t> Words;
    std::vector<std::string> Conditions;
    /// What is called there may look at what was set in front.
    bool IsCall;
  };

  /// Sorted, none twice.
  std::vector<uint16_t> Hashes;
  std::vector<Place> Places;
  /// The variables.
  HolderNames Names;
  /// What takes the result, and what tells where it is stored.
  std::set<llvm::StringRef> Takers, Deciders;
  std::set<OperatorOfClass> Operators;
};

/// Where the result of the call at the token \p Place of \p File goes behind
/// it, which sets \p Target, if anything.
Sinks sinksOf(const SourceTokens &File, uint32_t Place,
              llvm::ArrayRef<uint32_t> Target, IsDefined IsOwn);

/// The sink of a variable that is stored where \p Place says, a token in each
/// line: `Grid[i] = p;`.
uint16_t storedSink(llvm::StringRef Place);

/// Where the parameter goes that is declared at the token \p Declared, behind
/// the token \p Closes, the last of the parameters, in the function whose body
/// the brace \p Opens opens.
Sinks sinksOfParameter(const SourceTokens &File, uint32_t Declared,
                       uint32_t Closes, uint32_t Opens, IsDefined IsOwn);

/// Adds to \p To hashes of what the names stand for that tell where the result
/// \p Goes: in what is done with it, and under what. Those of variables that
/// are declared in the function alone if there is no \p Meaning.
void addMeanings(const SourceTokens &File, const Sinks &Goes,
                 AddMeaning Meaning, std::set<uint16_t> &To);

} // namespace thermocline::callsites

#endif
