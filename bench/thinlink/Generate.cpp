//===- bench/thinlink/Generate.cpp - Writes a program as bitcode ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermocline-bench-generate -o DIRECTORY [options]: modules, their symbol
// resolutions, and the truth about their contexts. Prints what it wrote as
// JSON.
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include "Truth.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

static constexpr char Tool[] = "thermocline-bench-generate";

namespace {

/// The options, which live as long as main.
struct CommandLine {
  using Number = cl::opt<uint32_t, true>;

  ProgramOptions Program;
  WriterOptions Writer;

  cl::opt<std::string> Directory{"o", cl::Required,
                                 cl::desc("Directory to write to")};
  cl::opt<uint64_t, true> Seed{"seed", cl::location(Program.Seed),
                               cl::desc("Which random program")};
  Number Layers{"layers", cl::location(Program.Layers),
                cl::desc("Calls from main to an allocation")};
  Number Width{"width", cl::location(Program.Width),
               cl::desc("Functions in a layer")};
  Number FanOut{"fan-out", cl::location(Program.FanOut),
                cl::desc("Calls of a function")};
  Number Modules{"modules", cl::location(Program.Modules), cl::desc("Modules")};
  Number Allocations{"allocations", cl::location(Program.Allocations),
                     cl::desc("Allocation calls before inlining")};
  Number Contexts{"contexts", cl::location(Program.Contexts),
                  cl::desc("Random walks from main")};
  Number Shared{"shared", cl::location(Program.SharedPerMille),
                cl::desc("Walks that leave the one before late, per mille")};
  cl::opt<ColdBy, true> Cold{
      "cold", cl::location(Program.Cold),
      cl::desc("What makes a context cold:"),
      cl::values(
          clEnumValN(ColdBy::Callsites, "callsites", "any of its calls"),
          clEnumValN(ColdBy::Allocation, "allocation", "its allocation"),
          clEnumValN(ColdBy::Combinations, "combinations", "two of its calls"),
          clEnumValN(ColdBy::Random, "random", "each context at random"))};
  cl::opt<uint32_t> ColdPerMille{
      "cold-per-mille", cl::desc("Cold calls, allocations or contexts")};
  Number Inlined{"inlined", cl::location(Program.InlinedPerMille),
                 cl::desc("Inlined calls, per mille")};
  Number Recursive{"recursive", cl::location(Program.RecursivePerMille),
                   cl::desc("Recursive calls, per mille")};
  Number Indirect{"indirect", cl::location(Program.IndirectPerMille),
                  cl::desc("Indirect calls, per mille")};
  Number Tail{"tail", cl::location(Program.TailPerMille),
              cl::desc("Functions that make a tail call, per mille")};
  Number Edited{"edited", cl::location(Program.EditedPerMille),
                cl::desc("Functions without records, per mille")};
  Number Native{"native", cl::location(Program.NativePerMille),
                cl::desc("Functions that are no bitcode, per mille")};
  Number Virtual{"virtual", cl::location(Program.VirtualPerMille),
                 cl::desc("Indirect calls without a value profile, per mille")};
  Number Unnamed{"unnamed", cl::location(Program.UnnamedPerMille),
                 cl::desc("Indirect calls of three targets whose value profile "
                          "lacks one, per mille of these")};
  Number Local{"local", cl::location(Program.LocalPerMille),
               cl::desc("Local functions, per mille of those that are called "
                        "through pointers alone")};
  cl::opt<bool, true> Uncounted{
      "uncounted", cl::location(Writer.Uncounted),
      cl::desc("Value profiles without counts, as heap profiles give them")};
  cl::opt<bool, true> Trim{"trim", cl::location(Writer.Trim),
                           cl::desc("Trim contexts as clang does")};
  cl::opt<unsigned, true> Pack{
      "pack", cl::location(Writer.LeastToPack), cl::value_desc("number"),
      cl::desc("Pack the contexts of allocations with at least so many, which "
               "LLVM does not read; default 0: none")};
  cl::opt<bool, true> Regular{
      "regular-lto", cl::location(Writer.RegularLTO),
      cl::desc("Let regular LTO find packed contexts, too")};

  CommandLine(int Count, char **Arguments) {
    cl::ParseCommandLineOptions(Count, Arguments,
                                "writes a random program as bitcode\n");
    if (ColdPerMille.getNumOccurrences())
      Program.ColdPerMille = ColdPerMille;
  }
};

Error check(const ProgramOptions &O) {
  auto Positive = [](StringRef Name, uint32_t Value, uint32_t Least) {
    return Value >= Least ? Error::success()
                          : fileError("-" + Name.str(),
                                      "must be at least " + Twine(Least));
  };
  return joinErrors(joinErrors(joinErrors(Positive("layers", O.Layers, 2),
                                          Positive("width", O.Width, 1)),
                               joinErrors(Positive("fan-out", O.FanOut, 1),
                                          Positive("modules", O.Modules, 1))),
                    joinErrors(Positive("allocations", O.Allocations, 1),
                               Positive("contexts", O.Contexts, 1)));
}

/// LLVM writes the sizes of trimmed contexts only where some option of its own
/// asks for sizes; this one changes nothing else of what it writes.
Error askForSizes() {
  constexpr char Name[] = "memprof-cloning-cold-threshold";
  auto Options = cl::getRegisteredOptions();
  auto Found = Options.find(Name);
  if (Found == Options.end() ||
      Found->second->addOccurrence(0, Name, "99", /*MultiArg=*/false))
    return fileError(Tool, Twine("LLVM has no option -") + Name);
  return Error::success();
}

Error generate(const CommandLine &L) {
  if (Error E = check(L.Program))
    return E;
  if (Error E = askForSizes())
    return E;
  if (std::error_code EC = sys::fs::create_directories(L.Directory))
    return fileError(L.Directory, EC.message());

  SourceProgram Program(L.Program);
  Expected<WriterResult> Written = writeModules(Program, L.Writer, L.Directory);
  if (!Written)
    return Written.takeError();
  context::ContextProgram Truth = truthOf(Program, Written->Instructions);
  if (Error E =
          writeFileAtomically(L.Directory + "/truth.txt", [&](raw_ostream &OS) {
            printProgram(OS, Truth);
            return Error::success();
          }))
    return E;

  json::OStream J(outs(), /*IndentSize=*/2);
  J.object([&] {
    J.attribute("functions", Truth.numFunctions());
    J.attribute("modules", L.Program.Modules);
    J.attribute("contexts", Truth.numContexts());
    J.attribute("bitcode contexts", Written->MIBs);
    J.attribute("bitcode frames", Written->Frames);
  });
  outs() << '\n';
  return Error::success();
}

} // namespace

int main(int Count, char **Arguments) {
  CommandLine Line(Count, Arguments);
  if (Error E = generate(Line))
    return reportFatal(Tool, std::move(E));
  return 0;
}
