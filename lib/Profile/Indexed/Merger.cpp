//===- Profile/Indexed/Merger.cpp - Any number of profiles into one -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/Merger.h"
#include "BinaryPart.h"
#include "CommonCalls.h"
#include "MemProfWriter.h"
#include "OrderPart.h"
#include "RandomHotness.h"
#include "SamplePart.h"
#include "TouchPart.h"
#include "YamlProfile.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include <algorithm>
#include <set>
#include <unordered_map>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

/// Runs that differ in length by more than this make the fraction of a run
/// that a context lived mean little.
static constexpr uint64_t MaxRunLengthRatio = 4;

Merger::Merger(MergeOptions Options)
    : Options(std::move(Options)), Allocators(this->Options.Allocators),
      Recorded(this->Options.Recorded),
      Counters(this->Options.SparseCounters,
               this->Options.TemporalReservoirSize,
               this->Options.MaxTemporalTraceLength) {}

Merger::~Merger() = default;

void Merger::warn(StringRef Path, const Twine &Message) {
  Warnings.push_back((Path + ": " + Message).str());
}

Error Merger::add(StringRef Path, uint64_t Weight) {
  Expected<MergeInput> Input = MergeInput::open(Path);
  if (!Input)
    return Input.takeError();
  return add(std::move(*Input), Weight);
}

Error Merger::add(MergeInput Input, uint64_t Weight) {
  if (Error E = Input.parse())
    return E;
  if (Input.Raw)
    return addRaw(*Input.Raw, Weight);
  const StringRef Path = Input.Path;
  std::unique_ptr<MemoryBuffer> &File = Input.File;
  if (isYaml(File->getBuffer())) {
    Expected<std::unique_ptr<MemoryBuffer>> Indexed =
        indexYaml(Path, File->getBuffer(),
                  [&](const Twine &Message) { warn(Path, Message); });
    if (!Indexed)
      return Indexed.takeError();
    File = std::move(*Indexed);
  }
  if (IndexedInstrProfReader::hasFormat(*File)) {
    Expected<std::unique_ptr<IndexedProfile>> Profile =
        IndexedProfile::parse(Path, std::move(File));
    if (!Profile)
      return Profile.takeError();
    return addIndexed(std::move(*Profile), Weight);
  }
  Expected<std::unique_ptr<InstrProfReader>> Reader = InstrProfReader::create(
      std::move(File), /*Correlator=*/nullptr, /*BIDFetcher=*/nullptr,
      InstrProfCorrelator::ProfCorrelatorKind::NONE,
      [&](Error E) { warn(Path, toString(std::move(E))); });
  if (!Reader)
    return inFile(Path, Reader.takeError());
  return addCounters(Path, **Reader, /*IsIndexed=*/false, Weight);
}

Error Merger::addRaw(const RawProfile &Raw, uint64_t Weight) {
  if (!Binaries) {
    if (all_of(Options.Binaries.Binaries,
               [](const std::string &Path) { return Path.empty(); }))
      return fileError(Raw.file(), "a raw memory profile needs the program "
                                   "that wrote it: give --binary=PROGRAM");
    Expected<std::unique_ptr<ProfiledBinaries>> Opened =
        ProfiledBinaries::open(Options.Binaries);
    if (!Opened)
      return Opened.takeError();
    Binaries = std::move(*Opened);
    Indexer = std::make_unique<RawIndexer>(*Binaries, Allocators, Heap, Shared,
                                           Statistics.Symbolization);
    // This one may have run one of them, and the next one another.
    TellsBinaries |= !Binaries->isOneFile();
  }
  const AccessKind Known = Raw.accesses();
  if (!Raw.contexts().empty())
    Accesses.try_emplace(Known, Raw.file());
  for (uint64_t I = 0; I != Weight; ++I)
    if (Error E = Indexer->add(Raw, Options.Progress, /*NumBefore=*/I)) {
      // Its program may be what is damaged. That is no reason to lose others.
      if (!Binaries->anyDamaged())
        return E;
      NotMerged.push_back(toString(std::move(E)));
      return Error::success();
    }
  if (Error E = checkPhases(Raw.file()))
    return E;
  // How well touches are known is part of what they say.
  if (Raw.isSampled() && Known != AccessKind::Watched)
    warn(Raw.file(),
         "is sampled, 1 of " + Twine(Raw.sampleInterval()) +
             " allocations: its totals are estimates, and what may be cold or "
             "not counts as not cold");
  if (Raw.numHistograms())
    warn(Raw.file(), "access histograms are left out; the indexed format "
                     "cannot hold them");
  return Error::success();
}

