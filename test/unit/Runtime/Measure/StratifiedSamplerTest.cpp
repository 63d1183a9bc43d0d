//===- unit/Runtime/Measure/StratifiedSamplerTest.cpp - What is recorded --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/StratifiedSampler.h"
#include "gtest/gtest.h"
#include <cmath>
#include <memory>
#include <set>
#include <vector>

using namespace thermocline::runtime;

static std::unique_ptr<StratifiedSampler> makeSampler(uint64_t Seed = 0) {
  auto Result = std::make_unique<StratifiedSampler>();
  Result->seed(Seed);
  return Result;
}

static uint32_t next(StratifiedSampler &S, uint64_t Seen,
                     uint32_t MaxInterval) {
  Stratum *Found;
  return S.next(Seen, MaxInterval, Found);
}

// Eight of weight 1, then one in each block of 2, 4, 8 ... N.
TEST(StratifiedSamplerTest, BeginsWithAllAndThinsOut) {
  auto S = makeSampler();
  Stratum *Found;
  for (unsigned I = 0; I != StratifiedSampler::NumEarly; ++I) {
    EXPECT_EQ(S->next(5, 100, Found), 1u);
    EXPECT_EQ(StratifiedSampler::opensGaps(*Found),
              I + 1 == StratifiedSampler::NumEarly);
  }
  for (uint32_t Interval : {2, 4, 8, 16, 32, 64, 100, 100, 100}) {
    unsigned Recorded = 0;
    for (uint32_t I = 0; I != Interval; ++I)
      if (uint32_t Weight = next(*S, 5, 100)) {
        EXPECT_EQ(Weight, Interval);
        ++Recorded;
      }
    EXPECT_EQ(Recorded, 1u) << Interval;
  }
}

// Who allocates millions of times is not recorded a hundred thousand times.
TEST(StratifiedSamplerTest, ThinsOutOnceMuchIsRecorded) {
  auto S = makeSampler();
  std::vector<unsigned> Recorded(StratifiedSampler::GreatestInterval + 1);
  constexpr unsigned Length = 20000000;
  double Estimate = 0;
  for (unsigned I = 0; I != Length; ++I)
    if (uint32_t Weight = next(*S, 5, 100)) {
      ++Recorded[Weight];
      Estimate += Weight;
    }
  for (uint32_t Interval : {100, 200, 400, 800, 1600})
    EXPECT_EQ(Recorded[Interval], StratifiedSampler::NumLate) << Interval;
  // The last block may be cut off, with or without what is recorded of it.
  EXPECT_NEAR(Estimate, Length, 3200);
}

// Two that want the same slot do not take it from each other.
TEST(StratifiedSamplerTest, SlotsAreSharedByTwo) {
  auto S = makeSampler();
  Stratum *A, *B;
  S->next(1, 100, A);
  // One of so many has the slot of the first.
  for (uint64_t Seen = 2;; ++Seen) {
    ASSERT_NE(Seen, 100000u);
    S->next(Seen, 100, B);
    if (A == B) {
      for (int I = 0; I != 20000; ++I) {
        next(*S, 1, 100);
        next(*S, Seen, 100);
      }
      unsigned Recorded = 0;
      for (int I = 0; I != 1000; ++I)
        Recorded += (next(*S, 1, 100) != 0) + (next(*S, Seen, 100) != 0);
      EXPECT_GT(Recorded, 10u);
      EXPECT_LT(Recorded, 40u);
      return;
    }
  }
}

// A recursion has few strata however deep it is, a few calls one each.
TEST(StratifiedSamplerTest, DepthIsRoughWhereItIsGreat) {
  std::set<uint64_t> Deep, Shallow, Above;
  for (uint64_t Level = 1; Level <= 100000; ++Level)
    Deep.insert(StratifiedSampler::seen(1000, Level * 96));
  for (uint64_t Level = 1; Level <= 100; ++Level) {
    Shallow.insert(StratifiedSampler::seen(1000, Level * 96));
    Above.insert(StratifiedSampler::seen(1000, -Level * 96));
  }
  EXPECT_LT(Deep.size(), 300u);
  EXPECT_EQ(Shallow.size(), 100u);
  EXPECT_EQ(Above.size(), 100u);
  EXPECT_NE(StratifiedSampler::seen(1000, 1 << 20),
            StratifiedSampler::seen(1000, -(1 << 20)));
}

