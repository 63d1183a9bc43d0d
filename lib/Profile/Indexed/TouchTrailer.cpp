//===- Profile/Indexed/TouchTrailer.cpp - Touches in a file ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchTrailer.h"
#include "Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::TouchTrailerHeader;
using Foot = format::TouchTrailerFooter;

/// Where what the header's checksum is of begins.
static constexpr uint64_t CheckedFrom = offsetof(Head, Offset);
/// A phase has so many numbers in front of its name.
static constexpr uint64_t NumbersOfPhase = 6;

static Error malformed(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           "trailer of windows: " + Message);
}

/// An id, a benefit and a bit for each context.
static uint64_t tableSize(uint64_t NumContexts) {
  return NumContexts * (sizeof(uint64_t) + sizeof(float)) +
         divideCeil(NumContexts, 8);
}

/// The most bytes that the touches of a context may take: two kinds of units,
/// each with five numbers and five a bin, which have ten bytes at most.
static uint64_t mostTouchBytes(const TouchGrid &Grid) {
  return 2 * 10 * (5 + 5 * Grid.numBins());
}

/// Calls \p Do for each number of \p P that is written.
template <typename Phase, typename Function>
static void forEachNumber(Phase &P, Function Do) {
  Do(P.Runs);
  Do(P.Windows);
  Do(P.WindowUs);
  Do(P.Bursts);
  Do(P.BurstUs);
}

/// Calls \p Do for each number of \p P, in the order of the header.
template <typename Prediction, typename Function>
static void forEachPredicted(Prediction &P, Function Do) {
  Do(P.AtBurst.Before);
  Do(P.AtBurst.After);
  Do(P.AtWindow.Before);
  Do(P.AtWindow.After);
  Do(P.SmallBytes);
  Do(P.LiveBytes);
}

//===-- Writing -----------------------------------------------------------===//

static std::string encodePhases(const TouchGrid &Grid) {
  std::string Result;
  for (const TouchPhase &P : Grid.Phases) {
    forEachNumber(P, [&](uint64_t Number) { putWord(Result, Number); });
    putWord(Result, P.Name.size());
    Result += P.Name;
  }
  return Result;
}

/// Only nonsense is cut.
static double sane(double Bytes) {
  return std::clamp(Bytes, 0.0, placement::MostPredicted);
}

static std::string encodeTable(ArrayRef<uint64_t> Ids,
                               const placement::Placement &Placed) {
  std::string Result;
  for (uint64_t Id : Ids)
    putWord(Result, Id);
  for (const placement::PlacedContext &C : Placed.Contexts) {
    char Bytes[sizeof(float)];
    support::endian::write32le(
        Bytes, bit_cast<uint32_t>(static_cast<float>(sane(C.Benefit))));
    Result.append(Bytes, sizeof(Bytes));
  }
  for (auto [I, C] : enumerate(Placed.Contexts)) {
    if (I % 8 == 0)
      Result += '\0';
    Result.back() |= static_cast<char>(C.Cold << (I % 8));
  }
  return Result;
}

/// \returns the number of \p Phase, counted from 1, or 0 if it is empty.
static uint64_t numberOf(StringRef Phase, const TouchGrid &Grid) {
  if (Phase.empty())
    return 0;
  const auto Found = find_if(
      Grid.Phases, [&](const TouchPhase &P) { return P.Name == Phase; });
  return static_cast<uint64_t>(Found - Grid.Phases.begin()) + 1;
}

void profile::appendTouchTrailer(std::string &File, uint64_t ProfileChecksum,
                                 const TouchesById &All,
                                 const placement::PlacementOptions &Options,
                                 const placement::Placement &Placed) {
  padToWord(File);
  const std::string Phases = encodePhases(All.Touches.Grid);
  const std::string Table = encodeTable(All.Ids, Placed);
  SmallString<0> Touches;
  for (const ContextTouches &C : All.Touches.Contexts) {
    for (const UnitTouches *Units : {&C.Objects, &C.Pages}) {
      encodeUnitTouches(*Units, Touches);
      if (Units->empty())
        continue;
      raw_svector_ostream OS(Touches);
      encodeULEB128(Units->Estimated, OS);
    }
  }
  StringRef Packed = Touches;
  SmallVector<uint8_t, 0> Compressed;
  if (compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Touches), Compressed,
                                compression::zstd::BestSizeCompression);
    if (Compressed.size() < Touches.size())
      Packed = toStringRef(Compressed);
  }

  std::vector<uint64_t> Fields = {File.size(),
                                  ProfileChecksum,
                                  All.Touches.Grid.Phases.size(),
                                  Phases.size(),
                                  All.Ids.size(),
                                  xxh3_64bits(Table),
                                  Packed.size(),
                                  Touches.size(),
                                  xxh3_64bits(Packed),
                                  static_cast<uint64_t>(Placed.Predicted.Goal),
                                  Options.PageBytes,
                                  numberOf(Options.Phase, All.Touches.Grid)};
  forEachPredicted(Placed.Predicted, [&](double Number) {
    Fields.push_back(bit_cast<uint64_t>(sane(Number)));
  });
  std::string Checked;
  for (uint64_t Field : Fields)
    putWord(Checked, Field);
  Checked += Phases;

  const uint64_t Begin = File.size();
  putWord(File, format::TouchTrailerMagic);
  putWord(File, format::TouchTrailerVersion);
  putWord(File, xxh3_64bits(Checked));
  for (StringRef Part : {StringRef(Checked), StringRef(Table), Packed}) {
    File += Part;
    padToWord(File);
  }
  putWord(File, File.size() - Begin + sizeof(Foot));
  putWord(File, format::TouchTrailerEnd);
}

