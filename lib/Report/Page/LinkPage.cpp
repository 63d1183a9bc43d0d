//===- Report/Page/LinkPage.cpp - The page of a link ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackIds.h"
#include "thermocline/Report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static PageClass classOf(const ReportContext &C) {
  const bool Cold = C.Profiled == Temperature::Cold;
  if (C.hintedCold())
    return Cold ? PageClass::Gained : PageClass::Wrong;
  return Cold ? PageClass::Missed : PageClass::Kept;
}

static PageFrame frameOf(const ReportFrame &F) {
  PageFrame Result;
  if (F.Function.empty()) {
    Result.Function = "call " + hexText(raw(F.Id));
    return Result;
  }
  Result.Function = F.Function;
  Result.Place = profile::describePlace(F.LineOffset, F.Column);
  Result.File = F.File;
  Result.Line = F.Line;
  return Result;
}

/// What the profile knows of a context, where the link does not say it.
static void addFacts(PageModel &Page, PageContext &Added, uint64_t Id,
                     const ProfileFacts *Facts) {
  if (!Facts)
    return;
  auto Known = Facts->Contexts.find(Id);
  if (Known == Facts->Contexts.end()) {
    Added.Type = Page.add(profile::DataType());
    return;
  }
  Added.Type = Page.add(Known->second.Type);
  for (PageValue V : {PageValue::Objects, PageValue::Accesses, PageValue::Live,
                      PageValue::Pages, PageValue::Lifetime})
    Added.Values[size_t(V)] = Known->second.Values[size_t(V)];
  Added.Heat = Known->second.Heat;
}

static void addContext(PageModel &Page, const ReportContext &C,
                       const ProfileFacts *Facts) {
  PageContext &Added = Page.Contexts.emplace_back();
  addFacts(Page, Added, C.FullStackId, Facts);
  for (const ReportFrame &F : C.Place)
    Added.Frames.push_back(Page.add(frameOf(F)));
  if (C.Place.empty())
    Added.Frames.push_back(Page.add(PageFrame{.Function = C.Owner}));
  for (const ReportFrame &F : C.Frames)
    Added.Frames.push_back(Page.add(frameOf(F)));
  Added.Values[size_t(PageValue::Bytes)] = C.Size.count();
  if (C.Saved && C.Profiled == Temperature::Cold) {
    Page.knows(PageValue::Saved) = true;
    Added.Values[size_t(PageValue::Saved)] = C.Saved->count();
  }
  if (C.Measured) {
    Page.knows(PageValue::Accesses) = true;
    Added.Values[size_t(PageValue::Accesses)] = C.Measured->Accesses;
  }
  if (C.CloneCost) {
    Page.knows(PageValue::CloneCost) = true;
    Added.Values[size_t(PageValue::CloneCost)] = *C.CloneCost;
  }
  Added.Outcome = Page.add(PageOutcome{.Name = C.Outcome, .Class = classOf(C)});
  Added.Name = "context " + utostr(C.Id.index());
  if (C.CollidesWith)
    Added.Note = "context " + utostr(C.CollidesWith.index());
}

/// What of the profile no allocation of the link carries.
static void addLost(PageModel &Page, const ProfileCoverage &Coverage,
                    const ProfileFacts *Facts) {
  std::vector<AuditCell> Listed(NumLossReasons);
  auto OutcomeOf = [&](LossReason Why) {
    return Page.add(PageOutcome{.Name = "lost: " + describe(Why).str(),
                                .Class = PageClass::Missed,
                                .Advice = advice(Why).str()});
  };
  for (const LostContext &C : Coverage.Biggest) {
    AuditCell &Cell = Listed[static_cast<size_t>(C.Reason)];
    ++Cell.Contexts;
    Cell.Size += C.Size;
    const uint32_t Outcome = OutcomeOf(C.Reason);
    PageContext &Added = Page.Contexts.emplace_back();
    addFacts(Page, Added, C.FullStackId, Facts);
    for (const ReportFrame &F : C.Frames)
      Added.Frames.push_back(Page.add(frameOf(F)));
    Added.Values[size_t(PageValue::Bytes)] = C.Size.count();
    Added.Outcome = Outcome;
    Added.Name = hexText(C.FullStackId);
  }
  for (const LossCount &Loss : Coverage.Reasons) {
    const AuditCell &Known = Listed[static_cast<size_t>(Loss.Reason)];
    if (Loss.Count.Contexts <= Known.Contexts)
      continue;
    const uint32_t Outcome = OutcomeOf(Loss.Reason);
    PageContext &Added = Page.Contexts.emplace_back();
    Added.Contexts = Loss.Count.Contexts - Known.Contexts;
    if (Facts)
      Added.Type = Page.add(profile::DataType());
    Added.Values[size_t(PageValue::Bytes)] =
        Loss.Count.Size.count() - Known.Size.count();
    Added.Outcome = Outcome;
  }
}

static uint64_t lessOf(Bytes Whole, Bytes What) {
  return Whole > What ? Whole.count() - What.count() : 0;
}

