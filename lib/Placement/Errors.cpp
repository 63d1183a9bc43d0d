//===- Placement/Errors.cpp - What sampling leaves open -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Errors.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

/// How many touches may have been missed of the context where that changes
/// most: twice what is taken to be unseen of each, as that is a mean.
static double missedTouches(const UnseenTouches &Unseen) {
  return 2 * Unseen.OfSampled;
}

/// Larger objects are all recorded.
static constexpr uint64_t MostSampledBytes = 1 << 20;

namespace {

/// What is wanted, each as a sum of parts of the working sets before and after.
constexpr unsigned NumQuantities = 4;
using Changes = std::array<double, NumQuantities>;

class Quantities {
public:
  explicit Quantities(const WorkingSet &Set) : Before(Set.Before) {
    if (Before > 0)
      Left = Set.After / Before;
  }
  /// What each changes by if the working sets do.
  Changes of(double ByBefore, double ByAfter) const {
    return {ByBefore, ByAfter, ByBefore - ByAfter,
            Before > 0 ? (Left * ByBefore - ByAfter) / Before : 0};
  }

private:
  double Before;
  double Left = 1;
};

/// Some objects of one kind: how many there are of it, and what one of them
/// adds to the presence of its context.
struct Kind {
  double Count = 0;
  Presence One;
};

/// Objects that are touched, that are born, that share pages with something
/// touched, and that do not.
std::array<Kind, 4> kindsOf(const Presence &P) {
  const double Born = std::min(P.Born, P.Objects - P.Touched);
  const double WithBorn = Born > 0 ? P.WithBorn / Born : 0;
  return {
      {{P.Touched, {.Objects = 1, .Touched = 1, .Live = 1}},
       {Born, {.Objects = 1, .Live = 1, .Born = 1, .WithBorn = WithBorn}},
       {P.Objects - P.Touched - std::max(Born, 0.0), {.Objects = 1, .Live = 1}},
       {P.Live - P.Objects, {.Live = 1}}}};
}

/// Sums up over contexts.
class ErrorSums {
public:
  /// Adds the standard errors of a context, and what one object of it does that
  /// stands for others and is touched.
  void add(const Changes &Errors, const Changes &Touch, double VarianceOfUnit) {
    // One that stands for itself alone was seen, whatever it did.
    const double Open = VarianceOfUnit / (1 + VarianceOfUnit);
    for (unsigned I = 0; I != NumQuantities; ++I) {
      Variances[I] += Errors[I] * Errors[I];
      Largest[I] = std::max(Largest[I], Touch[I] * Touch[I] * Open);
    }
  }
  /// The errors if as many touches were missed as \p Missed.
  WorkingSetErrors result(double Missed) const {
    Changes Result;
    for (unsigned I = 0; I != NumQuantities; ++I)
      Result[I] = std::sqrt(Variances[I] + Missed * Largest[I]);
    return {Result[0], Result[1], Result[2], Result[3]};
  }

private:
  Changes Variances = {}, Largest = {};
};

} // namespace

/// Adds the error of the large objects of a context of sizes up to \p Sizes,
/// whose pages are touched or not whatever is hinted. All pages of an object
/// are taken to be as one of them.
static void addLarge(const UnitTouches &Pages, const SizeRange &Sizes,
                     const BinWeights &Weights, Horizon H,
                     const Quantities &All, ErrorSums &Sums) {
  const double Unit = Pages.varianceOfUnit();
  if (Unit == 0)
    return;
  const double PagesOfOne = std::max<double>(
      static_cast<double>(std::min(Sizes.Most, MostSampledBytes)) /
          UsualPageBytes,
      1);
  const Occupant O = occupy(Pages, H, Weights, /*ExtraTouches=*/0);
  double Error = 0;
  for (size_t I = 0; I != O.Bins.size(); ++I)
    Error += Weights.ofPages(O.First + I) * UsualPageBytes *
             std::sqrt(Unit * O.Bins[I].touched() * PagesOfOne);
  // Before and after alike.
  Sums.add(All.of(Error, Error), {}, Unit);
}

WorkingSetErrors
placement::errorsOf(const WorkingSet &Set, const GridTouches &Touches,
                    const BinWeights &Weights, Horizon H,
                    ArrayRef<Tenant> Tenants, const TwoHeaps &Before,
                    const TwoHeaps &After, const BitVector &Hinted) {
  const Quantities All(Set);
  ErrorSums Sums;
  for (size_t I = 0; I != Touches.Contexts.size(); ++I)
    addLarge(Touches.Contexts[I].Pages,
             Touches.Sizes.empty() ? SizeRange() : Touches.Sizes[I], Weights, H,
             All, Sums);
  for (const Tenant &T : Tenants) {
    const double Unit = Touches.Contexts[T.Context].Objects.varianceOfUnit();
    if (Unit == 0)
      continue;
    // An object that was looked at stands for so many.
    const double StandsFor = 1 + Unit;
    const bool IsHinted = Hinted[T.Context];
    Changes Errors = {}, Touch = {};
    for (size_t I = 0; I != T.Where.Bins.size(); ++I) {
      const Presence &P = T.Where.Bins[I];
      const size_t Bin = T.Where.First + I;
      if (P.Live == 0 || Weights[Bin] == 0)
        continue;
      auto IfAdded = [&](const Presence &Added) {
        return All.of(Weights[Bin] * Before.ifAddedIn(Bin, T, false, Added),
                      Weights[Bin] * After.ifAddedIn(Bin, T, IsHinted, Added));
      };
      Changes Variances = {};
      for (const Kind &K : kindsOf(P)) {
        const double Step = std::min(K.Count, StandsFor);
        if (Step <= 0)
          continue;
        Presence Without;
        Without.add(K.One, -Step);
        const Changes Change = IfAdded(Without);
        for (unsigned Q = 0; Q != NumQuantities; ++Q)
          Variances[Q] +=
              Unit * K.Count * (Change[Q] / Step) * (Change[Q] / Step);
      }
      const Changes More = IfAdded({.Touched = StandsFor});
      for (unsigned Q = 0; Q != NumQuantities; ++Q) {
        Errors[Q] += std::sqrt(Variances[Q]);
        Touch[Q] += std::abs(More[Q]);
      }
    }
    Sums.add(Errors, Touch, Unit);
  }
  return Sums.result(missedTouches(unseenTouches(Touches, H, Weights)));
}
