//===- profile/Strata.cpp - Which allocations are recorded ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strata.h"

using namespace thermocline::runtime;

/// Uniform in [0, Below), by a xorshift generator.
uint32_t Strata::draw(uint32_t Below) {
  Random ^= Random >> 12;
  Random ^= Random << 25;
  Random ^= Random >> 27;
  uint64_t High = (Random * 0x2545F4914F6CDD1D) >> 32;
  return static_cast<uint32_t>((High * Below) >> 32);
}

void Strata::begin(Stratum &S, uint32_t Key, uint32_t MaxInterval) {
  S = {};
  S.Key = Key;
  if (Debt + RestartPrice <= MaxDebt) {
    Debt += RestartPrice;
    S.Interval = 1;
    S.Early = NumEarly - 1;
    return;
  }
  S.Interval = static_cast<uint16_t>(MaxInterval);
  S.Left = draw(MaxInterval);
  S.Rest = static_cast<uint16_t>(MaxInterval - 1 - S.Left);
}

uint32_t Strata::advance(Stratum &S, uint32_t Key, uint32_t MaxInterval) {
  if (S.Key != Key)
    begin(S, Key, MaxInterval);
  if (S.Left) {
    --S.Left;
    return 0;
  }
  uint32_t Weight = S.Interval;
  Debt = Debt > Weight ? Debt - Weight : 0;
  uint32_t Next = Weight;
  if (S.Early)
    --S.Early;
  else
    Next = Weight > MaxInterval / 2 ? MaxInterval : Weight * 2;
  uint32_t Position = draw(Next);
  S.Left = S.Rest + Position;
  S.Rest = static_cast<uint16_t>(Next - 1 - Position);
  S.Interval = static_cast<uint16_t>(Next);
  return Weight;
}
