//===- link/LinkSession.h - One link, from decisions to report --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM creates and runs the seam's passes itself: in regular LTO, then in the
// thin link, then in parallel backends, and hands nothing from one to the other
// but the index. This object is where they leave what the user is told at the
// end. There is one in the process, as there is one link.
//
// A link of both kinds has two parts that know each other's functions only as
// defined outside, since regular LTO is through with its module when the thin
// link begins.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKSESSION_H
#define THERMOCLINE_LTO_LINK_LINKSESSION_H

#include "LinkMessages.h"
#include "LinkRemarks.h"
#include "options/SeamOptions.h"
#include "program/IndexDecisions.h"
#include "program/LinkedCode.h"
#include "program/ProfileMeasures.h"
#include "thermocline/Apply/MissedHint.h"
#include "thermocline/Apply/Statistics.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Profile/FunctionNames.h"
#include "thermocline/Profile/IndexedProfile.h"
#include "thermocline/Report/Model.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <mutex>
#include <optional>

namespace thermocline::lto {

class LinkSession {
public:
  static LinkSession &get();

  /// Says that the backends are not this program's, but read written indexes,
  /// and which ones they are unless the options say it. Called by main before
  /// the link.
  void setCompilesElsewhere(Backends Default = Backends::Stock) {
    DefaultBackends = Default;
  }

  /// Says that nothing is decided here, but modules compiled by an index that
  /// some link wrote. Called by main before it compiles.
  void setCompilesOnly() { CompilesOnly = true; }

  /// Says what else than decisions steers compiles that a cache keeps. Called
  /// by main before the link.
  void setCacheSettings(std::string Text) { CacheSettings = std::move(Text); }

  /// Gives options of linkerOptions() and their values, which count as if they
  /// were last on the command line. Called by main before the link.
  void
  setOutputs(std::vector<std::pair<llvm::StringRef, llvm::StringRef>> Values) {
    Outputs = std::move(Values);
  }

  /// Says which functions --wrap and --defsym send calls of elsewhere, sorted.
  /// Called by main before the link.
  void setRedefined(std::vector<std::string> Names) {
    Redefined = std::move(Names);
  }

  /// Tells whether the link defines a symbol elsewhere than in the bitcode that
  /// is optimized together.
  using IsDefined = std::function<bool(llvm::StringRef)>;

  /// Who knows that. Asked in the thin link and in regular LTO. Called by main
  /// before the link.
  void setDefinedElsewhere(IsDefined Asked) {
    IsDefinedElsewhere = std::move(Asked);
  }

  /// How many threads the thin link may use. Called by main before the link.
  void setThreads(unsigned Number) { Threads = Number; }

  /// Says who is told of warnings, and of errors in the thin link, which has no
  /// way to return them. Called by main before the link.
  void setMessages(LinkMessages Handlers) { Say = std::move(Handlers); }

  /// Says which file of remarks LLVM's LTO was asked for. Called by main before
  /// the link.
  void setRemarks(RemarksFile File) { Remarks = std::move(File); }

  /// Whether the index has decisions, or notes for backends. Called when LLVM
  /// writes it, by several threads.
  bool hasDecided() const { return IndexSays; }

  /// Decides for the whole program and writes the decisions into \p Index.
  /// Called once, by the thin link.
  void thinLink(llvm::ModuleSummaryIndex &Index, IsPrevailing Prevailing);

  /// Applies the decisions of \p Index to \p M. Called by each backend, in
  /// parallel. Errors go to the module's diagnostic handler.
  bool applyTo(llvm::Module &M, const llvm::ModuleSummaryIndex &Index);

  /// Decides for the merged module \p M of regular LTO and applies the
  /// decisions to it. Called first in its pipeline, and again in the place of
  /// LLVM's pass, where there is nothing left to do. Errors go to the module's
  /// diagnostic handler. Returns whether the module changed.
  bool regularLTO(llvm::Module &M);

