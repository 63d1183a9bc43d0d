//===- Support/CoarseLifetime.h - A lifetime in one byte --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bitcode tells for every cold context how long its objects live, so that a
// link can tell what a hint is worth. The lifetime is only compared, never
// printed. So a number with four significant bits suffices. It is at most 1/16
// off, and goes from 1 ms to 43 days. Longer lifetimes count as 43 days.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_COARSELIFETIME_H
#define THERMOCLINE_SUPPORT_COARSELIFETIME_H

#include "thermocline/Support/Units.h"
#include <algorithm>
#include <bit>

namespace thermocline {

class CoarseLifetime {
public:
  /// An unknown lifetime.
  constexpr CoarseLifetime() = default;

  /// The value nearest to \p Mean. Less than 1 ms counts as 1 ms.
  static constexpr CoarseLifetime of(Milliseconds Mean) {
    // In eighths. The leading bit goes without saying.
    uint64_t Eighths = std::clamp<uint64_t>(Mean.count(), 1, Longest) * 8;
    unsigned Exponent = std::bit_width(Eighths) - 4;
    if (Exponent)
      Eighths += uint64_t(1) << (Exponent - 1);
    if (Eighths >> (Exponent + 4))
      ++Exponent;
    return fromCode(
        static_cast<uint8_t>(1 + 8 * Exponent + (Eighths >> Exponent & 7)));
  }

  /// Makes a lifetime from a code() again.
  static constexpr CoarseLifetime fromCode(uint8_t Code) {
    CoarseLifetime Result;
    Result.Code = Code;
    return Result;
  }
  /// The one byte: 0 if the lifetime is not known, and greater for longer ones.
  constexpr uint8_t code() const { return Code; }

  constexpr bool isKnown() const { return Code != 0; }
  /// The lifetime, rounded down; 0 if it is not known.
  constexpr Milliseconds mean() const {
    if (!isKnown())
      return Milliseconds();
    unsigned Exponent = (Code - 1) / 8, Fraction = (Code - 1) % 8;
    return Milliseconds(uint64_t(8 + Fraction) << Exponent >> 3);
  }
  constexpr auto operator<=>(const CoarseLifetime &) const = default;

private:
  static constexpr uint64_t Longest = uint64_t(14) << 28;

  uint8_t Code = 0;
};

} // namespace thermocline

#endif
