//===- Support/Units.cpp - Quantities that carry their unit ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

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

std::string thermocline::formatPercent(uint64_t Part, uint64_t Whole) {
  if (Whole == 0)
    return "-";
  return oneDecimal(100.0 * static_cast<double>(Part) /
                        static_cast<double>(Whole),
                    "%");
}