  /// Prints and writes what the options ask for. Called by main after the link
  /// or the backend compile.
  llvm::Error finish(llvm::StringRef Tool,
                     llvm::raw_ostream &OS = llvm::errs());

private:
  /// What was decided on the ThinLTO part of the link, or on the regular one.
  struct Part {
    context::ContextProgram Program;
    context::EngineResult Result;
    /// What the clones of this part were allowed to add.
    std::optional<uint64_t> MaxInstructionsAdded;
    /// By FunctionId, if there are to be remarks; empty for regular LTO.
    std::vector<llvm::StringRef> Modules = {};
  };

  /// To standard error.
  static LinkMessages defaultMessages();
  const LinkOptions &options();
  Backends backends();
  void warn(const llvm::Twine &Text) const { Say.Warning(Text); }
  /// Opens --thinlto-memprof-profile.
  llvm::Error loadProfile();
  /// The same, where errors cannot be returned.
  void openProfile();
  /// Adds what the profile knows of the contexts of \p Program, for reports.
  /// Returns whether it knows all of them. Called when all is decided.
  bool measure(context::ContextProgram &Program);
  /// For a part of the link with so many instructions.
  context::EngineOptions engineOptions(uint64_t Instructions);
  /// Of what was decided on a part of the link with so many instructions.
  void warnOfLimits(const context::EngineStatistics &Statistics,
                    uint64_t Instructions);
  /// Says for the backends which functions keep their calls, given the cold
  /// twins that the program names and the bitcode does not define.
  void limitHints(std::vector<std::string> UndefinedTwins, bool HasTwins);
  /// A profile that hints nothing is more often a mistake than wanted.
  void warnIfNothingIsCold();
  /// What of the profile no part has, and a warning if it is much, or if what
  /// they have is of another profile. Nothing without a profile.
  llvm::Expected<std::optional<report::ProfileCoverage>> compareWithProfile();
  /// Leaves what the backends are to remark on.
  void noteMissed(const SummaryProgram &Read,
                  const context::EngineResult &Result);
  /// The modules of all functions, if there are to be remarks.
  std::vector<llvm::StringRef> noteModules(const SummaryProgram &Read);
  /// Of the thin link, if there are to be any.
  llvm::Error writeRemarks();
  /// Remembers whether \p M was compiled with a heap profile. Holds Lock.
  void noteProfile(const llvm::Module &M);
  /// Writes what the options ask for, of all parts.
  llvm::Error writeResults(llvm::StringRef Tool,
                           llvm::ArrayRef<report::Sources> Sources,
                           std::optional<report::ProfileCoverage> Coverage,
                           llvm::raw_ostream &OS) const;
  void printStatistics(llvm::StringRef Tool, const report::ReportModel &Model,
                       llvm::raw_ostream &OS) const;

  std::mutex Lock;
  std::atomic<bool> IndexSays = false;
  std::optional<LinkOptions> Options;
  Backends DefaultBackends = Backends::InProcess;
  std::string CacheSettings;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> Outputs;
  std::vector<std::string> Redefined;
  IsDefined IsDefinedElsewhere = [](llvm::StringRef) { return false; };
  unsigned Threads = 1;
  LinkMessages Say = defaultMessages();
  RemarksFile Remarks;
  /// Of --thinlto-memprof-profile; null without.
  std::unique_ptr<profile::IndexedProfile> Profile;
  /// For reports, with a profile: of the modules that were compiled.
  profile::FunctionNames Names;
  /// With a profile, what it is compared with.
  LinkedCode Code;
  /// By what modules with contexts were classified.
  LinkBases Bases;
  /// In the order in which they were decided, those with contexts.
  std::vector<Part> Parts;
  /// Written by the thin link, read by the backends.
  apply::MissedBySummary Missed;
  apply::ApplyStatistics Applied;
  uint64_t ModulesApplied = 0;
  /// Names that Part::Modules refers to.
  llvm::StringSet<> ModuleNames;
  /// Of the ThinLTO modules that backends here have compiled.
  llvm::StringSet<> Compiled;
  /// Whether any module was compiled with a heap profile, and matched it.
  bool AnyProfiled = false;
  bool AnyMatched = false;
  bool RegularLTODone = false;
  bool CompilesOnly = false;
};

} // namespace thermocline::lto

#endif
