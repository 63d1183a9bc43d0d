//===- thermo-profdata/RawCalls.cpp - Calls of a raw profile --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawCalls.h"
#include "ContextList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

Expected<RawCalls> RawCalls::open(const RawProfile &Raw, StringRef Binary,
                                  ArrayRef<std::string> Libraries,
                                  ArrayRef<std::string> DebugDirectories) {
  std::vector<std::string> Paths(Libraries.begin(), Libraries.end());
  if (!Binary.empty())
    Paths.insert(Paths.begin(), Binary.str());
  RawCalls Result(Raw);
  for (const std::string &Path : Paths) {
    Expected<std::unique_ptr<ProfiledBinary>> Opened =
        ProfiledBinary::open(Path, DebugDirectories);
    if (!Opened)
      return Opened.takeError();
    if (Error E = (*Opened)->locate(Raw))
      return std::move(E);
    warnOfDebugFiles((*Opened)->debugFileProblems());
    Result.Known.push_back(std::move(*Opened));
  }
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
  auto In = find_if(Known, [&](const auto &O) { return O->contains(Address); });
  if (In != Known.end()) {
    Result.File = sys::path::filename((*In)->path()).str();
    Result.Functions = (*In)->functionsAt(Address);
  }
  return Result;
}
