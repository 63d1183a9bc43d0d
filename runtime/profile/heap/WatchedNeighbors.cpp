//===- profile/heap/WatchedNeighbors.cpp - Where they would lie -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WatchedNeighbors.h"
#include "SizeClasses.h"
#include "platform/System.h"
#include <algorithm>

using namespace thermocline;
using namespace thermocline::runtime;

void WatchedNeighbors::add(TouchTable &Table, TouchState State, uint32_t Weight,
                           WatchedPlace Place, size_t Size) {
  if (!All)
    All = static_cast<Neighbor *>(sys::mapPages(Most * sizeof(Neighbor)));
  if (!All || Number == Most)
    return;
  const unsigned Class = sizeclass::classOf(Size) * 2 + Place.IsCold;
  All[Number++] = {Class, Weight, Place.Address, &Table, State};
}

void WatchedNeighbors::end(TouchRegions &Regions, unsigned Window,
                           bool HasBurst) {
  // Unlike std::sort, these call no function of libc.
  std::make_heap(All, All + Number);
  std::sort_heap(All, All + Number);
  for (unsigned I = 0; I != Number; ++I) {
    if (I && All[I].Class != All[I - 1].Class)
      Regions.end(Window, HasBurst);
    Regions.addOneOfFew(*All[I].Table, All[I].State, All[I].Weight);
  }
  Regions.end(Window, HasBurst);
  Number = 0;
}
