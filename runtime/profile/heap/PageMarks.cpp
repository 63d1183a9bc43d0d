//===- profile/heap/PageMarks.cpp - Marks of large objects' pages ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageMarks.h"
#include "platform/System.h"

using namespace thermocline::runtime;

/// Finds the entry where the page is, or is to be. There must be a free entry.
PageMarks::Entry &PageMarks::find(uintptr_t Address) const {
  size_t Index = ((Address >> touchPageShift()) * 0x9E3779B97F4A7C15) >> 20;
  while (true) {
    Entry &E = Entries[Index & (Size - 1)];
    if (!E.Address || E.Address == Address)
      return E;
    ++Index;
  }
}

bool PageMarks::grow() {
  constexpr size_t MinSize = 128;
  // Pages are kept that the last scan or this one has seen.
  size_t Kept = 0;
  for (size_t I = 0; I != Size; ++I)
    Kept += Entries[I].Address && Scan - Entries[I].Scan <= 1;
  size_t NewSize = MinSize;
  while (NewSize < Kept * 4)
    NewSize *= 2;
  auto *New = static_cast<Entry *>(sys::mapPages(NewSize * sizeof(Entry)));
  if (!New)
    return false;
  Entry *Old = Entries;
  size_t OldSize = Size;
  Entries = New;
  Size = NewSize;
  Used = Kept;
  for (size_t I = 0; I != OldSize; ++I)
    if (Old[I].Address && Scan - Old[I].Scan <= 1)
      __builtin_memcpy_inline(&find(Old[I].Address), &Old[I], sizeof(Entry));
  if (Old)
    sys::unmapPages(Old, OldSize * sizeof(Entry));
  return true;
}

TouchMark *PageMarks::get(uintptr_t Address, uint16_t Owner) {
  if (Used * 4 >= Size * 3 && !grow())
    return nullptr;
  Entry &E = find(Address);
  if (!E.Address) {
    E.Address = Address;
    ++Used;
  } else if (E.Mark.Sequence.loadRelaxed() != Owner) {
    E.Mark.clear();
  }
  E.Mark.Sequence.storeRelaxed(Owner);
  E.Scan = Scan;
  return &E.Mark;
}
