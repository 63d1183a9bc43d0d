//===- fuzz/RawProfileFuzzer.cpp - Any bytes as a raw profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile is read or refused; what is read refers to nothing outside of
// itself. Checksums keep damage from what they cover, so each input that has
// some is also read with right ones.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Format/RawChecksums.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Support/Part.h"
#include "llvm/ProfileData/MemProfData.inc"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using RawHeader = ::llvm::memprof::Header;

static void read(StringRef Bytes) {
  Expected<RawProfile> Read =
      RawProfile::parse(MemoryBufferRef(Bytes, "input"));
  if (!Read) {
    if (toString(Read.takeError()).find("input") == std::string::npos)
      report_fatal_error("an error does not name the file");
    return;
  }
  uint64_t Sum = 0, Counters = 0;
  for (const RawContext &C : Read->contexts()) {
    Counters += C.Histogram.size();
    for (uint64_t Address : C.Calls)
      Sum += Address;
    Sum += C.Info.TotalSize;
  }
  // A counter takes two bytes at least.
  if (Counters > Bytes.size() / 2)
    report_fatal_error("counters that are not in the file");
  volatile uint64_t Used = Sum + Read->segments().size();
  (void)Used;
}

/// Gives all that looks like one of our parts a right checksum.
static void repairParts(MutableArrayRef<char> Bytes) {
  for (; Bytes.size() >= sizeof(format::PartHeader);
       Bytes = Bytes.drop_front(sizeof(uint64_t))) {
    format::PartHeader Head;
    std::memcpy(&Head, Bytes.data(), sizeof(Head));
    const bool IsPart =
        is_contained({format::RawSamplePart, format::RawRunPart,
                      format::RawWindowPart, format::RawLayoutPart},
                     Head.Kind);
    if (!IsPart || Head.PackedBytes > Bytes.size() ||
        format::partBytes(Head.PackedBytes) > Bytes.size())
      continue;
    Head.Checksum = partChecksum(
        StringRef(Bytes.data(), format::partBytes(Head.PackedBytes)));
    std::memcpy(Bytes.data(), &Head, sizeof(Head));
  }
}

/// Gives the dump at the beginning of \p Bytes right checksums, as far as its
/// sizes are right. \returns how long it is; 0 if there is none.
static uint64_t repairDump(MutableArrayRef<char> Bytes) {
  RawHeader Head;
  format::ChecksumPart Part;
  if (Bytes.size() < sizeof(Head) + sizeof(Part))
    return 0;
  std::memcpy(&Head, Bytes.data(), sizeof(Head));
  std::memcpy(&Part, Bytes.data() + sizeof(Head), sizeof(Part));
  auto HashOf = [&](uint64_t Begin, uint64_t Size) {
    Begin = std::min<uint64_t>(Begin, Bytes.size());
    return format::hashOf(Bytes.data() + Begin,
                          std::min<uint64_t>(Size, Bytes.size() - Begin));
  };
  repairParts(Bytes);
  if (Part.Magic == format::ChecksumMagic) {
    format::ChecksumSets Sets;
    if (Part.Offset > Bytes.size() || Bytes.size() - Part.Offset < sizeof(Sets))
      return Head.TotalSize;
    std::memcpy(&Sets, Bytes.data() + Part.Offset, sizeof(Sets));
    format::RawChecksums &C =
        Sets.Sections[Sets.Sections[1].RecordOffset == Head.MIBOffset];
    C.RecordOffset = Head.MIBOffset;
    C.Segments = HashOf(Head.SegmentOffset + 8, C.NumSegments * 64);
    C.Records = HashOf(Head.MIBOffset, C.RecordBytes);
    C.Stacks = HashOf(Head.StackOffset + 8, C.StackBytes);
    C.Header = format::headerChecksum(&Head, &Part, C);
    std::memcpy(Bytes.data() + Part.Offset, &Sets, sizeof(Sets));
  }
  return Head.TotalSize;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  read(Bytes);
  std::string Repaired = Bytes.str();
  for (MutableArrayRef<char> Left(Repaired); !Left.empty();) {
    const uint64_t Dump = repairDump(Left);
    if (!Dump || Dump > Left.size())
      break;
    Left = Left.drop_front(Dump);
  }
  if (Repaired != Bytes)
    read(Repaired);
  return 0;
}
