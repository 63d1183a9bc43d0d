//===- thermo-lto/RunOptions.cpp - The options of a link ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/Remarks/HotnessThresholdParser.h"
#include "llvm/Support/PluginLoader.h"

using namespace llvm;
using namespace thermocline::tools;

using Text = cl::opt<std::string, true>;
using Texts = cl::list<std::string, std::vector<std::string>>;
using Flag = cl::opt<bool, true>;

namespace {

/// The options, which register themselves with cl when the tool is the one that
/// runs: other tools of the same program have options of the same names.
struct RunCommandLine {
  /// What the options below are read into, with their default values.
  RunCommand Run;
  codegen::RegisterCodeGenFlags CodeGenFlags;

  cl::OptionCategory Category{"Options of thermo-lto run"};

  Texts Resolutions{
      "r", cl::location(Run.Resolutions),
      cl::desc(
          "Symbol resolution FILE,SYMBOL,FLAGS with flags out of p "
          "(prevails), l (final definition in the linkage unit), x (visible "
          "outside of LTO), r (redefined by the linker)"),
      cl::cat(Category)};
  Texts ResolutionFiles{
      "resolution-file", cl::location(Run.ResolutionFiles),
      cl::desc("Take inputs and resolutions from a file that a linker saved: "
               "OUTPUT.resolution.txt of --save-temps"),
      cl::value_desc("filename"), cl::cat(Category)};
  cl::opt<char, true> OptLevel{"O", cl::location(Run.OptLevel), cl::Prefix,
                               cl::desc("Optimization level, 0 to 3"),
                               cl::cat(Category)};
  cl::opt<char, true> CGOptLevel{
      "cg-opt-level", cl::location(Run.CodeGenOptLevel),
      cl::desc("Code generation level, 0 to 3"), cl::cat(Category)};
  Text CacheDir{"cache-dir", cl::location(Run.CacheDir),
                cl::desc("ThinLTO cache"), cl::value_desc("directory"),
                cl::cat(Category)};
  Text OptPipeline{"opt-pipeline", cl::location(Run.OptPipeline),
                   cl::desc("Optimizer pipeline"), cl::value_desc("pipeline"),
                   cl::cat(Category)};
  Text AAPipeline{"aa-pipeline", cl::location(Run.AAPipeline),
                  cl::desc("Alias analysis pipeline"),
                  cl::value_desc("pipeline"), cl::cat(Category)};
  Text OverrideTriple{"override-triple", cl::location(Run.OverrideTriple),
                      cl::desc("Replace the target triple"), cl::cat(Category)};
  Text DefaultTriple{"default-triple", cl::location(Run.DefaultTriple),
                     cl::desc("For modules without a triple"),
                     cl::cat(Category)};
  Text Threads{"thinlto-threads", cl::location(Run.ThinLTOThreads),
               cl::desc("Threads of the ThinLTO backends"), cl::cat(Category)};
  cl::alias ThreadsAlias{"j", cl::Prefix, cl::aliasopt(Threads),
                         cl::desc("Alias of -thinlto-threads"),
                         cl::cat(Category)};
  Text StatsFile{"stats-file", cl::location(Run.StatsFile),
                 cl::desc("Statistics as JSON"), cl::value_desc("filename"),
                 cl::cat(Category)};
  Text RemarksFile{"pass-remarks-output", cl::location(Run.RemarksFile),
                   cl::desc("Optimization remarks"), cl::value_desc("filename"),
                   cl::cat(Category)};
  Text RemarksFilter{"pass-remarks-filter", cl::location(Run.RemarksFilter),
                     cl::desc("Remarks of these passes only"),
                     cl::value_desc("regex"), cl::cat(Category)};
  Text RemarksFormat{"pass-remarks-format", cl::location(Run.RemarksFormat),
                     cl::desc("Format of remarks"), cl::cat(Category)};
  Flag RemarksWithHotness{
      "pass-remarks-with-hotness", cl::location(Run.RemarksWithHotness),
      cl::desc("Remarks with profile counts"), cl::cat(Category)};
  cl::opt<std::optional<uint64_t>, true, remarks::HotnessThresholdParser>
      RemarksHotnessThreshold{
          "pass-remarks-hotness-threshold",
          cl::location(Run.RemarksHotnessThreshold),
          cl::desc("Remarks of code that ran so often; auto "
                   "for what the profile summary says"),
          cl::value_desc("count or auto"), cl::cat(Category)};
  Text SampleProfile{"lto-sample-profile-file", cl::location(Run.SampleProfile),
                     cl::desc("Sample profile"), cl::value_desc("filename"),
                     cl::cat(Category)};
  Text CSProfile{"lto-cspgo-profile-file", cl::location(Run.CSProfile),
                 cl::desc("Context sensitive PGO profile"),
                 cl::value_desc("filename"), cl::cat(Category)};
  Flag CSInstrument{"lto-cspgo-gen", cl::location(Run.CSInstrument),
                    cl::desc("Instrument for context sensitive PGO"),
                    cl::cat(Category)};
  Text UnifiedLTO{"unified-lto", cl::location(Run.UnifiedLTO),
                  cl::desc("What modules of -funified-lto are linked as: thin, "
                           "full; default for other modules"),
                  cl::value_desc("mode"), cl::cat(Category)};
  Flag AllVtables{
      "all-vtables-have-type-infos", cl::location(Run.AllVtablesHaveTypeInfos),
      cl::desc("All vtables have type information"), cl::cat(Category)};
  Flag ValidateVtables{"validate-all-vtables-have-type-infos",
                       cl::location(Run.ValidateAllVtablesHaveTypeInfos),
                       cl::desc("Check that all vtables have type information "
                                "for whole program devirtualization"),
                       cl::cat(Category)};
  Text Distributor{
      "dtlto-distributor", cl::location(Run.Distributor),
      cl::desc("Program that has the ThinLTO backends compiled elsewhere"),
      cl::value_desc("program"), cl::cat(Category)};
  Texts DistributorArguments{"dtlto-distributor-arg",
                             cl::location(Run.DistributorArguments),
                             cl::desc("An argument of it"),
                             cl::value_desc("argument"), cl::cat(Category)};
  Text RemoteCompiler{"dtlto-compiler", cl::location(Run.RemoteCompiler),
                      cl::desc("Compiler of backends compiled elsewhere"),
                      cl::value_desc("program"), cl::cat(Category)};
  Texts RemoteCompilerPrependArguments{
      "dtlto-compiler-prepend-arg",
      cl::location(Run.RemoteCompilerPrependArguments),
      cl::desc("A first argument of it"), cl::value_desc("argument"),
      cl::cat(Category)};
  Texts RemoteCompilerArguments{"dtlto-compiler-arg",
                                cl::location(Run.RemoteCompilerArguments),
                                cl::desc("An argument of it"),
                                cl::value_desc("argument"), cl::cat(Category)};
  Flag TimeTrace{"time-trace", cl::location(Run.TimeTrace),
                 cl::desc("Record where time goes"), cl::cat(Category)};
  cl::opt<unsigned, true> TimeTraceGranularity{
      "time-trace-granularity", cl::location(Run.TimeTraceGranularity),
      cl::desc("Shortest time to record, in microseconds"), cl::cat(Category)};
  Text TimeTraceFile{"time-trace-file", cl::location(Run.TimeTraceFile),
                     cl::desc("Where to record (OUTPUT.time-trace)"),
                     cl::value_desc("filename"), cl::cat(Category)};
  Texts PassPlugins{"load-pass-plugin", cl::location(Run.PassPlugins),
                    cl::desc("Load a pass plugin"), cl::value_desc("filename"),
                    cl::cat(Category)};
  Flag SaveTemps{"save-temps", cl::location(Run.SaveTemps),
                 cl::desc("Keep intermediate files"), cl::cat(Category)};
  Texts SelectSaveTemps{
      "select-save-temps", cl::location(Run.SelectSaveTemps),
      cl::CommaSeparated,
      cl::desc("Keep these: resolution, preopt, promote, internalize, import, "
               "opt, precodegen, combinedindex"),
      cl::cat(Category)};
  Flag DistributedIndexes{
      "thinlto-distributed-indexes", cl::location(Run.DistributedIndexes),
      cl::desc("Write an index for each module instead of compiling"),
      cl::cat(Category)};
  Flag EmitIndexes{"thinlto-emit-indexes", cl::location(Run.EmitIndexes),
                   cl::desc("Write the indexes and compile too"),
                   cl::cat(Category)};
  Flag EmitImports{"thinlto-emit-imports", cl::location(Run.EmitImports),
                   cl::desc("Write a list of imports for each module"),
                   cl::cat(Category)};
  Flag DisableVerify{"disable-verify", cl::location(Run.DisableVerify),
                     cl::desc("Do not verify IR"), cl::cat(Category)};
  Flag Freestanding{"lto-freestanding", cl::location(Run.Freestanding),
                    cl::desc("Treat no function as a library function"),
                    cl::cat(Category)};
  Flag WholeProgram{"whole-program-visibility-enabled-in-lto",
                    cl::location(Run.HasWholeProgramVisibility),
                    cl::desc("No class is derived from outside"),
                    cl::cat(Category)};
  Flag DebugPassManager{
      "debug-pass-manager", cl::location(Run.DebugPassManager),
      cl::desc("Print pass management"), cl::Hidden, cl::cat(Category)};
};

RunCommandLine &options() {
  static RunCommandLine Result;
  return Result;
}

} // namespace

cl::OptionCategory &thermocline::tools::runCategory() {
  return options().Category;
}

RunCommand &thermocline::tools::runOptions() { return options().Run; }
