//===- Profile/Raw/RawIndexer.cpp - From a raw profile to contexts --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

/// Whether \p Symbol is of what runs before main, which never has debug
/// information and is not missed.
static bool isStartCode(StringRef Symbol) {
  return Symbol.empty() || Symbol == "_start" ||
         Symbol.starts_with("__libc_start") || Symbol == "__libc_csu_init" ||
         Symbol.starts_with("_dl_") || Symbol == "call_init";
}

/// Fills \p Result but for its frames, which \p AddFrames is called for.
/// \p Resolve tells what each of \p Calls is, and the binary that it is in.
static void symbolizeInto(auto Calls, SymbolizedStack &Result, auto &&Resolve,
                          auto &&AddFrames) {
  // Set when frames are missing. Those below the root of the program (the C
  // library's start code) are not missed, so it counts only once a frame of the
  // program follows.
  bool Gap = false;
  SmallVector<StringRef, 4> Unknown;
  for (auto Call : Calls) {
    const auto &Resolved = Resolve(Call);
    const SymbolizedAddress &Address = *Resolved.Address;
    switch (Address.Kind) {
    case AddressKind::ColdFunction:
      Result.IsHinted = true;
      [[fallthrough]];
    case AddressKind::Runtime:
      // What an allocation function calls is not the program's.
      if (Result.Binaries.empty()) {
        Gap = Result.MissesDebugInfo = false;
        Unknown.clear();
      }
      break;
    case AddressKind::SeveralObjects:
      Gap = Result.AtSharedAddress = true;
      break;
    case AddressKind::OtherObject:
      Gap = true;
      break;
    case AddressKind::NoDebugInfo:
      Gap = Result.MissesDebugInfo = true;
      if (!isStartCode(Address.Symbol))
        Unknown.push_back(Address.Symbol);
      break;
    case AddressKind::Program:
      // It jumped to the allocation function, and is not on the stack.
      Gap |= Result.Binaries.empty() && Address.CallsOtherObject;
      if (Result.Binaries.empty()) {
        if (!Gap)
          Result.Innermost = Address.CallsByName ? AllocatingCall::Allocator
                                                 : AllocatingCall::Either;
        Result.AllocatedElsewhere |= Gap;
      } else if (Gap || Address.CallsNative) {
        Result.MissingAfter.push_back(Result.Binaries.size());
      }
      Gap = false;
      Result.Binaries.append(Address.Frames.size(), Resolved.Binary);
      if (Address.IsMerged)
        Result.MergedWithin = Result.Binaries.size();
      AddFrames(Resolved);
      if (!Unknown.empty())
        append_range(Result.WithoutDebugInfo, Unknown);
      Unknown.clear();
      break;
    }
  }
  if (Result.Binaries.empty())
    Result.WithoutDebugInfo = std::move(Unknown);
}

namespace {
/// What an address is.
struct ResolvedAddress {
  const SymbolizedAddress *Address = nullptr;
  /// The binary that it is in, if any.
  const ProfiledBinary *Binary = nullptr;
};
} // namespace

SymbolizedStack profile::symbolizeStack(RawAddresses Addresses,
                                        ProfiledBinaries &Binaries) {
  SymbolizedStack Result;
  symbolizeInto(
      Addresses, Result,
      [&](uint64_t Address) {
        return ResolvedAddress{&Binaries.symbolize(Address),
                               Binaries.at(Address)};
      },
      [&](const ResolvedAddress &Resolved) {
        append_range(Result.Frames, Resolved.Address->Frames);
      });
  return Result;
}

