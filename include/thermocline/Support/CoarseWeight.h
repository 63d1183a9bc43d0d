//===- Support/CoarseWeight.h - What a byte counts for ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cold context travels from the compile to the link with the weight of its
// bytes, so that the link can tell what a hint is worth. Where the model of
// touched pages called the context cold, the weight is the bytes of working set
// that a hint saves for each WeightUnit bytes that the context allocates.
// Otherwise it is the mean lifetime in ms. A number with four significant bits
// suffices. It is at most 1/16 off, and goes from 1 to about 3.7 billion.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_COARSEWEIGHT_H
#define THERMOCLINE_SUPPORT_COARSEWEIGHT_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace thermocline {

class CoarseWeight {
public:
  /// An unknown weight.
  constexpr CoarseWeight() = default;

  /// The value nearest to \p Value. 0 counts as 1.
  static constexpr CoarseWeight of(uint64_t Value) {
    // In eighths. The leading bit goes without saying.
    uint64_t Eighths = std::clamp<uint64_t>(Value, 1, Most) * 8;
    unsigned Exponent = std::bit_width(Eighths) - 4;
    if (Exponent)
      Eighths += uint64_t(1) << (Exponent - 1);
    if (Eighths >> (Exponent + 4))
      ++Exponent;
    return fromCode(
        static_cast<uint8_t>(1 + 8 * Exponent + (Eighths >> Exponent & 7)));
  }

  /// Makes a weight from a code() again.
  static constexpr CoarseWeight fromCode(uint8_t Code) {
    CoarseWeight Result;
    Result.Code = Code;
    return Result;
  }
  /// The one byte: 0 if the weight is not known, and greater for greater ones.
  constexpr uint8_t code() const { return Code; }

  constexpr bool isKnown() const { return Code != 0; }
  /// The weight, rounded down; 0 if it is not known.
  constexpr uint64_t value() const {
    if (!isKnown())
      return 0;
    unsigned Exponent = (Code - 1) / 8, Fraction = (Code - 1) % 8;
    return uint64_t(8 + Fraction) << Exponent >> 3;
  }
  constexpr auto operator<=>(const CoarseWeight &) const = default;

private:
  static constexpr uint64_t Most = uint64_t(14) << 28;

  uint8_t Code = 0;
};

/// A weight counts the bytes of working set that are saved for so many bytes
/// that are allocated.
constexpr uint64_t WeightUnit = 1 << 20;

} // namespace thermocline

#endif
