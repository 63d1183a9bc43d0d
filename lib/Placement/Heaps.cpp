//===- Placement/Heaps.cpp - Contexts on the pages of two heaps -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heaps.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

uint64_t placement::sizeClass(double Bytes) {
  const uint64_t Size = std::max<uint64_t>(truncated(std::ceil(Bytes)), 1);
  if (Size <= 8)
    return 8;
  if (Size <= 64)
    return alignTo(Size, 16);
  return alignTo(Size, PowerOf2Ceil(Size) / 8);
}

double placement::scaled(double Part, double Times) {
  return Part >= 1 ? 1 : -std::expm1(std::log1p(-Part) * Times);
}

BinWeights::BinWeights(const TouchGrid &Grid, StringRef Phase)
    : Weights(Grid.numBins()), PageWeights(Grid.numBins()),
      BurstScales(Grid.numBins(), 1) {
  auto Counts = [&](const TouchPhase &P) {
    return P.Runs && (Phase.empty() || P.Name == Phase);
  };
  double Time = 0;
  for (const TouchPhase &P : Grid.Phases)
    if (Counts(P))
      Time += static_cast<double>(P.WindowUs);
  for (size_t I = 0; I != Grid.Phases.size(); ++I) {
    const TouchPhase &P = Grid.Phases[I];
    if (!Counts(P) || Time == 0)
      continue;
    NumBursts += P.Bursts;
    const double Weight = static_cast<double>(P.WindowUs) / Time /
                          BinsPerPhase / static_cast<double>(P.Runs);
    const double MeanBurst = P.Bursts ? static_cast<double>(P.BurstUs) /
                                            static_cast<double>(P.Bursts)
                                      : ReferenceBurstUs;
    const double Scale =
        ReferenceBurstUs / std::max(MeanBurst, ReferenceBurstUs);
    std::fill_n(Weights.begin() + I * BinsPerPhase, BinsPerPhase, Weight);
    std::fill_n(PageWeights.begin() + I * BinsPerPhase, BinsPerPhase,
                Weight * P.scaleOfPages());
    std::fill_n(BurstScales.begin() + I * BinsPerPhase, BinsPerPhase, Scale);
  }
}

BinWeights::BinWeights(const BinWeights &Other, double Bursts, double Windows)
    : BurstScales(Other.size() * 2, 1), NumBursts(Other.NumBursts) {
  auto Twice = [&](const std::vector<double> &From, std::vector<double> &To) {
    for (double Weight : From) {
      To.push_back(Weight * Bursts);
      To.push_back(Weight * Windows);
    }
  };
  Twice(Other.Weights, Weights);
  Twice(Other.PageWeights, PageWeights);
}

Occupant placement::occupy(const UnitTouches &Touches, Horizon H,
                           const BinWeights &Weights, double ExtraTouches) {
  Occupant Result;
  Result.First = Touches.First;
  Result.Bins.resize(Touches.Windows.size());
  const uint64_t LookedAt = Touches.lookedAt();
  if (LookedAt == 0)
    return Result;
  // Each of those that were looked at stands for as many others.
  const double Extra = ExtraTouches / static_cast<double>(LookedAt);
  for (size_t I = 0; I != Touches.Windows.size(); ++I) {
    const WindowTouches &W = Touches.Windows[I];
    const size_t Bin = Touches.First + I;
    if (!W.Live || Weights[Bin] == 0)
      continue;
    const bool IsBurst = H == Horizon::Burst;
    const double Live = static_cast<double>(W.Live);
    const double Near =
        Live - static_cast<double>(IsBurst ? W.FarInBurst : W.Far);
    const double Touched = static_cast<double>(IsBurst ? W.touchedAgainInBurst()
                                                       : W.touchedAgain()) +
                           Extra * Live;
    const double Scale = Weights.rateScale(Bin, H);
    Presence &P = Result.Bins[I];
    P.Live = Live;
    const double Born = static_cast<double>(IsBurst ? W.BornInBurst : W.Born);
    const double Among =
        static_cast<double>(IsBurst ? W.AmongBornInBurst : W.AmongBorn);
    P.Born = Born * Scale;
    P.WithBorn = Live * scaled(std::min((Born + Among) / Live, 1.0), Scale);
    // What may have been touched may be anywhere.
    P.Objects = std::min(std::max(Near, Touched), Live);
    if (P.Objects > 0)
      P.Touched = P.Objects * scaled(std::min(Touched / P.Objects, 1.0), Scale);
  }
  return Result;
}

PageShape::PageShape(uint64_t ClassBytes, uint64_t PageBytes)
    : ObjectBytes(static_cast<double>(ClassBytes)),
      ObjectsPerPage(static_cast<double>(PageBytes) / ObjectBytes) {}

