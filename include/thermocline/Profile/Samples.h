//===- Profile/Samples.h - How well totals are known ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The totals of a sampled run are estimates: an allocation that was recorded
// stands for w. Of a total of some x, the estimated variance is the sum of
// w (w - 1) x^2 over those that were recorded, as allocations are drawn
// independently (Horvitz and Thompson, JASA 47, 1952, for Poisson sampling).
// Variances of different runs add up. They are whole numbers, so that it does
// not matter in which order.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_SAMPLES_H
#define THERMOCLINE_PROFILE_SAMPLES_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace thermocline::profile {

/// Half the length of a 95 % interval, in standard errors.
constexpr double StandardErrors95 = 1.96;

struct ContextSamples {
  /// The allocations that were not recorded, for which others stand.
  uint64_t Estimated = 0;
  /// The variance of the number of allocations.
  uint64_t CountVariance = 0;
  /// The variance of their bytes, in units of (1024 bytes)^2, rounded up.
  uint64_t SizeVariance = 0;

  /// The standard errors of both.
  double countError() const {
    return std::sqrt(static_cast<double>(CountVariance));
  }
  double sizeError() const {
    return std::sqrt(static_cast<double>(SizeVariance)) * 1024;
  }
  bool isExact() const { return *this == ContextSamples(); }

  void add(const ContextSamples &Other) {
    for (uint64_t ContextSamples::*Number :
         {&ContextSamples::Estimated, &ContextSamples::CountVariance,
          &ContextSamples::SizeVariance})
      this->*Number = llvm::SaturatingAdd(this->*Number, Other.*Number);
  }
  /// As UnitTouches::noteCopy().
  void noteCopy(uint64_t NumBefore) {
    for (uint64_t *Variance : {&CountVariance, &SizeVariance})
      *Variance = llvm::SaturatingMultiply(*Variance, 2 * NumBefore + 1);
  }

  bool operator==(const ContextSamples &) const = default;
};

/// How well the bytes are known that contexts allocated, and those of the cold
/// ones among them. Contexts are sampled independently.
class CountErrors {
public:
  void addToAll(const ContextSamples &Added) { All.add(Added); }
  void addToCold(const ContextSamples &Added) { Cold.add(Added); }
  bool isExact() const { return All.SizeVariance == 0; }
  /// The standard errors of the bytes of all and of cold contexts.
  double ofAll() const { return All.sizeError(); }
  double ofCold() const { return Cold.sizeError(); }
  /// The standard error of \p ColdBytes / \p AllBytes. A ratio is linear
  /// enough, so that its error is that of the cold bytes minus the ratio times
  /// all of them.
  double ofPart(double ColdBytes, double AllBytes) const {
    if (AllBytes <= 0)
      return 0;
    const double Part = ColdBytes / AllBytes, Rest = 1 - Part;
    const double Hot =
        static_cast<double>(All.SizeVariance - Cold.SizeVariance);
    const double OfCold = static_cast<double>(Cold.SizeVariance);
    return std::sqrt(Rest * Rest * OfCold + Part * Part * Hot) * 1024 /
           AllBytes;
  }

private:
  ContextSamples All, Cold;
};

/// The samples of contexts, by full stack ids. Contexts that are not there are
/// known exactly.
using SamplesById = std::map<uint64_t, ContextSamples>;

/// What a part of some objects may be.
struct PartInterval {
  double Least = 0;
  double Most = 0;
};

/// The 95 % interval of a part that was \p Seen of the objects that were looked
/// at, which tell as much as \p Number that were drawn from very many: Wilson's
/// (JASA 22, 1927), which holds for few objects and small parts, too.
inline PartInterval intervalOfPart(double Seen, double Number) {
  constexpr double Square = StandardErrors95 * StandardErrors95;
  const double Middle = Seen + Square / (2 * Number);
  const double Half =
      StandardErrors95 *
      std::sqrt(Seen * (1 - Seen) / Number + Square / (4 * Number * Number));
  const double Scale = 1 / (1 + Square / Number);
  return {std::max((Middle - Half) * Scale, 0.0),
          std::min((Middle + Half) * Scale, 1.0)};
}

/// Whether two such parts differ by no more than sampling explains in 95 of 100
/// cases. A number may be infinite: then the part is known. Few objects count
/// as two that were seen and two that were not more (Agresti and Caffo, The
/// American Statistician 54, 2000, with as many as for one part).
inline bool mayBeTheSame(double Seen, double Number, double OtherSeen,
                         double OtherNumber) {
  auto VarianceOf = [](double Part, double Number) {
    if (std::isinf(Number))
      return 0.0;
    const double Shrunk = (Part * Number + 2) / (Number + 4);
    return Shrunk * (1 - Shrunk) / (Number + 4);
  };
  return std::abs(Seen - OtherSeen) <=
         StandardErrors95 * std::sqrt(VarianceOf(Seen, Number) +
                                      VarianceOf(OtherSeen, OtherNumber));
}

} // namespace thermocline::profile

#endif
