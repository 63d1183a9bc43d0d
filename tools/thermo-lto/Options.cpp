//===- thermo-lto/Options.cpp - The tool's command line -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "options/LinkOptions.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/Remarks/HotnessThresholdParser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/PluginLoader.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

static codegen::RegisterCodeGenFlags CodeGenFlags;

namespace {

// Subcommands of cl would hide LLVM's own options, which `run` must take; the
// two sets are told apart by the first argument instead.
cl::OptionCategory RunCategory("Options of thermo-lto run");
cl::OptionCategory AuditCategory("Options of thermo-lto audit");
cl::OptionCategory DecisionsCategory("Options of thermo-lto decisions");
cl::OptionCategory ExplainCategory("Options of thermo-lto explain");
cl::OptionCategory DotCategory("Options of thermo-lto dot");

// Several subcommands have these, but help lists an option under each of its
// categories: they get the one of the subcommand that was given.
cl::list<std::string> Inputs(cl::Positional, cl::desc("<files>"));
cl::opt<std::string> Output("o", cl::desc("Output file"),
                            cl::value_desc("filename"));

cl::list<std::string>
    Resolutions("r",
                cl::desc("Symbol resolution FILE,SYMBOL,FLAGS with flags out "
                         "of p (prevails), l (final definition in the linkage "
                         "unit), x (visible outside of LTO), r (redefined by "
                         "the linker)"),
                cl::cat(RunCategory));
cl::list<std::string> ResolutionFiles(
    "resolution-file",
    cl::desc("Take inputs and resolutions from a file that a linker saved: "
             "OUTPUT.resolution.txt of --save-temps"),
    cl::value_desc("filename"), cl::cat(RunCategory));
cl::opt<char> OptLevel("O", cl::Prefix, cl::init('2'),
                       cl::desc("Optimization level, 0 to 3"),
                       cl::cat(RunCategory));
cl::opt<char> CGOptLevel("cg-opt-level", cl::init('2'),
                         cl::desc("Code generation level, 0 to 3"),
                         cl::cat(RunCategory));
cl::opt<std::string> CacheDir("cache-dir", cl::desc("ThinLTO cache"),
                              cl::value_desc("directory"),
                              cl::cat(RunCategory));
cl::opt<std::string> OptPipeline("opt-pipeline", cl::desc("Optimizer pipeline"),
                                 cl::value_desc("pipeline"),
                                 cl::cat(RunCategory));
cl::opt<std::string> AAPipeline("aa-pipeline",
                                cl::desc("Alias analysis pipeline"),
                                cl::value_desc("pipeline"),
                                cl::cat(RunCategory));
cl::opt<std::string> OverrideTriple("override-triple",
                                    cl::desc("Replace the target triple"),
                                    cl::cat(RunCategory));
cl::opt<std::string> DefaultTriple("default-triple",
                                   cl::desc("For modules without a triple"),
                                   cl::cat(RunCategory));
cl::opt<std::string> Threads("thinlto-threads",
                             cl::desc("Threads of the ThinLTO backends"),
                             cl::cat(RunCategory));
cl::alias ThreadsAlias("j", cl::Prefix, cl::aliasopt(Threads),
                       cl::desc("Alias of -thinlto-threads"),
                       cl::cat(RunCategory));
cl::opt<std::string> StatsFile("stats-file", cl::desc("Statistics as JSON"),
                               cl::value_desc("filename"),
                               cl::cat(RunCategory));
cl::opt<std::string> RemarksFile("pass-remarks-output",
                                 cl::desc("Optimization remarks"),
                                 cl::value_desc("filename"),
                                 cl::cat(RunCategory));
cl::opt<std::string> RemarksFilter("pass-remarks-filter",
                                   cl::desc("Remarks of these passes only"),
                                   cl::value_desc("regex"),
                                   cl::cat(RunCategory));
cl::opt<std::string> RemarksFormat("pass-remarks-format", cl::init("yaml"),
                                   cl::desc("Format of remarks"),
                                   cl::cat(RunCategory));
cl::opt<bool> RemarksWithHotness("pass-remarks-with-hotness",
                                 cl::desc("Remarks with profile counts"),
                                 cl::cat(RunCategory));
cl::opt<std::optional<uint64_t>, false, remarks::HotnessThresholdParser>
    RemarksHotnessThreshold(
        "pass-remarks-hotness-threshold", cl::init(0),
        cl::desc("Remarks of code that ran so often; auto for what the "
                 "profile summary says"),
        cl::value_desc("count or auto"), cl::cat(RunCategory));
cl::opt<std::string> SampleProfile("lto-sample-profile-file",
                                   cl::desc("Sample profile"),
                                   cl::value_desc("filename"),
                                   cl::cat(RunCategory));
cl::opt<std::string> CSProfile("lto-cspgo-profile-file",
                               cl::desc("Context sensitive PGO profile"),
                               cl::value_desc("filename"),
                               cl::cat(RunCategory));
cl::opt<bool> CSInstrument("lto-cspgo-gen",
                           cl::desc("Instrument for context sensitive PGO"),
                           cl::cat(RunCategory));
cl::opt<std::string>
    UnifiedLTO("unified-lto", cl::init("default"),
               cl::desc("What modules of -funified-lto are linked as: thin, "
                        "full; default for other modules"),
               cl::value_desc("mode"), cl::cat(RunCategory));
cl::opt<bool> AllVtables("all-vtables-have-type-infos",
                         cl::desc("All vtables have type information"),
                         cl::cat(RunCategory));
cl::opt<bool> ValidateVtables(
    "validate-all-vtables-have-type-infos",
    cl::desc("Check that all vtables have type information for whole program "
             "devirtualization"),
    cl::cat(RunCategory));
cl::opt<std::string> Distributor(
    "dtlto-distributor",
    cl::desc("Program that has the ThinLTO backends compiled elsewhere"),
    cl::value_desc("program"), cl::cat(RunCategory));
cl::list<std::string> DistributorArguments("dtlto-distributor-arg",
                                           cl::desc("An argument of it"),
                                           cl::value_desc("argument"),
                                           cl::cat(RunCategory));
cl::opt<std::string>
    RemoteCompiler("dtlto-compiler",
                   cl::desc("Compiler of backends compiled elsewhere"),
                   cl::value_desc("program"), cl::cat(RunCategory));
cl::list<std::string> RemoteCompilerPrependArguments(
    "dtlto-compiler-prepend-arg", cl::desc("A first argument of it"),
    cl::value_desc("argument"), cl::cat(RunCategory));
cl::list<std::string> RemoteCompilerArguments("dtlto-compiler-arg",
                                              cl::desc("An argument of it"),
                                              cl::value_desc("argument"),
                                              cl::cat(RunCategory));
cl::opt<bool> TimeTrace("time-trace", cl::desc("Record where time goes"),
                        cl::cat(RunCategory));
cl::opt<unsigned>
    TimeTraceGranularity("time-trace-granularity", cl::init(500),
                         cl::desc("Shortest time to record, in microseconds"),
                         cl::cat(RunCategory));
cl::opt<std::string>
    TimeTraceFile("time-trace-file",
                  cl::desc("Where to record (OUTPUT.time-trace)"),
                  cl::value_desc("filename"), cl::cat(RunCategory));
cl::list<std::string> PassPlugins("load-pass-plugin",
                                  cl::desc("Load a pass plugin"),
                                  cl::value_desc("filename"),
                                  cl::cat(RunCategory));
cl::opt<bool> SaveTemps("save-temps", cl::desc("Keep intermediate files"),
                        cl::cat(RunCategory));
cl::list<std::string> SelectSaveTemps(
    "select-save-temps", cl::CommaSeparated,
    cl::desc("Keep these: resolution, preopt, promote, internalize, import, "
             "opt, precodegen, combinedindex"),
    cl::cat(RunCategory));
cl::opt<bool> DistributedIndexes("thinlto-distributed-indexes",
                                 cl::desc("Write an index for each module "
                                          "instead of compiling"),
                                 cl::cat(RunCategory));
cl::opt<bool> EmitIndexes("thinlto-emit-indexes",
                          cl::desc("Write the indexes and compile too"),
                          cl::cat(RunCategory));
cl::opt<bool> EmitImports("thinlto-emit-imports",
                          cl::desc("Write a list of imports for each module"),
                          cl::cat(RunCategory));
cl::opt<bool> DisableVerify("disable-verify", cl::desc("Do not verify IR"),
                            cl::cat(RunCategory));
cl::opt<bool> Freestanding("lto-freestanding",
                           cl::desc("Treat no function as a library function"),
                           cl::cat(RunCategory));
cl::opt<bool> WholeProgram("whole-program-visibility-enabled-in-lto",
                           cl::desc("No class is derived from outside"),
                           cl::cat(RunCategory));
cl::opt<bool> DebugPassManager("debug-pass-manager",
                               cl::desc("Print pass management"), cl::Hidden,
                               cl::cat(RunCategory));

cl::opt<std::string> Profile("profile",
                             cl::desc("Indexed profile, for names of frames"),
                             cl::value_desc("file"));
cl::opt<std::string> Format("format",
                            cl::desc("text or json (audit: or html); by "
                                     "default what the output's extension "
                                     "says"));
cl::opt<unsigned> MaxContexts("max-contexts", cl::init(20),
                              cl::desc("Contexts listed in text (20)"),
                              cl::cat(AuditCategory));
cl::opt<std::string> Around(
    "around",
    cl::desc("Draw what the contexts through this run through: FUNCTION, "
             "FUNCTION:LINE[:COLUMN], FUNCTION#N, N or 0xID, as "
             "thermo-lto explain takes them"),
    cl::value_desc("what"), cl::cat(DotCategory));
cl::opt<unsigned>
    MaxNodes("max-nodes", cl::init(500),
             cl::desc("Draw at most so many versions, those with most bytes "
                      "(500)"),
             cl::cat(DotCategory));
cl::opt<bool> ListAll("all",
                      cl::desc("Also list contexts that are as they should be"),
                      cl::cat(AuditCategory));

/// Of main.
std::vector<const char *> CommandLine;

//===-- The commands ------------------------------------------------------===//

Command runCommand() {
  RunCommand O;
  O.Inputs.assign(Inputs.begin(), Inputs.end());
  O.Output = Output;
  O.Resolutions.assign(Resolutions.begin(), Resolutions.end());
  O.OptLevel = OptLevel;
  O.CodeGenOptLevel = CGOptLevel;
  O.CacheDir = CacheDir;
  O.OptPipeline = OptPipeline;
  O.AAPipeline = AAPipeline;
  O.OverrideTriple = OverrideTriple;
  O.DefaultTriple = DefaultTriple;
  O.ThinLTOThreads = Threads;
  O.StatsFile = StatsFile;
  O.RemarksFile = RemarksFile;
  O.RemarksFilter = RemarksFilter;
  O.RemarksFormat = RemarksFormat;
  O.RemarksWithHotness = RemarksWithHotness;
  O.RemarksHotnessThreshold = RemarksHotnessThreshold;
  O.ResolutionFiles.assign(ResolutionFiles.begin(), ResolutionFiles.end());
  O.SampleProfile = SampleProfile;
  O.CSProfile = CSProfile;
  O.CSInstrument = CSInstrument;
  O.UnifiedLTO = UnifiedLTO;
  O.AllVtablesHaveTypeInfos = AllVtables;
  O.ValidateAllVtablesHaveTypeInfos = ValidateVtables;
  O.Distributor = Distributor;
  O.DistributorArguments.assign(DistributorArguments.begin(),
                                DistributorArguments.end());
  O.RemoteCompiler = RemoteCompiler;
  O.RemoteCompilerPrependArguments.assign(
      RemoteCompilerPrependArguments.begin(),
      RemoteCompilerPrependArguments.end());
  O.RemoteCompilerArguments.assign(RemoteCompilerArguments.begin(),
                                   RemoteCompilerArguments.end());
  O.TimeTrace = TimeTrace;
  O.TimeTraceGranularity = TimeTraceGranularity;
  O.TimeTraceFile = TimeTraceFile;
  O.PassPlugins.assign(PassPlugins.begin(), PassPlugins.end());
  O.SaveTemps = SaveTemps;
  O.SelectSaveTemps.assign(SelectSaveTemps.begin(), SelectSaveTemps.end());
  O.DistributedIndexes = DistributedIndexes;
  O.EmitIndexes = EmitIndexes;
  O.EmitImports = EmitImports;
  O.DisableVerify = DisableVerify;
  O.Freestanding = Freestanding;
  O.HasWholeProgramVisibility = WholeProgram;
  O.DebugPassManager = DebugPassManager;
  O.CommandLine = CommandLine;
  return O;
}

ViewOptions viewOptions() {
  ViewOptions O;
  O.Inputs.assign(Inputs.begin(), Inputs.end());
  O.Profile = Profile;
  O.Output = Output;
  O.Format = Format;
  O.CommandLine = CommandLine;
  return O;
}

Command auditCommand() {
  return AuditCommand{
      .View = viewOptions(), .MaxContexts = MaxContexts, .ListAll = ListAll};
}
Command decisionsCommand() { return DecisionsCommand{viewOptions()}; }
Command explainCommand() { return ExplainCommand{viewOptions()}; }
Command dotCommand() {
  return DotCommand{
      .View = viewOptions(), .Around = Around, .MaxNodes = MaxNodes};
}

/// What the subcommands read, but for run.
#define THERMO_LTO_FILES                                                       \
  "Files are bitcode modules with profiled contexts, for which the engine "    \
  "decides again;\nor the indexes (*.thinlto.bc) with the decisions of a "     \
  "link, by Thermocline or stock LLVM,\nthat was made with "                   \
  "--thinlto-emit-index-files or --thinlto-index-only. Their modules are\n"    \
  "then read from where the link found them.\n"

struct Subcommand {
  StringRef Name;
  /// Made of the options, when they are parsed.
  Command (*Make)();
  cl::OptionCategory *Category;
  /// One line of `thermo-lto --help`.
  StringRef Summary;
  /// Above the options in its own help.
  StringRef Overview;
};

const Subcommand Subcommands[] = {
    {"run", runCommand, &RunCategory,
     "link bitcode modules as llvm-lto2 run does, with Thermocline's decisions",
     "Links bitcode modules with Thermocline's decisions.\n"},
    {"audit", auditCommand, &AuditCategory,
     "say where every profiled context ends: cold, or not",
     "Says where every profiled context ends.\n\n" THERMO_LTO_FILES},
    {"decisions", decisionsCommand, &DecisionsCategory,
     "list the versions, calls and hints that were decided on",
     "Lists what was decided: versions of functions, calls, "
     "hints.\n\n" THERMO_LTO_FILES
     "Of objects, executables, shared libraries and optimized bitcode, lists "
     "the versions and the\ncalls of functions that take hints.\n"},
    {"explain", explainCommand, &ExplainCategory,
     "say in words what was decided of a function, call or context, and why",
     "Says what was decided, and why. The first argument is\n\n"
     "  FUNCTION                as the source or the linker names it\n"
     "  FUNCTION:LINE[:COLUMN]  calls there; lines count from the beginning of "
     "the function\n"
     "  FUNCTION#N              its allocation N\n"
     "  N                       the context of this number in a report\n"
     "  0xID                    a context or a call, by "
     "id\n\n" THERMO_LTO_FILES},
    {"dot", dotCommand, &DotCategory,
     "draw versions and the calls between them, for Graphviz",
     "Draws versions of functions and the calls between them that contexts "
     "take, for Graphviz:\nof what is hinted cold, or around a function, call, "
     "context or allocation.\n\n" THERMO_LTO_FILES},
};
#undef THERMO_LTO_FILES

void printUsage(raw_ostream &OS) {
  OS << "USAGE: thermo-lto ";
  ListSeparator Bar("|");
  for (const Subcommand &S : Subcommands)
    OS << Bar << S.Name;
  OS << " [options] files...\n\n";
  for (const Subcommand &S : Subcommands)
    OS << "  " << left_justify(S.Name, 11) << S.Summary << '\n';
  OS << "\nthermo-lto SUBCOMMAND --help lists the options.\n";
}

} // namespace

