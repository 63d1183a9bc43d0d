//===- lto/link/LinkSession.cpp - One link, step by step ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkSession.h"
#include "LinkReport.h"
#include "program/FrameNames.h"
#include "program/IndexDecisions.h"
#include "program/ModuleReader.h"
#include "program/StockVersions.h"
#include "report/ChosenReasons.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Apply/ApplyDecisions.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

LinkSession &LinkSession::get() {
  static LinkSession Session;
  return Session;
}

//===-- What all steps share ----------------------------------------------===//

void LinkSession::readOptions() {
  if (Options)
    return;
  for (auto [Name, Value] : Setup.LastOptions)
    cl::getRegisteredOptions().find(Name)->second->addOccurrence(0, Name,
                                                                 Value);
  Options = linkOptions();
  for (const std::string &Text : Options->WithoutEffect)
    Setup.Say.Warning(Text);
}

Error LinkSession::loadProfile() {
  if (Results.Profile || Options->ProfileFile.empty())
    return Error::success();
  auto Opened = profile::IndexedProfile::open(Options->ProfileFile);
  if (!Opened)
    return Opened.takeError();
  if (!(*Opened)->hasMemProf())
    return fileError(Options->ProfileFile, "the profile has no memory profile");
  Results.Profile = std::move(*Opened);
  return Error::success();
}

void LinkSession::openProfile() {
  if (Error E = loadProfile())
    Setup.Say.Error("--thinlto-memprof-profile: " + toString(std::move(E)));
}

void LinkSession::limitHints(ColdVariants Named) {
  apply::HintOptions &Hints = Options->Hints;
  // What else is redefined makes no difference, and is not to change what
  // modules are known by. Of the program's own allocation functions only the
  // cold variants are known here.
  Hints.Redefined = Setup.Redefined;
  if (!Named.Any)
    llvm::erase_if(Hints.Redefined, [](const std::string &Name) {
      return !annotate::findAllocationFunction(Name);
    });
  // Regular LTO and the thin link of one program come to the same.
  auto IsNew = [&](const std::string &Name) {
    return !is_contained(Hints.MissingVariants, Name);
  };
  auto Leave = [&](const std::string &Name) {
    Hints.MissingVariants.insert(llvm::lower_bound(Hints.MissingVariants, Name),
                                 Name);
  };
  if (Named.HasOwnAllocator ||
      llvm::any_of(Named.OwnAllocators, Setup.IsDefinedElsewhere)) {
    std::vector<std::string> OfRust;
    llvm::copy_if(Named.Undefined, std::back_inserter(OfRust),
                  [&](const std::string &Name) {
                    return isRustColdVariant(Name) && IsNew(Name);
                  });
    if (!OfRust.empty())
      Setup.Say.Warning(
          "the program has an allocator of its own (#[global_allocator]), "
          "which cannot free cold memory of another, so its calls get no hint "
          "unless the program defines " +
          join(OfRust, ", "));
    llvm::for_each(OfRust, Leave);
    llvm::erase_if(Named.Undefined, isRustColdVariant);
  }
  llvm::erase_if(Named.Undefined, Setup.IsDefinedElsewhere);
  for (const std::string &Name : Named.Undefined)
    if (IsNew(Name)) {
      Setup.Say.Warning(demangled(Name) +
                        ", the cold variant of an allocation function, is not "
                        "defined in the link; that function's calls get no "
                        "hint");
      Leave(Name);
    }
}

void LinkSession::findOwnOperators(bool HasContexts) {
  if (!HasContexts)
    return;
  Results.Operators = Setup.FindOwnOperators();
  for (const std::string &Name : Setup.Redefined)
    Results.Operators.add(Name, "--wrap, --defsym or a script");
  Options->Hints.HasOwnOperators = !Results.Operators.Plain.empty();
  Options->Hints.HasOwnAlignedOperators = !Results.Operators.Aligned.empty();
}

void LinkSession::chooseOrder(const LinkBases &Bases) {
  Options->Hints.InOrder |=
      Options->Order.value_or(Bases.order().agreeOnOrder()) &&
      compiledBy() != Backends::Stock;
}

