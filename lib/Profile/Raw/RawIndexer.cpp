//===- Profile/Raw/RawIndexer.cpp - From a raw profile to contexts --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawIndexer.h"
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

/// Fills \p Result but for its frames, which \p AddFrames is called for.
/// \p Resolve tells what an address is, and the binary that it is in.
static void symbolizeInto(ArrayRef<uint64_t> Addresses, SymbolizedStack &Result,
                          auto &&Resolve, auto &&AddFrames) {
  // Set when frames are missing. Those below the root of the program (the C
  // library's start code) are not missed, so it counts only once a frame of the
  // program follows.
  bool Gap = false;
  SmallVector<StringRef, 4> Unknown;
  for (uint64_t Address : Addresses) {
    const auto &Resolved = Resolve(Address);
    const SymbolizedAddress &At = *Resolved.At;
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
      Gap |= Result.Binaries.empty() && At.CallsOtherObject;
      if (Gap)
        (Result.Binaries.empty() ? Result.AllocatedElsewhere
                                 : Result.Interrupted) = true;
      Gap = false;
      Result.Binaries.append(At.Frames.size(), Resolved.In);
      AddFrames(Resolved);
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
  const SymbolizedAddress *At = nullptr;
  /// The binary that it is in, if any.
  const ProfiledBinary *In = nullptr;
};

/// An address of a file whose frames are known to the profile.
struct KnownAddress : ResolvedAddress {
  SmallVector<HeapProfile::FrameIndex, 2> Frames;
};

/// The stacks of one file. Each of its addresses is looked up once.
class FileStacks {
public:
  FileStacks(ProfiledBinaries &Binaries, HeapProfile &Into)
      : Binaries(Binaries), Into(Into) {}

  /// The stack but for its frames, which are put into \p Frames.
  void symbolize(ArrayRef<uint64_t> Addresses, SymbolizedStack &Stack,
                 SmallVectorImpl<HeapProfile::FrameIndex> &Frames) {
    Stack.clear();
    Frames.clear();
    symbolizeInto(
        Addresses, Stack,
        [&](uint64_t Address) -> const KnownAddress & { return at(Address); },
        [&](const KnownAddress &At) { append_range(Frames, At.Frames); });
  }
  HeapProfile::BinaryIndex binary(const ProfiledBinary *In) {
    auto [Known, New] = BinaryIndexes.try_emplace(In, 0);
    if (New)
      Known->second = Into.addBinary(In->id(), In->name());
    return Known->second;
  }

private:
  const KnownAddress &at(uint64_t Address) {
    // A DenseMap reserves two keys.
    if (Address >= UINT64_MAX - 1)
      return Last[UINT64_MAX - Address] = resolve(Address);
    auto [Known, New] = Indexes.try_emplace(Address, Resolved.size());
    if (New)
      Resolved.push_back(resolve(Address));
    return Resolved[Known->second];
  }
  KnownAddress resolve(uint64_t Address) {
    KnownAddress Result;
    Result.At = &Binaries.symbolize(Address);
    Result.In = Binaries.at(Address);
    for (const Frame &F : Result.At->Frames)
      Result.Frames.push_back(Into.addFrame(F));
    return Result;
  }

  ProfiledBinaries &Binaries;
  HeapProfile &Into;
  DenseMap<uint64_t, uint32_t> Indexes;
  std::vector<KnownAddress> Resolved;
  KnownAddress Last[2];
  DenseMap<const ProfiledBinary *, HeapProfile::BinaryIndex> BinaryIndexes;
};

} // namespace

