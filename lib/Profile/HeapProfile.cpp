//===- Profile/HeapProfile.cpp - Contexts of any number of runs -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/SequenceHash.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <tuple>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

std::string profile::tooManyAllocationsText(uint64_t Contexts) {
  return formatCount(Contexts, "context") +
         (Contexts == 1 ? " has " : " have ") + formatCount(MostAllocations) +
         " allocations or more, which is as far as a profile counts: what is "
         "said of one allocation is too much there";
}

/// Makes the densities of \p Sum, whose allocations are more than can be
/// counted, say what both of its parts say, of \p Kind: that nobody knows the
/// accesses. The sum of what the parts say would not.
static void keepKind(MemInfoBlock &Sum, AccessKind Kind) {
  if (Sum.AllocCount == MostAllocations && Kind != AccessKind::Counted)
    Sum.TotalAccessDensity = Sum.TotalLifetimeAccessDensity =
        uint64_t(MostAllocations) * (Kind == AccessKind::Watched
                                         ? format::WatchedAccessDensity
                                         : format::UnknownAccessDensity);
}

static AccessKind commonKind(const MemInfoBlock &A, const MemInfoBlock &B) {
  const AccessKind Kind = accessKind(A);
  return accessKind(B) == Kind ? Kind : AccessKind::Counted;
}

void profile::mergeLaterBlock(MemInfoBlock &Sum, const MemInfoBlock &Later) {
  const AccessKind Kind = commonKind(Sum, Later);
  const MemInfoBlock Before = Sum;
  Sum.Merge(Later);
  auto KeepMost = [](uint32_t Was, uint32_t Is) {
    return Is < Was ? UINT32_MAX : Is;
  };
  Sum.AllocCount = SaturatingAdd(+Before.AllocCount, +Later.AllocCount);
  Sum.NumLifetimeOverlaps =
      KeepMost(Before.NumLifetimeOverlaps, Sum.NumLifetimeOverlaps);
  Sum.NumSameAllocCpu = KeepMost(Before.NumSameAllocCpu, Sum.NumSameAllocCpu);
  Sum.NumSameDeallocCpu =
      KeepMost(Before.NumSameDeallocCpu, Sum.NumSameDeallocCpu);
  keepKind(Sum, Kind);
}

void profile::mergeBlocks(MemInfoBlock &Sum, const MemInfoBlock &Added) {
  const AccessKind Kind = commonKind(Sum, Added);
  // The fields are packed, so that no reference to one may be taken.
#define ADD(Field) Sum.Field = SaturatingAdd(+Sum.Field, +Added.Field)
#define MIN(Field) Sum.Field = std::min(+Sum.Field, +Added.Field)
#define MAX(Field) Sum.Field = std::max(+Sum.Field, +Added.Field)
  ADD(AllocCount);
  ADD(TotalAccessCount);
  MIN(MinAccessCount);
  MAX(MaxAccessCount);
  ADD(TotalSize);
  MIN(MinSize);
  MAX(MaxSize);
  ADD(TotalLifetime);
  MIN(MinLifetime);
  MAX(MaxLifetime);
  ADD(NumMigratedCpu);
  ADD(NumLifetimeOverlaps);
  ADD(NumSameAllocCpu);
  ADD(NumSameDeallocCpu);
  ADD(TotalAccessDensity);
  MIN(MinAccessDensity);
  MAX(MaxAccessDensity);
  ADD(TotalLifetimeAccessDensity);
  MIN(MinLifetimeAccessDensity);
  MAX(MaxLifetimeAccessDensity);
#undef ADD
#undef MIN
#undef MAX
  keepKind(Sum, Kind);
  if (Sum.DataTypeId != Added.DataTypeId)
    Sum.DataTypeId = 0;
  auto Last = [](const MemInfoBlock &B) {
    return std::make_tuple(+B.DeallocTimestamp, +B.AllocTimestamp,
                           +B.DeallocCpuId, +B.AllocCpuId);
  };
  if (Last(Sum) < Last(Added)) {
    Sum.DeallocTimestamp = Added.DeallocTimestamp;
    Sum.AllocTimestamp = Added.AllocTimestamp;
    Sum.DeallocCpuId = Added.DeallocCpuId;
    Sum.AllocCpuId = Added.AllocCpuId;
  }
}

