//===- process/LoadedObjects.h - What the loader has loaded -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: which code is loaded must be known when a profile is written: in a
// signal handler, in the child of a fork, or while another thread loads a
// library. dl_iterate_phdr() holds a lock of the loader's during the walk. A
// child inherits it from a thread that it does not have, and waits for ever.
//
// Solution: the loader's list, link by link, as debuggers read it, without a
// lock. While others load and unload, a link may be freed and be anything. So
// each is copied by a system call that fails instead of faulting, and believed
// only if _dl_find_object(), which takes no lock and is never half changed,
// says that this link is what lies at the addresses that it names. It is asked
// again after the library's headers have been read.
//
// A library in the list that _dl_find_object() does not know is being loaded,
// and none of its code has run. A link that is none may have cut the list off:
// then the walk was not whole, and should be made again.
//
// Cost: four system calls a library, as a rule.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_LOADEDOBJECTS_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_LOADEDOBJECTS_H

#include "platform/Base.h"
#include "platform/MemProfData.h"
#include <link.h>

namespace thermocline::runtime {

/// Addresses from Begin on.
struct AddressRange {
  uintptr_t Begin = 0;
  size_t Size = 0;
};

/// The program, or a library.
class LoadedObject {
public:
  /// Its pages, with the gaps between them, which the loader keeps.
  AddressRange Whole;

  /// Its executable segments. If there are more than can be listed, the last
  /// one comprises the others.
  size_t size() const { return NumSegments; }
  const SegmentEntry &operator[](size_t Index) const {
    return reinterpret_cast<const SegmentEntry *>(Segments)[Index];
  }

  /// The address of the content of the note of \p Owner with this \p Type,
  /// valid while the object stays loaded; 0 if there is none.
  uintptr_t findNote(const char *Owner, uint32_t Type) const;

private:
  friend class LoadedObjects;
  static constexpr size_t MaxSegments = 8;

  void clear();
  /// A number of headers that are read at once: usually all that a library has.
  struct HeaderBlock {
    static constexpr size_t Size = 14;
    ElfW(Phdr) Headers[Size];
  };
  template <typename Visitor>
  static bool visitHeaders(uintptr_t Address, size_t Count,
                           const HeaderBlock *First, Visitor Visit);
  /// \p First are the first ones, if they are known.
  bool readHeaders(uintptr_t Base, uintptr_t Headers, size_t NumHeaders,
                   HeaderBlock *First = nullptr);
  /// Takes everything for code, in a library that keeps its headers nowhere in
  /// memory.
  void takeAllAsCode(uintptr_t Base, uintptr_t Begin, uintptr_t End);
  void addCode(uintptr_t Base, const ElfW(Phdr) & Header);
  void readBuildId(uintptr_t Notes, size_t Size);

  uintptr_t Base = 0;
  uintptr_t Headers = 0;
  size_t NumHeaders = 0;
  size_t NumSegments = 0;
  uint8_t BuildId[sizeof(SegmentEntry::BuildId)] = {};
  size_t BuildIdBytes = 0;
  /// Room for objects of SegmentEntry, which cannot be made without values.
  alignas(SegmentEntry) char Segments[MaxSegments * sizeof(SegmentEntry)];
};

/// A walk over everything that is loaded: the program and its libraries, or
/// what is in another namespace of the loader's (dlmopen).
class LoadedObjects {
public:
  LoadedObjects();
  /// Walks the namespace that has \p Address.
  explicit LoadedObjects(uintptr_t Address);

  /// The next one, the program first. \returns false at the end.
  bool next(LoadedObject &Object);

  /// Whether nothing was met that may have kept the walk from being whole.
  bool isWhole() const { return Whole; }

  /// Whether code at \p Address is loaded.
  static bool isLoaded(uintptr_t Address);

private:
  /// More links would be a circle.
  static constexpr size_t MaxSteps = 1 << 20;

  bool readLink(link_map &Link);
  static bool readLibrary(const link_map *Address, const link_map &Link,
                          LoadedObject &Object);

  bool AtProgram = false;
  bool Whole = true;
  size_t Steps = 0;
  /// The link read last, and the next one.
  const link_map *Last = nullptr;
  const link_map *Next = nullptr;
};

} // namespace thermocline::runtime

#endif