TEST(StratifiedSamplerTest, GreatestIntervalIsReached) {
  auto S = makeSampler();
  uint32_t Greatest = 0;
  for (int I = 0; I != 1000000; ++I)
    Greatest = std::max(Greatest, next(*S, 1, 65535));
  EXPECT_EQ(Greatest, 65535u);
}

// Every allocation has the same chance, whatever the number of allocations: on
// average over many runs the weights at each position are 1.
TEST(StratifiedSamplerTest, WeightsAreUnbiasedAtEachPosition) {
  constexpr unsigned Runs = 40000, Length = 60;
  std::vector<double> Sum(Length);
  for (unsigned Run = 0; Run != Runs; ++Run) {
    static StratifiedSampler S;
    S = {};
    S.seed(Run);
    for (unsigned I = 0; I != Length; ++I)
      Sum[I] += next(S, 77, 10);
  }
  for (unsigned I = 0; I != Length; ++I)
    // The variance of a weight is at most 10 - 1.
    EXPECT_NEAR(Sum[I] / Runs, 1, 5 * std::sqrt(9.0 / Runs)) << I;
}

// A program that does the same thing every N allocations is not always caught
// at it, nor never.
TEST(StratifiedSamplerTest, PeriodsDoNotMatter) {
  auto S = makeSampler();
  double Estimate = 0;
  constexpr int Length = 200000;
  for (int I = 0; I != Length; ++I) {
    uint32_t Weight = next(*S, 3, 100);
    if (I % 100 == 50)
      Estimate += Weight;
  }
  constexpr double True = Length / 100.0;
  EXPECT_NEAR(Estimate, True, 5 * std::sqrt(True * 99));
}

TEST(StratifiedSamplerTest, PlacesAreKeptApart) {
  auto S = makeSampler();
  for (int I = 0; I != 100000; ++I)
    next(*S, 1, 1000);
  for (unsigned I = 0; I != StratifiedSampler::NumEarly; ++I)
    EXPECT_EQ(next(*S, 2, 1000), 1u);
}

// Far more strata than slots, each seen a few times: not all are recorded, the
// estimate is right all the same.
TEST(StratifiedSamplerTest, ManyStrataDoNotRecordEverything) {
  auto S = makeSampler();
  uint64_t Recorded = 0, Total = 0;
  double Estimate = 0, Variance = 0;
  for (uint64_t Round = 0; Round != 20; ++Round)
    for (uint64_t Seen = 1; Seen != 100000; ++Seen) {
      ++Total;
      if (uint32_t Weight = next(*S, Seen * 0x10001, 100)) {
        ++Recorded;
        Estimate += Weight;
        Variance += double(Weight) * (Weight - 1);
      }
    }
  EXPECT_LT(Recorded, Total / 20);
  EXPECT_GT(Recorded, Total / 200);
  EXPECT_NEAR(Estimate, double(Total), 5 * std::sqrt(Variance));
}

TEST(StratifiedSamplerTest, SameSeedSameChoice) {
  auto A = makeSampler(7), B = makeSampler(7), C = makeSampler(8);
  bool Differs = false;
  for (int I = 0; I != 100000; ++I) {
    uint32_t Weight = next(*A, I % 37 + 1, 50);
    ASSERT_EQ(Weight, next(*B, I % 37 + 1, 50));
    Differs |= Weight != next(*C, I % 37 + 1, 50);
  }
  EXPECT_TRUE(Differs);
}

/// Records what the sampler draws of \p Rounds rounds, in which each stratum
/// allocates once, within \p Ms. \returns how many were recorded.
static uint64_t record(StratifiedSampler &S, uint32_t Strata, uint32_t Rounds,
                       uint32_t Interval, uint32_t Ms, uint32_t NumCalls,
                       double &Estimate) {
  uint64_t Recorded = 0;
  for (uint32_t Round = 0; Round != Rounds; ++Round)
    for (uint32_t Seen = 1; Seen <= Strata; ++Seen)
      if (const uint32_t Weight = next(S, Seen, S.paced(Interval))) {
        S.pace(uint32_t(uint64_t(Round) * Ms / Rounds), NumCalls,
               StratifiedSampler::allowance(30));
        ++Recorded;
        Estimate += Weight;
      }
  return Recorded;
}