Error Merger::addIndexed(std::unique_ptr<IndexedProfile> Profile,
                         uint64_t Weight) {
  const StringRef Path = Profile->path();
  if (Profile->hasMemProf()) {
    Expected<bool> AnyContext = addHeap(*Profile, Weight);
    if (!AnyContext)
      return AnyContext.takeError();
    if (Profile->lostWindows())
      warn(Path, "does not say any more when memory was touched, because "
                 "llvm-profdata or YAML left that out; merge what it was made "
                 "of");
    if (*AnyContext && !Profile->hasFullSchema()) {
      Reduced = true;
      if (!Options.HotColdSchema)
        warn(Path, "has only part of the measures (it was merged without "
                   "--memprof-full-schema), so the output can have no more");
    }
    if (*AnyContext && !Profile->runInfo())
      warn(Path, "does not say how long the program ran; without other "
                 "profiles, cold contexts are told by LLVM's absolute rule");
    if (Profile->hasDataAccessProfile() && Options.MemProfVersion < Version4)
      warn(Path, "its profile of accesses to static data is left out, which "
                 "version 4 of the memory profile has");
  }
  Expected<std::unique_ptr<IndexedInstrProfReader>> Reader =
      Profile->counters();
  if (!Reader)
    return Reader.takeError();
  return addCounters(Path, **Reader, /*IsIndexed=*/true, Weight);
}

/// A hash of the call that \p Frames begin with.
static uint64_t hashOfCall(ArrayRef<Frame> Frames) {
  SequenceHash Hash;
  for (const Frame &F : Frames) {
    Hash.add(F.Function);
    Hash.add(uint64_t(F.LineOffset) << 32 | F.Column);
    if (!F.IsInlineFrame)
      break;
  }
  return Hash.value();
}