MemInfoBlock profile::toMemInfoBlock(const PortableMemInfoBlock &Block) {
  MemInfoBlock Result;
  auto Fields = Block.getSchema();
#define MIBEntryDef(NameTag, Name, Type)                                       \
  if (Fields[to_underlying(Meta::Name)])                                       \
    Result.Name = Block.get##Name();
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
  Result.AccessHistogramSize = 0;
  Result.AccessHistogram = 0;
  return Result;
}

GlobalValue::GUID profile::anythingGUID() {
  static const GlobalValue::GUID GUID = getGUID("__thermocline_anything");
  return GUID;
}

GlobalValue::GUID profile::allocatorGUID() {
  static const GlobalValue::GUID GUID = getGUID("__thermocline_allocator");
  return GUID;
}

//===-- Adding ------------------------------------------------------------===//

size_t HeapProfile::FrameHash::operator()(const FrameEntry &F) const {
  uint64_t Result = F.Function;
  Result = (Result ^ (uint64_t(F.LineOffset) << 32 | F.Column)) *
           0x9E3779B97F4A7C15U;
  return (Result ^ Result >> 32) + F.IsInlined;
}

HeapProfile::FrameIndex HeapProfile::addFrame(const Frame &F) {
  FrameEntry Added;
  Added.Function = F.Function;
  Added.LineOffset = F.LineOffset;
  Added.Column = F.Column;
  Added.IsInlined = F.IsInlineFrame;
  auto [Known, New] = FrameIndexes.try_emplace(Added, Frames.size());
  if (New)
    Frames.push_back(Added);
  return Known->second;
}

StackTrie::Node HeapProfile::addNode(StackTrie::Node Parent, FrameIndex Frame) {
  const StackTrie::Node Result = Stacks.child(Parent, Frame);
  if (Result == Nodes.size()) {
    Nodes.emplace_back();
    if (FrameEntry &F = Frames[Frame]; !F.IsUsed) {
      F.IsUsed = true;
      Functions.insert(F.Function);
    }
  }
  return Result;
}

SmallVector<HeapProfile::FrameIndex, 4>
HeapProfile::framesOfCall(StackTrie::Node N) const {
  SmallVector<FrameIndex, 4> Call;
  for (StackTrie::Node Outer = N; Outer != StackTrie::Root;
       Outer = Stacks.parent(Outer)) {
    Call.push_back(Stacks.frame(Outer));
    if (!Frames[Call.back()].IsInlined)
      break;
  }
  return Call;
}

StackTrie::Node HeapProfile::callOf(StackTrie::Node N) {
  const SmallVector<FrameIndex, 4> Call = framesOfCall(N);
  StackTrie::Node Result = StackTrie::Root;
  for (FrameIndex F : reverse(Call))
    Result = addNode(Result, F);
  return Result;
}

void HeapProfile::addCallee(const Site &Caller, GlobalValue::GUID Callee) {
  Callees &Known = Callsites[Caller];
  if (auto It = lower_bound(Known, Callee); It == Known.end() || *It != Callee)
    Known.insert(It, Callee);
  if (Callee != anythingGUID())
    return;
  const auto Call = framesOfCall(Caller.first);
  AnyCalls.insert(Call);
  if (AllocatorCalls.count(Call))
    addCallee(Caller, allocatorGUID());
}

