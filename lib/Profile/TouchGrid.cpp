//===- Profile/TouchGrid.cpp - Windows of several runs as one -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static void addTo(uint64_t &Sum, uint64_t Added) {
  Sum = std::min(SaturatingAdd(Sum, Added), MaxTouchNumber);
}

/// Drops bins at both ends in which nothing lived. If there are no others,
/// nothing is left.
static UnitTouches trimmed(size_t First, ArrayRef<WindowTouches> Bins,
                           uint64_t Granules, uint64_t TouchedGranules) {
  while (!Bins.empty() && !Bins.back().Live)
    Bins = Bins.drop_back();
  while (!Bins.empty() && !Bins.front().Live) {
    Bins = Bins.drop_front();
    ++First;
  }
  UnitTouches Result;
  if (Bins.empty())
    return Result;
  Result.First = First;
  Result.Windows = Bins.vec();
  Result.Granules = Granules;
  Result.TouchedGranules = TouchedGranules;
  return Result;
}

//===-- One run -----------------------------------------------------------===//

bool TouchGrid::isLongEnough() const {
  uint64_t Windows = 0, Runs = 0;
  for (const TouchPhase &P : Phases) {
    Windows += P.Windows;
    Runs = std::max(Runs, P.Runs);
  }
  return Windows != 0 && Windows >= LeastWindows * Runs;
}

bool TouchGrid::isLongEnoughForNoGain(StringRef Phase) const {
  uint64_t Windows = 0, Us = 0, Runs = 0;
  for (const TouchPhase &P : Phases) {
    if (!Phase.empty() && P.Name != Phase)
      continue;
    Windows += P.Windows;
    Us += P.WindowUs;
    Runs = std::max(Runs, P.Runs);
  }
  return Windows >= LeastWindowsForNoGain * Runs &&
         Us >= LeastUsForNoGain * Runs;
}

bool TouchGrid::isWatched() const {
  return any_of(Phases, [](const TouchPhase &P) { return P.WatchedRuns != 0; });
}

bool TouchGrid::hasBursts() const {
  return any_of(Phases, [](const TouchPhase &P) { return P.Bursts != 0; });
}

void TouchesById::addMeasures(uint64_t Id, const SizeRange &Sizes,
                              bool AccessesUnknown) {
  Touches.Sizes.resize(Ids.size());
  Touches.AccessesUnknown.resize(Ids.size());
  const auto Known = lower_bound(Ids, Id);
  if (Known == Ids.end() || *Known != Id)
    return;
  const size_t Index = Known - Ids.begin();
  Touches.Sizes[Index].add(Sizes);
  if (AccessesUnknown)
    Touches.AccessesUnknown[Index] = true;
}

RunLayout::RunLayout(ArrayRef<RawWindow> Windows, bool IsWatched,
                     uint64_t PageBytes)
    : NumWindows(Windows.size()), HasBurst(Windows.size()) {
  Grid.PageBytes = PageBytes;
  std::map<StringRef, size_t> Places;
  for (const RawWindow &W : Windows)
    Places[W.Phase];
  for (auto &[Name, Place] : Places) {
    Place = Grid.Phases.size();
    Grid.Phases.emplace_back().Name = Name.str();
    Grid.Phases.back().Runs = 1;
    Grid.Phases.back().WatchedRuns = IsWatched;
  }
  BinTimes.resize(Grid.Phases.size());
  // No sum, nor BinsPerPhase of them, overflows. Only nonsense is cut.
  const uint64_t Longest = std::max<uint64_t>(
      MaxTouchNumber / std::max<uint64_t>(Windows.size(), 1), 1);
  auto Length = [&](const RawWindow &W) {
    return std::clamp<uint64_t>(W.LengthUs, 1, Longest);
  };
  for (auto [I, W] : enumerate(Windows)) {
    const size_t Phase = Places[W.Phase];
    TouchPhase &P = Grid.Phases[Phase];
    ++P.Windows;
    addTo(P.WindowUs, W.LengthUs);
    HasBurst[I] = W.BurstUs != 0;
    P.Bursts += W.BurstUs != 0;
    addTo(P.BurstUs, W.BurstUs);
    BinTimes[Phase] += Length(W);
  }
  // The unit of time is such that a bin takes as many as the phase takes
  // microseconds.
  std::vector<uint64_t> Begin(Grid.Phases.size());
  for (auto [I, W] : enumerate(Windows)) {
    const size_t Phase = Places[W.Phase];
    const uint64_t BinTime = BinTimes[Phase];
    const uint64_t End = Begin[Phase] + Length(W) * BinsPerPhase;
    for (uint64_t &Time = Begin[Phase]; Time != End;) {
      const uint64_t Bin = Time / BinTime;
      const uint64_t Next = std::min(End, (Bin + 1) * BinTime);
      Overlaps.push_back({I, Phase * BinsPerPhase + Bin, Next - Time});
      Time = Next;
    }
  }
}