double PageShape::workingSet(const Presence &P) const {
  // Sums from which something was taken may be slightly off.
  constexpr double Least = 0.5;
  double Objects = 0, OfAll = 0;
  if (P.Objects >= Least) {
    const double Part = std::clamp(P.Touched / P.Objects, 0.0, 1.0);
    Objects = P.Objects * placement::scaled(Part, ObjectsPerPage);
    OfAll = std::min(Objects / std::max(P.Live, P.Objects), 1.0);
  }
  // A page on which something is born is as likely to be touched anyhow as any.
  if (P.WithBorn >= Least)
    Objects += std::min(P.WithBorn, P.Live) * (1 - OfAll);
  return Objects * ObjectBytes;
}

/// The mean of sizes in the classes \p Middles, each as likely as its width
/// times exp(Slope * size).
static double meanAt(ArrayRef<double> Middles, ArrayRef<double> Widths,
                     double Slope, std::vector<double> *Parts = nullptr) {
  double Sum = 0, Weighted = 0;
  std::vector<double> Weights;
  // The exponent is at most 0, so that nothing overflows.
  const double Top = Slope > 0 ? Middles.back() : Middles.front();
  for (auto [Middle, Width] : zip_equal(Middles, Widths)) {
    Weights.push_back(Width * std::exp(Slope * (Middle - Top)));
    Sum += Weights.back();
    Weighted += Weights.back() * Middle;
  }
  if (Parts)
    for (double Weight : Weights)
      Parts->push_back(Weight / Sum);
  return Weighted / Sum;
}

std::vector<ClassPart> placement::classesOf(const SizeRange &Sizes, double Mean,
                                            uint64_t PageBytes) {
  const double Least = static_cast<double>(Sizes.Least);
  // Larger ones are counted by page.
  const double Most = static_cast<double>(std::min(Sizes.Most, PageBytes - 1));
  if (Sizes.Most == 0 || !(Least <= Mean && Mean <= Most) ||
      sizeClass(Least) == sizeClass(Most))
    return {{sizeClass(Mean), 1.0}};
  std::vector<uint64_t> Classes;
  std::vector<double> Middles, Widths;
  for (double Begin = Least; Begin <= Most;) {
    Classes.push_back(sizeClass(Begin));
    const double End = std::min(static_cast<double>(Classes.back()), Most);
    Middles.push_back((Begin + End) / 2);
    Widths.push_back(End - Begin + 1);
    Begin = static_cast<double>(Classes.back()) + 1;
  }
  // The mean rises with the slope. Beyond these ends all are of one class.
  double Low = -1, High = 1;
  for (unsigned Round = 0; Round != 60; ++Round) {
    const double Slope = (Low + High) / 2;
    (meanAt(Middles, Widths, Slope) < Mean ? Low : High) = Slope;
  }
  std::vector<double> Parts;
  meanAt(Middles, Widths, Low, &Parts);
  std::vector<ClassPart> Result;
  double Kept = 0;
  for (auto [Bytes, Part] : zip_equal(Classes, Parts))
    if (Part >= 0.01) {
      Result.push_back({Bytes, Part});
      Kept += Part;
    }
  for (ClassPart &P : Result)
    P.Part /= Kept;
  return Result;
}

double Heap::shareOf(const Occupant &O, double Part) const {
  double Result = 0;
  for (size_t I = 0; I != O.Bins.size(); ++I) {
    const size_t Number = O.First + I;
    const Bin &B = Bins[Number];
    if (O.Bins[I].touched() > 0)
      Result += (*Weights)[Number] * B.WorkingSet * Part * O.Bins[I].touched() /
                B.Sum.touched();
  }
  return Result;
}

double Heap::ifAddedIn(size_t Number, const Presence &Added,
                       double Part) const {
  Presence After = Bins[Number].Sum;
  After.add(Added, Part);
  return Shape.workingSet(After) - Bins[Number].WorkingSet;
}

double Heap::forEachChanged(const Occupant &O, double Part,
                            auto &&Visit) const {
  double Result = 0;
  for (size_t I = 0; I != O.Bins.size(); ++I) {
    const Presence &P = O.Bins[I];
    if (P.Live == 0)
      continue;
    const size_t Number = O.First + I;
    const Bin &Before = Bins[Number];
    Bin After;
    After.Sum = Before.Sum;
    After.Sum.add(P, Part);
    After.WorkingSet = Shape.workingSet(After.Sum);
    Result += (*Weights)[Number] * (After.WorkingSet - Before.WorkingSet);
    Visit(Number, After);
  }
  return Result;
}

void Heap::change(const Occupant &O, double Part) {
  Total += forEachChanged(
      O, Part, [&](size_t Number, const Bin &After) { Bins[Number] = After; });
}

double Heap::ifChanged(const Occupant &O, double Part) const {
  return forEachChanged(O, Part, [](size_t, const Bin &) {});
}
