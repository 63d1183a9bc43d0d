//===- thermo-profdata/Show.cpp - The show command ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ContextFilter.h"
#include "ContextList.h"
#include "PredictionLines.h"
#include "TouchLines.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static void printRuns(const IndexedProfile &Profile, raw_ostream &OS) {
  const std::optional<RunInfo> &Runs = Profile.runInfo();
  if (!Runs) {
    OS << "not recorded\n";
    return;
  }
  if (Runs->Origin == RunInfoOrigin::Timestamps) {
    OS << "not recorded; " << formatCount(Runs->TotalLength.count())
       << " ms from the first allocation to the last deallocation\n";
    return;
  }
  OS << formatCount(Runs->Runs) << ", "
     << formatCount(truncated(Runs->meanLengthMs())) << " ms";
  if (Runs->Runs > 1)
    OS << " on average (" << formatCount(Runs->Shortest.count()) << " to "
       << formatCount(Runs->Longest.count()) << ")";
  if (Runs->Shortest != Runs->Longest)
    OS << "; lifetimes are compared with "
       << formatCount(truncated(Runs->comparedLengthMs())) << " ms";
  if (Runs->Estimated)
    OS << "; " << (Runs->Runs == 1 ? "" : formatCount(Runs->Estimated) + " ")
       << "estimated from the times of allocations";
  OS << '\n';
}

static void printPrediction(const placement::Prediction &Predicted,
                            const TouchGrid &Grid, StringRef Phase,
                            const placement::OrderVerdict &Order,
                            raw_ostream &OS) {
  OS << "Live bytes:     " << formatBytes(Bytes(truncated(Predicted.LiveBytes)))
     << " at a time, "
     << formatPercent(truncated(Predicted.SmallBytes),
                      truncated(Predicted.LiveBytes))
     << " in objects of less than a page\n";
  if (Grid.hasBursts())
    OS << "Working set:    " << placement::describe(Predicted.AtBurst)
       << " touched within "
       << lengthText(Grid, Phase, placement::Horizon::Burst) << '\n';
  OS << "Working set:    " << placement::describe(Predicted.AtWindow)
     << " touched within "
     << lengthText(Grid, Phase, placement::Horizon::Window) << '\n';
  if (isTooShortToTell(Predicted, Grid, Phase))
    OS << "Too short:      " << TooShortToTell << '\n';
  OS << "Small objects:  " << placement::describe(Order) << '\n';
}

/// What each binary of the profile allocated, if there are several.
static void printBinaries(const ContextList &List, raw_ostream &OS) {
  if (!List.Binaries.hasSeveral())
    return;
  for (const auto &[Id, Has] : List.Binaries.binaries()) {
    ContextCount All, Cold;
    for (const ListedContext &C : List.Contexts)
      if (Has.Contexts.count(C.Id)) {
        All.add(C.size());
        if (C.Cold)
          Cold.add(C.size());
      }
    OS << "Binary:         " << Has.Name << ", build id "
       << toHex(Id, /*LowerCase=*/true) << ": "
       << formatCount(All.Contexts, "context") << ", " << formatBytes(All.Size)
       << "; cold: " << formatCount(Cold.Contexts, "context") << ", "
       << formatBytes(Cold.Size) << '\n';
  }
}

