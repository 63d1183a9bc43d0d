//===- lto/link/LinkReport.cpp - What the user is told of a link ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkReport.h"
#include "ProgramDump.h"
#include "program/ProfileCoverage.h"
#include "program/ProfileMeasures.h"
#include "report/CopyReasons.h"
#include "report/FoundOfProfile.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Report/DecisionList.h"
#include "thermocline/Report/Dot.h"
#include "thermocline/Report/LinkView.h"
#include "thermocline/Report/Page.h"
#include "thermocline/Report/Writers.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/RustNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

/// Formats a share, rounded up, so that an option with this value allows no
/// less: "12.4 %" for 12.34.
static std::string percentAbove(uint64_t Part, uint64_t Whole) {
  if (!Whole)
    return formatPercent(Part, Whole);
  return formatPercent(divideCeil(1000 * Part, Whole), 1000);
}

void thermocline::lto::warnOfLimits(const EngineStatistics &Statistics,
                                    const GrowthLimit &Growth,
                                    uint64_t Instructions,
                                    const LinkMessages &Say) {
  if (Statistics.SubsetsCutShort)
    Say.Warning(
        "the profile combines too many calls to tell all contexts apart; " +
        formatCount(Statistics.ContextsByOutcome[static_cast<unsigned>(
            Outcome::Collides)]) +
        " cold contexts are left without a hint");
  if (Statistics.MergingCutShort)
    Say.Warning("the search for few clones met its limit: every context is "
                "told apart, with more clones than needed");
  constexpr auto Over = static_cast<unsigned>(Outcome::OverBudget);
  if (uint64_t Count = Statistics.ContextsByOutcome[Over])
    Say.Warning(formatCount(Count, "cold context") + " (" +
                formatBytes(Bytes(Statistics.BytesByOutcome[Over])) +
                (Count == 1 ? ") is" : ") are") +
                " left without a hint by --thinlto-memprof-max-growth=" +
                Growth.text() + ", which allows clones " +
                formatCount(*Growth.instructions(Instructions)) +
                " instructions; all contexts take " +
                formatCount(Statistics.InstructionsWanted) + ", which is " +
                percentAbove(Statistics.InstructionsWanted, Instructions));
}

/// Lowered calls by the name of the plain function, as people write it.
static std::vector<std::pair<std::string, uint64_t>>
hintsByKind(const apply::ApplyStatistics &Applied) {
  std::vector<std::pair<std::string, uint64_t>> Result;
  for (const annotate::AllocationFunction &Row :
       annotate::allocationFunctions())
    if (uint64_t Count = Applied.Lowered[static_cast<unsigned>(Row.Kind)])
      Result.push_back({demangled(Row.Name), Count});
  for (const auto &[Name, Count] : Applied.LoweredNamed)
    Result.push_back({demangled(Name), Count});
  return Result;
}

namespace {

class Reporter {
public:
  Reporter(const LinkSetup &Setup, const LinkOptions *Options,
           LinkResults &Results)
      : Setup(Setup), Options(Options), Results(Results) {}

  Error run();

private:
  void warn(const Twine &Text) const { Setup.Say.Warning(Text); }
  /// Finds out which part of the profile is the link's, and which contexts
  /// enter from other binaries.
  Error findOwnBinaries();
  /// Fills OfProfile, which takes long, unless that is done already.
  Error readFrames();
  /// A profile that hints nothing is more often a mistake than wanted.
  void warnIfNothingIsCold() const;
  /// Warns of a profile that matches nothing. Returns whether it is one, and no
  /// edit is known to be the reason.
  bool warnIfNothingMatches() const;
  /// Warns of what other tools took from modules after they were compiled.
  void warnOfLostNotes() const;
  /// Says how much of the profile was found, and how, unless it is all.
  void sayWhatMatched() const;
  /// Says of operators of the program's own that hints may be lost by them.
  void sayWhoseOperators() const;
  /// Says how much of the profile is hinted, if the options ask for it.
  void sayWhatIsHinted() const;
  /// "; profiled on x86_64", if the link is for another architecture.
  std::string whereProfiled() const;
  /// How small objects lie, and why, if anything tells.
  std::optional<report::ChosenOrder> chosenOrder() const;
  /// Enters the functions of all parts, for demangled names.
  void addNames();
  /// Adds what the profile knows of the contexts of \p Program, for reports.
  /// Returns whether it knows all of them.
  bool measure(ContextProgram &Program) const;
  /// The programs as the engine had them, if they are asked for.
  Error dump() const;
  /// What of the profile no part has, and a warning if it is much, or if what
  /// they have is of another profile. Nothing without a profile.
  Expected<std::optional<report::ProfileCoverage>> compareWithProfile();
  /// Writes the remarks of the thin link, if there are to be any.
  Error writeRemarks() const;