namespace {
/// Sums over the windows of a bin, weighted by time.
struct BinSums {
  double Live = 0;
  double LiveBytes = 0;
  double Touched = 0;
  double Far = 0;
  double Born = 0;
  double AmongBorn = 0;
  /// The sums over windows that ended with a burst.
  double LiveAtBursts = 0;
  double TouchedInBursts = 0;
  double FarInBursts = 0;
  double BornInBursts = 0;
  double AmongBornInBursts = 0;
};

/// Rounds numbers one by one so that their sum stays.
class Rounding {
public:
  uint64_t next(double Exact, uint64_t Most) {
    Rest += Exact;
    // Halves are rounded up.
    const auto Rounded = static_cast<int64_t>(
        std::clamp(Rest + 0.5, 0.0, static_cast<double>(Most)));
    Rest -= static_cast<double>(Rounded);
    return static_cast<uint64_t>(Rounded);
  }

private:
  double Rest = 0;
};
} // namespace

/// Rounds bins of a phase, in which a bin takes \p BinTime. In others of it
/// nothing lived.
static void roundBins(ArrayRef<BinSums> Exact, uint64_t BinTime,
                      MutableArrayRef<WindowTouches> Result) {
  BinSums All;
  for (const BinSums &B : Exact) {
    All.LiveAtBursts += B.LiveAtBursts;
    All.TouchedInBursts += B.TouchedInBursts;
    All.FarInBursts += B.FarInBursts;
    All.BornInBursts += B.BornInBursts;
    All.AmongBornInBursts += B.AmongBornInBursts;
  }
  Rounding Live, Touched, InBurst, Far, FarInBurst, Born, BornInBurst,
      AmongBorn, AmongBornInBurst;
  for (auto [B, Rounded] : zip_equal(Exact, Result)) {
    if (B.Live == 0)
      continue;
    Rounded.Live =
        Live.next(B.Live / static_cast<double>(BinTime), MaxTouchNumber);
    if (Rounded.Live == 0)
      continue;
    // Objects keep their mean size, and the part of them that was touched.
    const auto Units = static_cast<double>(Rounded.Live);
    Rounded.LiveBytes =
        Rounding().next(B.LiveBytes / B.Live * Units, MaxTouchNumber);
    const double Part = B.Touched / B.Live;
    Rounded.Touched = Touched.next(Part * Units, Rounded.Live);
    double BurstPart = Part, FarPart = B.Far / B.Live;
    double BornPart = B.Born / B.Live, AmongPart = B.AmongBorn / B.Live;
    Rounded.Born = Born.next(BornPart * Units, Rounded.Touched);
    Rounded.AmongBorn =
        AmongBorn.next(AmongPart * Units, Rounded.Live - Rounded.Born);
    Rounded.Far =
        Far.next(FarPart * Units, Rounded.Live - Rounded.touchedAgain());
    if (const BinSums &Rates = B.LiveAtBursts != 0 ? B : All;
        Rates.LiveAtBursts != 0) {
      BurstPart = Rates.TouchedInBursts / Rates.LiveAtBursts;
      FarPart = Rates.FarInBursts / Rates.LiveAtBursts;
      BornPart = Rates.BornInBursts / Rates.LiveAtBursts;
      AmongPart = Rates.AmongBornInBursts / Rates.LiveAtBursts;
    }
    Rounded.TouchedInBurst =
        InBurst.next(std::min(BurstPart, Part) * Units, Rounded.Touched);
    Rounded.BornInBurst = BornInBurst.next(
        BornPart * Units, std::min(Rounded.Born, Rounded.TouchedInBurst));
    Rounded.AmongBornInBurst = AmongBornInBurst.next(
        AmongPart * Units, Rounded.Live - Rounded.BornInBurst);
    Rounded.FarInBurst = FarInBurst.next(
        FarPart * Units, Rounded.Live - Rounded.touchedAgainInBurst());
  }
}