/// The first screen of a link whose modules tell what hints save.
static void addSavings(PageModel &Page, const ReportModel &Model) {
  const ProfileWorkingSet &Set = *Model.WorkingSet;
  const PredictedSavings &Saved = Model.Savings;
  const Bytes Asked(lessOf(Set.Before, Set.After));
  Page.BarTitle =
      "Pages that are touched, as predicted: " + formatBytes(Set.Before) +
      " without hints";
  const Bytes NotInLink(lessOf(Asked, Saved.InLink)),
      NotTold(lessOf(Saved.InLink, Saved.Separable)),
      LeftOut(lessOf(Saved.Separable, Saved.Perhaps)),
      Perhaps(lessOf(Saved.Perhaps, Saved.Hinted));
  Page.Bar = {{"saved by hints", Saved.Hinted, PageClass::Gained},
              {"perhaps saved by hints", Perhaps, PageClass::Missed},
              {"kept out by limits", LeftOut, PageClass::Missed},
              {"cannot be told apart", NotTold, PageClass::Missed},
              {"not in the link", NotInLink, PageClass::Missed}};
  Bytes Parts;
  for (const PageShare &S : Page.Bar)
    Parts += S.Size;
  Page.Bar.push_back({"touched with any hints",
                      Bytes(lessOf(Set.Before, Parts)), PageClass::Kept});
  Page.Sentences.push_back(
      "Hints save " + formatBytes(Saved.Hinted) + " of the " +
      formatBytes(Set.Before) + " that the program is predicted to touch: " +
      formatPercent(Saved.Hinted.count(), Set.Before.count()) + ".");
  if (std::string Other = describeOtherHorizon(Set); !Other.empty())
    Page.Sentences.push_back("With all hints of the profile, " + Other + ".");
  const uint64_t Missed = lessOf(Asked, Saved.Hinted);
  if (Missed == 0) {
    Page.Sentences.push_back("That is all that the profile asks for.");
    return;
  }
  std::string Text = formatBytes(Bytes(Missed)) +
                     " that the profile asks for is not " +
                     (Perhaps.count() ? "sure to be gained" : "gained");
  StringRef Separator = ": ";
  for (const PageShare &S : Page.Bar)
    if (S.Class == PageClass::Missed && S.Size.count()) {
      Text += (Separator + formatBytes(S.Size) + " " + S.Name).str();
      Separator = ", ";
    }
  Page.Sentences.push_back(Text + ".");
}

/// The first screen where only bytes are known.
static void addBytes(PageModel &Page, const ReportModel &Model) {
  const Bytes Lost = Model.Coverage ? Model.Coverage->ColdLost.Size : Bytes();
  const Bytes NotHinted = Model.ColdToNotCold.Size + Model.ColdIfPointer.Size;
  const Bytes Cold = Model.ColdToCold.Size + NotHinted + Lost;
  Page.BarTitle = "Bytes of contexts that are cold: " + formatBytes(Cold);
  Page.Bar = {{"hinted cold", Model.ColdToCold.Size, PageClass::Gained},
              {"in the link, without a hint", NotHinted, PageClass::Missed},
              {"not in the link", Lost, PageClass::Missed}};
  Page.Sentences.push_back(
      formatBytes(Model.ColdToCold.Size) + " of " + formatBytes(Cold) +
      " that are cold are allocated with a hint: " +
      formatPercent(Model.ColdToCold.Size.count(), Cold.count()) + ".");
  Page.Sentences.push_back("The modules do not tell which pages that saves.");
}

Expected<std::optional<ProfileFacts>>
report::factsOf(const ReportModel &Model,
                const profile::IndexedProfile &Profile) {
  if (!Profile.hasMemProf())
    return std::nullopt;
  std::unordered_set<uint64_t> Hinted, Told;
  for (const ReportContext &C : Model.Contexts)
    (C.hintedCold() ? Hinted : Told).insert(C.FullStackId);
  if (Model.Coverage)
    for (const LostContext &C : Model.Coverage->Biggest)
      Told.insert(C.FullStackId);
  // A trimmed context has the id of one of those that it stands for.
  auto IsHinted = [&](uint64_t Id) {
    if (Hinted.count(Id) || Told.count(Id))
      return Hinted.count(Id) != 0;
    auto Decided = Profile.decision(Id);
    return Decided && Decided->Cold;
  };
  Expected<ProfileFacts> Facts = ProfileFacts::read(Profile, IsHinted);
  if (!Facts)
    return Facts.takeError();
  return std::move(*Facts);
}

PageModel report::pageOf(const ReportModel &Model, const ProfileFacts *Facts) {
  PageModel Page;
  Page.Title = "Heap contexts";
  if (!Model.Output.empty())
    Page.Title += " of " + Model.Output;
  Page.Subtitle = "Decided by " + Model.DecidedBy;
  if (Model.WorkingSet)
    addSavings(Page, Model);
  else
    addBytes(Page, Model);
  if (Model.ClonesMade)
    Page.Sentences.push_back(
        formatCount(Model.ClonesMade, "clone") + " of " +
        formatCount(Model.FunctionsCloned, "function") + " with " +
        formatCount(Model.InstructionsAdded, "instruction") +
        " are made for that.");
  if (Model.SmallObjects)
    Page.Sentences.push_back("Small objects lie " + Model.SmallObjects->text() +
                             ".");
  Page.knows(PageValue::Bytes) = true;
  if (Facts) {
    Page.Recorded = Facts->Recorded;
    Page.Known = Facts->Known;
    Page.Phases = Facts->Phases;
    Page.Bins = Facts->Bins;
  }
  for (const ReportContext &C : Model.Contexts)
    addContext(Page, C, Facts);
  if (Model.Coverage)
    addLost(Page, *Model.Coverage, Facts);
  return Page;
}
