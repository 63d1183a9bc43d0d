//===- fuzz/IndexedProfileFuzzer.cpp - Any bytes as an indexed profile ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexed profile is read or refused. Checksums keep most damage from what
// is behind them, so each input is also read with right ones.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Format/ProfileParts.h"
#include "thermocline/Format/TouchPart.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static void check(const Twine &Message) {
  if (!StringRef(Message.str()).contains("input"))
    report_fatal_error("an error does not name the file");
}

static void checkUnits(const UnitTouches &T, const TouchGrid &Grid) {
  if (T.First + T.Windows.size() > Grid.numBins() ||
      T.TouchedGranules > T.Granules)
    report_fatal_error("touches beyond the grid");
  for (const WindowTouches &W : T.Windows)
    if (W.Touched > W.Live || W.TouchedInBurst > W.Touched ||
        W.Born > W.Touched || W.BornInBurst > W.TouchedInBurst ||
        W.BornInBurst > W.Born || W.AmongBorn > W.Live - W.Born ||
        W.AmongBornInBurst > W.Live - W.BornInBurst ||
        W.Far > W.Live - W.touchedAgain() ||
        W.FarInBurst > W.Live - W.touchedAgainInBurst())
      report_fatal_error("more was touched than lived");
}

/// Reads all of \p Bytes. \returns the checksum of the memory profile, or 0.
static uint64_t read(StringRef Bytes) {
  Expected<std::unique_ptr<IndexedProfile>> Profile = IndexedProfile::parse(
      "input", MemoryBuffer::getMemBuffer(Bytes, "input",
                                          /*RequiresNullTerminator=*/false));
  if (!Profile) {
    check(toString(Profile.takeError()));
    return 0;
  }
  const IndexedProfile &P = **Profile;
  if (Error E = P.forEachContext([&](const IndexedContext &C) {
        if (auto Decision = P.decision(C.FullStackId);
            Decision && !placement::isPredictable(Decision->Benefit))
          report_fatal_error("a benefit is no number of bytes");
      }))
    check(toString(std::move(E)));
  Expected<TouchesById> Touches = P.touches();
  if (!Touches) {
    check(toString(Touches.takeError()));
  } else {
    if (Touches->Ids.size() != Touches->Touches.Contexts.size() ||
        !std::is_sorted(Touches->Ids.begin(), Touches->Ids.end()))
      report_fatal_error("ids do not ascend");
    for (const ContextTouches &C : Touches->Touches.Contexts) {
      checkUnits(C.Objects, Touches->Touches.Grid);
      checkUnits(C.Pages, Touches->Touches.Grid);
    }
  }
  if (Expected<SamplesById> Samples = P.samples(); !Samples)
    check(toString(Samples.takeError()));
  if (Expected<DataAccesses> StaticData = P.dataAccesses(); !StaticData)
    check(toString(StaticData.takeError()));
  if (Expected<DataTypes> Types = P.types(); !Types)
    check(toString(Types.takeError()));
  if (Expected<Architectures> Named = P.architectures(); !Named)
    check(toString(Named.takeError()));
  else
    Named->text();
  if (Expected<RecordedRuns> Recorded = P.recordedRuns(); !Recorded)
    check(toString(Recorded.takeError()));
  else
    Recorded->lines();
  if (Expected<BinaryMap> Binaries = P.binaries(); !Binaries)
    check(toString(Binaries.takeError()));
  if (Expected<CallTable> Calls = P.calls(); !Calls)
    check(toString(Calls.takeError()));
  Expected<uint64_t> Checksum = P.checksum();
  if (Checksum)
    return *Checksum;
  check(toString(Checksum.takeError()));
  return 0;
}

/// \p Bytes with right checksums and places of its parts, as far as their sizes
/// are; none if it has no parts.
static std::string repaired(StringRef Bytes, uint64_t ProfileChecksum) {
  using Head = format::PartHeader;
  using Foot = format::PartFooter;
  std::string Result = Bytes.str();
  auto Get = [&](size_t Offset) {
    return support::endian::read64le(Result.data() + Offset);
  };
  auto Set = [&](size_t Offset, uint64_t Value) {
    support::endian::write64le(Result.data() + Offset, Value);
  };
  SmallVector<std::pair<size_t, size_t>, 8> Parts;
  for (size_t End = Result.size(); End >= sizeof(Head) + sizeof(Foot);) {
    const uint64_t NumBytes = Get(End - sizeof(Foot));
    if (Get(End - sizeof(uint64_t)) != format::PartEnd ||
        NumBytes < sizeof(Head) + sizeof(Foot) || NumBytes > End)
      break;
    Parts.push_back({End - NumBytes, End - sizeof(Foot)});
    End -= NumBytes;
  }
  if (Parts.empty())
    return "";
  for (auto [I, Part] : enumerate(reverse(Parts))) {
    const auto [Begin, End] = Part;
    const size_t Payload = Begin + sizeof(Head);
    const uint64_t Kind = Get(Begin);
    Set(Begin + offsetof(Head, NumLeft), I);
    // No memory for what no profile has.
    Set(Begin + offsetof(Head, Bytes),
        std::min<uint64_t>(Get(Begin + offsetof(Head, Bytes)), 1 << 20));
    if (Kind == format::BinariesPart && Payload + 8 <= End)
      Set(Payload, ProfileChecksum);
    if (Kind == format::WindowsPart &&
        Payload + sizeof(format::TouchPartHeader) <= End) {
      Set(Payload + offsetof(format::TouchPartHeader, Offset), Begin);
      Set(Payload + offsetof(format::TouchPartHeader, ProfileChecksum),
          ProfileChecksum);
    }
    Set(Begin + offsetof(Head, Checksum),
        partChecksum(StringRef(Result).slice(Begin, End)));
  }
  return Result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  const uint64_t Checksum = read(Bytes);
  if (const std::string Again = repaired(Bytes, Checksum); !Again.empty())
    read(Again);
  return 0;
}
