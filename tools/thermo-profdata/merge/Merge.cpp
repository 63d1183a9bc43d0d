//===- thermo-profdata/merge/Merge.cpp - The merge command ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Commands.h"
#include "../DamagedInputs.h"
#include "../PredictionLines.h"
#include "../Progress.h"
#include "../TouchLines.h"
#include "ReadAhead.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static std::string describe(const ContextCount &Count) {
  return formatCount(Count.Contexts, "context") + ", " +
         formatBytes(Count.Size);
}

/// Prints which binaries allocated what, if there are several, and what was
/// lost, if anything was.
static void printLosses(const SymbolizationStatistics &S, bool IsOneFile,
                        raw_ostream &OS) {
  auto Line = [&](const ContextCount &Count, const Twine &Meaning) {
    if (Count.Contexts)
      OS << "  " << describe(Count) << " ("
         << formatPercent(Count.Size.count(), S.All.Size.count())
         << " of bytes) " << Meaning << '\n';
  };
  if (!IsOneFile) {
    for (const auto &[File, Count] : S.ByBinary)
      Line(Count, "allocated in " + File);
    Line(S.ThroughSeveral, "called through several of these");
  }
  Line(S.LikeOthers,
       "are of several binaries, but have the same frames there: they count as "
       "the hottest of those");
  const StringRef Program = IsOneFile ? "the program" : "the binaries given";
  Line(S.Dropped, "dropped: no frame in " + Program);
  Line(S.DroppedWithoutDebugInfo, "of these pass through code of " + Program +
                                      " without debug information");
  Line(S.AllocatedElsewhere, Twine("allocated inside ") +
                                 (IsOneFile ? "" : "other ") +
                                 "shared libraries or code without debug "
                                 "information, where no call can be hinted");
  Line(S.Interrupted,
       "called back from there: no call in between can be redirected");
  Line(
      S.ThroughMerged,
      "pass through calls that the compiler made of several, which a build "
      "with the profile may not find: clang with thermocline-release.cfg keeps "
      "such calls apart");
  Line(S.AtSharedAddress,
       "have a call at an address where several libraries were, one after the "
       "other: it is left out");
  if (!S.WithoutDebugInfo.empty())
    OS << "  no debug information for "
       << formatCount(S.WithoutDebugInfo.size(), "function") << " of "
       << Program << " in these, for one " << *S.WithoutDebugInfo.begin()
       << ": compile with -gmlt -fdebug-info-for-profiling\n";
}

static void printPrediction(const placement::Prediction &Predicted,
                            const TouchGrid &Grid, StringRef Phase,
                            const placement::OrderVerdict &Order,
                            raw_ostream &OS) {
  OS << "  predicted working set: " << placement::describe(Predicted.atGoal());
  if (const std::string Size = pageSizeText(Grid); !Size.empty())
    OS << ", in pages" << Size;
  OS << '\n';
  if (const std::string Other = otherHorizonText(Predicted, Grid, Phase);
      !Other.empty())
    OS << "  within " << Other << '\n';
  if (isTooShortToTell(Predicted, Grid, Phase))
    OS << "  " << TooShortToTell << '\n';
  if (Order.Choice != placement::OrderChoice::CannotTell)
    OS << "  small objects: " << placement::describe(Order) << '\n';
}

static void printSummary(const MergeCommand &Command, const Merger &Merged,
                         raw_ostream &OS) {
  const MergeStatistics S = Merged.statistics(Command.Thresholds);
  const CountErrors &Errors = S.Errors;
  OS << Command.Output << ": ";
  if (S.All.Contexts) {
    OS << describe(S.All);
    if (!Errors.isExact())
      OS << placement::formatInterval(Errors.ofAll());
    if (const std::optional<RunInfo> &Runs = Merged.heap().runs())
      OS << ", from " << formatCount(Runs->Runs, "run") << " of "
         << formatCount(truncated(Runs->meanLengthMs())) << " ms"
         << (Runs->Runs == 1 ? "" : " on average");
    OS << "; cold: " << describe(S.Cold);
    if (!Errors.isExact() && S.Cold.Contexts)
      OS << placement::formatInterval(Errors.ofCold());
    OS << " (" << formatPercent(S.Cold.Size.count(), S.All.Size.count());
    if (!Errors.isExact() && S.Cold.Contexts)
      OS << " ± "
         << placement::formatPart(
                StandardErrors95 *
                Errors.ofPart(static_cast<double>(S.Cold.Size.count()),
                              static_cast<double>(S.All.Size.count())));
    OS << " of bytes)";
    if (S.AccessesUnknown)
      OS << ", as accesses were not counted";
    else if (S.Rule == ColdRule::LLVM)
      OS << " by LLVM's absolute rule";
  } else {
    OS << "no memory profile";
  }
  if (const DataAccesses &Static = Merged.dataAccesses(); !Static.empty())
    OS << "; accesses to "
       << formatCount(Static.numSampled(), "static variable");
  if (S.CountedFunctions)
    OS << "; counters of " << formatCount(S.CountedFunctions) << " functions";
  OS << '\n';
  if (S.RunsAreTooShort)
    OS << "  " << describeTooShort(Merged.touchGrid()) << '\n';
  if (Merged.predicted() && S.Rule == ColdRule::Pages)
    printPrediction(*Merged.predicted(), Merged.touchGrid(),
                    Command.Options.Placing.Phase, Merged.orderVerdict(), OS);
  if (const std::string Text = tooFewText(S.TooFew, S.All.Size); !Text.empty())
    OS << "  " << Text << '\n';
  if (!Errors.isExact() ||
      (Merged.predicted() && !Merged.predicted()->atGoal().isExact()))
    OS << "  " << IntervalsText << '\n';
  printLosses(S.Symbolization, Merged.hasOneBinary(), OS);
  for (const std::string &Library : Merged.librariesNotGiven())
    OS << "  " << Library
       << " was in the process and has debug information: give --binary="
       << Library << ", too, if it is built with the profile\n";
}

