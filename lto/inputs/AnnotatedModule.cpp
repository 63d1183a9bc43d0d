//===- lto/inputs/AnnotatedModule.cpp - Annotation in the link ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnnotatedModule.h"
#include "thermocline/Annotate/AnnotatePass.h"
#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "thermocline/Annotate/NamedAllocators.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

/// Hands warnings on, and keeps the first error.
struct Diagnostics : DiagnosticHandler {
  Diagnostics(const std::function<void(const Twine &)> &Warn,
              std::string &Problem)
      : Warn(Warn), Problem(Problem) {}

  bool handleDiagnostics(const DiagnosticInfo &Is) override {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Is.print(Printer);
    if (Is.getSeverity() == DS_Warning)
      Warn(Text);
    else if (Is.getSeverity() == DS_Error && Problem.empty())
      Problem = Text;
    return true;
  }

  const std::function<void(const Twine &)> &Warn;
  std::string &Problem;
};

/// Annotates \p M, and returns its bitcode with a summary if \p Info says that
/// it had one.
SmallVector<char, 0> rewrite(Module &M, const BitcodeLTOInfo &Info,
                             StringRef ProfileFile) {
  AnnotateOptions Options;
  Options.ProfileFile = ProfileFile.str();
  Options.IsInLink = true;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Analyses;
  PassBuilder PB;
  PB.registerModuleAnalyses(Analyses);
  PB.registerCGSCCAnalyses(Components);
  PB.registerFunctionAnalyses(Functions);
  PB.registerLoopAnalyses(Loops);
  PB.crossRegisterProxies(Loops, Functions, Components, Analyses);
  ModulePassManager Passes;
  Passes.addPass(MarkNamedAllocatorsPass(Options.Allocators));
  Passes.addPass(UnhideNamedAllocatorsPass());
  Passes.addPass(AnnotatePass(Options, /*RegularLTO=*/!Info.IsThinLTO));
  Passes.run(M, Analyses);

  SmallVector<char, 0> Result;
  raw_svector_ostream OS(Result);
  WriteBitcodeToFile(M, OS, /*ShouldPreserveUseListOrder=*/false,
                     Info.HasSummary
                         ? &Analyses.getResult<ModuleSummaryIndexAnalysis>(M)
                         : nullptr,
                     /*GenerateHash=*/true);
  return Result;
}

} // namespace

Expected<std::unique_ptr<MemoryBuffer>>
lto::annotateModule(MemoryBufferRef File, StringRef ProfileFile,
                    const std::function<void(const Twine &)> &Warn) {
  const StringRef Name = File.getBufferIdentifier();
  Expected<MemoryBufferRef> Bitcode =
      object::IRObjectFile::findBitcodeInMemBuffer(File);
  if (!Bitcode)
    return Bitcode.takeError();
  Expected<std::vector<BitcodeModule>> Parts = getBitcodeModuleList(*Bitcode);
  if (!Parts)
    return Parts.takeError();
  if (Parts->size() != 1) {
    Warn(Name + ": is in several parts (-fsplit-lto-unit), so the heap profile "
                "is not attached to it in the link; compile it with "
                "thermocline-use.cfg");
    return nullptr;
  }
  BitcodeModule &Part = Parts->front();
  Expected<BitcodeLTOInfo> Info = Part.getLTOInfo();
  if (!Info)
    return Info.takeError();
  std::string Problem;
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Diagnostics>(Warn, Problem));
  Expected<std::unique_ptr<Module>> M = Part.parseModule(Context);
  if (!M)
    return M.takeError();
  if (matchedProfile(**M))
    return nullptr;
  SmallVector<char, 0> Result = rewrite(**M, *Info, ProfileFile);
  if (!Problem.empty())
    return createStringError(Problem);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(Result), Name, /*RequiresNullTerminator=*/false);
}