void HeapProfile::addCalleeOf(const Call &Caller, GlobalValue::GUID Callee) {
  for (StackTrie::Node Outer = Caller.Frames; Outer != StackTrie::Root;
       Outer = Stacks.parent(Outer))
    addCallee({Caller.Frames, Frames[Stacks.frame(Outer)].Function}, Callee);
}

/// \p Callee is the outermost frame of what the call with the innermost frame
/// \p Caller led to.
uint32_t HeapProfile::addCall(StackTrie::Node Caller, StackTrie::Node Callee) {
  const Call Added = {callOf(Caller), Frames[Stacks.frame(Callee)].Function};
  auto [Known, New] = CallIndexes.try_emplace(
      std::pair(Added.Frames, Added.Callee), Calls.size());
  if (New) {
    Calls.push_back(Added);
    addCalleeOf(Added, Added.Callee);
  }
  return Known->second;
}

HeapProfile::Context &HeapProfile::enterContext(ArrayRef<FrameIndex> Leaf) {
  assert(!Leaf.empty() && "a context has frames");
  auto [Known, Next] =
      std::mismatch(Last.begin(), Last.end(), Leaf.rbegin(), Leaf.rend(),
                    [](const Step &S, FrameIndex F) { return S.Frame == F; });
  Last.erase(Known, Last.end());
  StackTrie::Node Current = Last.empty() ? StackTrie::Root : Last.back().Node;
  for (FrameIndex F : make_range(Next, Leaf.rend())) {
    const StackTrie::Node Caller = Current;
    Current = addNode(Caller, F);
    Last.push_back({F, Current});
    // A call of the machine code is of inlined frames up to one that is not.
    if (Caller != StackTrie::Root && !Nodes[Current].Call &&
        !Frames[F].IsInlined) {
      const uint32_t Call = addCall(Caller, Current);
      Nodes[Current].Call = Call + 1;
    }
  }
  if (const uint32_t Known = Nodes[Current].Context)
    return Contexts[Known - 1];
  Contexts.emplace_back().Stack = Current;
  Nodes[Current].Context = static_cast<uint32_t>(Contexts.size());
  // The innermost frame is the allocation itself, not a callsite. It may be
  // inlined into functions, whose callsite it is then.
  if (Frames[Stacks.frame(Current)].IsInlined &&
      Stacks.parent(Current) != StackTrie::Root) {
    const StackTrie::Node Call = callOf(Current);
    for (StackTrie::Node Outer = Stacks.parent(Call); Outer != StackTrie::Root;
         Outer = Stacks.parent(Outer))
      Callsites.try_emplace(Site(Call, Frames[Stacks.frame(Outer)].Function));
  }
  return Contexts.back();
}

void HeapProfile::noteMissingFrames(size_t Place) {
  assert(Place + 1 < Last.size() && "it has a caller");
  const StackTrie::Node N = Last[Last.size() - 1 - Place].Node;
  if (const uint32_t Known = Nodes[N].Call) {
    const Call Interrupted = Calls[Known - 1];
    addCalleeOf(Interrupted, interruptedMark(Interrupted.Callee));
  }
}

void HeapProfile::addMeasures(Context &To, const MemInfoBlock &Info) {
  if (To.HasMeasures)
    mergeBlocks(To.Info, Info);
  else
    To.Info = Info;
  To.HasMeasures = true;
}

HeapProfile::Context &HeapProfile::addContext(ArrayRef<Frame> Leaf,
                                              const MemInfoBlock &Info) {
  SmallVector<FrameIndex, 32> Indexes;
  for (const Frame &F : Leaf)
    Indexes.push_back(addFrame(F));
  Context &Result = enterContext(Indexes);
  addMeasures(Result, Info);
  return Result;
}

void HeapProfile::addCallsite(GlobalValue::GUID Function, ArrayRef<Frame> Leaf,
                              ArrayRef<GlobalValue::GUID> Callees) {
  Functions.insert(Function);
  StackTrie::Node Call = StackTrie::Root;
  for (const Frame &F : reverse(Leaf))
    Call = addNode(Call, addFrame(F));
  Callsites.try_emplace(Site(Call, Function));
  for (GlobalValue::GUID Callee : Callees)
    addCallee({Call, Function}, Callee);
}

