//===- thermo-profdata/ExportFields.h - What exports share ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields of JSON and CSV, which indexed and raw profiles write alike.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_EXPORTFIELDS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_EXPORTFIELDS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/MemProf.h"
#include <string>

namespace thermocline::profdata {

/// Ids and addresses are strings: most JSON readers hold numbers as doubles.
std::string hexField(uint64_t Number);

/// A field in quotes, as RFC 4180 has them.
std::string quotedField(llvm::StringRef Text);

/// Calls \p Visit with LLVM's name and the value of each measure that \p Schema
/// has, in LLVM's order. Histograms are no measures.
void forEachMeasure(const llvm::memprof::MemInfoBlock &Info,
                    const llvm::memprof::MemProfSchema &Schema,
                    llvm::function_ref<void(llvm::StringRef, uint64_t)> Visit);

} // namespace thermocline::profdata

#endif
