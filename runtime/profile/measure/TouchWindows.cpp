//===- profile/measure/TouchWindows.cpp - When memory is touched ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchWindows.h"

using namespace thermocline::runtime;

void TouchWindows::restart() {
  Size = 0;
  for (PhaseState &P : Phases)
    P = {};
  NeedsBaseline = true;
}

void TouchWindows::begin(unsigned Phase) {
  if (uint64_t &TargetUs = Phases[Phase].TargetUs; !TargetUs)
    TargetUs = FirstLengthUs;
}

bool TouchWindows::continuesWith(unsigned Phase, uint64_t PieceUs) const {
  const PhaseState &P = Phases[Phase];
  return P.NumWindows &&
         (PieceUs < LeastUs || Windows[P.Last].LengthUs < P.TargetUs / 2);
}

//===-- Scans -------------------------------------------------------------===//

void TouchWindows::beginBaseline() {
  Kind = Baseline;
  NeedsBaseline = false;
}

void TouchWindows::beginBurst(unsigned Phase) {
  Kind = BurstBegin;
  Present = continuesWith(Phase, LeastUs) ? Phases[Phase].Last : Size;
}

void TouchWindows::endWindow(const Window &Piece) {
  Kind = WindowEnd;
  PhaseState &P = Phases[Piece.Phase];
  Continues = continuesWith(Piece.Phase, Piece.LengthUs);
  Present = Continues ? P.Last : Size;
  if (Continues) {
    Windows[Present].LengthUs += Piece.LengthUs;
    Windows[Present].BurstUs = Piece.BurstUs;
  } else {
    ++Size;
    Windows[Present] = Piece;
    unsigned FirstGroup = 0;
    if (const Slot *Before = Present ? &Slots[Present - 1] : nullptr)
      FirstGroup = Before->FirstGroup + numTouchGroups(Before->Number);
    Slots[Present] = {P.NumWindows++, FirstGroup};
    P.Last = Present;
  }
  HasBurst = Windows[Present].BurstUs != 0;
  findGroups();
  planPairing();
}

/// Finds the groups that end with the present window: it alone, and for each
/// bit of its number, from the lowest on, all from the number without this and
/// lower bits on.
void TouchWindows::findGroups() {
  const unsigned Last = Slots[Present].Number;
  NumGroups = 0;
  GroupsBegin = Slots[Present].FirstGroup;
  for (unsigned First = Last;; First &= First - 1) {
    uint32_t Group = 0;
    for (unsigned I = 0; I <= Present; ++I)
      if (Windows[I].Phase == Windows[Present].Phase &&
          Slots[I].Number >= First)
        Group |= uint32_t(1) << I;
    Groups[NumGroups++] = Group;
    if (!First)
      return;
  }
}

void TouchWindows::forget(TouchTable &Table) const {
  Table.Live[Present] = 0;
  Table.LiveBytes[Present] = 0;
  Table.InBurst[Present] = 0;
  Table.Far[Present] = 0;
  Table.FarInBurst[Present] = 0;
  Table.BornInBurst[Present] = 0;
  Table.AmongBorn[Present] = 0;
  Table.AmongBornInBurst[Present] = 0;
  for (unsigned I = 0; I != NumGroups; ++I) {
    Table.Touched[Slots[Present].FirstGroup + I] = 0;
    Table.Born[Slots[Present].FirstGroup + I] = 0;
  }
}

void TouchWindows::endScan() {
  if (Kind == WindowEnd && isPaired())
    pairWindows();
}

//===-- Pairing -----------------------------------------------------------===//

/// Windows with an even number, of the phase whose windows are paired, become
/// part of the next one. The last one may have no next one, and stays as it is.
void TouchWindows::planPairing() {
  Paired = NoPhase;
  if (Size != MaxWindows)
    return;
  Paired = 0;
  for (unsigned I = 1; I != MaxPhases; ++I)
    if (Phases[I].NumWindows > Phases[Paired].NumWindows)
      Paired = I;
  NumOrigins = 0;
  uint32_t Earlier = 0;
  for (unsigned I = 0; I != Size; ++I) {
    OldFirstGroups[I] = Slots[I].FirstGroup;
    const uint32_t Bit = uint32_t(1) << I;
    const unsigned Number = Slots[I].Number;
    if (Windows[I].Phase != Paired) {
      Origins[NumOrigins++] = {I, 0, Bit};
    } else if (Number % 2 == 0 && Number + 1 != Phases[Paired].NumWindows) {
      Earlier = Bit;
    } else {
      Origins[NumOrigins++] = {I, Number % 2, Bit | Earlier};
      Earlier = 0;
    }
  }
}

