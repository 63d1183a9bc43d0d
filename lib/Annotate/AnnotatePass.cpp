//===- Annotate/AnnotatePass.cpp - Attaches contexts to calls -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/AnnotatePass.h"
#include "thermocline/Annotate/Annotator.h"
#include "thermocline/Annotate/Metadata/LinkNotice.h"
#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "thermocline/Annotate/Metadata/OrderNotes.h"
#include "thermocline/Format/Symbols.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Support/Units.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static void diagnose(Module &M, DiagnosticSeverity Severity,
                     const Twine &Message) {
  M.getContext().diagnose(
      DiagnosticInfoGeneric("thermocline: " + Message, Severity));
}

/// Warns, with the result false, if the module was compiled without what
/// matching needs. In a link, where not every module is the user's, only if the
/// profile has functions of it.
static bool checkDebugInfo(Module &M, const InlinedStackReader &Stacks,
                           const AnnotateOptions &Options,
                           const AnnotateStats &Stats) {
  bool HasNone = Stacks.numDefinitions() && !Stacks.numWithDebugInfo();
  if (Options.IsInLink && !Stats.FunctionsWithProfile)
    return !HasNone;
  if (HasNone)
    diagnose(
        M, DS_Warning,
        (Options.IsInLink ? "no function of " + M.getSourceFileName()
                          : "no function") +
            " has debug information, so the heap profile matches "
            "nothing; compile with -gmlt -fdebug-info-for-profiling, or, of "
            "rustc, -Cdebuginfo=1");
  else if (unsigned Count = Stacks.numWithoutLinkageName())
    diagnose(M, DS_Warning,
             formatCount(Count, "function") +
                 (Options.IsInLink ? " of " + M.getSourceFileName() : "") +
                 " without a linkage name in the debug information, so the "
                 "heap profile matches in part; compile with " +
                 flagsForNames(M));
  return !HasNone && !Stacks.numWithoutLinkageName();
}

/// Warns if functions that the profile knows by name have none of their
/// profiled calls where it says: the source changed, or the profile is another
/// program's.
static void checkMismatches(Module &M, StringRef ProfileFile,
                            const AnnotateStats &Stats) {
  if (Stats.FunctionsMismatched)
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": " + Twine(Stats.FunctionsMismatched) +
                 " of " + Twine(Stats.FunctionsWithProfile) +
                 " profiled functions in " + M.getSourceFileName() +
                 " have no call where the profile has it, or no allocation, as "
                 "if the source had changed since; "
                 "-Rpass-missed=memory-profile-info names them");
  if (Stats.FunctionsMixed)
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": " +
                 formatCount(Stats.FunctionsMixed, "profiled function") +
                 " in " + M.getSourceFileName() +
                 " with calls where other functions of the same name, in other "
                 "binaries or other source, have other calls, so these get no "
                 "hints; -Rpass-missed=memory-profile-info names them");
}

/// Warns if edits of statements are not noticed.
static void checkText(Module &M, StringRef ProfileFile, StringRef UnreadFile,
                      const AnnotateStats &Stats) {
  if (Stats.FunctionsUnread)
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": the source of " +
                 formatCount(Stats.FunctionsUnread, "profiled function") +
                 " in " + M.getSourceFileName() + " cannot be read (" +
                 UnreadFile +
                 "), so edits of their statements are not noticed; compile "
                 "where the source is");
  if (Stats.FunctionsUnreadThen)
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": the statements of " +
                 formatCount(Stats.FunctionsUnreadThen, "profiled function") +
                 " in " + M.getSourceFileName() +
                 " are not in the profile, so edits of them are not noticed: "
                 "their source could not be read when the program was compiled "
                 "for profiling; record again");
}

/// Warns of functions that allocated what was profiled, and have no cold
/// variant.
static void checkFamilies(Module &M, StringRef ProfileFile,
                          const AnnotateStats &Stats) {
  for (const auto &[Name, Family] : Stats.WithoutVariant)
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": " + Name +
                 " allocated what was profiled, and of its alloc-family (" +
                 (Family.empty() ? Twine("none") : Twine(Family)) +
                 ") no function is known that gives cold memory, so its calls "
                 "in " +
                 M.getSourceFileName() +
                 " get no hint; name one with -thermocline-alloc-function=" +
                 Name + ":VARIANT");
}

