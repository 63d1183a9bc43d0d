//===- Profile/TouchWindows.cpp - When memory was touched -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchWindows.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

void UnitTouches::noteSampling(uint64_t Measured, uint64_t All) {
  const uint64_t Live = live();
  if (Measured >= All || Live == 0)
    return;
  // Whatever lived was seen at least once.
  const auto Observed = static_cast<unsigned __int128>(Live) * Measured / All;
  Estimated = Live - std::max<uint64_t>(static_cast<uint64_t>(Observed), 1);
}

/// A number of a window, and the bit that says that it differs from the one
/// before, in the order in which they are written.
static constexpr std::pair<uint64_t, uint64_t WindowTouches::*> Numbers[] = {
    {format::LiveChanged, &WindowTouches::Live},
    {format::BytesChanged, &WindowTouches::LiveBytes},
    {format::TouchedChanged, &WindowTouches::Touched},
    {format::BurstChanged, &WindowTouches::TouchedInBurst},
    {format::FarChanged, &WindowTouches::Far},
    {format::FarInBurstChanged, &WindowTouches::FarInBurst},
    {format::BornChanged, &WindowTouches::Born},
    {format::BornInBurstChanged, &WindowTouches::BornInBurst},
    {format::AmongBornChanged, &WindowTouches::AmongBorn},
    {format::AmongBornInBurstChanged, &WindowTouches::AmongBornInBurst}};

static_assert(UsualPageBytes == format::LeastTouchPageBytes);

bool UnitTouches::cut(uint64_t Pieces) {
  if (Pieces == 1)
    return true;
  for (WindowTouches &W : Windows) {
    // No other number of units is greater.
    if (W.Live > MaxTouchNumber / Pieces)
      return false;
    for (auto [Bit, Number] : Numbers)
      if (Number != &WindowTouches::LiveBytes)
        W.*Number *= Pieces;
  }
  // Such a piece is touched where the others of its unit are.
  Variance = SaturatingMultiply(Variance, Pieces * Pieces);
  return true;
}

bool UnitTouches::append(UnitTouches &&Later, size_t Window) {
  if (Later.empty())
    return true;
  if (empty()) {
    *this = std::move(Later);
    First += Window;
    return true;
  }
  if (First + Windows.size() > Window + Later.First)
    return false;
  Windows.resize(Window + Later.First - First);
  Windows.insert(Windows.end(), Later.Windows.begin(), Later.Windows.end());
  Granules = SaturatingAdd(Granules, Later.Granules);
  TouchedGranules = SaturatingAdd(TouchedGranules, Later.TouchedGranules);
  Variance = SaturatingAdd(Variance, Later.Variance);
  return true;
}

/// Most numbers take one byte, which needs no loop.
static uint64_t readNumber(const DataExtractor &Data,
                           DataExtractor::Cursor &Cursor) {
  const uint64_t Place = Cursor.tell();
  if (!Cursor || Place >= Data.size())
    return Data.getULEB128(Cursor);
  const auto Byte = static_cast<uint8_t>(Data.getData()[Place]);
  if (Byte >= 0x80)
    return Data.getULEB128(Cursor);
  Cursor.seek(Place + 1);
  return Byte;
}

/// Reads what comes after \p Value. \returns false if it cannot be.
static bool readChange(const DataExtractor &Data, DataExtractor::Cursor &Cursor,
                       uint64_t &Value) {
  uint64_t Change = readNumber(Data, Cursor);
  bool IsLess = Change % 2;
  uint64_t Difference = Change / 2 + (IsLess ? 1 : 0);
  if (Difference > (IsLess ? Value : MaxTouchNumber))
    return false;
  Value = IsLess ? Value - Difference : Value + Difference;
  return Value <= MaxTouchNumber;
}

