//===- profile/Segments.h - Code that was ever loaded --------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executable segments of the program and of every shared library seen so
// far, with their build ids: what symbolizing a context needs. A library that
// was unloaded stays in the table. As contexts are addresses, nothing may be
// loaded over it later: unloading reserves its range (see unloadLibrary).
//
// Invariant: entries are only appended, so that a prefix stays what it was.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_SEGMENTS_H
#define THERMOCLINE_RUNTIME_PROFILE_SEGMENTS_H

#include "Base.h"
#include "Measures.h"

namespace thermocline::runtime {

using ::llvm::memprof::SegmentEntry;

class Segments {
public:
  /// Adds what is loaded now and not in the table yet. The program's own comes
  /// first. Waits for the lock at most a second if \p GiveUp.
  void update(bool GiveUp = false);

  size_t size() const { return Count.load(); }
  const SegmentEntry &operator[](size_t Index) const { return Table[Index]; }

  /// Calls \p Unload, which may unload libraries, and keeps the addresses of
  /// those that are gone then from being used again.
  template <typename Action> auto unloadLibrary(Action Unload) {
    update();
    auto Result = Unload();
    reserveUnloaded();
    return Result;
  }

  /// All locks, around fork.
  void lock() { Mutex.lock(); }
  void unlock() { Mutex.unlock(); }

private:
  static constexpr size_t MaxSegments = 4096;
  /// So many ranges of unloaded libraries are kept free at most.
  static constexpr size_t MaxReserved = 512;

  void add(const SegmentEntry &Entry);
  void reserveUnloaded();

  Lock Mutex;
  Atomic<size_t> Count;
  SegmentEntry *Table = nullptr;
  /// By index: whether the range is reserved.
  bool *Reserved = nullptr;
  size_t NumReserved = 0;
  /// Whether two libraries have had the same addresses, which was said.
  bool IsAmbiguous = false;
  /// How often the loader had loaded and unloaded at the last update.
  uint64_t Loads = 0;
  uint64_t Unloads = 0;
};

} // namespace thermocline::runtime

#endif
