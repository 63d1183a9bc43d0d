//===- thermo-profdata/TouchLines.h - When memory was touched ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines on windows that show prints of raw and of indexed profiles.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_TOUCHLINES_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_TOUCHLINES_H

#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace thermocline::profdata {

/// Prints the name of a phase; that of none is `none`.
void printPhaseName(llvm::StringRef Name, llvm::raw_ostream &OS);

/// Prints, for the windows of one run, which part of the units that lived was
/// touched, in per cent; nothing if none lived. \p IsEstimate: sampling left
/// units out.
void printTouches(const profile::ContextTouches &Touches,
                  llvm::ArrayRef<profile::RawWindow> Run, bool IsEstimate,
                  llvm::raw_ostream &OS);
/// Prints the same for the bins of \p Grid, phase by phase.
void printTouches(const profile::ContextTouches &Touches,
                  const profile::TouchGrid &Grid, llvm::raw_ostream &OS);

/// Says why totals decide in runs that say when memory was touched
/// (IndexedProfile::pagesDecide()).
std::string describeTooShort(const profile::TouchGrid &Grid);

/// Prints how many windows and bursts there are, of which mean length, in which
/// phases, and why they do not decide, unless \p PagesDecide; nothing if there
/// are none.
void printGrid(const profile::TouchGrid &Grid, bool PagesDecide,
               llvm::raw_ostream &OS);

} // namespace thermocline::profdata

#endif