void TouchWindows::pairWindows() {
  uint64_t EarlierUs = 0;
  unsigned FirstGroup = 0;
  for (unsigned I = 0, To = 0; I != Size; ++I) {
    const Window W = Windows[I];
    if (Origins[To].Window != I) {
      EarlierUs = W.LengthUs;
      continue;
    }
    Windows[To] = W;
    Slots[To].Number = Slots[I].Number;
    if (W.Phase == Paired) {
      Windows[To].LengthUs += EarlierUs;
      Slots[To].Number /= 2;
      EarlierUs = 0;
    }
    Slots[To].FirstGroup = FirstGroup;
    FirstGroup += numTouchGroups(Slots[To].Number);
    Phases[W.Phase].NumWindows = Slots[To].Number + 1;
    Phases[W.Phase].Last = To;
    ++To;
  }
  Size = NumOrigins;
  Phases[Paired].TargetUs *= 2;
}

static uint64_t Less(uint64_t A, uint64_t B) { return A < B ? A : B; }

/// How many of the units that lived at the end of the later of two windows lay
/// where nothing was touched in both. If the windows touched other units, they
/// are taken to have touched other places as well: there are the more of them,
/// the more of what one touched the other did not.
uint32_t TouchWindows::farOfPair(const TouchTable &Table,
                                 const Origin &O) const {
  const unsigned Later = O.Window;
  const uint32_t Others = O.Windows & ~(uint32_t(1) << Later);
  if (!Others)
    return Table.Far[Later];
  const auto Earlier = static_cast<unsigned>(__builtin_ctz(Others));
  const uint64_t Live = Table.Live[Later];
  const uint64_t Near1 = Less(Table.Live[Earlier] - Table.Far[Earlier], Live);
  const uint64_t Near2 = Live - Table.Far[Later];
  auto TouchedAgain = [&](unsigned Group) {
    return uint64_t(Table.Touched[Group] - Table.Born[Group]);
  };
  const uint64_t Touched1 = Less(TouchedAgain(OldFirstGroups[Earlier]), Live);
  const uint64_t Touched2 = TouchedAgain(OldFirstGroups[Later]);
  const uint64_t Both = TouchedAgain(OldFirstGroups[Later] + 1);
  const uint64_t Most = Touched1 + Touched2 - Less(Touched1, Touched2);
  uint64_t Near = Near1 + Near2 - Less(Near1, Near2);
  if (const uint64_t Least = Less(Touched1, Touched2); Least && Both > Most)
    Near += Less(Near1, Near2) * Less(Both - Most, Least) / Least;
  if (Near < Both)
    Near = Both;
  return static_cast<uint32_t>(Live - Less(Near, Live));
}

/// How many units lay among those that were born in either of two windows, and
/// were in neither. What was born in one is taken to lie elsewhere than what
/// was born in the other.
uint32_t TouchWindows::amongBornOfPair(const TouchTable &Table,
                                       const Origin &O) const {
  const unsigned Later = O.Window;
  const uint32_t Others = O.Windows & ~(uint32_t(1) << Later);
  if (!Others)
    return Table.AmongBorn[Later];
  const auto Earlier = static_cast<unsigned>(__builtin_ctz(Others));
  const uint64_t Born = Table.Born[OldFirstGroups[Later] + 1];
  return static_cast<uint32_t>(
      Less(uint64_t(Table.AmongBorn[Earlier]) + Table.AmongBorn[Later],
           Table.Live[Later] - Born));
}

void TouchWindows::pair(TouchTable &Table) const {
  // Made of what is overwritten below.
  uint32_t Far[MaxWindows], AmongBorn[MaxWindows];
  for (unsigned I = 0; I != Size; ++I) {
    Far[I] = farOfPair(Table, Origins[I]);
    AmongBorn[I] = amongBornOfPair(Table, Origins[I]);
  }
  for (unsigned I = 0; I != Size; ++I) {
    const Origin &O = Origins[I];
    Table.Far[I] = Far[I];
    Table.FarInBurst[I] = Table.FarInBurst[O.Window];
    Table.Live[I] = Table.Live[O.Window];
    Table.LiveBytes[I] = Table.LiveBytes[O.Window];
    Table.InBurst[I] = Table.InBurst[O.Window];
    Table.BornInBurst[I] = Table.BornInBurst[O.Window];
    Table.AmongBorn[I] = AmongBorn[I];
    Table.AmongBornInBurst[I] = Table.AmongBornInBurst[O.Window];
    // Groups only move to the front.
    const unsigned To = Slots[I].FirstGroup;
    const unsigned From = OldFirstGroups[O.Window] + O.SkippedGroups;
    for (unsigned J = 0; J != numTouchGroups(Slots[I].Number); ++J) {
      Table.Touched[To + J] = Table.Touched[From + J];
      Table.Born[To + J] = Table.Born[From + J];
    }
  }
  for (unsigned I = Size; I != MaxWindows; ++I) {
    Table.Live[I] = 0, Table.LiveBytes[I] = 0, Table.InBurst[I] = 0;
    Table.Far[I] = 0, Table.FarInBurst[I] = 0;
    Table.BornInBurst[I] = 0;
    Table.AmongBorn[I] = 0, Table.AmongBornInBurst[I] = 0;
  }
  const Slot &Last = Slots[Size - 1];
  for (unsigned I = Last.FirstGroup + numTouchGroups(Last.Number);
       I != TouchTable::MaxGroups; ++I)
    Table.Touched[I] = 0, Table.Born[I] = 0;
}
