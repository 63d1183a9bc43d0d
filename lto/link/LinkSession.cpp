//===- lto/link/LinkSession.cpp - One link, from decisions to report ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "program/FrameNames.h"
#include "program/IndexDecisions.h"
#include "program/ModuleReader.h"
#include "program/NamedTwins.h"
#include "program/ProfileCoverage.h"
#include "program/StockVersions.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Annotate/ModuleFlag.h"
#include "thermocline/Apply/ApplyDecisions.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Profile/FunctionNames.h"
#include "thermocline/Report/DecisionList.h"
#include "thermocline/Report/Dot.h"
#include "thermocline/Report/Writers.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "thermocline/Support/Units.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"
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
    for (auto [Name, Value] : Outputs)
      cl::getRegisteredOptions().find(Name)->second->addOccurrence(0, Name,
                                                                   Value);
    Options = linkOptions();
    for (const std::string &Text : Options->WithoutEffect)
      warn(Text);
  }
  return *Options;
}

LinkMessages LinkSession::defaultMessages() {
  return {.Error =
              [](const Twine &Text) {
                WithColor::error(errs(), "thermocline") << Text << '\n';
              },
          .Warning =
              [](const Twine &Text) {
                WithColor::warning(errs(), "thermocline") << Text << '\n';
              },
          .Note =
              [](const Twine &Text) {
                WithColor::note(errs(), "thermocline") << Text << '\n';
              }};
}

Backends LinkSession::backends() {
  return options().IndexReaders.value_or(DefaultBackends);
}

/// Has the contexts of allocations written into indexes as well, by which a
/// backend sees that its module is not the one that was linked. LLVM's
/// compilers do not look at them.
static void writeContextsIntoIndexes() {
  auto Found =
      cl::getRegisteredOptions().find("combined-index-memprof-context");
  if (Found != cl::getRegisteredOptions().end() &&
      !Found->second->getNumOccurrences())
    static_cast<cl::opt<bool> *>(Found->second)->setValue(true);
}

void LinkSession::noteMissed(const SummaryProgram &Read,
                             const EngineResult &Result) {
  std::vector<apply::MissedHints> ByAllocation =
      missedHints(Read.Program, Result);
  for (size_t F = 0; F != Read.Functions.size(); ++F) {
    std::vector<apply::MissedHints> Records;
    for (AllocationId A : Read.Program[FunctionId(F)].Allocations)
      Records.push_back(std::move(ByAllocation[A.index()]));
    if (any_of(Records, [](const auto &Of) { return !Of.empty(); }))
      Missed[Read.Functions[F]] = std::move(Records);
  }
}

std::vector<StringRef> LinkSession::noteModules(const SummaryProgram &Read) {
  std::vector<StringRef> Result;
  if (wantsLinkRemarks(Remarks))
    for (const FunctionSummary *FS : Read.Functions)
      Result.push_back(ModuleNames.insert(FS->modulePath()).first->first());
  return Result;
}

void LinkSession::limitHints(std::vector<std::string> UndefinedTwins,
                             bool HasTwins) {
  options();
  apply::HintOptions &Hints = Options->Hints;
  // What else is redefined makes no difference, and is not to change what
  // modules are known by. Of the program's own allocation functions only the
  // twins are known here.
  Hints.Redefined = Redefined;
  if (!HasTwins)
    llvm::erase_if(Hints.Redefined, [](const std::string &Name) {
      return !annotate::findAllocationFunction(Name);
    });
  llvm::erase_if(UndefinedTwins, IsDefinedElsewhere);
  for (const std::string &Name : UndefinedTwins)
    if (!is_contained(Hints.MissingTwins, Name)) {
      warn(demangle(Name) + ", the cold twin of an allocation function, is not "
                            "defined in the link; that function's calls get no "
                            "hint");
      Hints.MissingTwins.insert(llvm::lower_bound(Hints.MissingTwins, Name),
                                Name);
    }
}

