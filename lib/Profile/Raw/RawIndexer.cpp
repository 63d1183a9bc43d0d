//===- Profile/Raw/RawIndexer.cpp - From a raw profile to contexts --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/Raw/SharedContexts.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

SymbolizedStack profile::symbolizeStack(ArrayRef<uint64_t> Addresses,
                                        ProfiledBinaries &Binaries) {
  SymbolizedStack Result;
  // Set when frames are missing. Those below the root of the program (the C
  // library's start code) are not missed, so it counts only once a frame of the
  // program follows.
  bool Gap = false;
  SmallVector<StringRef, 4> Unknown;
  for (uint64_t Address : Addresses) {
    const SymbolizedAddress &At = Binaries.symbolize(Address);
    switch (At.Kind) {
    case AddressKind::Runtime:
      break;
    case AddressKind::ColdFunction:
      Result.IsHinted = true;
      break;
    case AddressKind::SeveralObjects:
      Gap = Result.AtSharedAddress = true;
      break;
    case AddressKind::OtherObject:
      Gap = true;
      break;
    case AddressKind::NoDebugInfo:
      Gap = Result.MissesDebugInfo = true;
      if (!isStartCode(At.Symbol))
        Unknown.push_back(At.Symbol);
      break;
    case AddressKind::Program:
      // It jumped to the allocation function, and is not on the stack.
      Gap |= Result.Frames.empty() && At.CallsOtherObject;
      if (Gap)
        (Result.Frames.empty() ? Result.AllocatedElsewhere
                               : Result.Interrupted) = true;
      Gap = false;
      Result.Binaries.append(At.Frames.size(), Binaries.at(Address));
      append_range(Result.Frames, At.Frames);
      append_range(Result.WithoutDebugInfo, Unknown);
      Unknown.clear();
      break;
    }
  }
  if (Result.Frames.empty())
    Result.WithoutDebugInfo = std::move(Unknown);
  return Result;
}

std::vector<std::string>
profile::describeMissingDwoFiles(const ProfiledBinaries &Binaries) {
  std::vector<std::string> Result;
  for (const ProfiledBinary *Binary : Binaries.all()) {
    const std::vector<std::string> Missing = Binary->missingDwoFiles();
    if (Missing.empty())
      continue;
    const bool One = Missing.size() == 1;
    Result.push_back(
        (Binary->path() + ": debug information is missing: " + Missing.front() +
         (One ? "" : " and " + formatCount(Missing.size() - 1) + " more") +
         " cannot be found; bring " + (One ? "it" : "them") +
         " back, or a package beside the program (llvm-dwp -e " +
         Binary->path() + " -o " + Binary->path() + ".dwp)")
            .str());
  }
  return Result;
}

/// Why no context of a profile has a frame in \p Binaries.
static std::string whyNoContext(const ProfiledBinaries &Binaries,
                                const SymbolizationStatistics &Statistics) {
  std::string Misses;
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
                     " (compile with -gmlt -fdebug-info-for-profiling)";
  for (const std::string &Problem : Binaries.problems())
    Text += "; " + Problem;
  return Text;
}

/// Enters where each of \p Frames is, and that of the allocation.
static void noteBinaries(ArrayRef<Frame> Frames,
                         ArrayRef<const ProfiledBinary *> Binaries,
                         BinaryMap &Into) {
  for (const auto &[F, In] : zip_equal(Frames, Binaries))
    Into.add(In->id(), In->name()).Functions.insert(F.Function);
  Into.add(Binaries.front()->id(), Binaries.front()->name())
      .Contexts.insert(profile::computeFullStackId(Frames));
}

/// The contexts of \p Raw that may be of several of \p Binaries.
static SharedContexts findShared(const RawProfile &Raw,
                                 ProfiledBinaries &Binaries,
                                 AllocatorFrames &Allocators) {
  SharedContexts Result;
  if (Binaries.all().size() < 2)
    return Result;
  for (const RawContext &C : Raw.contexts()) {
    const SymbolizedStack Stack = symbolizeStack(Raw.addresses(C), Binaries);
    if (Stack.Frames.empty())
      continue;
    ArrayRef<Frame> Callers = Allocators.callers(Stack.Frames).Frames;
    Result.note(profile::computeFullStackId(Callers),
                ArrayRef(Stack.Binaries).take_back(Callers.size()), C.Info);
  }
  return Result;
}

Error profile::indexRaw(const RawProfile &Raw, ProfiledBinaries &Binaries,
                        AllocatorFrames &Allocators, HeapProfile &Into,
                        SymbolizationStatistics &Statistics) {
  if (Error E = Binaries.locate(Raw))
    return E;
  bool AnyKept = false;
  TimeSpan Span;
  const RunLayout Layout(Raw.windows());
  const TouchSums::PhasePlaces Places = Into.addGrid(Layout.grid());
  std::optional<RunInfo> Known;
  if (Raw.run())
    Known = RunInfo::oneRun(Raw.run()->length());
  const SharedContexts Shared = findShared(Raw, Binaries, Allocators);
  for (const RawContext &C : Raw.contexts()) {
    SymbolizedStack Stack = symbolizeStack(Raw.addresses(C), Binaries);
    const Bytes Size(C.Info.TotalSize);
    Statistics.All.add(Size);
    for (StringRef Name : Stack.WithoutDebugInfo)
      Statistics.WithoutDebugInfo.insert(Name.str());
    Span.add(C.Info.AllocTimestamp, C.Info.DeallocTimestamp, C.Info.MaxLifetime,
             /*OfProgram=*/!Stack.Frames.empty());
    if (Stack.AtSharedAddress)
      Statistics.AtSharedAddress.add(Size);
    if (Stack.Frames.empty()) {
      Statistics.Dropped.add(Size);
      if (Stack.MissesDebugInfo)
        Statistics.DroppedWithoutDebugInfo.add(Size);
      continue;
    }
    AnyKept = true;
    if (!all_equal(Stack.Binaries))
      Statistics.ThroughSeveral.add(Size);
    if (Stack.AllocatedElsewhere)
      Statistics.AllocatedElsewhere.add(Size);
    if (Stack.Interrupted)
      Statistics.Interrupted.add(Size);
    ArrayRef<Frame> Callers = Allocators.callers(Stack.Frames).Frames;
    ArrayRef<const ProfiledBinary *> In =
        ArrayRef(Stack.Binaries).take_back(Callers.size());
    Statistics.ByBinary[In.front()->path().str()].add(Size);
    noteBinaries(Callers, In, Into.binaries());
    ContextTouches Touches = Layout.layOut(C.Touches);
    if (Raw.isSampled())
      for (UnitTouches *Units : {&Touches.Objects, &Touches.Pages})
        Units->noteSampling(C.Sampling.Measured, C.Info.AllocCount);
    MemInfoBlock Info = C.Info;
    const uint64_t Id = profile::computeFullStackId(Callers);
    if (Shared.isMixed(Id, Known)) {
      Statistics.LikeOthers.add(Size);
      Shared.makeHot(Id, Info, Touches);
    }
    Into.addContext(Callers, Info);
    Into.addTouches(Callers, Places, Touches);
  }
  if (!AnyKept && !Raw.contexts().empty())
    return fileError(Raw.file(), whyNoContext(Binaries, Statistics));
  RunInfo Run = Known ? *Known : RunInfo::oneEstimatedRun(Span.length());
  Run.WithWindows = Raw.windows().empty() ? 0 : 1;
  Into.addRuns(Run);
  Statistics.HistogramsLeftOut += Raw.numHistograms();
  return Error::success();
}
