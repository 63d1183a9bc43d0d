//===- Annotate/Register.cpp - Hooks the stage into clang -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Register.h"
#include "thermocline/Annotate/AnnotatePass.h"
#include "thermocline/Annotate/ClangsPass.h"
#include "thermocline/Annotate/KeepRecursion.h"
#include "thermocline/Annotate/Metadata/LinkNotice.h"
#include "thermocline/Annotate/NamedAllocators.h"
#include "thermocline/Callsites/KeepCalls.h"
#include "thermocline/Callsites/PGOOptions.h"
#include "thermocline/Callsites/SourceCalls.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/MemProfUse.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/AddDiscriminators.h"
#include <memory>

using namespace llvm;
using namespace thermocline::annotate;

namespace {

/// For the native code of -ffat-lto-objects.
struct NoteNativeCodePass : PassInfoMixin<NoteNativeCodePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return noteNativeCode(M) ? PreservedAnalyses::none()
                             : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

/// Adds what LLVM's pipelines would have for \p Wanted, which do not know of
/// it: discriminators, and clang's own pass, for what only it does
/// (ClangsPass.h).
static void
addForProfiling(PassBuilder &PB,
                const thermocline::callsites::ProfilingOptions &Wanted) {
  if (Wanted.Discriminators)
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &Passes, OptimizationLevel) {
          Passes.addPass(
              createModuleToFunctionPassAdaptor(AddDiscriminatorsPass()));
        });
  if (!Wanted.MemoryProfile.empty())
    PB.registerPipelineEarlySimplificationEPCallback(
        [File = Wanted.MemoryProfile](ModulePassManager &Passes,
                                      OptimizationLevel Level,
                                      ThinOrFullLTOPhase) {
          if (Level != OptimizationLevel::O0)
            Passes.addPass(MemProfUsePass(File));
        });
}

void thermocline::annotate::registerPasses(PassBuilder &PB,
                                           const AnnotateOptions &Options) {
  AnnotateOptions WithProfile = Options;
  if (WithProfile.ProfileFile.empty())
    WithProfile.ProfileFile = callsites::pgoProfileFile(PB);

  PB.registerPipelineParsingCallback(
      [WithProfile](StringRef Name, ModulePassManager &Passes,
                    ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "thermocline-use")
          return false;
        Passes.addPass(MarkNamedAllocatorsPass(WithProfile.Allocators));
        Passes.addPass(UnhideNamedAllocatorsPass());
        Passes.addPass(AnnotatePass(WithProfile));
        return true;
      });
  if (!Options.Enabled)
    return;
  if (!Options.KeepExisting) {
    leaveOutCallees();
    if (auto Taken = callsites::takeProfilingOptions(PB))
      addForProfiling(PB, *Taken);
  }
  auto Source = std::make_shared<std::optional<callsites::ModuleCalls>>();
  auto KeepsRecursion = std::make_shared<bool>(false);
  keepRecursion(PB, KeepsRecursion);
  PB.registerPipelineStartEPCallback(
      [WithProfile, Source, KeepsRecursion](ModulePassManager &Passes,
                                            OptimizationLevel) {
        Passes.addPass(callsites::KeepSourceCallsPass(Source));
        Passes.addPass(MarkNamedAllocatorsPass(WithProfile.Allocators));
        Passes.addPass(SetKeepsRecursionPass(KeepsRecursion, true));
      });
  callsites::keepCalls(PB);
  // With -ffat-lto-objects one pipeline has a pre-link part and then another
  // for the native code, which needs no annotation.
  auto HasPreLink = std::make_shared<bool>(false);
  // What is asked when clang's pass comes: by then all pipelines are built.
  if (PassInstrumentationCallbacks *Instrumentation =
          PB.getPassInstrumentationCallbacks();
      Instrumentation && !Options.KeepExisting)
    Instrumentation->registerShouldRunOptionalPassCallback(
        [HasPreLink, File = WithProfile.ProfileFile](StringRef Pass, Any IR) {
          const auto *M = any_cast<const Module *>(&IR);
          return Pass != ClangsPass || !M || !*HasPreLink ||
                 !isClangsPassInVain(**M, File);
        });
  // After inlining and everything that copies, merges or deletes calls, so that
  // what the module summary sees is what was matched.
  PB.registerOptimizerLastEPCallback([WithProfile, HasPreLink, Source,
                                      KeepsRecursion](
                                         ModulePassManager &Passes,
                                         OptimizationLevel Level,
                                         ThinOrFullLTOPhase Phase) {
    Passes.addPass(UnhideNamedAllocatorsPass());
    Passes.addPass(SetKeepsRecursionPass(KeepsRecursion, false));
    if (!WithProfile.ForAudit)
      Passes.addPass(callsites::ReleaseCallsPass());
    switch (Phase) {
    case ThinOrFullLTOPhase::ThinLTOPreLink:
    case ThinOrFullLTOPhase::FullLTOPreLink:
      Passes.addPass(AnnotatePass(
          WithProfile,
          /*RegularLTO=*/Phase == ThinOrFullLTOPhase::FullLTOPreLink, Source));
      if (WithProfile.ForAudit)
        Passes.addPass(callsites::KeepCodePass(/*BeforeLink=*/true));
      else if (WithProfile.KeepsCalls)
        Passes.addPass(callsites::KeepAllocatingCallsPass(/*BeforeLink=*/true));
      *HasPreLink = true;
      return;
    case ThinOrFullLTOPhase::None:
      // Nothing comes after this that would make loops of recursion.
      if (Level != OptimizationLevel::O0)
        Passes.addPass(createModuleToFunctionPassAdaptor(TailCallElimPass()));
      if (!*HasPreLink)
        Passes.addPass(NothingToAnnotatePass());
      else
        Passes.addPass(NoteNativeCodePass());
      if (WithProfile.KeepsCalls)
        Passes.addPass(
            callsites::KeepAllocatingCallsPass(/*BeforeLink=*/false));
      return;
    case ThinOrFullLTOPhase::ThinLTOPostLink:
    case ThinOrFullLTOPhase::FullLTOPostLink:
      // The link has decided; the annotation is gone.
      return;
    }
  });
}
