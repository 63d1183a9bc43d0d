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

#include "thermocline/Format/BinaryTrailer.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Format/DataTypes.h"
#include "thermocline/Format/TouchTrailer.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
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
        W.Far > W.Live - W.Touched || W.FarInBurst > W.Live - W.TouchedInBurst)
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
        Expected<std::optional<placement::PlacedContext>> Decision =
            P.decision(C.FullStackId);
        if (!Decision)
          check(toString(Decision.takeError()));
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
  if (Expected<DataAccesses> StaticData = P.dataAccesses(); !StaticData)
    check(toString(StaticData.takeError()));
  if (Expected<DataTypes> Types = P.types(); !Types)
    check(toString(Types.takeError()));
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

/// \p Bytes with right checksums in its trailer of binaries, at the end or in
/// front of a table of calls; none if it has none.
static std::string repairedBinaries(StringRef Bytes, uint64_t ProfileChecksum) {
  using Head = format::BinaryTrailerHeader;
  using Foot = format::BinaryTrailerFooter;
  const size_t End = CallTable::before(Bytes).size();
  if (End < sizeof(Head) + sizeof(Foot))
    return "";
  const uint64_t NumBytes =
      support::endian::read64le(Bytes.data() + End - sizeof(Foot));
  if (NumBytes < sizeof(Head) + sizeof(Foot) || NumBytes > End)
    return "";
  std::string Result = Bytes.str();
  char *Begin = Result.data() + End - NumBytes;
  support::endian::write64le(Begin + offsetof(Head, ProfileChecksum),
                             ProfileChecksum);
  const StringRef Checked(Begin + offsetof(Head, ProfileChecksum),
                          NumBytes - offsetof(Head, ProfileChecksum) -
                              sizeof(Foot));
  support::endian::write64le(Begin + offsetof(Head, Checksum),
                             xxh3_64bits(Checked));
  return Result;
}

/// \p Bytes with right checksums in its trailer, as far as its sizes are; none
/// if it has no trailer.
static std::string repaired(StringRef Bytes, uint64_t ProfileChecksum) {
  using Head = format::TouchTrailerHeader;
  if (Bytes.size() < sizeof(Head) + sizeof(format::TouchTrailerFooter))
    return "";
  const uint64_t NumBytes =
      support::endian::read64le(Bytes.end() - sizeof(uint64_t) * 2);
  if (NumBytes < sizeof(Head) || NumBytes > Bytes.size())
    return "";
  std::string Result = Bytes.str();
  const uint64_t Begin = Bytes.size() - NumBytes;
  auto Get = [&](size_t Field) {
    return support::endian::read64le(Result.data() + Begin + Field);
  };
  auto Set = [&](size_t Field, uint64_t Value) {
    support::endian::write64le(Result.data() + Begin + Field, Value);
  };
  uint64_t At = Begin + sizeof(Head);
  auto Part = [&](uint64_t Size) {
    StringRef Taken = StringRef(Result).substr(At, Size);
    At = alignTo(At + Taken.size(), sizeof(uint64_t));
    return Taken;
  };
  Set(offsetof(Head, Offset), Begin);
  Set(offsetof(Head, ProfileChecksum), ProfileChecksum);
  const StringRef Phases = Part(Get(offsetof(Head, PhaseBytes)));
  const uint64_t NumContexts =
      std::min<uint64_t>(Get(offsetof(Head, NumContexts)), Bytes.size());
  Set(offsetof(Head, TableChecksum),
      xxh3_64bits(Part(NumContexts * 12 + divideCeil(NumContexts, 8))));
  Set(offsetof(Head, TouchChecksum),
      xxh3_64bits(Part(Get(offsetof(Head, PackedBytes)))));
  const char *From = Result.data() + Begin + offsetof(Head, Offset);
  Set(offsetof(Head, Checksum),
      xxh3_64bits(StringRef(From, Phases.end() - From)));
  return Result;
}

/// Mends the checksum of the part \p Begin, of \p NumBytes.
static void repairPacked(char *Begin, uint64_t NumBytes) {
  using Head = format::CallTrailerHeader;
  const uint64_t PackedBytes =
      support::endian::read64le(Begin + offsetof(Head, PackedBytes));
  // No memory for what no profile has.
  const uint64_t Unpacked =
      support::endian::read64le(Begin + offsetof(Head, Bytes));
  support::endian::write64le(Begin + offsetof(Head, Bytes),
                             std::min<uint64_t>(Unpacked, 1 << 20));
  const StringRef Payload =
      StringRef(Begin + sizeof(Head), NumBytes - sizeof(Head))
          .take_front(PackedBytes);
  support::endian::write64le(Begin + offsetof(Head, Checksum),
                             xxh3_64bits(Payload));
}

/// \p Bytes with right checksums in its tables of calls and of types, also in
/// front of other parts; none if it has neither.
static std::string repairedTables(StringRef Bytes, uint64_t) {
  using Head = format::CallTrailerHeader;
  using Foot = format::CallTrailerFooter;
  std::string Result = Bytes.str();
  bool HasAny = false;
  for (size_t End = Result.size(); End >= sizeof(Head) + sizeof(Foot);) {
    const char *FootAt = Result.data() + End - sizeof(Foot);
    const uint64_t NumBytes = support::endian::read64le(FootAt);
    if (NumBytes < sizeof(Head) + sizeof(Foot) || NumBytes > End)
      break;
    const uint64_t Magic = support::endian::read64le(FootAt + sizeof(uint64_t));
    End -= NumBytes;
    if (Magic != format::CallTrailerEnd && Magic != format::TypeTrailerEnd)
      continue;
    repairPacked(Result.data() + End, NumBytes);
    HasAny = true;
  }
  return HasAny ? Result : "";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  const uint64_t Checksum = read(Bytes);
  for (auto *Repair : {repaired, repairedBinaries, repairedTables}) {
    const std::string Again = Repair(Bytes, Checksum);
    if (Again.empty())
      continue;
    read(Again);
    // Tables are in front of other parts.
    if (const std::string Tables = repairedTables(Again, Checksum);
        !Tables.empty())
      read(Tables);
  }
  return 0;
}
