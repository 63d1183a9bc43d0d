//===- Profile/TouchCodec.cpp - Touches of a context in few bytes ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchCodec.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

/// A number of a window, and the bit that says that it differs from the one
/// before, in the order in which they are written.
static constexpr std::pair<uint64_t, uint64_t WindowTouches::*> Numbers[] = {
    {format::LiveChanged, &WindowTouches::Live},
    {format::BytesChanged, &WindowTouches::LiveBytes},
    {format::TouchedChanged, &WindowTouches::Touched},
    {format::BurstChanged, &WindowTouches::TouchedInBurst}};

/// Reads what comes after \p Value. \returns false if it cannot be.
static bool readChange(const DataExtractor &Data, DataExtractor::Cursor &At,
                       uint64_t &Value) {
  uint64_t By = Data.getULEB128(At);
  bool IsLess = By % 2;
  uint64_t Difference = By / 2 + (IsLess ? 1 : 0);
  if (Difference > (IsLess ? Value : MaxTouchNumber))
    return false;
  Value = IsLess ? Value - Difference : Value + Difference;
  return Value <= MaxTouchNumber;
}

StringRef profile::decodeUnitTouches(const DataExtractor &Data,
                                     DataExtractor::Cursor &At,
                                     uint64_t NumWindows, TouchForm Form,
                                     UnitTouches &Result) {
  const bool Bursts = Form == TouchForm::WithBursts;
  uint64_t Count = Data.getULEB128(At);
  if (!At || Count == 0)
    return "";
  Result.First = Data.getULEB128(At);
  if (!At || Count > NumWindows || Result.First > NumWindows - Count)
    return "has windows beyond the last";
  Result.Granules = Data.getULEB128(At);
  Result.TouchedGranules = Data.getULEB128(At);
  if (Result.Granules > MaxTouchNumber ||
      Result.TouchedGranules > Result.Granules)
    return "touched more than there was";
  WindowTouches Now;
  while (At && Result.Windows.size() != Count) {
    uint64_t What = Data.getULEB128(At);
    uint64_t Repeat =
        What / (Bursts ? format::WindowRepeatWithBursts : format::WindowRepeat);
    if (Repeat >= Count - Result.Windows.size())
      return "has more windows than it counts";
    for (auto [Bit, Number] : ArrayRef(Numbers).drop_back(Bursts ? 0 : 1))
      if (What & Bit && !readChange(Data, At, Now.*Number))
        return "has an impossible number";
    if (Now.Touched > Now.Live || Now.TouchedInBurst > Now.Touched)
      return "touched more than there was";
    Result.Windows.insert(Result.Windows.end(), Repeat + 1, Now);
  }
  return "";
}

void profile::encodeUnitTouches(const UnitTouches &Touches,
                                SmallVectorImpl<char> &Into) {
  raw_svector_ostream OS(Into);
  encodeULEB128(Touches.Windows.size(), OS);
  if (Touches.empty())
    return;
  encodeULEB128(Touches.First, OS);
  encodeULEB128(Touches.Granules, OS);
  encodeULEB128(Touches.TouchedGranules, OS);
  WindowTouches Before;
  ArrayRef<WindowTouches> Rest = Touches.Windows;
  while (!Rest.empty()) {
    const WindowTouches &Now = Rest.front();
    size_t Alike = 1;
    while (Alike != Rest.size() && Rest[Alike] == Now)
      ++Alike;
    uint64_t What = (Alike - 1) * format::WindowRepeatWithBursts;
    for (auto [Bit, Number] : Numbers)
      if (Now.*Number != Before.*Number)
        What |= Bit;
    encodeULEB128(What, OS);
    for (auto [Bit, Number] : Numbers)
      if (uint64_t New = Now.*Number, Old = Before.*Number; New != Old)
        encodeULEB128(New > Old ? 2 * (New - Old) : 2 * (Old - New) - 1, OS);
    Before = Now;
    Rest = Rest.drop_front(Alike);
  }
}
