//===- thermo-lto/Run.cpp - The command line of llvm-lto2 run -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "Resolutions.h"
#include "inspect/ArchiveMember.h"
#include "link/LinkSession.h"
#include "link/OutputStream.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/DTLTO/DTLTO.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <memory>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace llto = llvm::lto;

namespace {

Expected<llto::Config> makeConfig(const RunOptions &O,
                                  std::atomic<bool> &HadError) {
  llto::Config C;
  C.CPU = codegen::getMCPU();
  C.Options = codegen::InitTargetOptionsFromCodeGenFlags(
      Triple(O.OverrideTriple.empty() ? O.DefaultTriple : O.OverrideTriple));
  C.MAttrs = codegen::getMAttrs();
  if (auto Model = codegen::getExplicitRelocModel())
    C.RelocModel = *Model;
  C.CodeModel = codegen::getExplicitCodeModel();
  if (auto Type = codegen::getExplicitFileType())
    C.CGFileType = *Type;
  if (O.OptLevel < '0' || O.OptLevel > '3')
    return fileError("-O", "the level must be 0 to 3");
  C.OptLevel = O.OptLevel - '0';
  auto Level = CodeGenOpt::getLevel(O.CodeGenOptLevel - '0');
  if (!Level)
    return fileError("-cg-opt-level", "the level must be 0 to 3");
  C.CGOptLevel = *Level;
  C.OptPipeline = O.OptPipeline;
  C.AAPipeline = O.AAPipeline;
  C.OverrideTriple = O.OverrideTriple;
  C.DefaultTriple = O.DefaultTriple;
  C.StatsFile = O.StatsFile;
  C.RemarksFilename = O.RemarksFile;
  C.RemarksPasses = O.RemarksFilter;
  C.RemarksFormat = O.RemarksFormat;
  C.RemarksWithHotness = O.RemarksWithHotness;
  C.RemarksHotnessThreshold = O.RemarksHotnessThreshold;
  C.SampleProfile = O.SampleProfile;
  C.CSIRProfile = O.CSProfile;
  C.RunCSIRInstr = O.CSInstrument;
  C.AllVtablesHaveTypeInfos = O.AllVtablesHaveTypeInfos;
  C.ValidateAllVtablesHaveTypeInfos = O.ValidateAllVtablesHaveTypeInfos;
  C.TimeTraceEnabled = O.TimeTrace;
  C.TimeTraceGranularity = O.TimeTraceGranularity;
  C.PassPlugins = O.PassPlugins;
  C.DisableVerify = O.DisableVerify;
  C.Freestanding = O.Freestanding;
  C.HasWholeProgramVisibility = O.HasWholeProgramVisibility;
  C.DebugPassManager = O.DebugPassManager;
  C.ShouldDiscardValueNames = false;
  C.DiagHandler = [&HadError](const DiagnosticInfo &Info) {
    if (Info.getSeverity() == DS_Error)
      HadError = true;
    raw_ostream &OS = Info.getSeverity() == DS_Error
                          ? WithColor::error(errs(), "thermo-lto")
                      : Info.getSeverity() == DS_Warning
                          ? WithColor::warning(errs(), "thermo-lto")
                          : WithColor::remark(errs(), "thermo-lto");
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    OS << '\n';
  };
  if (O.SaveTemps || !O.SelectSaveTemps.empty()) {
    DenseSet<StringRef> Selected;
    for (const std::string &Name : O.SelectSaveTemps)
      Selected.insert(Name);
    if (Error E = C.addSaveTemps(O.Output + ".", /*UseInputModulePath=*/false,
                                 Selected))
      return std::move(E);
  }
  return std::move(C);
}

/// \p Elsewhere and \p HadError must outlive the link.
thermocline::lto::LinkSetup setupOf(const RunOptions &O,
                                    ThreadPoolStrategy Parallelism,
                                    const StringSet<> &Elsewhere,
                                    std::atomic<bool> &HadError) {
  using namespace thermocline::lto;
  LinkSetup Setup;
  Setup.Tool = "thermo-lto";
  Setup.Say = messagesToStandardError("thermo-lto");
  Setup.Say.Error = [&HadError](const Twine &Text) {
    HadError = true;
    WithColor::error(errs(), "thermo-lto") << Text << '\n';
  };
  Setup.Say.Note = [](const Twine &Text) {
    WithColor::remark(errs(), "thermo-lto") << Text << '\n';
  };
  if (O.DistributedIndexes || !O.Distributor.empty())
    Setup.CompiledBy = compilerOfIndexes(O.RemoteCompiler);
  Setup.Threads = Parallelism.compute_thread_count();
  Setup.IsDefinedElsewhere = [&Elsewhere](StringRef Symbol) {
    return Elsewhere.contains(Symbol);
  };
  Setup.Remarks = {O.RemarksFile, O.RemarksFilter, O.RemarksFormat};
  return Setup;
}

/// The backends refer to these as long as there is a link.
struct RemoteArguments {
  explicit RemoteArguments(const RunOptions &O)
      : Distributor(refs(O.DistributorArguments)),
        CompilerPrepend(refs(O.RemoteCompilerPrependArguments)),
        Compiler(refs(O.RemoteCompilerArguments)) {}

