//===- thermo-profdata/thermo-profdata.cpp - Heap profiles as files -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermo-profdata merges, shows, exports and compares heap profiles. The
// library does the work; this file picks the command and prints the one error.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;

static Error run(const MergeCommand &C) { return runMerge(C); }
static Error run(const ShowCommand &C) { return runShow(C); }
static Error run(const ExportCommand &C) { return runExport(C); }
static Error run(const DiffCommand &C) { return runDiff(C); }
static Error run(const AuditCommand &C) {
  bool IsSafe = false;
  if (Error E = runAudit(C, IsSafe))
    return E;
  return IsSafe
             ? Error::success()
             : fileError(C.Binary, "memory profiled not cold was hinted cold");
}

int main(int ArgumentCount, char **ArgumentValues) {
  InitLLVM Init(ArgumentCount, ArgumentValues);
  static FatalErrors Fatal = {.Tool = "thermo-profdata"};
  Fatal.install();
  Expected<Command> Parsed = parseCommandLine(ArgumentCount, ArgumentValues);
  if (!Parsed)
    return reportFatal("thermo-profdata", Parsed.takeError());
  if (Error E = std::visit([](const auto &C) { return run(C); }, *Parsed))
    return reportFatal("thermo-profdata", std::move(E));
  return finishOutput("thermo-profdata", 0);
}
