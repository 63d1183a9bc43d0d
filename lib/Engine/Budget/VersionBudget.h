//===- Budget/VersionBudget.h - Which clones fit the budget -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: finished decisions add more instructions than the link may grow by.
// Drop versions so that the cold contexts which stay hinted have the most
// benefit.
//
// A cold context depends on the versions that it runs in, and on no others: it
// is a node of benefit that depends on nodes of cost, and Closure.h chooses.
// Contexts that depend on the same versions are one node, and what contexts
// share of their way from the root they reach through one node, so that the
// graph is no larger than what differs.
//
// A call to a version that was dropped goes to version 0. Cold contexts lose
// their hints by that, no more. A not-cold context, where it ran in the version
// that was dropped, may now take a call in version 0 that leads to a cold
// version. So after each choice all not-cold contexts are walked; for each that
// reaches a cold hint, the version that it entered wrongly is made to depend on
// the version that it was displaced from, and the choice is made again, or the
// hint is dropped: whichever leaves more.
//
// Cost: each round one walk, and what Closure.h takes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_VERSIONBUDGET_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_VERSIONBUDGET_H

#include "Split/Outcomes.h"

namespace thermocline::context {

/// Drops versions of \p Decided, which is minimal, so that it adds at most
/// \p MaxInstructions. \returns the rest, which is minimal again. \p Outcomes
/// are those of \p Decided.
EvaluatedDecisions dropVersions(const ContextProgram &Program,
                                const Resolution &Resolved,
                                llvm::ArrayRef<Outcome> Outcomes,
                                const Decisions &Decided,
                                uint64_t MaxInstructions);

} // namespace thermocline::context

#endif
