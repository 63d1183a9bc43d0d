//===- thermo-lto/Run.cpp - The command line of llvm-lto2 run -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "LinkSession.h"
#include "Options.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/CommandFlags.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/WithColor.h"
#include <atomic>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace llto = llvm::lto;

namespace {

/// Symbol resolutions by file and symbol, each to be used once or more.
class ResolutionTable {
public:
  Error add(StringRef Text) {
    auto [File, Rest] = Text.split(',');
    auto [Symbol, Flags] = Rest.split(',');
    if (File.empty() || !Text.substr(File.size() + 1).contains(','))
      return fileError("-r=" + Text.str(), "expected FILE,SYMBOL,FLAGS");
    llto::SymbolResolution Resolution;
    for (char C : Flags) {
      switch (C) {
      case 'p':
        Resolution.Prevailing = true;
        break;
      case 'l':
        Resolution.FinalDefinitionInLinkageUnit = true;
        break;
      case 'x':
        Resolution.VisibleToRegularObj = true;
        break;
      case 'r':
        Resolution.LinkerRedefined = true;
        break;
      default:
        return fileError("-r=" + Text.str(),
                         Twine("unknown flag '") + Twine(C) + "'");
      }
    }
    Given[{File.str(), Symbol.str()}].push_back(Resolution);
    return Error::success();
  }

  /// The resolutions of the symbols of \p Input in their order. A symbol that
  /// occurs several times (as in module assembly) takes one after the other.
  Expected<std::vector<llto::SymbolResolution>> take(StringRef File,
                                                     llto::InputFile &Input) {
    std::vector<llto::SymbolResolution> Result;
    Error Missing = Error::success();
    for (const llto::InputFile::Symbol &Symbol : Input.symbols()) {
      auto Found = Given.find({File.str(), Symbol.getName().str()});
      if (Found == Given.end() || Found->second.empty()) {
        Missing = joinErrors(
            std::move(Missing),
            recordError(File, Symbol.getName(),
                        "no resolution given for this symbol; add -r=" + File +
                            "," + Symbol.getName() + ",FLAGS"));
        continue;
      }
      Result.push_back(Found->second.front());
      Found->second.erase(Found->second.begin());
    }
    if (Missing)
      return std::move(Missing);
    return std::move(Result);
  }

  /// An error for each resolution that no file had a symbol for.
  Error unused() const {
    Error Result = Error::success();
    for (const auto &[Key, Left] : Given)
      if (!Left.empty())
        Result = joinErrors(std::move(Result),
                            recordError(Key.first, Key.second,
                                        "a resolution is given for a symbol "
                                        "that the file does not have"));
    return Result;
  }

private:
  std::map<std::pair<std::string, std::string>,
           std::vector<llto::SymbolResolution>>
      Given;
};

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

} // namespace

Expected<int> thermocline::tools::runCommand() {
  RunOptions O = runOptions();
  if (O.Inputs.empty())
    return fileError("run", "no input files");
  if (O.Output.empty())
    return fileError("run", "no output file; give one with -o");

  // LLVM's code generator has no way to hand on that an output cannot be
  // opened.
  StringRef Directory = sys::path::parent_path(O.Output);
  if (!Directory.empty() && !sys::fs::is_directory(Directory))
    return fileError(O.Output, "there is no directory " + Directory);

  ResolutionTable Resolutions;
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
  thermocline::lto::LinkSession &Session = thermocline::lto::LinkSession::get();
  if (O.DistributedIndexes)
    Session.setCompilesElsewhere();
  Session.setThreads(Parallelism->compute_thread_count());
  Session.setErrorHandler([&HadError](const Twine &Text) {
    HadError = true;
    WithColor::error(errs(), "thermo-lto") << Text << '\n';
  });
  llto::ThinBackend Backend =
      O.DistributedIndexes
          ? llto::createWriteIndexesThinBackend(
                *Parallelism, /*OldPrefix=*/"", /*NewPrefix=*/"",
                /*NativeObjectPrefix=*/"", O.EmitImports,
                /*LinkedObjectsFile=*/nullptr, /*OnWrite=*/{})
          : llto::createInProcessThinBackend(*Parallelism, /*OnWrite=*/{},
                                             O.EmitIndexes, O.EmitImports);
  llto::LTO Link(std::move(*Config), std::move(Backend));

  // The link refers to the files' contents until it has run.
  std::vector<std::unique_ptr<MemoryBuffer>> Buffers;
  for (const std::string &File : O.Inputs) {
    auto Buffer = MemoryBuffer::getFile(File);
    if (!Buffer)
      return fileError(File, Buffer.getError().message());
    Buffers.push_back(std::move(*Buffer));
    auto Input = llto::InputFile::create(Buffers.back()->getMemBufferRef());
    if (!Input)
      return inFile(File, Input.takeError());
    auto Symbols = Resolutions.take(File, **Input);
    if (!Symbols)
      return Symbols.takeError();
    if (Error E = Link.add(std::move(*Input), *Symbols))
      return inFile(File, std::move(E));
  }
  if (Error E = Resolutions.unused())
    return std::move(E);

  auto AddStream =
      [&](size_t Task,
          const Twine &) -> Expected<std::unique_ptr<CachedFileStream>> {
    std::string File = O.Output + "." + utostr(Task);
    std::error_code EC;
    auto OS = std::make_unique<raw_fd_ostream>(File, EC);
    if (EC)
      return fileError(File, EC.message());
    return std::make_unique<CachedFileStream>(std::move(OS), File);
  };
  FileCache Cache;
  if (!O.CacheDir.empty()) {
    auto AddBuffer = [&](size_t Task, const Twine &,
                         std::unique_ptr<MemoryBuffer> Cached) {
      std::error_code EC;
      raw_fd_ostream OS(O.Output + "." + utostr(Task), EC);
      if (EC) {
        HadError = true;
        WithColor::error(errs(), "thermo-lto")
            << O.Output << '.' << Task << ": " << EC.message() << '\n';
        return;
      }
      OS << Cached->getBuffer();
    };
    auto Local = localCache("ThinLTO", "Thin", O.CacheDir, AddBuffer);
    if (!Local)
      return inFile(O.CacheDir, Local.takeError());
    Cache = std::move(*Local);
  }
  if (Error E = Link.run(AddStream, Cache))
    return std::move(E);
  if (HadError)
    return 1;
  if (Error E = Session.finish("thermo-lto"))
    return std::move(E);
  return 0;
}
