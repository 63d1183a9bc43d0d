//===- thermo-profdata/TouchLines.cpp - When memory was touched -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchLines.h"
#include "ContextList.h"
#include "PredictionLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

using Count = uint64_t WindowTouches::*;

static constexpr StringRef Objects = "objects",
                           Pages = "pages of large objects";

void profdata::printPhaseName(StringRef Name, raw_ostream &OS) {
  if (Name.empty()) {
    OS << "none";
    return;
  }
  OS << '"';
  printEscapedString(Name, OS);
  OS << '"';
}

/// Prints \p Part of the units of each of \p Number windows from \p First on.
/// It is not known of a window of which \p Knows says so.
static void printShares(const UnitTouches &T, size_t First, size_t Number,
                        Count Part, function_ref<bool(size_t)> Knows,
                        raw_ostream &OS) {
  for (size_t I = First; I != First + Number; ++I) {
    if (I < T.First || I - T.First >= T.Windows.size() ||
        !T.Windows[I - T.First].Live || !Knows(I)) {
      OS << " -";
      continue;
    }
    const WindowTouches &W = T.Windows[I - T.First];
    OS << ' '
       << formatNumber(std::round(100 * static_cast<double>(W.*Part) /
                                  static_cast<double>(W.Live)));
  }
}

/// \p IsEstimate: sampling left some of them out.
static void printLife(const UnitTouches &T, uint64_t Live, bool IsEstimate,
                      StringRef Units, raw_ostream &OS) {
  OS << "    at most " << (IsEstimate ? "about " : "") << formatCount(Live)
     << ' ' << Units << " live";
  if (T.Granules)
    OS << ", "
       << formatNumber(100 * static_cast<double>(T.TouchedGranules) /
                       static_cast<double>(T.Granules))
       << "% of their 64-byte blocks ever accessed";
  OS << '\n';
}

static void printUnits(const UnitTouches &T, ArrayRef<RawWindow> Run,
                       bool IsEstimate, StringRef Units, raw_ostream &OS) {
  if (T.empty())
    return;
  OS << "    " << Units << " touched, in % of each window:";
  printShares(
      T, 0, Run.size(), &WindowTouches::Touched, [](size_t) { return true; },
      OS);
  OS << "\n    " << Units << " touched, in % of each burst:";
  printShares(
      T, 0, Run.size(), &WindowTouches::TouchedInBurst,
      [&](size_t I) { return Run[I].BurstUs != 0; }, OS);
  OS << '\n';
  uint64_t Live = 0;
  for (const WindowTouches &W : T.Windows)
    Live = std::max(Live, W.Live);
  printLife(T, Live, IsEstimate, Units, OS);
}

void profdata::printTouches(const ContextTouches &Touches,
                            ArrayRef<RawWindow> Run, bool IsEstimate,
                            raw_ostream &OS) {
  printUnits(Touches.Objects, Run, IsEstimate, Objects, OS);
  printUnits(Touches.Pages, Run, IsEstimate, Pages, OS);
}

/// Prints which part of the units was touched, and what it may be, if sampling
/// left some of them out.
static void printIntervals(const UnitTouches &T, StringRef Units,
                           bool HasBursts, raw_ostream &OS) {
  const double PerUnit = T.varianceOfUnit();
  if (PerUnit == 0)
    return;
  auto Print = [&](Count C) {
    const double Seen = T.partOf(C);
    const PartInterval Is = intervalOfPart(Seen, T.liveAtATime() / PerUnit);
    OS << formatNumber(100 * Seen) << "% (" << formatNumber(100 * Is.Least)
       << " to " << formatNumber(100 * Is.Most) << "%)";
  };
  OS << "    " << Units << " touched: ";
  Print(&WindowTouches::Touched);
  OS << " in a window";
  if (HasBursts) {
    OS << ", ";
    Print(&WindowTouches::TouchedInBurst);
    OS << " in a burst";
  }
  OS << ", of about "
     << formatCount(std::max<uint64_t>(
            truncated(std::round(T.liveAtATime() / (1 + PerUnit))), 1))
     << " that were looked at\n";
}