UnitTouches RunLayout::layOut(const UnitTouches &Touches) const {
  if (Touches.empty())
    return {};
  auto FirstOf = [&](size_t Window) {
    return partition_point(Overlaps,
                           [&](const Overlap &O) { return O.Window < Window; });
  };
  const auto Lived = make_range(
      FirstOf(Touches.First), FirstOf(Touches.First + Touches.Windows.size()));
  if (Lived.empty())
    return {};
  size_t Begin = Grid.numBins(), End = 0;
  for (const Overlap &O : Lived) {
    Begin = std::min(Begin, O.Bin);
    End = std::max(End, O.Bin + 1);
  }
  // Most runs have one phase, and then nothing is allocated here.
  SmallVector<BinSums, BinsPerPhase> Exact(End - Begin);
  for (const Overlap &O : Lived) {
    const WindowTouches &W = Touches.Windows[O.Window - Touches.First];
    const auto Time = static_cast<double>(O.Time);
    BinSums &B = Exact[O.Bin - Begin];
    B.Live += Time * static_cast<double>(W.Live);
    B.LiveBytes += Time * static_cast<double>(W.LiveBytes);
    B.Touched += Time * static_cast<double>(W.Touched);
    B.Far += Time * static_cast<double>(W.Far);
    B.Born += Time * static_cast<double>(W.Born);
    B.AmongBorn += Time * static_cast<double>(W.AmongBorn);
    if (!HasBurst[O.Window])
      continue;
    B.LiveAtBursts += Time * static_cast<double>(W.Live);
    B.TouchedInBursts += Time * static_cast<double>(W.TouchedInBurst);
    B.FarInBursts += Time * static_cast<double>(W.FarInBurst);
    B.BornInBursts += Time * static_cast<double>(W.BornInBurst);
    B.AmongBornInBursts += Time * static_cast<double>(W.AmongBornInBurst);
  }
  SmallVector<WindowTouches, BinsPerPhase> Bins(End - Begin);
  for (size_t From = Begin, To; From != End; From = To) {
    const size_t Phase = From / BinsPerPhase;
    To = std::min(End, (Phase + 1) * BinsPerPhase);
    roundBins(ArrayRef(Exact).slice(From - Begin, To - From), BinTimes[Phase],
              MutableArrayRef(Bins).slice(From - Begin, To - From));
  }
  auto PerBin = [&](uint64_t Granules) {
    const double Scaled = std::ceil(static_cast<double>(Granules) *
                                    static_cast<double>(Grid.numBins()) /
                                    static_cast<double>(NumWindows));
    return static_cast<uint64_t>(
        std::min(Scaled, static_cast<double>(MaxTouchNumber)));
  };
  UnitTouches Result = trimmed(Begin, Bins, PerBin(Touches.Granules),
                               PerBin(Touches.TouchedGranules));
  if (!Result.empty())
    Result.Variance = PerBin(Touches.Variance);
  return Result;
}

ContextTouches RunLayout::layOut(const ContextTouches &Touches) const {
  return {layOut(Touches.Objects), layOut(Touches.Pages)};
}

//===-- Several runs ------------------------------------------------------===//