EngineOptions LinkSession::engineOptions(uint64_t Instructions) const {
  EngineOptions Result = Options->Engine;
  Result.MaxInstructionsAdded = Options->Growth.instructions(Instructions);
  return Result;
}

void LinkSession::noteProfile(const Module &M) {
  std::optional<bool> Matched = annotate::matchedProfile(M);
  Results.AnyProfiled |= Matched.has_value();
  Results.AnyMatched |= Matched.value_or(false);
}

void LinkSession::noteLost(const Module &M,
                           const apply::ApplyStatistics &Statistics) {
  // Written indexes do not have all that the thin link reads.
  if (Setup.CompilesOnly)
    return;
  annotate::forEachNote(M, [&](StringRef Name) {
    if (const uint64_t Hash = xxh3_64bits(Name); !Results.Notes.contains(Hash))
      Results.LostNotes.insert(Hash);
  });
  if (Statistics.FunctionsWithoutSizes)
    Results.WithoutSizes.insert(M.getModuleIdentifier());
}

//===-- The thin link -----------------------------------------------------===//

static bool hasContexts(const ModuleSummaryIndex &Index) {
  return any_of(Index, [](const auto &Entry) {
    return any_of(Entry.second.getSummaryList(), [](const auto &Summary) {
      const auto *F = dyn_cast<FunctionSummary>(Summary.get());
      return F && !F->allocs().empty();
    });
  });
}

static bool hasCold(const FunctionSummary &F) {
  return any_of(F.allocs(), [](const AllocInfo &Alloc) {
    return any_of(Alloc.MIBs, [](const MIBInfo &MIB) {
      return MIB.AllocType == AllocationType::Cold;
    });
  });
}

void LinkSession::noteColdIn(const ModuleSummaryIndex &Index) {
  if (!Setup.IsOffByPasses)
    return;
  for (const auto &[GUID, Info] : Index)
    for (const auto &Summary : Info.getSummaryList())
      if (const auto *F = dyn_cast<FunctionSummary>(Summary.get());
          F && hasCold(*F))
        return noteCold();
}

void LinkSession::thinLink(ModuleSummaryIndex &Index, IsPrevailing Prevailing) {
  std::lock_guard<std::mutex> Guard(Lock);
  readOptions();
  if (InputOptions Inputs = inputOptions();
      !Inputs.isNothing() && compiledBy() != Backends::InProcess)
    Setup.Say.Error(Twine(Inputs.KeepFrames ? "--thinlto-memprof-keep-frames"
                                            : "--thinlto-memprof-annotate") +
                    ": other processes, which compile by written indexes, read "
                    "the modules as they are in their files; " +
                    (Inputs.KeepFrames
                         ? "compile them with -fno-optimize-sibling-calls"
                         : "annotate these when they are compiled") +
                    ", or let this link compile them");
  limitHints(coldVariants(Index));
  findOwnOperators(hasContexts(Index));
  noteNamesBeforeSplit(Index);
  SummaryProgram Read = readSummaries(Index, Prevailing);
  chooseOrder(Results.Bases);
  if (Read.hasRecords())
    Results.Parts.push_back(decideThinLink(
        Index, std::move(Read), countInstructions(Index, Prevailing)));
  writeSettings(Index);
}

SummaryProgram LinkSession::readSummaries(const ModuleSummaryIndex &Index,
                                          IsPrevailing Prevailing) {
  TimeTraceScope Phase("Thermocline: read summaries");
  ReaderOptions Reader;
  Reader.PromotesIndirectCalls = compiledBy() != Backends::Stock;
  Reader.Hints = Options->Hints;
  Reader.IsRelocatable = Setup.IsRelocatable;
  SummaryProgram Read = readSummary(Index, Prevailing, Reader);
  for (const std::string &Text : Read.Damaged)
    Setup.Say.Error(Text);
  openProfile();
  if (Results.Profile)
    Results.Code.addIndex(Index, Prevailing, Results.Names);
  Results.Bases.add(Read.Bases);
  Results.Notes = std::move(Read.Notes);
  return Read;
}

