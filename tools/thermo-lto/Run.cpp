//===- thermo-lto/Run.cpp - The command line of llvm-lto2 run -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Resolutions.h"
#include "RunSettings.h"
#include "inspect/ArchiveMember.h"
#include "link/LinkSession.h"
#include "link/OutputStream.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/DTLTO/DTLTO.h"
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
using thermocline::lto::LinkSession;

namespace llto = llvm::lto;

namespace {

/// Arguments of remote compilers. The backends refer to these as long as there
/// is a link.
struct RemoteArguments {
  explicit RemoteArguments(const RunCommand &O)
      : Distributor(refs(O.DistributorArguments)),
        CompilerPrepend(refs(O.RemoteCompilerPrependArguments)),
        Compiler(refs(O.RemoteCompilerArguments)) {}

  std::vector<StringRef> Distributor, CompilerPrepend, Compiler;

private:
  static std::vector<StringRef> refs(const std::vector<std::string> &Texts) {
    return std::vector<StringRef>(Texts.begin(), Texts.end());
  }
};

/// One link. LLVM's LTO refers to all of it until the link has run.
class LinkRun {
public:
  explicit LinkRun(RunCommand Command) : O(std::move(Command)) {}

  Expected<int> run();

private:
  /// Takes inputs and resolutions from the files of linkers.
  Error readResolutionFiles();
  Error checkOutput() const;
  /// Opens the inputs, and checks that no output would overwrite one.
  Error openInputs();
  Error configure();
  std::unique_ptr<llto::LTO> makeLink(llto::Config Config,
                                      llto::LTO::LTOKind Mode) const;
  Error addInputs();
  void beginSession();
  Error compile();
  /// The cache of the ThinLTO backends; none without -cache-dir.
  Expected<FileCache> openCache();
  Expected<std::unique_ptr<CachedFileStream>> openOutput(size_t Task) const;
  /// Writes an object that came from the cache. It is an output, too.
  void writeCached(size_t Task, const MemoryBuffer &Cached);
  Error report();

