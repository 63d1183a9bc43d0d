//===- lto/link/ProgramDump.cpp - What the engine decided on, as text -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramDump.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Support/OutputFile.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

static void printOptions(raw_ostream &OS, const EngineOptions &Options) {
  OS << "; thermocline-bench-engine";
  if (Options.MaxInstructionsAdded)
    OS << " -max-instructions=" << *Options.MaxInstructionsAdded;
  if (Options.MaxFalseCold.count())
    OS << " -max-false-cold=" << Options.MaxFalseCold.count();
  if (Options.MinContextSize.count())
    OS << " -min-context=" << Options.MinContextSize.count();
  if (Options.Strict)
    OS << " -strict";
  if (!Options.Clone)
    OS << " -clone=false";
  OS << '\n';
}

Error thermocline::lto::writeDump(StringRef Path, ArrayRef<DumpedPart> Parts) {
  return writeFileAtomically(Path, [&](raw_ostream &File) {
    if (Parts.empty())
      printProgram(File, ContextProgram());
    for (const DumpedPart &Part : Parts) {
      printOptions(File, Part.Options);
      printProgram(File, Part.Program);
    }
    return Error::success();
  });
}
