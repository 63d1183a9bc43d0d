//===- Placement/Placement.cpp - What to call cold, by pages --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Placement.h"
#include "Errors.h"
#include "Split.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

/// The pages of large objects that are touched, in bytes.
static double pagesTouched(const UnitTouches &Pages, const BinWeights &Weights,
                           Horizon H) {
  const Occupant O = occupy(Pages, H, Weights, /*ExtraTouches=*/0);
  double Result = 0;
  for (size_t I = 0; I != O.Bins.size(); ++I)
    Result +=
        Weights.ofPages(O.First + I) * O.Bins[I].touched() * UsualPageBytes;
  return Result;
}

static WorkingSet workingSet(const GridTouches &Touches,
                             const BinWeights &Weights, const BitVector &Hinted,
                             Horizon H) {
  const uint64_t PageBytes = Touches.Grid.PageBytes;
  double Large = 0;
  for (const ContextTouches &C : Touches.Contexts)
    Large += pagesTouched(C.Pages, Weights, H);
  TwoHeaps All(Weights, PageBytes, ColdOrder::ByStretch);
  TwoHeaps Split(Weights, PageBytes, ColdOrder::ByStretch);
  const std::vector<Tenant> Tenants =
      tenantsOf(Touches, H, Weights, /*Unseen=*/{});
  for (const Tenant &T : Tenants) {
    All.add(T, /*Cold=*/false);
    Split.add(T, Hinted[T.Context]);
  }
  WorkingSet Result = {Large + All.workingSet(), Large + Split.workingSet()};
  Result.Errors =
      errorsOf(Result, Touches, Weights, H, Tenants, All, Split, Hinted);
  return Result;
}

/// \p WeightOf says what a bin counts for.
static double liveBytes(const UnitTouches &Touches,
                        function_ref<double(size_t)> WeightOf) {
  double Result = 0;
  for (size_t I = 0; I != Touches.Windows.size(); ++I)
    Result += WeightOf(Touches.First + I) *
              static_cast<double>(Touches.Windows[I].LiveBytes);
  return Result;
}

static double smallBytes(const ContextTouches &Context,
                         const BinWeights &Weights) {
  return liveBytes(Context.Objects, [&](size_t Bin) { return Weights[Bin]; });
}

static double largeBytes(const ContextTouches &Context,
                         const BinWeights &Weights) {
  return liveBytes(Context.Pages,
                   [&](size_t Bin) { return Weights.ofPages(Bin); });
}

static Prediction predictionOf(const GridTouches &Touches,
                               const BinWeights &Weights,
                               const BitVector &Hinted,
                               const PlacementOptions &Options) {
  Prediction Result;
  Result.Goal = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  for (const ContextTouches &C : Touches.Contexts) {
    const double Small = smallBytes(C, Weights);
    Result.SmallBytes += Small;
    Result.LiveBytes += Small + largeBytes(C, Weights);
  }
  Result.AtWindow = workingSet(Touches, Weights, Hinted, Horizon::Window);
  Result.AtBurst = Weights.hasBursts()
                       ? workingSet(Touches, Weights, Hinted, Horizon::Burst)
                       : Result.AtWindow;
  return Result;
}

/// Makes the benefits add up to what is saved.
static void shareBenefits(const WorkingSet &Saved,
                          MutableArrayRef<PlacedContext> Contexts) {
  double Sum = 0;
  for (const PlacedContext &C : Contexts)
    Sum += C.Benefit;
  if (Sum > 0)
    for (PlacedContext &C : Contexts)
      C.Benefit *= std::max(Saved.Before - Saved.After, 0.0) / Sum;
}

Error placement::checkPhase(const TouchGrid &Grid, StringRef Phase) {
  if (Phase.empty() ||
      any_of(Grid.Phases, [&](const TouchPhase &P) { return P.Name == Phase; }))
    return Error::success();
  std::string Known;
  for (const TouchPhase &P : Grid.Phases)
    if (!P.Name.empty())
      Known += (Known.empty() ? "; there are " : ", ") + P.Name;
  if (Grid.empty())
    Known = "; none says when memory was touched";
  return createStringError(inconvertibleErrorCode(),
                           "no run named a phase '" + Phase +
                               "', or it was shorter than a window" + Known);
}

static double workingSet(ArrayRef<Tenant> Tenants, const BinWeights &Weights,
                         uint64_t PageBytes) {
  TwoHeaps Heaps(Weights, PageBytes, ColdOrder::Mixed);
  for (const Tenant &T : Tenants)
    Heaps.add(T, /*Cold=*/false);
  return Heaps.workingSet();
}

/// Windows count as much as this many bursts.
constexpr double WindowsAsBursts = 4;

