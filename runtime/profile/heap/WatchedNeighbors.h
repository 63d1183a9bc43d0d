//===- profile/heap/WatchedNeighbors.h - Where they would lie ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A watched object lies on a page of its own. Its placeholder lies where the
// object would lie otherwise (Allocations.h). So the placeholders of a size
// class, by their addresses, tell which stretches of the heap are idle, as
// objects themselves do where accesses are counted (TouchRegions.h). Only few
// objects are watched, so the stretches are longer.
//
// Where hints part cold objects from others, these lie far from all else, and
// would be taken to gain nothing: then the next build would have no hints. So
// what is cold already is compared with its like alone. As nothing is touched
// there, nothing is far.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDNEIGHBORS_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDNEIGHBORS_H

#include "WatchedSample.h"
#include "measure/TouchRegions.h"

namespace thermocline::runtime {

/// Where the placeholder of a watched object is.
struct WatchedPlace {
  /// 0 if there is no placeholder.
  uintptr_t Address;
  /// Whether it is on the cold heap of the allocator below, if that has one.
  bool IsCold;
};

/// Collects the watched objects of one scan after another. For one thread at a
/// time.
class WatchedNeighbors {
public:
  /// Adds a watched object of \p Size bytes, whose placeholder is at \p Place.
  void add(TouchTable &Table, TouchState State, uint32_t Weight,
           WatchedPlace Place, size_t Size);
  /// Adds all of them to \p Regions, which are of the window number \p Window,
  /// and if it \p HasBurst, of that. Then there are none.
  void end(TouchRegions &Regions, unsigned Window, bool HasBurst);

private:
  struct Neighbor {
    /// The size class and the heap of the object.
    unsigned Class;
    uint32_t Weight;
    uintptr_t Place;
    TouchTable *Table;
    TouchState State;

    bool operator<(const Neighbor &Other) const {
      return Class != Other.Class ? Class < Other.Class : Place < Other.Place;
    }
  };
  static constexpr unsigned Most = WatchedSample::MaxPages;

  /// Room for Most of them; null if there were none yet, or there is no memory.
  Neighbor *All = nullptr;
  unsigned Number = 0;
};

} // namespace thermocline::runtime

#endif
