//===- profile/measure/Sampling.cpp - Estimates and their errors ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"

using namespace thermocline::runtime;

void SampleSums::addWeighted(const MemInfoBlock &Single, uint32_t Weight) {
  double Factor = double(Weight) * (Weight - 1);
  auto Size = static_cast<double>(+Single.TotalSize);
  auto Accesses = static_cast<double>(+Single.TotalAccessCount);
  auto Time = static_cast<double>(+Single.TotalLifetime);
  auto ByByte = static_cast<double>(+Single.TotalAccessDensity);
  auto ByTime = static_cast<double>(+Single.TotalLifetimeAccessDensity);
  Ones += Factor;
  Size2 += Factor * Size * Size;
  Accesses2 += Factor * Accesses * Accesses;
  SizeAccesses += Factor * Size * Accesses;
  Lifetime2 += Factor * Time * Time;
  Density += Factor * ByByte;
  Density2 += Factor * ByByte * ByByte;
  LifetimeDensity += Factor * ByTime;
  LifetimeDensity2 += Factor * ByTime * ByTime;
}

void SampleSums::addSums(const SampleSums &Other) {
  Ones += Other.Ones;
  Size2 += Other.Size2;
  Accesses2 += Other.Accesses2;
  SizeAccesses += Other.SizeAccesses;
  Lifetime2 += Other.Lifetime2;
  Density += Other.Density;
  Density2 += Other.Density2;
  LifetimeDensity += Other.LifetimeDensity;
  LifetimeDensity2 += Other.LifetimeDensity2;
}

/// Student's t that 99.5 % of all values do not exceed. (Densities are skewed,
/// and up to ten times as many exceed the limit that is computed from it.)
static double studentsT(uint64_t Freedom) {
  constexpr double From1[] = {63.66, 9.93, 5.85, 4.61, 4.04, 3.71, 3.50,
                              3.36,  3.25, 3.17, 3.11, 3.06, 3.02, 2.98,
                              2.95,  2.93, 2.90, 2.88, 2.87, 2.85};
  constexpr uint64_t Listed = sizeof(From1) / sizeof(*From1);
  if (Freedom <= Listed)
    return From1[Freedom ? Freedom - 1 : 0];
  return Freedom <= 60 ? 2.85 : 2.66;
}

/// The variance of the quotient Total / Count, from sums over its numerators x,
/// denominators y, and both.
static double quotientVariance(double Quotient, double Count, double XX,
                               double XY, double YY) {
  double Sum = XX - 2 * Quotient * XY + Quotient * Quotient * YY;
  // Rounding.
  return Sum > 0 ? Sum / (Count * Count) : 0;
}

static double upperLimit(double Mean, double Variance, uint64_t Measured) {
  return Mean + studentsT(Measured - 1) * __builtin_sqrt(Variance);
}

/// Raises a total of densities so that the mean is at least \p Mean, but not
/// to where it is called hot.
static uint64_t raised(uint64_t Total, uint64_t Count, double Mean) {
  if (Mean > UnknownAccessDensity)
    Mean = UnknownAccessDensity;
  double Wanted = Mean * static_cast<double>(Count);
  auto Limit = static_cast<uint64_t>(Wanted);
  // Rounds up, without libm.
  if (static_cast<double>(Limit) < Wanted)
    ++Limit;
  return Limit > Total ? Limit : Total;
}

[[gnu::noinline]] static SampleErrors limit(MemInfoBlock &Estimate,
                                            const SampleSums &Sums,
                                            bool HasGaps, bool PlaceTouched) {
  SampleErrors Result;
  Result.Measured = Sums.Measured;
  Result.AllocCountVariance = Sums.Ones;
  Result.SizeVariance = Sums.Size2;
  Result.AccessesVariance = Sums.Accesses2;
  Result.LifetimeVariance = Sums.Lifetime2;
  Result.HasGaps = HasGaps || Sums.Ones > 0;
  Result.PlaceTouched = PlaceTouched;
  uint64_t Count = Estimate.AllocCount;
  if (!Count)
    return Result;
  auto N = static_cast<double>(Count);
  Result.Density =
      static_cast<double>(+Estimate.TotalLifetimeAccessDensity) / N;
  Result.DensityVariance =
      quotientVariance(Result.Density, N, Sums.LifetimeDensity2,
                       Sums.LifetimeDensity, Sums.Ones);
  if (!Estimate.TotalAccessCount) {
    // Nothing recorded was accessed. Of the rest, the call's bit tells.
    if (PlaceTouched)
      markAccessesUnknown(Estimate);
    return Result;
  }
  if (!Result.HasGaps)
    return Result;
  double ByByte = UnknownAccessDensity, ByTime = UnknownAccessDensity;
  // If all were recorded with certainty, and nothing of the rest, no variance
  // is known.
  if (Sums.Measured >= LeastMeasured && Sums.Ones > 0) {
    ByTime = upperLimit(Result.Density, Result.DensityVariance, Sums.Measured);
    double Mean = static_cast<double>(+Estimate.TotalAccessDensity) / N;
    ByByte = upperLimit(
        Mean, quotientVariance(Mean, N, Sums.Density2, Sums.Density, Sums.Ones),
        Sums.Measured);
    // Whether a context is cold also depends on all its bytes taken together.
    // This value is not times 100.
    auto Size = static_cast<double>(+Estimate.TotalSize);
    double OfAll = static_cast<double>(+Estimate.TotalAccessCount) / Size;
    double OfAllLimit =
        100 * upperLimit(OfAll,
                         quotientVariance(OfAll, Size, Sums.Accesses2,
                                          Sums.SizeAccesses, Sums.Size2),
                         Sums.Measured);
    ByByte = ByByte < OfAllLimit ? OfAllLimit : ByByte;
  }
  Estimate.TotalAccessDensity =
      raised(Estimate.TotalAccessDensity, Count, ByByte);
  Estimate.TotalLifetimeAccessDensity =
      raised(Estimate.TotalLifetimeAccessDensity, Count, ByTime);
  return Result;
}

SampleErrors thermocline::runtime::limitDensities(MemInfoBlock &Estimate,
                                                  const SampleSums &Sums,
                                                  bool HasGaps,
                                                  bool PlaceTouched) {
  DefaultArithmetic Now;
  return limit(Estimate, Sums, HasGaps, PlaceTouched);
}
