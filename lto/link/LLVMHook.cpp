//===- lto/link/LLVMHook.cpp - In the place of LLVM's pass ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines what the rest of LLVM refers to in MemProfContextDisambiguation.cpp,
// with LLVM's own header as interface, so that the linker never takes that
// archive member: our engine runs where LLVM's would. A build check proves that
// LLVM's member is absent.
//
// The pass object is created anew for each pipeline; what it knows is the
// import summary. The class has further members for LLVM's own implementation,
// which must keep their place in memory and are not used.
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "thermocline/Annotate/Metadata/LinkNotice.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/IPO/MemProfContextDisambiguation.h"

using namespace llvm;
using thermocline::lto::LinkSession;

// LLVM's LTO asks for these two by name.
namespace llvm {
cl::opt<bool> EnableMemProfContextDisambiguation(
    "enable-memprof-context-disambiguation", cl::init(true), cl::Hidden,
    cl::desc("Decide and apply versions of functions by allocation contexts"));
cl::opt<bool> SupportsHotColdNew(
    "supports-hot-cold-new", cl::init(true), cl::Hidden,
    cl::desc("The program is linked with functions that take hints"));
} // namespace llvm

/// What a pass of ours says to LLVM. An error is the module's, which may have
/// changed before.
static PreservedAnalyses preserved(Module &M, Expected<bool> Changed) {
  if (!Changed) {
    M.getContext().diagnose(
        DiagnosticInfoGeneric(toString(Changed.takeError()), DS_Error));
    return PreservedAnalyses::none();
  }
  return *Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Removes what would warn that the link is another linker's.
static PreservedAnalyses withoutNotice(Module &M) {
  if (!thermocline::annotate::removeLinkNotice(M))
    return PreservedAnalyses::all();
  LinkSession::get().noteCold();
  return PreservedAnalyses::none();
}

MemProfContextDisambiguation::MemProfContextDisambiguation(
    const ModuleSummaryIndex *Summary, bool isSamplePGO)
    : ImportSummary(Summary), isSamplePGO(isSamplePGO) {}

void MemProfContextDisambiguation::run(
    ModuleSummaryIndex &Index,
    function_ref<bool(GlobalValue::GUID, const GlobalValueSummary *)>
        isPrevailing) {
  // Without functions that take hints there is nothing to tell contexts apart
  // for, and the backends strip them.
  if (Index.withSupportsHotColdNew())
    LinkSession::get().thinLink(Index, isPrevailing);
  else
    LinkSession::get().noteColdIn(Index);
}

PreservedAnalyses MemProfContextDisambiguation::run(Module &M,
                                                    ModuleAnalysisManager &AM) {
  LinkSession &Session = LinkSession::get();
  PreservedAnalyses Kept = withoutNotice(M);
  if (!ImportSummary)
    Kept.intersect(preserved(M, Session.regularLTO(M)));
  else if (ImportSummary->withSupportsHotColdNew())
    Kept.intersect(preserved(M, Session.applyTo(M, *ImportSummary)));
  return Kept;
}

PreservedAnalyses MemProfRemoveInfo::run(Module &M, ModuleAnalysisManager &AM) {
  PreservedAnalyses Kept = withoutNotice(M);
  return thermocline::apply::stripContexts(M, /*Marks=*/true)
             ? PreservedAnalyses::none()
             : Kept;
}

//===-- First in regular LTO ----------------------------------------------===//
//
// LLVM runs context disambiguation in regular LTO after the inliner, at -O2 and
// above only. By then dead argument elimination has replaced calls by new ones
// without their `!callsite`, and the inliner has dropped the contexts of what
// it inlined from there. So decide first of all, as in ThinLTO: on the merged
// module as it was linked, at every level.
//
// LTOBackend asks the extensions that LLVM was built with for their passes.
// Debian's was built with Polly, which is not linked here (it is off unless
// asked for by an option that is then unknown); its place in the list is the
// one way in that needs no option of the user's. Without it, the hook's pass
// still runs where LLVM's would.
//
//===----------------------------------------------------------------------===//

namespace {

struct EarlyRegularLTO : PassInfoMixin<EarlyRegularLTO> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    PreservedAnalyses Kept = withoutNotice(M);
    Kept.intersect(preserved(M, LinkSession::get().regularLTO(M)));
    return Kept;
  }
};

} // namespace

PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Thermocline", "in Polly's place",
          [](PassBuilder &PB) {
            if (EnableMemProfContextDisambiguation)
              PB.registerFullLinkTimeOptimizationEarlyEPCallback(
                  [](ModulePassManager &MPM, OptimizationLevel) {
                    MPM.addPass(EarlyRegularLTO());
                  });
          }};
}
