//===- bench/engine/Main.cpp - The engine on large random programs --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints recall, false cold, clones and time of one layered program. See
// docs/engine.md for figures.
//
//===----------------------------------------------------------------------===//

#include "LayeredProgram.h"
#include "LowerBound.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Engine/Engine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

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
  cl::opt<bool, true> ColdAtRandom("cold-at-random",
                                   cl::location(O.ColdAtRandom),
                                   cl::desc("Each context by a throw of dice"));
  cl::opt<bool, true> Trim("trim", cl::location(O.Trim),
                           cl::desc("Trim contexts on the leaf side"));
  cl::opt<bool> Bound(
      "bound", cl::desc("Also find how many clones are needed at least"));
  cl::opt<double> MaxGrowth(
      "max-growth", cl::desc("Per cent of the instructions to add at most"));
  cl::ParseCommandLineOptions(Count, Arguments,
                              "the engine on layered random programs\n");

  context::ContextProgram Program = layeredProgram(O);
  context::EngineOptions Options;
  uint64_t Instructions = 0;
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Instructions += Program[context::FunctionId(I)].Instructions;
  if (MaxGrowth.getNumOccurrences())
    Options.MaxInstructionsAdded = Instructions * MaxGrowth / 100;
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
         << formatCount(Result.Statistics.InstructionsWanted)
         << format("\ndecide               %.2f s CPU", Seconds(Begin, Decided))
         << format("\naudit                %.2f s CPU\n",
                   Seconds(Decided, End));
  if (Bound)
    outs() << "clones at least      "
           << formatCount(context::clonesNeededAtLeast(Program)) << '\n';
  return Audited.isSafe() ? 0 : 1;
}
