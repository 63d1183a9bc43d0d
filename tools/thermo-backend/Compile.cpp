//===- thermo-backend/Compile.cpp - A backend compile ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass plugins are not loaded: clang runs none in a backend compile, and those
// made for clang take LLVM from a shared library that is not in this program.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "InputCheck.h"
#include "LinkSession.h"
#include "thermocline/Support/Errors.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

namespace {

std::unique_ptr<clang::CodeGenAction>
createAction(clang::frontend::ActionKind Kind) {
  switch (Kind) {
  case clang::frontend::EmitObj:
    return std::make_unique<clang::EmitObjAction>();
  case clang::frontend::EmitAssembly:
    return std::make_unique<clang::EmitAssemblyAction>();
  case clang::frontend::EmitBC:
    return std::make_unique<clang::EmitBCAction>();
  case clang::frontend::EmitLLVM:
    return std::make_unique<clang::EmitLLVMAction>();
  default:
    return nullptr;
  }
}

void reportFatalBackendError(void *UserData, const char *Message, bool) {
  auto &Diagnostics = *static_cast<clang::DiagnosticsEngine *>(UserData);
  Diagnostics.Report(clang::diag::err_fe_error_backend) << Message;
  sys::RunInterruptHandlers();
  sys::Process::Exit(1);
}

/// As clang -cc1 hands on what it was given with -mllvm. The error names an
/// option that is for the thin link.
Error parseLLVMOptions(ArrayRef<std::string> Options) {
  std::vector<const char *> Arguments = {"thermo-backend"};
  for (const std::string &Option : Options)
    Arguments.push_back(Option.c_str());
  cl::ParseCommandLineOptions(Arguments.size(), Arguments.data());
  for (const cl::Option *Option : lto::decidingOptions())
    if (Option->getNumOccurrences())
      return fileError(("-" + Option->ArgStr).str(),
                       "steers what a link decides, and this compile only "
                       "follows it; give the option to the linker");
  return Error::success();
}

/// The output, under another name until it is known to be whole. clang itself
/// keeps what it has written where an import could not be read, and says that
/// it succeeded.
class PendingOutput {
public:
  static Expected<PendingOutput> create(StringRef Name) {
    PendingOutput Result;
    Result.Name = Name.str();
    // Nothing can be put in the place of a stream or a device.
    if (Name == "-" ||
        (sys::fs::exists(Name) && !sys::fs::is_regular_file(Name)))
      return std::move(Result);
    Expected<sys::fs::TempFile> Made =
        sys::fs::TempFile::create(Name + ".tmp%%%%%%%%");
    if (!Made)
      return inFile(Name, Made.takeError());
    Result.Temporary.emplace(std::move(*Made));
    return std::move(Result);
  }

  PendingOutput(PendingOutput &&) = default;
  ~PendingOutput() {
    if (Temporary)
      consumeError(Temporary->discard());
  }

  std::string path() const { return Temporary ? Temporary->TmpName : Name; }

  Error keep() {
    if (!Temporary)
      return Error::success();
    uint64_t Size = 0;
    if (std::error_code EC = sys::fs::file_size(path(), Size))
      return fileError(Name, EC.message());
    if (!Size)
      return fileError(Name, "nothing was compiled, for the reason said above");
    Error Failed = Temporary->keep(Name);
    Temporary.reset();
    return inFile(Name, std::move(Failed));
  }

private:
  PendingOutput() = default;

  std::string Name;
  std::optional<sys::fs::TempFile> Temporary;
};

} // namespace

Expected<int> thermocline::tools::compile(const CompilerArguments &Arguments) {
  std::vector<const char *> Argv;
  for (const std::string &Argument : Arguments)
    Argv.push_back(Argument.c_str());

  // What is wrong with the arguments is said once it is known how to say it.
  clang::DiagnosticOptions EarlyOptions;
  auto *Early = new clang::TextDiagnosticBuffer; // Owned by the engine.
  clang::DiagnosticsEngine EarlyDiagnostics(clang::DiagnosticIDs::create(),
                                            EarlyOptions, Early);
  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  bool Understood = clang::CompilerInvocation::CreateFromArgs(
      *Invocation, Argv, EarlyDiagnostics, THERMOCLINE_CLANG);
  clang::CompilerInstance Compiler(std::move(Invocation));
  Compiler.createVirtualFileSystem();
  Compiler.createDiagnostics();
  Early->FlushDiagnostics(Compiler.getDiagnostics());
  if (!Understood || Compiler.getDiagnostics().hasErrorOccurred())
    return 1;

  clang::FrontendOptions &Frontend = Compiler.getFrontendOpts();
  std::unique_ptr<clang::CodeGenAction> Action =
      createAction(Frontend.ProgramAction);
  if (!Action)
    return fileError("command line", "asks for no compile to an object, to "
                                     "assembly or to LLVM's intermediate code");
  if (Frontend.Inputs.size() != 1 || !Frontend.Inputs.front().isFile() ||
      Frontend.Inputs.front().getKind().getLanguage() !=
          clang::Language::LLVM_IR)
    return fileError(Frontend.Inputs.empty() ||
                             !Frontend.Inputs.front().isFile()
                         ? "command line"
                         : Frontend.Inputs.front().getFile(),
                     "the input must be a bitcode module, given after -x ir");
  if (Error E = parseLLVMOptions(Frontend.LLVMArgs))
    return std::move(E);
  if (Error E = checkInputs(Frontend.Inputs.front().getFile(),
                            Compiler.getCodeGenOpts().ThinLTOIndexFile))
    return std::move(E);

  lto::LinkSession::get().setCompilesOnly();
  install_fatal_error_handler(reportFatalBackendError,
                              &Compiler.getDiagnostics());
  if (!Frontend.TimeTracePath.empty())
    timeTraceProfilerInitialize(Frontend.TimeTraceGranularity,
                                "thermo-backend");
  if (Compiler.getCodeGenOpts().TimePasses)
    Compiler.createFrontendTimer();
  auto Output = PendingOutput::create(Frontend.OutputFile);
  if (!Output)
    return Output.takeError();
  Frontend.OutputFile = Output->path();
  bool Compiled = Compiler.ExecuteAction(*Action) &&
                  !Compiler.getDiagnostics().hasErrorOccurred();
  remove_fatal_error_handler();
  TimerGroup::printAll(*CreateInfoOutputFile());
  TimerGroup::clearAll();
  if (timeTraceProfilerEnabled()) {
    Error E =
        timeTraceProfilerWrite(Frontend.TimeTracePath, Frontend.OutputFile);
    timeTraceProfilerCleanup();
    if (E)
      return std::move(E);
  }
  if (!Compiled)
    return 1;
  if (Error E = Output->keep())
    return std::move(E);
  if (Error E = lto::LinkSession::get().finish("thermo-backend"))
    return std::move(E);
  return 0;
}
