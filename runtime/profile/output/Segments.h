//===- profile/output/Segments.h - Code that was ever loaded ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executable segments of the program and of every shared library seen so
// far, with their build ids. Symbolizing a context needs them. A library that
// was unloaded stays in the table. Since contexts are addresses, nothing may be
// loaded at its addresses later: unloading reserves its range (see
// unloadLibrary).
//
// The whole range of a library is reserved, not only its code. The loader then
// puts the next library right beside it, and the kernel makes one mapping of
// both reservations. So a server may load and unload plugins thousands of
// times: names stay right, and the number of mappings, which the kernel limits,
// stays the same. Only the entries of the table are limited.
//
// Invariant: entries are only appended, so that a prefix stays what it was.
//
// Reads the loader's list without a lock of the loader's: LoadedObjects.h says
// how.
//
// Cost: of unloading, a look-up for each loaded segment, and a walk over the
// table for each new one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_SEGMENTS_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_SEGMENTS_H

#include "platform/Lock.h"
#include "process/LoadedObjects.h"

namespace thermocline::runtime {

class Segments {
public:
  /// Adds what is loaded now and not in the table yet. The program's own comes
  /// first. Waits for the lock at most a second if \p GiveUp.
  void update(bool GiveUp = false);

  /// Adds what is in the loader's namespace that has code at \p Address, now
  /// and with each update(). Not for the program's.
  void addNamespaceOf(uintptr_t Address);

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
  void lock() THERMOCLINE_ACQUIRE(Mutex) { Mutex.lock(); }
  void unlock() THERMOCLINE_RELEASE(Mutex) { Mutex.unlock(); }

private:
  static constexpr size_t MaxSegments = 32768;
  /// The most addresses to reserve, so that large libraries leave room for
  /// everything else.
  static constexpr size_t MaxReservedBytes = size_t(1) << 43;

  /// What is kept for a segment besides its entry.
  struct Note {
    /// The range of its library.
    AddressRange Whole;
    bool IsReserved;
  };

  Lock Mutex;
  bool allocateTables() THERMOCLINE_REQUIRES(Mutex);
  bool addAll(LoadedObjects All) THERMOCLINE_REQUIRES(Mutex);
  void add(const SegmentEntry &Entry, AddressRange Whole)
      THERMOCLINE_REQUIRES(Mutex);
  /// The slot of the hash table where \p Entry is, or may be put.
  uint32_t &slotOf(const SegmentEntry &Entry) const THERMOCLINE_REQUIRES(Mutex);
  void reserveUnloaded();
  static bool reserve(AddressRange R);

  /// An address in each namespace but the program's that is known.
  static constexpr unsigned MaxNamespaces = 16;
  uintptr_t Namespaces[MaxNamespaces] THERMOCLINE_GUARDED_BY(Mutex) = {};
  unsigned NumNamespaces THERMOCLINE_GUARDED_BY(Mutex) = 0;
  Atomic<size_t> Count;
  SegmentEntry *Table = nullptr;
  /// The notes, by index in the table.
  Note *Notes THERMOCLINE_GUARDED_BY(Mutex) = nullptr;
  /// The hash table, by hash of the beginning; a slot holds index + 1.
  uint32_t *Slots THERMOCLINE_GUARDED_BY(Mutex) = nullptr;
  static constexpr size_t NumSlots = 2 * MaxSegments;
  size_t ReservedBytes THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// Whether two libraries have had the same addresses, and whether one found
  /// no place in the table; each was said.
  bool IsAmbiguous THERMOCLINE_GUARDED_BY(Mutex) = false;
  bool IsFull THERMOCLINE_GUARDED_BY(Mutex) = false;
};

} // namespace thermocline::runtime

#endif