Command thermocline::tools::parseCommandLine(int argc, char **argv) {
  StringRef Name = argc > 1 ? argv[1] : "";
  if (Name == "--help" || Name == "-h" || Name == "-help") {
    printUsage(outs());
    std::exit(0);
  }
  if (Name == "--version") {
    printVersion(outs(), "thermo-lto");
    std::exit(0);
  }
  auto *Given =
      find_if(Subcommands, [&](const Subcommand &S) { return S.Name == Name; });
  if (Given == std::end(Subcommands)) {
    if (Name.empty())
      errs() << "thermo-lto: error: no subcommand given\n\n";
    else
      errs() << "thermo-lto: error: unknown subcommand '" << Name << "'\n\n";
    printUsage(errs());
    std::exit(1);
  }
  CommandLine.assign(argv, argv + argc);
  SmallVector<const char *, 64> Arguments(argv, argv + argc);
  Arguments.erase(Arguments.begin() + 1);
  std::string Program = ("thermo-lto " + Name).str();
  Arguments[0] = Program.c_str();
  cl::OptionCategory &Category = *Given->Category;
  Inputs.addCategory(Category);
  Output.addCategory(Category);
  const bool Links = &Category == &RunCategory;
  if (!Links)
    Profile.addCategory(Category);
  if (&Category == &AuditCategory || &Category == &DecisionsCategory)
    Format.addCategory(Category);
  cl::SetVersionPrinter(
      [](raw_ostream &OS) { printVersion(OS, "thermo-lto"); });
  // Show the subcommand's own options and Thermocline's, not LLVM's thousand.
  cl::HideUnrelatedOptions({&Category, &lto::optionCategory()});
  if (!Links)
    for (cl::Option *O : lto::linkOnlyOptions())
      O->setHiddenFlag(cl::ReallyHidden);
  cl::ParseCommandLineOptions(Arguments.size(), Arguments.data(),
                              Given->Overview);
  // The options of a link can be given as they were, but not in vain.
  if (!Links)
    for (const cl::Option *O : lto::linkOnlyOptions())
      if (O->getNumOccurrences())
        WithColor::warning(errs(), "thermo-lto")
            << Name << ": --" << O->ArgStr << " is of the link, and has no "
            << "effect here\n";
  return Given->Make();
}