TouchSums::PhasePlaces TouchSums::addGrid(const TouchGrid &Grid) {
  LeastPageBytes = std::min(LeastPageBytes, Grid.PageBytes);
  MostPageBytes = std::max(MostPageBytes, Grid.PageBytes);
  PhasePlaces Result;
  for (const TouchPhase &P : Grid.Phases) {
    auto Known =
        find_if(Phases, [&](const TouchPhase &K) { return K.Name == P.Name; });
    Result.push_back(Known - Phases.begin());
    if (Known == Phases.end()) {
      Phases.push_back(P);
      continue;
    }
    for (uint64_t TouchPhase::*Number :
         {&TouchPhase::Runs, &TouchPhase::Windows, &TouchPhase::WindowUs,
          &TouchPhase::Bursts, &TouchPhase::BurstUs, &TouchPhase::WatchedRuns})
      addTo((*Known).*Number, P.*Number);
  }
  return Result;
}

void TouchSums::UnitSums::add(const PhasePlaces &Places,
                              const UnitTouches &Touches) {
  for (auto [I, W] : enumerate(Touches.Windows)) {
    const size_t Bin = Touches.First + I;
    const size_t Index =
        Places[Bin / BinsPerPhase] * BinsPerPhase + Bin % BinsPerPhase;
    if (Index >= Bins.size())
      Bins.resize(Index + 1);
    WindowTouches &Sum = Bins[Index];
    addTo(Sum.Live, W.Live);
    addTo(Sum.LiveBytes, W.LiveBytes);
    addTo(Sum.Touched, W.Touched);
    addTo(Sum.TouchedInBurst, W.TouchedInBurst);
    addTo(Sum.Far, W.Far);
    addTo(Sum.FarInBurst, W.FarInBurst);
    addTo(Sum.Born, W.Born);
    addTo(Sum.BornInBurst, W.BornInBurst);
    addTo(Sum.AmongBorn, W.AmongBorn);
    addTo(Sum.AmongBornInBurst, W.AmongBornInBurst);
  }
  addTo(Granules, Touches.Granules);
  addTo(TouchedGranules, Touches.TouchedGranules);
  addTo(Estimated, Touches.Estimated);
  Variance = SaturatingAdd(Variance, Touches.Variance);
}

void TouchSums::add(ContextSums &Total, const PhasePlaces &Places,
                    const ContextTouches &Touches) {
  Total.Objects.add(Places, Touches.Objects);
  Total.Pages.add(Places, Touches.Pages);
}

void TouchSums::touchAll(uint64_t Id) {
  auto Known = Contexts.find(Id);
  if (Known == Contexts.end())
    return;
  for (UnitSums *Units : {&Known->second.Objects, &Known->second.Pages})
    for (WindowTouches &W : Units->Bins) {
      W = {.Live = W.Live,
           .LiveBytes = W.LiveBytes,
           .Touched = W.Live,
           .TouchedInBurst = W.Live};
    }
}

namespace {

/// What is touched again of units, in windows or in bursts.
struct Use {
  uint64_t (WindowTouches::*Again)() const;
  uint64_t WindowTouches::*Touched;
  uint64_t WindowTouches::*Far;
};

/// How many units, summed over bins, lived and were touched again.
struct UseSums {
  double Live = 0;
  double Again = 0;

  UseSums(ArrayRef<WindowTouches> Bins, const Use &U) {
    for (const WindowTouches &W : Bins) {
      Live += static_cast<double>(W.Live);
      Again += static_cast<double>((W.*U.Again)());
    }
  }
  double rate() const { return Live > 0 ? Again / Live : 0; }
};

} // namespace

static constexpr Use Uses[] = {{&WindowTouches::touchedAgain,
                                &WindowTouches::Touched, &WindowTouches::Far},
                               {&WindowTouches::touchedAgainInBurst,
                                &WindowTouches::TouchedInBurst,
                                &WindowTouches::FarInBurst}};

/// A part is in use more than the whole if so many more of the units that were
/// looked at were touched than in twice as busy a whole: of fewer, chance may
/// have made the difference.
static constexpr double LeastMore = 3;

