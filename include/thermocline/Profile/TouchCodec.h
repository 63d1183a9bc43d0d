//===- Profile/TouchCodec.h - Touches of a context in few bytes -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Raw and indexed profiles hold the windows of a context in one form, which
// thermocline/Format/RawSections.h describes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_TOUCHCODEC_H
#define THERMOCLINE_PROFILE_TOUCHCODEC_H

#include "thermocline/Profile/TouchWindows.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/DataExtractor.h"
#include <cstdint>

namespace thermocline::profile {

/// No number of touches, length or count is greater: 557 years in microseconds,
/// and more bytes than there are addresses. Sums stay far from overflow.
constexpr uint64_t MaxTouchNumber = uint64_t(1) << 54;

/// Whether the form says what bursts touched.
enum class TouchForm : uint8_t { WithoutBursts, WithBursts };

/// Reads one kind of units at \p At, of a run with \p NumWindows windows, into
/// the empty \p Result. \returns what is wrong, or an empty string; that the
/// data ends too early is told by \p At alone.
llvm::StringRef decodeUnitTouches(const llvm::DataExtractor &Data,
                                  llvm::DataExtractor::Cursor &At,
                                  uint64_t NumWindows, TouchForm Form,
                                  UnitTouches &Result);

/// Appends \p Touches to \p Into, in the form with bursts. The first and the
/// last window have live units.
void encodeUnitTouches(const UnitTouches &Touches,
                       llvm::SmallVectorImpl<char> &Into);

} // namespace thermocline::profile

#endif