StringRef profile::decodeUnitTouches(const DataExtractor &Data,
                                     DataExtractor::Cursor &Cursor,
                                     uint64_t NumWindows, UnitTouches &Result) {
  uint64_t Count = readNumber(Data, Cursor);
  if (!Cursor || Count == 0)
    return "";
  Result.First = readNumber(Data, Cursor);
  if (!Cursor || Count > NumWindows || Result.First > NumWindows - Count)
    return "has windows beyond the last";
  Result.Granules = readNumber(Data, Cursor);
  Result.TouchedGranules = readNumber(Data, Cursor);
  if (Result.Granules > MaxTouchNumber ||
      Result.TouchedGranules > Result.Granules)
    return "touched more than there was";
  Result.Variance = readNumber(Data, Cursor);
  Result.Windows.reserve(Count);
  WindowTouches Now;
  while (Cursor && Result.Windows.size() != Count) {
    uint64_t What = readNumber(Data, Cursor);
    uint64_t Repeat = What / format::WindowRepeat;
    if (Repeat >= Count - Result.Windows.size())
      return "has more windows than it counts";
    for (auto [Bit, Number] : Numbers)
      if (What & Bit && !readChange(Data, Cursor, Now.*Number))
        return "has an impossible number";
    if (Now.Touched > Now.Live || Now.TouchedInBurst > Now.Touched)
      return "touched more than there was";
    if (Now.Born > Now.Touched || Now.BornInBurst > Now.TouchedInBurst ||
        Now.BornInBurst > Now.Born)
      return "has more that was born than was touched";
    if (Now.AmongBorn > Now.Live - Now.Born ||
        Now.AmongBornInBurst > Now.Live - Now.BornInBurst)
      return "has more among what was born than there was";
    if (Now.Far > Now.Live - Now.touchedAgain() ||
        Now.FarInBurst > Now.Live - Now.touchedAgainInBurst())
      return "has more that is far than was not touched";
    Result.Windows.insert(Result.Windows.end(), Repeat + 1, Now);
  }
  return "";
}