LinkPart LinkSession::decideThinLink(ModuleSummaryIndex &Index,
                                     SummaryProgram Read,
                                     uint64_t Instructions) {
  const EngineOptions Engine = engineOptions(Instructions);
  std::optional<StockVersions> Stock;
  EngineResult Result;
  {
    TimeTraceScope Phase("Thermocline: decide");
    if (compiledBy() == Backends::Stock)
      Stock.emplace(Index);
    Result = Stock ? Stock->decide(Read, Engine) : decide(Read.Program, Engine);
  }
  nameChosen(Read.Program, Read.Chosen, Result);
  warnOfLimits(Result.Statistics, Options->Growth, Instructions, Setup.Say);

  TimeTraceScope Phase("Thermocline: write decisions");
  writeDecisions(Read, Result.Decided);
  IndexSays = true;
  if (Stock)
    Stock->keepApart(Read);
  noteTargets(Index, Read);
  noteMissed(Read, Result);
  if (compiledBy() == Backends::Thermocline)
    noteForBackends(Index, Read);
  std::vector<StringRef> Modules = noteModules(Read);
  return {std::move(Read.Program), std::move(Result),
          Engine.MaxInstructionsAdded, std::move(Modules)};
}

void LinkSession::noteMissed(const SummaryProgram &Read,
                             const EngineResult &Result) {
  std::vector<apply::MissedHints> ByAllocation =
      missedHints(Read.Program, Result);
  for (size_t F = 0; F != Read.Functions.size(); ++F) {
    std::vector<apply::MissedHints> Records;
    for (AllocationId A : Read.Program[FunctionId(F)].Allocations)
      Records.push_back(std::move(ByAllocation[A.index()]));
    if (any_of(Records, [](const auto &Hints) { return !Hints.empty(); }))
      Missed[Read.Functions[F]] = std::move(Records);
  }
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

void LinkSession::noteForBackends(ModuleSummaryIndex &Index,
                                  const SummaryProgram &Read) {
  copyToOtherCopies(Index, Read);
  writeContextsIntoIndexes();
  for (FunctionSummary *FS : Read.Functions)
    if (auto Found = Missed.find(FS); Found != Missed.end())
      apply::noteMissed(Index, *FS, Found->second);
}

std::vector<StringRef> LinkSession::noteModules(const SummaryProgram &Read) {
  std::vector<StringRef> Result;
  if (wantsLinkRemarks(Setup.Remarks))
    for (const FunctionSummary *FS : Read.Functions)
      Result.push_back(
          Results.ModuleNames.insert(FS->modulePath()).first->first());
  return Result;
}

void LinkSession::writeSettings(ModuleSummaryIndex &Index) {
  TimeTraceScope Phase("Thermocline: write settings");
  const std::string Settings = Options->backendSettings();
  // The decisions must be in the index before they are hashed, and the hashes
  // there before LLVM computes cache keys and names of promoted locals. These
  // are the same whoever compiles, so notes of settings come later.
  hashDecisions(Index, Settings + Setup.CacheSettings);
  // Stock compilers do not look at them, but by their indexes thermo-backend
  // may compile as well. Its own have some always.
  const bool AreNeeded =
      !Settings.empty() || (IndexSays && compiledBy() == Backends::Thermocline);
  if (AreNeeded && compiledBy() != Backends::InProcess) {
    apply::noteSettings(Index, Settings);
    IndexSays = true;
  }
}

//===-- A backend ---------------------------------------------------------===//

Expected<bool> LinkSession::applyTo(Module &M,
                                    const ModuleSummaryIndex &Index) {
  Expected<apply::HintOptions> Hints = prepareBackend(M, Index);
  if (!Hints)
    return Hints.takeError();
  apply::ApplyStatistics Statistics;
  Expected<bool> Changed =
      apply::applyDecisions(M, Index, *Hints, Missed, Statistics);
  if (!Changed)
    return Changed;
  std::lock_guard<std::mutex> Guard(Lock);
  Results.Applied += Statistics;
  noteProfile(M);
  noteLost(M, Statistics);
  ++Results.ModulesApplied;
  Results.Compiled.insert(M.getModuleIdentifier());
  return Changed;
}

void LinkSession::addNamesOf(const Module &M) {
  if (Results.Profile)
    addFrameNames(M, Results.Names);
  else if (!Options->ReportFile.empty() || !Options->DecisionsFile.empty() ||
           !Options->DotFile.empty())
    addFrameNames(M, Results.Names, &Results.Frames);
}

Expected<apply::HintOptions>
LinkSession::prepareBackend(const Module &M, const ModuleSummaryIndex &Index) {
  std::lock_guard<std::mutex> Guard(Lock);
  readOptions();
  if (const std::optional<StringRef> Noted = apply::notedSettings(Index);
      Setup.CompilesOnly && Noted && !Options->takeBackendSettings(*Noted))
    return recordError(M.getModuleIdentifier(), "settings in the index",
                       "not understood: " + *Noted);
  addNamesOf(M);
  if (Results.Profile)
    Results.Code.addCode(M);
  // Written indexes have of other modules only what is imported.
  if (!Setup.CompilesOnly)
    addCopies(M, Index, Results.Copies);
  return Options->Hints;
}

//===-- Regular LTO -------------------------------------------------------===//

static bool hasContexts(const Module &M) {
  return any_of(M, [](const llvm::Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      return I.hasMetadata(LLVMContext::MD_memprof);
    });
  });
}

