//===- Profile/TouchWindows.cpp - When memory was touched -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchWindows.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Profile/TouchCodec.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

bool UnitTouches::append(const UnitTouches &Later, size_t Window) {
  if (Later.empty())
    return true;
  if (empty())
    First = Window + Later.First;
  if (First + Windows.size() > Window + Later.First)
    return false;
  Windows.resize(Window + Later.First - First);
  Windows.insert(Windows.end(), Later.Windows.begin(), Later.Windows.end());
  Granules = SaturatingAdd(Granules, Later.Granules);
  TouchedGranules = SaturatingAdd(TouchedGranules, Later.TouchedGranules);
  return true;
}

Expected<RawWindows> profile::decodeRawWindows(
    StringRef Section, uint64_t NumRecords,
    function_ref<Error(const Twine &, const Twine &)> Fail) {
  DataExtractor Data(Section, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor At(sizeof(format::WindowMagic));
  auto Bad = [&](const Twine &Where, const Twine &What) {
    consumeError(At.takeError());
    return Fail(Where, What);
  };
  const uint64_t Version = Data.getU64(At), NumWindows = Data.getU64(At),
                 Count = Data.getU64(At), NumBytes = Data.getU64(At);
  if (!At)
    return Bad(" section", "truncated");
  if (Version != format::WindowVersion)
    return Bad(" section", "version " + Twine(Version) + " is not supported (" +
                               Twine(format::WindowVersion) + " is)");
  if (NumWindows == 0 || NumWindows > format::MaxTouchWindows)
    return Bad(" section",
               "a run cannot have " + Twine(NumWindows) + " windows");
  if (Count != NumRecords)
    return Bad(" section",
               "counts " + Twine(Count) + " records of " + Twine(NumRecords));
  RawWindows Result;
  for (uint64_t I = 0; I != NumWindows; ++I) {
    Result.Windows.emplace_back().LengthUs = Data.getU64(At);
    if (Result.Windows.back().LengthUs > MaxTouchNumber)
      return Bad(" section", "window " + Twine(I) + " is too long");
  }
  if (!At || NumBytes > Section.size() - At.tell())
    return Bad(" section", "reaches past the end of the dump");
  const uint64_t End = At.tell() + NumBytes;
  DataExtractor Records(Section.take_front(End), /*IsLittleEndian=*/true,
                        /*AddressSize=*/8);
  // Each takes at least two bytes.
  if (Count > NumBytes / 2)
    return Bad(" section", "has no room for " + Twine(Count) + " records");
  Result.Records.resize(Count);
  for (uint64_t I = 0; I != Count; ++I) {
    StringRef What;
    for (UnitTouches *Units :
         {&Result.Records[I].Objects, &Result.Records[I].Pages})
      if (What.empty())
        What = decodeUnitTouches(Records, At, NumWindows,
                                 TouchForm::WithoutBursts, *Units);
    if (What.empty() && !At)
      What = "reaches past the end of the section";
    if (!What.empty())
      return Bad(" record " + Twine(I), What);
  }
  if (At.tell() != End)
    return Bad(" section", "has " + Twine(End - At.tell()) + " bytes too many");
  return std::move(Result);
}