void profile::encodeUnitTouches(const UnitTouches &Touches,
                                SmallVectorImpl<char> &Encoded) {
  raw_svector_ostream OS(Encoded);
  encodeULEB128(Touches.Windows.size(), OS);
  if (Touches.empty())
    return;
  encodeULEB128(Touches.First, OS);
  encodeULEB128(Touches.Granules, OS);
  encodeULEB128(Touches.TouchedGranules, OS);
  encodeULEB128(Touches.Variance, OS);
  WindowTouches Before;
  ArrayRef<WindowTouches> Rest = Touches.Windows;
  while (!Rest.empty()) {
    const WindowTouches &Now = Rest.front();
    size_t Alike = 1;
    while (Alike != Rest.size() && Rest[Alike] == Now)
      ++Alike;
    uint64_t What = (Alike - 1) * format::WindowRepeat;
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

/// Reads names of phases into \p Names. \returns what is wrong, or an empty
/// string.
static StringRef readPhases(DataExtractor &Data, DataExtractor::Cursor &Cursor,
                            std::vector<std::string> &Names) {
  const uint64_t Count = Data.getULEB128(Cursor);
  if (Count >= format::MaxTouchPhases)
    return "has too many phases";
  for (uint64_t I = 0; Cursor && I != Count; ++I) {
    const uint64_t Size = Data.getULEB128(Cursor);
    if (Cursor && (Size == 0 || Size > format::MaxPhaseNameBytes))
      return "has a phase without a name, or with one that is too long";
    std::string Name = Data.getBytes(Cursor, Size).str();
    if (Cursor && is_contained(Names, Name))
      return "has two phases of the same name";
    Names.push_back(std::move(Name));
  }
  return "";
}

/// Reads \p Count windows into \p Result, and what a page has into \p
/// PageBytes. \returns what is wrong, or an empty string.
static std::string readRun(DataExtractor &Data, DataExtractor::Cursor &Cursor,
                           uint64_t Count, uint64_t &PageBytes,
                           std::vector<RawWindow> &Result) {
  PageBytes = Data.getULEB128(Cursor);
  if (Cursor && !format::isTouchPageSize(PageBytes))
    return ("has pages of " + Twine(PageBytes) + " bytes").str();
  std::vector<std::string> Phases = {""};
  if (StringRef What = readPhases(Data, Cursor, Phases); !What.empty())
    return What.str();
  for (uint64_t I = 0; Cursor && I != Count; ++I) {
    RawWindow W;
    W.LengthUs = Data.getULEB128(Cursor);
    W.BurstUs = Data.getULEB128(Cursor);
    const uint64_t Phase = Data.getULEB128(Cursor);
    auto Bad = [&](StringRef What) {
      return ("window " + Twine(I) + " " + What).str();
    };
    if (W.LengthUs > MaxTouchNumber)
      return Bad("is too long");
    if (W.BurstUs > W.LengthUs)
      return Bad("is shorter than its burst");
    if (Phase >= Phases.size())
      return Bad("is of a phase that is not there");
    W.Phase = Phases[Phase];
    Result.push_back(std::move(W));
  }
  return "";
}

/// \returns what is wrong with \p Touches in the windows \p Run, or an empty
/// string.
static StringRef checkBursts(const UnitTouches &Touches,
                             ArrayRef<RawWindow> Run) {
  for (auto [I, W] : enumerate(Touches.Windows))
    if ((W.TouchedInBurst || W.FarInBurst || W.AmongBornInBurst) &&
        !Run[Touches.First + I].BurstUs)
      return "was touched in a burst that was none";
  return "";
}

Error profile::decodeRawWindows(
    StringRef Payload, uint64_t NumRecords, std::vector<RawWindow> &Windows,
    uint64_t &PageBytes, function_ref<bool(size_t, ContextTouches &&)> Add,
    function_ref<Error(const Twine &)> Fail) {
  DataExtractor Data(Payload, /*IsLittleEndian=*/true,
                     /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  auto Bad = [&](const Twine &What) {
    consumeError(Cursor.takeError());
    return Fail(What);
  };
  const uint64_t NumWindows = readNumber(Data, Cursor),
                 Count = readNumber(Data, Cursor);
  if (!Cursor)
    return Bad("truncated");
  if (NumWindows == 0 || NumWindows > format::MaxTouchWindows)
    return Bad("a run cannot have " + Twine(NumWindows) + " windows");
  if (Count != NumRecords)
    return Bad("counts " + Twine(Count) + " records of " + Twine(NumRecords));
  std::vector<RawWindow> Run;
  uint64_t BytesOfPage;
  std::string InRun = readRun(Data, Cursor, NumWindows, BytesOfPage, Run);
  if (InRun.empty() && !Cursor)
    InRun = "reaches past its end";
  if (!InRun.empty())
    return Bad(InRun);
  // Each takes at least two bytes.
  if (Count > (Payload.size() - Cursor.tell()) / 2)
    return Bad("has no room for " + Twine(Count) + " records");
  append_range(Windows, Run);
  PageBytes = std::max(PageBytes, BytesOfPage);
  for (uint64_t I = 0; I != Count; ++I) {
    StringRef What;
    ContextTouches Touches;
    for (UnitTouches *Units : {&Touches.Objects, &Touches.Pages}) {
      if (What.empty())
        What = decodeUnitTouches(Data, Cursor, Run.size(), *Units);
      if (What.empty())
        What = checkBursts(*Units, Run);
    }
    if (What.empty() && !Touches.Pages.cut(BytesOfPage / UsualPageBytes))
      What = "has an impossible number";
    if (What.empty() && !Cursor)
      What = "reaches past the end of the part";
    if (What.empty() && !Add(I, std::move(Touches)))
      What = "is of a call stack that has such windows already";
    if (!What.empty())
      return Bad("record " + Twine(I) + " " + What);
  }
  if (Cursor.tell() != Payload.size())
    return Bad("has " + Twine(Payload.size() - Cursor.tell()) +
               " bytes too many");
  return Error::success();
}