SymbolizedStack profile::symbolizeStack(ArrayRef<uint64_t> Addresses,
                                        ProfiledBinaries &Binaries) {
  SymbolizedStack Result;
  symbolizeInto(
      Addresses, Result,
      [&](uint64_t Address) {
        return ResolvedAddress{&Binaries.symbolize(Address),
                               Binaries.at(Address)};
      },
      [&](const ResolvedAddress &Of) {
        append_range(Result.Frames, Of.At->Frames);
      });
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

Error profile::indexRaw(const RawProfile &Raw, ProfiledBinaries &Binaries,
                        AllocatorFrames &Allocators, HeapProfile &Into,
                        SharedContexts &Shared,
                        SymbolizationStatistics &Statistics,
                        const ProgressFunction &Progress) {
  // Some tens of milliseconds.
  constexpr size_t ContextsPerStep = 16384;
  if (Error E = Binaries.locate(Raw))
    return E;
  bool AnyKept = false;
  TimeSpan Span;
  const RunLayout Layout(Raw.windows());
  const TouchSums::PhasePlaces Places = Into.addGrid(Layout.grid());
  std::optional<RunInfo> Known;
  if (Raw.run())
    Known = RunInfo::oneRun(Raw.run()->length());
  Shared.beginProcess(Known);
  FileStacks Stacks(Binaries, Into);
  SymbolizedStack Stack;
  SmallVector<HeapProfile::FrameIndex, 32> Frames;
  ContextCount *OfBinary = nullptr;
  const ProfiledBinary *LastBinary = nullptr;
  size_t Done = 0;
  for (const RawContext &C : Raw.contexts()) {
    if (Done++ % ContextsPerStep == 0)
      Progress(Done, Raw.contexts().size());
    Stacks.symbolize(Raw.addresses(C), Stack, Frames);
    const Bytes Size(C.Info.TotalSize);
    Statistics.All.add(Size);
    for (StringRef Name : Stack.WithoutDebugInfo)
      Statistics.WithoutDebugInfo.insert(Name.str());
    Span.add(C.Info.AllocTimestamp, C.Info.DeallocTimestamp, C.Info.MaxLifetime,
             /*OfProgram=*/!Frames.empty());
    if (Stack.AtSharedAddress)
      Statistics.AtSharedAddress.add(Size);
    if (Frames.empty()) {
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
    ArrayRef<HeapProfile::FrameIndex> Callers = Frames;
    if (!Allocators.empty()) {
      SmallVector<Frame, 32> All;
      for (HeapProfile::FrameIndex F : Frames)
        All.push_back(Into.frame(F));
      Callers = Callers.take_back(Allocators.callers(All).Frames.size());
    }
    ArrayRef<const ProfiledBinary *> In =
        ArrayRef(Stack.Binaries).take_back(Callers.size());
    if (In.front() != LastBinary) {
      LastBinary = In.front();
      OfBinary = &Statistics.ByBinary[LastBinary->path().str()];
    }
    OfBinary->add(Size);
    ContextTouches Touches = Layout.layOut(C.Touches);
    if (Raw.isSampled())
      for (UnitTouches *Units : {&Touches.Objects, &Touches.Pages})
        Units->noteSampling(C.Sampling.Measured, C.Info.AllocCount);
    if (!Binaries.isOneFile()) {
      SmallVector<Frame, 32> All;
      for (HeapProfile::FrameIndex F : Callers)
        All.push_back(Into.frame(F));
      Shared.note(profile::computeFullStackId(All), In, C.Info);
    }
    HeapProfile::Context &Added = Into.addContext(Callers, C.Info);
    for (const auto &[F, Of] : zip_equal(Callers, In))
      Into.noteFunction(F, Stacks.binary(Of));
    Into.noteAllocation(Added, Stacks.binary(In.front()));
    Into.addTouches(Added, Places, Touches);
  }
  if (!AnyKept && !Raw.contexts().empty())
    return fileError(Raw.file(), whyNoContext(Binaries, Statistics));
  RunInfo Run = Known ? *Known : RunInfo::oneEstimatedRun(Span.length());
  Run.WithWindows = Raw.windows().empty() ? 0 : 1;
  Into.addRuns(Run);
  Statistics.HistogramsLeftOut += Raw.numHistograms();
  return Error::success();
}