void HeapProfile::noteAllocatingCall(const Context &C, AllocatingCall Is) {
  const Site Place = {callOf(C.Stack), Frames[Stacks.frame(C.Stack)].Function};
  if (Is != AllocatingCall::Allocator)
    addCallee(Place, anythingGUID());
  if (Is == AllocatingCall::Other)
    return;
  const auto Call = framesOfCall(C.Stack);
  if (AllocatorCalls.insert(Call).second && AnyCalls.count(Call))
    addCallee(Place, allocatorGUID());
}

void HeapProfile::addRuns(const RunInfo &Added) {
  if (Runs)
    Runs->add(Added);
  else
    Runs = Added;
}

void HeapProfile::addTouches(ArrayRef<Frame> Frames,
                             const TouchSums::PhasePlaces &Places,
                             const ContextTouches &Added) {
  if (Added.empty())
    return;
  SmallVector<FrameIndex, 32> Indexes;
  for (const Frame &F : Frames)
    Indexes.push_back(addFrame(F));
  addTouches(enterContext(Indexes), Places, Added);
}

void HeapProfile::addTouches(Context &C, const TouchSums::PhasePlaces &Places,
                             const ContextTouches &Added) {
  if (Added.empty())
    return;
  if (!C.Touches) {
    C.Touches = &Touches.of(fullStackId(C.Stack));
    Ids.clear();
  }
  TouchSums::add(*C.Touches, Places, Added);
}

void HeapProfile::addSamples(ArrayRef<Frame> Frames,
                             const ContextSamples &Added) {
  SmallVector<FrameIndex, 32> Indexes;
  for (const Frame &F : Frames)
    Indexes.push_back(addFrame(F));
  enterContext(Indexes).Samples.add(Added);
}

SamplesById HeapProfile::samples() const {
  SamplesById Result;
  for (const Context &C : Contexts)
    if (!C.Samples.isExact())
      Result[fullStackId(C.Stack)].add(C.Samples);
  return Result;
}

void HeapProfile::forgetTouches() {
  Touches = TouchSums();
  for (Context &C : Contexts)
    C.Touches = nullptr;
  Ids.clear();
  Layouts.clear();
}

void HeapProfile::addLayout(const BurstLayout &Added,
                            ArrayRef<const Context *> Numbered) {
  std::vector<uint64_t> Known(Numbered.size());
  BurstLayout Burst = Added;
  for (LayoutStretch &Stretch : Burst.Stretches)
    for (LayoutRun &Run : Stretch.Runs) {
      uint64_t &Id = Known[Run.Context];
      if (const Context *C = Numbered[Run.Context]; C && !Id)
        Id = fullStackId(C->Stack);
      Run.Context = Id;
    }
  addLayouts({std::move(Burst)});
}

void HeapProfile::addLayouts(std::vector<BurstLayout> Added) {
  append_range(Layouts, std::move(Added));
  // Not each time, as it takes a while.
  if (Layouts.size() <= MostLayouts)
    return;
  keepSomeBursts(Layouts);
  MostLayouts = std::max(MostLayouts, 2 * Layouts.size());
}

//===-- Binaries ----------------------------------------------------------===//

HeapProfile::BinaryIndex HeapProfile::addBinary(ArrayRef<uint8_t> Id,
                                                StringRef Name) {
  Binaries.add(Id, Name);
  const BinaryMap::BuildId Added(Id);
  auto Known = find(BinaryIds, Added);
  if (Known == BinaryIds.end())
    Known = BinaryIds.insert(Known, Added);
  return static_cast<BinaryIndex>(Known - BinaryIds.begin());
}

