//===- thermocline/Instrument/UpdatePlanner.h - Fewer updates ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces several counter updates by one, if that leaves the sum over each
// allocation as it is.
//
// Problem: an update is a load, an addition and a store, and there is one for
// each access. But nobody asks which of an allocation's counters counted what:
// the runtime sums them. So what matters is the object that an address points
// into, and address arithmetic never leaves it: pointers computed from one
// pointer, the *base*, are pointers into one object.
//
//   * Accesses of one base that always happen together are one update of their
//     number, at the first of them: in a block, or in blocks that execute
//     equally often.
//   * Accesses in a loop, of a base that the loop does not change, are one
//     update outside of it: in front of it, times its trip count, if that is
//     known there and the access happens in each iteration; else a register
//     counts them, and what it has is added where the loop is left.
//   * What is left is counted by later updates of the object where there are
//     some: a register says what they have to count besides.
//
// Invariant: between the accesses that one update counts there is nothing that
// may not return (a call that may exit or throw). If the update comes after the
// accesses, there is also nothing that may end the object's life (a call that
// may free it, or a synchronization after which another thread may). An update
// that comes before its accesses needs no more, because an object that is
// accessed later is alive until then. So the sums are exact, not estimates.
// Updates of masked accesses stay as they are.
//
// Cost: linear in the function for blocks and loops; blocks that execute
// equally often are looked for over a bounded number of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_UPDATEPLANNER_H
#define THERMOCLINE_INSTRUMENT_UPDATEPLANNER_H

#include "thermocline/Instrument/Accesses.h"
#include "thermocline/Instrument/UpdatePlan.h"
#include "llvm/IR/PassManager.h"

namespace thermocline::instrument {

/// Which accesses one update may count.
enum class MergeScope {
  /// Accesses to one object: only their sum matters.
  Object,
  /// Accesses at one address, as each 8 bytes have a counter of their own. None
  /// is moved out of its loop then.
  Address,
};

/// Gives the loops of \p F a place in front of them and one behind each exit.
/// To be called before the accesses of \p F are looked for, as values that are
/// addresses may be replaced. Neither adds nor removes an access.
void prepareLoops(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);

/// Makes \p Updates of \p F fewer. Adds computations of trip counts and
/// counting in registers to \p F, splits critical edges, and changes nothing
/// else of it. Analyses of \p F are outdated afterwards.
UpdatePlan planUpdates(llvm::Function &F,
                       llvm::FunctionAnalysisManager &Analyses,
                       llvm::SmallVectorImpl<CounterUpdate> &Updates,
                       MergeScope Scope);

} // namespace thermocline::instrument

#endif
