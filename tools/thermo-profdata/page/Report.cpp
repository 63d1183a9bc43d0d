//===- thermo-profdata/page/Report.cpp - The report command ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page of a profile, before any link: what hints can gain, and why not
// more.
//
//===----------------------------------------------------------------------===//

#include "../PageReasons.h"
#include "../PredictionLines.h"
#include "PageFrames.h"
#include "thermocline/Profile/Indexed/Merger.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Report/Page.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include <array>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using namespace thermocline::report;

namespace {

class ProfilePage {
public:
  ProfilePage(const ContextList &List, const FunctionNames &Names)
      : List(List), Names(Names) {}

  Expected<PageModel> make();

private:
  Error predict();
  void addContext(const ListedContext &C, const ProfileFacts &Facts);
  PageOutcome outcomeOf(const ListedContext &C) const;
  void addSaved(const ListedContext &C, PageContext &Added);
  void describePrediction();
  void describeTotals();

  const ContextList &List;
  const FunctionNames &Names;
  PageModel Page;
  std::unordered_set<uint64_t> Cold;
  std::optional<Prediction> Predicted;
  /// What contexts have in memory with all hints, by id.
  std::unordered_map<uint64_t, ContextShare> Shares;
};

} // namespace

Error ProfilePage::predict() {
  Expected<TouchesById> Touches = List.touchesWithMeasures();
  if (!Touches)
    return Touches.takeError();
  BitVector Hinted(Touches->Ids.size());
  for (auto [I, Id] : enumerate(Touches->Ids))
    if (Cold.count(Id))
      Hinted.set(static_cast<unsigned>(I));
  const PlacementOptions Options = List.Profile->decidedFor();
  if (Error E = placement::predict(Touches->Touches, Hinted, Options)
                    .moveInto(Predicted.emplace()))
    return E;
  auto All = shareOut(Touches->Touches, Hinted, Options);
  if (!All)
    return All.takeError();
  for (auto [Id, Share] : zip_equal(Touches->Ids, *All))
    Shares[Id] = Share;
  return Error::success();
}

PageOutcome ProfilePage::outcomeOf(const ListedContext &C) const {
  if (C.Cold)
    return {"cold, to be hinted", PageClass::Gained};
  if (!Predicted)
    return {"not cold", PageClass::Kept};
  auto Known = Shares.find(C.Id);
  if (Known == Shares.end())
    return {"in memory at the end of no window", PageClass::Kept,
            "Too short-lived, or too rare to know."};
  if (C.TooFew)
    return {"too few samples to be judged", PageClass::Kept,
            "Record for longer, more runs, or a greater part of the "
            "allocations (--sample=)."};
  const ContextShare &Share = Known->second;
  const PageExplanation &Why =
      explanationOf(Share.SmallBytes >= Share.LargeBytes
                        ? reasonOfSmall(Share, /*Cold=*/false)
                        : reasonOfLarge(C));
  return {Why.What.str(), PageClass::Kept, Why.Advice.str()};
}

void ProfilePage::addSaved(const ListedContext &C, PageContext &Added) {
  if (!C.Cold || List.Rule != ColdRule::Pages)
    return;
  if (auto Decided = List.Profile->decision(C.Id))
    Added.Values[size_t(PageValue::Saved)] = truncated(Decided->Benefit);
}

void ProfilePage::addContext(const ListedContext &C,
                             const ProfileFacts &Facts) {
  PageContext &Added = Page.Contexts.emplace_back();
  const ProfileFacts::Context &Known = Facts.Contexts.at(C.Id);
  Added.Values = Known.Values;
  Added.Heat = Known.Heat;
  Added.Type = Page.add(Known.Type);
  Added.Name = hexText(C.Id);
  Added.Outcome = Page.add(outcomeOf(C));
  Added.Frames = addFrames(C, Names, Page);
}

static std::string pagesText(Bytes Size, const TouchGrid &Grid) {
  return formatBytes(Size) + " (" +
         formatCount(Size.count() / Grid.PageBytes, "page") +
         pageSizeText(Grid) + ")";
}

