//===- thermo-profdata/RawCalls.cpp - Calls of a raw profile --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawCalls.h"
#include "ContextList.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

/// Those of \p Given, which \p Raw's process must have run; null if none is.
static Expected<std::unique_ptr<ProfiledBinaries>>
openFor(const RawProfile &Raw, const BinaryOptions &Given) {
  if (Given.Binaries.empty())
    return nullptr;
  Expected<std::unique_ptr<ProfiledBinaries>> Opened =
      ProfiledBinaries::open(Given);
  if (!Opened)
    return Opened.takeError();
  if (Error E = (*Opened)->locate(Raw))
    return std::move(E);
  if (Error E = (*Opened)->checkAllRan())
    return std::move(E);
  warnOfDebugFiles((*Opened)->problems());
  return Opened;
}

Expected<RawCalls> RawCalls::open(const RawProfile &Raw,
                                  const BinaryOptions &Own,
                                  ArrayRef<std::string> Others) {
  RawCalls Result(Raw);
  if (Error E = openFor(Raw, Own).moveInto(Result.Own))
    return std::move(E);
  if (Error E = openFor(Raw, {Others.vec(), Own.DebugDirectories})
                    .moveInto(Result.Others))
    return std::move(E);
  return std::move(Result);
}

RawCall RawCalls::at(uint64_t Address) const {
  RawCall Result;
  Result.Address = Address;
  auto Segment = find_if(Raw->segments(), [&](const RawSegment &S) {
    return Address >= S.Start && Address < S.End;
  });
  if (Segment != Raw->segments().end()) {
    Result.IsInObject = true;
    Result.BuildId = toHex(Segment->BuildId, /*LowerCase=*/true);
    Result.Offset = Address - Segment->Base;
  }
  for (const auto *Known : {&Own, &Others})
    if (const ProfiledBinary *In = *Known ? (*Known)->at(Address) : nullptr) {
      Result.File = sys::path::filename(In->path()).str();
      Result.IsOwn = Known == &Own;
      Result.Lines = In->linesAt(Address);
      break;
    }
  return Result;
}

Error profdata::onlyMerged(StringRef Path, const Twine &Why) {
  return fileError(Path, Why + "; merge it first (thermo-profdata merge "
                               "--binary=PROGRAM)");
}
