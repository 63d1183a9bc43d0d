//===- Instrument/Register.cpp - Hooks the stage into clang ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/Register.h"
#include "thermocline/Callsites/AllocatedTypes.h"
#include "thermocline/Callsites/KeepCalls.h"
#include "thermocline/Callsites/SourceCalls.h"
#include "thermocline/Instrument/InstrumentPass.h"
#include "thermocline/Instrument/KeepFrames.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace thermocline::instrument;

static bool isBeforeLink(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::ThinLTOPreLink ||
         Phase == ThinOrFullLTOPhase::FullLTOPreLink;
}

void thermocline::instrument::registerPasses(PassBuilder &PB,
                                             const InstrumentOptions &Options) {
  // This makes `opt -passes=thermocline-instrument` know the pass.
  PB.registerPipelineParsingCallback(
      [Options](StringRef Name, ModulePassManager &MPM,
                ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "thermocline-instrument")
          return false;
        MPM.addPass(InstrumentPass(Options));
        return true;
      });
  if (Options.DescribesCalls && !Options.Enabled)
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(callsites::WriteSourceCallsPass());
        });
  if (Options.KeepsCalls && !Options.Enabled) {
    callsites::keepCalls(PB);
    PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM,
                                          OptimizationLevel,
                                          ThinOrFullLTOPhase Phase) {
      MPM.addPass(callsites::ReleaseCallsPass());
      MPM.addPass(callsites::KeepAllocatingCallsPass(isBeforeLink(Phase)));
    });
  }
  if (!Options.Enabled)
    return;
  // First of all, so that the calls are those of the source.
  PB.registerPipelineStartEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(KeepFramesPass());
        MPM.addPass(callsites::WriteSourceCallsPass());
        if (Options.TakeTypes)
          MPM.addPass(callsites::TakeTypesPass());
      });
  // Clang's contexts have calls as the optimizer leaves them.
  const bool KeepsCalls = !Options.LikeLlvm;
  // In the link, for modules of compilers that load no plugin. Clang's, which
  // are instrumented when they are compiled, are left alone.
  PB.registerPipelineEarlySimplificationEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase != ThinOrFullLTOPhase::ThinLTOPostLink)
          return;
        MPM.addPass(KeepFramesPass());
        if (KeepsCalls)
          MPM.addPass(callsites::KeepCallsPass());
      });
  if (KeepsCalls)
    callsites::keepCalls(PB);
  // Last of all, so that accesses which the optimizer removes are not counted;
  // the same place as clang's -fmemory-profile.
  PB.registerOptimizerLastEPCallback(
      [=](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        InstrumentOptions There = Options;
        There.IsInLink = Phase == ThinOrFullLTOPhase::ThinLTOPostLink;
        MPM.addPass(InstrumentPass(There));
        if (KeepsCalls)
          MPM.addPass(callsites::KeepCodePass(isBeforeLink(Phase)));
      });
}