/// \returns whether \p Whole changed.
static bool raiseBin(WindowTouches &Whole, const WindowTouches &Part,
                     const Use &U) {
  if (!Part.Live)
    return false;
  const uint64_t Again = (Whole.*U.Again)();
  const double Rate =
      static_cast<double>((Part.*U.Again)()) / static_cast<double>(Part.Live);
  const uint64_t Most = Whole.Live - (Whole.*U.Touched - Again);
  const auto Wanted = std::min<uint64_t>(
      static_cast<uint64_t>(std::ceil(Rate * static_cast<double>(Whole.Live))),
      Most);
  if (Wanted <= Again)
    return false;
  Whole.*U.Touched += Wanted - Again;
  Whole.*U.Far = std::min(Whole.*U.Far, Whole.Live - Wanted);
  return true;
}

bool TouchSums::UnitSums::raiseTo(ArrayRef<const UnitSums *> Parts) {
  bool Changed = false;
  for (const Use &U : Uses) {
    const double Whole = UseSums(Bins, U).rate();
    for (const UnitSums *Part : Parts) {
      const UseSums Sums(Part->Bins, U);
      const double LookedAt =
          std::max(Sums.Live - static_cast<double>(Part->Estimated), 0.0);
      if ((Sums.rate() - 2 * Whole) * LookedAt < LeastMore)
        continue;
      for (size_t I = 0; I != std::min(Bins.size(), Part->Bins.size()); ++I)
        Changed |= raiseBin(Bins[I], Part->Bins[I], U);
    }
  }
  return Changed;
}

bool TouchSums::raiseTo(uint64_t Id, ArrayRef<const ContextSums *> Parts) {
  auto Known = Contexts.find(Id);
  if (Known == Contexts.end())
    return false;
  bool Changed = false;
  for (ContextSums::Kind Kind : {&ContextSums::Objects, &ContextSums::Pages}) {
    SmallVector<const UnitSums *, 4> Units;
    for (const ContextSums *Part : Parts)
      Units.push_back(&(Part->*Kind));
    Changed |= (Known->second.*Kind).raiseTo(Units);
  }
  return Changed;
}

UnitTouches TouchSums::UnitSums::inOrder(ArrayRef<size_t> PhaseOrder) const {
  std::vector<WindowTouches> Result(PhaseOrder.size() * BinsPerPhase);
  for (auto [To, From] : enumerate(PhaseOrder)) {
    const size_t Begin = std::min(From * BinsPerPhase, Bins.size());
    const size_t End = std::min(Begin + BinsPerPhase, Bins.size());
    std::copy(Bins.begin() + Begin, Bins.begin() + End,
              Result.begin() + To * BinsPerPhase);
  }
  UnitTouches Trimmed = trimmed(0, Result, Granules, TouchedGranules);
  // Numbers that were cut may not add up.
  if (const uint64_t Live = Trimmed.live())
    Trimmed.Estimated = std::min(Estimated, Live - 1);
  if (!Trimmed.empty())
    Trimmed.Variance = Variance;
  return Trimmed;
}

std::vector<size_t> TouchSums::phaseOrder() const {
  std::vector<size_t> Result(Phases.size());
  for (size_t I = 0; I != Result.size(); ++I)
    Result[I] = I;
  llvm::sort(Result, [&](size_t A, size_t B) {
    return Phases[A].Name < Phases[B].Name;
  });
  return Result;
}

TouchGrid TouchSums::grid() const {
  TouchGrid Result;
  Result.PageBytes = MostPageBytes;
  for (size_t Phase : phaseOrder())
    Result.Phases.push_back(Phases[Phase]);
  return Result;
}

TouchesById TouchSums::sums() const {
  const std::vector<size_t> Order = phaseOrder();
  TouchesById Result;
  Result.Touches.Grid = grid();
  Result.Ids.reserve(Contexts.size());
  Result.Touches.Contexts.reserve(Contexts.size());
  for (const auto &[Id, Sums] : Contexts)
    Result.Ids.push_back(Id);
  llvm::sort(Result.Ids);
  for (uint64_t Id : Result.Ids) {
    const ContextSums &Sums = Contexts.at(Id);
    Result.Touches.Contexts.push_back(
        {Sums.Objects.inOrder(Order), Sums.Pages.inOrder(Order)});
  }
  return Result;
}
