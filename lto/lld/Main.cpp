//===- lto/lld/Main.cpp - ld.lld with the engine inside -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "link/AllocatorLink.h"
#include "link/ColdHeapCheck.h"
#include "link/LinkInputs.h"
#include "link/LinkSession.h"
#include "lld/Common/Driver.h"
#include "lld/Common/ErrorHandler.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using thermocline::lto::CommandLine;
using thermocline::lto::LinkInputs;
using thermocline::lto::LinkSession;
using thermocline::lto::LinkSetup;

LLD_HAS_DRIVER(elf)

/// Unless it is a device.
static void removeOutput(llvm::StringRef Path) {
  if (llvm::sys::fs::is_regular_file(Path))
    llvm::sys::fs::remove(Path);
}

/// \p Inputs must outlive the link.
static LinkSetup setupOf(CommandLine &Options, LinkInputs &Inputs) {
  LinkSetup Setup;
  Setup.Tool = "ld.lld";
  // lld counts errors, and warnings as its options say.
  Setup.Output = Options.Output;
  Setup.Say = {
      .Error = [](const llvm::Twine &Text) { lld::error(Text); },
      .Warning = [](const llvm::Twine &Text) { lld::warn(Text); },
      .Note = [](const llvm::Twine &Text) { lld::message(Text, llvm::errs()); },
      .Statement =
          [](const llvm::Twine &Text) {
            lld::message("ld.lld: " + Text, llvm::errs());
          }};
  if (Options.CompilesElsewhere)
    Setup.CompiledBy =
        thermocline::lto::compilerOfIndexes(Options.RemoteCompiler);
  Setup.IsDefinedElsewhere =
      [&Inputs, Assigned = Options.Redefined](llvm::StringRef Symbol) {
        return llvm::is_contained(Assigned, Symbol) || Inputs.defines(Symbol);
      };
  Setup.FindOwnOperators = [&Inputs] { return Inputs.ownOperators(); };
  Setup.MachineCode = [&Inputs](llvm::GlobalValue::GUID Function) {
    return Inputs.machineCode(Function);
  };
  Setup.Redefined = std::move(Options.Redefined);
  Setup.Remarks = std::move(Options.Remarks);
  Setup.IsRelocatable = Options.IsRelocatable;
  Setup.IsOffByLevel = Options.IsOffByLevel;
  Setup.IsOffByPasses = Options.IsOffByPasses;
  Setup.LastOptions = std::move(Options.Outputs);
  // LLVM's keys for what a distributor has compiled do not cover it.
  if (!Options.RemoteCompiler.empty() && Options.Caches)
    Setup.CacheSettings =
        " compiler=" + Options.RemoteCompiler + Options.RemoteCompilerArguments;
  return Setup;
}

extern "C" int ld_lld_main(int argc, char **argv) {
  llvm::InitLLVM Init(argc, argv);
  llvm::sys::Process::UseANSIEscapeCodes(true);

  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  auto Options = CommandLine::parse(llvm::ArrayRef(argv, argc), Saver);
  if (!Options)
    return thermocline::reportFatal("ld.lld", Options.takeError());
  static thermocline::FatalErrors Fatal;
  Fatal = {"ld.lld", Options->Output};
  Fatal.install();
  std::vector<std::string> Problems =
      thermocline::lto::fitAllocator(Options->Line, Options->ForLLD);
  llvm::append_range(Problems,
                     thermocline::lto::problemsWithAllocator(Options->Line));
  LinkInputs Inputs = LinkInputs::find(Options->Line);
  LinkSession &Session = LinkSession::get();
  Session.begin(setupOf(*Options, Inputs));

  bool Linked = lld::elf::link(Options->ForLLD, llvm::outs(), llvm::errs(),
                               /*exitEarly=*/true, /*disableOutput=*/false);
  if (Options->Help)
    thermocline::lto::printLinkerOptions(llvm::outs());
  else if (Options->Version)
    thermocline::printVersion(llvm::outs(), "ld.lld");
  if (Linked) {
    for (auto *Look : {thermocline::lto::problemWithColdHeap,
                       thermocline::lto::problemWithNativeCode})
      if (std::string Problem = Look(Options->Line, Options->Output);
          !Problem.empty())
        Problems.push_back(std::move(Problem));
    for (const std::string &Problem : Problems)
      lld::warn(Problem);
    if (llvm::Error E = Session.finish())
      llvm::handleAllErrors(std::move(E), [](const llvm::ErrorInfoBase &Info) {
        lld::error(Info.message());
      });
    // A link that fails leaves no program behind.
    if (lld::errorCount())
      removeOutput(Options->Output);
  }
  int Status = Linked && !lld::errorCount() ? 0 : 1;
  // As stock lld does: the linked program is written, and freeing what the link
  // used takes longer than leaving it.
  lld::exitLld(Status);
}
