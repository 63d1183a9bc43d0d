//===- lto/lld/Main.cpp - ld.lld with the engine inside -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LinkSession.h"
#include "CommandLine.h"
#include "lld/Common/Driver.h"
#include "lld/Common/ErrorHandler.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Version.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/Threading.h"

using thermocline::lto::Backends;
using thermocline::lto::CommandLine;
using thermocline::lto::LinkSession;

LLD_HAS_DRIVER(elf)

int main(int argc, char **argv) {
  llvm::InitLLVM Init(argc, argv);
  llvm::sys::Process::UseANSIEscapeCodes(true);

  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Saver(Allocator);
  auto Options = CommandLine::parse(llvm::ArrayRef(argv, argc), Saver);
  if (!Options)
    return thermocline::reportFatal("ld.lld", Options.takeError());
  LinkSession &Session = LinkSession::get();
  if (Options->CompilesElsewhere)
    Session.setCompilesElsewhere(
        llvm::sys::path::filename(Options->RemoteCompiler)
                .starts_with("thermo-backend")
            ? Backends::Thermocline
            : Backends::Stock);
  // LLVM's keys for what a distributor has compiled do not cover it.
  if (!Options->RemoteCompiler.empty() && Options->Caches)
    Session.setCacheSettings(" compiler=" + Options->RemoteCompiler +
                             Options->RemoteCompilerArguments);
  Session.setOutputs(std::move(Options->Outputs));
  Session.setRedefined(std::move(Options->Redefined));
  // lld says so itself if it is no number.
  Session.setThreads(llvm::heavyweight_hardware_concurrency(Options->Jobs)
                         .compute_thread_count());
  // Counted by lld, which then writes no output.
  Session.setErrorHandler([](const llvm::Twine &Text) { lld::error(Text); });

  bool Linked = lld::elf::link(Options->ForLLD, llvm::outs(), llvm::errs(),
                               /*exitEarly=*/true, /*disableOutput=*/false);
  if (Options->Help)
    thermocline::lto::printLinkerOptions(llvm::outs());
  else if (Options->Version)
    thermocline::printVersion(llvm::outs(), "ld.lld");
  int Status = Linked ? 0 : 1;
  if (Linked)
    if (llvm::Error E = Session.finish("ld.lld"))
      Status = thermocline::reportFatal("ld.lld", std::move(E));
  // As stock lld does: the linked program is written, and freeing what the link
  // used takes longer than leaving it.
  lld::exitLld(Status);
}
