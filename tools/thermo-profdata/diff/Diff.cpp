//===- thermo-profdata/diff/Diff.cpp - The diff command -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two profiles, for people or as a page. Which contexts are the same
// is told as the compiler would (SameContexts.h).
//
//===----------------------------------------------------------------------===//

#include "../Commands.h"
#include "../PredictionLines.h"
#include "Comparison.h"
#include "DiffPage.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/Tools/Gates.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <map>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static Table countsOf(const Comparison &Found) {
  Table Result = {.Key = "counts",
                  .Columns = {{"", "change"},
                              {"contexts", "contexts", ColumnKind::Count},
                              {"bytes", "bytes", ColumnKind::Bytes}}};
  auto Add = [&](StringRef Name, const ContextCount &Count) {
    Result.add({Name, Count.Contexts, Count.Size});
  };
  for (unsigned I = 0; I != NumChangeKinds; ++I)
    if (const auto Kind = static_cast<ChangeKind>(I);
        Kind != ChangeKind::WithinError || Found.Counts[I].Contexts)
      Add(name(Kind), Found.Counts[I]);
  Add("unchanged", Found.Unchanged);
  return Result;
}

/// For programs.
static Table changesOf(const Comparison &Found, const FunctionNames &Names,
                       std::optional<unsigned> Most) {
  Table Result = {.Key = "changes",
                  .Columns = {{"", "change"},
                              {"", "id", ColumnKind::Id},
                              {"", "edited"},
                              {"", "cold"},
                              {"", "bytesBefore", ColumnKind::Bytes},
                              {"", "bytesAfter", ColumnKind::Bytes},
                              {"", "frames"}}};
  auto Size = [](const ListedContext *C) {
    return C ? std::optional(C->size()) : std::nullopt;
  };
  for (const Change &C : Found.Changes) {
    const ListedContext &Shown = C.After ? *C.After : *C.Before;
    Result.add({name(C.Kind), Shown.Id, C.IsEdited, Shown.Cold, Size(C.Before),
                Size(C.After), frameTexts(Shown.Frames, Names)});
  }
  Result.keepFirst(Most, "");
  return Result;
}

/// What \p After predicts if just its contexts that \p Before calls cold are
/// hinted; nothing unless both say when memory was touched.
static Expected<std::optional<placement::Prediction>>
predictByOther(const ContextList &Before, const ContextList &After,
               const SameContexts &Contexts) {
  if (!Before.Profile->predicted() || !After.Profile->predicted())
    return std::nullopt;
  Expected<TouchesById> Touches = After.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  BitVector Hinted(Touches->Ids.size());
  for (auto [C, Was] : zip_equal(After.Contexts, Contexts.Was)) {
    const auto Same = lower_bound(Touches->Ids, C.Id);
    if (Was && Was->Cold && Same != Touches->Ids.end() && *Same == C.Id)
      Hinted.set(static_cast<unsigned>(Same - Touches->Ids.begin()));
  }
  Expected<placement::Prediction> Result =
      placement::predict(Touches->Touches, Hinted, After.Profile->decidedFor());
  if (!Result)
    return Result.takeError();
  return *Result;
}

/// How much of what can be gained the decisions of before bring, in percent.
/// Nothing if hints gain nothing at all.
static std::optional<double> worthOf(const placement::WorkingSet &Own,
                                     const placement::WorkingSet &Other) {
  const double Gain = Own.Before - Own.After;
  if (Gain < 1)
    return std::nullopt;
  return std::max(Other.Before - Other.After, 0.0) * 100 / Gain;
}

/// How much the decisions of the profile before are worth for the one after.
static std::string worthText(const placement::WorkingSet &Own,
                             const placement::WorkingSet &Other) {
  std::string Result = placement::describe(Other);
  if (const std::optional<double> Worth = worthOf(Own, Other))
    raw_string_ostream(Result)
        << ", " << format("%.1f", *Worth) << " % of what can be gained";
  return Result;
}

namespace {

/// What was compared, and what came of it.
struct Compared {
  const ContextList &Before;
  const ContextList &After;
  const FunctionNames &Names;
  const Comparison &Found;
  /// See predictByOther.
  const std::optional<placement::Prediction> &Other;
};

} // namespace

