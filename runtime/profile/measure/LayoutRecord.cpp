//===- profile/measure/LayoutRecord.cpp - Stretches of a burst ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutRecord.h"

using namespace thermocline;
using namespace thermocline::runtime;

/// The number of runs stands in front of them, and is known last.
static constexpr size_t HeadBytes = 2;
static constexpr size_t MostNumberBytes = 10;
/// Runs have four numbers at most.
static constexpr size_t MostRunBytes = 4 * MostNumberBytes;

void LayoutRecord::number(uint64_t Value) {
  for (; Value >= 0x80; Value >>= 7)
    Bytes[Size++] = static_cast<char>(Value | 0x80);
  Bytes[Size++] = static_cast<char>(Value);
}

void LayoutRecord::take(const LayoutRecord &Other) {
  NumStretches = Other.NumStretches;
  Size = Other.Size;
  for (size_t I = 0; I != Size; ++I)
    Bytes[I] = Other.Bytes[I];
}

void LayoutRecord::begin() {
  Begin = Size;
  Runs = 0;
  Repeats = 0;
  Last = {};
  IsFull = MostBytes - Size < HeadBytes;
  Size += IsFull ? 0 : HeadBytes;
}

void LayoutRecord::flush() {
  if (!Last.Granules)
    return;
  if (IsFull || MostBytes - Size < MostRunBytes) {
    IsFull = true;
    return;
  }
  ++Runs;
  number(uint64_t(Last.Granules - 1) * 8 + uint64_t(Last.State) * 2 +
         (Repeats != 0));
  number(Last.Context);
  if (Last.State == format::LayoutTouched)
    number(Last.Pieces);
  if (Repeats)
    number(Repeats - 1);
}

void LayoutRecord::add(const Run &Next) {
  if (Next == Last) {
    ++Repeats;
    return;
  }
  flush();
  Last = Next;
  Repeats = 0;
}

bool LayoutRecord::end(bool IsByClass) {
  flush();
  // A number of two bytes.
  const uint64_t Head = uint64_t(Runs) * 2 + IsByClass;
  static_assert(2 * 2048 + 1 < 1 << 14);
  if (IsFull || !Runs) {
    Size = Begin;
    return !IsFull;
  }
  Bytes[Begin] = static_cast<char>(Head | 0x80);
  Bytes[Begin + 1] = static_cast<char>(Head >> 7);
  ++NumStretches;
  return true;
}