/// Warns if nothing that was profiled is optimized: then the module gets no
/// hint.
static void checkOptimization(Module &M, StringRef ProfileFile,
                              const AnnotateStats &Stats) {
  if (Stats.isNothingOptimized())
    diagnose(M, DS_Warning,
             Twine(ProfileFile) + ": no profiled function in " +
                 M.getSourceFileName() +
                 " is optimized (-O0), so none gets a hint; compile with -O1 "
                 "or more, or with -mllvm -thermocline-use-at-O0");
}

/// \returns whether the pass has what it needs, or says what is wrong.
static bool checkOptions(Module &M, const AnnotateOptions &Options) {
  // clang's own pass has complained about the profile already, but it does not
  // know what to do with a raw one.
  if (M.getContext().getDiagHandlerPtr()->HasErrors) {
    if (profile::RawProfile::isRaw(Options.ProfileFile))
      diagnose(M, DS_Note,
               Options.ProfileFile + ": is a raw memory profile; merge it "
                                     "first (thermo-profdata merge "
                                     "--binary=PROGRAM)");
    return false;
  }
  if (Options.ProfileFile.empty()) {
    diagnose(M, DS_Warning,
             "-thermocline-use has no profile; give one with "
             "-fmemory-profile-use=, -fprofile-use= or -thermocline-profile=");
    return false;
  }
  if (Error E = Options.Thresholds.validate()) {
    diagnose(M, DS_Error, toString(std::move(E)));
    return false;
  }
  return true;
}

/// \returns the profile; null if it cannot be used, after saying why.
static std::unique_ptr<profile::IndexedProfile>
openProfile(Module &M, const AnnotateOptions &Options) {
  Expected<std::unique_ptr<profile::IndexedProfile>> Profile =
      profile::IndexedProfile::open(Options.ProfileFile);
  if (!Profile) {
    diagnose(M, DS_Error, toString(Profile.takeError()));
    return nullptr;
  }
  if (!(*Profile)->hasMemProf()) {
    diagnose(M, DS_Warning,
             Options.ProfileFile +
                 ": no heap profile in it, so no allocation is annotated");
    return nullptr;
  }
  if ((*Profile)->lostWindows() && !Options.Thresholds.ByTotals)
    diagnose(M, DS_Warning,
             Options.ProfileFile +
                 ": does not say any more when memory was touched, so totals "
                 "decide what is cold; merge the raw profiles anew with "
                 "thermo-profdata");
  return std::move(*Profile);
}

/// \returns whether the profile has contexts beyond the limits of the runtime.
/// All of them are one record.
static Expected<bool> omitsContexts(const profile::IndexedProfile &Profile) {
  Expected<memprof::MemProfRecord> Beyond =
      Profile.record(GlobalValue::getGUIDAssumingExternalLinkage(
          format::symbol::OverflowContext));
  if (!Beyond)
    return Beyond.takeError();
  return !Beyond->AllocSites.empty();
}

/// \returns what the annotator asks of \p Profile. The profile and the options
/// must outlive it.
static ProfileSource sourceOf(const profile::IndexedProfile &Profile,
                              const profile::BinaryMap &Binaries,
                              bool OmitsContexts,
                              const AnnotateOptions &Options) {
  ProfileSource Source;
  Source.Record = [&Profile](GlobalValue::GUID Function) {
    return Profile.record(Function);
  };
  Source.Classify = [&](ArrayRef<const memprof::AllocationInfo *> Same,
                        const memprof::PortableMemInfoBlock &Block) {
    // Hashing whole stacks takes time.
    SmallVector<uint64_t, 1> Ids;
    if (Profile.rule(Options.Thresholds) == profile::ColdRule::Pages)
      for (const memprof::AllocationInfo *Info : Same)
        Ids.push_back(profile::computeFullStackId(Info->CallStack));
    return Profile.classify(Ids, Block, Options.Thresholds);
  };
  Source.LeastToPack =
      Options.TrimContexts || OmitsContexts ? 0 : Options.LeastToPack;
  Source.NeverPacked = functionsOfSeveral(Binaries);
  // A profile that others merged has no such information.
  Source.TellsAllocators =
      Profile.memProfVersion() >= 4 && Profile.runInfo() &&
      Profile.runInfo()->Origin == profile::RunInfoOrigin::Recorded;
  return Source;
}

