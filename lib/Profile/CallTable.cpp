//===- Profile/CallTable.cpp - The calls that the source had --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/CallTable.h"
#include "PackedTrailer.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr uint64_t WordSize = sizeof(uint64_t);
static constexpr TrailerKind Trailer = {
    "table of calls", format::CallTrailerMagic, format::CallTrailerEnd,
    format::OldestCallTrailerVersion, format::CallTrailerVersion};

static Error malformed(const Twine &Message) {
  return malformedTrailer(Trailer, Message);
}

uint64_t profile::calleeKey(StringRef Name) {
  return memprof::getGUID(Name.split(".__uniq.").first);
}

//===-- The section of a program ------------------------------------------===//

Error CallTable::addSection(StringRef Contents) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t At = 0;
  while (
      Data.isValidOffsetForDataOfSize(At, sizeof(format::CallTableFunction))) {
    const uint64_t Begin = At;
    const uint32_t Magic = Data.getU32(&At);
    if (Magic == 0) {
      At = Begin + WordSize;
      continue;
    }
    if (Magic != format::CallTableMagic)
      return malformed("damaged at byte " + Twine(Begin));
    if (uint32_t Version = Data.getU32(&At);
        Version != format::CallTableVersion)
      return malformed("version " + Twine(Version) + " is not supported (" +
                       Twine(format::CallTableVersion) + " is)");
    SourceFunction F;
    F.Function = Data.getU64(&At);
    F.Local = Data.getU64(&At);
    F.File = Data.getU32(&At);
    const uint64_t NumCalls = Data.getU32(&At);
    if (!Data.isValidOffsetForDataOfSize(At, NumCalls *
                                                 sizeof(format::CallTableCall)))
      return malformed("damaged at byte " + Twine(Begin));
    for (uint64_t I = 0; I != NumCalls; ++I) {
      SourceCall &Call = F.Calls.emplace_back();
      Call.Line = static_cast<int32_t>(Data.getU32(&At));
      Call.Column = Data.getU32(&At);
      Call.Callee = Data.getU64(&At);
      Call.Text = Data.getU32(&At);
      At += sizeof(uint32_t);
    }
    add(F);
  }
  return Error::success();
}

//===-- The table ---------------------------------------------------------===//

void CallTable::add(const SourceFunction &Added) {
  Names.insert(shortName(Added.Function));
  if (Ambiguous.contains(Added.Function))
    return;
  std::vector<SourceFunction> &Known = Functions[Added.Function];
  auto At = lower_bound(Known, Added);
  if (At != Known.end() && *At == Added)
    return;
  Known.insert(At, Added);
  if (Known.size() <= MaxVersions)
    return;
  Functions.erase(Added.Function);
  Ambiguous.insert(Added.Function);
}

void CallTable::add(const CallTable &Other) {
  for (const auto &[Function, Versions] : Other.Functions)
    for (const SourceFunction &F : Versions)
      add(F);
  for (GlobalValue::GUID Function : Other.Ambiguous) {
    Functions.erase(Function);
    Ambiguous.insert(Function);
  }
  Names.insert(Other.Names.begin(), Other.Names.end());
}

ArrayRef<SourceFunction> CallTable::versions(GlobalValue::GUID Function) const {
  auto Known = Functions.find(Function);
  return Known == Functions.end() ? ArrayRef<SourceFunction>()
                                  : ArrayRef(Known->second);
}

const SourceFunction *CallTable::lookup(GlobalValue::GUID Function) const {
  ArrayRef<SourceFunction> Known = versions(Function);
  return Known.size() == 1 ? &Known.front() : nullptr;
}

//===-- In an indexed profile ---------------------------------------------===//

std::string
CallTable::encode(function_ref<bool(GlobalValue::GUID)> Wanted) const {
  std::string Result;
  raw_string_ostream OS(Result);
  support::endian::Writer Write(OS, endianness::little);
  encodeULEB128(ColdBytes, OS);
  encodeULEB128(Names.size(), OS);
  uint32_t Last = 0;
  for (uint32_t Name : Names) {
    encodeULEB128(Name - Last, OS);
    Last = Name;
  }
  encodeULEB128(Ambiguous.size(), OS);
  for (GlobalValue::GUID Function : Ambiguous)
    Write.write<uint64_t>(Function);
  auto Put = [&](const SourceFunction &F) {
    Write.write<uint64_t>(F.Function);
    Write.write<uint64_t>(F.Local);
    Write.write<uint32_t>(F.File);
    encodeULEB128(F.Calls.size(), OS);
    for (const SourceCall &Call : F.Calls) {
      encodeSLEB128(Call.Line, OS);
      encodeULEB128(Call.Column, OS);
      Write.write<uint64_t>(Call.Callee);
      Write.write<uint32_t>(Call.Text);
    }
  };
  for (const auto &[GUID, Versions] : Functions)
    if (Wanted(GUID))
      for_each(Versions, Put);
  return Result;
}

Expected<CallTable> CallTable::decode(StringRef Bytes, uint64_t Version) {
  CallTable Result;
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor At(0);
  // A number takes a byte at least, so that no count is believed for long.
  Result.ColdBytes = Data.getULEB128(At);
  uint32_t Last = 0;
  for (uint64_t Left = Data.getULEB128(At); Left && At; --Left) {
    Last += static_cast<uint32_t>(Data.getULEB128(At));
    Result.Names.insert(Result.Names.end(), Last);
  }
  for (uint64_t Left = Data.getULEB128(At); Left && At; --Left)
    Result.Ambiguous.insert(Data.getU64(At));
  while (At && At.tell() != Bytes.size()) {
    SourceFunction F;
    F.Function = Data.getU64(At);
    F.Local = Data.getU64(At);
    F.File = Data.getU32(At);
    for (uint64_t Left = Data.getULEB128(At); Left && At; --Left) {
      SourceCall &Call = F.Calls.emplace_back();
      Call.Line = static_cast<int32_t>(Data.getSLEB128(At));
      Call.Column = static_cast<uint32_t>(Data.getULEB128(At));
      Call.Callee = Data.getU64(At);
      Call.Text = Data.getU32(At);
    }
    if (!At)
      break;
    std::vector<SourceFunction> &Versions = Result.Functions[F.Function];
    if (Result.Ambiguous.contains(F.Function) ||
        Versions.size() == (Version == 1 ? 1 : MaxVersions) ||
        (!Versions.empty() && !(Versions.back() < F))) {
      consumeError(At.takeError());
      return malformed("the versions of function " +
                       utohexstr(F.Function, /*LowerCase=*/true) +
                       " are damaged");
    }
    Versions.push_back(std::move(F));
  }
  if (Error E = At.takeError()) {
    consumeError(std::move(E));
    return malformed("reaches past its end");
  }
  return Result;
}

void CallTable::appendTo(std::string &File,
                         function_ref<bool(GlobalValue::GUID)> Wanted) const {
  appendTrailer(File, Trailer, encode(Wanted));
}

StringRef CallTable::before(StringRef Contents) {
  return beforeTrailer(Contents, Trailer);
}

Expected<CallTable> CallTable::readFrom(StringRef Contents) {
  auto Read = readTrailer(Contents, Trailer);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return CallTable();
  return decode((*Read)->Payload, (*Read)->Version);
}
