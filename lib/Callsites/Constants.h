//===- Callsites/Constants.h - What names of a file stand for ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a statement that stays as it is may mean something else, because of
// what is defined outside of its function:
//
//   constexpr int Slot = 0;                 a variable with a value
//   char **Tables[] = {Grid, Log};          one with several
//   template <class T> T *Rows = Grid;      and a template of one
//   enum { Even, Odd };                     enumerators
//   using Kind = Cold; typedef Cold Kind;   another name of a type
//   void init() { To = Grid; }              what functions set a variable or a
//                                           member to, if it is of the file
//
//   void put(T **To, T *p) { To[0] = p; }   what a function does with what it
//   bool isCold(int i) { return i % 2; }    gets, and what it decides
//   T &operator[](int i) { ... }            what an operator does that takes
//                                           something, tells a place or decides
//
// Such definitions are read from namespaces and, but for types, from classes.
// What tells an enumerator without a value from others is its order among them;
// so more may come, anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_CONSTANTS_H
#define THERMOCLINE_LIB_CALLSITES_CONSTANTS_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace thermocline::callsites {

struct NamedValue {
  llvm::StringRef Name;
  /// The namespace or class that it is in; empty outside of all.
  llvm::StringRef Scope;
  /// What it is, as the file has it; all of its values if it has several.
  llvm::SmallVector<llvm::StringRef, 2> Values = {};
  /// The enumerators that it is behind, and those that it is in front of, as
  /// far as these have no value of their own.
  llvm::SmallVector<llvm::StringRef, 4> Behind = {};
  llvm::SmallVector<llvm::StringRef, 4> InFrontOf = {};
  /// A function sets it: the value is what stands behind the name, as in
  /// `.To = Grid`. The scope of a member that is set so is `member`. A class
  /// has the values that parameters of its constructors have by default.
  bool IsSet = false;
  /// What must hold for each of its values, if it is set.
  std::vector<std::string> Conditions = {};
};

/// The definitions in \p File, in their order, then what functions set. Those
/// of more than 16 values, or behind more enumerators, are left out. A number
/// that is given no value is 0.
std::vector<NamedValue> constantsIn(const SourceTokens &File);

/// A function that is defined in a file.
struct NamedFunction {
  llvm::StringRef Name;
  /// As that of a value.
  llvm::StringRef Scope;
  /// Its parameters, by the tokens that declare them, the parenthesis behind
  /// them, and the brace that opens its body.
  llvm::SmallVector<uint32_t, 4> Parameters;
  uint32_t Closes = 0;
  uint32_t Opens = 0;
  /// What it returns can be no place: `int f()`.
  bool IsNumber = false;
};

/// The functions with names that \p File defines, those of classes as well, in
/// their order.
std::vector<NamedFunction> functionsIn(const SourceTokens &File);

/// An operator for objects of a class.
struct OperatorOfClass {
  llvm::StringRef Class;
  llvm::StringRef Name;

  bool operator<(const OperatorOfClass &Other) const {
    return std::tie(Class, Name) < std::tie(Other.Class, Other.Name);
  }
};

/// What an operator of a class is called that is looked at, by its signs, or by
/// its type; empty if it is none. The others calculate.
llvm::StringRef operatorName(llvm::StringRef Signs);

/// The name of an operator that may tell a place, by the first of its signs.
llvm::StringRef operatorOfPlace(const Token &Sign);

/// The namespaces that \p File uses as a whole.
std::vector<llvm::StringRef> namespacesUsedIn(const SourceTokens &File);

/// The classes of \p File, each with one of its bases.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>>
basesIn(const SourceTokens &File);

/// Names that \p File takes from a namespace or a class: `using A::put;`, each
/// with what it is taken from.
std::vector<std::pair<llvm::StringRef, llvm::StringRef>>
namesUsedIn(const SourceTokens &File);

} // namespace thermocline::callsites

#endif
