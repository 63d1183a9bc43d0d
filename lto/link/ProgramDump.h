//===- link/ProgramDump.h - What the engine decided on, as text -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the file of --thinlto-memprof-dump: the context programs of a link,
// each with the options by which thermocline-bench-engine decides on it as the
// link did.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_PROGRAMDUMP_H
#define THERMOCLINE_LTO_LINK_PROGRAMDUMP_H

#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/EngineOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace thermocline::lto {

struct DumpedPart {
  const context::ContextProgram &Program;
  context::EngineOptions Options;
};

/// Writes the whole file \p Path or nothing. Without parts, one program
/// that is empty.
llvm::Error writeDump(llvm::StringRef Path, llvm::ArrayRef<DumpedPart> Parts);

} // namespace thermocline::lto

#endif