Expected<bool> Merger::addHeap(const IndexedProfile &Profile, uint64_t Weight) {
  std::optional<RunInfo> Runs = Profile.runInfo();
  if (Runs && Profile.lostWindows())
    Runs->WithWindows = 0;
  bool AnyContext = false;
  // What is said of the calls of a profile holds of its contexts alone. A merge
  // of merges must say what one of all inputs does.
  std::vector<std::pair<const HeapProfile::Context *, uint64_t>> Allocating;
  for (uint64_t I = 0; I != Weight; ++I) {
    AccessKind Known = AccessKind::Unknown;
    if (Error E = Profile.forEachContext([&](const IndexedContext &C) {
          AnyContext = true;
          Known = std::min(Known, accessKind(C.Info));
          const ArrayRef<Frame> Callers = Allocators.callers(C.Frames).Frames;
          const HeapProfile::Context &Added =
              Heap.addContext(Callers, toMemInfoBlock(C.Info));
          if (I == 0 && Callers.size() == C.Frames.size())
            Allocating.push_back({&Added, hashOfCall(Callers)});
        }))
      return std::move(E);
    if (AnyContext)
      Accesses.try_emplace(Known, Profile.path());
    if (Error E = addTouches(Profile, /*NumBefore=*/I))
      return std::move(E);
    if (Error E = addSamples(Profile, /*NumBefore=*/I))
      return std::move(E);
    if (Runs)
      Heap.addRuns(*Runs);
  }
  // Calls that are in no context, and what calls may reach. Of those that may
  // reach anything, whether they reach allocation functions, too.
  std::unordered_map<uint64_t, bool> OfAnything;
  Expected<std::vector<GlobalValue::GUID>> Functions = Profile.functions();
  if (!Functions)
    return Functions.takeError();
  for (GlobalValue::GUID Function : *Functions) {
    Expected<MemProfRecord> Record = Profile.record(Function);
    if (!Record)
      return Record.takeError();
    for (const CallSiteInfo &Site : Record->CallSites) {
      Heap.addCallsite(Function, Site.Frames, Site.CalleeGuids);
      if (is_contained(Site.CalleeGuids, anythingGUID()))
        OfAnything[hashOfCall(Site.Frames)] |=
            is_contained(Site.CalleeGuids, allocatorGUID());
    }
  }
  if (Runs && Runs->Origin == RunInfoOrigin::Recorded &&
      Profile.memProfVersion() >= Version4)
    for (const auto &[Context, Call] : Allocating)
      if (auto Is = OfAnything.find(Call); Is == OfAnything.end() || Is->second)
        Heap.noteAllocatingCall(*Context, AllocatingCall::Allocator);
  Expected<BinaryMap> Map = Profile.binaries();
  if (!Map)
    return Map.takeError();
  TellsBinaries |= !Map->binaries().empty();
  Heap.addBinaries(*Map);
  Expected<CallTable> Known = Profile.calls();
  if (!Known)
    return Known.takeError();
  Calls.add(*Known);
  Expected<DataTypes> Allocated = Profile.types();
  if (!Allocated)
    return Allocated.takeError();
  Types.add(*Allocated);
  Expected<Architectures> RanOn = Profile.architectures();
  if (!RanOn)
    return RanOn.takeError();
  Ran.add(*RanOn);
  Expected<RecordedRuns> Commands = Profile.recordedRuns();
  if (!Commands)
    return Commands.takeError();
  Recorded.add(*Commands);
  Expected<DataAccesses> Accessed = Profile.dataAccesses();
  if (!Accessed)
    return Accessed.takeError();
  StaticData.add(*Accessed, Weight);
  Expected<std::vector<BurstLayout>> Lay = Profile.layouts();
  if (!Lay)
    return Lay.takeError();
  Heap.addLayouts(std::move(*Lay));
  return AnyContext;
}

/// Contexts are known already.
Error Merger::addTouches(const IndexedProfile &Profile, uint64_t NumBefore) {
  if (Profile.touchGrid().empty())
    return Error::success();
  Expected<TouchesById> Read = Profile.touches();
  if (!Read)
    return Read.takeError();
  for (ContextTouches &C : Read->Touches.Contexts)
    for (UnitTouches *Units : {&C.Objects, &C.Pages})
      Units->noteCopy(NumBefore);
  const TouchSums::PhasePlaces Places = Heap.addGrid(Read->Touches.Grid);
  if (Error E = checkPhases(Profile.path()))
    return E;
  std::set<uint64_t> Found;
  if (Error E = Profile.forEachContext([&](const IndexedContext &C) {
        auto Known = lower_bound(Read->Ids, C.FullStackId);
        if (Known != Read->Ids.end() && *Known == C.FullStackId &&
            Found.insert(C.FullStackId).second)
          Heap.addTouches(Allocators.callers(C.Frames).Frames, Places,
                          Read->Touches.Contexts[Known - Read->Ids.begin()]);
      }))
    return E;
  if (Found.size() != Read->Ids.size())
    return fileError(
        Profile.path(),
        "part of windows: " + formatCount(Read->Ids.size() - Found.size()) +
            " of its contexts are not in the profile");
  return Error::success();
}

/// Contexts are known already.
Error Merger::addSamples(const IndexedProfile &Profile, uint64_t NumBefore) {
  Expected<SamplesById> Read = Profile.samples();
  if (!Read)
    return Read.takeError();
  if (Read->empty())
    return Error::success();
  SamplesById Left = std::move(*Read);
  if (Error E = Profile.forEachContext([&](const IndexedContext &C) {
        if (auto Known = Left.extract(C.FullStackId)) {
          Known.mapped().noteCopy(NumBefore);
          Heap.addSamples(Allocators.callers(C.Frames).Frames, Known.mapped());
        }
      }))
    return E;
  if (!Left.empty())
    return fileError(Profile.path(),
                     "part of samples: " + formatCount(Left.size()) +
                         " of its contexts are not in the "
                         "profile");
  return Error::success();
}