/// When the newest of \p Files was written, in seconds since 1970; 0 if that
/// is not known of any.
static uint64_t newestTime(ArrayRef<std::string> Files) {
  std::time_t Result = 0;
  for (const std::string &File : Files) {
    sys::fs::file_status Status;
    if (!sys::fs::status(File, Status))
      Result = std::max(Result, sys::toTimeT(Status.getLastModificationTime()));
  }
  return static_cast<uint64_t>(Result);
}

Error profdata::runMerge(const MergeCommand &Command) {
  if (Command.ListInputs) {
    for (const auto &[Input, Weight] :
         zip_equal(Command.Inputs, Command.Weights))
      outs() << Weight << ',' << Input << '\n';
    return Error::success();
  }
  Progress Shown;
  std::string File;
  MergeOptions Options = Command.Options;
  Options.Progress = [&](size_t Done, size_t All) {
    Shown.step(File + ", " + formatPercent(Done, All) + " of " +
               formatCount(All, "context"));
  };
  if (!Command.Recorded.empty())
    Options.Recorded.add(newestTime(Command.Inputs), Command.Recorded);
  // It is as large as the profile, and the process ends with this command: to
  // free it piece by piece would be for nothing.
  static Merger &Merged = *new Merger(Options);
  ReadAhead Files(Command.Inputs);
  size_t Done = 0;
  DamagedInputs Damaged(Command.Inputs.size());
  for (const auto &[Input, Weight] :
       zip_equal(Command.Inputs, Command.Weights)) {
    File = ("merging " + Twine(++Done) + "/" + Twine(Command.Inputs.size()) +
            ": " + Input)
               .str();
    Shown.step(File);
    Expected<MergeInput> Read = Files.take();
    Error Failed =
        Read ? Merged.add(std::move(*Read), Weight) : Read.takeError();
    if (Failed && !Command.FailsOnAny)
      Failed = Damaged.keep(std::move(Failed));
    if (Failed) {
      Shown.clear();
      return Failed;
    }
  }
  if (Error E = Damaged.noneLeft()) {
    Shown.clear();
    return E;
  }
  Shown.step("writing " + Command.Output);
  if (Error E = Merged.finishInputs())
    return E;
  if (Merged.empty())
    return fileError(Command.Output, "not written: the inputs have neither "
                                     "contexts nor counters");
  if (Command.Options.AsYaml && Merged.countsFunctions())
    return fileError(Command.Output,
                     "not written: --text writes YAML, which holds no "
                     "counters; llvm-profdata merge --text writes these");
  if (Error E = Merged.decide()) {
    Shown.clear();
    return inFile(Command.Output, std::move(E));
  }
  Expected<std::string> Contents = Merged.write();
  Shown.clear();
  if (!Contents)
    return inFile(Command.Output, Contents.takeError());
  Damaged.warn();
  for (const std::string &Warning : Merged.warnings())
    WithColor::warning(errs(), "thermo-profdata") << Warning << '\n';
  if (!Merged.leftOut().empty())
    WithColor::note(errs(), "thermo-profdata")
        << Command.Output
        << ": YAML has no place for some of the profile: " << Merged.leftOut()
        << '\n';
  if (const std::optional<uint64_t> Seed = Command.Options.RandomHotnessSeed;
      Seed && (Command.IsNewSeed || !Command.Quiet))
    WithColor::note(errs(), "thermo-profdata")
        << Command.Output << ": what is cold is random, by "
        << "--memprof-random-hotness-seed=" << *Seed << '\n';
  if (Error E = writeFileAtomically(Command.Output, [&](raw_ostream &OS) {
        OS << *Contents;
        return Error::success();
      }))
    return E;
  if (!Command.Quiet)
    printSummary(Command, Merged, Command.Output == "-" ? errs() : outs());
  return Error::success();
}
