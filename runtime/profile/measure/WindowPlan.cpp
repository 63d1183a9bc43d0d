//===- profile/measure/WindowPlan.cpp - When to scan ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowPlan.h"

using namespace thermocline::runtime;

static uint64_t most(uint64_t A, uint64_t B) { return A < B ? B : A; }

static uint64_t leftOf(uint64_t Passed, uint64_t Target) {
  return Passed < Target ? Target - Passed : 0;
}

//===-- What is due -------------------------------------------------------===//

uint64_t WindowPlan::unpaidUs(uint64_t Now, uint64_t Scans, uint64_t Part,
                              uint64_t Allowance) const {
  const uint64_t Needed = SpentUs + Scans * CostUs;
  const uint64_t ByAll = leftOf(Allowance, Needed) * Part;
  const uint64_t AtStart =
      Allowance < AllowanceAtStartUs ? Allowance : AllowanceAtStartUs;
  const uint64_t ByGrowing = Allowance == AtStart
                                 ? 0
                                 : leftOf(AtStart, Needed) * Part *
                                       AllowancePart / (Part + AllowancePart);
  return leftOf(Now, most(ByAll, ByGrowing));
}

uint64_t WindowPlan::unpaidEndUs(uint64_t Now, uint64_t Scans) const {
  const uint64_t Paid = unpaidUs(Now, Scans, CostPart, 0);
  const uint64_t Early = most(leftOf(Now - BeginUs, BeginUs / GrowthPart),
                              unpaidUs(Now, Scans, CostPart, AllowanceUs));
  return Early < Paid ? Early : Paid;
}

bool WindowPlan::isOwnBurst(uint64_t Now) const {
  const uint64_t PaidUs = Now - BeginUs + unpaidEndUs(Now, 1);
  const uint64_t TooShort = 2 * most(TouchWindows::BurstTargetUs, CostUs);
  return Windows.targetUs(Phase) < TooShort && PaidUs <= TooShort;
}

uint64_t WindowPlan::leastPieceUs(uint64_t Now) const {
  return NumChanges < FewChanges && Windows.numOf(phaseOfPiece(Now))
             ? 1
             : TouchWindows::LeastUs;
}

unsigned WindowPlan::phaseOfPiece(uint64_t Now) const {
  if (IsInBurst)
    return PhaseOfBurst;
  unsigned Result = Phase;
  for (unsigned P = 0; P != TouchWindows::MaxPhases; ++P)
    if (timeIn(P, Now) > timeIn(Result, Now))
      Result = P;
  return Result;
}

uint64_t WindowPlan::leftUs(uint64_t Now) const {
  if (Windows.needsBaseline())
    return 0;
  if (IsInBurst)
    return leftOf(Now - BurstBeginUs, TouchWindows::BurstTargetUs);
  const uint64_t Piece = Now - BeginUs;
  const bool HasBurst = !isOwnBurst(Now);
  const uint64_t Target =
      Windows.targetUs(Phase) - (HasBurst ? TouchWindows::BurstTargetUs : 0);
  const uint64_t Left = most(leftOf(Windows.continuedUs(Phase) + Piece, Target),
                             unpaidEndUs(Now, HasBurst ? 2 : 1));
  if (phaseOfPiece(Now) == Phase)
    return Left;
  const uint64_t LeftOfOther =
      most(leftOf(Piece, leastPieceUs(Now)),
           unpaidUs(Now, 1, costPartOfChange(), AllowanceUs));
  return LeftOfOther < Left ? LeftOfOther : Left;
}

WindowPlan::Scan WindowPlan::due(uint64_t Now) const {
  if (Windows.needsBaseline())
    return Scan::Baseline;
  if (leftUs(Now))
    return Scan::None;
  return IsInBurst || isOwnBurst(Now) || phaseOfPiece(Now) != Phase
             ? Scan::WindowEnd
             : Scan::BurstBegin;
}

WindowPlan::Scan WindowPlan::leavePhase(unsigned New, uint64_t Now) {
  if (New == Phase || Windows.needsBaseline())
    return Scan::None;
  TimeIn[Phase] += Now - PhaseBeginUs;
  PhaseBeginUs = Now;
  return IsInBurst || (Now - BeginUs >= leastPieceUs(Now) &&
                       !unpaidUs(Now, 1, costPartOfChange(), AllowanceUs))
             ? Scan::WindowEnd
             : Scan::None;
}

void WindowPlan::enterPhase(unsigned New) {
  Phase = New;
  Windows.begin(New);
}

WindowPlan::Scan WindowPlan::finish(uint64_t Now) {
  const uint64_t Piece = Now - BeginUs;
  if (Windows.needsBaseline() || !Piece)
    return Scan::None;
  const unsigned P = phaseOfPiece(Now);
  const uint64_t Length = Windows.continuedUs(P) + Piece;
  // A run and a phase have a window even if they are too short for one, or if
  // it is not paid.
  if (!Windows.size() || (!Windows.numOf(P) && Piece >= TouchWindows::LeastUs))
    return Scan::WindowEnd;
  const bool IsLong = Length >= Windows.targetUs(P) / 2;
  return IsInBurst || (IsLong &&
                       !unpaidUs(Now, 1, CostPart / LargeFactor, AllowanceUs))
             ? Scan::WindowEnd
             : Scan::None;
}

//===-- Scans -------------------------------------------------------------===//

TouchWindows::Window WindowPlan::endOfPiece(uint64_t Now) const {
  TouchWindows::Window Result = {Now - BeginUs, 0, phaseOfPiece(Now)};
  if (IsInBurst)
    Result.BurstUs = Now - BurstBeginUs;
  else if (Result.LengthUs <= 2 * most(TouchWindows::BurstTargetUs, CostUs))
    Result.BurstUs = Result.LengthUs;
  // A burst that was cut off is none.
  const bool IsPart =
      IsInBurst || Windows.continuesWith(Result.Phase, Result.LengthUs);
  if (IsPart && Result.BurstUs < TouchWindows::BurstTargetUs / 2)
    Result.BurstUs = 0;
  return Result;
}

void WindowPlan::beginPiece(uint64_t Now) {
  BeginUs = PhaseBeginUs = Now;
  for (uint64_t &Time : TimeIn)
    Time = 0;
  IsInBurst = false;
}

void WindowPlan::beginScan(Scan S, uint64_t Now) {
  switch (S) {
  case Scan::None:
    return;
  case Scan::Baseline:
    Windows.beginBaseline();
    beginPiece(Now);
    return;
  case Scan::BurstBegin:
    PhaseOfBurst = phaseOfPiece(Now);
    IsInBurst = true;
    BurstBeginUs = Now;
    Windows.beginBurst(PhaseOfBurst);
    return;
  case Scan::WindowEnd:
    // A change of phase ends it at once or later.
    NumChanges += PhaseBeginUs == Now || phaseOfPiece(Now) != Phase;
    Windows.endWindow(endOfPiece(Now));
    beginPiece(Now);
    return;
  }
}

void WindowPlan::endScan(uint64_t Cost) {
  Windows.endScan();
  CostUs = Cost;
  SpentUs += Cost;
}

void WindowPlan::restart() {
  Windows.restart();
  Windows.begin(Phase);
  IsInBurst = false;
}

void WindowPlan::restartClock() {
  restart();
  beginPiece(0);
  SpentUs = 0;
}
