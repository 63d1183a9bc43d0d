//===- link/report/ChosenReasons.h - Calls of ifuncs as a reason -*- C++ -*-==//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context that goes through an ifunc is lost above the function that was
// chosen. In the module of the ifunc LLVM makes no record of such calls, in
// others the callee seems to be outside the link, and pointers lead anywhere.
// To the user all of these are one reason.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_REPORT_CHOSENREASONS_H
#define THERMOCLINE_LTO_LINK_REPORT_CHOSENREASONS_H

#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/EngineResult.h"

namespace thermocline::lto {

/// Gives contexts of \p Program that have no hint because of a call of one of
/// \p Chosen the outcome Outcome::ChosenAtStart.
void nameChosen(const context::ContextProgram &Program,
                const annotate::ChosenFunctions &Chosen,
                context::EngineResult &Result);

} // namespace thermocline::lto

#endif
