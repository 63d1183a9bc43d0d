//===- Profile/HeapProfile.cpp - Contexts of any number of runs -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/StackIds.h"
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

void profile::mergeBlocks(MemInfoBlock &Into, const MemInfoBlock &From) {
  // The fields are packed, so that no reference to one may be taken.
#define ADD(Field) Into.Field = SaturatingAdd(+Into.Field, +From.Field)
#define MIN(Field) Into.Field = std::min(+Into.Field, +From.Field)
#define MAX(Field) Into.Field = std::max(+Into.Field, +From.Field)
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
  if (Into.DataTypeId != From.DataTypeId)
    Into.DataTypeId = 0;
  auto Last = [](const MemInfoBlock &B) {
    return std::make_tuple(+B.DeallocTimestamp, +B.AllocTimestamp,
                           +B.DeallocCpuId, +B.AllocCpuId);
  };
  if (Last(Into) < Last(From)) {
    Into.DeallocTimestamp = From.DeallocTimestamp;
    Into.AllocTimestamp = From.AllocTimestamp;
    Into.DeallocCpuId = From.DeallocCpuId;
    Into.AllocCpuId = From.AllocCpuId;
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

CallStackId HeapProfile::addCallStack(ArrayRef<Frame> Frames) {
  FrameIds Ids;
  Ids.reserve(Frames.size());
  for (const Frame &F : Frames)
    Ids.push_back(Pool.addFrame(F));
  return Pool.addCallStack(std::move(Ids));
}

void HeapProfile::addContext(ArrayRef<Frame> Frames, const MemInfoBlock &Info) {
  assert(!Frames.empty() && "a context has frames");
  auto [Known, New] = Contexts.try_emplace(addCallStack(Frames), Info);
  if (!New) {
    // Its calls are known, too.
    mergeBlocks(Known->second, Info);
    return;
  }
  for (const Frame &F : Frames)
    Functions.insert(F.Function);
  for (size_t First = 0; First != Frames.size();) {
    // One call of the machine code: inlined frames up to one that is not.
    size_t Size = 1;
    while (First + Size != Frames.size() &&
           Frames[First + Size - 1].IsInlineFrame)
      ++Size;
    ArrayRef<Frame> Call = Frames.slice(First, Size);
    // The very first frame is the allocation itself, not a callsite. Any other
    // call led to the function that the frame before it is of.
    ArrayRef<GlobalValue::GUID> Callee;
    if (First != 0)
      Callee = Frames[First - 1].Function;
    for (const Frame &F : Call.drop_front(First == 0 ? 1 : 0))
      addCallsite(F.Function, Call, Callee);
    First += Size;
  }
}

void HeapProfile::addCallsite(GlobalValue::GUID Function,
                              ArrayRef<Frame> Frames,
                              ArrayRef<GlobalValue::GUID> Callees) {
  Functions.insert(Function);
  Callsites[Function][addCallStack(Frames)].insert(Callees.begin(),
                                                   Callees.end());
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
  if (!Added.empty())
    Touches.add(profile::computeFullStackId(Frames), Places, Added);
}

void HeapProfile::forEachContext(
    function_ref<void(ArrayRef<Frame>, const MemInfoBlock &)> Visit) const {
  SmallVector<Frame> Frames;
  for (const auto &[Id, Info] : Contexts) {
    Frames.clear();
    for (FrameId F : Pool.CallStacks.find(Id)->second)
      Frames.push_back(Pool.Frames.find(F)->second);
    Visit(Frames, Info);
  }
}

/// \p From in the order of its keys.
template <typename Map> static Map sorted(const Map &From) {
  SmallVector<const typename Map::value_type *> Entries;
  Entries.reserve(From.size());
  for (const auto &Entry : From)
    Entries.push_back(&Entry);
  sort(Entries,
       [](const auto *A, const auto *B) { return A->first < B->first; });
  Map Result;
  Result.reserve(Entries.size());
  for (const auto *Entry : Entries)
    Result.insert(*Entry);
  return Result;
}

HeapProfile::CalleeBytes
HeapProfile::bytesByCallee(IndexedMemProfData &Tables) const {
  CalleeBytes Result;
  FrameIds Call;
  for (const auto &[Id, Info] : Contexts) {
    std::optional<GlobalValue::GUID> Callee;
    const auto &Frames = Pool.CallStacks.find(Id)->second;
    Call.clear();
    for (size_t I = 0; I != Frames.size(); ++I) {
      const Frame &At = Pool.Frames.find(Frames[I])->second;
      Call.push_back(Frames[I]);
      if (At.IsInlineFrame && I + 1 != Frames.size())
        continue;
      // The first call is the allocation.
      if (Callee) {
        uint64_t &Sum = Result[{Tables.addCallStack(Call), *Callee}];
        Sum = SaturatingAdd(Sum, Info.TotalSize);
      }
      Callee = At.Function;
      Call.clear();
    }
  }
  return Result;
}

IndexedMemProfData HeapProfile::tables(const MemProfSchema &Schema) const {
  IndexedMemProfData Result;
  Result.Frames = sorted(Pool.Frames);
  Result.CallStacks = sorted(Pool.CallStacks);

  std::map<GlobalValue::GUID, IndexedMemProfRecord> Records;
  for (const auto &[Id, Info] : Contexts)
    for (FrameId F : Pool.CallStacks.find(Id)->second) {
      const Frame &At = Pool.Frames.find(F)->second;
      Records[At.Function].AllocSites.emplace_back(Id, Info, Schema);
      if (!At.IsInlineFrame)
        break;
    }
  const CalleeBytes Through = bytesByCallee(Result);
  for (const auto &[Function, Sites] : Callsites)
    for (const auto &[Id, Callees] : Sites) {
      // Those that most was allocated in come first: readers may take a few.
      SmallVector<GlobalValue::GUID, 1> Ordered(Callees.begin(), Callees.end());
      auto Size = [&, Id = Id](GlobalValue::GUID Callee) {
        auto Known = Through.find({Id, Callee});
        return Known == Through.end() ? 0 : Known->second;
      };
      sort(Ordered, [&](GlobalValue::GUID A, GlobalValue::GUID B) {
        return std::make_tuple(Size(B), A) < std::make_tuple(Size(A), B);
      });
      Records[Function].CallSites.emplace_back(Id, std::move(Ordered));
    }
  if (Runs) {
    CallStackId Id =
        Result.addCallStack(FrameIds{Result.addFrame(runInfoFrame())});
    Records[runInfoGUID()].AllocSites.emplace_back(Id, encodeRunInfo(*Runs),
                                                   Schema);
  }
  for (auto &[Function, Record] : Records)
    Result.Records.insert({Function, std::move(Record)});
  return Result;
}
