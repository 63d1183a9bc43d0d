//===- lto/inputs/ChangedModule.cpp - Modules are made fit for the link ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangedModule.h"
#include "thermocline/Annotate/AnnotatePass.h"
#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "thermocline/Annotate/NamedAllocators.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
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

/// Sees to it that no call in \p M takes the place of its caller's, as clang's
/// -fno-optimize-sibling-calls does. Returns whether that changed anything.
bool keepFrames(Module &M) {
  constexpr StringLiteral DisableTailCalls = "disable-tail-calls";
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasFnAttribute(Attribute::Naked) ||
        F.getFnAttribute(DisableTailCalls).getValueAsBool())
      continue;
    F.addFnAttr(DisableTailCalls, "true");
    // The summary says which calls leave no frame.
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && !Call->isMustTailCall())
        Call->setTailCallKind(CallInst::TCK_None);
    Changed = true;
  }
  return Changed;
}

/// The bitcode of \p M, annotated if \p Profile is not empty, with a summary if
/// \p Info says that it had one.
SmallVector<char, 0> rewrite(Module &M, const BitcodeLTOInfo &Info,
                             StringRef Profile,
                             ArrayRef<NamedAllocator> Allocators) {
  AnnotateOptions Options;
  Options.ProfileFile = Profile.str();
  Options.IsInLink = true;
  Options.Allocators = Allocators.vec();
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
  if (!Profile.empty()) {
    Passes.addPass(MarkNamedAllocatorsPass(Options.Allocators));
    Passes.addPass(UnhideNamedAllocatorsPass());
    Passes.addPass(AnnotatePass(Options, /*RegularLTO=*/!Info.IsThinLTO));
  }
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
lto::changedModule(MemoryBufferRef File, const InputOptions &Options,
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
    if (!Options.ProfileFile.empty())
      Warn(Name + ": is in several parts (-fsplit-lto-unit), so the heap "
                  "profile is not attached to it in the link; compile it with "
                  "thermocline-use.cfg");
    if (Options.KeepFrames)
      Warn(Name + ": is in several parts (-fsplit-lto-unit), so its calls may "
                  "take the place of their caller's; compile it with "
                  "-fno-optimize-sibling-calls");
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
  const bool IsChanged = Options.KeepFrames && keepFrames(**M);
  const StringRef Profile =
      matchedProfile(**M) ? "" : StringRef(Options.ProfileFile);
  if (!IsChanged && Profile.empty())
    return nullptr;
  SmallVector<char, 0> Result =
      rewrite(**M, *Info, Profile, Options.Allocators);
  if (!Problem.empty())
    return createStringError(Problem);
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(Result), Name, /*RequiresNullTerminator=*/false);
}
