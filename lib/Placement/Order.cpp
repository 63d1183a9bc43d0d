//===- Placement/Order.cpp - In order or by size class --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Order.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

static constexpr uint64_t PageBytes = 4096, PairBytes = 128, PieceBytes = 64;

LayoutCounts &LayoutCounts::operator+=(const LayoutCounts &Other) {
  Touches += Other.Touches;
  Pages += Other.Pages;
  Pairs += Other.Pairs;
  return *this;
}

OrderCounts &OrderCounts::operator+=(const OrderCounts &Other) {
  Bursts += Other.Bursts;
  InOrder += Other.InOrder;
  ByClass += Other.ByClass;
  Replacing += Other.Replacing;
  TouchedAgain += Other.TouchedAgain;
  return *this;
}

namespace {
/// Objects that lie one behind the other, from the beginning of a page on.
class Stream {
public:
  /// Adds an object like those of \p Run, which takes \p Bytes.
  void add(const LayoutRun &Run, uint64_t Bytes) {
    uint64_t Begin = 0;
    for (uint32_t Left = Run.Pieces; Left; Left /= 2) {
      if (Left % 2) {
        ++Touches;
        // Which bytes of a piece were touched is not known: the first.
        Pages.insert((End + Begin) / PageBytes);
        Pairs.insert((End + Begin) / PairBytes);
      }
      Begin += Begin ? PieceBytes : Run.FirstBytes;
    }
    End += Bytes;
  }
  LayoutCounts counts() const {
    return {static_cast<double>(Touches), count(Pages, PageBytes),
            count(Pairs, PairBytes)};
  }

private:
  double count(const std::set<uint64_t> &Touched, uint64_t Size) const {
    auto Result = static_cast<double>(Touched.size());
    // The last one may go on in another stretch.
    if (Touched.count(End / Size))
      Result -= 1 - static_cast<double>(End % Size) / static_cast<double>(Size);
    return Result;
  }

  uint64_t End = 0;
  uint64_t Touches = 0;
  std::set<uint64_t> Pages, Pairs;
};
} // namespace

static LayoutCounts countStretch(const LayoutStretch &Stretch,
                                 function_ref<bool(uint64_t)> IsCold) {
  // By the size of their objects, if they lie by that; else one.
  std::map<uint64_t, Stream> Streams;
  for (const LayoutRun &Run : Stretch.Runs) {
    if (IsCold(Run.Context))
      continue;
    const uint64_t ClassBytes =
        Stretch.IsByClass ? format::classBytes(Run.Granules) : 0;
    Stream &S = Streams[ClassBytes];
    for (uint32_t I = 0; I != Run.Count; ++I)
      S.add(Run,
            ClassBytes ? ClassBytes : Run.Granules * format::OrderGranuleBytes);
  }
  LayoutCounts Result;
  for (const auto &[Bytes, S] : Streams)
    Result += S.counts();
  return Result;
}

OrderCounts placement::countLayouts(ArrayRef<LayoutStretch> Stretches,
                                    function_ref<bool(uint64_t)> IsCold) {
  OrderCounts Result;
  Result.Bursts = 1;
  for (const LayoutStretch &S : Stretches)
    (S.IsByClass ? Result.ByClass : Result.InOrder) += countStretch(S, IsCold);
  return Result;
}

OrderCountsByPhase placement::countBursts(ArrayRef<BurstLayout> Bursts,
                                          function_ref<bool(uint64_t)> IsCold) {
  OrderCountsByPhase Result;
  for (const BurstLayout &Burst : Bursts)
    Result[Burst.Phase] += countLayouts(Burst.Stretches, IsCold);
  return Result;
}

/// Adds what \p Objects of one context have in the bins of phase number \p
/// Number.
static void addReplacement(const UnitTouches &Objects, const TouchPhase &Phase,
                           size_t Number, OrderCounts &Counts) {
  WindowTouches First, Last;
  double Born = 0, BornInBursts = 0;
  for (size_t I = 0; I != BinsPerPhase; ++I) {
    // Below First, this is more than there are.
    const size_t Index = Number * BinsPerPhase + I - Objects.First;
    Last = Index < Objects.Windows.size() ? Objects.Windows[Index]
                                          : WindowTouches();
    if (I == 0)
      First = Last;
    Born += static_cast<double>(Last.Born);
    BornInBursts += static_cast<double>(Last.BornInBurst);
    Counts.TouchedAgain += static_cast<double>(Last.touchedAgainInBurst());
  }
  // Bins share the windows of a run; what is born in one lives at its end.
  Born *= static_cast<double>(Phase.Windows) /
          static_cast<double>(std::max<uint64_t>(Phase.Runs, 1)) / BinsPerPhase;
  const double Grown = std::max(static_cast<double>(Last.Live) -
                                    static_cast<double>(First.Live) +
                                    static_cast<double>(First.Born),
                                0.0);
  if (Born > Grown)
    Counts.Replacing += BornInBursts * (1 - Grown / Born);
}

