//===- thermo-backend/Compile.cpp - A backend compile ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pass plugins are not loaded. Clang runs none in a backend compile, and
// plugins made for clang take LLVM from a shared library that is not in this
// program.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "InputCheck.h"
#include "link/LinkSession.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/OutputFile.h"
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

/// Parses the options that were given with -mllvm, as clang -cc1 does. The
/// error names an option that is for the thin link.
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

/// The files that the compile reads and writes beside its output, as far as
/// options name them.
FileRoles filesOf(const clang::CompilerInstance &Compiler) {
  FileRoles Files;
  const clang::FrontendOptions &Frontend = Compiler.getFrontendOpts();
  const clang::CodeGenOptions &CodeGen = Compiler.getCodeGenOpts();
  Files.uses(Frontend.Inputs.front().getFile(), "the module");
  Files.uses(CodeGen.ThinLTOIndexFile, "the file of -fthinlto-index");
  for (StringRef Profile : {StringRef(CodeGen.ProfileInstrumentUsePath),
                            StringRef(CodeGen.SampleProfileFile),
                            StringRef(CodeGen.ProfileRemappingFile),
                            StringRef(CodeGen.MemoryProfileUsePath)})
    Files.uses(Profile, "a profile");
  Files.writes(Frontend.OutputFile);
  Files.writes(CodeGen.OptRecordFile, "the file of optimization records");
  Files.writes(CodeGen.SplitDwarfOutput, "the file of split DWARF");
  Files.writes(Frontend.StatsFile, "the file of statistics");
  Files.writes(Frontend.TimeTracePath, "the file of -ftime-trace");
  Files.writes(Compiler.getDiagnosticOpts().DiagnosticSerializationFile,
               "the file of -serialize-diagnostics");
  return Files;
}

} // namespace

Expected<int> thermocline::tools::compile(const CompilerArguments &Arguments,
                                          ArrayRef<const char *> CommandLine) {
  std::vector<const char *> Argv;
  for (const std::string &Argument : Arguments)
    Argv.push_back(Argument.c_str());

  // Errors in the arguments are reported once it is known how to report them.
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
  FileRoles Files = filesOf(Compiler);
  Files.usesResponseFiles(CommandLine);
  if (Error E = Files.check())
    return std::move(E);
  if (Error E = checkInputs(Frontend.Inputs.front().getFile(),
                            Compiler.getCodeGenOpts().ThinLTOIndexFile,
                            Triple(Compiler.getTargetOpts().Triple), Files))
    return std::move(E);

  lto::LinkSession::get().begin(
      {.Tool = "thermo-backend", .CompilesOnly = true});
  install_fatal_error_handler(reportFatalBackendError,
                              &Compiler.getDiagnostics());
  if (!Frontend.TimeTracePath.empty())
    timeTraceProfilerInitialize(Frontend.TimeTraceGranularity,
                                "thermo-backend");
  if (Compiler.getCodeGenOpts().TimePasses)
    Compiler.createFrontendTimer();
  // clang itself keeps what it has written where an import could not be read,
  // and says that it succeeded.
  const std::string Name = Frontend.OutputFile;
  auto Output = OutputFile::create(Name);
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
  uint64_t Size = 0;
  if (sys::fs::is_regular_file(Output->path())) {
    if (std::error_code EC = sys::fs::file_size(Output->path(), Size))
      return fileError(Name, EC.message());
    if (!Size)
      return fileError(Name, "nothing was compiled, for the reason said above");
  }
  if (Error E = Output->keep())
    return std::move(E);
  if (Error E = lto::LinkSession::get().finish())
    return std::move(E);
  return 0;
}
