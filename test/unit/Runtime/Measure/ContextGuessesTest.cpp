//===- unit/Runtime/Measure/ContextGuessesTest.cpp - Remembered contexts --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/ContextGuesses.h"
#include "gtest/gtest.h"
#include <memory>

using namespace thermocline::runtime;

// A guess that is never made, or always the same, would be proved wrong each
// time and cost nothing but speed: no profile shows it.
TEST(ContextGuessesTest, StacksOfDeepRecursionAreRemembered) {
  auto Guesses = std::make_unique<ContextGuesses>();
  // As contextOf() makes them: frames some 100 bytes apart, two calls each.
  auto seenAt = [](uint64_t Depth) {
    uint64_t Frame = 0x7ffd12340000 - Depth * 96;
    return uint64_t(0x55d0a1b2c3d4) ^ Frame << 20 ^
           uint64_t(0x55d0a1b2c000) << 8;
  };
  EXPECT_EQ(Guesses->get(seenAt(1)).Id, ContextId::None);
  constexpr uint64_t Depths = 2000;
  for (uint64_t Depth = 1; Depth <= Depths; ++Depth)
    Guesses->set(seenAt(Depth), {static_cast<ContextId>(Depth), Depth % 2 == 0,
                                 Depth % 3 == 0});
  unsigned Remembered = 0;
  for (uint64_t Depth = 1; Depth <= Depths; ++Depth) {
    ContextGuesses::Guess Guess = Guesses->get(seenAt(Depth));
    if (Guess.Id != static_cast<ContextId>(Depth))
      continue;
    ++Remembered;
    EXPECT_EQ(Guess.NeedsRules, Depth % 2 == 0);
    EXPECT_EQ(Guess.EndsInLastFrame, Depth % 3 == 0);
  }
  EXPECT_GT(Remembered, Depths * 3 / 4);
}
