//===- lto/link/LinkSession.h - One link, step by step ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM creates and runs the hook's passes itself: in regular LTO, then in the
// thin link, then in parallel backends, and hands nothing from one to the other
// but the index. This object connects them. There is one in the process, as
// there is one link.
//
// Errors: what is wrong with a module is returned, and the hook tells the
// module's diagnostic handler. All other errors go to LinkMessages::Error, and
// the link goes on, to find more of them before it fails.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKSESSION_H
#define THERMOCLINE_LTO_LINK_LINKSESSION_H

#include "LinkResults.h"
#include "LinkSetup.h"
#include "options/LinkOptions.h"
#include "program/Hintability.h"
#include "program/SummaryReader.h"
#include "thermocline/Apply/MissedHint.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <mutex>
#include <optional>

namespace thermocline::lto {

class LinkSession {
public:
  static LinkSession &get();

  /// Called by main before LLVM runs any pass.
  void begin(LinkSetup ToBe) { Setup = std::move(ToBe); }

  /// Decides for the whole program and writes the decisions into \p Index.
  /// Called once, by the thin link.
  void thinLink(llvm::ModuleSummaryIndex &Index, IsPrevailing Prevailing);

  /// Applies the decisions of \p Index to \p M. Called by each backend, in
  /// parallel. Returns whether the module changed.
  llvm::Expected<bool> applyTo(llvm::Module &M,
                               const llvm::ModuleSummaryIndex &Index);

  /// Decides for the merged module \p M of regular LTO and applies the
  /// decisions to it. Called first in its pipeline, and again in the place of
  /// LLVM's pass, where there is nothing left to do. Returns whether the module
  /// changed.
  llvm::Expected<bool> regularLTO(llvm::Module &M);

  /// Called for each module with cold contexts, by several threads.
  void noteCold() { HasCold = true; }
  /// Notes it for a thin link that decides nothing, if \p Index has cold
  /// contexts and no backend will look.
  void noteColdIn(const llvm::ModuleSummaryIndex &Index);

  /// Whether the index has decisions, or notes for backends. Called when LLVM
  /// writes it, by several threads.
  bool hasDecided() const { return IndexSays; }
  /// Makes the link fail. Called by steps of LLVM's that return no error.
  void fail(const llvm::Twine &Message) { Setup.Say.Error(Message); }
  /// Called when modules are read, before the first step of LLVM's.
  void warn(const llvm::Twine &Message) { Setup.Say.Warning(Message); }

  /// Prints and writes what the options ask for. Called by main after the link
  /// or the backend compile.
  llvm::Error finish();

private:
  /// Reads the options, in the first step of all: a linker parses them after
  /// main has called begin().
  void readOptions();
  /// Opens --thinlto-memprof-profile, once.
  llvm::Error loadProfile();
  /// Does the same in a step of LLVM's.
  void openProfile();
  Backends compiledBy() const {
    return Options->IndexReaders.value_or(Setup.CompiledBy);
  }
  /// Says for the backends whether small objects are to lie in order.
  void chooseOrder(const LinkBases &Bases);
  /// Says for the backends which functions keep their calls.
  void limitHints(ColdVariants Named);
  /// Finds the program's own operators, if \p HasContexts that they may serve.
  void findOwnOperators(bool HasContexts);
  /// The options of the engine for a part of the link with this many
  /// instructions.
  context::EngineOptions engineOptions(uint64_t Instructions) const;

  // Steps of the thin link.
  SummaryProgram readSummaries(const llvm::ModuleSummaryIndex &Index,
                               IsPrevailing Prevailing);
  LinkPart decideThinLink(llvm::ModuleSummaryIndex &Index, SummaryProgram Read,
                          uint64_t Instructions);
  /// Leaves what the backends are to remark on.
  void noteMissed(const SummaryProgram &Read,
                  const context::EngineResult &Result);
  /// Notes in the index what backends of Thermocline in other processes need.
  void noteForBackends(llvm::ModuleSummaryIndex &Index,
                       const SummaryProgram &Read);
  /// The modules of all functions, if there are to be remarks.
  std::vector<llvm::StringRef> noteModules(const SummaryProgram &Read);
  /// Writes what else than decisions the backends must know.
  void writeSettings(llvm::ModuleSummaryIndex &Index);

  // Steps of a backend.
  /// Hints and profile for \p M.
  llvm::Expected<apply::HintOptions>
  prepareBackend(const llvm::Module &M, const llvm::ModuleSummaryIndex &Index);

  /// Names functions and frames of \p M for what is to be reported.
  void addNamesOf(const llvm::Module &M);
  /// Remembers whether \p M was compiled with a heap profile.
  void noteProfile(const llvm::Module &M);
  /// Remembers what the compiler has told the link in \p M, and the thin link
  /// has not read.
  void noteLost(const llvm::Module &M,
                const apply::ApplyStatistics &Statistics);

  LinkSetup Setup;
  /// Guards all members that follow.
  std::mutex Lock;
  std::optional<LinkOptions> Options;
  LinkResults Results;
  /// Written by the thin link, read by the backends.
  apply::MissedBySummary Missed;
  std::atomic<bool> IndexSays = false;
  std::atomic<bool> HasCold = false;
};

} // namespace thermocline::lto

#endif