  /// Whether the options ask for any of what follows.
  bool wantsResults() const;
  Error writeResults(std::optional<report::ProfileCoverage> Coverage);
  void printStatistics(const report::ReportModel &Model) const;
  Error writeReport(const report::ReportModel &Model) const;
  Error writeDecisionList(ArrayRef<report::Sources> Sources) const;
  Error draw(ArrayRef<report::Sources> Sources) const;

  const LinkSetup &Setup;
  const LinkOptions *Options;
  LinkResults &Results;
  LinkedBinaries Own;
  FoundOfProfile Found;
  /// The frames of the profile, once something has asked for them.
  std::optional<profile::FrameTable> OfProfile;
};

Error Reporter::run() {
  if (Results.Profile && !Setup.CompilesOnly)
    if (Error E = findOwnBinaries())
      return E;
  if (const std::string Text = nameCopies(Results.Parts, Results.Copies);
      !Text.empty())
    warn(Text);
  warnIfNothingIsCold();
  const bool MatchesNothing = warnIfNothingMatches();
  warnOfLostNotes();
  if (!Setup.CompilesOnly)
    Found = FoundOfProfile::in(Results);
  if (!MatchesNothing)
    sayWhatMatched();
  sayWhoseOperators();
  sayWhatIsHinted();
  addNames();
  for (const std::string &Text : Results.Bases.differences())
    warn(Text);
  // The profile, if there is one, tells more of the contexts than the engine
  // knew, so the dump comes before it.
  if (Error E = dump())
    return E;
  auto Coverage = compareWithProfile();
  if (!Coverage)
    return Coverage.takeError();
  if (Error E = writeRemarks())
    return E;
  if (wantsResults())
    if (Error E = writeResults(std::move(*Coverage)))
      return E;
  // Reports say what was lost, so they are there if the link fails for it.
  return Options && !Setup.CompilesOnly ? Found.check(Options->Gates)
                                        : Error::success();
}

Error Reporter::findOwnBinaries() {
  std::vector<const ContextProgram *> Programs;
  for (const LinkPart &P : Results.Parts)
    Programs.push_back(&P.Program);
  if (Error E = LinkedBinaries::of(*Results.Profile, Results.Code, Programs)
                    .moveInto(Own))
    return E;
  if (!Own.isPart())
    return Error::success();
  if (Error E = readFrames())
    return E;
  for (LinkPart &P : Results.Parts)
    Own.refineOutcomes(P.Program, *OfProfile, P.Result);
  return Error::success();
}

Error Reporter::readFrames() {
  return OfProfile ? Error::success()
                   : Results.Profile->frames().moveInto(OfProfile);
}

void Reporter::warnIfNothingIsCold() const {
  uint64_t Cold = 0, ByOutcome[NumOutcomes] = {};
  // What is cold in every context was marked when it was compiled.
  uint64_t Hints = Results.Applied.allLowered();
  for (const LinkPart &P : Results.Parts) {
    Hints += P.Result.Statistics.HintsCold;
    for (Outcome O : P.Result.Outcomes) {
      Cold += isOfCold(O);
      ++ByOutcome[static_cast<unsigned>(O)];
    }
  }
  if (!Cold || Hints)
    return;
  std::string Reasons;
  for (unsigned I = 0; I != NumOutcomes; ++I)
    if (auto O = static_cast<Outcome>(I); isOfCold(O) && ByOutcome[I])
      Reasons += (Reasons.empty() ? "" : ", ") + formatCount(ByOutcome[I]) +
                 " " + describe(O).str();
  warn("the profile has " + formatCount(Cold, "cold context") +
       ", but no allocation is hinted cold: " + Reasons);
}

bool Reporter::warnIfNothingMatches() const {
  // That one module of a link matches nothing is no mistake.
  const bool AnyProfiled = Results.AnyProfiled || Results.Bases.anyUnmatched();
  if (!AnyProfiled || Results.AnyMatched || !Results.Parts.empty() ||
      Setup.CompilesOnly)
    return false;
  const std::string Why = Results.Bases.whyUnmatched();
  warn("the heap profile that modules were compiled with matches no "
       "allocation in them" +
       (Why.empty() ? ", as if it were another program's" : ": " + Why));
  return Results.Bases.outdated().empty();
}

void Reporter::warnOfLostNotes() const {
  if (size_t Lost = Results.LostNotes.size())
    warn(describeLostNotes(Lost));
  if (!Results.WithoutSizes.empty()) {
    const std::vector<StringRef> Names(Results.WithoutSizes.begin(),
                                       Results.WithoutSizes.end());
    warn("the summaries of " + listModules(Names) +
         " have contexts without sizes, as llvm-as writes them: hints are "
         "missing; make them anew (opt -module-summary)");
  }
}

void Reporter::sayWhatMatched() const {
  if (Found.IsPartUnknown)
    Setup.Say.Statement(
        Twine("thermocline: which part of the profile is this link's "
              "cannot be told: it has only functions that several "
              "binaries of the profile have") +
        (Results.Profile ? "" : "; --thinlto-memprof-profile=FILE tells more"));
  if (!Found.Edited && !Found.lost())
    return;
  std::string Advice;
  if (Found.lost() &&
      (!Results.Bases.salvaged().empty() || !Results.Bases.outdated().empty()))
    Advice = "; record again: a new profile has what the source has now";
  else if (Found.lost() && !Results.Profile)
    Advice = "; --thinlto-memprof-profile=FILE tells why";
  Setup.Say.Statement(
      "thermocline: of the profile's cold " + formatBytes(Bytes(Found.All)) +
      (Found.IsPart ? " in what this link makes, " : ", ") +
      formatPercent(Found.Exact, Found.All) + " is found where it was, " +
      formatPercent(Found.Edited, Found.All) + " in source edited since, " +
      formatPercent(Found.lost(), Found.All) + " is lost" + whereProfiled() +
      Advice);
}

void Reporter::sayWhoseOperators() const {
  const OwnOperators &Own = Results.Operators;
  const bool MayBeLost = any_of(Results.Parts, [](const LinkPart &P) {
    return is_contained(P.Result.Outcomes, Outcome::HintedIfPointer);
  });
  if (Own.any() && MayBeLost && !Setup.CompilesOnly)
    Setup.Say.Statement(
        "thermocline: " + (Own.Plain.empty() ? Own.Aligned : Own.Plain) +
        " defines operator new or delete" +
        (Own.Plain.empty() ? " with an alignment" : "") +
        ": hints for these have an effect only if they call malloc "
        "and free, and do nothing else to the object");
}

void Reporter::sayWhatIsHinted() const {
  if (!Options || !Options->Summary || Setup.CompilesOnly)
    return;
  uint64_t Clones = 0;
  for (const LinkPart &P : Results.Parts)
    Clones += P.Result.Statistics.ClonesMade;
  std::string Text = "thermocline: ";
  if (!Found.IsKnown)
    Text +=
        "nothing is known to be hinted, as no module tells of a heap profile";
  else if (!Found.All)
    Text += "nothing is hinted, as the profile has nothing cold here";
  else
    Text +=
        formatBytes(Bytes(Found.Hinted)) + " of the profile's cold " +
        formatBytes(Bytes(Found.All)) +
        (Found.IsPart ? " in what this link makes (" : " (") +
        formatPercent(Found.Hinted, Found.All) + ") is hinted" +
        (Found.HintedPerhaps
             ? ", and " + formatBytes(Bytes(Found.HintedPerhaps)) + " (" +
                   formatPercent(Found.HintedPerhaps, Found.All) + ") perhaps"
             : "") +
        ", with " + formatCount(Clones, "clone") + whereProfiled();
  if (const std::optional<report::ChosenOrder> Chosen = chosenOrder())
    Text += "; small objects lie " + Chosen->text();
  Setup.Say.Statement(Text);
}

std::string Reporter::whereProfiled() const {
  const annotate::Basis *Common = Results.Bases.common();
  const std::string Other = Common ? Common->otherArchitectures() : "";
  return Other.empty() ? "" : "; profiled on " + Other;
}

std::optional<report::ChosenOrder> Reporter::chosenOrder() const {
  using Cause = report::ChosenOrder::Cause;
  const ArrayRef<placement::OrderVerdict> Verdicts =
      Results.Bases.order().verdicts();
  if (!Options->Order && Verdicts.empty())
    return std::nullopt;
  report::ChosenOrder Result;
  const bool AnyHinted = Found.Hinted || Found.HintedPerhaps;
  Result.InOrder = Options->Hints.InOrder && AnyHinted;
  Result.Reason = Options->Order ? Cause::Option : Cause::Profile;
  if (Verdicts.size() == 1)
    Result.Verdict = Verdicts.front();
  if (Options->Order.value_or(Results.Bases.order().agreeOnOrder()) &&
      !Result.InOrder)
    Result.Reason = AnyHinted ? Cause::Compiler : Cause::NoHint;
  return Result;
}

void Reporter::addNames() {
  for (const LinkPart &P : Results.Parts)
    for (size_t I = 0; I != P.Program.numFunctions(); ++I)
      Results.Names.add(P.Program[FunctionId(I)].Name);
}

Error Reporter::dump() const {
  if (!Options || Options->DumpFile.empty())
    return Error::success();
  std::vector<DumpedPart> Parts;
  for (const LinkPart &P : Results.Parts) {
    Parts.push_back({P.Program, Options->Engine});
    Parts.back().Options.MaxInstructionsAdded = P.MaxInstructionsAdded;
  }
  return writeDump(Options->DumpFile, Parts);
}

bool Reporter::measure(ContextProgram &Program) const {
  if (!Program.numContexts())
    return true;
  Expected<MeasuredContexts> Measured = setMeasures(Program, *Results.Profile);
  if (!Measured) {
    Setup.Say.Error("--thinlto-memprof-profile: " +
                    toString(Measured.takeError()));
    return false;
  }
  if (Measured->Found == Measured->Asked)
    return true;
  warn("--thinlto-memprof-profile: " + Results.Profile->path() + ": " +
       (Measured->Found ? formatCount(Measured->Asked - Measured->Found) +
                              " of " + formatCount(Measured->Asked)
                        : "none of " + formatCount(Measured->Asked)) +
       (Measured->Found ? " contexts of the link are not in the profile"
                        : " contexts of the link is in the profile") +
       "; were the modules compiled with another one?");
  return false;
}

Expected<std::optional<report::ProfileCoverage>>
Reporter::compareWithProfile() {
  if (!Results.Profile || Setup.CompilesOnly)
    return std::nullopt;
  std::vector<const ContextProgram *> Programs;
  bool IsTold = false;
  for (LinkPart &P : Results.Parts) {
    IsTold |= !measure(P.Program);
    Programs.push_back(&P.Program);
  }
  auto Coverage = coverageOf(*Results.Profile, Programs, Results.Code, Own,
                             Results.Names, Results.Bases, Setup.MachineCode);
  if (!Coverage)
    return Coverage.takeError();
  if (std::string Text = describeContradiction(*Coverage);
      !Text.empty() && !IsTold)
    warn("--thinlto-memprof-profile: " + Text);
  if (Coverage->isLossConsiderable())
    warn(describeLoss(*Coverage) +
         (Options->ReportFile.empty()
              ? "; --thinlto-memprof-report=FILE lists them"
              : "; the report lists them"));
  return std::move(*Coverage);
}

Error Reporter::writeRemarks() const {
  for (const LinkPart &P : Results.Parts) {
    if (P.Modules.empty())
      continue;
    const Backends CompiledBy =
        Options->IndexReaders.value_or(Setup.CompiledBy);
    if (Error E =
            writeLinkRemarks(Setup.Remarks,
                             {.Program = P.Program,
                              .Result = P.Result,
                              .Modules = P.Modules,
                              .Compiled = Results.Compiled,
                              .CompilesHere = CompiledBy == Backends::InProcess,
                              .Profile = Results.Profile.get(),
                              .Names = Results.Names},
                             /*Keeps=*/Results.RegularLTODone, Setup.Say.Note))
      return E;
  }
  return Error::success();
}

bool Reporter::wantsResults() const {
  return Options &&
         (Options->Statistics || !Options->ReportFile.empty() ||
          !Options->DecisionsFile.empty() || !Options->DotFile.empty());
}

Error Reporter::writeResults(std::optional<report::ProfileCoverage> Coverage) {
  if (Results.Profile)
    if (Error E = readFrames())
      return E;
  const profile::FrameTable &Frames = OfProfile ? *OfProfile : Results.Frames;
  std::vector<AuditResult> Audited;
  for (const LinkPart &P : Results.Parts)
    Audited.push_back(audit(P.Program, P.Result.Decided));
  std::vector<report::Sources> Sources;
  for (auto [P, A] : zip_equal(Results.Parts, Audited))
    Sources.push_back({.Program = P.Program,
                       .Decided = P.Result.Decided,
                       .Audited = A,
                       .Engine = &P.Result,
                       .Frames = Frames.size() ? &Frames : nullptr,
                       .Names = &Results.Names});
  // Without contexts there is still a report, of nothing.
  report::ReportModel Model;
  Model.DecidedBy = "thermocline";
  Model.Output = Setup.Output;
  Model.HintsByKind = hintsByKind(Results.Applied);
  Model.Coverage = std::move(Coverage);
  Model.WorkingSet = predictedBy(Results.Bases);
  Model.SmallObjects = chosenOrder();
  if (Options->Statistics || !Options->ReportFile.empty())
    for (const report::Sources &Part : Sources)
      report::addPart(Model, Part);
  if (Options->Statistics)
    printStatistics(Model);
  if (report::formatForFile(Options->ReportFile) == report::Format::Html)
    report::addCloneCosts(Model, Sources);
  if (!Options->ReportFile.empty())
    if (Error E = writeReport(Model))
      return E;
  if (!Options->DecisionsFile.empty())
    if (Error E = writeDecisionList(Sources))
      return E;
  return Options->DotFile.empty() ? Error::success() : draw(Sources);
}

void Reporter::printStatistics(const report::ReportModel &Model) const {
  const apply::ApplyStatistics &Applied = Results.Applied;
  raw_ostream &OS = errs();
  const std::string Prefix = Setup.Tool + ": thermocline: ";
  uint64_t MaxAdded = 0;
  bool IsLimited = true;
  for (const LinkPart &P : Results.Parts) {
    MaxAdded += P.MaxInstructionsAdded.value_or(0);
    IsLimited &= P.MaxInstructionsAdded.has_value();
  }
  auto Cell = [](const AuditCell &C) {
    return formatCount(C.Contexts, "context") + ", " + formatBytes(C.Size);
  };
  if (!Results.Parts.empty())
    OS << Prefix << formatCount(Model.ClonesMade, "clone") << " of "
       << formatCount(Model.FunctionsCloned, "function") << "; cold->cold "
       << Cell(Model.ColdToCold)
       << (Model.ColdIfPointer.Contexts
               ? "; cold->perhaps " + Cell(Model.ColdIfPointer)
               : "")
       << "; cold->not " << Cell(Model.ColdToNotCold) << "; not->cold "
       << Cell(Model.NotColdToCold) << "; not->not "
       << Cell(Model.NotColdToNotCold) << "; "
       << formatCount(Model.InstructionsAdded)
       << (IsLimited ? " of at most " + formatCount(MaxAdded) : "")
       << " instructions added\n";
  else if (!Setup.CompilesOnly)
    OS << Prefix << "no profiled contexts in the link\n";
  if (Model.WorkingSet) {
    OS << Prefix << "predicted working set "
       << report::describeWorkingSet(Model);
    if (std::string Other = report::describeOtherHorizon(*Model.WorkingSet);
        !Other.empty())
      OS << "; " << Other;
    OS << '\n';
  }
  if (Model.Coverage && Model.Coverage->ColdLost.Contexts)
    OS << Prefix << describeLoss(*Model.Coverage) << '\n';
  if (Model.Coverage)
    if (std::string Text = Model.Coverage->describeElsewhere(); !Text.empty())
      OS << Prefix << "cold in other binaries, for their own links: " << Text
         << '\n';
  for (const report::ReportReason &Reason : Model.Reasons)
    OS << Prefix << "cold without a hint, " << Reason.Outcome << ": "
       << Cell(Reason.Count) << '\n';
  // Modules that came from the cache, or are compiled elsewhere, count nothing.
  OS << Prefix << formatCount(Results.ModulesApplied, "module") << " compiled, "
     << formatCount(Applied.allLowered(), "call") << " made cold";
  const char *Separator = " (";
  for (const auto &[Name, Count] : hintsByKind(Applied)) {
    OS << Separator << formatCount(Count) << ' ' << Name;
    Separator = ", ";
  }
  OS << (Applied.allLowered() ? ")" : "");
  for (unsigned I = 0; I != apply::NumNotLowered; ++I)
    if (uint64_t Count = Applied.NotLoweredBy[I])
      OS << "; " << formatCount(Count) << " not, "
         << describe(static_cast<apply::NotLowered>(I));
  if (Applied.CallsPromoted)
    OS << "; " << formatCount(Applied.CallsPromoted, "target")
       << " of indirect calls called directly";
  if (Applied.CopiesDropped)
    OS << "; " << formatCount(Applied.CopiesDropped)
       << (Applied.CopiesDropped == 1 ? " copy" : " copies")
       << " for inlining dropped";
  OS << '\n';
}

Error Reporter::writeReport(const report::ReportModel &Model) const {
  const report::Format As = report::formatForFile(Options->ReportFile);
  std::optional<report::ProfileFacts> Facts;
  if (As == report::Format::Html && Results.Profile)
    if (Error E = report::factsOf(Model, *Results.Profile).moveInto(Facts))
      return E;
  report::WriteOptions Extra;
  Extra.Facts = Facts ? &*Facts : nullptr;
  return writeFileAtomically(Options->ReportFile, [&](raw_ostream &File) {
    report::write(Model, As, Extra, File);
    return Error::success();
  });
}

Error Reporter::writeDecisionList(ArrayRef<report::Sources> Sources) const {
  return writeFileAtomically(Options->DecisionsFile, [&](raw_ostream &File) {
    report::write(report::listDecisions(Sources),
                  report::formatForFile(Options->DecisionsFile), File);
    return Error::success();
  });
}

Error Reporter::draw(ArrayRef<report::Sources> Sources) const {
  report::DotResult Drawn;
  if (Error E = writeFileAtomically(Options->DotFile, [&](raw_ostream &File) {
        Drawn = report::writeDot(report::LinkView(Sources), {}, {}, File);
        return Error::success();
      }))
    return E;
  if (Drawn.NodesLeftOut)
    warn(
        "--thinlto-memprof-dot: " + formatCount(Drawn.NodesLeftOut, "version") +
        " of functions left out; thermo-lto dot draws parts");
  return Error::success();
}

} // namespace

Error thermocline::lto::reportLink(const LinkSetup &Setup,
                                   const LinkOptions *Options,
                                   LinkResults &Results) {
  TimeTraceScope Phase("Thermocline: report");
  return Reporter(Setup, Options, Results).run();
}