  std::vector<StringRef> Distributor, CompilerPrepend, Compiler;

private:
  static std::vector<StringRef> refs(const std::vector<std::string> &Texts) {
    return std::vector<StringRef>(Texts.begin(), Texts.end());
  }
};

std::unique_ptr<llto::LTO> makeLink(const RunOptions &O,
                                    const RemoteArguments &Remote,
                                    llto::Config Config,
                                    ThreadPoolStrategy Parallelism,
                                    llto::LTO::LTOKind Mode) {
  constexpr unsigned Partitions = 1;
  if (!O.Distributor.empty())
    return std::make_unique<llto::DTLTO>(
        std::move(Config),
        llto::createOutOfProcessThinBackend(
            Parallelism, /*OnWrite=*/{}, O.EmitIndexes, O.EmitImports, O.Output,
            O.Distributor, Remote.Distributor, O.RemoteCompiler,
            Remote.CompilerPrepend, Remote.Compiler, O.SaveTemps),
        Partitions, Mode, O.Output, O.SaveTemps);
  llto::ThinBackend Backend =
      O.DistributedIndexes
          ? llto::createWriteIndexesThinBackend(
                Parallelism, /*OldPrefix=*/"", /*NewPrefix=*/"",
                /*NativeObjectPrefix=*/"", O.EmitImports,
                /*LinkedObjectsFile=*/nullptr, /*OnWrite=*/{})
          : llto::createInProcessThinBackend(Parallelism, /*OnWrite=*/{},
                                             O.EmitIndexes, O.EmitImports);
  return std::make_unique<llto::LTO>(std::move(Config), std::move(Backend),
                                     Partitions, Mode);
}

/// What -save-temps keeps, beside the list of resolutions.
constexpr StringLiteral Stages[] = {"0.preopt", "1.promote", "2.internalize",
                                    "3.import", "4.opt",     "5.precodegen"};

/// Enters what the link writes for each of its tasks: at most one for regular
/// LTO, and one for each module.
void enterTasks(const RunOptions &O, FileRoles &Files) {
  const bool WritesIndexes = O.DistributedIndexes || O.EmitIndexes;
  for (size_t Task = 0; Task <= O.Inputs.size(); ++Task) {
    const std::string Name = O.Output + "." + utostr(Task);
    Files.writes(Name, "an output of -o");
    if (O.SaveTemps || !O.SelectSaveTemps.empty())
      for (StringRef Stage : Stages)
        Files.writes((Name + "." + Stage + ".bc").str(),
                     "a file of -save-temps");
    if (!O.RemarksFile.empty())
      Files.writes(O.RemarksFile + ".thin." + utostr(Task) + "." +
                       O.RemarksFormat,
                   "a file of -pass-remarks-output");
  }
  for (const std::string &Module : O.Inputs) {
    if (WritesIndexes)
      Files.writes(Module + ".thinlto.bc", "an index");
    if (O.EmitImports)
      Files.writes(Module + ".imports", "a list of imports");
  }
}

/// All that the link writes, and what it reads beside the modules.
FileRoles filesOf(const RunOptions &O) {
  FileRoles Files;
  const thermocline::lto::LinkOptions Link = thermocline::lto::linkOptions();
  for (const std::string &Name : O.ResolutionFiles)
    Files.uses(Name, "the file of -resolution-file");
  for (const std::string &Plugin : O.PassPlugins)
    Files.uses(Plugin, "the file of -load-pass-plugin");
  Files.uses(O.SampleProfile, "the file of -lto-sample-profile-file");
  Files.uses(O.CSProfile, "the file of -lto-cspgo-profile-file");
  Files.uses(O.Distributor, "the file of -dtlto-distributor");
  Files.uses(O.RemoteCompiler, "the file of -dtlto-compiler");
  Files.uses(Link.ProfileFile, "the file of --thinlto-memprof-profile");
  Files.usesResponseFiles(O.CommandLine);
  Files.writes(Link.ReportFile, "the file of --thinlto-memprof-report");
  Files.writes(Link.DecisionsFile, "the file of --thinlto-memprof-decisions");
  Files.writes(Link.DotFile, "the file of --thinlto-memprof-dot");
  Files.writes(O.StatsFile, "the file of -stats-file");
  Files.writes(O.RemarksFile, "the file of -pass-remarks-output");
  if (O.TimeTrace)
    Files.writes(O.TimeTraceFile.empty() ? O.Output + ".time-trace"
                                         : O.TimeTraceFile,
                 "the file of -time-trace");
  if (O.SaveTemps || !O.SelectSaveTemps.empty())
    for (StringRef Kept : {"resolution.txt", "index.bc", "index.dot"})
      Files.writes(O.Output + "." + Kept.str(), "a file of -save-temps");
  enterTasks(O, Files);
  return Files;
}

} // namespace

