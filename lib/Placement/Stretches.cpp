//===- Placement/Stretches.cpp - When contexts allocate -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stretches.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

/// A context that lost a greater part of its bytes was allocated again since,
/// where others had been.
static constexpr double MostLost = 0.5;

static double bytesIn(const UnitTouches &Objects, const TouchGrid &Grid,
                      size_t Bin) {
  if (Bin < Objects.First || Bin - Objects.First >= Objects.Windows.size())
    return 0;
  const uint64_t Runs = Grid.Phases[Bin / BinsPerPhase].Runs;
  return static_cast<double>(Objects.Windows[Bin - Objects.First].LiveBytes) /
         static_cast<double>(std::max<uint64_t>(Runs, 1));
}

/// The bins in the order in which they were in the run. The phases are ordered
/// by name, and a heap grows: so phases come by what lives at their beginning.
static std::vector<size_t> binsByTime(const GridTouches &Touches) {
  const TouchGrid &Grid = Touches.Grid;
  std::vector<size_t> Phases(Grid.Phases.size());
  std::iota(Phases.begin(), Phases.end(), 0);
  std::vector<double> LiveAtBegin(Phases.size());
  for (const ContextTouches &C : Touches.Contexts)
    for (size_t Phase : Phases)
      LiveAtBegin[Phase] += bytesIn(C.Objects, Grid, Phase * BinsPerPhase);
  llvm::sort(Phases, [&](size_t A, size_t B) {
    return std::tie(LiveAtBegin[A], A) < std::tie(LiveAtBegin[B], B);
  });
  std::vector<size_t> Result;
  for (size_t Phase : Phases)
    for (size_t I = 0; I != BinsPerPhase; ++I)
      Result.push_back(Phase * BinsPerPhase + I);
  return Result;
}

namespace {

/// What a context allocates, by bin.
struct Births {
  std::vector<double> Bytes;
  /// Whether what it allocated is where it was put first.
  bool IsPlaced = true;
};

} // namespace

static Births birthsOf(const UnitTouches &Objects, const TouchGrid &Grid,
                       ArrayRef<size_t> BinsByTime) {
  Births Result;
  double Most = 0;
  for (size_t Bin : BinsByTime) {
    const double Bytes = bytesIn(Objects, Grid, Bin);
    Result.Bytes.push_back(std::max(Bytes - Most, 0.0));
    Most = std::max(Most, Bytes);
    if (Bytes < (1 - MostLost) * Most)
      Result.IsPlaced = false;
  }
  return Result;
}

static void makeSumOne(StretchParts &Parts) {
  const double Sum = std::accumulate(Parts.begin(), Parts.end(), 0.0);
  for (double &Part : Parts)
    Part = Sum > 0 ? Part / Sum : 1.0 / NumStretches;
}

std::vector<StretchParts> placement::stretchesOf(const GridTouches &Touches) {
  const std::vector<size_t> BinsByTime = binsByTime(Touches);
  std::vector<Births> ByContext;
  std::vector<double> InBin(BinsByTime.size());
  double All = 0;
  for (const ContextTouches &C : Touches.Contexts) {
    ByContext.push_back(birthsOf(C.Objects, Touches.Grid, BinsByTime));
    for (auto [Sum, Bytes] : zip_equal(InBin, ByContext.back().Bytes)) {
      Sum += Bytes;
      All += Bytes;
    }
  }
  // Where most is allocated at one time, a stretch has that time alone.
  std::vector<size_t> StretchOf;
  StretchParts Together = {};
  double Before = 0;
  for (double Bytes : InBin) {
    const double Middle = All > 0 ? (Before + Bytes / 2) / All : 0;
    StretchOf.push_back(
        std::min(static_cast<size_t>(Middle * NumStretches), NumStretches - 1));
    Together[StretchOf.back()] += Bytes;
    Before += Bytes;
  }
  makeSumOne(Together);
  std::vector<StretchParts> Result;
  for (const Births &B : ByContext) {
    StretchParts &Parts = Result.emplace_back(Together);
    if (!B.IsPlaced || none_of(B.Bytes, [](double Bytes) { return Bytes > 0; }))
      continue;
    Parts = {};
    for (auto [Bytes, Stretch] : zip_equal(B.Bytes, StretchOf))
      Parts[Stretch] += Bytes;
    makeSumOne(Parts);
  }
  return Result;
}