static void printSummary(const ShowCommand &Command, const ContextList &List,
                         const placement::OrderVerdict &Order,
                         const Architectures &RanOn,
                         const RecordedRuns &Recorded, raw_ostream &OS) {
  ContextCount All, Cold, TooFew;
  CountErrors Errors;
  uint64_t Allocations = 0;
  for (const ListedContext &C : List.Contexts) {
    All.add(C.size());
    Errors.addToAll(C.Samples);
    if (C.Cold) {
      Cold.add(C.size());
      Errors.addToCold(C.Samples);
    } else if (C.TooFew) {
      TooFew.add(C.size());
    }
    Allocations += C.Info.AllocCount;
  }
  OS << "Profile:        " << Command.Input << " (memory profile version "
     << List.Profile->memProfVersion() << ", "
     << (List.Profile->hasFullSchema() ? "all" : "hot/cold") << " measures)\n"
     << "Runs:           ";
  printRuns(*List.Profile, OS);
  if (!RanOn.empty())
    OS << "Architecture:   " << RanOn.text() << '\n';
  for (const std::string &Line : Recorded.lines())
    OS << "Recorded:       " << Line << '\n';
  printGrid(List.Profile->touchGrid(), List.Profile->pagesDecide(), OS);
  if (List.Profile->lostWindows())
    OS << "Windows:        lost, as llvm-profdata keeps none\n";
  OS << "Contexts:       " << formatCount(All.Contexts) << '\n'
     << "Allocations:    " << formatCount(Allocations) << '\n'
     << "Bytes:          " << formatBytes(All.Size)
     << (Errors.isExact() ? "" : placement::formatInterval(Errors.ofAll()))
     << '\n'
     << "Cold contexts:  " << formatCount(Cold.Contexts) << " ("
     << formatPercent(Cold.Contexts, All.Contexts) << ")\n"
     << "Cold bytes:     " << formatBytes(Cold.Size)
     << (Errors.isExact() ? "" : placement::formatInterval(Errors.ofCold()))
     << " (" << formatPercent(Cold.Size.count(), All.Size.count())
     << (Errors.isExact()
             ? ""
             : " ± " +
                   placement::formatPart(
                       StandardErrors95 *
                       Errors.ofPart(static_cast<double>(Cold.Size.count()),
                                     static_cast<double>(All.Size.count()))))
     << ")\n"
     << "Cold means:     "
     << (List.Accesses == AccessKind::Unknown
             ? "nothing, as accesses were not counted"
             : describeRule(List.Rule, Command.Thresholds))
     << '\n';
  printBinaries(List, OS);
  if (!List.StaticData.empty())
    OS << "Static data:    " << formatCount(List.StaticData.accesses())
       << " accesses to "
       << formatCount(List.StaticData.numSampled(), "variable") << ", none to "
       << formatCount(List.StaticData.numCold()) << '\n';
  if (List.Rule == ColdRule::Pages)
    printPrediction(*List.Profile->predicted(), List.Profile->touchGrid(),
                    List.Profile->decidedFor().Phase, Order, OS);
  if (const std::string Text = tooFewText(TooFew, All.Size); !Text.empty())
    OS << "Too few:        " << Text << '\n';
  if (const auto Predicted = List.Profile->predicted();
      !Errors.isExact() || (Predicted && !Predicted->atGoal().isExact()))
    OS << "Sampled:        " << IntervalsText << '\n';
}

/// Prints a line that names the context, unless its first frame does.
static void printAsker(const ListedContext &C, const Askers &Who,
                       raw_ostream &OS) {
  const Askers::Asker Is = Who.of(C);
  if (Is.First == &C.Frames.front() && !Is.For)
    return;
  OS << "    asked by: " << Who.describe(*Is.First);
  if (Is.For)
    OS << "; for: " << Who.describe(*Is.For);
  OS << '\n';
}

static void printContexts(const ShowCommand &Command, const ContextList &List,
                          const FunctionNames &Names, const Askers &Who,
                          raw_ostream &OS) {
  uint64_t Listed = 0, Left = 0;
  for (const ListedContext &C : List.Contexts) {
    if (Listed == Command.Top) {
      ++Left;
      continue;
    }
    OS << "\n#" << ++Listed << ' ';
    printMeasures(List, C, OS);
    printTouches(C.Touches, List.Profile->touchGrid(), OS);
    printAsker(C, Who, OS);
    printFrames(C, Names, Command.FullNames, OS);
    printType(C, Command.FullNames, OS);
  }
  if (Left)
    OS << "\n... and " << formatCount(Left)
       << " more with fewer bytes (--all lists them)\n";
}

static ContextCount count(const ContextList &List) {
  ContextCount Result;
  for (const ListedContext &C : List.Contexts)
    Result.add(C.size());
  return Result;
}

Error profdata::runShow(const ShowCommand &Command) {
  if (RawProfile::isRaw(Command.Input))
    return runShowRaw(Command);
  return writeContexts(
      Command,
      [&](ContextList &List, const FunctionNames &Names,
          raw_ostream &OS) -> Error {
        const bool IsText = Command.Format == TableFormat::Text;
        Expected<placement::OrderVerdict> Order = List.Profile->orderVerdict();
        if (!Order)
          return Order.takeError();
        Expected<Architectures> RanOn = List.Profile->architectures();
        if (!RanOn)
          return RanOn.takeError();
        Expected<RecordedRuns> Recorded = List.Profile->recordedRuns();
        if (!Recorded)
          return Recorded.takeError();
        if (IsText)
          printSummary(Command, List, *Order, *RanOn, *Recorded, OS);
        // The askers are those of all contexts, whichever are listed.
        Expected<Askers> Who = Askers::of(List, Names);
        if (!Who)
          return Who.takeError();
        const ContextCount All = count(List);
        if (Error E = filterContexts(Command, Names, std::nullopt, List))
          return E;
        if (IsText && (!Command.Function.empty() || !Command.Type.empty() ||
                       Command.ColdOnly)) {
          const ContextCount Selected = count(List);
          OS << "Selected:       " << formatCount(Selected.Contexts, "context")
             << ", " << formatBytes(Selected.Size) << " ("
             << formatPercent(Selected.Size.count(), All.Size.count()) << ")\n";
        }
        if (Command.Grouping)
          return writeTotals(Command, List, Names, *Who, OS);
        printContexts(Command, List, Names, *Who, OS);
        return Error::success();
      },
      NameDetail::AllWithPlaces);
}