Expected<int> thermocline::tools::runCommand() {
  RunOptions O = runOptions();
  ResolutionTable Resolutions;
  for (const std::string &Name : O.ResolutionFiles)
    if (Error E = Resolutions.addFile(Name, O.Inputs))
      return std::move(E);
  if (O.Inputs.empty())
    return fileError("run", "no input files");
  if (O.Output.empty())
    return fileError("run", "no output file; give one with -o");
  static FatalErrors Fatal;
  Fatal = {"thermo-lto", O.Output};
  Fatal.install();

  StringRef Directory = sys::path::parent_path(O.Output);
  if (!Directory.empty() && !sys::fs::is_directory(Directory))
    return fileError(O.Output, "there is no directory " + Directory);
  // The link refers to the files' contents until it has run.
  FileRoles Files = filesOf(O);
  std::vector<std::unique_ptr<MemoryBuffer>> Buffers;
  for (const std::string &Input : O.Inputs) {
    std::vector<std::string> Read;
    auto Buffer = thermocline::lto::openModule(Input, &Read);
    if (!Buffer)
      return Buffer.takeError();
    Buffers.push_back(std::move(*Buffer));
    for (const std::string &File : Read)
      Files.uses(File);
  }
  if (Error E = Files.check())
    return std::move(E);
  // LLVM tells modules apart by their paths.
  StringSet<> Given;
  for (const std::string &Input : O.Inputs)
    if (!Given.insert(Input).second)
      return fileError(Input, "is given twice");

  for (const std::string &Text : O.Resolutions)
    if (Error E = Resolutions.add(Text))
      return std::move(E);

  std::atomic<bool> HadError = false;
  Expected<llto::Config> Config = makeConfig(O, HadError);
  if (!Config)
    return Config.takeError();

  std::optional<ThreadPoolStrategy> Parallelism =
      get_threadpool_strategy(O.ThinLTOThreads);
  if (!Parallelism)
    return fileError("-thinlto-threads",
                     "not a number of threads: " + O.ThinLTOThreads);
  auto Mode = StringSwitch<std::optional<llto::LTO::LTOKind>>(O.UnifiedLTO)
                  .Case("default", llto::LTO::LTOK_Default)
                  .Case("thin", llto::LTO::LTOK_UnifiedThin)
                  .Case("full", llto::LTO::LTOK_UnifiedRegular)
                  .Default(std::nullopt);
  if (!Mode)
    return fileError("-unified-lto", "'" + O.UnifiedLTO +
                                         "' is none of default, thin and full");
  if (O.TimeTrace)
    timeTraceProfilerInitialize(O.TimeTraceGranularity, "thermo-lto");
  RemoteArguments Remote(O);
  std::unique_ptr<llto::LTO> Link =
      makeLink(O, Remote, std::move(*Config), *Parallelism, *Mode);

  StringSet<> Elsewhere;
  for (const auto &[File, Buffer] : zip_equal(O.Inputs, Buffers)) {
    auto Input = llto::InputFile::create(Buffer->getMemBufferRef());
    if (!Input)
      return inFile(File, Input.takeError());
    auto Symbols = Resolutions.take(File, **Input);
    if (!Symbols)
      return Symbols.takeError();
    // The flags of a symbol that is undefined here, but not in the link.
    for (auto [Symbol, Is] : zip_equal((*Input)->symbols(), *Symbols))
      if (Symbol.isUndefined() &&
          (Is.FinalDefinitionInLinkageUnit || Is.VisibleToRegularObj))
        Elsewhere.insert(Symbol.getName());
    if (Error E = Link->add(std::move(*Input), *Symbols))
      return inFile(File, std::move(E));
  }
  if (Error E = Resolutions.unused())
    return std::move(E);
  thermocline::lto::LinkSession &Session = thermocline::lto::LinkSession::get();
  Session.begin(setupOf(O, *Parallelism, Elsewhere, HadError));

  auto AddStream =
      [&](size_t Task,
          const Twine &) -> Expected<std::unique_ptr<CachedFileStream>> {
    return thermocline::lto::openOutputStream(O.Output + "." + utostr(Task));
  };
  FileCache Cache;
  if (!O.CacheDir.empty()) {
    auto AddBuffer = [&](size_t Task, const Twine &,
                         std::unique_ptr<MemoryBuffer> Cached) {
      auto Stream = AddStream(Task, "");
      Error Failed = Stream.takeError();
      if (!Failed) {
        *(*Stream)->OS << Cached->getBuffer();
        Failed = (*Stream)->commit();
      }
      if (!Failed)
        return;
      HadError = true;
      WithColor::error(errs(), "thermo-lto")
          << toString(std::move(Failed)) << '\n';
    };
    auto Local = localCache("ThinLTO", "Thin", O.CacheDir, AddBuffer);
    if (!Local)
      return inFile(O.CacheDir, Local.takeError());
    Cache = std::move(*Local);
  }
  if (Error E = Link->run(AddStream, Cache))
    return std::move(E);
  if (HadError)
    return 1;
  Error Reported = Session.finish();
  if (O.TimeTrace) {
    Reported = joinErrors(std::move(Reported),
                          timeTraceProfilerWrite(O.TimeTraceFile, O.Output));
    timeTraceProfilerCleanup();
  }
  if (Reported)
    return std::move(Reported);
  return 0;
}
