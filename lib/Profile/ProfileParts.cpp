//===- Profile/ProfileParts.cpp - Our parts of indexed profiles -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileParts.h"
#include "Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/xxhash.h"
#include <zstd.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;
using format::PartKind;

using Head = format::PartHeader;
using Foot = format::PartFooter;

/// Where what the checksum is of begins.
static constexpr uint64_t CheckedFrom = offsetof(Head, Version);
/// No profile has so much: what says so is damaged.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

Error profile::malformedPart(const PartOf &Part, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Part.Name + ": " + Message);
}

//===-- Writing -----------------------------------------------------------===//

static bool endsWithPart(StringRef Contents) {
  return Contents.size() >= sizeof(Head) + sizeof(Foot) &&
         wordAt(Contents, Contents.size() - WordSize) == format::PartEnd;
}

/// The number of parts that \p File ends with.
static uint64_t numParts(StringRef File) {
  if (!endsWithPart(File))
    return 0;
  const uint64_t NumBytes = wordAt(File, File.size() - sizeof(Foot));
  return 1 + wordAt(File, File.size() - NumBytes + offsetof(Head, Place));
}

uint64_t profile::nextPart(StringRef File) {
  return alignTo(File.size(), WordSize);
}

void profile::appendPart(std::string &File, const PartOf &Part,
                         StringRef Payload) {
  StringRef Packed = Payload;
  SmallVector<uint8_t, 0> Compressed;
  if (Part.How != Compress::No && compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Payload), Compressed,
                                Part.How == Compress::Best
                                    ? compression::zstd::BestSizeCompression
                                    : compression::zstd::DefaultCompression);
    if (Compressed.size() < Payload.size())
      Packed = toStringRef(Compressed);
  }
  const uint64_t Place = numParts(File);
  padToWord(File);
  const size_t Begin = File.size();
  for (uint64_t Field :
       {static_cast<uint64_t>(Part.Kind), uint64_t(0), Part.Version, Place,
        uint64_t(Packed.size()), uint64_t(Payload.size())})
    putWord(File, Field);
  File += Packed;
  padToWord(File);
  support::endian::write64le(
      File.data() + Begin + offsetof(Head, Checksum),
      xxh3_64bits(StringRef(File).drop_front(Begin + CheckedFrom)));
  putWord(File, File.size() - Begin + sizeof(Foot));
  putWord(File, format::PartEnd);
}

//===-- Reading -----------------------------------------------------------===//

static bool isKnown(uint64_t Kind) {
  return is_contained({PartKind::Types, PartKind::Binaries, PartKind::Calls,
                       PartKind::Windows, PartKind::Touches},
                      static_cast<PartKind>(Kind));
}

/// The part from its head up to its foot.
static Expected<std::optional<StringRef>> find(StringRef Contents,
                                               const PartOf &Part) {
  std::optional<uint64_t> Place;
  while (endsWithPart(Contents)) {
    const uint64_t NumBytes = wordAt(Contents, Contents.size() - sizeof(Foot));
    if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
      return malformedPart(Part,
                           "it cannot have " + Twine(NumBytes) + " bytes");
    const StringRef Found = Contents.take_back(NumBytes);
    const uint64_t Kind = wordAt(Found, offsetof(Head, Kind));
    if (!isKnown(Kind))
      return malformedPart(Part, "it does not begin where its end says");
    if (Kind == static_cast<uint64_t>(Part.Kind))
      return Found.drop_back(sizeof(Foot));
    const uint64_t Mine = wordAt(Found, offsetof(Head, Place));
    if (Place && Mine + 1 != *Place)
      return malformedPart(Part, "a part behind it is not in its place");
    Place = Mine;
    Contents = Contents.drop_back(NumBytes);
  }
  if (Place.value_or(0) != 0)
    return malformedPart(Part, "a part behind it says that there are more");
  return std::nullopt;
}

Expected<std::optional<PartPayload>> profile::readPart(StringRef Contents,
                                                       const PartOf &Part) {
  auto Found = find(Contents, Part);
  if (!Found)
    return Found.takeError();
  if (!*Found)
    return std::nullopt;
  const StringRef Whole = **Found;
  auto Malformed = [&](const Twine &Message) {
    return malformedPart(Part, Message);
  };
  if (const uint64_t Version = wordAt(Whole, offsetof(Head, Version));
      Version != Part.Version)
    return Malformed("version " + Twine(Version) + " is not supported (" +
                     Twine(Part.Version) + " is)");
  const uint64_t PackedBytes = wordAt(Whole, offsetof(Head, PackedBytes)),
                 NumBytes = wordAt(Whole, offsetof(Head, Bytes));
  if (PackedBytes > Whole.size() - sizeof(Head) || PackedBytes > NumBytes ||
      NumBytes > MostBytes)
    return Malformed("its size is damaged");
  if (xxh3_64bits(Whole.drop_front(CheckedFrom)) !=
      wordAt(Whole, offsetof(Head, Checksum)))
    return Malformed("its checksum is wrong");
  const StringRef Packed = Whole.substr(sizeof(Head), PackedBytes);
  if (NumBytes == PackedBytes)
    return PartPayload(Packed);
  if (!compression::zstd::isAvailable())
    return Malformed("LLVM was built without zstd");
  if (ZSTD_getFrameContentSize(Packed.data(), Packed.size()) != NumBytes)
    return Malformed("its size is damaged");
  SmallVector<uint8_t, 0> Unpacked;
  Error E = compression::zstd::decompress(arrayRefFromStringRef(Packed),
                                          Unpacked, NumBytes);
  if (E || Unpacked.size() != NumBytes) {
    consumeError(std::move(E));
    return Malformed("it cannot be decompressed");
  }
  return PartPayload(std::move(Unpacked));
}

bool profile::isPartCutOff(StringRef Contents, const PartOf &Part) {
  std::string Kind;
  putWord(Kind, static_cast<uint64_t>(Part.Kind));
  return Contents.contains(Kind);
}