std::vector<std::string>
profile::describeMissingDwoFiles(const ProfiledBinaries &Binaries) {
  std::vector<std::string> Result;
  for (ProfiledBinary *Binary : Binaries.all()) {
    const std::vector<std::string> Missing = Binary->missingDwoFiles();
    if (Missing.empty())
      continue;
    const bool One = Missing.size() == 1;
    Result.push_back(
        (Binary->path() + ": debug information is missing: " + Missing.front() +
         (One ? "" : " and " + formatCount(Missing.size() - 1) + " more") +
         " cannot be found or read; bring " + (One ? "it" : "them") +
         " back, or a package beside the program (llvm-dwp -e " +
         Binary->path() + " -o " + Binary->path() + ".dwp)")
            .str());
  }
  return Result;
}

/// Whether nothing is missing that frames in \p Binaries need.
static bool haveAllFrames(const ProfiledBinaries &Binaries,
                          const SymbolizationStatistics &Statistics) {
  return Statistics.WithoutDebugInfo.empty() &&
         any_of(Binaries.all(),
                [](const ProfiledBinary *B) { return B->hasDebugInfo(); }) &&
         none_of(Binaries.all(),
                 [](const ProfiledBinary *B) { return B->isDamaged(); });
}

/// Why no context of a profile has a frame in \p Binaries.
static std::string whyNoContext(const ProfiledBinaries &Binaries,
                                const SymbolizationStatistics &Statistics) {
  std::string Misses;
  for (const ProfiledBinary *Binary : Binaries.all())
    if (Binary->isDamaged())
      return ("no context can be symbolized: " + Binary->path() + " is damaged")
          .str();
  if (none_of(Binaries.all(), [](const ProfiledBinary *Binary) {
        return Binary->hasDebugInfo();
      }))
    Misses = "no debug information";
  else if (!Statistics.WithoutDebugInfo.empty())
    Misses = "no debug information for " + *Statistics.WithoutDebugInfo.begin();
  else
    return "no context has a frame in " + Binaries.describe();
  if (std::vector<std::string> Missing = describeMissingDwoFiles(Binaries);
      !Missing.empty())
    return "no context can be symbolized: " + join(Missing, "; ");
  std::string Text = "no context can be symbolized: " + Binaries.describe() +
                     (Binaries.all().size() == 1 ? " has " : " have ") +
                     Misses +
                     " (compile by the config file for profiles, or with -gmlt "
                     "-fdebug-info-for-profiling)";
  for (const std::string &Problem : Binaries.problems())
    Text += "; " + Problem;
  return Text;
}

/// Says how many of the objects of a context the page table was asked for.
/// \p Raw has these, and all that lived, where counted profiles have granules.
/// An object that is looked at in each window is one object, and tells no more
/// of the others than it does in one window.
static void noteWatched(const UnitTouches &Raw, UnitTouches &Touches) {
  const auto NumWindows = static_cast<uint64_t>(count_if(
      Touches.Windows, [](const WindowTouches &W) { return W.Live != 0; }));
  Touches.noteSampling(Raw.TouchedGranules,
                       SaturatingMultiply(Raw.Granules, NumWindows));
  // Before version 5 of windows it is not known how much weights differ.
  if (Touches.Variance == 0 && Raw.TouchedGranules)
    Touches.Variance = truncated(static_cast<double>(Touches.live()) *
                                 (static_cast<double>(Raw.Granules) /
                                      static_cast<double>(Raw.TouchedGranules) -
                                  1));
  Touches.Granules = Touches.TouchedGranules = 0;
}

/// Says how many of the objects were recorded in a run whose accesses were
/// counted. \p Sampling is of all \p AllocCount allocations of the context:
/// those that lived are taken to be like them.
static void noteSampled(const RawSampling &Sampling, uint64_t AllocCount,
                        UnitTouches &Touches) {
  Touches.noteSampling(Sampling.Measured, AllocCount);
  if (AllocCount)
    Touches.Variance = truncated(std::ceil(static_cast<double>(Touches.live()) *
                                           Sampling.AllocCountVariance /
                                           static_cast<double>(AllocCount)));
}