// Many strata, of which each allocates as often. Long stacks cost more.
TEST(StratifiedSamplerTest, PaceLimitsWhatIsRecorded) {
  constexpr uint32_t Interval = 10, Strata = 500, Rounds = 20000;
  const StratifiedSampler::Allowance Allowed = StratifiedSampler::allowance(30);
  for (const uint32_t NumCalls : {16u, 256u})
    for (const uint32_t Ms : {1, 100000}) {
      auto S = makeSampler();
      double Estimate = 0;
      const uint64_t Recorded =
          record(*S, Strata, Rounds, Interval, Ms, NumCalls, Estimate);
      EXPECT_NEAR(Estimate, double(Strata) * Rounds, 0.06 * Strata * Rounds);
      const uint64_t Most =
          (Allowed.AtOnce + uint64_t(Ms) * Allowed.PerMs) / (NumCalls + 16);
      // Strata follow one block later.
      EXPECT_LT(Recorded, Most * 5 / 4 + 16 * Strata) << Ms << " " << NumCalls;
      EXPECT_GT(Recorded,
                std::min<uint64_t>(Most, Strata * Rounds / Interval) / 3)
          << Ms << " " << NumCalls;
    }
}

// Strata that take each other's place begin again all the time.
TEST(StratifiedSamplerTest, PaceLimitsWhatBeginsAgain) {
  constexpr uint32_t Interval = 1000, Strata = 40000, Rounds = 100;
  const StratifiedSampler::Allowance Allowed = StratifiedSampler::allowance(5);
  uint64_t Recorded[2] = {};
  for (const bool IsPaced : {false, true}) {
    auto S = makeSampler();
    double Estimate = 0;
    for (uint32_t Round = 0; Round != Rounds; ++Round)
      for (uint32_t Seen = 1; Seen <= Strata; ++Seen)
        if (const uint32_t Weight = next(*S, Seen, S->paced(Interval))) {
          if (IsPaced)
            S->pace(Round, 64, Allowed);
          ++Recorded[IsPaced];
          Estimate += Weight;
        }
    EXPECT_NEAR(Estimate, double(Strata) * Rounds, 0.3 * Strata * Rounds);
  }
  EXPECT_LT(Recorded[true], Recorded[false] / 2);
}

TEST(StratifiedSamplerTest, IntervalsShrinkWhenThereIsTime) {
  auto S = makeSampler();
  const StratifiedSampler::Allowance Allowed = {
      .AtOnce = 16000, .PerMs = 10, .LooksPerMs = 1000000};
  EXPECT_EQ(S->paced(100), 100u);
  // It is looked at four times, and too much from the second on.
  for (int I = 0; I != 4 * 512; ++I)
    S->pace(0, 0, Allowed);
  EXPECT_EQ(S->paced(100), 800u);
  EXPECT_EQ(S->paced(60000), StratifiedSampler::GreatestInterval);
  // Once in a second it is looked at, whatever was recorded.
  for (uint32_t Ms = 2000; Ms <= 6000; Ms += 1000)
    S->pace(Ms, 0, Allowed);
  EXPECT_EQ(S->paced(100), 100u);
}

// What is not used for an hour is not saved up.
TEST(StratifiedSamplerTest, AllowanceIsNotSavedUp) {
  auto S = makeSampler();
  const StratifiedSampler::Allowance Allowed = {
      .AtOnce = 16000, .PerMs = 10, .LooksPerMs = 1000000};
  S->pace(0, 0, Allowed);
  constexpr uint32_t Later = 3600000;
  S->pace(Later, 0, Allowed);
  for (int I = 0; I != 2 * 512; ++I)
    S->pace(Later, 0, Allowed);
  EXPECT_GT(S->paced(100), 100u);
}

// What was spent before is no reason to record little when little is made.
TEST(StratifiedSamplerTest, IntervalsShrinkWhileDebtsRemain) {
  auto S = makeSampler();
  const StratifiedSampler::Allowance Allowed = {
      .AtOnce = 16000, .PerMs = 10, .LooksPerMs = 1000000};
  for (int I = 0; I != 8 * 512; ++I)
    S->pace(0, 0, Allowed);
  EXPECT_EQ(S->paced(100), 12800u);
  // A new stratum begins with one instead of eight.
  Stratum *Found;
  EXPECT_EQ(S->next(5, 100, Found), 1u);
  EXPECT_TRUE(StratifiedSampler::opensGaps(*Found));
  for (uint32_t Ms = 1000; Ms <= 7000; Ms += 1000)
    S->pace(Ms, 0, Allowed);
  EXPECT_EQ(S->paced(100), 100u);
}