void ProfilePage::describePrediction() {
  const TouchGrid &Grid = List.Profile->touchGrid();
  const std::string Phase = List.Profile->decidedFor().Phase;
  const WorkingSet &Set = Predicted->atGoal();
  const Bytes Before(truncated(Set.Before));
  const Bytes Saved(truncated(std::max(Set.Before - Set.After, 0.0)));
  Page.BarTitle =
      "Pages that are touched, as predicted: " + pagesText(Before, Grid) +
      " without hints";
  Page.Bar.push_back({"saved by hints", Saved, PageClass::Gained});
  std::array<double, NumPageReasons> ByReason = {};
  for (const ListedContext &C : List.Contexts)
    if (auto Known = Shares.find(C.Id); Known != Shares.end()) {
      const ContextShare &S = Known->second;
      ByReason[size_t(reasonOfSmall(S, C.Cold))] += S.SmallPages;
      ByReason[size_t(reasonOfLarge(C))] += S.LargePages;
    }
  for (size_t I = 0; I != NumPageReasons; ++I)
    if (const Bytes Part(truncated(ByReason[I])); Part.count())
      Page.Bar.push_back({explanationOf(static_cast<PageReason>(I)).What.str(),
                          Part, PageClass::Kept});
  auto Interval = [&](double Error) {
    return Set.isExact() ? "" : formatInterval(Error);
  };
  if (Saved.count())
    Page.Sentences.push_back(
        "Hints can save " + pagesText(Saved, Grid) +
        Interval(Set.Errors.Saved) + " of the " + formatBytes(Before) +
        Interval(Set.Errors.Before) +
        " that the program is predicted to touch: " +
        formatPercent(Saved.count(), Before.count()) +
        (Set.isExact()
             ? ""
             : " ± " + formatPart(StandardErrors95 * Set.Errors.SavedPart)) +
        (Set.maySaveNothing()
             ? ". That is not certain, as too few objects were sampled."
             : "."));
  else if (!Grid.isLongEnoughForNoGain(Phase))
    Page.Sentences.push_back(
        "The runs are too short to say what hints gain. The program is "
        "predicted to touch " +
        pagesText(Before, Grid) + ".");
  else
    Page.Sentences.push_back("Hints gain nothing for this program, which is "
                             "predicted to touch " +
                             pagesText(Before, Grid) + ".");
  if (const std::string Other = otherHorizonText(*Predicted, Grid, Phase);
      !Other.empty())
    Page.Sentences.push_back("Within " + Other + ".");
}

void ProfilePage::describeTotals() {
  Bytes All, Hinted;
  ContextCount TooFew;
  CountErrors Errors;
  for (const ListedContext &C : List.Contexts) {
    All += C.size();
    Errors.addToAll(C.Samples);
    if (C.TooFew)
      TooFew.add(C.size());
    if (!C.Cold)
      continue;
    Hinted += C.size();
    Errors.addToCold(C.Samples);
  }
  auto Interval = [&](double Error) {
    return Errors.isExact() ? "" : formatInterval(Error);
  };
  if (!Predicted) {
    Page.BarTitle = "Bytes that are allocated: " + formatBytes(All);
    Page.Bar = {
        {"cold, to be hinted", Hinted, PageClass::Gained},
        {"not cold", Bytes(All.count() - Hinted.count()), PageClass::Kept}};
  }
  Page.Sentences.push_back(
      formatCount(Cold.size()) + " of " +
      formatCount(List.Contexts.size(), "context") +
      (Cold.size() == 1 ? " is" : " are") + " cold: " + formatBytes(Hinted) +
      Interval(Errors.ofCold()) + " of " + formatBytes(All) +
      Interval(Errors.ofAll()) + " that are allocated.");
  if (const std::string Text = tooFewText(TooFew, All); !Text.empty())
    Page.Sentences.push_back(Text + ".");
  if (!Errors.isExact() || (Predicted && !Predicted->atGoal().isExact()))
    Page.Sentences.push_back(IntervalsText.str() + ".");
  if (!Predicted)
    Page.Sentences.push_back("The profile does not say when memory is touched, "
                             "so it is not known which pages hints save.");
}

