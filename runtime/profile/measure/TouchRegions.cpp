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

void TouchRegions::closePart(bool TouchState::*Is,
                             TouchNeighbors::Part TouchNeighbors::*Of,
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
    TouchNeighbors::Part &P = U.Table->Neighbors.*Of;
    P.Near += U.Weight;
    P.Mates += Mates * U.Weight;
    if (!IsTouched)
      continue;
    All.Touched += U.Weight;
    All.Mates += Mates * U.Weight;
    All.MatesSeen += Mates;
  }
}

void TouchRegions::closeRegion() {
  for (unsigned I = 0; I != NumUnits; ++I) {
    TouchNeighbors &N = Units[I].Table->Neighbors;
    if (!N.Units) {
      N.Next = Seen;
      Seen = Units[I].Table;
    }
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
                            const TouchNeighbors::Part &P, const Sums &All) {
  if (All.MatesSeen < LeastMates * PartOne)
    return N.Units;
  const double Estimate = static_cast<double>(P.Mates) *
                          static_cast<double>(All.Touched) /
                          static_cast<double>(All.Mates);
  if (Estimate >= static_cast<double>(N.Units))
    return N.Units;
  const auto Estimated = static_cast<uint64_t>(Estimate);
  return Estimated > P.Near ? Estimated : P.Near;
}

bool TouchRegions::asks(BirthPlaces &Places) {
  if (Places.Left) {
    --Places.Left;
    return false;
  }
  if (Places.AskedAtStep == AskedPerStep) {
    Places.Step *= 2;
    Places.AskedAtStep = 0;
  }
  ++Places.AskedAtStep;
  Places.Left = Places.Step - 1;
  return true;
}

void TouchRegions::addPlace(BirthPlaces &Places, unsigned Units,
                            unsigned Born) {
  const auto Stands = static_cast<double>(Places.Step);
  Places.Units += Stands * Units / Born;
  Places.Births += Stands;
}

/// \returns how many of the units of \p N were not born and lie on pages with
/// such.
uint64_t TouchRegions::amongBorn(const TouchNeighbors &N,
                                 const TouchNeighbors::Part &P,
                                 const BirthPlaces &Places) {
  if (!P.Born || Places.Births == 0)
    return 0;
  const double Others = Places.Units / Places.Births - 1;
  const double Among = static_cast<double>(P.Born) * Others;
  const uint64_t Most = N.Units - P.Born;
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
        static_cast<uint32_t>(amongBorn(N, N.InWindow, InWindow));
    if (HasBurst) {
      Table->FarInBurst[Number] +=
          static_cast<uint32_t>(N.Units - near(N, N.InBurst, Burst));
      Table->AmongBornInBurst[Number] +=
          static_cast<uint32_t>(amongBorn(N, N.InBurst, InBurst));
    }
    N = {};
  }
  Window = Burst = {};
  InWindow = InBurst = {};
}
