//===- Report/Page/Facts.cpp - What a profile knows of contexts -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Report/Page.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using namespace thermocline::report;

/// What lived in \p Bin of all units, and how many were touched.
static WindowTouches unitsOf(const UnitTouches &U, size_t Bin) {
  return Bin >= U.First && Bin - U.First < U.Windows.size()
             ? U.Windows[Bin - U.First]
             : WindowTouches();
}

/// Bytes that lived in \p Bin, which is of \p Phase, as the mean of its runs.
static uint64_t liveBytes(const ContextTouches &T, size_t Bin,
                          const TouchPhase &Phase) {
  const double Sum = static_cast<double>(unitsOf(T.Objects, Bin).LiveBytes) +
                     static_cast<double>(unitsOf(T.Pages, Bin).LiveBytes) *
                         Phase.scaleOfPages();
  return truncated(Sum /
                   static_cast<double>(std::max<uint64_t>(Phase.Runs, 1)));
}

static std::string heatOf(const ContextTouches &T, size_t NumBins) {
  std::string Result;
  for (size_t Bin = 0; Bin != NumBins; ++Bin) {
    const WindowTouches Objects = unitsOf(T.Objects, Bin),
                        Pages = unitsOf(T.Pages, Bin);
    const uint64_t Live = Objects.Live + Pages.Live,
                   Touched = Objects.Touched + Pages.Touched;
    if (!Live)
      Result += '-';
    else if (!Touched)
      Result += '0';
    else
      // Whatever is touched shows.
      Result +=
          static_cast<char>('1' + std::min<uint64_t>(Touched * 9 / Live, 8));
  }
  return Result;
}

/// Adds the windows of \p Profile.
static Error addWindows(ProfileFacts &Facts, const IndexedProfile &Profile,
                        TouchesById Touches,
                        function_ref<bool(uint64_t)> IsHinted) {
  const TouchGrid &Grid = Profile.touchGrid();
  for (const TouchPhase &P : Grid.Phases)
    Facts.Phases.push_back(
        {P.Name, static_cast<double>(P.WindowUs) / 1000 /
                     static_cast<double>(std::max<uint64_t>(P.Runs, 1)) /
                     BinsPerPhase});
  auto PhaseOf = [&](size_t Bin) -> const TouchPhase & {
    return Grid.Phases[Bin / BinsPerPhase];
  };
  std::vector<uint64_t> Live(Grid.numBins());
  for (const ContextTouches &T : Touches.Touches.Contexts)
    for (size_t Bin = 0; Bin != Live.size(); ++Bin)
      Live[Bin] += liveBytes(T, Bin, PhaseOf(Bin));
  const auto Peak = static_cast<size_t>(max_element(Live) - Live.begin());
  BitVector Hinted(Touches.Ids.size());
  for (auto [I, Id] : enumerate(Touches.Ids))
    if (IsHinted(Id))
      Hinted.set(static_cast<unsigned>(I));
  const placement::PlacementOptions Options = Profile.decidedFor();
  auto Shares = placement::shareOut(Touches.Touches,
                                    BitVector(Touches.Ids.size()), Options);
  if (!Shares)
    return Shares.takeError();
  // The picture is of all phases, whichever of them decided.
  placement::PlacementOptions Everything = Options;
  Everything.Phase.clear();
  auto Bins = placement::pictureBins(Touches.Touches, Hinted, Everything);
  if (!Bins)
    return Bins.takeError();
  for (const placement::BinPicture &B : *Bins)
    Facts.Bins.push_back({B.Live, B.Before, B.Hot, B.Cold});
  for (auto [I, Id] : enumerate(Touches.Ids)) {
    ProfileFacts::Context &C = Facts.Contexts[Id];
    const ContextTouches &T = Touches.Touches.Contexts[I];
    C.Heat = heatOf(T, Grid.numBins());
    C.Values[size_t(PageValue::Live)] = liveBytes(T, Peak, PhaseOf(Peak));
    C.Values[size_t(PageValue::Pages)] = static_cast<uint64_t>(
        std::llround((*Shares)[I].SmallPages + (*Shares)[I].LargePages));
  }
  Facts.Known[size_t(PageValue::Live)] = true;
  Facts.Known[size_t(PageValue::Pages)] = true;
  return Error::success();
}

Expected<ProfileFacts>
ProfileFacts::read(const IndexedProfile &Profile,
                   function_ref<bool(uint64_t)> IsHinted) {
  ProfileFacts Result;
  Expected<TouchesById> Touches = Profile.touches();
  if (!Touches)
    return Touches.takeError();
  Expected<DataTypes> Types = Profile.types();
  if (!Types)
    return Types.takeError();
  Expected<RecordedRuns> Recorded = Profile.recordedRuns();
  if (!Recorded)
    return Recorded.takeError();
  for (const std::string &Line : Recorded->lines())
    Result.Recorded.push_back("Recorded " + Line);
  bool AnyAccesses = false;
  const bool IsFull = Profile.hasFullSchema();
  if (Error E = Profile.forEachContext([&](const IndexedContext &C) {
        ProfileFacts::Context &Entry = Result.Contexts[C.FullStackId];
        Entry.Type = Types->of(C.Frames);
        PageValues &Values = Entry.Values;
        auto Add = [&](PageValue V, uint64_t Value) {
          Values[size_t(V)] += Value;
        };
        const memprof::MemInfoBlock Info = toMemInfoBlock(C.Info);
        Add(PageValue::Bytes, Info.TotalSize);
        Add(PageValue::Objects, Info.AllocCount);
        Add(PageValue::Lifetime, Info.TotalLifetime);
        const bool Unknown = accessesAreUnknown(C.Info);
        if (IsFull && !Unknown) {
          AnyAccesses = true;
          Add(PageValue::Accesses, Info.TotalAccessCount);
        }
        Touches->addMeasures(C.FullStackId, {Info.MinSize, Info.MaxSize},
                             touchesAreUnknown(C.Info));
      }))
    return std::move(E);
  for (PageValue V :
       {PageValue::Bytes, PageValue::Objects, PageValue::Lifetime})
    Result.Known[size_t(V)] = true;
  Result.Known[size_t(PageValue::Accesses)] = AnyAccesses;
  if (!Profile.touchGrid().empty())
    if (Error E = addWindows(Result, Profile, std::move(*Touches), IsHinted))
      return std::move(E);
  return std::move(Result);
}
