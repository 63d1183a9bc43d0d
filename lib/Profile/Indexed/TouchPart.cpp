//===- Profile/Indexed/TouchPart.cpp - Touches in a file ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchPart.h"
#include "ProfileParts.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Support/Part.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

using Head = format::TouchPartHeader;

static constexpr PartForm Windows = {format::WindowsPart,
                                     format::WindowsPartVersion,
                                     "part of windows", Compress::No};
static constexpr PartForm Touches = {format::TouchesPart,
                                     format::TouchesPartVersion,
                                     "part of touches", Compress::Best};

/// A phase has so many numbers in front of its name.
static constexpr uint64_t NumbersOfPhase = 7;

static Error malformed(const Twine &Message) {
  return malformedPart(Windows, Message);
}

/// An id, a benefit and two bits for each context.
static uint64_t tableSize(uint64_t NumContexts) {
  return NumContexts * (sizeof(uint64_t) + sizeof(float)) +
         2 * divideCeil(NumContexts, 8);
}

/// The most bytes that the touches of a context may take: two kinds of units,
/// each with six numbers and eleven a bin, which have ten bytes at most.
static uint64_t mostTouchBytes(const TouchGrid &Grid) {
  return 2 * 10 * (6 + 11 * Grid.numBins());
}

/// Calls \p Do for each number of \p P that is written.
template <typename Phase, typename Function>
static void forEachNumber(Phase &P, Function Do) {
  Do(P.Runs);
  Do(P.Windows);
  Do(P.WindowUs);
  Do(P.Bursts);
  Do(P.BurstUs);
  Do(P.WatchedRuns);
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
  for (auto *Errors : {&P.AtBurst.Errors, &P.AtWindow.Errors}) {
    Do(Errors->Before);
    Do(Errors->After);
    Do(Errors->Saved);
    Do(Errors->SavedPart);
  }
}

//===-- Writing -----------------------------------------------------------===//

