//===- Callsites/VariableUses.h - What a statement does with it -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the memory is for that a variable holds, other statements say:
//
//   Grid[i] = p;  x->key = p + 8;      stored
//   return p;                          returned
//   put(Grid, p);  All.push_back(p);   taken, with what stands beside it
//   std::swap(p, Grid[i]);             exchanged
//   T *q = p;  Row r{p};  r.key = p;   another variable has it, too
//   if (p)  p->x = 1;  p[0]  free(p)   nothing
//
// Other names for `p`, casts and std::move do not count in what is said. All
// else does: another number may choose another place. What a function is known
// for by its name (`memset`, `move`, `push_back`) is not known of one that the
// program defines.
//
// What is read through a pointer (`p->next`, `*p`) is other memory, but may be
// of the same call; it counts as taken where it is given on.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_VARIABLEUSES_H
#define THERMOCLINE_LIB_CALLSITES_VARIABLEUSES_H

#include "Constants.h"
#include "Locals.h"
#include "thermocline/Callsites/NameInSource.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace thermocline::callsites {

struct VariableUse {
  enum class Kind { Taken, Stored, Returned, Exchanged };
  struct Goal {
    Kind Is;
    /// What tells it from others of the kind.
    std::string Text;
    /// The variable has it behind as well, if what is done is done: `p = f(p)`,
    /// or it is what the variable points to.
    bool IsFree;
    /// The function that takes it, or the class of the object that does.
    llvm::StringRef Taker = {};
  };
  llvm::SmallVector<Goal, 2> Goals;
  /// Local variables that have it from here on; or what a function made of it;
  /// or in which it is stored, or behind which.
  struct Holder {
    llvm::StringRef Name;
    bool IsResult;
    bool IsInside = false;
  };
  llvm::SmallVector<Holder, 2> Holders;
  /// Functions that tell the place in which it is stored: `*slot(i) = p`; or
  /// that are called on it.
  llvm::SmallVector<llvm::StringRef, 1> Deciders;
  /// And operators that do: `Slots[i] = p`.
  llvm::SmallVector<OperatorOfClass, 1> Operators;
  /// The words that the texts of its goals have, but for its names.
  llvm::SmallVector<uint32_t, 8> Words;
  /// What is called there may look at what was set in front.
  bool IsCall = false;
  /// A function gets the address of the variable, and nothing else that has a
  /// name: it may fill it.
  bool IsLent = false;
};

/// Variables by their names. Some do not have the result themselves: it is
/// inside of them, or behind them. What they are counts.
struct HolderNames {
  AlikeNames All;
  llvm::StringSet<> Inside;
};

/// What the statement of the token \p Place, a variable of \p Variables, does
/// with it. All of \p Names stand for the same.
VariableUse useAt(const SourceTokens &File, const Locals &Variables,
                  uint32_t Place, const HolderNames &Names, IsDefined IsOwn);

} // namespace thermocline::callsites

#endif
