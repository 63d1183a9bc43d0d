//===- lto/link/Seam.cpp - In the place of LLVM's pass --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines what the rest of LLVM refers to in MemProfContextDisambiguation.cpp,
// with LLVM's own header as interface, so that the linker never takes that
// archive member: our engine runs where LLVM's would. The two option variables
// are in SeamOptions.cpp. A build check proves that LLVM's member is absent.
//
// The pass object is created anew for each pipeline; what it knows is the
// import summary. The class has further members for LLVM's own implementation,
// which must keep their place in memory and are not used.
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Transforms/IPO/MemProfContextDisambiguation.h"

using namespace llvm;
using thermocline::lto::LinkSession;

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
}

PreservedAnalyses MemProfContextDisambiguation::run(Module &M,
                                                    ModuleAnalysisManager &AM) {
  bool Changed = ImportSummary
                     ? ImportSummary->withSupportsHotColdNew() &&
                           LinkSession::get().applyTo(M, *ImportSummary)
                     : LinkSession::get().regularLTO(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses MemProfRemoveInfo::run(Module &M, ModuleAnalysisManager &AM) {
  return thermocline::apply::stripContexts(M, /*Marks=*/true)
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}
