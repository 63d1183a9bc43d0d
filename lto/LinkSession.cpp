//===- lto/LinkSession.cpp - One link, from thin link to report -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "IndexDecisions.h"
#include "thermocline/Apply/ApplyDecisions.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Units.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

void fail(Module &M, Error E) {
  M.getContext().diagnose(
      DiagnosticInfoGeneric(toString(std::move(E)), DS_Error));
}

} // namespace

LinkSession &LinkSession::get() {
  static LinkSession Session;
  return Session;
}

const LinkOptions &LinkSession::options() {
  if (!Options) {
    Options = linkOptions();
    for (const std::string &Name : Options->WithoutEffect)
      warn(Name + " has no effect: it steers LLVM's own pass, which "
                  "Thermocline's stands in for");
  }
  return *Options;
}

void LinkSession::warn(const Twine &Text) {
  WithColor::warning(errs(), "thermocline") << Text << '\n';
}

void LinkSession::thinLink(ModuleSummaryIndex &Index, IsPrevailing Prevailing) {
  std::lock_guard<std::mutex> Guard(Lock);
  const LinkOptions &O = options();
  Program = readSummary(Index, Prevailing, O.Reader);
  if (Program->hasRecords()) {
    Result = decide(Program->Program, O.Engine);
    writeDecisions(*Program, Result->Decided);
  }
  // The decisions must be in the index before they are hashed, and the hashes
  // there before LLVM computes cache keys and names of promoted locals.
  hashDecisions(Index, O.backendSettings());
}

bool LinkSession::applyTo(Module &M, const ModuleSummaryIndex &Index) {
  apply::HintOptions Hints;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Hints = options().Hints;
  }
  apply::ApplyStatistics Statistics;
  Expected<bool> Changed = apply::applyDecisions(M, Index, Hints, Statistics);
  if (!Changed) {
    fail(M, Changed.takeError());
    return true;
  }
  std::lock_guard<std::mutex> Guard(Lock);
  Applied += Statistics;
  ++ModulesApplied;
  return *Changed;
}

bool LinkSession::applyWithoutIndex(Module &M) {
  std::lock_guard<std::mutex> Guard(Lock);
  const LinkOptions &O = options();
  if (!WarnedOfRegularLTO && apply::hasContexts(M)) {
    WarnedOfRegularLTO = true;
    warn(M.getModuleIdentifier() +
         ": regular LTO does not tell allocation contexts apart; compile and "
         "link with -flto=thin");
  }
  bool Changed = apply::stripContexts(M, /*Marks=*/false);
  Changed |= apply::HintLowering(M, O.Hints, Applied).run();
  ++ModulesApplied;
  return Changed;
}

Error LinkSession::finish(StringRef Tool, raw_ostream &OS) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Result)
    return Error::success();
  const EngineStatistics &S = Result->Statistics;
  if (Options->Statistics) {
    OS << Tool << ": thermocline: " << formatCount(S.ClonesMade)
       << " clones of " << formatCount(S.FunctionsCloned) << " functions, "
       << formatCount(S.HintsCold) << " cold hints for "
       << formatCount(Program->Program.numContexts()) << " contexts\n";
  }
  return Error::success();
}
