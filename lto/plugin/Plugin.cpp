//===- plugin/Plugin.cpp - A link through a linker plugin -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"
#include "Configuration.h"
#include "OtherPlugins.h"
#include "link/ColdHeapCheck.h"
#include "link/LinkFiles.h"
#include "link/LinkInputs.h"
#include "link/LinkSession.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TimeProfiler.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;
using namespace thermocline::lto::plugin;

namespace llto = llvm::lto;

Plugin &Plugin::get() {
  static Plugin P;
  return P;
}

ld_plugin_status Plugin::fail(Error E) {
  Outputs.removeTemporaries();
  Host.fatal(toString(std::move(E)));
  return LDPS_ERR;
}

void Plugin::noteError(const Twine &Text) {
  std::lock_guard<std::mutex> Guard(Lock);
  Errors.push_back(Text.str());
}

Error Plugin::takeErrors() {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Errors.empty())
    return Error::success();
  // Backends end in any order.
  llvm::sort(Errors);
  return createStringError(join(std::exchange(Errors, {}), "\n"));
}

ld_plugin_status Plugin::load(const ld_plugin_tv *Vector,
                              const Hooks &Registered) {
  if (std::exchange(IsLoaded, true)) {
    for (; Vector->tv_tag != LDPT_NULL; ++Vector)
      if (Vector->tv_tag == LDPT_OPTION)
        Arguments.push_back(Vector->tv_u.tv_string);
  } else {
    if (Error E = Host.load(Vector, Registered))
      return fail(std::move(E));
    append_range(Arguments, Host.pluginOptions());
  }
  auto Parsed = PluginOptions::parse(Arguments);
  if (!Parsed)
    return fail(Parsed.takeError());
  Options = std::move(*Parsed);
  if (Options.Help) {
    printHelp(outs());
    outs().flush();
  }
  return LDPS_OK;
}

Error Plugin::begin() {
  if (std::string Other = loadedLLVMPlugin(); !Other.empty())
    return fileError(
        Other, "this plugin is loaded as well, and takes the bitcode that is "
               "to be hinted. clang names it where -flto is given to a link: "
               "use one of Thermocline's config files, or link without -flto");
  std::vector<const char *> Words = {ToolName.data()};
  for (const std::string &Word : Options.ForLLVM)
    Words.push_back(Word.c_str());
  IsOffByLevel = Options.OptLevel == 0 && !sayWhetherToDecide(Words);
  if (IsOffByLevel)
    Words.push_back(SwitchedOff);
  enterFiles();
  if (Error E = Roles.check())
    return E;
  if (Words.size() == 1)
    return Error::success();
  std::string Problem;
  raw_string_ostream OS(Problem);
  if (cl::ParseCommandLineOptions(Words.size(), Words.data(), "", &OS))
    return Error::success();
  // What is wrong with a value the option's parser prints by itself.
  if (Problem.empty())
    return fileError("-plugin-opt", "LLVM does not take the above option");
  StringRef Text = StringRef(Problem).rtrim();
  Text.consume_front((ToolName + ": ").str());
  return createStringError(Text);
}

void Plugin::enterFiles() {
  Roles.writes(Options.ObjectPath, "the file of obj-path");
  Roles.writes(Options.RemarksFile, "the file of opt-remarks-filename");
  Roles.writes(Options.StatsFile, "the file of stats-file");
  Roles.writes(Options.TimeTraceFile, "the file of time-trace");
  Roles.writes(Options.LinkedObjectsFile, "the file of thinlto-index-only");
  enterLinkArguments(Roles, Host.commandLine(),
                     {"obj-path", "opt-remarks-filename", "stats-file",
                      "time-trace", "thinlto-index-only"});
  Roles.uses(Host.outputName(), "the output of the link");
  Roles.usesResponseFiles(Host.unexpanded());
}

ld_plugin_status Plugin::claimFile(const ld_plugin_input_file &File,
                                   bool &Claimed) {
  Error Problem = Error::success();
  std::call_once(Begun, [&] { Problem = begin(); });
  if (Problem)
    return fail(std::move(Problem));
  if (Roles.anyWritten() && !Compiled) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (InputsSeen.insert(File.name).second)
      enterLinkInput(Roles, File.name);
  }
  auto IsOurs = Files.claim(File, Options, Host);
  if (!IsOurs)
    return fail(IsOurs.takeError());
  if (*IsOurs && Compiled)
    return fail(fileError(File.name,
                          "bitcode that is needed only by code that link-time "
                          "optimization has made; compile it without -flto"));
  Claimed = *IsOurs;
  return LDPS_OK;
}

