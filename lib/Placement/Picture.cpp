//===- Placement/Picture.cpp - Memory, window by window -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Split.h"
#include "thermocline/Placement/Placement.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

/// Adds what \p Units have in memory to the bins in which they live. \p ScaleOf
/// says what of a bin is to be multiplied by.
static void addLive(const UnitTouches &Units,
                    function_ref<double(size_t)> ScaleOf,
                    std::vector<BinPicture> &Bins) {
  for (size_t I = 0; I != Units.Windows.size(); ++I) {
    const size_t Bin = Units.First + I;
    Bins[Bin].Live +=
        static_cast<double>(Units.Windows[I].LiveBytes) * ScaleOf(Bin);
  }
}

/// Hints do not move large objects, so their pages are what they were.
static void addLargePages(const UnitTouches &Pages, bool Hinted, Horizon H,
                          const BinWeights &Weights,
                          function_ref<double(size_t)> ScaleOf,
                          std::vector<BinPicture> &Bins) {
  const Occupant O = occupy(Pages, H, Weights, /*ExtraTouches=*/0);
  for (size_t I = 0; I != O.Bins.size(); ++I) {
    BinPicture &Bin = Bins[O.First + I];
    const double Touched =
        O.Bins[I].touched() * UsualPageBytes * ScaleOf(O.First + I);
    Bin.Before += Touched;
    (Hinted ? Bin.Cold : Bin.Hot) += Touched;
  }
}

Expected<std::vector<BinPicture>>
placement::pictureBins(const GridTouches &Touches, const BitVector &Hinted,
                       const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  const BinWeights Weights(Touches.Grid, Options.Phase);
  const Horizon H = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  std::vector<BinPicture> Result(Touches.Grid.numBins());
  auto ScaleOfPages = [&](size_t Bin) {
    return Touches.Grid.Phases[Bin / BinsPerPhase].scaleOfPages();
  };
  for (size_t I = 0; I != Touches.Contexts.size(); ++I) {
    const ContextTouches &C = Touches.Contexts[I];
    addLive(C.Objects, [](size_t) { return 1.0; }, Result);
    addLive(C.Pages, ScaleOfPages, Result);
    addLargePages(C.Pages, Hinted[I], H, Weights, ScaleOfPages, Result);
  }
  TwoHeaps All(Weights, Touches.Grid.PageBytes, ColdOrder::ByStretch);
  TwoHeaps Split(Weights, Touches.Grid.PageBytes, ColdOrder::ByStretch);
  for (const Tenant &T : tenantsOf(Touches, H, Weights, /*Unseen=*/{})) {
    All.add(T, /*Cold=*/false);
    Split.add(T, Hinted[T.Context]);
  }
  for (size_t Bin = 0; Bin != Result.size(); ++Bin) {
    const auto [Hot, Cold] = Split.workingSetOf(Bin);
    BinPicture &Picture = Result[Bin];
    Picture.Before += All.workingSetOf(Bin).first;
    Picture.Hot += Hot;
    Picture.Cold += Cold;
    const double Runs = static_cast<double>(
        std::max<uint64_t>(Touches.Grid.Phases[Bin / BinsPerPhase].Runs, 1));
    for (double BinPicture::*Field : {&BinPicture::Live, &BinPicture::Before,
                                      &BinPicture::Hot, &BinPicture::Cold})
      Picture.*Field /= Runs;
  }
  return std::move(Result);
}
