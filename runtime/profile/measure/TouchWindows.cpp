//===- profile/measure/TouchWindows.cpp - When memory is touched ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchWindows.h"

using namespace thermocline::runtime;

/// The digest of 0 is 0, as it is of a unit that was just allocated.
static uint16_t digest(uint64_t Sum) {
  return static_cast<uint16_t>((Sum * 0x9E3779B97F4A7C15) >> 48);
}

/// \returns a bit for each two bits of \p Set, which is set if one of them is.
static uint32_t pairBits(uint32_t Set) {
  uint32_t Result = 0;
  for (unsigned I = 0; I != TouchWindows::MaxWindows / 2; ++I)
    Result |= uint32_t((Set >> (2 * I) & 3) != 0) << I;
  return Result;
}

void TouchWindows::beginBaseline() {
  Kind = Baseline;
  NeedsBaseline = false;
}

void TouchWindows::beginBurst() { Kind = BurstBegin; }

void TouchWindows::endWindow(const Window &Ended, uint64_t CostUs) {
  Windows[Size++] = Ended;
  bool IsDear = CostUs * CostPart > TargetUs;
  bool MayBePaired = Size >= FewWindows && Size % 2 == 0;
  Kind = Size == MaxWindows || (IsDear && MayBePaired) ? Pairing : WindowEnd;
}

void TouchWindows::visit(TouchMark &Mark, TouchTable *Table,
                         const UnitCounters &Counters, uint64_t Bytes,
                         uint32_t Weight) const {
  uint16_t Digest = digest(Counters.Sum);
  bool IsChanged = Digest != Mark.Digest.loadRelaxed();
  if (IsChanged)
    Mark.Digest.storeRelaxed(Digest);
  uint32_t Before = Mark.Windows.loadRelaxed();
  uint32_t Set = 0;
  if (Kind == BurstBegin)
    Set = Before | uint32_t(IsChanged) << Size;
  else if (counts())
    Set = count(Before, IsChanged, *Table, Counters, Bytes, Weight);
  if (Set != Before)
    Mark.Windows.storeRelaxed(Set);
}

uint32_t TouchWindows::count(uint32_t Set, bool IsChanged, TouchTable &Table,
                             const UnitCounters &Counters, uint64_t Bytes,
                             uint32_t Weight) const {
  const unsigned Window = Size - 1;
  Set |= uint32_t(IsChanged) << Window;
  Table.Live[Window] += Weight;
  Table.LiveBytes[Window] += Bytes * Weight;
  // Without a scan at its beginning, the burst is the window.
  if (IsChanged && Windows[Window].BurstUs)
    Table.InBurst[Window] += Weight;
  Table.Granules += uint64_t(Counters.Granules) * Weight;
  Table.TouchedGranules += uint64_t(Counters.TouchedGranules) * Weight;
  // This goes over the groups that end with this window.
  for (unsigned Log2 = 0; Log2 != TouchTable::NumGroupSizes; ++Log2) {
    unsigned GroupSize = 1u << Log2;
    if (Size % GroupSize)
      break;
    // Of 32 bits, all is what shifting by 32 would have to make.
    uint32_t Group = (~uint32_t(0) >> (32 - GroupSize)) << (Size - GroupSize);
    if (Set & Group)
      Table.Touched[TouchTable::groupIndex(Log2, Window >> Log2)] += Weight;
  }
  return isPaired() ? pairBits(Set) : Set;
}

void TouchWindows::endScan() {
  if (Kind != Pairing)
    return;
  Size /= 2;
  for (unsigned I = 0; I != Size; ++I)
    Windows[I] = {Windows[2 * I].LengthUs + Windows[2 * I + 1].LengthUs,
                  Windows[2 * I + 1].BurstUs};
  TargetUs *= 2;
}

void TouchWindows::pair(TouchTable &Table) {
  constexpr unsigned Half = MaxWindows / 2;
  for (unsigned I = 0; I != Half; ++I) {
    Table.Live[I] = Table.Live[2 * I + 1];
    Table.LiveBytes[I] = Table.LiveBytes[2 * I + 1];
    Table.InBurst[I] = Table.InBurst[2 * I + 1];
  }
  for (unsigned I = Half; I != MaxWindows; ++I)
    Table.Live[I] = 0, Table.LiveBytes[I] = 0, Table.InBurst[I] = 0;
  for (unsigned Log2 = 0; Log2 != TouchTable::NumGroupSizes; ++Log2) {
    unsigned Groups = MaxWindows >> Log2;
    uint32_t *To = Table.Touched + TouchTable::groupIndex(Log2, 0);
    const uint32_t *From = Table.Touched + TouchTable::groupIndex(Log2 + 1, 0);
    for (unsigned I = 0; I != Groups; ++I)
      To[I] = I < Groups / 2 ? From[I] : 0;
  }
}
