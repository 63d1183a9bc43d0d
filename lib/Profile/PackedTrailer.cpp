//===- Profile/PackedTrailer.cpp - A part behind LLVM's own ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedTrailer.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::CallTrailerHeader;
using Foot = format::CallTrailerFooter;

static constexpr uint64_t WordSize = sizeof(uint64_t);
/// No profile has so much: what says so is damaged.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

Error profile::malformedTrailer(const TrailerKind &Kind, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Kind.Name + ": " + Message);
}

static void put(std::string &Into, uint64_t Number) {
  char Bytes[WordSize];
  support::endian::write64le(Bytes, Number);
  Into.append(Bytes, WordSize);
}

void profile::appendTrailer(std::string &File, const TrailerKind &Kind,
                            StringRef Payload) {
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
  for (uint64_t Field : {Kind.Magic, Kind.Version, xxh3_64bits(Packed),
                         uint64_t(Packed.size()), uint64_t(Payload.size())})
    put(File, Field);
  File += Packed;
  File.resize(alignTo(File.size(), WordSize), '\0');
  put(File, File.size() - Begin + sizeof(Foot));
  put(File, Kind.End);
}

StringRef profile::beforeTrailer(StringRef Contents, const TrailerKind &Kind) {
  if (Contents.size() < sizeof(Head) + sizeof(Foot))
    return Contents;
  const char *FootAt = Contents.end() - sizeof(Foot);
  const uint64_t NumBytes = support::endian::read64le(FootAt);
  if (support::endian::read64le(FootAt + WordSize) != Kind.End ||
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

Expected<std::optional<UnpackedTrailer>>
profile::readTrailer(StringRef Contents, const TrailerKind &Kind) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  if (Contents.size() < sizeof(Head) + sizeof(Foot))
    return std::nullopt;
  uint64_t FootAt = Contents.size() - sizeof(Foot);
  const uint64_t NumBytes = Data.getU64(&FootAt);
  if (Data.getU64(&FootAt) != Kind.End)
    return std::nullopt;
  auto Malformed = [&](const Twine &Message) {
    return malformedTrailer(Kind, Message);
  };
  if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
    return Malformed("it cannot have " + Twine(NumBytes) + " bytes");
  uint64_t At = Contents.size() - NumBytes;
  Head H;
  H.Magic = Data.getU64(&At);
  H.Version = Data.getU64(&At);
  if (H.Magic != Kind.Magic)
    return Malformed("it does not begin where its end says");
  if (H.Version < Kind.OldestVersion || H.Version > Kind.Version)
    return Malformed("version " + Twine(H.Version) + " is not supported (" +
                     (Kind.OldestVersion == Kind.Version
                          ? Twine(Kind.Version) + " is)"
                          : Twine(Kind.OldestVersion) + " to " +
                                Twine(Kind.Version) + " are)"));
  H.Checksum = Data.getU64(&At);
  H.PackedBytes = Data.getU64(&At);
  H.Bytes = Data.getU64(&At);
  if (H.PackedBytes > NumBytes - sizeof(Head) - sizeof(Foot) ||
      H.PackedBytes > H.Bytes || H.Bytes > MostBytes)
    return Malformed("its size is damaged");
  const StringRef Packed = Contents.substr(At, H.PackedBytes);
  if (xxh3_64bits(Packed) != H.Checksum)
    return Malformed("its checksum is wrong");
  if (H.Bytes == H.PackedBytes)
    return UnpackedTrailer{H.Version, Packed.str()};
  if (!compression::zstd::isAvailable())
    return Malformed("LLVM was built without zstd");
  if (unpackedBytes(Packed) != H.Bytes)
    return Malformed("its size is damaged");
  SmallVector<uint8_t, 0> Unpacked;
  Error E = compression::zstd::decompress(arrayRefFromStringRef(Packed),
                                          Unpacked, H.Bytes);
  if (E || Unpacked.size() != H.Bytes) {
    consumeError(std::move(E));
    return Malformed("it cannot be decompressed");
  }
  return UnpackedTrailer{H.Version, toStringRef(Unpacked).str()};
}