/// Bursts are short looks, and windows are all of the time: what is seldom
/// touched, but then as a whole, is in no burst of one run and in one of the
/// next. So if bursts are few, windows count as well. Either counts by the part
/// of its working set that a split leaves. What may have been touched unseen
/// counts if \p CountsUnseen.
static Objective objectiveOf(const GridTouches &Touches,
                             const BinWeights &Weights,
                             const PlacementOptions &Options,
                             bool CountsUnseen) {
  auto Tenants = [&](Horizon H) {
    return tenantsOf(Touches, H, Weights,
                     CountsUnseen ? unseenTouches(Touches, H, Weights)
                                  : UnseenTouches());
  };
  std::vector<Tenant> InWindows = Tenants(Horizon::Window);
  if (!Weights.hasBursts() || Options.Goal == Horizon::Window)
    return {Weights, std::move(InWindows)};
  const std::vector<Tenant> InBursts = Tenants(Horizon::Burst);
  const double OfBursts = workingSet(InBursts, Weights, Touches.Grid.PageBytes);
  const double OfWindows =
      workingSet(InWindows, Weights, Touches.Grid.PageBytes);
  const double NumBursts = static_cast<double>(Weights.numBursts());
  const double Bursts = NumBursts / (NumBursts + WindowsAsBursts);
  const double Windows =
      OfWindows > 0 ? (1 - Bursts) * OfBursts / OfWindows : 0;
  return {BinWeights(Weights, Bursts, Windows),
          atBothHorizons(InBursts, InWindows)};
}

/// What hints save by context, by \p Benefits of tenants.
static std::vector<double> byContext(ArrayRef<Tenant> Tenants,
                                     ArrayRef<double> Benefits,
                                     size_t NumContexts) {
  std::vector<double> Result(NumContexts);
  for (auto [T, Benefit] : zip_equal(Tenants, Benefits))
    Result[T.Context] = Benefit;
  return Result;
}

Expected<Placement> placement::place(const GridTouches &Touches,
                                     const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  const BinWeights Weights(Touches.Grid, Options.Phase);
  const size_t NumContexts = Touches.Contexts.size();
  std::vector<Objective> Goals = {
      objectiveOf(Touches, Weights, Options, /*CountsUnseen=*/true)};
  if (any_of(Touches.Contexts,
             [](const ContextTouches &C) { return C.isSampled(); }))
    Goals.push_back(
        objectiveOf(Touches, Weights, Options, /*CountsUnseen=*/false));
  const std::vector<std::vector<double>> Splits =
      bestSplits(Goals, Touches.Grid.PageBytes);
  Placement Result;
  BitVector Hinted(NumContexts);
  for (double Benefit : byContext(Goals[0].Tenants, Splits[0], NumContexts)) {
    const bool Cold = Benefit > 0;
    if (Cold)
      Hinted.set(Result.Contexts.size());
    Result.Contexts.push_back({Cold, Cold ? Benefit : 0});
  }
  if (Goals.size() > 1)
    for (auto [C, Touched, Benefit] :
         zip_equal(Result.Contexts, Touches.Contexts,
                   byContext(Goals[1].Tenants, Splits[1], NumContexts)))
      C.TooFew = Benefit > 0 && !C.Cold && Touched.isSampled();
  Result.Predicted = predictionOf(Touches, Weights, Hinted, Options);
  shareBenefits(Result.Predicted.atGoal(), Result.Contexts);
  return std::move(Result);
}

Expected<Prediction> placement::predict(const GridTouches &Touches,
                                        const BitVector &Hinted,
                                        const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  return predictionOf(Touches, BinWeights(Touches.Grid, Options.Phase), Hinted,
                      Options);
}

Expected<std::vector<ContextShare>>
placement::shareOut(const GridTouches &Touches, const BitVector &Hinted,
                    const PlacementOptions &Options) {
  if (Error E = checkPhase(Touches.Grid, Options.Phase))
    return std::move(E);
  const BinWeights Weights(Touches.Grid, Options.Phase);
  const Horizon Goal = Weights.hasBursts() ? Options.Goal : Horizon::Window;
  std::vector<ContextShare> Result(Touches.Contexts.size());
  for (size_t I = 0; I != Result.size(); ++I) {
    const ContextTouches &C = Touches.Contexts[I];
    Result[I].LargeBytes = largeBytes(C, Weights);
    Result[I].LargePages = pagesTouched(C.Pages, Weights, Goal);
  }
  const std::vector<Tenant> Tenants =
      tenantsOf(Touches, Goal, Weights, /*Unseen=*/{});
  TwoHeaps Heaps(Weights, Touches.Grid.PageBytes, ColdOrder::ByStretch);
  for (const Tenant &T : Tenants)
    Heaps.add(T, Hinted[T.Context]);
  for (const Tenant &T : Tenants) {
    ContextShare &Share = Result[T.Context];
    Share.SmallPages = Heaps.shareOf(T, Hinted[T.Context]);
    for (const ClassPart &P : T.Parts)
      for (size_t I = 0; I != T.Where.Bins.size(); ++I) {
        const double Weight = Weights[T.Where.First + I] * P.Part *
                              static_cast<double>(P.ClassBytes);
        Share.SmallBytes += Weight * T.Where.Bins[I].Live;
        Share.TouchedSmallBytes += Weight * T.Where.Bins[I].touched();
      }
  }
  return std::move(Result);
}
