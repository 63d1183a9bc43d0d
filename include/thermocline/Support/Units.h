//===- Support/Units.h - Quantities that carry their unit -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes and Milliseconds as types, so that a size is never added to a time, and
// the one way in which Thermocline prints them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_UNITS_H
#define THERMOCLINE_SUPPORT_UNITS_H

#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace thermocline {

/// A 64-bit quantity of the unit that \p Tag names.
template <typename Tag> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(uint64_t Value) : Value(Value) {}
  constexpr uint64_t count() const { return Value; }
  constexpr auto operator<=>(const Quantity &) const = default;
  constexpr Quantity &operator+=(Quantity Other) {
    Value += Other.Value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity A, Quantity B) { return A += B; }

private:
  uint64_t Value = 0;
};

using Bytes = Quantity<struct BytesTag>;
using Milliseconds = Quantity<struct MillisecondsTag>;

/// \returns \p Value without its fraction, for print and for whole units: 0 if
/// it is negative or no number, and the greatest number if it does not fit.
constexpr uint64_t truncated(double Value) {
  if (!(Value > 0))
    return 0;
  return Value < 0x1p64 ? static_cast<uint64_t>(Value) : UINT64_MAX;
}

/// Formats a number with separators between thousands, "1,234,567", for people.
/// Machine formats print plain digits.
std::string formatCount(uint64_t Value);

/// Formats a number of things, "1 context", "1,234 contexts". \p Noun is
/// singular, and its plural ends in s.
std::string formatCount(uint64_t Value, llvm::StringRef Noun);

/// Formats an id or an address, "0x1f". It is a string in JSON as well, because
/// most readers hold numbers as doubles.
std::string hexText(uint64_t Value);

/// Formats a size: "812 B", "1.2 KiB", "35.0 MiB", with one decimal from KiB
/// upwards.
std::string formatBytes(Bytes Size);

/// Reads a size as users give it on a command line: "4096", "64KiB", "1.5MiB",
/// "2g" (k, m and g, in either case, mean KiB, MiB and GiB). Returns nothing
/// for anything else, and for sizes that do not fit.
std::optional<Bytes> parseBytes(llvm::StringRef Text);

/// Reads digits with at most one decimal point: "5", "0.25". Returns nothing
/// for anything else, such as a sign, an exponent or a unit.
std::optional<double> parseDecimal(llvm::StringRef Text);

/// Formats a share as "97.3 %", and as "-" if \p Whole is 0.
std::string formatPercent(uint64_t Part, uint64_t Whole);

} // namespace thermocline

#endif