void HeapProfile::noteOtherFunction(FrameIndex Index, BinaryIndex Binary) {
  if (Frames[Index].Binary == 0)
    Frames[Index].Binary = Binary + 1;
  else
    Binaries.at(BinaryIds[Binary]).Functions.insert(Frames[Index].Function);
}

void HeapProfile::noteAllocation(Context &C, BinaryIndex Binary) {
  if (C.Binary == 0)
    C.Binary = Binary + 1;
  else if (C.Binary != Binary + 1)
    Binaries.at(BinaryIds[Binary]).Contexts.insert(fullStackId(C.Stack));
}

BinaryMap HeapProfile::binaries() const {
  BinaryMap Result = Binaries;
  for (const FrameEntry &F : Frames)
    if (F.Binary)
      Result.at(BinaryIds[F.Binary - 1]).Functions.insert(F.Function);
  for (const Context &C : Contexts)
    if (C.Binary)
      Result.at(BinaryIds[C.Binary - 1]).Contexts.insert(fullStackId(C.Stack));
  return Result;
}

//===-- What was added ----------------------------------------------------===//

void HeapProfile::framesOf(StackTrie::Node Stack,
                           SmallVectorImpl<Frame> &Result) const {
  Result.clear();
  for (; Stack != StackTrie::Root; Stack = Stacks.parent(Stack))
    Result.push_back(frame(Stacks.frame(Stack)));
}

uint64_t HeapProfile::fullStackId(StackTrie::Node Stack) const {
  SmallVector<Frame, 32> Frames;
  framesOf(Stack, Frames);
  return profile::computeFullStackId(Frames);
}

void HeapProfile::changeMeasures(
    function_ref<void(uint64_t, MemInfoBlock &)> Change) {
  for (Context &C : Contexts)
    Change(fullStackId(C.Stack), C.Info);
}

void HeapProfile::forEachContext(
    function_ref<void(ArrayRef<Frame>, const MemInfoBlock &)> Visit) const {
  SmallVector<Frame, 32> Frames;
  for (const Context &C : Contexts) {
    framesOf(C.Stack, Frames);
    Visit(Frames, C.Info);
  }
}

void HeapProfile::findIds() const {
  // Ids are dear, so those of contexts without touches are not worked out. Who
  // has one with such a context has the same functions, lines and columns.
  std::vector<uint64_t> Hashes(Stacks.size());
  for (StackTrie::Node N = StackTrie::Root + 1; N != Stacks.size(); ++N) {
    const FrameEntry &F = Frames[Stacks.frame(N)];
    SequenceHash Hash;
    Hash.add(Hashes[Stacks.parent(N)]);
    Hash.add(F.Function);
    Hash.add(uint64_t(F.LineOffset) << 32 | F.Column);
    Hashes[N] = Hash.value();
  }
  std::unordered_set<uint64_t> Touched;
  for (const Context &C : Contexts)
    if (C.Touches)
      Touched.insert(Hashes[C.Stack]);
  Ids.clear();
  for (const Context &C : Contexts)
    Ids.push_back(Touched.count(Hashes[C.Stack])
                      ? std::optional(fullStackId(C.Stack))
                      : std::nullopt);
}

void HeapProfile::forEachTouched(
    function_ref<void(std::optional<uint64_t>, const Context &)> Visit) const {
  if (Ids.size() != Contexts.size())
    findIds();
  for (const auto &[Id, C] : zip_equal(Ids, Contexts))
    Visit(Id, C);
}

