//===- thermo-backend/BackendJob.cpp - The one compile asked for ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackendJob.h"
#include "InputCheck.h"
#include "thermocline/Support/Errors.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace options = clang::options;

/// The target where neither the command line nor a configuration file names
/// one: that of the module.
static std::string defaultTarget(ArrayRef<const char *> Arguments) {
  unsigned MissingIndex = 0, MissingCount = 0;
  const opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Arguments.drop_front(), MissingIndex, MissingCount,
      opt::Visibility(options::ClangOption));
  std::string Target;
  if (const opt::Arg *Input = Parsed.getLastArg(options::OPT_INPUT))
    Target = tools::targetOfModule(Input->getValue());
  return Target.empty() ? sys::getDefaultTargetTriple() : Target;
}

/// Returns an error if \p Compilation is not the compile of one module.
static Error checkIsBackend(clang::driver::Compilation &Compilation) {
  if (!Compilation.getArgs().hasArg(options::OPT_fthinlto_index_EQ))
    return fileError("-fthinlto-index=FILE",
                     "missing: only compiles of a distributed ThinLTO link are "
                     "done here");
  for (const clang::driver::Command &Job : Compilation.getJobs())
    if (Job.getArguments().empty() ||
        Job.getArguments().front() != StringRef("-cc1"))
      return fileError(
          Job.getExecutable(),
          Twine("the options ask for this program to be run as ") +
              Job.getCreator().getShortName() +
              "; only a compile is done here, as with -c, and without "
              "-save-temps and -fno-integrated-as");
  if (Compilation.getJobs().size() != 1)
    return fileError("command line",
                     "asks for " + Twine(Compilation.getJobs().size()) +
                         " compiles; one module is compiled at a time");
  return Error::success();
}

Expected<std::optional<CompilerArguments>>
thermocline::tools::makeBackendJob(ArrayRef<const char *> Arguments,
                                   int &Status) {
  Status = 1;
  BumpPtrAllocator Allocator;
  auto Files = vfs::getRealFileSystem();
  SmallVector<const char *, 256> Expanded(Arguments);
  if (Error E = clang::driver::expandResponseFiles(
          Expanded, /*ClangCLMode=*/false, Allocator, Files.get()))
    return std::move(E);

  std::unique_ptr<clang::DiagnosticOptions> DiagnosticOptions =
      clang::CreateAndPopulateDiagOpts(Expanded);
  auto *Printer =
      new clang::TextDiagnosticPrinter(errs(), *DiagnosticOptions); // Below.
  Printer->setPrefix("thermo-backend");
  clang::DiagnosticsEngine Diagnostics(clang::DiagnosticIDs::create(),
                                       *DiagnosticOptions, Printer,
                                       /*ShouldOwnClient=*/true);
  clang::ProcessWarningOptions(Diagnostics, *DiagnosticOptions, *Files,
                               /*ReportDiags=*/false);

  // The driver has the name of stock clang, for the sake of its resource
  // directory and configuration files, and for what debug information says of
  // the compiler.
  clang::driver::Driver Driver(THERMOCLINE_CLANG, defaultTarget(Expanded),
                               Diagnostics, "thermo-backend", Files);
  Expanded.front() = THERMOCLINE_CLANG;
  std::unique_ptr<clang::driver::Compilation> Compilation(
      Driver.BuildCompilation(Expanded));
  if (!Compilation || Compilation->containsError() ||
      Diagnostics.hasErrorOccurred())
    return std::nullopt;
  // --version and the like have been answered.
  if (Compilation->getJobs().empty() &&
      !Compilation->getArgs().hasArg(options::OPT_INPUT)) {
    Status = 0;
    return std::nullopt;
  }
  if (Error E = checkIsBackend(*Compilation))
    return std::move(E);
  if (Compilation->getArgs().hasArg(options::OPT__HASH_HASH_HASH)) {
    Compilation->getJobs().Print(errs(), "\n", /*Quote=*/true);
    Status = 0;
    return std::nullopt;
  }
  const clang::driver::Command &Job = *Compilation->getJobs().begin();
  if (Compilation->getArgs().hasArg(options::OPT_v))
    Job.Print(errs(), "\n", /*Quote=*/false);
  ArrayRef<const char *> Made = ArrayRef(Job.getArguments()).drop_front();
  return CompilerArguments(Made.begin(), Made.end());
}
