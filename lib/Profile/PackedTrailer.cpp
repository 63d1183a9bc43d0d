//===- Profile/PackedTrailer.cpp - A part behind LLVM's own ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedTrailer.h"
#include "Words.h"
#include "thermocline/Format/CallTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"
#include <zstd.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::CallTrailerHeader;
using Foot = format::CallTrailerFooter;

/// No profile has so much: what says so is damaged.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

Error profile::malformedTrailer(const TrailerKind &Kind, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Kind.Name + ": " + Message);
}

void profile::appendTrailer(std::string &File, const TrailerKind &Kind,
                            StringRef Payload) {
  StringRef Packed = Payload;
  SmallVector<uint8_t, 0> Compressed;
  if (compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Payload), Compressed,
                                compression::zstd::DefaultCompression);
    if (Compressed.size() < Payload.size())
      Packed = toStringRef(Compressed);
  }
  padToWord(File);
  const size_t Begin = File.size();
  for (uint64_t Field : {Kind.Magic, Kind.Version, xxh3_64bits(Packed),
                         uint64_t(Packed.size()), uint64_t(Payload.size())})
    putWord(File, Field);
  File += Packed;
  padToWord(File);
  putWord(File, File.size() - Begin + sizeof(Foot));
  putWord(File, Kind.End);
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
  // Only the payload has a checksum: nothing is reserved by the header alone.
  if (ZSTD_getFrameContentSize(Packed.data(), Packed.size()) != H.Bytes)
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
