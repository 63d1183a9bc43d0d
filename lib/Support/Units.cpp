//===- Support/Units.cpp - Quantities that carry their unit ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;

std::string thermocline::formatCount(uint64_t Value) {
  std::string Digits = utostr(Value);
  std::string Result;
  for (size_t I = 0; I != Digits.size(); ++I) {
    if (I != 0 && (Digits.size() - I) % 3 == 0)
      Result += ',';
    Result += Digits[I];
  }
  return Result;
}

std::string thermocline::formatCount(uint64_t Value, StringRef Noun) {
  return formatCount(Value) + " " + Noun.str() + (Value == 1 ? "" : "s");
}

std::string thermocline::hexText(uint64_t Value) {
  return "0x" + utohexstr(Value, /*LowerCase=*/true);
}

static std::string oneDecimal(double Value, StringRef Unit) {
  std::string Result;
  raw_string_ostream(Result) << format("%.1f ", Value) << Unit;
  return Result;
}

std::string thermocline::formatBytes(Bytes Size) {
  static constexpr const char *Units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (Size.count() < 1024)
    return utostr(Size.count()) + " B";
  double Value = static_cast<double>(Size.count()) / 1024;
  size_t Unit = 0;
  for (; Value >= 1024 && Unit + 1 < std::size(Units); ++Unit)
    Value /= 1024;
  return oneDecimal(Value, Units[Unit]);
}

std::optional<double> thermocline::parseDecimal(StringRef Text) {
  double Result;
  if (Text.empty() || !isDigit(Text.front()) ||
      !all_of(Text, [](char C) { return isDigit(C) || C == '.'; }) ||
      Text.getAsDouble(Result))
    return std::nullopt;
  return Result;
}

std::optional<Bytes> thermocline::parseBytes(StringRef Text) {
  StringRef Digits =
      Text.take_while([](char C) { return isDigit(C) || C == '.'; });
  static constexpr std::pair<StringLiteral, unsigned> Units[] = {
      {"", 0},   {"b", 0},    {"k", 10}, {"kib", 10},
      {"m", 20}, {"mib", 20}, {"g", 30}, {"gib", 30}};
  std::string Unit = Text.drop_front(Digits.size()).lower();
  for (const auto &[Name, Shift] : Units) {
    if (Unit != Name)
      continue;
    // Whole numbers exactly; a double would round large ones.
    uint64_t Whole;
    if (!Digits.getAsInteger(10, Whole))
      return Whole <= UINT64_MAX >> Shift ? std::optional(Bytes(Whole << Shift))
                                          : std::nullopt;
    std::optional<double> Fraction = parseDecimal(Digits);
    if (!Fraction || Shift == 0 || *Fraction * (1u << Shift) >= 0x1p64)
      return std::nullopt;
    return Bytes(static_cast<uint64_t>(*Fraction * (1u << Shift)));
  }
  return std::nullopt;
}

std::string thermocline::formatPercent(uint64_t Part, uint64_t Whole) {
  if (Whole == 0)
    return "-";
  return oneDecimal(
      100.0 * static_cast<double>(Part) / static_cast<double>(Whole), "%");
}