Expected<llto::ThinBackend> Plugin::makeBackend() {
  auto OnWrite = [this](const std::string &Module) {
    std::lock_guard<std::mutex> Guard(Lock);
    IndexesWritten.insert(Module);
  };
  if (Options.Makes != Product::Indexes)
    return llto::createInProcessThinBackend(
        Options.Jobs, OnWrite, Options.EmitIndexes, Options.EmitImports);
  if (!Options.LinkedObjectsFile.empty()) {
    std::error_code EC;
    LinkedObjects = std::make_unique<raw_fd_ostream>(Options.LinkedObjectsFile,
                                                     EC, sys::fs::OF_None);
    if (EC)
      return fileError(Options.LinkedObjectsFile, EC.message());
  }
  return llto::createWriteIndexesThinBackend(
      Options.Jobs, Options.Prefix.Old, Options.Prefix.New,
      Options.NativeObjectPrefix, Options.EmitImports, LinkedObjects.get(),
      OnWrite);
}

/// An empty file tells a build system that the module needs no backend's work,
/// an index with a mark that it is not in the link.
static Error writeEmpty(const std::string &Path, bool IsSkipped) {
  return writeFileAtomically(Path, [&](raw_ostream &OS) {
    if (IsSkipped) {
      ModuleSummaryIndex Index(/*HaveGVs=*/false);
      Index.setSkipModuleByDistributedBackend();
      writeIndexToFile(Index, OS);
    }
    return Error::success();
  });
}

Error Plugin::writeEmptyIndexes(const ClaimedFiles::Modules &Modules) {
  auto Write = [&](const std::string &Module, bool IsSkipped) -> Error {
    std::string Path = llto::getThinLTOOutputFile(Module, Options.Prefix.Old,
                                                  Options.Prefix.New);
    if (Error E = writeEmpty(Path + ".thinlto.bc", IsSkipped))
      return E;
    return Options.EmitImports
               ? writeEmpty(Path + ".imports", /*IsSkipped=*/false)
               : Error::success();
  };
  for (const std::string &Module : Modules.Linked)
    if (!IndexesWritten.contains(Module))
      if (Error E = Write(Module, /*IsSkipped=*/false))
        return E;
  for (const std::string &Module : Modules.Skipped)
    if (Error E = Write(Module, /*IsSkipped=*/true))
      return E;
  return Error::success();
}

Error Plugin::run(llto::LTO &Link) {
  std::string Kept = Options.ObjectPath;
  if (Kept.empty() && Options.SaveTemps)
    Kept = (Host.outputName() + ".lto.o").str();
  else if (Kept.empty() && Options.Makes == Product::Assembly)
    Kept = Host.outputName().str();
  Outputs.begin(Link.getMaxTasks(), std::move(Kept));
  auto AddStream = [this](size_t Task, const Twine &) {
    return Outputs.open(Task);
  };
  FileCache Cache;
  if (!Options.CacheDir.empty()) {
    if (std::error_code EC = sys::fs::create_directories(Options.CacheDir))
      return fileError(Options.CacheDir, EC.message());
    auto AddBuffer = [this](size_t Task, const Twine &,
                            std::unique_ptr<MemoryBuffer> Cached) {
      auto Stream = Outputs.open(Task);
      if (!Stream)
        return noteError(toString(Stream.takeError()));
      *(*Stream)->OS << Cached->getBuffer();
      if (Error E = (*Stream)->commit())
        noteError(toString(std::move(E)));
    };
    auto Local = localCache("ThinLTO", "Thin", Options.CacheDir, AddBuffer);
    if (!Local)
      return inFile(Options.CacheDir, Local.takeError());
    Cache = std::move(*Local);
  }
  if (Error E = Link.run(AddStream, Cache))
    return joinErrors(takeErrors(), std::move(E));
  return takeErrors();
}

