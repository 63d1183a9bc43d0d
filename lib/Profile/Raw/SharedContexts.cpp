//===- Profile/Raw/SharedContexts.cpp - Contexts that look alike ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/SharedContexts.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

struct SharedContexts::Share {
  /// A hash of the build ids of its binaries, frame by frame.
  uint64_t Binaries = 0;
  MemInfoBlock Sum;
  /// The runs of the processes that have it, the last of which has the number
  /// LastProcess; 0 if there is none yet.
  RunInfo Runs;
  bool AreRunsKnown = true;
  unsigned LastProcess = 0;
  /// Nothing as long as there is no other share, whose part of all touches
  /// would have to be told from this one.
  std::optional<TouchSums::ContextSums> Touches;
  /// Whether a process that has it says when memory was touched.
  bool HasWindows = false;

  AccessKind accesses() const { return accessKind(Sum); }
  bool isCold() const;
  /// Whether it may have been in use, for all that is known of it.
  bool mayBeInUse() const {
    return !HasWindows && accesses() != AccessKind::Watched && !isCold();
  }
};

SharedContexts::SharedContexts() = default;
SharedContexts::~SharedContexts() = default;

void SharedContexts::beginProcess(const std::optional<RunInfo> &NewRun,
                                  bool TellsWindows) {
  Run = NewRun;
  HasWindows = TellsWindows;
  ++Process;
}

SharedContexts::Share *
SharedContexts::enter(uint64_t FullStackId,
                      ArrayRef<const ProfiledBinary *> Binaries,
                      const TouchSums &All) {
  SequenceHash Hash;
  for (const ProfiledBinary *Binary : Binaries)
    Hash.add(xxh3_64bits(Binary->id()));
  Shares &Known = Contexts[FullStackId];
  for (Share *Known : Known)
    if (Known->Binaries == Hash.value())
      return Known;
  Share *New = Entered.emplace_back(std::make_unique<Share>()).get();
  New->Binaries = Hash.value();
  if (Known.size() == 1)
    Known.front()->Touches = All.sumsOf(FullStackId);
  if (!Known.empty())
    New->Touches.emplace();
  Known.push_back(New);
  return New;
}

void SharedContexts::add(Share &To, const MemInfoBlock &Info,
                         const TouchSums::PhasePlaces &Places,
                         const ContextTouches &Touches) const {
  To.HasWindows |= HasWindows;
  if (To.Touches)
    TouchSums::add(*To.Touches, Places, Touches);
  if (To.LastProcess == 0)
    To.Sum = Info;
  else
    mergeBlocks(To.Sum, Info);
  if (To.LastProcess == Process)
    return;
  To.LastProcess = Process;
  if (Run)
    To.Runs.add(*Run);
  else
    To.AreRunsKnown = false;
}

bool SharedContexts::Share::isCold() const {
  return AreRunsKnown &&
         classify(PortableMemInfoBlock(Sum, getFullSchema()), Runs,
                  ColdThresholds()) == AllocationType::Cold;
}

/// What belongs to \p Count if \p Rate belongs to one.
static uint64_t scaled(double Rate, uint64_t Count) {
  return truncated(std::ceil(Rate * static_cast<double>(Count)));
}

namespace {

/// How hot the hottest of several shares is.
struct Heat {
  double AccessesPerByte = 0;
  double Density = 0;
  double Lifetime = HUGE_VAL;

  void add(const MemInfoBlock &Info) {
    const double Count = std::max<uint32_t>(Info.AllocCount, 1);
    AccessesPerByte =
        std::max(AccessesPerByte,
                 static_cast<double>(Info.TotalAccessCount) /
                     std::max<double>(static_cast<double>(Info.TotalSize), 1));
    Density = std::max(
        Density, static_cast<double>(Info.TotalLifetimeAccessDensity) / Count);
    Lifetime =
        std::min(Lifetime, static_cast<double>(Info.TotalLifetime) / Count);
  }

  void giveTo(MemInfoBlock &Info) const {
    // That nobody knows the accesses is enough.
    if (accessesAreUnknown(Info) || !Info.AllocCount)
      return;
    Info.TotalAccessCount = std::max(+Info.TotalAccessCount,
                                     scaled(AccessesPerByte, Info.TotalSize));
    Info.TotalLifetimeAccessDensity = std::max(
        +Info.TotalLifetimeAccessDensity, scaled(Density, Info.AllocCount));
    Info.TotalLifetime =
        std::min(+Info.TotalLifetime,
                 truncated(Lifetime * static_cast<double>(Info.AllocCount)));
  }
};

} // namespace

void SharedContexts::makeHot(HeapProfile &Heap,
                             function_ref<void(Bytes)> Count) const {
  std::map<uint64_t, Heat> NotColdInAll;
  for (const auto &[Id, Each] : Contexts) {
    if (Each.size() < 2)
      continue;
    bool IsChanged = false;
    if (any_of(Each, [](const Share *S) { return S->mayBeInUse(); })) {
      Heap.touchAll(Id);
      IsChanged = true;
    } else {
      SmallVector<const TouchSums::ContextSums *, 4> Parts;
      for (const Share *S : Each)
        Parts.push_back(&*S->Touches);
      IsChanged = Heap.raiseTouches(Id, Parts);
    }
    Shares Counted;
    copy_if(Each, std::back_inserter(Counted), [](const Share *S) {
      return S->accesses() == AccessKind::Counted;
    });
    const auto NumCold =
        count_if(Counted, [](const Share *S) { return S->isCold(); });
    if (NumCold != static_cast<ptrdiff_t>(Counted.size())) {
      Heat &Hottest = NotColdInAll[Id];
      for (const Share *S : Counted)
        Hottest.add(S->Sum);
      IsChanged |= NumCold != 0;
    }
    if (IsChanged)
      for (const Share *S : Each)
        Count(Bytes(S->Sum.TotalSize));
  }
  if (!NotColdInAll.empty())
    Heap.changeMeasures([&](uint64_t Id, MemInfoBlock &Info) {
      if (auto Found = NotColdInAll.find(Id); Found != NotColdInAll.end())
        Found->second.giveTo(Info);
    });
}
