//===- unit/Placement/ErrorsTest.cpp - What sampling leaves open ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws samples of known objects, many times, by a fixed seed, and counts how
// often the interval of what is predicted holds what all objects tell.
//
//===----------------------------------------------------------------------===//

#include "OneRun.h"
#include "thermocline/Placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <array>
#include <cmath>
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;
using thermocline::test::oneRun;

namespace {

/// Objects that live all the time, some of which are touched in each window,
/// and some in each burst, always the same.
struct Objects {
  uint64_t Number;
  uint64_t Touched;
  uint64_t InBurst;
};

/// The objects of a context. Of each part, one of as many is looked at as its
/// weight says.
struct Population {
  uint64_t Bytes;
  std::vector<std::pair<Objects, uint64_t>> Parts;
};

/// Few bins are as good as all.
constexpr size_t NumBins = 4;

ContextTouches touchesOf(const Objects &Seen, uint64_t Bytes,
                         uint64_t VarianceOfBin) {
  ContextTouches Result;
  if (!Seen.Number)
    return Result;
  Result.Objects.Windows.assign(
      NumBins, {Seen.Number, Seen.Number * Bytes, Seen.Touched, Seen.InBurst});
  Result.Objects.Variance = VarianceOfBin * NumBins;
  return Result;
}

/// What all objects of \p P tell.
ContextTouches truthOf(const Population &P) {
  Objects All = {};
  for (const auto &[Counts, Weight] : P.Parts) {
    All.Number += Counts.Number;
    All.Touched += Counts.Touched;
    All.InBurst += Counts.InBurst;
  }
  return touchesOf(All, P.Bytes, 0);
}

uint64_t drawn(std::mt19937_64 &Random, uint64_t Number, uint64_t Weight) {
  return std::binomial_distribution<uint64_t>(
      Number, 1.0 / static_cast<double>(Weight))(Random);
}

/// What a sample of them tells.
ContextTouches sampleOf(std::mt19937_64 &Random, const Population &P) {
  Objects Seen = {};
  uint64_t Variance = 0;
  for (const auto &[Counts, Weight] : P.Parts) {
    const uint64_t InBurst = drawn(Random, Counts.InBurst, Weight);
    const uint64_t InWindow =
        InBurst + drawn(Random, Counts.Touched - Counts.InBurst, Weight);
    const uint64_t All =
        InWindow + drawn(Random, Counts.Number - Counts.Touched, Weight);
    Seen.Number += All * Weight;
    Seen.Touched += InWindow * Weight;
    Seen.InBurst += InBurst * Weight;
    Variance += All * Weight * (Weight - 1);
  }
  return touchesOf(Seen, P.Bytes, Variance);
}

GridTouches allOf(ArrayRef<Population> All,
                  function_ref<ContextTouches(const Population &)> Tell) {
  GridTouches Result = {oneRun(), {}};
  for (const Population &P : All)
    Result.Contexts.push_back(Tell(P));
  return Result;
}

/// How often intervals at the goal held the truth, in percent: of the working
/// set before, after, of what is saved, and of which part that is.
using Coverage = std::array<double, 4>;

Coverage cover(ArrayRef<Population> All, const BitVector &Hinted,
               unsigned Draws = 400) {
  const WorkingSet Truth =
      cantFail(predict(allOf(All, truthOf), Hinted, {})).atGoal();
  EXPECT_TRUE(Truth.isExact());
  std::mt19937_64 Random(1);
  Coverage Result = {};
  for (unsigned I = 0; I != Draws; ++I) {
    const GridTouches Sample =
        allOf(All, [&](const Population &P) { return sampleOf(Random, P); });
    const WorkingSet Is = cantFail(predict(Sample, Hinted, {})).atGoal();
    auto Holds = [](double Seen, double Truth, double Error) {
      return std::abs(Seen - Truth) <= StandardErrors95 * Error ? 1 : 0;
    };
    auto Part = [](const WorkingSet &S) { return 1 - S.After / S.Before; };
    Result[0] += Holds(Is.Before, Truth.Before, Is.Errors.Before);
    Result[1] += Holds(Is.After, Truth.After, Is.Errors.After);
    Result[2] += Holds(Is.Before - Is.After, Truth.Before - Truth.After,
                       Is.Errors.Saved);
    Result[3] += Holds(Part(Is), Part(Truth), Is.Errors.SavedPart);
  }
  for (double &Each : Result)
    Each *= 100.0 / Draws;
  return Result;
}

BitVector hinted(std::initializer_list<bool> Flags) {
  BitVector Result;
  for (bool Is : Flags)
    Result.push_back(Is);
  return Result;
}

void expectCoverage(const Coverage &Is) {
  for (auto [I, Percent] : enumerate(Is)) {
    EXPECT_GE(Percent, 90) << I;
    EXPECT_LE(Percent, 99.5) << I;
  }
}

TEST(ErrorsTest, ExactProfilesHaveNone) {
  const std::vector<Population> All = {{64, {{{10000, 9000, 3000}, 1}}},
                                       {64, {{{90000, 200, 100}, 1}}}};
  std::mt19937_64 Random(1);
  GridTouches Touches =
      allOf(All, [&](const Population &P) { return sampleOf(Random, P); });
  const WorkingSet Set =
      cantFail(predict(Touches, hinted({false, true}), {})).atGoal();
  EXPECT_TRUE(Set.isExact());
  EXPECT_EQ(Set.Errors.Saved, 0);
  EXPECT_EQ(Set.Errors.SavedPart, 0);
  EXPECT_EQ(describe({20000000, 10000000}), "19.1 MiB -> 9.5 MiB (-50.0 %)");
}

TEST(ErrorsTest, IntervalsHoldOfEvenWeights) {
  expectCoverage(cover(
      {{64, {{{20000, 12000, 6000}, 50}}}, {64, {{{80000, 1600, 800}, 50}}}},
      hinted({false, true})));
}

TEST(ErrorsTest, IntervalsHoldOfUnevenWeights) {
  // What was made first is recorded more often, and is more often touched.
  expectCoverage(
      cover({{64, {{{2000, 1800, 1500}, 8}, {{18000, 9000, 4000}, 100}}},
             {64, {{{4000, 400, 300}, 8}, {{96000, 1200, 600}, 200}}}},
            hinted({false, true})));
}

TEST(ErrorsTest, IntervalsHoldOfManyContexts) {
  std::vector<Population> All;
  BitVector Hinted;
  for (unsigned I = 0; I != 12; ++I) {
    const bool Cold = I % 2;
    All.push_back({64 + 16 * uint64_t(I / 4),
                   {{{6000, Cold ? 100u : 3000u, Cold ? 60u : 1500u}, 60}}});
    Hinted.push_back(Cold);
  }
  expectCoverage(cover(All, Hinted, 200));
}

TEST(ErrorsTest, WhatWasNeverSeenTouchedIsNotCertain) {
  auto CoverageOf = [](uint64_t Touched) {
    return cover({{64, {{{20000, 20000, 20000}, 50}}},
                  {64, {{{60000, Touched, Touched}, 100}}}},
                 hinted({false, true}));
  };
  // In some samples of each, none is touched.
  for (uint64_t Touched : {50, 150, 200, 300}) {
    const Coverage Is = CoverageOf(Touched);
    EXPECT_GE(Is[1], 90) << Touched;
    EXPECT_GE(Is[2], 90) << Touched;
  }
}

TEST(ErrorsTest, IntervalsHoldWhereContextsAreInUseOrNot) {
  // Idle ones are touched a little, which few samples see.
  for (uint64_t Touched : {0, 20, 60, 120}) {
    std::vector<Population> All;
    BitVector Hinted;
    for (unsigned I = 0; I != 24; ++I) {
      const bool Cold = I % 2;
      const uint64_t InUse = Cold ? Touched * (I % 4) / 2 : 6000 + 400 * I;
      All.push_back({64, {{{20000, InUse, InUse}, 400}}});
      Hinted.push_back(Cold);
    }
    const Coverage Is = cover(All, Hinted, 200);
    for (auto [I, Percent] : enumerate(Is))
      EXPECT_GE(Percent, 90) << Touched << ", " << I;
  }
}

TEST(ErrorsTest, IntervalsAreNarrowerWhereContextsTellThatLittleIsUnseen) {
  // The same heap, once as many contexts that are in use or not, once as two.
  auto ErrorOf = [](uint64_t Number) {
    std::vector<Population> All;
    BitVector Hinted;
    for (unsigned I = 0; I != Number; ++I) {
      const uint64_t Objects = 240000 / Number;
      All.push_back({64, {{{Objects, I % 2 ? 0 : Objects, 0}, 400}}});
      Hinted.push_back(I % 2);
    }
    std::mt19937_64 Random(1);
    PlacementOptions Options;
    Options.Goal = Horizon::Window;
    const GridTouches Sample =
        allOf(All, [&](const Population &P) { return sampleOf(Random, P); });
    return cantFail(predict(Sample, Hinted, Options)).atGoal().Errors.After;
  };
  EXPECT_LT(ErrorOf(8) * 1.5, ErrorOf(2));
}

TEST(ErrorsTest, MergedSamplesTellAsMuchAsAllOfThemAtOnce) {
  const Population Busy = {64, {{{20000, 12000, 6000}, 50}}};
  const Population Idle = {64, {{{80000, 1600, 800}, 50}}};
  const BitVector Hinted = hinted({false, true});
  std::mt19937_64 Random(1);
  auto Sample = [&] {
    return allOf({Busy, Idle},
                 [&](const Population &P) { return sampleOf(Random, P); });
  };
  auto ErrorOf = [&](ArrayRef<GridTouches> Runs) {
    GridTouches All = Runs[0];
    for (const GridTouches &Run : Runs.drop_front()) {
      ++All.Grid.Phases[0].Runs;
      for (auto [To, From] : zip_equal(All.Contexts, Run.Contexts)) {
        for (auto [W, Added] :
             zip_equal(To.Objects.Windows, From.Objects.Windows)) {
          W.Live += Added.Live;
          W.LiveBytes += Added.LiveBytes;
          W.Touched += Added.Touched;
          W.TouchedInBurst += Added.TouchedInBurst;
        }
        To.Objects.Variance += From.Objects.Variance;
      }
    }
    return cantFail(predict(All, Hinted, {})).atGoal().Errors.Saved;
  };
  const std::vector<GridTouches> Runs = {Sample(), Sample(), Sample(),
                                         Sample()};
  // A quarter of the variance.
  EXPECT_NEAR(ErrorOf(Runs) / ErrorOf(Runs[0]), 0.5, 0.06);
  // The same run twice tells nothing new.
  GridTouches Again = Runs[0];
  for (ContextTouches &C : Again.Contexts)
    C.Objects.noteCopy(1);
  EXPECT_NEAR(ErrorOf({Runs[0], Again}) / ErrorOf(Runs[0]), 1, 0.01);
}

TEST(ErrorsTest, FewSamplesMakeAGainUncertain) {
  auto SetOf = [](uint64_t Weight) {
    std::mt19937_64 Random(3);
    return cantFail(predict(allOf({{64, {{{20000, 20000, 10000}, Weight}}},
                                   {64, {{{20000, 20, 20}, Weight}}}},
                                  [&](const Population &P) {
                                    return sampleOf(Random, P);
                                  }),
                            hinted({false, true}), {}))
        .atGoal();
  };
  EXPECT_FALSE(SetOf(20).maySaveNothing());
  const WorkingSet Few = SetOf(4000);
  ASSERT_LT(Few.After, Few.Before);
  EXPECT_TRUE(Few.maySaveNothing());
  EXPECT_NE(describe(Few).find("not certain"), std::string::npos);
}

TEST(ErrorsTest, TooFewSamplesAreSaid) {
  // One object of a context was looked at, which stands for 10,000.
  GridTouches Touches = {oneRun(),
                         {touchesOf({10000, 10000, 10000}, 64, 10000 * 9),
                          touchesOf({10000, 0, 0}, 64, 10000 * 9999ULL),
                          touchesOf({10000, 0, 0}, 64, 10000 * 9)}};
  Touches.Contexts[1].Objects.Estimated =
      Touches.Contexts[1].Objects.live() - 1;
  const Placement P = cantFail(place(Touches, {}));
  EXPECT_FALSE(P.Contexts[0].TooFew);
  EXPECT_FALSE(P.Contexts[1].Cold);
  EXPECT_TRUE(P.Contexts[1].TooFew);
  EXPECT_TRUE(P.Contexts[2].Cold);
  EXPECT_FALSE(P.Contexts[2].TooFew);
}

TEST(ErrorsTest, PartsOfFewObjectsHaveIntervals) {
  unsigned Held = 0, Draws = 0;
  std::mt19937_64 Random(1);
  for (double Truth : {0.005, 0.05, 0.3, 0.9})
    for (unsigned I = 0; I != 500; ++I, ++Draws) {
      const auto Seen = static_cast<double>(
          std::binomial_distribution<unsigned>(40, Truth)(Random));
      const PartInterval Is = intervalOfPart(Seen / 40, 40);
      Held += Is.Least <= Truth && Truth <= Is.Most;
    }
  EXPECT_GE(Held, Draws * 90 / 100);
  EXPECT_LE(Held, Draws * 99 / 100);
  EXPECT_EQ(intervalOfPart(0, 40).Least, 0);
  EXPECT_EQ(intervalOfPart(1, 40).Most, 1);
}

TEST(ErrorsTest, PartsThatSamplingExplains) {
  // Of as many objects, two draws with the same truth differ by chance.
  std::mt19937_64 Random(1);
  unsigned Same = 0, Other = 0, Draws = 0;
  auto Draw = [&](double Truth) {
    return static_cast<double>(
               std::binomial_distribution<unsigned>(60, Truth)(Random)) /
           60;
  };
  for (double Truth : {0.02, 0.2, 0.5})
    for (unsigned I = 0; I != 500; ++I, ++Draws) {
      Same += mayBeTheSame(Draw(Truth), 60, Draw(Truth), 60);
      Other += mayBeTheSame(Draw(Truth), 60, Draw(Truth + 0.4), 60);
    }
  EXPECT_GE(Same, Draws * 93 / 100);
  EXPECT_LT(Same, Draws);
  EXPECT_LE(Other, Draws / 50);
  EXPECT_TRUE(mayBeTheSame(0.5, HUGE_VAL, 0.5, HUGE_VAL));
  EXPECT_FALSE(mayBeTheSame(0.5, HUGE_VAL, 0.501, HUGE_VAL));
}

TEST(ErrorsTest, BytesAndTheirPart) {
  // 100 and 20 KiB of standard error.
  CountErrors Errors;
  const ContextSamples Cold = {.SizeVariance = 100 * 100};
  const ContextSamples Hot = {.SizeVariance = 20 * 20};
  EXPECT_TRUE(Errors.isExact());
  for (const ContextSamples &Each : {Cold, Hot})
    Errors.addToAll(Each);
  Errors.addToCold(Cold);
  EXPECT_NEAR(Errors.ofAll(), std::sqrt(100 * 100 + 20 * 20) * 1024, 1);
  EXPECT_NEAR(Errors.ofCold(), 100 * 1024, 1);
  // A quarter is cold: 3/4 of the one error, and 1/4 of the other.
  EXPECT_NEAR(Errors.ofPart(0x1p20, 0x1p22),
              std::sqrt(75.0 * 75 + 5 * 5) * 1024 / 0x1p22, 1e-6);
}

} // namespace