LinkSetup Plugin::makeSetup(const ClaimedFiles::Modules &Modules) {
  LinkSetup Setup;
  Setup.Tool = ToolName;
  Setup.Output = Host.outputName().str();
  Setup.IsRelocatable = Host.outputKind() == OutputKind::Relocatable;
  Setup.IsOffByLevel = IsOffByLevel;
  Setup.Say = {.Error = [this](const Twine &Text) { noteError(Text); },
               .Warning = [this](const Twine &Text) { Host.warn(Text); },
               .Note = [this](const Twine &Text) { Host.note(Text); },
               .Statement = [this](const Twine &Text) { Host.note(Text); }};
  if (Options.Makes == Product::Indexes)
    Setup.CompiledBy = Backends::Stock;
  // The linker tells of the modules' symbols only.
  Setup.IsDefinedElsewhere =
      [this, &Undefined = Modules.Undefined,
       Inputs = LinkInputs::find(Host.commandLine())](StringRef Name) mutable {
        return Files.haveSymbol(Name) ? !Undefined.contains(Name)
                                      : Inputs.defines(Name);
      };
  Setup.FindOwnOperators = [this] {
    return LinkInputs::find(Host.commandLine()).ownOperators();
  };
  Setup.MachineCode = [Inputs = LinkInputs::find(Host.commandLine())](
                          GlobalValue::GUID Function) mutable {
    return Inputs.machineCode(Function);
  };
  for (StringRef Name : Host.redefined().keys())
    Setup.Redefined.push_back(Name.str());
  llvm::sort(Setup.Redefined);
  Setup.Remarks = {Options.RemarksFile, Options.RemarksPasses,
                   Options.RemarksFormat};
  return Setup;
}

Error Plugin::compile() {
  if (!Options.TimeTraceFile.empty())
    timeTraceProfilerInitialize(Options.TimeTraceGranularity, ToolName);
  llvm::scope_exit EndTimeTrace([] {
    if (timeTraceProfilerEnabled())
      timeTraceProfilerCleanup();
  });

  for (const std::string &Problem : Host.problems())
    Host.warn(Problem);
  auto Configured = makeConfiguration(
      Options, Host, [this](const Twine &Text) { noteError(Text); });
  if (!Configured)
    return Configured.takeError();
  auto Backend = makeBackend();
  if (!Backend)
    return Backend.takeError();
  llto::LTO Link(std::move(*Configured), std::move(*Backend),
                 Options.Partitions, Options.Mode);
  auto Modules = Files.addTo(Link, Host);
  if (!Modules)
    return joinErrors(takeErrors(), Modules.takeError());
  LinkSession &Session = LinkSession::get();
  Session.begin(makeSetup(*Modules));
  if (Error E = run(Link))
    return E;
  if (Options.Makes == Product::Indexes)
    if (Error E = writeEmptyIndexes(*Modules))
      return E;
  Error Reported = Session.finish();
  if (Options.TimeTraceFile.empty())
    return Reported;
  return joinErrors(
      std::move(Reported),
      timeTraceProfilerWrite(Options.TimeTraceFile, Host.outputName()));
}

Error Plugin::handOver() {
  for (const std::string &Path : Outputs.written())
    if (Error E = Host.addInputFile(Path))
      return E;
  if (Host.readsFilesAtOnce())
    Outputs.removeTemporaries();
  if (!Options.ExtraLibraryPath.empty())
    return Host.setExtraLibraryPath(Options.ExtraLibraryPath);
  return Error::success();
}

void Plugin::stop() {
  // The interface has no way to tell the linker that all is done. What it has
  // opened for the program is not one.
  uint64_t Size = 0;
  std::string Output = Host.outputName().str();
  if (!sys::fs::file_size(Output, Size) && !Size)
    sys::fs::remove(Output);
  LinkedObjects.reset();
  cleanup();
  std::exit(0);
}

ld_plugin_status Plugin::allSymbolsRead() {
  if (Files.empty())
    return LDPS_OK;
  Compiled = true;
  if (Error E = Roles.check())
    return fail(std::move(E));
  if (Error E = compile())
    return fail(std::move(E));
  if (Options.Makes != Product::Program)
    stop();
  if (Error E = handOver())
    return fail(std::move(E));
  return LDPS_OK;
}

/// Whether the linker takes warnings for errors.
static bool areWarningsFatal(ArrayRef<LinkArgument> Line) {
  bool Are = false;
  for (const LinkArgument &Argument : Line)
    if (Argument.isAny({"fatal-warnings", "no-fatal-warnings"}))
      Are = Argument.Name == "fatal-warnings";
  return Are;
}

/// The linkers clean up when the program is written.
void Plugin::lookForColdHeap() {
  if (!Compiled || Options.Makes != Product::Program)
    return;
  const std::string Problem =
      problemWithColdHeap(Host.commandLine(), Host.outputName());
  if (Problem.empty())
    return;
  Host.warn(Problem);
  if (!areWarningsFatal(Host.commandLine()))
    return;
  // The linkers do not count warnings any more, and have said how they end.
  Outputs.removeTemporaries();
  sys::fs::remove(Host.outputName());
  std::fflush(nullptr);
  std::_Exit(1);
}

ld_plugin_status Plugin::cleanup() {
  lookForColdHeap();
  Outputs.removeTemporaries();
  if (!Options.CacheDir.empty())
    pruneCache(Options.CacheDir, Options.CachePolicy);
  return LDPS_OK;
}
