//===- program/IndexChecksum.cpp - Whether an index is as it was written --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexChecksum.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

namespace {
constexpr uint32_t WrapperMagic = 0x0B17C0DE;
constexpr StringLiteral Tag = "TCX1";

enum Field : size_t {
  Magic = 0,
  Version = 4,
  Offset = 8,
  Size = 12,
  CPUType = 16,
  TagField = 20,
  Checksum = 24,
  HeaderSize = 32,
};
} // namespace

Error thermocline::lto::writeWithChecksum(StringRef Bitcode, raw_ostream &OS) {
  // LLVM has 32 bits for the size. Without a checksum nobody would notice what
  // became of the index.
  if (Bitcode.size() > UINT32_MAX)
    return createStringError("an index of " + formatCount(Bitcode.size()) +
                             " bytes is too large for a checksum, which there "
                             "is room for up to " +
                             formatCount(UINT32_MAX));
  SmallString<0> File;
  File.resize(HeaderSize);
  support::endian::write32le(&File[Magic], WrapperMagic);
  support::endian::write32le(&File[Offset], HeaderSize);
  support::endian::write32le(&File[Size], Bitcode.size());
  llvm::copy(Tag, &File[TagField]);
  File += Bitcode;
  support::endian::write64le(&File[Checksum], xxh3_64bits(File));
  OS << File;
  return Error::success();
}

static bool isWrapped(StringRef File) {
  return File.size() >= sizeof(WrapperMagic) &&
         support::endian::read32le(File.data()) == WrapperMagic;
}

Error thermocline::lto::verifyHasChecksum(StringRef File,
                                          const ModuleSummaryIndex &Index) {
  if (isWrapped(File) || !apply::notedSettings(Index))
    return Error::success();
  return createStringError("has lost its checksum: another tool wrote it since "
                           "the link");
}

Error thermocline::lto::verifyChecksum(StringRef Index) {
  if (!isWrapped(Index))
    return Error::success();
  SmallString<0> File(Index);
  if (File.size() >= HeaderSize) {
    const uint64_t Written = support::endian::read64le(&File[Checksum]);
    support::endian::write64le(&File[Checksum], 0);
    if (xxh3_64bits(File) == Written &&
        Index.substr(TagField, Tag.size()) == Tag)
      return Error::success();
  }
  return createStringError("damaged: its checksum does not fit its contents");
}
