//===- thermo-lto/thermo-lto.cpp - Links and audits without a linker ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "link/LinkSession.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace thermocline;

static Expected<int> run(tools::Command Given) {
  switch (Given) {
  case tools::Command::Run:
    return tools::runCommand();
  case tools::Command::Audit:
    return tools::auditCommand();
  case tools::Command::Decisions:
    return tools::decisionsCommand();
  case tools::Command::Explain:
    return tools::explainCommand();
  case tools::Command::Dot:
    return tools::dotCommand();
  }
  llvm_unreachable("all subcommands have a function");
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  static FatalErrors Fatal = {.Tool = "thermo-lto"};
  Fatal.install();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();

  InitializeAllDisassemblers();

  Expected<int> Status = run(tools::parseCommandLine(argc, argv));
  if (!Status)
    return reportFatal("thermo-lto", Status.takeError());
  return finishOutput("thermo-lto", *Status);
}