/// What \p Sampling says of the totals of \p AllocCount allocations, of which
/// \p NumBefore equal copies were added before.
static ContextSamples samplesOf(const RawSampling &Sampling,
                                uint64_t AllocCount, uint64_t NumBefore) {
  ContextSamples Result;
  Result.Estimated = AllocCount - std::min(AllocCount, Sampling.Measured);
  Result.CountVariance = truncated(std::ceil(Sampling.AllocCountVariance));
  Result.SizeVariance = truncated(std::ceil(Sampling.SizeVariance * 0x1p-20));
  Result.noteCopy(NumBefore);
  return Result;
}

//===-- Calls and stacks --------------------------------------------------===//

struct RawIndexer::KnownCall : ResolvedAddress {
  SmallVector<HeapProfile::FrameIndex, 2> Frames;
};

RawIndexer::RawIndexer(ProfiledBinaries &Binaries, AllocatorFrames &Allocators,
                       HeapProfile &Heap, SharedContexts &Shared,
                       SymbolizationStatistics &Statistics)
    : Binaries(Binaries), Allocators(Allocators), Heap(Heap), Shared(Shared),
      Statistics(Statistics) {}

RawIndexer::~RawIndexer() = default;

RawIndexer::CallIndex RawIndexer::resolve(uint64_t Address) {
  KnownCall Call;
  Call.Address = &Binaries.symbolize(Address);
  Call.Binary = Binaries.at(Address);
  auto [Known, New] = CallIndexes.try_emplace(
      std::pair(Call.Address, Call.Binary), Calls.size());
  if (New) {
    for (const Frame &F : Call.Address->Frames)
      Call.Frames.push_back(Heap.addFrame(F));
    Calls.push_back(std::move(Call));
  }
  return Known->second;
}

uint32_t RawIndexer::slotOf(uint64_t Address) {
  const auto Next = static_cast<uint32_t>(OfSlot.size());
  // A DenseMap reserves two keys.
  if (Address < UINT64_MAX - 1)
    if (auto [Known, New] = OfFile.try_emplace(Address, Next); !New)
      return Known->second;
  OfSlot.push_back(0);
  Unresolved.push_back(Address);
  return Next;
}

void RawIndexer::lookUpCalls(ArrayRef<RawContext> Contexts) {
  Slots.clear();
  NumCommon.clear();
  for (const RawContext &C : Contexts) {
    const auto Common = std::mismatch(Before.rbegin(), Before.rend(),
                                      C.Calls.rbegin(), C.Calls.rend());
    Before = C.Calls;
    NumCommon.push_back(
        static_cast<uint32_t>(Common.second - C.Calls.rbegin()));
    for (uint64_t Address : make_range(Common.second, C.Calls.rend()))
      Slots.push_back(slotOf(Address));
  }
  if (Unresolved.empty())
    return;
  Binaries.prepare(Unresolved);
  for (auto [Slot, Address] : zip_equal(
           MutableArrayRef(OfSlot).take_back(Unresolved.size()), Unresolved))
    Slot = resolve(Address);
  Unresolved.clear();
}

HeapProfile::BinaryIndex RawIndexer::binary(const ProfiledBinary *Binary) {
  auto [Known, New] = BinaryIndexes.try_emplace(Binary, 0);
  if (New)
    Known->second = Heap.addBinary(Binary->id(), Binary->name());
  return Known->second;
}

