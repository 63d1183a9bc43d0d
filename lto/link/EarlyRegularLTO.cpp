//===- lto/link/EarlyRegularLTO.cpp - Decide before anything is lost ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
// one way in that needs no option of the user's. Without it, the seam's pass
// still runs where LLVM's would.
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/IPO/MemProfContextDisambiguation.h"

using namespace llvm;

namespace {

struct EarlyRegularLTO : PassInfoMixin<EarlyRegularLTO> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return thermocline::lto::LinkSession::get().regularLTO(M)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

} // namespace

namespace llvm {
extern cl::opt<bool> EnableMemProfContextDisambiguation;
} // namespace llvm

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
