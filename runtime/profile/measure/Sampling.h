//===- profile/measure/Sampling.h - Estimates and their errors --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If only one allocation of N is recorded, it stands for N: that is its weight.
// A context's measures are then sums of weighted allocations. These are
// unbiased estimates of what recording all would have found (Horvitz and
// Thompson), and readers of the measures need not know of sampling.
//
// How far the estimates may be off follows from the same allocations. An
// allocation that was recorded with probability 1/w adds w (w - 1) x^2 to the
// estimated variance of a total of x. One that was recorded with certainty (w =
// 1) adds nothing. This is rather too much than too little, because exactly one
// allocation of each full block of w is recorded, and no x is negative. A mean
// density D is the quotient of two totals. For it, x is the deviation from D:
// the variance is the sum of w (w - 1) (d - D)^2 over the square of the number
// of allocations. All of this needs only sums, which can be merged in any
// order.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_SAMPLING_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_SAMPLING_H

#include "Measures.h"
#include "arch/Processor.h"

namespace thermocline::runtime {

/// While this object lives, floating-point arithmetic follows the default
/// rules, raises no signal, and leaves no flag that the program could see. (The
/// program may have set rules of its own.) Functions that compute meanwhile
/// must not be inlined, because compilers assume that these rules never change.
class DefaultArithmetic {
public:
  DefaultArithmetic() : Programs(arch::floatingPointState()) {
    arch::setFloatingPointState(arch::defaultFloatingPointState());
  }
  ~DefaultArithmetic() { arch::setFloatingPointState(Programs); }
  DefaultArithmetic(const DefaultArithmetic &) = delete;
  DefaultArithmetic &operator=(const DefaultArithmetic &) = delete;

private:
  arch::FloatingPointState Programs;
};

/// Weighted sums over the recorded allocations of a context. All zeros is none.
struct SampleSums {
  /// Allocations that were recorded, whatever their weight.
  uint64_t Measured;
  /// Sums of w (w - 1) x y for these x y. Densities are times 100.
  double Ones;
  double Size2;
  double Accesses2;
  double SizeAccesses;
  double Lifetime2;
  double Density;
  double Density2;
  double LifetimeDensity;
  double LifetimeDensity2;

  /// Adds \p Single, the measures of one allocation.
  void add(const MemInfoBlock &Single, uint32_t Weight) {
    ++Measured;
    if (__builtin_expect(Weight > 1, false)) {
      DefaultArithmetic Now;
      addWeighted(Single, Weight);
    }
  }
  void merge(const SampleSums &Other) {
    Measured += Other.Measured;
    if (Other.Ones == 0)
      return;
    DefaultArithmetic Now;
    addSums(Other);
  }

private:
  /// All but Measured.
  [[gnu::noinline]] void addSums(const SampleSums &Other);
  [[gnu::noinline]] void addWeighted(const MemInfoBlock &Single,
                                     uint32_t Weight);
};

/// Multiplies the measures of one allocation by \p Weight.
inline void weigh(MemInfoBlock &Single, uint32_t Weight) {
  if (__builtin_expect(Weight == 1, true))
    return;
  Single.AllocCount *= Weight;
  Single.TotalAccessCount *= Weight;
  Single.TotalSize *= Weight;
  Single.TotalLifetime *= Weight;
  Single.TotalAccessDensity *= Weight;
  Single.TotalLifetimeAccessDensity *= Weight;
  Single.NumMigratedCpu *= Weight;
}

/// Adds \p Weight allocations like \p Single, which was freed later than all of
/// \p Total.
inline void addWeighted(MemInfoBlock &Total, const MemInfoBlock &Single,
                        uint32_t Weight) {
  if (__builtin_expect(Weight == 1, true)) {
    mergeMeasures(Total, Single);
    return;
  }
  MemInfoBlock Weighted = Single;
  weigh(Weighted, Weight);
  mergeMeasures(Total, Weighted, Weight);
}

/// How well the measures of a context are known.
struct SampleErrors {
  /// Allocations that were recorded.
  uint64_t Measured = 0;
  /// Estimated variances of the totals of the record.
  double AllocCountVariance = 0;
  double SizeVariance = 0;
  double AccessesVariance = 0;
  double LifetimeVariance = 0;
  /// The mean lifetime access density and its estimated variance, times 100 and
  /// 10,000. The record has an upper limit in its place.
  double Density = 0;
  double DensityVariance = 0;
  /// Allocations that were not recorded may belong to the context.
  bool HasGaps = false;
  /// Some of these allocations, from the same call, were accessed.
  bool PlaceTouched = false;
};

/// Contexts of which fewer allocations were recorded are not judged by them.
constexpr uint64_t LeastMeasured = 8;

/// Replaces the densities of \p Estimate by upper limits of 95 % confidence, so
/// that nothing is called cold for what may be an accident of sampling, and
/// where too little is known, by what is neither cold nor hot. \p HasGaps and
/// \p PlaceTouched are what SampleErrors says of them.
SampleErrors limitDensities(MemInfoBlock &Estimate, const SampleSums &Sums,
                            bool HasGaps, bool PlaceTouched);

} // namespace thermocline::runtime

#endif
