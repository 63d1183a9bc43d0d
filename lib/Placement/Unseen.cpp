//===- Placement/Unseen.cpp - Touches that were not seen ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unseen.h"
#include <algorithm>
#include <vector>

using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

/// The rate of a context of which as many objects were looked at is known well
/// enough, and of as many such contexts, how rates differ.
static constexpr double EnoughObjects = 8;
static constexpr size_t EnoughContexts = 8;

namespace {

/// Which part of the objects of one context is touched, and how many were
/// looked at.
struct Rate {
  double Part = 0;
  double Objects = 0;
};

} // namespace

static Rate rateOf(const UnitTouches &Objects, Horizon H,
                   const BinWeights &Weights) {
  double Live = 0, Touched = 0;
  const Occupant O = occupy(Objects, H, Weights, /*ExtraTouches=*/0);
  for (size_t I = 0; I != O.Bins.size(); ++I) {
    Live += Weights[O.First + I] * O.Bins[I].Live;
    Touched += Weights[O.First + I] * O.Bins[I].Touched;
  }
  if (Live == 0)
    return {};
  return {std::min(Touched / Live, 1.0),
          static_cast<double>(Objects.lookedAt())};
}

/// The first parameter of the beta distribution that \p Rates are drawn from.
static double firstParameter(const std::vector<Rate> &Rates) {
  const auto Number = static_cast<double>(Rates.size());
  double Mean = 0, Chance = 0, Variance = 0;
  for (const Rate &R : Rates) {
    Mean += R.Part / Number;
    Chance += R.Part * (1 - R.Part) / R.Objects / Number;
  }
  for (const Rate &R : Rates)
    Variance += (R.Part - Mean) * (R.Part - Mean) / (Number - 1);
  // What is more than chance, as a part of the most that it could be: then each
  // context is touched as a whole or not at all.
  const double Most = Mean * (1 - Mean);
  const double Correlation = Most > 0 ? (Variance - Chance) / Most : 0;
  if (Correlation <= 0)
    return UnseenTouches::Usual;
  return std::clamp(Mean * (1 / std::min(Correlation, 1.0) - 1),
                    UnseenTouches::Least, UnseenTouches::Usual);
}

UnseenTouches placement::unseenTouches(const GridTouches &Touches, Horizon H,
                                       const BinWeights &Weights) {
  std::vector<Rate> Rates;
  for (const ContextTouches &C : Touches.Contexts)
    if (C.Objects.Variance)
      if (const Rate R = rateOf(C.Objects, H, Weights);
          R.Objects >= EnoughObjects)
        Rates.push_back(R);
  return {UnseenTouches::Usual, Rates.size() >= EnoughContexts
                                    ? firstParameter(Rates)
                                    : UnseenTouches::Usual};
}
