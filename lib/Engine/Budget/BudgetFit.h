//===- Engine/Budget/BudgetFit.h - Decisions that fit the budget *- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones may add so many instructions and no more. Versions of the finished
// decisions are dropped until the rest fits, starting from several decisions,
// or contexts are left out before anything is decided; what keeps most stands.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_BUDGETFIT_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_BUDGETFIT_H

#include "Match/Resolution.h"
#include "Split/Separation.h"

namespace thermocline::context {

/// Replaces the decisions of \p Result, which add more than \p Options allow,
/// by some that do not. What is lost by that gets Outcome::OverBudget.
void fitBudget(const ContextProgram &Program, const Resolution &Resolved,
               const EngineOptions &Options, Separation &Result);

} // namespace thermocline::context

#endif
