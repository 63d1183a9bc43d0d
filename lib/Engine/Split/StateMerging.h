//===- Split/StateMerging.h - Few versions that keep all apart --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the smallest machine that gives each state of the subset
// construction its labels. That is minimum consistent automaton, NP-hard; but
// top-down merging in the manner of RPNI (Oncina and García, 1992) and of the
// blue fringe (Lang, Pearlmutter and Price, 1998) comes close where cold
// follows a few callsites.
//
// Versions are classes of states. Those that are settled grow from the
// originals along calls: the class that a settled one calls is merged into one
// of the settled classes of the callee with which it agrees, the one that
// gains the fewest new constraints by it, or becomes a version of its own.
// Merging two classes merges what they call by the same call, and so on; where
// a cold label meets a not-cold one all of it is undone.
//
//   * Classes that lead to not-cold labels come first, so that what they need
//     is known when the others, purely cold, are placed.
//   * Pure classes never disagree among each other. One goes to the callee's
//     original if no pure class of that function needs another version
//     (`NeedsColdVersion`: least fixpoint, as in TwoVersions.h), else all go
//     to one cold version.
//
// Invariant: the settled classes with their calls, together with the rest of
// the subset construction, always give every label; so the result has all that
// can be had.
//
// Cost: merges that hold are linear in the subset construction, times a
// logarithm. Those that are undone cost what they visited; past a fixed
// multiple of the subset construction's size no more are tried, and classes
// become versions untried.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_STATEMERGING_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_STATEMERGING_H

#include "SubsetConstruction.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// \p Order says in which order mixed classes are placed: 0 by distance from
/// the originals and function, other numbers by dice. \p CutShort tells whether
/// the limit on undone merges was met.
Decisions mergeStates(const ContextProgram &Program, const Resolution &Resolved,
                      const SubsetConstruction &Subsets, uint32_t Order,
                      bool &CutShort);

} // namespace thermocline::context

#endif
