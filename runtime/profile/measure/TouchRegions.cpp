//===- profile/measure/TouchRegions.cpp - What lies near touched ones -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TouchRegions.h"

using namespace thermocline;
using namespace thermocline::runtime;

void TouchRegions::add(TouchTable &Table, TouchState State, uint32_t Weight,
                       uintptr_t Address, size_t Size) {
  // In front of each object is a header, which other allocators do not have.
  constexpr size_t HeaderBytes = 32;
  const size_t Span =
      touchPageBytes() + touchPageBytes() * HeaderBytes / (Size ? Size : 1);
  if (NumUnits == touchPageBytes() / LeastUnitBytes ||
      (NumUnits >= LeastUnits && Address - Begin >= Span))
    closeRegion();
  if (!NumUnits)
    Begin = Address;
  Units[NumUnits++] = {&Table, Weight, State};
}

void TouchRegions::addOneOfFew(TouchTable &Table, TouchState State,
                               uint32_t Weight) {
  HasFew = true;
  if (NumUnits == FewUnits)
    closeRegion();
  Units[NumUnits++] = {&Table, Weight, State};
}

void TouchRegions::closePart(bool TouchState::*Is,
                             TouchNeighbors::Part TouchNeighbors::*Member,
                             Sums &All) {
  unsigned Touched = 0;
  for (unsigned I = 0; I != NumUnits; ++I)
    Touched += Units[I].State.*Is;
  if (!Touched)
    return;
  const unsigned Others = NumUnits > 1 ? NumUnits - 1 : 1;
  for (unsigned I = 0; I != NumUnits; ++I) {
    const Unit &U = Units[I];
    const bool IsTouched = U.State.*Is;
    const uint64_t Mates = (Touched - IsTouched) * PartOne / Others;
    TouchNeighbors::Part &P = U.Table->Neighbors.*Member;
    P.Near += U.Weight;
    P.Mates += Mates * U.Weight;
    if (!IsTouched)
      continue;
    All.Touched += U.Weight;
    All.Mates += Mates * U.Weight;
    All.MatesSeen += Mates;
  }
}

TouchNeighbors &TouchRegions::listed(TouchTable &Table) {
  TouchNeighbors &N = Table.Neighbors;
  if (!N.IsListed) {
    N.IsListed = true;
    N.Next = Seen;
    Seen = &Table;
  }
  return N;
}

void TouchRegions::closeRegion() {
  for (unsigned I = 0; I != NumUnits; ++I) {
    TouchNeighbors &N = listed(*Units[I].Table);
    N.Units += Units[I].Weight;
    N.InWindow.Born += Units[I].State.BornInWindow ? Units[I].Weight : 0;
    N.InBurst.Born += Units[I].State.BornInBurst ? Units[I].Weight : 0;
  }
  closePart(&TouchState::InWindow, &TouchNeighbors::InWindow, Window);
  closePart(&TouchState::InBurst, &TouchNeighbors::InBurst, Burst);
  NumUnits = 0;
}

/// \returns how many of the units of \p N are near.
uint64_t TouchRegions::near(const TouchNeighbors &N,
                            const TouchNeighbors::Part &P,
                            const Sums &All) const {
  if (All.MatesSeen < (HasFew ? LeastMatesOfFew : LeastMates) * PartOne)
    return N.Units;
  const double Estimate = static_cast<double>(P.Mates) *
                          static_cast<double>(All.Touched) /
                          static_cast<double>(All.Mates);
  if (Estimate >= static_cast<double>(N.Units))
    return N.Units;
  const auto Estimated = static_cast<uint64_t>(Estimate);
  return Estimated > P.Near ? Estimated : P.Near;
}

double TouchRegions::asks(Births &B, uint32_t Weight) {
  B.All += Weight;
  if (B.Left) {
    --B.Left;
    return 0;
  }
  if (B.AskedAtStep == AskedPerStep) {
    B.Step *= 2;
    B.AskedAtStep = 0;
  }
  ++B.AskedAtStep;
  B.Left = B.Step - 1;
  const double StandsFor =
      static_cast<double>(B.Step) * static_cast<double>(Weight);
  B.Asked += StandsFor;
  return StandsFor;
}

/// \returns how many of the units of \p N were not born and lie on pages with
/// such.
uint64_t TouchRegions::amongBorn(const TouchNeighbors &N,
                                 const TouchNeighbors::Part &P,
                                 const Births &B) {
  if (B.Asked == 0)
    return 0;
  const double Among = P.Among * static_cast<double>(B.All) / B.Asked;
  // It may have had no unit when the scan was there.
  const uint64_t Most = N.Units > P.Born ? N.Units - P.Born : 0;
  return Among < static_cast<double>(Most) ? static_cast<uint64_t>(Among)
                                           : Most;
}

void TouchRegions::end(unsigned Number, bool HasBurst) {
  closeRegion();
  while (TouchTable *Table = Seen) {
    TouchNeighbors &N = Table->Neighbors;
    Seen = N.Next;
    Table->Far[Number] +=
        static_cast<uint32_t>(N.Units - near(N, N.InWindow, Window));
    Table->AmongBorn[Number] +=
        static_cast<uint32_t>(amongBorn(N, N.InWindow, BornInWindow));
    if (HasBurst) {
      Table->FarInBurst[Number] +=
          static_cast<uint32_t>(N.Units - near(N, N.InBurst, Burst));
      Table->AmongBornInBurst[Number] +=
          static_cast<uint32_t>(amongBorn(N, N.InBurst, BornInBurst));
    }
    N = {};
  }
  Window = Burst = {};
  BornInWindow = BornInBurst = {};
  HasFew = false;
}