/// \p RunsOf: how many runs of a phase know of such units.
static void printUnits(const UnitTouches &T, const TouchGrid &Grid,
                       function_ref<uint64_t(const TouchPhase &)> RunsOf,
                       StringRef Units, raw_ostream &OS) {
  if (T.empty())
    return;
  uint64_t Live = 0;
  for (auto [I, W] : enumerate(T.Windows))
    if (uint64_t Runs = RunsOf(Grid.Phases[(T.First + I) / BinsPerPhase]))
      Live = std::max(Live, divideCeil(W.Live, Runs));
  for (auto [I, P] : enumerate(Grid.Phases)) {
    const size_t First = I * BinsPerPhase;
    if (First + BinsPerPhase <= T.First || T.First + T.Windows.size() <= First)
      continue;
    auto Title = [&](StringRef What) {
      OS << "    " << Units << " touched, in % of " << What;
      if (Grid.Phases.size() != 1 || !P.Name.empty()) {
        OS << " in phase ";
        printPhaseName(P.Name, OS);
      }
      OS << ':';
    };
    auto Known = [](size_t) { return true; };
    Title("a window, by bin");
    printShares(T, First, BinsPerPhase, &WindowTouches::Touched, Known, OS);
    OS << '\n';
    if (!P.Bursts)
      continue;
    Title("a burst, by bin");
    printShares(T, First, BinsPerPhase, &WindowTouches::TouchedInBurst, Known,
                OS);
    OS << '\n';
  }
  printIntervals(
      T, Units,
      any_of(Grid.Phases, [](const TouchPhase &P) { return P.Bursts; }), OS);
  printLife(T, Live, T.Estimated != 0, Units, OS);
}

void profdata::printTouches(const ContextTouches &Touches,
                            const TouchGrid &Grid, raw_ostream &OS) {
  printUnits(
      Touches.Objects, Grid, [](const TouchPhase &P) { return P.Runs; },
      Objects, OS);
  // As TouchPhase::scaleOfPages() has it.
  auto KnowPages = [](const TouchPhase &P) {
    return P.WatchedRuns < P.Runs ? P.Runs - P.WatchedRuns : P.Runs;
  };
  printUnits(Touches.Pages, Grid, KnowPages, Pages, OS);
}

/// Prints "NUMBER WHAT of LENGTH ms".
static void printMean(uint64_t Number, StringRef What, uint64_t TotalUs,
                      raw_ostream &OS) {
  OS << formatCount(Number, What);
  if (Number)
    OS << " of "
       << formatNumber(static_cast<double>(TotalUs) /
                       static_cast<double>(Number) / 1000)
       << " ms";
}

std::string profdata::describeTooShort(const TouchGrid &Grid) {
  if (Grid.isLongEnough())
    return (TooShortToTell + ": totals decide").str();
  return "the runs have fewer than " + formatCount(LeastWindows) +
         " windows, too few to tell when memory is touched: totals decide";
}

void profdata::printGrid(const TouchGrid &Grid, bool PagesDecide,
                         raw_ostream &OS) {
  for (const TouchPhase &P : Grid.Phases) {
    if (Grid.Phases.size() == 1 && P.Name.empty()) {
      OS << "Windows:        ";
    } else {
      OS << "Phase:          ";
      printPhaseName(P.Name, OS);
      OS << ", ";
    }
    OS << "in " << formatCount(P.Runs, "run") << ": ";
    printMean(P.Windows, "window", P.WindowUs, OS);
    OS << ", ";
    printMean(P.Bursts, "burst", P.BurstUs, OS);
    OS << " of processor time on average\n";
  }
  if (const std::string Size = pageSizeText(Grid); !Size.empty())
    OS << "Touches:        of pages" << Size << '\n';
  if (!Grid.empty() && !PagesDecide)
    OS << "Too short:      " << describeTooShort(Grid) << '\n';
}