void placement::countReplacement(const GridTouches &Touches,
                                 function_ref<bool(size_t)> IsCold,
                                 OrderCountsByPhase &Counts) {
  for (size_t I = 0; I != Touches.Grid.Phases.size(); ++I) {
    const auto Found = Counts.find(Touches.Grid.Phases[I].Name);
    if (Found == Counts.end())
      continue;
    OrderCounts &C = Found->second;
    for (size_t J = 0; J != Touches.Contexts.size(); ++J)
      if (!IsCold(J))
        addReplacement(Touches.Contexts[J].Objects, Touches.Grid.Phases[I], I,
                       C);
    // A file has no more.
    for (double *Number : {&C.Replacing, &C.TouchedAgain})
      *Number = std::min(*Number, static_cast<double>(MaxTouchNumber));
  }
}

OrderVerdict placement::chooseOrder(const OrderCountsByPhase &Counts,
                                    StringRef Phase, bool IsHinted) {
  OrderCounts Sum;
  for (const auto &[Name, Count] : Counts)
    if (Phase.empty() || Phase == Name)
      Sum += Count;
  OrderVerdict Result;
  Result.LacksHints = !IsHinted;
  if (Sum.Bursts < OrderRule::LeastBursts ||
      std::min(Sum.ByClass.Touches, Sum.InOrder.Touches) <
          OrderRule::LeastTouches)
    return Result;
  const double Share = Sum.ByClass.Touches / Sum.InOrder.Touches;
  Result.Pages = Sum.InOrder.Pages / Sum.ByClass.Pages * Share;
  Result.Pairs = Sum.InOrder.Pairs / Sum.ByClass.Pairs * Share;
  if (Sum.Replacing > 0)
    Result.Replaced = Sum.Replacing / (Sum.Replacing + Sum.TouchedAgain);
  Result.Choice = IsHinted && Result.Pages <= OrderRule::MostPages &&
                          Result.Pairs <= OrderRule::MostPairs &&
                          Result.Replaced <= OrderRule::MostReplaced
                      ? OrderChoice::Order
                      : OrderChoice::Classes;
  return Result;
}

StringRef placement::nameOf(OrderChoice Choice) {
  switch (Choice) {
  case OrderChoice::CannotTell:
    return "cannot tell";
  case OrderChoice::Classes:
    return "classes";
  case OrderChoice::Order:
    return "order";
  }
  llvm_unreachable("all choices are known");
}

std::string placement::reasonOf(const OrderVerdict &Verdict) {
  if (Verdict.Choice == OrderChoice::CannotTell)
    return "it is not known well enough how they would lie in order";
  const std::string Touches =
      formatv("order touches {0:F2} of the pages and {1:F2} of the pairs of "
              "lines that size classes do",
              Verdict.Pages, Verdict.Pairs);
  if (Verdict.Choice == OrderChoice::Order)
    return Touches;
  if (Verdict.LacksHints)
    return "nothing is cold; " + Touches;
  if (Verdict.Pages <= OrderRule::MostPages &&
      Verdict.Pairs <= OrderRule::MostPairs)
    return formatv("{0:F1} % of the objects that bursts touch replace others "
                   "(good are {1:F1} % at most); {2}",
                   Verdict.Replaced * 100, OrderRule::MostReplaced * 100,
                   Touches);
  return formatv("{0} (good are {1:F2} and {2:F2} at most)", Touches,
                 OrderRule::MostPages, OrderRule::MostPairs);
}

std::string placement::describe(const OrderVerdict &Verdict) {
  StringRef How;
  switch (Verdict.Choice) {
  case OrderChoice::CannotTell:
    How = "cannot tell, as ";
    break;
  case OrderChoice::Classes:
    How = "by size class, as ";
    break;
  case OrderChoice::Order:
    How = "in order, as ";
    break;
  }
  return How.str() + reasonOf(Verdict);
}
