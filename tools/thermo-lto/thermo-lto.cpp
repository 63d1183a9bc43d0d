//===- thermo-lto/thermo-lto.cpp - Links and audits without a linker ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;
using namespace thermocline;

extern "C" int thermo_lto_main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  static FatalErrors Fatal = {.Tool = "thermo-lto"};
  Fatal.install();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  InitializeAllAsmPrinters();
  InitializeAllAsmParsers();

  Expected<int> Status =
      std::visit([](const auto &Given) { return tools::run(Given); },
                 tools::parseCommandLine(argc, argv));
  if (!Status)
    return reportFatal("thermo-lto", Status.takeError());
  return finishOutput("thermo-lto", *Status);
}
