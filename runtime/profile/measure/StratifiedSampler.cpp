//===- profile/measure/StratifiedSampler.cpp - What is recorded -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StratifiedSampler.h"

using namespace thermocline::runtime;

void StratifiedSampler::beginBlock(Stratum &S, uint32_t Interval) {
  const uint32_t Position = draw(Interval);
  S.Left = S.Rest + Position;
  S.Rest = static_cast<uint16_t>(Interval - 1 - Position);
  S.Interval = static_cast<uint16_t>(Interval);
}

Stratum *StratifiedSampler::begin(uint64_t Seen, uint32_t MaxInterval) {
  uint64_t Hash = hash(Seen);
  // The stratum that began last in the pair of slots stays, in the other one.
  Stratum &S = *slotOf(Hash);
  if (S.Key)
    *partnerOf(&S) = S;
  S = {};
  S.Key = keyOf(Hash);
  const uint64_t Price = RestartPrice << PaceShift;
  if (Debt + Price <= MaxDebt) {
    Debt += Price;
    S.Interval = 1;
    const uint32_t Early = NumEarly >> PaceShift;
    S.Blocks = static_cast<uint16_t>(Early ? Early - 1 : 0);
    return &S;
  }
  S.Blocks = NumLate - 1;
  beginBlock(S, MaxInterval);
  return &S;
}

uint32_t StratifiedSampler::advance(Stratum &S, uint32_t MaxInterval) {
  if (S.Left) {
    --S.Left;
    return 0;
  }
  uint32_t Weight = S.Interval;
  Debt = Debt > Weight ? Debt - Weight : 0;
  uint32_t Next = Weight;
  // If all intervals have become longer, so do those in between.
  const bool IsBehind = Weight > 1 && Weight < MaxInterval;
  if (S.Blocks && !IsBehind) {
    --S.Blocks;
  } else {
    const uint32_t Most =
        Weight < MaxInterval ? MaxInterval : GreatestInterval >> LookShift;
    Next = Weight > Most >> (1 + PaceShift) ? Most : Weight << (1 + PaceShift);
    S.Blocks = Next >= MaxInterval ? NumLate - 1 : 0;
  }
  beginBlock(S, Next);
  return Weight;
}

/// The greatest shift by which a block of \p MaxInterval allocations still has
/// some that are looked at, so that strata differ.
static unsigned mostLookShift(uint32_t MaxInterval) {
  constexpr uint32_t Looks = 8;
  const uint32_t Most = MaxInterval / Looks;
  return Most ? 31 - static_cast<unsigned>(__builtin_clz(Most)) : 0;
}

uint32_t StratifiedSampler::next(uint64_t Seen, uint32_t MaxInterval,
                                 Stratum *&Found) {
  if (passesThisOver()) {
    Found = nullptr;
    return 0;
  }
  const uint32_t Looks =
      MaxInterval >> LookShift ? MaxInterval >> LookShift : 1;
  Found = find(Seen, &Stratum::Key);
  if (!Found)
    Found = begin(Seen, Looks);
  const uint32_t Weight = advance(*Found, Looks);
  if (Weight) {
    NumLooks += Weight;
    ++NumRecorded;
  }
  const uint32_t Result = Weight << LookShift;
  const unsigned Most = mostLookShift(MaxInterval);
  lookAtOneOf(WantedLookShift < Most ? WantedLookShift : Most);
  if (LookShift || RestAfterLook)
    passOver();
  return Result;
}

void StratifiedSampler::lookAtOneOf(unsigned Shift) {
  if (Shift == LookShift)
    return;
  for (Stratum &S : Slots)
    if (S.Key)
      continueWith(S, Shift);
  LookShift = Shift;
}

void StratifiedSampler::continueWith(Stratum &S, unsigned Shift) {
  // What is left of the present block stands for as many allocations. Rounded
  // at random, it does so on average.
  const uint32_t Block = uint32_t(S.Interval) << LookShift >> Shift;
  const uint64_t Looks = uint64_t(S.Left) + 1 + S.Rest;
  uint64_t LooksNow = Looks;
  if (Shift < LookShift) {
    const unsigned By = LookShift - Shift;
    LooksNow = Looks << By;
    S.Left = (S.Left << By) + draw(1u << By);
  } else {
    const unsigned By = Shift - LookShift;
    LooksNow = (Looks + draw(1u << By)) >> By;
    S.Left >>= By;
  }
  const uint64_t Rest = LooksNow > S.Left ? LooksNow - S.Left - 1 : 0;
  S.Rest = static_cast<uint16_t>(Rest < 0xFFFF ? Rest : 0xFFFF);
  S.Interval = static_cast<uint16_t>(Block ? Block : 1);
}

void StratifiedSampler::pace(uint32_t NowMs, uint32_t NumCalls,
                             Allowance Allowed) {
  if (!IsPaced) {
    IsPaced = true;
    PacedAtMs = LooksPacedAtMs = NowMs;
    Balance = Allowed.AtOnce;
  }
  paceWalks(NowMs, NumCalls, Allowed);
  paceLooks(NowMs, Allowed.LooksPerMs);
}

static constexpr uint32_t LongMs = 1000;

void StratifiedSampler::paceLooks(uint32_t NowMs, uint32_t LooksPerMs) {
  // Of so many that were recorded, it is known about how many there were.
  constexpr uint32_t Enough = 32;
  constexpr uint32_t LeastMs = 4;
  constexpr unsigned MostShift = 12;
  const uint32_t PassedMs = NowMs - LooksPacedAtMs;
  if (PassedMs < LeastMs || (NumRecorded < Enough && PassedMs < LongMs))
    return;
  const uint64_t Allowed = uint64_t(PassedMs) * LooksPerMs;
  // Looks per millisecond are given for the present shift.
  unsigned Wanted = LookShift;
  for (uint64_t Looks = NumLooks; Looks > Allowed && Wanted != MostShift;
       Looks /= 2)
    ++Wanted;
  if (Wanted && 4 * NumLooks < Allowed)
    --Wanted;
  WantedLookShift = Wanted;
  NumLooks = 0;
  NumRecorded = 0;
  LooksPacedAtMs = NowMs;
}

void StratifiedSampler::paceWalks(uint32_t NowMs, uint32_t NumCalls,
                                  const Allowance &Allowed) {
  // A recording costs as much as so many calls, whatever its stack.
  constexpr uint32_t Fixed = 16;
  // Strata follow one block later, and there may be hundreds.
  constexpr uint32_t Step = 512;
  const int64_t AtOnce = Allowed.AtOnce;
  Unpaid += NumCalls + Fixed;
  ++NumUnpaid;
  const uint32_t PassedMs = NowMs - PacedAtMs;
  if (NumUnpaid < Step && PassedMs < LongMs)
    return;
  NumUnpaid = 0;
  const int64_t Earned = int64_t(PassedMs) * Allowed.PerMs;
  const int64_t Spent = Unpaid;
  Balance += Earned;
  Balance = (Balance < AtOnce ? Balance : AtOnce) - Spent;
  Unpaid = 0;
  PacedAtMs = NowMs;
  if (Balance < 0 && Spent > Earned) {
    PaceShift += paced(1) < GreatestInterval;
  } else if (PaceShift && (2 * Spent < Earned || Balance > AtOnce / 2)) {
    --PaceShift;
  }
}