bool profile::pagesDecide(const TouchGrid &Grid,
                          const placement::Prediction &Predicted, bool AnyCold,
                          const placement::PlacementOptions &Options) {
  if (!Grid.isLongEnough())
    return false;
  return AnyCold || !Options.Phase.empty() || Grid.isWatched() ||
         !Predicted.atGoal().isExact() || Grid.isLongEnoughForNoGain("");
}

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
  for (bool placement::PlacedContext::*Bit :
       {&placement::PlacedContext::Cold, &placement::PlacedContext::TooFew})
    for (auto [I, C] : enumerate(Placed.Contexts)) {
      if (I % 8 == 0)
        Result += '\0';
      Result.back() |= static_cast<char>(C.*Bit << (I % 8));
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

static SmallString<0> encodeTouches(ArrayRef<ContextTouches> Contexts) {
  SmallString<0> Result;
  for (const ContextTouches &C : Contexts)
    for (const UnitTouches *Units : {&C.Objects, &C.Pages}) {
      encodeUnitTouches(*Units, Result);
      if (Units->empty())
        continue;
      raw_svector_ostream OS(Result);
      encodeULEB128(Units->Estimated, OS);
    }
  return Result;
}

void profile::appendTouches(std::string &File, uint64_t ProfileChecksum,
                            const TouchesById &All,
                            const placement::PlacementOptions &Options,
                            const placement::Placement &Placed) {
  appendPart(File, Touches, encodeTouches(All.Touches.Contexts));
  const std::string Phases = encodePhases(All.Touches.Grid);
  std::string Payload;
  for (uint64_t Field :
       {nextPart(File), ProfileChecksum,
        uint64_t(All.Touches.Grid.Phases.size()), uint64_t(Phases.size()),
        uint64_t(All.Ids.size()), static_cast<uint64_t>(Placed.Predicted.Goal),
        All.Touches.Grid.PageBytes, numberOf(Options.Phase, All.Touches.Grid)})
    putWord(Payload, Field);
  forEachPredicted(Placed.Predicted, [&](double Number) {
    putWord(Payload, bit_cast<uint64_t>(sane(Number)));
  });
  Payload += Phases;
  padToWord(Payload);
  Payload += encodeTable(All.Ids, Placed);
  appendPart(File, Windows, Payload);
}

//===-- Reading -----------------------------------------------------------===//

bool TouchPart::isCutOff(StringRef Contents) {
  return isPartCutOff(Contents, Windows) || isPartCutOff(Contents, Touches);
}

Error TouchPart::readPhases(StringRef Bytes) {
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  bool Sane = true;
  for (uint64_t I = 0; I != Header.NumPhases && Cursor; ++I) {
    TouchPhase P;
    forEachNumber(P, [&](uint64_t &Number) {
      Number = Data.getU64(Cursor);
      Sane &= Number <= MaxTouchNumber;
    });
    P.Name = Data.getBytes(Cursor, Data.getU64(Cursor)).str();
    Sane &= P.WatchedRuns <= P.Runs;
    Sane &= Grid.Phases.empty() || Grid.Phases.back().Name < P.Name;
    Grid.Phases.push_back(std::move(P));
  }
  Sane &= Cursor && Cursor.tell() == Bytes.size();
  consumeError(Cursor.takeError());
  return Sane ? Error::success() : malformed("its phases are damaged");
}

Expected<std::unique_ptr<TouchPart>> TouchPart::open(StringRef Contents) {
  auto Read = readPart(Contents, Windows);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return nullptr;
  const StringRef Payload = (*Read)->bytes();
  if (Payload.size() < sizeof(Head))
    return malformed("its head is damaged");

  uint64_t Offset = 0;
  auto Next = [&] {
    const uint64_t Field = wordAt(Payload, Offset);
    Offset += WordSize;
    return Field;
  };
  auto Result = std::make_unique<TouchPart>();
  Result->File = Contents;
  Head &H = Result->Header;
  for (uint64_t *Field :
       {&H.Offset, &H.ProfileChecksum, &H.NumPhases, &H.PhaseBytes,
        &H.NumContexts, &H.Goal, &H.PageBytes, &H.Phase})
    *Field = Next();
  forEachPredicted(Result->Predicted,
                   [&](double &Number) { Number = bit_cast<double>(Next()); });
  if (H.Offset + sizeof(format::PartHeader) !=
      static_cast<uint64_t>(Payload.begin() - Contents.begin()))
    return malformed("it does not belong to this profile");

  StringRef Rest = Payload.drop_front(Offset);
  if (H.PhaseBytes > Rest.size() || H.NumPhases > MaxGridPhases ||
      H.NumPhases > H.PhaseBytes / (NumbersOfPhase * WordSize))
    return malformed("the size of its phases is damaged");
  if (Error E = Result->readPhases(Rest.take_front(H.PhaseBytes)))
    return std::move(E);
  if (H.Goal > static_cast<uint64_t>(placement::Horizon::Window) ||
      !format::isTouchPageSize(H.PageBytes) ||
      H.Phase > Result->Grid.Phases.size())
    return malformed("what it was decided for is damaged");
  Result->Grid.PageBytes = H.PageBytes;
  Result->Predicted.Goal = static_cast<placement::Horizon>(H.Goal);
  bool Sane = true;
  forEachPredicted(Result->Predicted, [&](double Number) {
    Sane &= placement::isPredictable(Number);
  });
  if (!Sane)
    return malformed("a predicted working set is no number of bytes");
  Result->Table = Rest.drop_front(
      std::min<uint64_t>(alignTo(H.PhaseBytes, WordSize), Rest.size()));
  if (H.NumContexts > Result->Table.size() / (WordSize + sizeof(float)) ||
      tableSize(H.NumContexts) != Result->Table.size())
    return malformed("the number of its contexts is damaged");
  if (Error E = Result->checkBenefits())
    return std::move(E);
  return Result;
}

placement::PlacementOptions TouchPart::decidedFor() const {
  placement::PlacementOptions Result;
  Result.Goal = Predicted.Goal;
  if (Header.Phase)
    Result.Phase = Grid.Phases[Header.Phase - 1].Name;
  return Result;
}

uint64_t TouchPart::id(uint64_t Index) const {
  return support::endian::read64le(Table.data() + Index * WordSize);
}

double TouchPart::benefit(uint64_t Index) const {
  const char *Benefits = Table.data() + Header.NumContexts * WordSize;
  return bit_cast<float>(
      support::endian::read32le(Benefits + Index * sizeof(float)));
}

Error TouchPart::checkBenefits() const {
  for (uint64_t I = 0; I != Header.NumContexts; ++I)
    if (!placement::isPredictable(benefit(I)))
      return malformed("the benefit of context " + hexText(id(I)) +
                       " is no number of bytes");
  return Error::success();
}

std::optional<placement::PlacedContext> TouchPart::decision(uint64_t Id) const {
  const auto Numbers = seq<uint64_t>(0, Header.NumContexts);
  const uint64_t Index =
      *partition_point(Numbers, [&](uint64_t I) { return id(I) < Id; });
  if (Index == Header.NumContexts || id(Index) != Id)
    return std::nullopt;
  placement::PlacedContext Result;
  const size_t Byte = Index / 8, Bit = Index % 8;
  Result.Cold = coldBits()[Byte] >> Bit & 1;
  Result.TooFew = Table.take_back(coldBits().size())[Byte] >> Bit & 1;
  Result.Benefit = benefit(Index);
  return Result;
}

StringRef TouchPart::coldBits() const {
  return Table.drop_front(Header.NumContexts * (WordSize + sizeof(float)))
      .take_front(divideCeil(Header.NumContexts, 8));
}

bool TouchPart::anyCold() const {
  return any_of(coldBits(), [](char Bits) { return Bits != 0; });
}

Expected<TouchesById> TouchPart::touches(uint64_t ProfileChecksum) const {
  if (Error E = checkProfile(Header.ProfileChecksum, ProfileChecksum, Windows))
    return std::move(E);
  auto Read = readPart(File, Touches);
  if (!Read)
    return Read.takeError();
  if (!*Read)
    return malformedPart(Touches, "it is missing");
  const StringRef Bytes = (*Read)->bytes();
  if (Bytes.size() > Header.NumContexts * mostTouchBytes(Grid))
    return malformedPart(Touches, "its size is damaged");
  TouchesById Result;
  Result.Touches.Grid = Grid;
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  for (uint64_t I = 0; I != Header.NumContexts; ++I) {
    auto Bad = [&](StringRef What) {
      consumeError(Cursor.takeError());
      return malformedPart(Touches, "context " + hexText(id(I)) + " " + What);
    };
    if (I && id(I - 1) >= id(I))
      return Bad("is not in order");
    ContextTouches &C = Result.Touches.Contexts.emplace_back();
    for (UnitTouches *Units : {&C.Objects, &C.Pages}) {
      StringRef What = decodeUnitTouches(Data, Cursor, Grid.numBins(), *Units);
      if (Cursor && What.empty() && !Units->empty()) {
        Units->Estimated = Data.getULEB128(Cursor);
        if (Units->Estimated && Units->Estimated >= Units->live())
          What = "has more estimated units than there were";
      }
      if (!Cursor)
        What = "reaches past the end";
      if (!What.empty())
        return Bad(What);
    }
    Result.Ids.push_back(id(I));
  }
  const uint64_t End = Cursor.tell();
  consumeError(Cursor.takeError());
  if (End != Bytes.size())
    return malformedPart(Touches, "has " + Twine(Bytes.size() - End) +
                                      " bytes too many");
  return Result;
}