std::vector<std::pair<HeapProfile::Site, HeapProfile::Callees>>
HeapProfile::callsites() const {
  // The bytes that were allocated below a node, and then through a call.
  std::vector<uint64_t> Below(Stacks.size()), Through(Calls.size());
  // The first place in the callee where it goes on.
  std::vector<std::pair<uint32_t, uint32_t>> FirstPlace(
      Calls.size(), {~uint32_t(0), ~uint32_t(0)});
  for (const Context &C : Contexts)
    Below[C.Stack] = C.Info.TotalSize;
  for (size_t N = Stacks.size(); --N != StackTrie::Root;) {
    uint64_t &Sum = Below[Stacks.parent(N)];
    Sum = SaturatingAdd(Sum, Below[N]);
    if (const uint32_t Call = Nodes[N].Call) {
      Through[Call - 1] = SaturatingAdd(Through[Call - 1], Below[N]);
      const FrameEntry &F = Frames[Stacks.frame(N)];
      FirstPlace[Call - 1] =
          std::min(FirstPlace[Call - 1], {F.LineOffset, F.Column});
    }
  }
  std::vector<std::pair<Site, Callees>> Result(Callsites.begin(),
                                               Callsites.end());
  for (auto &[Caller, Ordered] : Result)
    if (Ordered.size() > 1) {
      struct Entry {
        uint64_t Size = 0;
        std::string Name;
        std::pair<uint32_t, uint32_t> Place;
        GlobalValue::GUID Callee = 0;
      };
      SmallVector<Entry, 4> Entries;
      for (GlobalValue::GUID Callee : Ordered) {
        Entry &Added = Entries.emplace_back();
        Added.Callee = Callee;
        auto Known = CallIndexes.find({Caller.first, Callee});
        if (Known == CallIndexes.end())
          continue;
        Added.Size = Through[Known->second];
        Added.Place = FirstPlace[Known->second];
        if (NameOf)
          Added.Name = NameOf(Callee);
      }
      sort(Entries, [](const Entry &A, const Entry &B) {
        return std::tie(B.Size, A.Name, A.Place, A.Callee) <
               std::tie(A.Size, B.Name, B.Place, B.Callee);
      });
      for (auto [To, From] : zip_equal(Ordered, Entries))
        To = From.Callee;
    }
  return Result;
}

/// Puts \p Unsorted in the order of its keys.
template <typename Map> static void sortByKey(Map &Unsorted) {
  auto Entries = Unsorted.takeVector();
  sort(Entries, [](const auto &A, const auto &B) { return A.first < B.first; });
  Unsorted.reserve(Entries.size());
  for (auto &Entry : Entries)
    Unsorted.insert(std::move(Entry));
}

IndexedMemProfData HeapProfile::tables(const MemProfSchema &Schema) const {
  IndexedMemProfData Result;
  SmallVector<Frame, 32> InStack;
  auto Add = [&](StackTrie::Node Stack) {
    framesOf(Stack, InStack);
    SmallVector<FrameId> Ids;
    for (const Frame &F : InStack)
      Ids.push_back(Result.addFrame(F));
    return Result.addCallStack(std::move(Ids));
  };
  for (const Context &C : Contexts) {
    const CallStackId Id = Add(C.Stack);
    for (const Frame &F : InStack) {
      Result.Records[F.Function].AllocSites.emplace_back(Id, C.Info, Schema);
      if (!F.IsInlineFrame)
        break;
    }
  }
  for (auto &[Site, Callees] : callsites())
    Result.Records[Site.second].CallSites.emplace_back(Add(Site.first),
                                                       std::move(Callees));
  if (Runs)
    Result.Records[runInfoGUID()].AllocSites.emplace_back(
        Result.addCallStack(
            SmallVector<FrameId>{Result.addFrame(runInfoFrame())}),
        encodeRunInfo(*Runs), Schema);
  for (auto &[Function, Record] : Result.Records) {
    // What a function has several times is equal.
    sort(Record.AllocSites,
         [](const auto &A, const auto &B) { return A.CSId < B.CSId; });
    sort(Record.CallSites,
         [](const auto &A, const auto &B) { return A.CSId < B.CSId; });
  }
  sortByKey(Result.Frames);
  sortByKey(Result.CallStacks);
  sortByKey(Result.Records);
  return Result;
}
