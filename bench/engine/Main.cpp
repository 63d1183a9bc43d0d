//===- bench/engine/Main.cpp - The engine on large random programs --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints recall, false cold, clones, outcomes and times of one layered program,
// or of those that --thinlto-memprof-dump of a link wrote. See docs/engine.md
// for figures.
//
//===----------------------------------------------------------------------===//

#include "LayeredProgram.h"
#include "LowerBound.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Support/InputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

namespace {

void printOutcomes(const context::EngineStatistics &Statistics) {
  for (unsigned I = 0; I != context::NumOutcomes; ++I)
    if (uint64_t Count = Statistics.ContextsByOutcome[I])
      outs() << "outcome              " << formatCount(Count) << ' '
             << describe(static_cast<context::Outcome>(I)) << ", "
             << formatBytes(Bytes(Statistics.BytesByOutcome[I])) << '\n';
}

/// Decides on \p Program and prints what came of it. False if the audit finds
/// a false cold context or decisions that contradict themselves.
bool measure(const context::ContextProgram &Program,
             context::EngineOptions Options, std::optional<double> MaxGrowth) {
  uint64_t Instructions = 0;
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Instructions += Program[context::FunctionId(I)].Instructions;
  if (MaxGrowth)
    Options.MaxInstructionsAdded = Instructions * *MaxGrowth / 100;
  auto Begin = std::clock();
  context::EngineResult Result = context::decide(Program, Options);
  auto Decided = std::clock();
  context::AuditResult Audited = context::audit(Program, Result.Decided);
  auto End = std::clock();

  auto Seconds = [](std::clock_t From, std::clock_t To) {
    return double(To - From) / CLOCKS_PER_SEC;
  };
  uint64_t Cold = Audited.ColdToCold.Contexts + Audited.ColdToNotCold.Contexts;
  outs() << "functions            " << formatCount(Program.numFunctions())
         << "\ncontexts             " << formatCount(Program.numContexts())
         << "\ncold                 " << formatCount(Cold)
         << "\ncold hinted cold     "
         << formatPercent(Audited.ColdToCold.Contexts, Cold)
         << "\ncold bytes hinted    "
         << formatPercent(Audited.ColdToCold.Size.count(),
                          Audited.ColdToCold.Size.count() +
                              Audited.ColdToNotCold.Size.count())
         << "\nnot-cold hinted cold " << Audited.NotColdToCold.Contexts
         << "\nmalformed            " << Audited.Malformed.size()
         << "\nextra clones         " << formatCount(Audited.ClonesMade)
         << " of " << formatCount(Audited.FunctionsCloned) << " functions"
         << "\ninstructions added   " << formatCount(Audited.InstructionsAdded)
         << " to " << formatCount(Instructions) << ", wanted "
         << formatCount(Result.Statistics.InstructionsWanted) << '\n';
  printOutcomes(Result.Statistics);
  outs() << format("decide               %.2f s CPU", Seconds(Begin, Decided))
         << format("\naudit                %.2f s CPU\n",
                   Seconds(Decided, End));
  return Audited.Malformed.empty() &&
         Audited.NotColdToCold.Size.count() <= Options.MaxFalseCold.count() &&
         (Audited.isSafe() || Options.MaxFalseCold.count() != 0);
}

Expected<std::vector<context::ContextProgram>> readPrograms(StringRef Path) {
  auto File = openInput(Path);
  if (!File)
    return File.takeError();
  return context::parsePrograms(Path, (*File)->getBuffer());
}

} // namespace

int main(int Count, char **Arguments) {
  LayeredOptions O;
  cl::opt<uint64_t, true> Seed("seed", cl::location(O.Seed),
                               cl::desc("Which random program"));
  cl::opt<uint32_t, true> Layers("layers", cl::location(O.Layers),
                                 cl::desc("Calls from main to an allocation"));
  cl::opt<uint32_t, true> Width("width", cl::location(O.Width),
                                cl::desc("Functions in a layer"));
  cl::opt<uint32_t, true> FanOut("fan-out", cl::location(O.FanOut),
                                 cl::desc("Calls of a function"));
  cl::opt<uint32_t, true> Contexts("contexts", cl::location(O.Contexts),
                                   cl::desc("Random walks from main"));
  cl::opt<uint32_t, true> ColdCalls("cold-calls",
                                    cl::location(O.ColdCallsPerMille),
                                    cl::desc("Cold calls, per mille"));
  cl::opt<bool, true> ColdAtRandom(
      "cold-at-random", cl::location(O.ColdAtRandom),
      cl::desc("Make each context cold or not at random"));
  cl::opt<bool, true> Trim("trim", cl::location(O.Trim),
                           cl::desc("Cut off outer frames of contexts"));
  cl::opt<std::string> ProgramFile(
      "program", cl::value_desc("file"),
      cl::desc("Decide on what --thinlto-memprof-dump of a link wrote"));
  cl::opt<bool> Bound(
      "bound", cl::desc("Also find how many clones are needed at least"));
  cl::opt<double> MaxGrowth(
      "max-growth", cl::desc("The most instructions to add, in percent"));
  cl::opt<uint64_t> MaxInstructions("max-instructions",
                                    cl::desc("The most instructions to add"));
  cl::opt<uint64_t> MaxFalseCold(
      "max-false-cold", cl::desc("Bytes that may be falsely hinted cold"));
  cl::opt<uint64_t> MinContext(
      "min-context", cl::desc("Bytes of a context that is worth a clone"));
  cl::opt<bool> Strict("strict",
                       cl::desc("Hint nothing on a path without a profile"));
  cl::opt<bool> Clone("clone", cl::init(true),
                      cl::desc("Make versions of functions"));
  cl::ParseCommandLineOptions(Count, Arguments,
                              "the engine on one program of a link, or on "
                              "layered random programs\n");

  context::EngineOptions Options;
  if (MaxInstructions.getNumOccurrences())
    Options.MaxInstructionsAdded = MaxInstructions;
  Options.MaxFalseCold = Bytes(MaxFalseCold);
  Options.MinContextSize = Bytes(MinContext);
  Options.Strict = Strict;
  Options.Clone = Clone;
  std::optional<double> Growth;
  if (MaxGrowth.getNumOccurrences())
    Growth = MaxGrowth;

  std::vector<context::ContextProgram> Programs;
  if (ProgramFile.empty()) {
    Programs.push_back(layeredProgram(O));
  } else {
    auto Read = readPrograms(ProgramFile);
    if (!Read) {
      WithColor::error(errs(), "thermocline-bench-engine")
          << toString(Read.takeError()) << '\n';
      return 1;
    }
    Programs = std::move(*Read);
  }
  bool Fine = true;
  for (const context::ContextProgram &Program : Programs) {
    Fine &= measure(Program, Options, Growth);
    if (Bound)
      outs() << "clones at least      "
             << formatCount(context::clonesNeededAtLeast(Program)) << '\n';
  }
  return Fine ? 0 : 1;
}