void LinkSession::thinLink(ModuleSummaryIndex &Index, IsPrevailing Prevailing) {
  std::lock_guard<std::mutex> Guard(Lock);
  const LinkOptions &O = options();
  NamedTwins Twins = namedTwins(Index);
  limitHints(std::move(Twins.Undefined), Twins.Any);
  ReaderOptions Reader = O.Reader;
  Reader.PromotesIndirectCalls = backends() != Backends::Stock;
  SummaryProgram Read = readSummary(Index, Prevailing, Reader);
  for (const std::string &Text : Read.Damaged)
    Say.Error(Text);
  openProfile();
  if (Profile)
    Code.addIndex(Index, Prevailing, Names);
  Bases.add(Read.Bases);
  if (Read.hasRecords()) {
    uint64_t Instructions = countInstructions(Index, Prevailing);
    EngineOptions Engine = engineOptions(Instructions);
    std::optional<StockVersions> Stock;
    if (backends() == Backends::Stock)
      Stock.emplace(Index);
    EngineResult Result =
        Stock ? Stock->decide(Read, Engine) : decide(Read.Program, Engine);
    writeDecisions(Read, Result.Decided);
    IndexSays = true;
    if (Stock)
      Stock->keepApart(Read);
    warnOfLimits(Result.Statistics, Instructions);
    noteTargets(Index, Read);
    noteMissed(Read, Result);
    if (backends() == Backends::Thermocline) {
      copyToOtherCopies(Index, Read);
      writeContextsIntoIndexes();
      for (FunctionSummary *FS : Read.Functions)
        if (auto Found = Missed.find(FS); Found != Missed.end())
          apply::noteMissed(Index, *FS, Found->second);
    }
    std::vector<StringRef> Modules = noteModules(Read);
    Parts.push_back({std::move(Read.Program), std::move(Result),
                     Engine.MaxInstructionsAdded, std::move(Modules)});
  }
  // Stock compilers do not look at them, but by their indexes thermo-backend
  // may compile as well.
  if (std::string Settings = O.backendSettings();
      !Settings.empty() && backends() != Backends::InProcess) {
    apply::noteSettings(Index, Settings);
    IndexSays = true;
  }
  // The decisions must be in the index before they are hashed, and the hashes
  // there before LLVM computes cache keys and names of promoted locals.
  hashDecisions(Index, O.backendSettings() + CacheSettings);
}

EngineOptions LinkSession::engineOptions(uint64_t Instructions) {
  EngineOptions Result = options().Engine;
  Result.Threads = Threads;
  Result.MaxInstructionsAdded = options().Growth.instructions(Instructions);
  return Result;
}

Error LinkSession::loadProfile() {
  if (Profile || options().ProfileFile.empty())
    return Error::success();
  auto Opened = profile::IndexedProfile::open(Options->ProfileFile);
  if (!Opened)
    return Opened.takeError();
  if (!(*Opened)->hasMemProf())
    return fileError(Options->ProfileFile, "the profile has no memory profile");
  Profile = std::move(*Opened);
  return Error::success();
}

void LinkSession::openProfile() {
  if (Error E = loadProfile())
    Say.Error("--thinlto-memprof-profile: " + toString(std::move(E)));
}

bool LinkSession::measure(ContextProgram &Program) {
  if (!Profile || !Program.numContexts())
    return true;
  Expected<MeasuredContexts> Measured = setMeasures(Program, *Profile);
  if (!Measured) {
    Say.Error("--thinlto-memprof-profile: " + toString(Measured.takeError()));
    return false;
  }
  if (Measured->Found == Measured->Asked)
    return true;
  warn("--thinlto-memprof-profile: " + Profile->path() + ": " +
       (Measured->Found ? formatCount(Measured->Asked - Measured->Found) +
                              " of " + formatCount(Measured->Asked)
                        : "none of " + formatCount(Measured->Asked)) +
       (Measured->Found ? " contexts of the link are not in the profile"
                        : " contexts of the link is in the profile") +
       "; were the modules compiled with another one?");
  return false;
}