Error Merger::checkPhases(StringRef Path) const {
  if (Heap.touches().numPhases() <= MaxGridPhases)
    return Error::success();
  return fileError(Path, "with its phases there are " +
                             formatCount(Heap.touches().numPhases()) +
                             "; a profile holds " + formatCount(MaxGridPhases));
}

/// What a profile of \p Kind has, as part of a sentence.
static StringRef describe(AccessKind Kind) {
  switch (Kind) {
  case AccessKind::Counted:
    return "counted accesses";
  case AccessKind::Watched:
    return "touches by the page table (page_touches=1)";
  case AccessKind::Unknown:
    return "no accesses (libthermocline_preload.so wrote it)";
  }
  llvm_unreachable("all kinds are known");
}

Error Merger::settleAccesses() {
  if (Accesses.size() < 2)
    return Error::success();
  const auto &[Most, MostPath] = *Accesses.begin();
  const auto &[Least, LeastPath] = *Accesses.rbegin();
  if (Most == AccessKind::Counted) {
    const std::string Why = ("has " + describe(Least) + ", and " + MostPath +
                             " has " + describe(Most))
                                .str();
    if (!Heap.touches().grid().isLongEnough())
      return createStringError(
          LeastPath + " " + Why +
          "; together nothing would be cold, as no run is long enough to say "
          "when memory was touched; merge them apart");
    warn(LeastPath, Why + "; numbers of accesses are left out");
  }
  // Contexts of which nobody knows anything stay as they are.
  Heap.changeMeasures([](uint64_t, MemInfoBlock &Info) {
    if (!touchesAreUnknown(Info))
      forgetAccesses(Info);
  });
  Accesses = {{AccessKind::Watched, std::string()}};
  return Error::success();
}

static StringRef kindOfCounters(bool IsIR) {
  return IsIR ? "-fprofile-generate" : "-fprofile-instr-generate";
}

Error Merger::addCounters(StringRef Path, InstrProfReader &Reader,
                          bool IsIndexed, uint64_t Weight) {
  const uint64_t Before = Statistics.CountedFunctions;
  for (NamedInstrProfRecord &Record : Reader) {
    ++Statistics.CountedFunctions;
    const std::string Name = Record.Name.str();
    Counters.addRecord(std::move(Record), Weight, [&](Error E) {
      warn(Path, Name + ": " + toString(std::move(E)));
    });
  }
  if (Reader.hasError())
    return inFile(Path, Reader.getError());
  if (IsIndexed && Statistics.CountedFunctions == Before)
    return Error::success();
  // LLVM's writer takes both and then says that all are of one kind.
  const bool IsIR = Reader.isIRLevelProfile();
  if (CountersAreIR.value_or(IsIR) != IsIR)
    return fileError(Path, Twine("counters of ") + kindOfCounters(IsIR) +
                               " cannot be merged with those of " +
                               kindOfCounters(!IsIR));
  CountersAreIR = IsIR;
  // Whether there is a memory profile is added when the output is written.
  const InstrProfKind Kind = Reader.getProfileKind() & ~InstrProfKind::MemProf;
  if (Error E = Counters.mergeProfileKind(Kind))
    return inFile(Path, std::move(E));
  if (Reader.hasTemporalProfile()) {
    auto &Traces = Reader.getTemporalProfTraces();
    if (!Traces.empty())
      Counters.addTemporalProfileTraces(
          Traces, Reader.getTemporalProfTraceStreamSize());
  }
  std::vector<object::BuildID> BuildIds;
  if (Error E = Reader.readBinaryIds(BuildIds))
    return inFile(Path, std::move(E));
  Counters.addBinaryIds(BuildIds);
  for (const auto &VTable : Reader.getSymtab().getVTableNames())
    Counters.addVTableName(VTable.getKey());
  return Error::success();
}

bool Merger::empty() const { return !hasMemProf() && !countsFunctions(); }

