//===- thermo-lto/thermo-lto.cpp - Links and audits without a linker ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "LinkSession.h"
#include "Options.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace thermocline;

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();

  Expected<int> Status =
      tools::parseCommandLine(argc, argv) == tools::Command::Run
          ? tools::runCommand()
          : tools::auditCommand();
  if (!Status)
    return reportFatal("thermo-lto", Status.takeError());
  return *Status;
}