Expected<bool> LinkSession::regularLTO(Module &M) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (std::exchange(Results.RegularLTODone, true))
    return false;
  readOptions();
  if (!Options->SupportsHints)
    return apply::stripContexts(M, /*Marks=*/true);
  limitHints(coldVariants(M));
  findOwnOperators(hasContexts(M));
  Expected<ModuleProgram> Read =
      readModule(M, Options->Hints, Setup.IsRelocatable);
  if (!Read)
    return Read.takeError();
  openProfile();
  addNamesOf(M);
  if (Results.Profile)
    Results.Code.addMergedModule(M);
  Results.Bases.add(Read->Bases);
  chooseOrder(Results.Bases);
  noteProfile(M);
  uint64_t Instructions = M.getInstructionCount();
  EngineOptions Engine = engineOptions(Instructions);
  EngineResult Result;
  std::vector<apply::MissedHints> Unhinted;
  if (Read->hasContexts()) {
    TimeTraceScope Phase("Thermocline: decide");
    Result = decide(Read->Program, Engine);
    nameChosen(Read->Program, Read->Chosen, Result);
    warnOfLimits(Result.Statistics, Options->Growth, Instructions, Setup.Say);
    Unhinted = missedHints(Read->Program, Result);
  }
  Expected<bool> Changed =
      apply::rewriteModule(M, matchDecisions(*Read, Result.Decided, Unhinted),
                           Options->Hints, Results.Applied);
  if (!Changed)
    return Changed;
  ++Results.ModulesApplied;
  if (Read->hasContexts())
    Results.Parts.push_back({std::move(Read->Program), std::move(Result),
                             Engine.MaxInstructionsAdded});
  return Changed;
}

//===-- The end -----------------------------------------------------------===//

Error LinkSession::finish() {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Setup.IsOffByLevel && (HasCold || inputOptions().IsProfileLeft))
    Setup.Say.Warning(
        "link-time optimization is at level 0, where the heap profile is not "
        "used: no allocation is hinted; link with -O1 or more, or with "
        "--thinlto-memprof=on, or say that it is meant by "
        "--thinlto-memprof=off");
  if (Setup.IsOffByPasses && HasCold)
    Setup.Say.Warning("--lto-newpm-passes takes the place of all passes, those "
                      "that make hints included: no allocation is hinted");
  // A link without any LTO reads no profile, and has nothing of it.
  if (!Options && !Setup.CompilesOnly) {
    readOptions();
    if (Error E = loadProfile())
      return inFile("--thinlto-memprof-profile", std::move(E));
  }
  return reportLink(Setup, Options ? &*Options : nullptr, Results);
}
