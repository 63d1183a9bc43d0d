//===- Engine/Budget/Choice.h - Which clones fit the budget -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: finished decisions add more instructions than the link may grow by.
// Drop versions so that the cold contexts which stay hinted are worth the most.
//
// A cold context needs the versions that it runs in, and no others: it is a
// thing of worth that needs things of cost, and Frontier.h chooses. Contexts
// with the same needs are one thing, and what contexts share of their way from
// the root they need through one node, so that the graph is no larger than what
// differs.
//
// A call to a version that was dropped goes to version 0. Cold contexts lose
// their hints by that, no more. A not-cold context, where it ran in the version
// that was dropped, may now take a call in version 0 that leads to a cold
// version: what it comes to there is not hinted.
//
// Cost: one walk, and what Frontier.h takes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_CHOICE_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_CHOICE_H

#include "Split/Outcomes.h"

namespace thermocline::context {

/// \p Decided, which is minimal, with versions dropped so that it adds at most
/// \p MaxInstructions; minimal again. \p Outcomes are those of \p Decided.
EvaluatedDecisions dropVersions(const ContextProgram &Program,
                                const Resolution &Resolved,
                                llvm::ArrayRef<Outcome> Outcomes,
                                const Decisions &Decided,
                                uint64_t MaxInstructions);

} // namespace thermocline::context

#endif
