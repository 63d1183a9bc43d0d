//===- profile/measure/StratifiedSampler.cpp - What is recorded -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StratifiedSampler.h"

using namespace thermocline::runtime;

/// Uniform in [0, Below), by a xorshift generator.
uint32_t StratifiedSampler::draw(uint32_t Below) {
  Random ^= Random >> 12;
  Random ^= Random << 25;
  Random ^= Random >> 27;
  uint64_t High = (Random * 0x2545F4914F6CDD1D) >> 32;
  return static_cast<uint32_t>((High * Below) >> 32);
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
  S.Interval = static_cast<uint16_t>(MaxInterval);
  S.Blocks = NumLate - 1;
  S.Left = draw(MaxInterval);
  S.Rest = static_cast<uint16_t>(MaxInterval - 1 - S.Left);
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
    uint32_t Most = Weight < MaxInterval ? MaxInterval : GreatestInterval;
    Next = Weight > Most >> (1 + PaceShift) ? Most : Weight << (1 + PaceShift);
    S.Blocks = Next >= MaxInterval ? NumLate - 1 : 0;
  }
  uint32_t Position = draw(Next);
  S.Left = S.Rest + Position;
  S.Rest = static_cast<uint16_t>(Next - 1 - Position);
  S.Interval = static_cast<uint16_t>(Next);
  return Weight;
}

void StratifiedSampler::pace(uint32_t NowMs, uint32_t NumCalls,
                             Allowance Allowed) {
  // A recording costs as much as so many calls, whatever its stack.
  constexpr uint32_t Fixed = 16;
  // Strata follow one block later, and there may be hundreds.
  constexpr uint32_t Step = 512;
  constexpr uint32_t LongMs = 1000;
  const int64_t AtOnce = Allowed.AtOnce;
  if (!IsPaced) {
    IsPaced = true;
    PacedAtMs = NowMs;
    Balance = AtOnce;
  }
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