  RunCommand O;
  ResolutionTable Resolutions;
  std::vector<std::unique_ptr<MemoryBuffer>> Buffers;
  ThreadPoolStrategy Parallelism;
  std::optional<RemoteArguments> Remote;
  /// Symbols that are defined in the link, but not in its bitcode.
  StringSet<> Elsewhere;
  std::atomic<bool> HadError = false;
  std::unique_ptr<llto::LTO> Link;
};

Expected<int> LinkRun::run() {
  if (Error E = readResolutionFiles())
    return std::move(E);
  if (Error E = checkOutput())
    return std::move(E);
  if (Error E = openInputs())
    return std::move(E);
  if (Error E = configure())
    return std::move(E);
  if (Error E = addInputs())
    return std::move(E);
  beginSession();
  if (Error E = compile())
    return std::move(E);
  if (HadError)
    return 1;
  if (Error E = report())
    return std::move(E);
  return 0;
}

Error LinkRun::readResolutionFiles() {
  for (const std::string &Name : O.ResolutionFiles)
    if (Error E = Resolutions.addFile(Name, O.Inputs))
      return E;
  if (O.Inputs.empty())
    return fileError("run", "no input files");
  return Error::success();
}

Error LinkRun::checkOutput() const {
  if (O.Output.empty())
    return fileError("run", "no output file; give one with -o");
  static FatalErrors Fatal;
  Fatal = {"thermo-lto", O.Output};
  Fatal.install();
  StringRef Directory = sys::path::parent_path(O.Output);
  if (!Directory.empty() && !sys::fs::is_directory(Directory))
    return fileError(O.Output, "there is no directory " + Directory);
  return Error::success();
}

Error LinkRun::openInputs() {
  FileRoles Files = filesOf(O);
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
    return E;
  // LLVM tells modules apart by their paths.
  StringSet<> Given;
  for (const std::string &Input : O.Inputs)
    if (!Given.insert(Input).second)
      return fileError(Input, "is given twice");
  return Error::success();
}

Error LinkRun::configure() {
  for (const std::string &Text : O.Resolutions)
    if (Error E = Resolutions.add(Text))
      return E;
  Expected<llto::Config> Config = makeConfig(O, HadError);
  if (!Config)
    return Config.takeError();
  std::optional<ThreadPoolStrategy> Threads =
      get_threadpool_strategy(O.ThinLTOThreads);
  if (!Threads)
    return fileError("-thinlto-threads",
                     "not a number of threads: " + O.ThinLTOThreads);
  Parallelism = *Threads;
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
  Remote.emplace(O);
  Link = makeLink(std::move(*Config), *Mode);
  return Error::success();
}

std::unique_ptr<llto::LTO> LinkRun::makeLink(llto::Config Config,
                                             llto::LTO::LTOKind Mode) const {
  constexpr unsigned Partitions = 1;
  if (!O.Distributor.empty())
    return std::make_unique<llto::DTLTO>(
        std::move(Config),
        llto::createOutOfProcessThinBackend(
            Parallelism, /*OnWrite=*/{}, O.EmitIndexes, O.EmitImports, O.Output,
            O.Distributor, Remote->Distributor, O.RemoteCompiler,
            Remote->CompilerPrepend, Remote->Compiler, O.SaveTemps),
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

Error LinkRun::addInputs() {
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
  return Resolutions.unused();
}

void LinkRun::beginSession() {
  thermocline::lto::LinkSetup Setup;
  Setup.Tool = "thermo-lto";
  Setup.Output = O.Output;
  Setup.Say = thermocline::lto::messagesToStandardError("thermo-lto");
  Setup.Say.Error = [this](const Twine &Text) {
    HadError = true;
    WithColor::error(errs(), "thermo-lto") << Text << '\n';
  };
  Setup.Say.Note = [](const Twine &Text) {
    WithColor::remark(errs(), "thermo-lto") << Text << '\n';
  };
  if (O.DistributedIndexes || !O.Distributor.empty())
    Setup.CompiledBy = thermocline::lto::compilerOfIndexes(O.RemoteCompiler);
  Setup.IsDefinedElsewhere = [this](StringRef Symbol) {
    return Elsewhere.contains(Symbol);
  };
  Setup.Remarks = {O.RemarksFile, O.RemarksFilter, O.RemarksFormat};
  LinkSession::get().begin(std::move(Setup));
}

Error LinkRun::compile() {
  Expected<FileCache> Cache = openCache();
  if (!Cache)
    return Cache.takeError();
  return Link->run(
      [this](size_t Task, const Twine &) { return openOutput(Task); }, *Cache);
}

Expected<FileCache> LinkRun::openCache() {
  if (O.CacheDir.empty())
    return FileCache();
  Expected<FileCache> Local = localCache(
      "ThinLTO", "Thin", O.CacheDir,
      [this](size_t Task, const Twine &, std::unique_ptr<MemoryBuffer> Cached) {
        writeCached(Task, *Cached);
      });
  if (!Local)
    return inFile(O.CacheDir, Local.takeError());
  return Local;
}

Expected<std::unique_ptr<CachedFileStream>>
LinkRun::openOutput(size_t Task) const {
  return thermocline::lto::openOutputStream(O.Output + "." + utostr(Task));
}

void LinkRun::writeCached(size_t Task, const MemoryBuffer &Cached) {
  auto Stream = openOutput(Task);
  Error Failed = Stream.takeError();
  if (!Failed) {
    *(*Stream)->OS << Cached.getBuffer();
    Failed = (*Stream)->commit();
  }
  if (!Failed)
    return;
  HadError = true;
  WithColor::error(errs(), "thermo-lto") << toString(std::move(Failed)) << '\n';
}

Error LinkRun::report() {
  Error Reported = LinkSession::get().finish();
  if (!O.TimeTrace)
    return Reported;
  Error Written = timeTraceProfilerWrite(O.TimeTraceFile, O.Output);
  timeTraceProfilerCleanup();
  return joinErrors(std::move(Reported), std::move(Written));
}

} // namespace

Expected<int> thermocline::tools::run(const RunCommand &Command) {
  return LinkRun(Command).run();
}