RawIndexer::KnownStack RawIndexer::enterStack() {
  Symbolized.clear();
  Frames.clear();
  symbolizeInto(
      reverse(Stack), Symbolized,
      [&](const Step &S) -> const KnownCall & { return Calls[S.Call]; },
      [&](const KnownCall &Call) {
        Frames.append(Call.Frames.begin(), Call.Frames.end());
      });
  for (StringRef Name : Symbolized.WithoutDebugInfo)
    Statistics.WithoutDebugInfo.insert(Name.str());
  KnownStack Result;
  Result.AtSharedAddress = Symbolized.AtSharedAddress;
  Result.MissesDebugInfo = Symbolized.MissesDebugInfo;
  Result.AllocatedElsewhere = Symbolized.AllocatedElsewhere;
  Result.Interrupted = !Symbolized.MissingAfter.empty();
  if (Frames.empty())
    return Result;
  Result.ThroughSeveral = !all_equal(Symbolized.Binaries);
  ArrayRef<HeapProfile::FrameIndex> Callers = Frames;
  SmallVector<Frame, 32> All;
  if (!Allocators.empty() || !Binaries.isOneFile())
    for (HeapProfile::FrameIndex F : Frames)
      All.push_back(Heap.frame(F));
  const ArrayRef<Frame> CallerFrames = Allocators.callers(All).Frames;
  if (!Allocators.empty())
    Callers = Callers.take_back(CallerFrames.size());
  const auto CallerBinaries =
      ArrayRef(Symbolized.Binaries).take_back(Callers.size());
  Result.OfBinary = &Statistics.ByBinary[CallerBinaries.front()->path().str()];
  if (!Binaries.isOneFile())
    Result.Share = Shared.enter(computeFullStackId(CallerFrames),
                                CallerBinaries, Heap.touches());
  Result.Context = &Heap.enterContext(Callers);
  const size_t NumLeftOut = Frames.size() - Callers.size();
  Result.IsMerged = Symbolized.MergedWithin > NumLeftOut;
  for (size_t NumBefore : Symbolized.MissingAfter)
    if (NumBefore > NumLeftOut)
      Heap.noteMissingFrames(NumBefore - NumLeftOut - 1);
  AllocatingCall Innermost = Symbolized.Innermost;
  if (Innermost == AllocatingCall::Either && ComparesPointers)
    Innermost = AllocatingCall::Other;
  // Frames inside the program's own allocation functions are left out.
  if (Callers.size() == Frames.size())
    Heap.noteAllocatingCall(*Result.Context, Innermost);
  const ProfiledBinary *Last = nullptr;
  HeapProfile::BinaryIndex Index = 0;
  for (const auto &[F, Binary] :
       zip_equal(reverse(Callers), reverse(CallerBinaries))) {
    if (Binary != Last) {
      Last = Binary;
      Index = binary(Binary);
    }
    Heap.noteFunction(F, Index);
  }
  Heap.noteAllocation(*Result.Context, Index);
  return Result;
}

RawIndexer::KnownStack RawIndexer::stackOf(uint32_t Common,
                                           ArrayRef<uint32_t> Rest) {
  // There may be no other file, and then nothing has to be remembered.
  const bool IsRemembered = NumFiles != 1;
  Stack.truncate(Common);
  StackTrie::Node Node = Stack.empty() ? StackTrie::Root : Stack.back().Node;
  for (uint32_t Slot : Rest) {
    const CallIndex Call = OfSlot[Slot];
    if (IsRemembered)
      Node = CallStacks.child(Node, Call);
    Stack.push_back({Call, Node});
  }
  if (!IsRemembered)
    return enterStack();
  StackNumbers.resize(CallStacks.size());
  uint32_t &Number = StackNumbers[Node];
  if (Number == 0) {
    KnownStacks.push_back(enterStack());
    Number = static_cast<uint32_t>(KnownStacks.size());
  }
  return KnownStacks[Number - 1];
}

//===-- Profiles ----------------------------------------------------------===//

void RawIndexer::count(const KnownStack &Stack, Bytes Size) {
  Statistics.All.add(Size);
  if (Stack.AtSharedAddress)
    Statistics.AtSharedAddress.add(Size);
  if (!Stack.Context) {
    Statistics.Dropped.add(Size);
    if (Stack.MissesDebugInfo)
      Statistics.DroppedWithoutDebugInfo.add(Size);
    return;
  }
  if (Stack.ThroughSeveral)
    Statistics.ThroughSeveral.add(Size);
  if (Stack.AllocatedElsewhere)
    Statistics.AllocatedElsewhere.add(Size);
  if (Stack.Interrupted)
    Statistics.Interrupted.add(Size);
  if (Stack.IsMerged)
    Statistics.ThroughMerged.add(Size);
  Stack.OfBinary->add(Size);
}

