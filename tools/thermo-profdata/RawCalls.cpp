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

static Error openInto(std::unique_ptr<ProfiledBinaries> &Opened,
                      const BinaryOptions &Given) {
  if (Given.Binaries.empty())
    return Error::success();
  return ProfiledBinaries::open(Given).moveInto(Opened);
}

Expected<RawCalls> RawCalls::open(const BinaryOptions &Own,
                                  ArrayRef<std::string> Others, bool OfSeveral,
                                  ArrayRef<std::string> MayBeUnused) {
  RawCalls Result;
  if (Error E = openInto(Result.Own, Own))
    return std::move(E);
  // If there are several processes, each may have run others of them.
  if (Error E = openInto(Result.Others, {Others.vec(), Own.DebugDirectories,
                                         /*MayBeUnused=*/OfSeveral}))
    return std::move(E);
  if (Error E = openInto(Result.Found, {MayBeUnused.vec(), Own.DebugDirectories,
                                        /*MayBeUnused=*/true}))
    return std::move(E);
  return std::move(Result);
}

Expected<RawCalls> RawCalls::of(const RawProfile &Raw, const BinaryOptions &Own,
                                ArrayRef<std::string> Others) {
  Expected<RawCalls> Result = open(Own, Others);
  if (!Result)
    return Result.takeError();
  if (Error E = Result->locate(Raw))
    return std::move(E);
  if (Error E = Result->finish())
    return std::move(E);
  return Result;
}

Error RawCalls::locate(const RawProfile &Profile) {
  Raw = &Profile;
  for (const auto *Each : {&Own, &Others, &Found})
    if (*Each)
      if (Error E = (*Each)->locate(Profile))
        return E;
  return Error::success();
}

Error RawCalls::finish() const {
  for (const auto *Each : {&Own, &Others})
    if (*Each) {
      if (Error E = (*Each)->checkAllRan())
        return E;
      warnOfDebugFiles((*Each)->problems());
    }
  return Error::success();
}

void RawCalls::prepareAll() {
  const std::vector<uint64_t> Addresses = Raw->addresses();
  if (Own)
    Own->prepare(Addresses);
  for (const auto *Each : {&Own, &Others, &Found})
    if (*Each)
      (*Each)->prepareLines(Addresses);
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
  for (const auto *Known : {&Own, &Others, &Found})
    if (ProfiledBinary *Binary = *Known ? (*Known)->at(Address) : nullptr) {
      Result.File = sys::path::filename(Binary->path()).str();
      Result.IsOwn = Known == &Own;
      append_range(Result.Lines, Binary->linesAt(Address));
      break;
    }
  return Result;
}

/// Why a raw profile cannot give what was asked for; empty if it can.
static StringRef refusal(const ProfileSettings &Settings, StringRef OfCommand) {
  if (Settings.ColdOnly)
    return "a raw memory profile does not say what is cold";
  if (!OfCommand.empty())
    return OfCommand;
  return Settings.Type.empty() ? "" : "--type is for merged profiles";
}

Expected<RawProfile> profdata::readRaw(const ProfileSettings &Settings,
                                       StringRef Refusal) {
  Expected<RawProfile> Raw = RawProfile::read(Settings.Input);
  if (!Raw)
    return Raw.takeError();
  if (StringRef Why = refusal(Settings, Refusal); !Why.empty())
    return fileError(Settings.Input, Why + "; merge it first (thermo-profdata "
                                           "merge --binary=PROGRAM)");
  return Raw;
}

std::vector<const RawContext *>
profdata::bytesDescending(const RawProfile &Raw) {
  std::vector<const RawContext *> Result;
  for (const RawContext &C : Raw.contexts())
    Result.push_back(&C);
  llvm::sort(Result, [](const RawContext *A, const RawContext *B) {
    return std::make_pair(B->Info.TotalSize + 0, A->CallStackId) <
           std::make_pair(A->Info.TotalSize + 0, B->CallStackId);
  });
  return Result;
}
