//===- Profile/TouchWindows.h - When memory was touched ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime cuts a run into windows of processor time. Of each context it
// notes how many units lived at the end of each window, and how many of them
// were touched in it. A unit is an object of less than a page, or a page of a
// larger object: both are what may or may not share a page of memory with
// something hot.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_TOUCHWINDOWS_H
#define THERMOCLINE_PROFILE_TOUCHWINDOWS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

/// What pages have on most machines, in bytes.
constexpr uint64_t UsualPageBytes = 4096;

/// The units of a context that lived at the end of one window.
struct WindowTouches {
  uint64_t Live = 0;
  uint64_t LiveBytes = 0;
  /// How many of Live were touched.
  uint64_t Touched = 0;
  /// How many of Live were touched in the burst at the end of the window, which
  /// takes a few milliseconds however long the window is. 0 if there was none.
  uint64_t TouchedInBurst = 0;
  /// How many of Live lay far from all that was touched in the window, so that
  /// no page had them and something that was touched; and the same for the
  /// burst. Those that were touched are not among them. What was born counts as
  /// not touched here, so it may be far. 0 if nobody knows.
  uint64_t Far = 0;
  uint64_t FarInBurst = 0;
  /// How many of Touched were born in the window, and how many of
  /// TouchedInBurst in the burst: whoever allocates an object writes to it.
  uint64_t Born = 0;
  uint64_t BornInBurst = 0;
  /// How many others of Live lay on pages with such: 0 if what was born lay
  /// side by side, or if nobody knows.
  uint64_t AmongBorn = 0;
  uint64_t AmongBornInBurst = 0;

  /// Units that were touched since they were born, and before the window.
  uint64_t touchedAgain() const { return Touched - Born; }
  uint64_t touchedAgainInBurst() const { return TouchedInBurst - BornInBurst; }

  bool operator==(const WindowTouches &) const = default;
};

/// All windows of one kind of units of a context.
struct UnitTouches {
  /// Number of the window that Windows begins with; there was nothing before
  /// it, and nothing after the last.
  size_t First = 0;
  std::vector<WindowTouches> Windows;
  /// The pieces of 64 bytes of the units that lived at the end of a window, and
  /// those that were accessed since the unit was allocated; summed over
  /// windows.
  uint64_t Granules = 0;
  uint64_t TouchedGranules = 0;
  /// How many of the units, summed over windows, nobody looked at: sampling
  /// left them out, and others stand for them.
  uint64_t Estimated = 0;
  /// The variance of the number of units that lived at the end of a window, as
  /// sampling makes it (docs/sampling.md), summed over windows: w (w - 1) for
  /// each unit that was looked at and stands for w. 0 if nothing was left out.
  uint64_t Variance = 0;

  /// The units of all windows, estimated ones included.
  uint64_t live() const {
    uint64_t Result = 0;
    for (const WindowTouches &W : Windows)
      Result = llvm::SaturatingAdd(Result, W.Live);
    return Result;
  }
  /// How many of these somebody looked at; at least 1 if there are any.
  uint64_t lookedAt() const {
    const uint64_t Live = live();
    return Live - std::min(Estimated, Live - (Live != 0));
  }
  /// Says that \p Measured of \p All allocations were looked at.
  void noteSampling(uint64_t Measured, uint64_t All);
  /// By how much more than 1 a unit that was looked at stands for, as the mean
  /// over all units: what \p Count of them is has the variance Count times
  /// this. 0 if nothing was left out.
  double varianceOfUnit() const {
    const uint64_t Live = live();
    return Live ? static_cast<double>(Variance) / static_cast<double>(Live) : 0;
  }
  /// What part of the units of all windows \p Count counts; 0 if there are
  /// none.
  double partOf(uint64_t WindowTouches::*Count) const {
    uint64_t Sum = 0;
    for (const WindowTouches &W : Windows)
      Sum = llvm::SaturatingAdd(Sum, W.*Count);
    const uint64_t Live = live();
    return Live ? static_cast<double>(Sum) / static_cast<double>(Live) : 0;
  }
  /// The units that live at a time, as the mean over windows with any.
  double liveAtATime() const {
    uint64_t Number = 0;
    for (const WindowTouches &W : Windows)
      Number += W.Live != 0;
    return Number ? static_cast<double>(live()) / static_cast<double>(Number)
                  : 0;
  }
  /// Makes the sum of this and of \p NumBefore equal ones have the variance of
  /// so many times one: that grows by the square, and 1 + 3 + 5 + ... is one.
  void noteCopy(uint64_t NumBefore) {
    Variance = llvm::SaturatingMultiply(Variance, 2 * NumBefore + 1);
  }

  /// Makes \p Pieces units of each, which were touched when it was. \returns
  /// false if they are too many.
  bool cut(uint64_t Pieces);

  bool empty() const { return Windows.empty(); }
  /// Appends what is known of the windows from number \p Window on. \returns
  /// false if some of them are known already.
  bool append(UnitTouches &&Later, size_t Window);
};

struct ContextTouches {
  /// The objects of less than a page.
  UnitTouches Objects;
  /// The pages of larger objects. A page of more than UsualPageBytes is as
  /// many such pieces, all of which are touched when it is.
  UnitTouches Pages;

  bool empty() const { return Objects.empty() && Pages.empty(); }
  bool isSampled() const { return Objects.Variance || Pages.Variance; }
};

/// A window of one run, in microseconds of processor time.
struct RawWindow {
  uint64_t LengthUs = 0;
  /// How long the burst at its end took, or 0 if there was none.
  uint64_t BurstUs = 0;
  /// The phase that the program named, or nothing.
  std::string Phase;

  bool operator==(const RawWindow &) const = default;
};

/// No number of touches, length or count is greater: 557 years in microseconds,
/// and more bytes than there are addresses. Sums stay far from overflow.
constexpr uint64_t MaxTouchNumber = uint64_t(1) << 54;

/// Reads one kind of units at \p Cursor, of a run with \p NumWindows windows,
/// into the empty \p Result. \returns what is wrong, or an empty string; that
/// the data ends too early is told by \p Cursor alone. Raw and indexed profiles
/// have the same form (thermocline/Format/RawSections.h).
llvm::StringRef decodeUnitTouches(const llvm::DataExtractor &Data,
                                  llvm::DataExtractor::Cursor &Cursor,
                                  uint64_t NumWindows, UnitTouches &Result);

/// Appends \p Touches to \p Encoded. The first and the last window have live
/// units.
void encodeUnitTouches(const UnitTouches &Touches,
                       llvm::SmallVectorImpl<char> &Encoded);

/// Decodes \p Payload, the part of windows (thermocline/Format/RawSections.h)
/// of a profile of \p NumRecords records. Appends the windows to \p Windows,
/// makes \p PageBytes what a page has, unless it is more, and has \p Add add
/// what each record says, which returns false if it has windows that its
/// context has already. \p Fail makes an error of what is wrong.
llvm::Error
decodeRawWindows(llvm::StringRef Payload, uint64_t NumRecords,
                 std::vector<RawWindow> &Windows, uint64_t &PageBytes,
                 llvm::function_ref<bool(size_t, ContextTouches &&)> Add,
                 llvm::function_ref<llvm::Error(const llvm::Twine &)> Fail);

} // namespace thermocline::profile

#endif
