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
// So it is with variables that the call gets, if they are set to a place or to
// something else that chooses: `Kind = 1`, `IsLog = true`.
//
// A value may be of other variables, and may be set under conditions, which
// count as well, with what their names stand for; and so does what changes it:
//
//   char **To = Grid;
//   if (isLog(i)) To = Log;
//   while (!fits(To)) ++To;
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_VALUES_H
#define THERMOCLINE_LIB_CALLSITES_VALUES_H

#include "Constants.h"
#include "Locals.h"
#include "thermocline/Callsites/NameInSource.h"
#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::callsites {

/// Variables that tell what a call is for.
struct VariablesOfCall {
  /// In front of it and around, with what only says how often or how much.
  std::set<llvm::StringRef> InFront;
  /// In front of it, or with values that conditions ask; and these alone.
  std::set<llvm::StringRef> Telling;
  std::set<llvm::StringRef> Asked;
  /// In what the result is stored in.
  std::set<llvm::StringRef> OfTarget;
  /// What the call gets, or is made on.
  std::set<llvm::StringRef> Passed;
  /// Words of the statement with members behind them, `h->rows[i]`; and those
  /// in brackets, with and without.
  std::vector<uint32_t> Owners, Indices;
  /// What the result is stored in, and conditions, a token in each line: where
  /// members of variables are asked.
  std::vector<std::string> Paths;
  /// What is set in front may tell what functions do that are called.
  bool HasState = true;
};

/// What is left to ask of names in values.
struct ValuesInFront {
  /// Functions that give a variable its value.
  std::set<llvm::StringRef> Deciders;
  /// Functions that a statement does nothing but call, with its text, and
  /// whether what they set counts, whatever it is.
  std::vector<std::pair<llvm::StringRef, std::string>> Setters;
  bool HasState = true;
  /// Variables that nothing in front sets, unless setters do, with the members
  /// that are asked.
  std::map<llvm::StringRef, std::set<std::string>> Unset;
  /// The words of values that tell something.
  std::vector<uint32_t> Words;
  /// Under what such values are set.
  std::set<std::string> Conditions;
  /// Hashes of what variables are that the call gets.
  std::set<uint16_t> Given;
};

/// Adds to \p To hashes of what those of \p Variables are which are declared in
/// the function of the call, the token \p CallPlace, and that others are not.
/// Variables that are called \p Alike are so in values.
ValuesInFront addValues(const SourceTokens &File, uint32_t CallPlace,
                        const VariablesOfCall &Variables,
                        const AlikeNames &Alike, std::set<uint16_t> &To);

/// What a function that does nothing but set variables has for one of the name
/// \p Name, or for a member.
uint16_t hashOfSet(llvm::StringRef Name);

/// Visits each word of \p Text, which has one in each line, with the one in
/// front of it.
void forEachWord(
    llvm::StringRef Text,
    llvm::function_ref<void(llvm::StringRef Word, llvm::StringRef Before)>
        Visit);

/// Visits each name in \p Condition, as conditionsAt() has it, that may be one
/// of a variable.
void forEachVariable(llvm::StringRef Condition,
                     llvm::function_ref<void(llvm::StringRef Name)> Visit);

/// Adds what names stand for, where a token stands.
class Meanings {
public:
  /// Asks \p Meaning to add hashes to \p To.
  Meanings(const SourceTokens &File, uint32_t Place, AddMeaning Meaning,
           std::set<uint16_t> &To)
      : File(File), Place(Place), Function(File, Place), Meaning(Meaning),
        To(To) {}

  /// The word \p I, on whose value a condition depends if it \p IsAsked.
  void addWord(uint32_t I, bool IsAsked);
  /// All words of \p Condition, as conditionsAt() has it, and the functions
  /// that are called in it.
  void addCondition(llvm::StringRef Condition);
  void addFunction(llvm::StringRef Name, NameInSource::Role Is);
  void addOperator(OperatorOfClass Operator);
  void addClass(llvm::StringRef Name);
  void addValues(const ValuesInFront &Values);

private:
  void addName(llvm::StringRef Name, llvm::StringRef Before, bool IsAsked);
  bool isLocal(llvm::StringRef Name) const {
    return Function.declaration(Name, Place).has_value();
  }

  const SourceTokens &File;
  const uint32_t Place;
  const Locals Function;
  const AddMeaning Meaning;
  std::set<uint16_t> &To;
};

} // namespace thermocline::callsites

#endif