/// Annotates the module, and says what did not match. \returns an error of what
/// comes before any change.
Error AnnotatePass::annotate(Module &M, const profile::IndexedProfile &Profile,
                             FunctionAnalysisManager &FunctionAnalyses) const {
  Expected<bool> OmitsContexts = omitsContexts(Profile);
  if (!OmitsContexts)
    return OmitsContexts.takeError();
  Expected<profile::BinaryMap> Binaries = Profile.binaries();
  if (!Binaries)
    return Binaries.takeError();
  Expected<placement::OrderVerdict> Order = Profile.orderVerdict();
  if (!Order)
    return Order.takeError();
  // What is compiled for ThinLTO may be linked by both if it says so.
  const bool ForBoth = RegularLTO || M.getModuleFlag("UnifiedLTO");
  Annotator Annotate(
      M, sourceOf(Profile, *Binaries, *OmitsContexts, Options), Options,
      ForBoth,
      [&] {
        return Basis::of(Profile, Options.Thresholds,
                         M.getTargetTriple().getArch());
      },
      [&](Function &F) -> OptimizationRemarkEmitter & {
        return FunctionAnalyses.getResult<OptimizationRemarkEmitterAnalysis>(F);
      });
  if (Binaries->hasSeveral())
    Annotate.noteCold();
  if (*OmitsContexts)
    Annotate.noteOmitted();
  if (Source && *Source) {
    Expected<profile::CallTable> Then = Profile.calls();
    if (!Then)
      return Then.takeError();
    if (Error E = Annotate.compareSource(**Source, *Then))
      return E;
  }
  if (Error E = Annotate.run())
    diagnose(M, DS_Error, toString(std::move(E)));
  else if (Error E =
               BinaryShares::note(M, Profile, *Binaries, Options.Thresholds,
                                  Annotate.coldContexts()))
    diagnose(M, DS_Error, toString(std::move(E)));
  const bool CanMatch =
      checkDebugInfo(M, Annotate.stackReader(), Options, Annotate.stats());
  setMatchedProfile(M, Annotate.stats().Matched != 0);
  if (Source && Annotate.stats().Attached.ColdContexts)
    addLinkNotice(M);
  if (Order->Choice != placement::OrderChoice::CannotTell &&
      Annotate.stats().Attached.ColdContexts &&
      Profile.rule(Options.Thresholds) == profile::ColdRule::Pages)
    OrderNotes::write(M, *Order);
  if (CanMatch)
    checkMismatches(M, Options.ProfileFile, Annotate.stats());
  if (Source && *Source)
    checkText(M, Options.ProfileFile, (*Source)->UnreadFile, Annotate.stats());
  checkOptimization(M, Options.ProfileFile, Annotate.stats());
  checkFamilies(M, Options.ProfileFile, Annotate.stats());
  if (Options.PrintStats)
    Annotate.stats().print(errs(), M.getModuleIdentifier(),
                           Options.ProfileFile);
  return Error::success();
}

PreservedAnalyses AnnotatePass::run(Module &M,
                                    ModuleAnalysisManager &Analyses) {
  if (!checkOptions(M, Options))
    return PreservedAnalyses::all();
  const std::unique_ptr<profile::IndexedProfile> Profile =
      openProfile(M, Options);
  if (!Profile)
    return PreservedAnalyses::all();
  if (Error E =
          annotate(M, *Profile,
                   Analyses.getResult<FunctionAnalysisManagerModuleProxy>(M)
                       .getManager())) {
    diagnose(M, DS_Error, toString(std::move(E)));
    return PreservedAnalyses::all();
  }
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

PreservedAnalyses NothingToAnnotatePass::run(Module &M,
                                             ModuleAnalysisManager &) {
  diagnose(M, DS_Warning,
           "-thermocline-use does nothing without link-time optimization; "
           "compile with -flto=thin");
  return PreservedAnalyses::all();
}
