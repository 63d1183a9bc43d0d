//===- export/Sarif.h - What links lost, for code hosts ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SARIF 2.1.0 is what code hosts and editors show beside lines of source. Here
// each result is a place that asks for cold memory which no link hints, with
// the reason. Hosts take some thousand results, so contexts of one place and
// reason are one, and those with most bytes come first.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_SARIF_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_SARIF_H

#include "../ContextList.h"
#include "LinkOutcomes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline::profdata {

/// Writes what \p Links lost of \p List. It is an error if \p Names knows no
/// place of it.
llvm::Error writeSarif(const ContextList &List,
                       const profile::FunctionNames &Names,
                       const LinkOutcomes &Links, llvm::raw_ostream &OS);

} // namespace thermocline::profdata

#endif