//===-- Reading -----------------------------------------------------------===//

bool TouchTrailer::isCutOff(StringRef Contents) {
  char Magic[WordSize];
  support::endian::write64le(Magic, format::TouchTrailerMagic);
  return Contents.contains(StringRef(Magic, WordSize));
}

Error TouchTrailer::readPhases(StringRef Bytes) {
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor At(0);
  bool Sane = true;
  for (uint64_t I = 0; I != Header.NumPhases && At; ++I) {
    TouchPhase P;
    forEachNumber(P, [&](uint64_t &Number) {
      Number = Data.getU64(At);
      Sane &= Number <= MaxTouchNumber;
    });
    P.Name = Data.getBytes(At, Data.getU64(At)).str();
    Sane &= Grid.Phases.empty() || Grid.Phases.back().Name < P.Name;
    Grid.Phases.push_back(std::move(P));
  }
  Sane &= At && At.tell() == Bytes.size();
  consumeError(At.takeError());
  return Sane ? Error::success() : malformed("its phases are damaged");
}

Expected<std::unique_ptr<TouchTrailer>> TouchTrailer::open(StringRef Contents) {
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  if (Contents.size() < sizeof(Foot))
    return nullptr;
  uint64_t FootAt = Contents.size() - sizeof(Foot);
  const uint64_t NumBytes = Data.getU64(&FootAt);
  if (Data.getU64(&FootAt) != format::TouchTrailerEnd)
    return nullptr;
  if (NumBytes > Contents.size() || NumBytes < sizeof(Head) + sizeof(Foot))
    return malformed("it cannot have " + Twine(NumBytes) + " bytes");
  const uint64_t Begin = Contents.size() - NumBytes;
  const uint64_t End = Contents.size() - sizeof(Foot);

  uint64_t At = Begin;
  auto Result = std::make_unique<TouchTrailer>();
  Head &H = Result->Header;
  H.Magic = Data.getU64(&At);
  H.Version = Data.getU64(&At);
  if (H.Magic != format::TouchTrailerMagic)
    return malformed("it does not begin where its end says");
  if (H.Version != format::TouchTrailerVersion)
    return malformed("version " + Twine(H.Version) + " is not supported (" +
                     Twine(format::TouchTrailerVersion) + " is)");
  for (uint64_t *Field :
       {&H.Checksum, &H.Offset, &H.ProfileChecksum, &H.NumPhases, &H.PhaseBytes,
        &H.NumContexts, &H.TableChecksum, &H.PackedBytes, &H.TouchBytes,
        &H.TouchChecksum, &H.Goal, &H.PageBytes, &H.Phase})
    *Field = Data.getU64(&At);
  forEachPredicted(Result->Predicted, [&](double &Number) {
    Number = bit_cast<double>(Data.getU64(&At));
  });

  // Each part ends at a multiple of a word, and the last one at the foot.
  auto Room = [&] { return At <= End ? End - At : 0; };
  auto Take = [&](uint64_t Size) {
    StringRef Part = Contents.substr(At, Size);
    At = alignTo(At + Size, WordSize);
    return Part;
  };
  if (H.PhaseBytes > Room() || H.NumPhases > MaxGridPhases ||
      H.NumPhases > H.PhaseBytes / (NumbersOfPhase * WordSize))
    return malformed("the size of its phases is damaged");
  if (xxh3_64bits(Contents.slice(Begin + CheckedFrom, At + H.PhaseBytes)) !=
      H.Checksum)
    return malformed("the checksum of its head is wrong");
  if (H.Offset != Begin)
    return malformed("it does not belong to this profile");
  if (Error E = Result->readPhases(Take(H.PhaseBytes)))
    return std::move(E);
  if (H.Goal > static_cast<uint64_t>(placement::Horizon::Window) ||
      H.PageBytes == 0 || H.Phase > Result->Grid.Phases.size())
    return malformed("what it was decided for is damaged");
  Result->Predicted.Goal = static_cast<placement::Horizon>(H.Goal);
  bool Sane = true;
  forEachPredicted(Result->Predicted, [&](double Number) {
    Sane &= placement::isPredictable(Number);
  });
  if (!Sane)
    return malformed("a predicted working set is no number of bytes");
  if (H.NumContexts > Room() / (WordSize + sizeof(float)) ||
      tableSize(H.NumContexts) > Room())
    return malformed("the number of its contexts is damaged");
  Result->Table = Take(tableSize(H.NumContexts));
  if (H.PackedBytes > Room() || H.TouchBytes < H.PackedBytes ||
      H.TouchBytes > H.NumContexts * mostTouchBytes(Result->Grid))
    return malformed("the size of its touches is damaged");
  Result->Packed = Take(H.PackedBytes);
  if (At != End)
    return malformed("its parts do not fill it");
  return Result;
}