Expected<PageModel> ProfilePage::make() {
  for (const ListedContext &C : List.Contexts)
    if (C.Cold)
      Cold.insert(C.Id);
  auto Facts = ProfileFacts::read(
      *List.Profile, [&](uint64_t Id) { return Cold.count(Id) != 0; });
  if (!Facts)
    return Facts.takeError();
  if (List.Profile->predicted())
    if (Error E = predict())
      return std::move(E);
  Page.Title = "Heap profile";
  Page.Subtitle = List.Profile->path().str();
  if (Predicted)
    describePrediction();
  describeTotals();
  Page.Recorded = Facts->Recorded;
  Page.Known = Facts->Known;
  Page.knows(PageValue::Saved) = List.Rule == ColdRule::Pages;
  Page.Phases = Facts->Phases;
  Page.Bins = Facts->Bins;
  for (const ListedContext &C : List.Contexts) {
    addContext(C, *Facts);
    addSaved(C, Page.Contexts.back());
  }
  return std::move(Page);
}

/// The raw memory profile of \p Command, merged in memory as the merge command
/// does by default.
static Expected<std::unique_ptr<IndexedProfile>>
mergeInput(const ReportCommand &Command) {
  if (Command.Binaries.Binaries.empty())
    return fileError(Command.Input, "is a raw memory profile: report needs the "
                                    "program that wrote it, --binary=PROGRAM");
  MergeOptions Options;
  Options.Binaries = Command.Binaries;
  Options.MemProfVersion = memprof::Version4;
  Merger Merged(Options);
  if (Error E = Merged.add(Command.Input))
    return std::move(E);
  if (Error E = Merged.finishInputs())
    return std::move(E);
  if (Merged.empty())
    return fileError(Command.Input, "has no contexts");
  if (Error E = Merged.decide())
    return inFile(Command.Input, std::move(E));
  Expected<std::string> Contents = Merged.write();
  if (!Contents)
    return inFile(Command.Input, Contents.takeError());
  for (const std::string &Warning : Merged.warnings())
    WithColor::warning(errs(), "thermo-profdata") << Warning << '\n';
  return IndexedProfile::parse(
      Command.Input, MemoryBuffer::getMemBufferCopy(*Contents, Command.Input));
}

/// The command, what it was given, and when that was written.
static std::string howMade(const ReportCommand &Command) {
  std::string Result = "Made by thermo-profdata report";
  for (const std::string &Binary : Command.Binaries.Binaries)
    Result += " --binary=" + Binary;
  for (const std::string &Run : Command.Measured)
    Result += " --measured=" + Run;
  Result += " " + Command.Input;
  sys::fs::file_status Status;
  if (Command.Input != "-" && !sys::fs::status(Command.Input, Status))
    Result +=
        formatv(", of {0:%Y-%m-%d %H:%M} UTC",
                sys::toUtcTime(sys::toTimeT(Status.getLastModificationTime())))
            .str();
  Result += ".";
  if (Command.Binaries.Binaries.empty())
    Result += " Functions without names are known by --binary=PROGRAM.";
  return Result;
}

Error profdata::runReport(const ReportCommand &Command) {
  Measurements Measured;
  if (Error E =
          readMeasurements(Command.Measured, Command.Pages).moveInto(Measured))
    return E;
  Expected<std::vector<SourceLink>> Sources =
      parseSourceLinks(Command.SourceUrls);
  if (!Sources)
    return Sources.takeError();
  std::unique_ptr<IndexedProfile> Merged;
  if (RawProfile::isRaw(Command.Input))
    if (Error E = mergeInput(Command).moveInto(Merged))
      return E;
  return writeContexts(
      Command,
      [&](const ContextList &List, const FunctionNames &Names,
          raw_ostream &OS) -> Error {
        Expected<PageModel> Page = ProfilePage(List, Names).make();
        if (!Page)
          return Page.takeError();
        Page->Measured = Measured;
        Page->Sources = *Sources;
        Page->Made = howMade(Command);
        writePage(*Page, OS);
        return Error::success();
      },
      NameDetail::AllWithPlaces, std::move(Merged));
}
