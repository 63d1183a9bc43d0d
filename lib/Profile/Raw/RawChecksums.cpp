//===- Profile/Raw/RawChecksums.cpp - Checks a raw profile ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawChecksums.h"
#include "thermocline/Format/RawChecksums.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/ProfileData/MemProfData.inc"
#include <cstring>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static_assert(endianness::native == endianness::little);

using RawHeader = llvm::memprof::Header;

/// Checks that \p Bytes bytes from \p Begin on are there, and have \p Checksum.
static Error checkSection(StringRef Dump, StringRef Section, uint64_t Begin,
                          uint64_t Bytes, uint64_t Checksum,
                          DamageError Damaged) {
  if (Begin > Dump.size() || Bytes > Dump.size() - Begin)
    return Damaged(Section, Begin,
                   "damaged: its checksum is of more than there is");
  if (format::hashOf(Dump.data() + Begin, Bytes) != Checksum)
    return Damaged(Section, Begin, "damaged: its checksum is wrong");
  return Error::success();
}

Expected<std::optional<CheckedParts>> profile::checkDump(StringRef Dump,
                                                         DamageError Damaged) {
  constexpr uint64_t CountBytes = sizeof(uint64_t);
  if (Dump.size() < sizeof(RawHeader) + sizeof(format::ChecksumPart))
    return std::nullopt;
  RawHeader Head;
  format::ChecksumPart Part;
  std::memcpy(&Head, Dump.data(), sizeof(Head));
  std::memcpy(&Part, Dump.data() + sizeof(Head), sizeof(Part));
  if (Head.Magic != MEMPROF_RAW_MAGIC_64 || Part.Magic != format::ChecksumMagic)
    return std::nullopt;
  if (Part.Version != format::ChecksumVersion)
    return Damaged("checksum", sizeof(Head),
                   "version " + Twine(Part.Version) + " is not supported (" +
                       Twine(format::ChecksumVersion) + " is)");
  format::ChecksumSets Sets;
  if (Part.Offset > Dump.size() || Dump.size() - Part.Offset < sizeof(Sets)) {
    // If the file is cut off, the header says so.
    if (Head.TotalSize > Dump.size())
      return std::nullopt;
    return Damaged("checksum", sizeof(Head), "damaged: there are no checksums");
  }
  std::memcpy(&Sets, Dump.data() + Part.Offset, sizeof(Sets));
  const auto *Own = find_if(Sets.Sections, [&](const format::RawChecksums &C) {
    return C.RecordOffset == Head.MIBOffset;
  });
  if (Own == std::end(Sets.Sections) ||
      Own->Header != format::headerChecksum(&Head, &Part, *Own))
    return Damaged("header", 0, "damaged: its checksum is wrong");
  if (Head.TotalSize > Dump.size())
    return std::nullopt;
  Dump = Dump.take_front(Head.TotalSize);
  if (Own->NumSegments > Dump.size() / sizeof(::llvm::memprof::SegmentEntry))
    return Damaged("segment", Head.SegmentOffset,
                   "damaged: its checksum is of more than there is");
  if (Error E =
          checkSection(Dump, "segment", Head.SegmentOffset + CountBytes,
                       Own->NumSegments * sizeof(::llvm::memprof::SegmentEntry),
                       Own->Segments, Damaged))
    return std::move(E);
  if (Error E = checkSection(Dump, "MIB", Own->RecordOffset, Own->RecordBytes,
                             Own->Records, Damaged))
    return std::move(E);
  if (Error E = checkSection(Dump, "call stack", Head.StackOffset + CountBytes,
                             Own->StackBytes, Own->Stacks, Damaged))
    return std::move(E);
  return CheckedParts{Own->NumSegments, Own->RecordBytes, Own->NumStacks};
}
