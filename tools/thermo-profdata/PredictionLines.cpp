//===- thermo-profdata/PredictionLines.cpp - What hints gain, as text -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PredictionLines.h"
#include "ContextList.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static bool counts(const TouchPhase &P, StringRef Phase) {
  return Phase.empty() || P.Name == Phase;
}

std::string profdata::lengthText(const TouchGrid &Grid, StringRef Phase,
                                 Horizon H) {
  uint64_t Us = 0, Count = 0;
  for (const TouchPhase &P : Grid.Phases) {
    if (!counts(P, Phase))
      continue;
    Us += H == Horizon::Burst ? P.BurstUs : P.WindowUs;
    Count += H == Horizon::Burst ? P.Bursts : P.Windows;
  }
  return Count ? formatNumber(static_cast<double>(Us) / 1000 /
                              static_cast<double>(Count)) +
                     " ms"
               : "0 ms";
}

std::string profdata::pageSizeText(const TouchGrid &Grid) {
  return Grid.PageBytes == UsualPageBytes
             ? ""
             : " of " + formatBytes(Bytes(Grid.PageBytes));
}

std::string profdata::tooFewText(const ContextCount &TooFew, Bytes All) {
  if (!TooFew.Contexts)
    return "";
  const bool IsOne = TooFew.Contexts == 1;
  return formatCount(TooFew.Contexts, "context") + ", " +
         formatBytes(TooFew.Size) + " (" +
         formatPercent(TooFew.Size.count(), All.count()) + " of bytes), " +
         (IsOne ? "has" : "have") + " too few samples to be judged, and " +
         (IsOne ? "stays where it is" : "stay where they are");
}

std::string profdata::otherHorizonText(const Prediction &Predicted,
                                       const TouchGrid &Grid, StringRef Phase) {
  if (none_of(Grid.Phases, [&](const TouchPhase &P) {
        return counts(P, Phase) && P.Bursts != 0;
      }))
    return "";
  const bool IsBurst = Predicted.Goal == Horizon::Window;
  return IsBurst ? "bursts of " + lengthText(Grid, Phase, Horizon::Burst) +
                       ": " + describe(Predicted.AtBurst)
                 : "windows of " + lengthText(Grid, Phase, Horizon::Window) +
                       ": " + describe(Predicted.AtWindow);
}

bool profdata::isTooShortToTell(const Prediction &Predicted,
                                const TouchGrid &Grid, StringRef Phase) {
  const WorkingSet &Set = Predicted.atGoal();
  return Set.After >= Set.Before && !Grid.isLongEnoughForNoGain(Phase);
}