static void printText(const DiffCommand &Command, const Compared &Diff,
                      raw_ostream &OS) {
  countsOf(Diff.Found).writeText(OS);
  if (Diff.Other) {
    const placement::WorkingSet Own = Diff.After.Profile->predicted()->atGoal();
    OS << "\nPredicted working set after:       " << placement::describe(Own)
       << "\nby the decisions of before:        "
       << worthText(Own, Diff.Other->atGoal()) << '\n';
    const profile::IndexedProfile &After = *Diff.After.Profile;
    const std::string Phase = After.decidedFor().Phase;
    if (const std::string Other =
            otherHorizonText(*After.predicted(), After.touchGrid(), Phase);
        !Other.empty())
      OS << "after, within " << Other << "\nby those of before, within "
         << otherHorizonText(*Diff.Other, After.touchGrid(), Phase) << '\n';
  }
  uint64_t Listed = 0;
  for (const Change &C : Diff.Found.Changes) {
    if (Listed == Command.Top)
      break;
    OS << "\n#" << ++Listed << ' ' << name(C.Kind);
    if (C.Before && C.After)
      OS << " (" << formatBytes(C.Before->size()) << " before)";
    OS << (C.IsEdited ? ", in edited source: " : ": ");
    const ListedContext &Shown = C.After ? *C.After : *C.Before;
    printMeasures(C.After ? Diff.After : Diff.Before, Shown, OS);
    printFrames(Shown, Diff.Names, Command.FullNames, OS);
  }
  if (Listed < Diff.Found.Changes.size())
    OS << "\n... and " << formatCount(Diff.Found.Changes.size() - Listed)
       << " more (--all lists them)\n";
}

static void writeTables(const DiffCommand &Command, const Compared &Diff,
                        raw_ostream &OS) {
  auto AtGoal = [&](const std::optional<placement::Prediction> &Predicted) {
    return Diff.Other && Predicted
               ? std::optional(truncated(Predicted->atGoal().After))
               : std::nullopt;
  };
  auto AtOther = [&](const std::optional<placement::Prediction> &Predicted) {
    return Diff.Other && Predicted &&
                   Diff.After.Profile->touchGrid().hasBursts()
               ? std::optional(truncated(Predicted->atOther().After))
               : std::nullopt;
  };
  writeFor(
      Command.Format,
      {facts({{"version", 1},
              {"before", Command.Before},
              {"after", Command.After},
              {"workingSetAfter", AtGoal(Diff.After.Profile->predicted())},
              {"workingSetByBefore", AtGoal(Diff.Other)},
              {"otherHorizonAfter", AtOther(Diff.After.Profile->predicted())},
              {"otherHorizonByBefore", AtOther(Diff.Other)}}),
       countsOf(Diff.Found), changesOf(Diff.Found, Diff.Names, Command.Top)},
      OS);
}

static Error printPage(const DiffCommand &Command, const Compared &Diff,
                       raw_ostream &OS) {
  Expected<std::vector<report::SourceLink>> Sources =
      report::parseSourceLinks(Command.SourceUrls);
  if (!Sources)
    return Sources.takeError();
  report::PageModel Page =
      pageOf(Diff.Found, Diff.Before, Diff.After, Diff.Names);
  for (const auto &[Name, List] :
       {std::pair("Before", &Diff.Before), std::pair("After", &Diff.After)}) {
    Expected<RecordedRuns> Recorded = List->Profile->recordedRuns();
    if (!Recorded)
      return Recorded.takeError();
    for (const std::string &Line : Recorded->lines())
      Page.Recorded.push_back((Name + Twine(": recorded ") + Line).str());
  }
  if (Diff.Other) {
    const placement::WorkingSet Own = Diff.After.Profile->predicted()->atGoal();
    Page.Sentences.push_back(
        "Predicted working set after: " + placement::describe(Own) +
        "; by the decisions of before: " +
        worthText(Own, Diff.Other->atGoal()) + ".");
    const profile::IndexedProfile &After = *Diff.After.Profile;
    const std::string Phase = After.decidedFor().Phase;
    if (const std::string Other =
            otherHorizonText(*After.predicted(), After.touchGrid(), Phase);
        !Other.empty())
      Page.Sentences.push_back(
          "After, within " + Other + "; by the decisions of before, within " +
          otherHorizonText(*Diff.Other, After.touchGrid(), Phase) + ".");
  }
  Page.Sources = std::move(*Sources);
  Page.Made = "Made by thermo-profdata diff --format=html";
  for (const std::string &Binary : Command.Binaries.Binaries)
    Page.Made += " --binary=" + Binary;
  Page.Made += " " + Command.Before + " " + Command.After + ".";
  report::writePage(Page, OS);
  return Error::success();
}