/// As an option that allows no less takes it: "12.4 %" for 12.34.
static std::string percentAbove(uint64_t Part, uint64_t Whole) {
  if (!Whole)
    return formatPercent(Part, Whole);
  return formatPercent(divideCeil(1000 * Part, Whole), 1000);
}

void LinkSession::warnOfLimits(const EngineStatistics &Statistics,
                               uint64_t Instructions) {
  if (Statistics.UnfoldingCutShort)
    warn("the profile combines too many calls to tell all contexts apart; " +
         formatCount(Statistics.ContextsByOutcome[static_cast<unsigned>(
             Outcome::Collides)]) +
         " cold contexts are left without a hint");
  if (Statistics.MergingCutShort)
    warn("the search for few clones met its limit: every context is told "
         "apart, with more clones than needed");
  constexpr auto Over = static_cast<unsigned>(Outcome::OverBudget);
  if (uint64_t Count = Statistics.ContextsByOutcome[Over])
    warn(formatCount(Count, "cold context") + " (" +
         formatBytes(Bytes(Statistics.BytesByOutcome[Over])) +
         (Count == 1 ? ") is" : ") are") +
         " left without a hint by --thinlto-memprof-max-growth=" +
         Options->Growth.text() + ", which allows clones " +
         formatCount(*Options->Growth.instructions(Instructions)) +
         " instructions; all contexts take " +
         formatCount(Statistics.InstructionsWanted) + ", which is " +
         percentAbove(Statistics.InstructionsWanted, Instructions));
}