MemProfSchema Merger::schema() const {
  return Options.HotColdSchema || Reduced ? getHotColdSchema()
                                          : getFullSchema();
}

MergeStatistics Merger::statistics(const ColdThresholds &Thresholds) const {
  MergeStatistics Result = Statistics;
  Result.AccessesUnknown =
      Accesses.size() == 1 && Accesses.count(AccessKind::Unknown);
  Result.RunsAreTooShort = Placed && !pagesDecide();
  forEachClass(Thresholds,
               [&](const HeapProfile::Context &C, ColdRule Rule, bool IsCold) {
                 Result.All.add(Bytes(C.Info.TotalSize));
                 Result.Errors.addToAll(C.Samples);
                 Result.Rule = Rule;
                 if (!IsCold)
                   return;
                 Result.Cold.add(Bytes(C.Info.TotalSize));
                 Result.Errors.addToCold(C.Samples);
               });
  if (Result.Rule == ColdRule::Pages)
    Heap.forEachTouched(
        [&](std::optional<uint64_t> Id, const HeapProfile::Context &C) {
          if (Id && TooFewSamples.count(*Id))
            Result.TooFew.add(Bytes(C.Info.TotalSize));
        });
  return Result;
}

bool Merger::pagesDecide() const {
  return Placed && profile::pagesDecide(Touched.Touches.Grid, Placed->Predicted,
                                        !SavedByPages.empty(), Options.Placing);
}

void Merger::forEachClass(
    const ColdThresholds &Thresholds,
    function_ref<void(const HeapProfile::Context &, ColdRule, bool IsCold)>
        Visit) const {
  const MemProfSchema Schema = schema();
  const bool ByPages = pagesDecide() && !Thresholds.ByTotals;
  auto Classify = [&](std::optional<uint64_t> Id,
                      const HeapProfile::Context &C) {
    const PortableMemInfoBlock Block(C.Info, Schema);
    const ColdRule Rule =
        ByPages ? ColdRule::Pages : ruleFor(Block, Heap.runs());
    std::optional<double> Saved;
    if (auto Placed = Id ? SavedByPages.find(*Id) : SavedByPages.end();
        Placed != SavedByPages.end())
      Saved = Placed->second;
    Visit(C, Rule,
          classifyBy(Rule, Block, Heap.runs(), Thresholds, Saved).isCold());
  };
  if (ByPages)
    Heap.forEachTouched(Classify);
  else
    for (const HeapProfile::Context &C : Heap.contexts())
      Classify(std::nullopt, C);
}

void Merger::warnOfRuns() {
  const std::optional<RunInfo> &Runs = Heap.runs();
  if (!Runs)
    return;
  if (Runs->WithWindows && Runs->WithWindows < Runs->Runs)
    Warnings.push_back(formatCount(Runs->Runs - Runs->WithWindows) + " of " +
                       formatCount(Runs->Runs) +
                       " runs do not say when memory was touched; working sets "
                       "are those of the others");
  const uint64_t LeastPage = Heap.touches().leastPageBytes(),
                 LargestPage = Heap.touches().grid().PageBytes;
  if (LeastPage < LargestPage)
    Warnings.push_back("touches were counted for pages from " +
                       formatBytes(Bytes(LeastPage)) + " to " +
                       formatBytes(Bytes(LargestPage)) +
                       "; working sets are those with pages of " +
                       formatBytes(Bytes(LargestPage)));
  if (Runs->Longest.count() / MaxRunLengthRatio >
      std::max<uint64_t>(Runs->Shortest.count(), 1))
    Warnings.push_back(
        "the runs took from " + formatCount(Runs->Shortest.count()) + " to " +
        formatCount(Runs->Longest.count()) +
        " ms; contexts that only the short ones have look short-lived, "
        "because lifetimes are compared with " +
        formatCount(truncated(Runs->comparedLengthMs())) +
        " ms, the mean over the time of all runs");
}

