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
  if (Debt + RestartPrice <= MaxDebt) {
    Debt += RestartPrice;
    S.Interval = 1;
    S.Blocks = NumEarly - 1;
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
  if (S.Blocks) {
    --S.Blocks;
  } else {
    uint32_t Most = Weight < MaxInterval ? MaxInterval : GreatestInterval;
    Next = Weight > Most / 2 ? Most : Weight * 2;
    if (Next >= MaxInterval)
      S.Blocks = NumLate - 1;
  }
  uint32_t Position = draw(Next);
  S.Left = S.Rest + Position;
  S.Rest = static_cast<uint16_t>(Next - 1 - Position);
  S.Interval = static_cast<uint16_t>(Next);
  return Weight;
}
