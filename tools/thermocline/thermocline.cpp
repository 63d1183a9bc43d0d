//===- thermocline/thermocline.cpp - Record, report, compare --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermocline is for daily use what the other tools do step by step. It runs
// them, and can print each command that it stands for. thermo-profdata is the
// same program by another name.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "thermo-profdata/Commands.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Tools/Gates.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <sys/resource.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

static constexpr char Tool[] = "thermocline";

/// Ends as the program did, so that who started this sees that.
static int endLike(Ending Program) {
  if (!Program.Signal)
    return finishOutput(Tool, Program.Code);
  finishOutput(Tool, 0);
  // The program has left its core already.
  const rlimit None = {};
  setrlimit(RLIMIT_CORE, &None);
  std::signal(Program.Signal, SIG_DFL);
  std::raise(Program.Signal);
  return 128 + Program.Signal;
}

int main(int ArgumentCount, char **ArgumentValues) {
  InitLLVM Init(ArgumentCount, ArgumentValues);
  if (ArgumentCount &&
      sys::path::filename(ArgumentValues[0]).starts_with("thermo-profdata"))
    return profdata::runTool(ArgumentCount, ArgumentValues);
  static FatalErrors Fatal = {.Tool = Tool};
  Fatal.install();
  Expected<Command> Parsed = parseCommandLine(ArgumentCount, ArgumentValues);
  if (!Parsed)
    return reportFatal(Tool, Parsed.takeError());
  if (const auto *Record = std::get_if<RecordCommand>(&*Parsed)) {
    std::optional<Ending> Program;
    if (Error E = runRecord(*Record, Program)) {
      reportFatal(Tool, std::move(E));
      if (!Program || Program->isSuccess())
        return 1;
    }
    return endLike(*Program);
  }
  bool HasGrown = false;
  const auto *Report = std::get_if<ReportCommand>(&*Parsed);
  if (Error E = Report
                    ? runReport(*Report)
                    : runCompare(std::get<CompareCommand>(*Parsed), HasGrown))
    return reportFatal(Tool, std::move(E));
  return finishOutput(Tool, HasGrown ? ExitOfGate : 0);
}