/// What --exit-code finds.
static GateResult whetherAnyDiffers(const Comparison &Found) {
  std::map<ChangeKind, uint64_t> Counts;
  for (const Change &C : Found.Changes)
    if (C.Kind != ChangeKind::WithinError)
      ++Counts[C.Kind];
  GateResult Result = {"contexts are the same", "", !Counts.empty()};
  for (const auto &[Kind, Count] : Counts)
    Result.Seen += (Result.Seen.empty() ? "the profiles differ: " : ", ") +
                   formatCount(Count, "context") + " " + name(Kind).str();
  if (Result.Seen.empty())
    Result.Seen =
        Found.Changes.empty()
            ? "the profiles have the same contexts"
            : "the profiles have the same contexts, as far as samples tell";
  return Result;
}

/// What --min-worth finds.
static Expected<GateResult>
whetherWorthIt(const DiffCommand &Command, const ContextList &After,
               const std::optional<placement::Prediction> &Other) {
  if (!Other)
    return createStringError("--min-worth: " + Command.Before + " or " +
                             Command.After +
                             " does not say when memory was touched");
  const std::optional<double> Worth =
      worthOf(After.Profile->predicted()->atGoal(), Other->atGoal());
  GateResult Result = {"decisions still serve", "hints gain nothing", false};
  if (!Worth)
    return Result;
  Result.HasFailed = *Worth < *Command.MinWorth;
  Result.Seen.clear();
  raw_string_ostream(Result.Seen)
      << "the decisions of " << Command.Before << " bring "
      << format("%.1f", *Worth) << " % of what can be gained by "
      << Command.After << ", " << (Result.HasFailed ? "less" : "not less")
      << " than " << format("%g", *Command.MinWorth) << " %";
  return Result;
}

/// What the gates find that \p Command asks for. An error if one cannot tell.
static Expected<std::vector<GateResult>>
checkGates(const DiffCommand &Command, const Comparison &Found,
           const ContextList &After,
           const std::optional<placement::Prediction> &Other) {
  std::vector<GateResult> Gates;
  if (Command.FailsOnAny)
    Gates.push_back(whetherAnyDiffers(Found));
  if (Command.MinWorth)
    if (Error E = whetherWorthIt(Command, After, Other)
                      .moveInto(Gates.emplace_back()))
      return std::move(E);
  return std::move(Gates);
}

/// Says what has failed of \p Gates, to people and, if \p Command asks for it,
/// to a CI server. Sets \p HasFailed if anything has.
static Error tell(const DiffCommand &Command, ArrayRef<GateResult> Gates,
                  bool &HasFailed) {
  for (const GateResult &Each : Gates)
    if (Each.HasFailed) {
      HasFailed = true;
      errs() << "thermo-profdata: " << Each.Seen << '\n';
    }
  return Command.JUnitFile.empty()
             ? Error::success()
             : writeJUnit(Command.JUnitFile, "thermo-profdata diff", Gates);
}

Error profdata::runDiff(const DiffCommand &Command, bool &HasFailed) {
  Expected<ContextList> Before =
      ContextList::load(Command.Before, Command.Thresholds);
  if (!Before)
    return Before.takeError();
  Expected<ContextList> After =
      ContextList::load(Command.After, Command.Thresholds);
  if (!After)
    return After.takeError();
  Expected<FunctionNames> Names = loadNames(Command.Binaries);
  if (!Names)
    return Names.takeError();
  Expected<SameContexts> Same = SameContexts::find(*Before, *After);
  if (!Same)
    return Same.takeError();
  Expected<std::optional<placement::Prediction>> Other =
      predictByOther(*Before, *After, *Same);
  if (!Other)
    return Other.takeError();
  const Comparison Found = compare(*Before, *After, *Same);
  const Compared Diff = {*Before, *After, *Names, Found, *Other};
  auto Print = [&](raw_ostream &OS) -> Error {
    if (Command.AsPage)
      return printPage(Command, Diff, OS);
    if (Command.Format == TableFormat::Text)
      printText(Command, Diff, OS);
    else
      writeTables(Command, Diff, OS);
    return Error::success();
  };
  // What is an error leaves the output as it was.
  Expected<std::vector<GateResult>> Gates =
      checkGates(Command, Found, *After, *Other);
  if (!Gates)
    return Gates.takeError();
  if (Error E = writeFileAtomically(Command.Output, Print))
    return E;
  return tell(Command, *Gates, HasFailed);
}
