//===- Profile/Indexed/OrderPart.cpp - Order in a file --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderPart.h"
#include "../ProfileParts.h"
#include "thermocline/Format/TouchPart.h"
#include "thermocline/Profile/TouchWindows.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/DataExtractor.h"
#include <map>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;

static constexpr PartForm Order = {format::OrderPart, format::OrderPartVersion,
                                   "part of order", Compress::Best};

/// Calls \p Do for each number of \p C that is no count of bursts.
template <typename Counts, typename Function>
static void forEachNumber(Counts &C, Function Do) {
  for (auto *Each : {&C.InOrder, &C.ByClass}) {
    Do(Each->Touches);
    Do(Each->Pages);
    Do(Each->Pairs);
  }
  Do(C.Replacing);
  Do(C.TouchedAgain);
}

void profile::appendOrder(std::string &File, const OrderData &Data) {
  std::string Payload;
  putWord(Payload, Data.Counts.size());
  for (const auto &[Phase, Counts] : Data.Counts) {
    putWord(Payload, Counts.Bursts);
    forEachNumber(Counts, [&](double Number) {
      putWord(Payload, bit_cast<uint64_t>(Number));
    });
    putCounted(Payload, Phase);
  }
  std::set<uint64_t> Ids;
  for (const BurstLayout &Burst : Data.Bursts)
    for (const LayoutStretch &S : Burst.Stretches)
      for (const LayoutRun &Run : S.Runs)
        Ids.insert(Run.Context);
  putCounted(Payload, Ids);
  std::map<uint64_t, uint64_t> NumberOf;
  for (uint64_t Id : Ids)
    NumberOf.try_emplace(Id, NumberOf.size());
  SmallString<0> Bursts;
  for (const BurstLayout &Burst : Data.Bursts)
    encodeStretches(
        Burst.Stretches, [&](uint64_t Id) { return NumberOf.at(Id); }, Bursts);
  Payload += Bursts;
  appendPart(File, Order, Payload);
}

/// Reads the counts. \returns false if they are damaged.
static bool readCounts(WordReader &Words, OrderCountsByPhase &Result) {
  const std::optional<uint64_t> NumPhases = Words.number();
  for (uint64_t I = 0; NumPhases && I != *NumPhases; ++I) {
    OrderCounts C;
    const std::optional<uint64_t> Bursts = Words.number();
    bool Sane = Bursts && *Bursts <= MostBurstsKept;
    C.Bursts = Bursts.value_or(0);
    forEachNumber(C, [&](double &Number) {
      const std::optional<uint64_t> Bits = Words.number();
      Number = Bits ? bit_cast<double>(*Bits) : -1;
      Sane &= Number >= 0 && Number <= static_cast<double>(MaxTouchNumber);
    });
    const std::optional<StringRef> Name = Words.countedText();
    if (!Sane || !Name ||
        (!Result.empty() && Result.rbegin()->first >= Name->str()))
      return false;
    Result[Name->str()] = C;
  }
  return NumPhases.has_value();
}

/// Reads contexts and bursts. \returns what is wrong with them, or nothing.
static StringRef readBursts(WordReader &Words, OrderData &Result) {
  std::set<uint64_t> Read;
  if (!Words.countedNumbers(Read))
    return "its contexts are damaged";
  const std::vector<uint64_t> Ids(Read.begin(), Read.end());
  const DataExtractor Data(Words.rest(), /*IsLittleEndian=*/true,
                           /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  StringRef What;
  for (const auto &[Phase, Counts] : Result.Counts)
    for (uint64_t I = 0; What.empty() && Cursor && I != Counts.Bursts; ++I) {
      BurstLayout &Burst = Result.Bursts.emplace_back();
      Burst.Phase = Phase;
      What = decodeStretches(Data, Cursor, Burst.Stretches);
      for (LayoutStretch &S : Burst.Stretches)
        for (LayoutRun &Run : S.Runs) {
          if (Run.Context >= Ids.size())
            What = "has a context that is not in its table";
          else
            Run.Context = Ids[Run.Context];
        }
    }
  if (What.empty() && (!Cursor || Cursor.tell() != Words.rest().size()))
    What = "its bursts do not fill it";
  consumeError(Cursor.takeError());
  return What;
}

Expected<OrderData> profile::readOrder(StringRef Contents, bool WithBursts) {
  auto Read = readPart(Contents, Order);
  if (!Read)
    return Read.takeError();
  OrderData Result;
  if (!*Read)
    return Result;
  WordReader Words((*Read)->bytes());
  if (!readCounts(Words, Result.Counts))
    return malformedPart(Order, "its phases are damaged");
  if (StringRef What = WithBursts ? readBursts(Words, Result) : "";
      !What.empty())
    return malformedPart(Order, What);
  return Result;
}
