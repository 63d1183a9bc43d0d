//===- Profile/Layouts.cpp - How small objects lay ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Layouts.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

/// A chunk has no more objects.
static constexpr uint64_t MostObjects = format::OrderChunkGranules;
static constexpr uint64_t MostGranules =
    format::MostOrderedBytes / format::OrderGranuleBytes;
/// An object of so many granules that begins in the middle of a piece.
static constexpr unsigned MostPieces = 17;

/// \returns what is wrong with the run at \p Cursor, or nothing.
static StringRef readRun(const DataExtractor &Data,
                         DataExtractor::Cursor &Cursor, LayoutRun &Run) {
  const uint64_t What = Data.getULEB128(Cursor);
  Run.Context = Data.getULEB128(Cursor);
  const uint64_t Granules = What / 8 + 1, State = What / 2 % 4;
  if (State > format::LayoutHole)
    return "has an unknown state";
  if (Granules > MostGranules)
    return "has objects that are too large";
  Run.State = State == format::LayoutHole      ? LayoutState::Hole
              : State == format::LayoutTouched ? LayoutState::Touched
                                               : LayoutState::Idle;
  Run.Granules = static_cast<uint8_t>(Granules);
  if (Run.State == LayoutState::Touched) {
    const uint64_t Pieces = Data.getULEB128(Cursor);
    Run.FirstBytes = Pieces % 2 ? 32 : 64;
    if (!Cursor || Pieces / 2 == 0 || Pieces / 2 >> MostPieces)
      return "was touched where it is not";
    Run.Pieces = static_cast<uint32_t>(Pieces / 2);
  }
  if (What % 2) {
    const uint64_t More = Data.getULEB128(Cursor);
    if (More >= MostObjects)
      return "has too many objects";
    Run.Count = static_cast<uint32_t>(More) + 2;
  }
  return "";
}

static StringRef readStretch(const DataExtractor &Data,
                             DataExtractor::Cursor &Cursor,
                             LayoutStretch &Stretch) {
  const uint64_t Head = Data.getULEB128(Cursor);
  Stretch.IsByClass = Head % 2;
  if (Head / 2 > MostObjects)
    return "has too many runs";
  uint64_t Objects = 0;
  for (uint64_t I = 0; Cursor && I != Head / 2; ++I) {
    LayoutRun Run;
    if (StringRef What = readRun(Data, Cursor, Run); !What.empty())
      return What;
    Objects += Run.Count;
    Stretch.Runs.push_back(Run);
  }
  return Objects > MostObjects ? "has too many objects" : "";
}

StringRef profile::decodeStretches(const DataExtractor &Data,
                                   DataExtractor::Cursor &Cursor,
                                   std::vector<LayoutStretch> &Result) {
  const uint64_t NumStretches = Data.getU8(Cursor);
  for (uint64_t I = 0; Cursor && I != NumStretches; ++I)
    if (StringRef What = readStretch(Data, Cursor, Result.emplace_back());
        !What.empty())
      return What;
  return "";
}

void profile::encodeStretches(const std::vector<LayoutStretch> &Stretches,
                              function_ref<uint64_t(uint64_t)> NumberOf,
                              SmallVectorImpl<char> &Encoded) {
  raw_svector_ostream OS(Encoded);
  OS << static_cast<char>(Stretches.size());
  for (const LayoutStretch &S : Stretches) {
    encodeULEB128(S.Runs.size() * 2 + S.IsByClass, OS);
    for (const LayoutRun &Run : S.Runs) {
      const auto State = static_cast<uint64_t>(
          Run.State == LayoutState::Hole      ? format::LayoutHole
          : Run.State == LayoutState::Touched ? format::LayoutTouched
                                              : format::LayoutIdle);
      encodeULEB128((Run.Granules - 1) * 8 + State * 2 + (Run.Count > 1), OS);
      encodeULEB128(NumberOf(Run.Context), OS);
      if (Run.State == LayoutState::Touched)
        encodeULEB128(uint64_t(Run.Pieces) * 2 + (Run.FirstBytes == 32), OS);
      if (Run.Count > 1)
        encodeULEB128(Run.Count - 2, OS);
    }
  }
}

void profile::keepSomeBursts(std::vector<BurstLayout> &Bursts) {
  using Key = std::pair<uint64_t, std::string>;
  std::map<std::string, std::map<Key, BurstLayout>> ByPhase;
  for (BurstLayout &Burst : Bursts) {
    SmallString<0> Bytes;
    encodeStretches(Burst.Stretches, [](uint64_t Id) { return Id; }, Bytes);
    std::map<Key, BurstLayout> &InPhase = ByPhase[Burst.Phase];
    InPhase.try_emplace({xxh3_64bits(Bytes), Bytes.str().str()},
                        std::move(Burst));
    if (InPhase.size() > MostBurstsKept)
      InPhase.erase(std::prev(InPhase.end()));
  }
  Bursts.clear();
  for (auto &[Phase, InPhase] : ByPhase)
    for (auto &[Hash, Burst] : InPhase)
      Bursts.push_back(std::move(Burst));
}

Error profile::decodeRawLayouts(StringRef Payload,
                                const std::vector<std::string> &Phases,
                                std::vector<BurstLayout> &Bursts,
                                function_ref<Error(const Twine &)> Fail) {
  const DataExtractor Data(Payload, /*IsLittleEndian=*/true,
                           /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  auto Bad = [&](const Twine &What) {
    consumeError(Cursor.takeError());
    return Fail(What);
  };
  const uint64_t NumWindows = Data.getULEB128(Cursor);
  if (!Cursor)
    return Bad("truncated");
  if (NumWindows != Phases.size())
    return Bad("is of " + Twine(NumWindows) + " windows of " +
               Twine(Phases.size()));
  for (uint64_t I = 0; I != NumWindows; ++I) {
    BurstLayout Burst;
    Burst.Phase = Phases[I];
    StringRef What = decodeStretches(Data, Cursor, Burst.Stretches);
    if (What.empty() && !Cursor)
      What = "reaches past its end";
    if (!What.empty())
      return Bad("window " + Twine(I) + " " + What);
    if (!Burst.Stretches.empty())
      Bursts.push_back(std::move(Burst));
  }
  if (Cursor.tell() != Payload.size())
    return Bad("has " + Twine(Payload.size() - Cursor.tell()) +
               " bytes too many");
  return Error::success();
}