void LinkSession::warnIfNothingIsCold() {
  uint64_t Cold = 0, ByOutcome[NumOutcomes] = {};
  // What is cold in every context was marked when it was compiled.
  uint64_t Hints = Applied.allLowered();
  for (const Part &P : Parts) {
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

Expected<std::optional<report::ProfileCoverage>>
LinkSession::compareWithProfile() {
  if (!Profile || CompilesOnly)
    return std::nullopt;
  std::vector<const ContextProgram *> Programs;
  bool IsTold = false;
  for (Part &P : Parts) {
    IsTold |= !measure(P.Program);
    Programs.push_back(&P.Program);
  }
  auto Coverage = coverageOf(*Profile, Programs, Code, Names, Bases);
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

void LinkSession::noteProfile(const Module &M) {
  std::optional<bool> Matched = annotate::matchedProfile(M);
  AnyProfiled |= Matched.has_value();
  AnyMatched |= Matched.value_or(false);
}

bool LinkSession::applyTo(Module &M, const ModuleSummaryIndex &Index) {
  apply::HintOptions Hints;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    options();
    if (CompilesOnly &&
        !Options->takeBackendSettings(apply::notedSettings(Index))) {
      fail(M, recordError(M.getModuleIdentifier(), "settings in the index",
                          "not understood: " + apply::notedSettings(Index)));
      return true;
    }
    Hints = Options->Hints;
    if (Profile) {
      addFrameNames(M, Names);
      Code.addCode(M);
    }
  }
  apply::ApplyStatistics Statistics;
  Expected<bool> Changed =
      apply::applyDecisions(M, Index, Hints, Missed, Statistics);
  if (!Changed) {
    fail(M, Changed.takeError());
    return true;
  }
  std::lock_guard<std::mutex> Guard(Lock);
  Applied += Statistics;
  noteProfile(M);
  ++ModulesApplied;
  Compiled.insert(M.getModuleIdentifier());
  return *Changed;
}

bool LinkSession::regularLTO(Module &M) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (std::exchange(RegularLTODone, true))
    return false;
  const LinkOptions &O = options();
  if (!O.SupportsHints)
    return apply::stripContexts(M, /*Marks=*/true);
  NamedTwins Twins = namedTwins(M);
  limitHints(std::move(Twins.Undefined), Twins.Any);
  Expected<ModuleProgram> Read = readModule(M);
  if (!Read) {
    fail(M, Read.takeError());
    return false;
  }
  openProfile();
  if (Profile) {
    addFrameNames(M, Names);
    Code.addMergedModule(M);
  }
  Bases.add(Read->Bases);
  noteProfile(M);
  uint64_t Instructions = M.getInstructionCount();
  EngineOptions Engine = engineOptions(Instructions);
  EngineResult Result;
  std::vector<apply::MissedHints> Unhinted;
  if (Read->hasContexts()) {
    Result = decide(Read->Program, Engine);
    warnOfLimits(Result.Statistics, Instructions);
    Unhinted = missedHints(Read->Program, Result);
  }
  Expected<bool> Changed = apply::rewriteModule(
      M, matchDecisions(*Read, Result.Decided, Unhinted), O.Hints, Applied);
  if (!Changed) {
    fail(M, Changed.takeError());
    return true;
  }
  ++ModulesApplied;
  if (Read->hasContexts())
    Parts.push_back({std::move(Read->Program), std::move(Result),
                     Engine.MaxInstructionsAdded});
  return *Changed;
}

/// Lowered calls by the name of the plain function, as people write it.
static std::vector<std::pair<std::string, uint64_t>>
hintsByKind(const apply::ApplyStatistics &Applied) {
  std::vector<std::pair<std::string, uint64_t>> Result;
  for (const annotate::AllocationFunction &Row :
       annotate::allocationFunctions())
    if (uint64_t Count = Applied.Lowered[static_cast<unsigned>(Row.Kind)])
      Result.push_back({demangle(Row.Name), Count});
  for (const auto &[Name, Count] : Applied.LoweredNamed)
    Result.push_back({demangle(Name), Count});
  return Result;
}

void LinkSession::printStatistics(StringRef Tool,
                                  const report::ReportModel &Model,
                                  raw_ostream &OS) const {
  uint64_t MaxAdded = 0;
  bool IsLimited = true;
  for (const Part &P : Parts) {
    MaxAdded += P.MaxInstructionsAdded.value_or(0);
    IsLimited &= P.MaxInstructionsAdded.has_value();
  }
  auto Cell = [](const AuditCell &C) {
    return formatCount(C.Contexts, "context") + ", " + formatBytes(C.Size);
  };
  if (!Parts.empty())
    OS << Tool << ": thermocline: " << formatCount(Model.ClonesMade, "clone")
       << " of " << formatCount(Model.FunctionsCloned, "function")
       << "; cold->cold " << Cell(Model.ColdToCold) << "; cold->not "
       << Cell(Model.ColdToNotCold) << "; not->cold "
       << Cell(Model.NotColdToCold) << "; not->not "
       << Cell(Model.NotColdToNotCold) << "; "
       << formatCount(Model.InstructionsAdded)
       << (IsLimited ? " of at most " + formatCount(MaxAdded) : "")
       << " instructions added\n";
  else if (!CompilesOnly)
    OS << Tool << ": thermocline: no profiled contexts in the link\n";
  if (Model.Coverage && Model.Coverage->ColdLost.Contexts)
    OS << Tool << ": thermocline: " << describeLoss(*Model.Coverage) << '\n';
  for (const report::ReportReason &Reason : Model.Reasons)
    OS << Tool << ": thermocline: cold without a hint, " << Reason.Outcome
       << ": " << Cell(Reason.Count) << '\n';
  // Modules that came from the cache, or are compiled elsewhere, count nothing.
  OS << Tool << ": thermocline: " << formatCount(ModulesApplied, "module")
     << " compiled, " << formatCount(Applied.allLowered(), "call")
     << " made cold";
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

Error LinkSession::writeRemarks() {
  for (const Part &P : Parts) {
    if (P.Modules.empty())
      continue;
    for (size_t I = 0; I != P.Program.numFunctions(); ++I)
      Names.add(P.Program[FunctionId(I)].Name);
    if (Error E =
            writeLinkRemarks(Remarks,
                             {.Program = P.Program,
                              .Result = P.Result,
                              .Modules = P.Modules,
                              .Compiled = Compiled,
                              .CompilesHere = backends() == Backends::InProcess,
                              .Profile = Profile.get(),
                              .Names = Names},
                             /*Keeps=*/RegularLTODone, Say.Note))
      return E;
  }
  return Error::success();
}

Error LinkSession::finish(StringRef Tool, raw_ostream &OS) {
  std::lock_guard<std::mutex> Guard(Lock);
  warnIfNothingIsCold();
  // That one module of a link matches nothing is no mistake.
  if (AnyProfiled && !AnyMatched && Parts.empty() && !CompilesOnly)
    warn("the heap profile that modules were compiled with matches no "
         "allocation in them, as if it were another program's");
  // A link without any LTO reads no profile, and has nothing of it.
  if (!Options && !CompilesOnly)
    if (Error E = loadProfile())
      return inFile("--thinlto-memprof-profile", std::move(E));
  for (const Part &P : Parts)
    for (size_t I = 0; I != P.Program.numFunctions(); ++I)
      Names.add(P.Program[FunctionId(I)].Name);
  for (const std::string &Text : Bases.differences())
    warn(Text);
  auto Coverage = compareWithProfile();
  if (!Coverage)
    return Coverage.takeError();
  if (Error E = writeRemarks())
    return E;
  if (!Options || (!Options->Statistics && Options->ReportFile.empty() &&
                   Options->DecisionsFile.empty() && Options->DotFile.empty()))
    return Error::success();
  std::optional<profile::FrameTable> Frames;
  if (Profile) {
    auto Table = Profile->frames();
    if (!Table)
      return Table.takeError();
    Frames = std::move(*Table);
  }
  std::vector<AuditResult> Audited;
  for (const Part &P : Parts)
    Audited.push_back(audit(P.Program, P.Result.Decided));
  std::vector<report::Sources> Sources;
  for (auto [P, A] : zip_equal(Parts, Audited))
    Sources.push_back({.Program = P.Program,
                       .Decided = P.Result.Decided,
                       .Audited = A,
                       .Engine = &P.Result,
                       .Frames = Frames ? &*Frames : nullptr,
                       .Names = &Names});
  return writeResults(Tool, Sources, std::move(*Coverage), OS);
}

Error LinkSession::writeResults(StringRef Tool,
                                ArrayRef<report::Sources> Sources,
                                std::optional<report::ProfileCoverage> Coverage,
                                raw_ostream &OS) const {
  // Without contexts there is still a report, of nothing.
  report::ReportModel Model;
  Model.DecidedBy = "thermocline";
  Model.HintsByKind = hintsByKind(Applied);
  Model.Coverage = std::move(Coverage);
  if (Options->Statistics || !Options->ReportFile.empty())
    for (const report::Sources &From : Sources)
      report::addPart(Model, From);
  if (Options->Statistics)
    printStatistics(Tool, Model, OS);
  if (!Options->ReportFile.empty())
    if (Error E =
            writeFileAtomically(Options->ReportFile, [&](raw_ostream &File) {
              report::write(Model, report::formatForFile(Options->ReportFile),
                            {}, File);
              return Error::success();
            }))
      return E;
  if (!Options->DecisionsFile.empty())
    if (Error E =
            writeFileAtomically(Options->DecisionsFile, [&](raw_ostream &File) {
              report::write(report::listDecisions(Sources),
                            report::formatForFile(Options->DecisionsFile),
                            File);
              return Error::success();
            }))
      return E;
  if (Options->DotFile.empty())
    return Error::success();
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