Error Merger::place() {
  if (Heap.touches().empty())
    return Error::success();
  Touched = Heap.touches().sums();
  Heap.forEachTouched(
      [&](std::optional<uint64_t> Id, const HeapProfile::Context &C) {
        if (Id)
          Touched.addMeasures(*Id, {C.Info.MinSize, C.Info.MaxSize},
                              touchesAreUnknown(C.Info));
      });
  Expected<placement::Placement> Decided =
      placement::place(Touched.Touches, Options.Placing);
  if (!Decided)
    return Decided.takeError();
  Placed = std::move(*Decided);
  for (auto [Id, Context] : zip_equal(Touched.Ids, Placed->Contexts))
    if (Context.Cold)
      SavedByPages.try_emplace(Id, Context.Benefit);
    else if (Context.TooFew)
      TooFewSamples.insert(Id);
  countOrder();
  return Error::success();
}

void Merger::countOrder() {
  Bursts = Heap.layouts();
  keepSomeBursts(Bursts);
  Order = placement::countBursts(Bursts, [&](uint64_t Context) {
    return SavedByPages.count(Context) != 0;
  });
  placement::countReplacement(
      Touched.Touches, [&](size_t I) { return Placed->Contexts[I].Cold; },
      Order);
}

placement::OrderVerdict Merger::orderVerdict() const {
  return placement::chooseOrder(Order, Options.Placing.Phase,
                                !SavedByPages.empty());
}

Error Merger::finishInputs() {
  if (!Binaries)
    return Error::success();
  const std::vector<std::string> &Idle = Statistics.Symbolization.WithoutFrames;
  for (const auto &Why : {ArrayRef(NotMerged), ArrayRef(Idle)})
    if (!Why.empty() && empty())
      return createStringError(Why.front());
  if (Error E = Binaries->checkAllRan())
    return E;
  for (const std::string &Why : NotMerged)
    Warnings.push_back(Why + "; it is left out");
  if (!Idle.empty()) {
    const size_t NumOthers = Idle.size() - 1;
    std::string Others;
    if (NumOthers)
      Others = (NumOthers == 1 ? ", and so does " : ", and so do ") +
               formatCount(NumOthers, "other");
    Warnings.push_back(Idle.front() +
                       "; it counts as a run that allocated nothing" + Others);
  }
  append_range(Warnings, Binaries->problems());
  if (!Statistics.Symbolization.WithoutDebugInfo.empty())
    append_range(Warnings, describeMissingDwoFiles(*Binaries));
  for (ProfiledBinary *Binary : Binaries->all()) {
    Ran.add(Binary->architecture());
    // It has no frame in the profile, or may have wrong ones.
    if (Binary->isDamaged())
      continue;
    auto WarnOf = [&](Error Damage) {
      if (Damage)
        Warnings.push_back(toString(std::move(Damage)) +
                           "; it counts as missing");
    };
    WarnOf(Binary->addCalls(Calls));
    WarnOf(Binary->addTypes(Types));
  }
  Heap.setNames([Names = Binaries->names()](GlobalValue::GUID Function) {
    StringRef Known = Names.lookup(Function);
    return Known.empty() ? std::string() : displayName(Known);
  });
  Shared.makeHot(
      Heap, [&](Bytes Size) { Statistics.Symbolization.LikeOthers.add(Size); });
  return Error::success();
}

void Merger::warnOfAllocators() {
  for (const std::string &Name : Allocators.unseen())
    Warnings.push_back((Twine("--") + NamedAllocatorOption + ": " + Name +
                        " is in no context: it did not allocate, has no debug "
                        "information, is in a shared library, or has another "
                        "name to the linker")
                           .str());
}

