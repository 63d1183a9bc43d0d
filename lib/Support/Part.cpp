//===- Support/Part.cpp - Writes and reads a part -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Part.h"
#include "thermocline/Format/RunningHash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include <zstd.h>

using namespace llvm;
using namespace thermocline;

using Head = format::PartHeader;

/// No part has so much: what says so is damaged.
static constexpr uint64_t MostBytes = uint64_t(1) << 32;

uint64_t thermocline::partChecksum(StringRef Whole) {
  const StringRef Checked = Whole.drop_front(format::PartCheckedFrom);
  return format::hashOf(Checked.data(), Checked.size());
}

Error thermocline::malformedPart(const PartForm &Form, const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           Form.Name + ": " + Message);
}

void thermocline::writePart(std::string &Buffer, const PartForm &Form,
                            StringRef Payload, uint64_t NumLeft) {
  StringRef Packed = Payload;
  SmallVector<uint8_t, 0> Compressed;
  if (Form.How != Compress::No && compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Payload), Compressed,
                                Form.How == Compress::Best
                                    ? compression::zstd::BestSizeCompression
                                    : compression::zstd::DefaultCompression);
    if (Compressed.size() < Payload.size())
      Packed = toStringRef(Compressed);
  }
  const size_t Begin = Buffer.size();
  for (uint64_t Field : {Form.Kind, uint64_t(0), Form.Version, NumLeft,
                         uint64_t(Packed.size()), uint64_t(Payload.size())})
    putWord(Buffer, Field);
  Buffer += Packed;
  padToWord(Buffer);
  support::endian::write64le(Buffer.data() + Begin + offsetof(Head, Checksum),
                             partChecksum(StringRef(Buffer).drop_front(Begin)));
}

Expected<PartPayload> thermocline::parsePart(StringRef Whole,
                                             const PartForm &Form) {
  auto Malformed = [&](const Twine &Message) {
    return malformedPart(Form, Message);
  };
  if (Whole.size() < sizeof(Head) ||
      wordAt(Whole, offsetof(Head, Kind)) != Form.Kind)
    return Malformed("its head is damaged");
  if (const uint64_t Version = wordAt(Whole, offsetof(Head, Version));
      Version != Form.Version)
    return Malformed("version " + Twine(Version) + " is not supported (" +
                     Twine(Form.Version) + " is)");
  const uint64_t PackedBytes = wordAt(Whole, offsetof(Head, PackedBytes)),
                 NumBytes = wordAt(Whole, offsetof(Head, Bytes)),
                 Room = Whole.size() - sizeof(Head);
  if (PackedBytes > Room || alignTo(PackedBytes, WordSize) != Room ||
      PackedBytes > NumBytes || NumBytes > MostBytes)
    return Malformed("its size is damaged");
  if (partChecksum(Whole) != wordAt(Whole, offsetof(Head, Checksum)))
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
