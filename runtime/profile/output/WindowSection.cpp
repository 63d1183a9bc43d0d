//===- profile/output/WindowSection.cpp - When memory was touched, encoded ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSection.h"
#include "DumpPages.h"

using namespace thermocline;
using namespace thermocline::runtime;

//===-- A record ----------------------------------------------------------===//

void EncodedTouches::number(uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    Bytes[Size++] = static_cast<char>(Value | 0x80);
  Bytes[Size++] = static_cast<char>(Value);
}

void EncodedTouches::change(uint64_t Old, uint64_t New) {
  if (Old != New)
    number(New > Old ? 2 * (New - Old) : 2 * (Old - New) - 1);
}

void EncodedTouches::table(const TouchTable *Table, unsigned Windows) {
  unsigned First = 0;
  while (Table && First != Windows && !Table->Live[First])
    ++First;
  if (!Table || First == Windows)
    return number(0);
  unsigned End = Windows;
  while (!Table->Live[End - 1])
    --End;
  number(End - First);
  number(First);
  number(Table->Granules);
  number(Table->TouchedGranules);
  uint64_t Live = 0, LiveBytes = 0, Touched = 0;
  for (unsigned I = First, Next; I != End; I = Next) {
    uint64_t NewLive = Table->Live[I], NewBytes = Table->LiveBytes[I],
             NewTouched = Table->Touched[I];
    Next = I + 1;
    while (Next != End && Table->Live[Next] == NewLive &&
           Table->LiveBytes[Next] == NewBytes &&
           Table->Touched[Next] == NewTouched)
      ++Next;
    number((NewLive != Live ? format::LiveChanged : 0) +
           (NewBytes != LiveBytes ? format::BytesChanged : 0) +
           (NewTouched != Touched ? format::TouchedChanged : 0) +
           (Next - I - 1) * format::WindowRepeat);
    change(Live, NewLive);
    change(LiveBytes, NewBytes);
    change(Touched, NewTouched);
    Live = NewLive;
    LiveBytes = NewBytes;
    Touched = NewTouched;
  }
}

EncodedTouches::EncodedTouches(const Contexts::TouchTables &Tables,
                               unsigned Windows) {
  table(Tables.Objects, Windows);
  table(Tables.Pages, Windows);
}

//===-- The section -------------------------------------------------------===//

WindowSection::~WindowSection() {
  if (Pages)
    dumppages::give(Pages, Size);
}

void WindowSection::append(const void *Data, size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    Pages[Used++] = static_cast<const char *>(Data)[I];
}

bool WindowSection::begin(const format::WindowHeader &Head,
                          const TouchWindows &Windows) {
  Size = sizeof(Head) + Head.NumWindows * sizeof(uint64_t) +
         roundUp(Head.NumBytes, 8);
  Pages = static_cast<char *>(dumppages::take(Size));
  if (!Pages) {
    Size = 0;
    return false;
  }
  append(&Head, sizeof(Head));
  for (unsigned I = 0; I != Windows.size(); ++I) {
    uint64_t Length = Windows.lengthUs(I);
    append(&Length, sizeof(Length));
  }
  return true;
}