/// Allocates \p PerMs times in each of \p Ms milliseconds, each time in another
/// of \p Strata, as malloc does. \returns how many were looked at.
static uint64_t allocate(StratifiedSampler &S, uint32_t Strata, uint32_t PerMs,
                         uint32_t BeginMs, uint32_t Ms, uint32_t Interval,
                         std::vector<double> &Estimates) {
  uint64_t Looks = 0;
  uint32_t Seen = 0;
  for (uint32_t Now = BeginMs; Now != BeginMs + Ms; ++Now)
    for (uint32_t I = 0; I != PerMs; ++I) {
      Seen = Seen % Strata + 1;
      if (S.delegate(Seen))
        continue;
      Stratum *Found;
      const uint32_t Weight = S.next(Seen, S.paced(Interval), Found);
      Looks += Found != nullptr;
      if (Found && !Weight)
        Found->delegateFromNow();
      if (!Weight)
        continue;
      EXPECT_LE(Weight, StratifiedSampler::GreatestInterval);
      Estimates[Seen - 1] += Weight;
      S.pace(Now, 0, {.AtOnce = 1u << 30, .PerMs = 1u << 20, .LooksPerMs = 50});
    }
  return Looks;
}

// Who allocates all the time is looked at now and then, and each stratum is
// counted all the same.
TEST(StratifiedSamplerTest, FewAreLookedAtWhereManyAllocate) {
  constexpr uint32_t Strata = 7, PerMs = 5000, Ms = 2000;
  auto S = makeSampler();
  std::vector<double> Estimates(Strata);
  allocate(*S, Strata, PerMs, 0, Ms, 1000, Estimates);
  EXPECT_TRUE(S->passesOver());
  for (const double Estimate : Estimates)
    EXPECT_NEAR(Estimate, double(PerMs) * Ms / Strata,
                0.05 * PerMs * Ms / Strata);
}

// And all of them again when there are few.
TEST(StratifiedSamplerTest, AllAreLookedAtWhereFewAllocate) {
  constexpr uint32_t Strata = 3;
  auto S = makeSampler();
  std::vector<double> Estimates(Strata);
  allocate(*S, Strata, 40, 0, 100, 100, Estimates);
  EXPECT_FALSE(S->passesOver());
  allocate(*S, Strata, 5000, 100, 100, 100, Estimates);
  EXPECT_TRUE(S->passesOver());
  allocate(*S, Strata, 1, 200, 100000, 100, Estimates);
  EXPECT_FALSE(S->passesOver());
}

// Where blocks are short, some of each are looked at all the same.
TEST(StratifiedSamplerTest, SmallIntervalsLookAtSome) {
  auto S = makeSampler();
  std::vector<double> Estimates(1);
  allocate(*S, 1, 5000, 0, 100, 8, Estimates);
  EXPECT_NEAR(Estimates[0], 500000, 25000);
}

// Each allocation has the same chance while the number of looks changes: on
// average over many runs the weights at each position are 1.
TEST(StratifiedSamplerTest, WeightsAreUnbiasedWhileLooksChange) {
  constexpr unsigned Runs = 20000, Length = 2000, Steps = 100;
  std::vector<double> Sum(Length / Steps);
  auto S = makeSampler();
  for (unsigned Run = 0; Run != Runs; ++Run) {
    *S = {};
    S->seed(Run);
    for (unsigned I = 0; I != Length; ++I) {
      Stratum *Found;
      const uint32_t Weight = S->next(77, 32, Found);
      Sum[I / Steps] += Weight;
      // Much, then little, and much again.
      const bool IsMuch = I / 500 % 2 == 0;
      if (Weight)
        S->pace(I / 100 * 2000, 0,
                {.AtOnce = 1u << 30,
                 .PerMs = 1u << 20,
                 .LooksPerMs = IsMuch ? 0u : 1000u});
    }
  }
  for (const double Of : Sum)
    EXPECT_NEAR(Of / Runs / Steps, 1, 0.02);
}
