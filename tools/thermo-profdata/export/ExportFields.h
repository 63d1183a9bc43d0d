//===- thermo-profdata/export/ExportFields.h - What all share ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields of JSON and CSV that indexed and raw profiles write alike.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_EXPORTFIELDS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_EXPORTFIELDS_H

#include "thermocline/Profile/TouchWindows.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/JSON.h"

namespace thermocline::profdata {

/// Calls \p Visit with LLVM's name and the value of each measure that \p Schema
/// has, in LLVM's order. Histograms are no measures.
void forEachMeasure(const llvm::memprof::MemInfoBlock &Info,
                    const llvm::memprof::MemProfSchema &Schema,
                    llvm::function_ref<void(llvm::StringRef, uint64_t)> Visit);

/// Calls \p Visit with the name and the place of each number of a window.
void forEachNumber(llvm::function_ref<void(llvm::StringRef,
                                           uint64_t profile::WindowTouches::*)>
                       Visit);

/// Writes the attributes `objects` and `pages`, each if such units lived. \p
/// First names the number of the first window.
void writeTouches(llvm::json::OStream &J,
                  const profile::ContextTouches &Touches,
                  llvm::StringRef First);

} // namespace thermocline::profdata

#endif