placement::PlacementOptions TouchTrailer::decidedFor() const {
  placement::PlacementOptions Result;
  Result.Goal = Predicted.Goal;
  Result.PageBytes = Header.PageBytes;
  if (Header.Phase)
    Result.Phase = Grid.Phases[Header.Phase - 1].Name;
  return Result;
}

uint64_t TouchTrailer::id(uint64_t Index) const {
  return support::endian::read64le(Table.data() + Index * WordSize);
}

double TouchTrailer::benefit(uint64_t Index) const {
  const char *Benefits = Table.data() + Header.NumContexts * WordSize;
  return bit_cast<float>(
      support::endian::read32le(Benefits + Index * sizeof(float)));
}

Error TouchTrailer::checkTable() const {
  if (TableIsChecked)
    return Error::success();
  if (xxh3_64bits(Table) != Header.TableChecksum)
    return malformed("the checksum of its table is wrong");
  for (uint64_t I = 0; I != Header.NumContexts; ++I)
    if (!placement::isPredictable(benefit(I)))
      return malformed("the benefit of context 0x" +
                       utohexstr(id(I), /*LowerCase=*/true) +
                       " is no number of bytes");
  TableIsChecked = true;
  return Error::success();
}

Expected<std::optional<placement::PlacedContext>>
TouchTrailer::decision(uint64_t Id) const {
  if (Error E = checkTable())
    return std::move(E);
  const auto Numbers = seq<uint64_t>(0, Header.NumContexts);
  const uint64_t Index =
      *partition_point(Numbers, [&](uint64_t I) { return id(I) < Id; });
  if (Index == Header.NumContexts || id(Index) != Id)
    return std::nullopt;
  const char *ColdBits =
      Table.data() + Header.NumContexts * (WordSize + sizeof(float));
  placement::PlacedContext Result;
  Result.Cold = ColdBits[Index / 8] >> (Index % 8) & 1;
  Result.Benefit = benefit(Index);
  return Result;
}

Expected<TouchesById> TouchTrailer::touches() const {
  if (Error E = checkTable())
    return std::move(E);
  if (xxh3_64bits(Packed) != Header.TouchChecksum)
    return malformed("the checksum of its touches is wrong");
  StringRef Bytes = Packed;
  SmallVector<uint8_t, 0> Unpacked;
  if (Header.TouchBytes != Header.PackedBytes) {
    if (!compression::zstd::isAvailable())
      return malformed("LLVM was built without zstd");
    Error E = compression::zstd::decompress(arrayRefFromStringRef(Packed),
                                            Unpacked, Header.TouchBytes);
    if (E || Unpacked.size() != Header.TouchBytes) {
      consumeError(std::move(E));
      return malformed("its touches cannot be decompressed");
    }
    Bytes = toStringRef(Unpacked);
  }
  TouchesById Result;
  Result.Touches.Grid = Grid;
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor At(0);
  for (uint64_t I = 0; I != Header.NumContexts; ++I) {
    auto Bad = [&](StringRef What) {
      consumeError(At.takeError());
      return malformed("context 0x" + utohexstr(id(I), /*LowerCase=*/true) +
                       " " + What);
    };
    if (I && id(I - 1) >= id(I))
      return Bad("is not in order");
    ContextTouches &C = Result.Touches.Contexts.emplace_back();
    for (UnitTouches *Units : {&C.Objects, &C.Pages}) {
      StringRef What = decodeUnitTouches(Data, At, Grid.numBins(),
                                         TouchForm::WithFar, *Units);
      if (At && What.empty() && !Units->empty()) {
        Units->Estimated = Data.getULEB128(At);
        if (Units->Estimated && Units->Estimated >= Units->live())
          What = "has more estimated units than there were";
      }
      if (!At)
        What = "reaches past the end";
      if (!What.empty())
        return Bad(What);
    }
    Result.Ids.push_back(id(I));
  }
  const uint64_t End = At.tell();
  consumeError(At.takeError());
  if (End != Bytes.size())
    return malformed("has " + Twine(Bytes.size() - End) + " bytes too many");
  return Result;
}