Error RawIndexer::add(const RawProfile &Raw, const ProgressFunction &Progress,
                      uint64_t NumBefore) {
  // Some tens of milliseconds.
  constexpr size_t ContextsPerStep = 16384;
  if (Error E = Binaries.locate(Raw))
    return E;
  ++NumFiles;
  OfFile.clear();
  OfSlot.clear();
  Before = {};
  Stack.clear();
  bool AnyKept = false;
  TimeSpan Span;
  const RunLayout Layout(Raw.windows(), Raw.accesses() == AccessKind::Watched,
                         Raw.pageBytes());
  std::optional<TouchSums::PhasePlaces> Places;
  std::optional<RunInfo> Known;
  if (Raw.run())
    Known = RunInfo::oneRun(Raw.run()->length());
  ComparesPointers = Raw.run() && Raw.accesses() == AccessKind::Counted;
  Shared.beginProcess(Known, !Raw.windows().empty());
  const ArrayRef<RawContext> All = Raw.contexts();
  std::vector<const HeapProfile::Context *> Entered(All.size());
  for (size_t Done = 0; Done < All.size(); Done += ContextsPerStep) {
    Progress(Done + 1, All.size());
    const auto Step =
        All.slice(Done, std::min(ContextsPerStep, All.size() - Done));
    lookUpCalls(Step);
    ArrayRef<uint32_t> Rest = Slots;
    for (auto [C, Common] : zip_equal(Step, NumCommon)) {
      const size_t NumNew = C.Calls.size() - Common;
      const KnownStack Stack = stackOf(Common, Rest.take_front(NumNew));
      Rest = Rest.drop_front(NumNew);
      count(Stack, Bytes(C.Info.TotalSize));
      Span.add(C.Info.AllocTimestamp, C.Info.DeallocTimestamp,
               C.Info.MaxLifetime, /*OfProgram=*/Stack.Context != nullptr);
      if (!Stack.Context)
        continue;
      AnyKept = true;
      Entered[&C - All.data()] = Stack.Context;
      if (!Places)
        Places = Heap.addGrid(Layout.grid());
      Heap.addMeasures(*Stack.Context, C.Info);
      if (Raw.isSampled())
        Stack.Context->Samples.add(
            samplesOf(Raw.sampling(C), C.Info.AllocCount, NumBefore));
      ContextTouches Touches = Layout.layOut(C.Touches);
      if (accessKind(C.Info) == AccessKind::Watched) {
        noteWatched(C.Touches.Objects, Touches.Objects);
      } else if (Raw.isSampled()) {
        for (UnitTouches *Units : {&Touches.Objects, &Touches.Pages})
          noteSampled(Raw.sampling(C), C.Info.AllocCount, *Units);
      }
      for (UnitTouches *Units : {&Touches.Objects, &Touches.Pages})
        Units->noteCopy(NumBefore);
      if (Stack.Share)
        Shared.add(*Stack.Share, C.Info, *Places, Touches);
      Heap.addTouches(*Stack.Context, *Places, Touches);
    }
  }
  if (!AnyKept && !Raw.contexts().empty()) {
    Error Why = fileError(Raw.file(), whyNoContext(Binaries, Statistics));
    if (!haveAllFrames(Binaries, Statistics))
      return Why;
    Statistics.WithoutFrames.push_back(toString(std::move(Why)));
  }
  if (!Places)
    Heap.addGrid(Layout.grid());
  for (const BurstLayout &Burst : Raw.layouts())
    Heap.addLayout(Burst, Entered);
  RunInfo Run = Known ? *Known : RunInfo::oneEstimatedRun(Span.length());
  Run.WithWindows = Raw.windows().empty() ? 0 : 1;
  Heap.addRuns(Run);
  return Error::success();
}
