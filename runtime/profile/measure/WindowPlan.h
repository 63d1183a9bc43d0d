//===- profile/measure/WindowPlan.h - When to scan --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says which scan is due when: at the end of each window, at the beginning of
// its burst, and where the program goes from one phase to another.
//
// A change of phase ends the present window. What has come since the last one
// is a piece; if it is short, the window before it of the same phase goes on
// with it. As this takes a scan, changes wait until the piece is long enough
// where there are many, and if the phase would have nothing else. A piece that
// lies in several phases is of the one that took the most of it. So a phase
// that is always too short is never seen, and the windows of others are nearly
// right.
//
// All scans together may take one part in so many of the program's time so far,
// and a little more, so that short runs have windows at all. A window that
// waits for this becomes longer. The first changes of phase, and the end of the
// run, need not wait as long.
//
// Times are in microseconds, on a clock of the caller's: the processor time
// that the program has used, without that of scans.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_WINDOWPLAN_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_WINDOWPLAN_H

#include "TouchWindows.h"

namespace thermocline::runtime {

/// For one thread at a time.
class WindowPlan {
public:
  enum class Scan : uint8_t { None, Baseline, BurstBegin, WindowEnd };

  const TouchWindows &windows() const { return Windows; }

  /// \returns the scan that is due.
  Scan due(uint64_t Now) const;
  /// \returns how long it is until a scan is due.
  uint64_t leftUs(uint64_t Now) const;

  /// The program is in \p New from now on. \returns the scan that is to be made
  /// before enterPhase() for this reason.
  Scan leavePhase(unsigned New, uint64_t Now);
  void enterPhase(unsigned New);
  unsigned phase() const { return Phase; }

  /// The run ends. \returns the scan that is to be made.
  Scan finish(uint64_t Now);

  /// Makes a scan: beginScan(), visit() of windows(), then endScan(), with what
  /// the scan has cost.
  void beginScan(Scan S, uint64_t Now);
  void endScan(uint64_t CostUs);

  /// Forgets all windows. The program stays in its phase.
  void restart();
  /// Restarts where the clock begins anew.
  void restartClock();

  /// Whether scans may take twice as long as the last one, and windows be as
  /// many as there can be.
  bool mayCostMore(uint64_t Now) const {
    return 2 * CostUs * 2 * TouchWindows::MaxWindows * CostPart <= Now;
  }

  /// Whether another window with a burst, by scans like the last one, would
  /// take more than one part in DearPart of the time so far, or at first, of
  /// WhileUs.
  bool costsTooMuch(uint64_t Now) const {
    return 2 * CostUs * DearPart > (Now < WhileUs ? WhileUs : Now);
  }
  static constexpr uint64_t DearPart = 32;
  static constexpr uint64_t WhileUs = 250000;

  /// All scans together may take one part in \p Part of the time so far, and
  /// \p Allowance.
  void limitCost(uint64_t Part, uint64_t Allowance) {
    CostPart = Part;
    AllowanceUs = AllowanceAtStartUs = Allowance;
  }
  /// One part in how many that is, at most.
  static constexpr uint64_t partOfThousandths(uint64_t Thousandths) {
    return (1000 + Thousandths - 1) / Thousandths;
  }
  /// There is \p AtStart of the allowance to begin with, and the rest comes
  /// little by little, one part in \p Part of the time. So the beginning of the
  /// run does not take it all.
  void growAllowance(uint64_t AtStart, uint64_t Part) {
    AllowanceAtStartUs = AtStart;
    AllowancePart = Part;
  }
  static constexpr uint64_t DefaultCostPart = 24;
  static constexpr uint64_t DefaultAllowanceUs = 12000;
  /// What a window takes of the allowance, it takes only after one part in so
  /// many of the time before it. So it lasts for more than the first moments.
  static constexpr uint64_t GrowthPart = 2;
  /// With the first FewChanges of phase, and the end of the run, it may be one
  /// part in CostPart / LargeFactor.
  static constexpr uint64_t LargeFactor = 2;
  static constexpr unsigned FewChanges = 32;

private:
  /// How long it is until another \p Scans may be made, if all together may
  /// take one part in \p Part, and \p Allowance.
  uint64_t unpaidUs(uint64_t Now, uint64_t Scans, uint64_t Part,
                    uint64_t Allowance) const;
  /// How long it is until the window may end for another \p Scans: soon if
  /// they are paid, and by the allowance if it is not short.
  uint64_t unpaidEndUs(uint64_t Now, uint64_t Scans) const;
  uint64_t costPartOfChange() const {
    return NumChanges < FewChanges ? CostPart / LargeFactor : CostPart;
  }
  /// How long the piece must be before a change of phase ends it.
  uint64_t leastPieceUs(uint64_t Now) const;
  /// The phase that the piece lies in, or that took the most of it.
  unsigned phaseOfPiece(uint64_t Now) const;
  uint64_t timeIn(unsigned P, uint64_t Now) const {
    return TimeIn[P] + (P == Phase ? Now - PhaseBeginUs : 0);
  }
  /// Whether a burst would take more than half of the window, which ends as
  /// soon as its scan may be made. Then all of it is the burst, which needs one
  /// scan less.
  bool isOwnBurst(uint64_t Now) const;
  void beginPiece(uint64_t Now);
  TouchWindows::Window endOfPiece(uint64_t Now) const;

  TouchWindows Windows;
  uint64_t CostPart = DefaultCostPart;
  uint64_t AllowanceUs = DefaultAllowanceUs;
  uint64_t AllowanceAtStartUs = DefaultAllowanceUs;
  uint64_t AllowancePart = 1;
  /// The phase that the program is in, and since when, not before the piece.
  unsigned Phase = 0;
  uint64_t PhaseBeginUs = 0;
  /// How much of the piece was spent in each phase before.
  uint64_t TimeIn[TouchWindows::MaxPhases] = {};
  /// When the piece began, and if IsInBurst, its burst. What comes later does
  /// not change its phase any more.
  uint64_t BeginUs = 0;
  bool IsInBurst = false;
  uint64_t BurstBeginUs = 0;
  unsigned PhaseOfBurst = 0;
  unsigned NumChanges = 0;
  /// What the last scan has cost, and all of them.
  uint64_t CostUs = 0;
  uint64_t SpentUs = 0;
};

} // namespace thermocline::runtime

#endif
