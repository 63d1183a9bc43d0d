//===- Placement/Order.h - In order or by size class ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Should small objects that are not cold lie in order of allocation, or by size
// class (docs/allocator.md)? Objects that are used together and were made
// together are on fewer pages and in fewer lines in order. Objects of one size
// that are walked by themselves are on more, and lose the constant strides that
// processors fetch ahead.
//
// So of each recorded burst it is counted how many pages, and pairs of lines,
// would be touched either way, for each touch of a hot object. (A touch is that
// of a piece of 64 bytes. The stretches of both kinds are samples of the same
// objects, but what a stretch has of those that were touched depends much on
// chance.) Cold objects are taken out, and what lies behind them moves up. A
// page or pair that a stretch fills in part counts for that part.
//
// To free an object and make another takes longer in order, as freed memory and
// its books are looked at. A program that replaces much of what it uses loses
// more by that than it gains. So it is also counted how many of the hot objects
// that bursts touch are born there. In a heap that grows, which costs no more
// than by size class, births are in place of no others, and do not count.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PLACEMENT_ORDER_H
#define THERMOCLINE_PLACEMENT_ORDER_H

#include "thermocline/Profile/Layouts.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <string>

namespace thermocline::placement {

/// When objects should lie in order. With an experimental allocator and a
/// simulator, 0.6 and 0.9 parted programs that gain from those that do not. As
/// pages and pairs are counted here, jansson, which gains 40 %, has 0.58 and
/// 0.69 of the pages, and 0.93 and 1.01 of the pairs in two profiles, and the
/// next that gains nothing (nlohmann's JSON) 0.94 of the pages at least:
/// docs/results/order.md.
struct OrderRule {
  static constexpr double MostPages = 0.75;
  static constexpr double MostPairs = 1.05;
  /// At most this part of the objects that bursts touch may be born there in
  /// place of others.
  static constexpr double MostReplaced = 0.05;
  /// Fewer bursts, or fewer touches of stretches of either kind, tell nothing.
  static constexpr uint64_t LeastBursts = 2;
  static constexpr double LeastTouches = 128;
};

/// Sums over bursts, of hot objects.
struct LayoutCounts {
  /// What was touched: pieces, pages of 4 KiB, and pairs of lines of 128 bytes.
  double Touches = 0;
  double Pages = 0;
  double Pairs = 0;

  LayoutCounts &operator+=(const LayoutCounts &Other);
  bool operator==(const LayoutCounts &) const = default;
};

struct OrderCounts {
  uint64_t Bursts = 0;
  LayoutCounts InOrder;
  LayoutCounts ByClass;
  /// Objects of less than a page that are born in bursts in place of others,
  /// and those that are touched there and are older, as touches by bins of the
  /// grid have them.
  double Replacing = 0;
  double TouchedAgain = 0;

  OrderCounts &operator+=(const OrderCounts &Other);
  bool operator==(const OrderCounts &) const = default;
};

/// The counts of the runs of any number of profiles, by phases.
using OrderCountsByPhase = std::map<std::string, OrderCounts, std::less<>>;

/// Counts one burst. \p IsCold tells of the contexts of its runs.
OrderCounts countLayouts(llvm::ArrayRef<profile::LayoutStretch> Stretches,
                         llvm::function_ref<bool(uint64_t Context)> IsCold);

/// Counts bursts of any phases.
OrderCountsByPhase
countBursts(llvm::ArrayRef<profile::BurstLayout> Bursts,
            llvm::function_ref<bool(uint64_t Context)> IsCold);

/// Adds what \p Touches have of the phases in \p Counts. \p IsCold tells of
/// their contexts.
void countReplacement(const profile::GridTouches &Touches,
                      llvm::function_ref<bool(size_t Context)> IsCold,
                      OrderCountsByPhase &Counts);

enum class OrderChoice : uint8_t { CannotTell, Classes, Order };

struct OrderVerdict {
  OrderChoice Choice = OrderChoice::CannotTell;
  /// What is touched in order, divided by what is by size class; 0 if that
  /// cannot be told.
  double Pages = 0;
  double Pairs = 0;
  /// What part of the objects that bursts touch is born there in place of
  /// others.
  double Replaced = 0;
  /// Whether nothing is hinted, so that there is no choice.
  bool LacksHints = false;

  bool operator==(const OrderVerdict &) const = default;
};

/// Decides by the bursts of \p Phase, or of all phases if that is empty.
/// \p IsHinted: whether any context is cold. Without hints, order loses.
OrderVerdict chooseOrder(const OrderCountsByPhase &Counts,
                         llvm::StringRef Phase, bool IsHinted);

/// "in order, as order touches 0.37 of the pages and 0.85 of the pairs of lines
/// that size classes do", or what else was chosen and why.
std::string describe(const OrderVerdict &Verdict);
/// What that says behind "as".
std::string reasonOf(const OrderVerdict &Verdict);
/// "order", "classes" or "cannot tell".
llvm::StringRef nameOf(OrderChoice Choice);

} // namespace thermocline::placement

#endif
