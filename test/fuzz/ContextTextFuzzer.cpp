//===- fuzz/ContextTextFuzzer.cpp - Any text through the engine -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever a text of a context program says, if it is read then printing it and
// reading it again gives the same, the engine's decisions are safe by the
// audit's judgement, and two runs decide the same.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Engine/Engine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::context;

static std::string print(const ContextProgram &Program) {
  std::string Result;
  raw_string_ostream OS(Result);
  printProgram(OS, Program);
  return Result;
}

static std::string print(const ContextProgram &Program,
                         const Decisions &Decided) {
  std::string Result;
  raw_string_ostream OS(Result);
  printDecisions(OS, Program, Decided);
  return Result;
}

/// Unlike an assertion, checked in every build.
static void require(bool Holds, const char *What) {
  if (!Holds)
    report_fatal_error(What);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  Expected<ContextProgram> Program = parseProgram("input", Text);
  if (!Program) {
    consumeError(Program.takeError());
    return 0;
  }
  std::string Printed = print(*Program);
  Expected<ContextProgram> Again = parseProgram("printed", Printed);
  if (!Again)
    report_fatal_error(Again.takeError());
  require(print(*Again) == Printed, "printed and read again, it differs");

  EngineResult Result = decide(*Program);
  require(audit(*Program, Result.Decided).isSafe(), "the decisions are unsafe");
  std::string Decided = print(*Program, Result.Decided);
  require(print(*Again, decide(*Again).Decided) == Decided,
          "the decisions differ from run to run");
  Expected<Decisions> Reread = parseDecisions("decisions", Decided, *Program);
  if (!Reread)
    report_fatal_error(Reread.takeError());
  require(print(*Program, *Reread) == Decided,
          "decisions printed and read again differ");
  return 0;
}