Error Merger::decide() {
  warnOfAllocators();
  if (Error E =
          placement::checkPhase(Heap.touches().grid(), Options.Placing.Phase))
    return E;
  if (Error E = settleAccesses())
    return E;
  if (Options.RandomHotnessSeed) {
    randomizeHotness(Heap, *Options.RandomHotnessSeed);
    Accesses = {{AccessKind::Counted, std::string()}};
  }
  if (Options.AsYaml)
    keepWhatYamlHolds();
  warnOfRuns();
  if (const auto TooMany = count_if(Heap.contexts(), [](const auto &C) {
        return C.Info.AllocCount == MostAllocations;
      }))
    Warnings.push_back(tooManyAllocationsText(static_cast<uint64_t>(TooMany)));
  if (hasMemProf() && CountersAreIR == false)
    Warnings.push_back(
        "counters of -fprofile-instr-generate and a heap profile "
        "are in one file, which clang's -fprofile-instr-use= "
        "takes for one of -fprofile-generate and refuses; merge "
        "them apart, and use them by -fprofile-instr-use= and "
        "-fmemory-profile-use=");
  if (Error E = place())
    return E;
  if (!Calls.empty()) {
    std::vector<bool> AreCold;
    Calls.ColdBytes = 0;
    forEachClass(ColdThresholds(), [&](const HeapProfile::Context &C, ColdRule,
                                       bool IsCold) {
      AreCold.push_back(IsCold);
      if (IsCold)
        Calls.ColdBytes = SaturatingAdd(Calls.ColdBytes, C.Info.TotalSize);
    });
    Calls.CommonCalls = findCommonCalls(Heap, AreCold);
  }
  return Error::success();
}

Expected<std::string> Merger::write() {
  uint64_t Checksum = 0;
  if (hasMemProf()) {
    if (Error E = Counters.mergeProfileKind(InstrProfKind::MemProf))
      return std::move(E);
    Counters.setMemProfVersionRequested(Options.MemProfVersion);
    Counters.setMemProfFullSchema(schema().size() == getFullSchema().size());
    // LLVM's writer leaves room for what replaces it.
    if (!replacesMemProf()) {
      IndexedMemProfData Tables = Heap.tables(schema());
      Checksum = checksumOf(Tables, schema());
      Error Failed = Error::success();
      Counters.addMemProfData(std::move(Tables), [&](Error E) {
        Failed = joinErrors(std::move(Failed), std::move(E));
      });
      if (Failed)
        return std::move(Failed);
    }
  }
  std::string Contents;
  raw_string_ostream OS(Contents);
  if (Error E = Counters.write(OS))
    return std::move(E);
  if (hasMemProf()) {
    Expected<std::string> Accessed = StaticData.serialize();
    if (!Accessed)
      return Accessed.takeError();
    if (replacesMemProf())
      Checksum = replaceMemProf(Contents, Heap, schema(),
                                Options.MemProfVersion, *Accessed);
  }
  if (Options.AsYaml)
    return toYaml(Contents);
  if (Heap.numContexts() != 0)
    appendParts(Contents, Checksum);
  return Contents;
}

void Merger::keepWhatYamlHolds() {
  std::vector<StringRef> Parts;
  if (!Heap.touches().empty())
    Parts.push_back("when memory was touched");
  if (Heap.hasSeveralBinaries())
    Parts.push_back("which binary has what");
  if (!Calls.empty())
    Parts.push_back("the calls of the source");
  if (!Types.empty())
    Parts.push_back("data types");
  if (!Ran.empty())
    Parts.push_back("the architecture");
  if (!Recorded.empty())
    Parts.push_back("the commands that were recorded");
  if (!Heap.samples().empty())
    Parts.push_back("how well totals are known");
  LeftOut = join(Parts, ", ");
  Heap.forgetTouches();
}

void Merger::appendParts(std::string &File, uint64_t Checksum) const {
  auto IsThere = [&](GlobalValue::GUID Function) {
    return Heap.hasFunction(Function);
  };
  Types.appendTo(File, IsThere);
  Ran.appendTo(File);
  Recorded.appendTo(File);
  if (TellsBinaries)
    appendBinaries(File, Checksum, Heap.binaries());
  if (!Calls.empty())
    Calls.appendTo(File, IsThere);
  if (const SamplesById Samples = Heap.samples(); !Samples.empty())
    appendSamples(File, Checksum, Samples);
  if (Placed && !Bursts.empty())
    appendOrder(File, {Order, Bursts});
  if (Placed)
    appendTouches(File, Checksum, Touched, Options.Placing, *Placed);
}
