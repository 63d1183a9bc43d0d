//===- Profile/CallTable.cpp - The calls that the source had --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/CallTable.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::CallTrailerHeader;
using Foot = format::CallTrailerFooter;

static constexpr uint64_t WordSize = sizeof(uint64_t);
/// No profile has so much: what says so is damaged.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

static Error malformed(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           "table of calls: " + Message);
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

static void put(std::string &Into, uint64_t Number) {
  char Bytes[WordSize];
  support::endian::write64le(Bytes, Number);
  Into.append(Bytes, WordSize);
}

void CallTable::appendTo(std::string &File,
                         function_ref<bool(GlobalValue::GUID)> Wanted) const {
  const std::string Payload = encode(Wanted);
  StringRef Packed = Payload;
  SmallVector<uint8_t, 0> Compressed;
  if (compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Payload), Compressed,
                                compression::zstd::BestSizeCompression);
    if (Compressed.size() < Payload.size())
      Packed = toStringRef(Compressed);
  }
  File.resize(alignTo(File.size(), WordSize), '\0');
  const size_t Begin = File.size();
  for (uint64_t Field :
       {format::CallTrailerMagic, format::CallTrailerVersion,
        xxh3_64bits(Packed), uint64_t(Packed.size()), uint64_t(Payload.size())})
    put(File, Field);
  File += Packed;
  File.resize(alignTo(File.size(), WordSize), '\0');
  put(File, File.size() - Begin + sizeof(Foot));
  put(File, format::CallTrailerEnd);
}

StringRef CallTable::before(StringRef Contents) {
  if (Contents.size() < sizeof(Head) + sizeof(Foot))
    return Contents;
  const char *FootAt = Contents.end() - sizeof(Foot);
  const uint64_t NumBytes = support::endian::read64le(FootAt);
  if (support::endian::read64le(FootAt + WordSize) != format::CallTrailerEnd ||
      NumBytes > Contents.size())
    return Contents;
  return Contents.drop_back(NumBytes);
}

/// How many bytes \p Frame, one of zstd (RFC 8878, section 3.1.1.1), says that
/// it becomes; 0 if it does not say so. The payload has a checksum, and the
/// header in front of it has none: nothing is reserved by that alone.
static uint64_t unpackedBytes(StringRef Frame) {
  constexpr uint32_t FrameMagic = 0xFD2FB528;
  DataExtractor Data(Frame, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor At(0);
  if (Data.getU32(At) != FrameMagic) {
    consumeError(At.takeError());
    return 0;
  }
  const uint8_t Descriptor = Data.getU8(At);
  const bool IsSingle = Descriptor & 0x20;
  constexpr uint64_t DictionaryBytes[] = {0, 1, 2, 4};
  Data.skip(At, (IsSingle ? 0 : 1) + DictionaryBytes[Descriptor & 3]);
  uint64_t Result = 0;
  switch (Descriptor >> 6) {
  case 0:
    Result = IsSingle ? Data.getU8(At) : 0;
    break;
  case 1:
    Result = Data.getU16(At) + uint64_t(256);
    break;
  case 2:
    Result = Data.getU32(At);
    break;
  case 3:
    Result = Data.getU64(At);
    break;
  }
  if (Error E = At.takeError()) {
    consumeError(std::move(E));
    return 0;
  }
  return Result;
}

Expected<CallTable> CallTable::readFrom(StringRef Contents) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  if (Contents.size() < sizeof(Head) + sizeof(Foot))
    return CallTable();
  uint64_t FootAt = Contents.size() - sizeof(Foot);
  const uint64_t NumBytes = Data.getU64(&FootAt);
  if (Data.getU64(&FootAt) != format::CallTrailerEnd)
    return CallTable();
  if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
    return malformed("it cannot have " + Twine(NumBytes) + " bytes");
  uint64_t At = Contents.size() - NumBytes;
  Head H;
  H.Magic = Data.getU64(&At);
  H.Version = Data.getU64(&At);
  if (H.Magic != format::CallTrailerMagic)
    return malformed("it does not begin where its end says");
  if (H.Version < format::OldestCallTrailerVersion ||
      H.Version > format::CallTrailerVersion)
    return malformed("version " + Twine(H.Version) + " is not supported (" +
                     Twine(format::OldestCallTrailerVersion) + " to " +
                     Twine(format::CallTrailerVersion) + " are)");
  H.Checksum = Data.getU64(&At);
  H.PackedBytes = Data.getU64(&At);
  H.Bytes = Data.getU64(&At);
  if (H.PackedBytes > NumBytes - sizeof(Head) - sizeof(Foot) ||
      H.PackedBytes > H.Bytes || H.Bytes > MostBytes)
    return malformed("its size is damaged");
  StringRef Payload = Contents.substr(At, H.PackedBytes);
  if (xxh3_64bits(Payload) != H.Checksum)
    return malformed("its checksum is wrong");
  SmallVector<uint8_t, 0> Unpacked;
  if (H.Bytes != H.PackedBytes) {
    if (!compression::zstd::isAvailable())
      return malformed("LLVM was built without zstd");
    if (unpackedBytes(Payload) != H.Bytes)
      return malformed("its size is damaged");
    Error E = compression::zstd::decompress(arrayRefFromStringRef(Payload),
                                            Unpacked, H.Bytes);
    if (E || Unpacked.size() != H.Bytes) {
      consumeError(std::move(E));
      return malformed("it cannot be decompressed");
    }
    Payload = toStringRef(Unpacked);
  }
  return decode(Payload, H.Version);
}
