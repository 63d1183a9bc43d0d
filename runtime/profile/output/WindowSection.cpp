//===- profile/output/WindowSection.cpp - When memory was touched, encoded ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSection.h"
#include "platform/Text.h"

using namespace thermocline;
using namespace thermocline::runtime;

//===-- A record ----------------------------------------------------------===//

void EncodedTouches::change(uint64_t Old, uint64_t New) {
  if (Old != New)
    number(New > Old ? 2 * (New - Old) : 2 * (Old - New) - 1);
}

/// What is encoded of a window, in the order of format::WindowChange.
static constexpr unsigned NumNumbers = 10;
struct Numbers {
  uint64_t Values[NumNumbers];
};

static Numbers numbersOf(const TouchTable &T, const TouchWindows &Windows,
                         unsigned Window) {
  return {{T.Live[Window], T.LiveBytes[Window], Windows.touched(T, Window),
           T.InBurst[Window], T.Far[Window], T.FarInBurst[Window],
           Windows.born(T, Window), T.BornInBurst[Window], T.AmongBorn[Window],
           T.AmongBornInBurst[Window]}};
}

static bool areSame(const Numbers &A, const Numbers &B) {
  for (unsigned I = 0; I != NumNumbers; ++I)
    if (A.Values[I] != B.Values[I])
      return false;
  return true;
}

void EncodedTouches::table(const TouchTable *Table,
                           const TouchWindows &Windows) {
  unsigned First = 0;
  while (Table && First != Windows.size() && !Table->Live[First])
    ++First;
  if (!Table || First == Windows.size())
    return number(0);
  unsigned End = Windows.size();
  while (!Table->Live[End - 1])
    --End;
  number(End - First);
  number(First);
  number(Table->Granules);
  number(Table->TouchedGranules);
  number(Table->Variance);
  Numbers Old = {};
  for (unsigned I = First, Next; I != End; I = Next) {
    const Numbers New = numbersOf(*Table, Windows, I);
    Next = I + 1;
    while (Next != End && areSame(New, numbersOf(*Table, Windows, Next)))
      ++Next;
    uint64_t What = (Next - I - 1) * format::WindowRepeat;
    for (unsigned J = 0; J != NumNumbers; ++J)
      What += Old.Values[J] != New.Values[J] ? format::LiveChanged << J : 0;
    number(What);
    for (unsigned J = 0; J != NumNumbers; ++J)
      change(Old.Values[J], New.Values[J]);
    Old = New;
  }
}

EncodedTouches::EncodedTouches(const Contexts::TouchTables &Tables,
                               const TouchWindows &Windows) {
  table(Tables.Objects, Windows);
  table(Tables.Pages, Windows);
}

//===-- Windows -----------------------------------------------------------===//

EncodedRun::EncodedRun(const TouchWindows &Windows, uint64_t NumRecords,
                       const PhaseNames &Names) {
  number(Windows.size());
  number(NumRecords);
  number(touchPageBytes());
  number(Names.size() - 1);
  for (unsigned I = 1; I != Names.size(); ++I) {
    number(textLength(Names[I]));
    for (const char *C = Names[I]; *C; ++C)
      byte(*C);
  }
  for (unsigned I = 0; I != Windows.size(); ++I) {
    number(Windows[I].LengthUs);
    number(Windows[I].BurstUs);
    number(Windows[I].Phase);
  }
}
