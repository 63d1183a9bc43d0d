//===- profile/heap/PageMarks.h - Marks of large objects' pages -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An object's header has room for one mark. Of an object of a page and more,
// each page has a mark of its own, in a table by its address. Those of objects
// that have ended are left out when the table grows.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_PAGEMARKS_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_PAGEMARKS_H

#include "measure/TouchWindows.h"

namespace thermocline::runtime {

/// The marks of pages. Only one thread may use them at a time.
class PageMarks {
public:
  /// This must be called before each scan.
  void beginScan() { ++Scan; }

  /// The mark of the page at \p Address in the object whose mark is \p Owner.
  /// \returns null if there is no memory.
  TouchMark *get(uintptr_t Address, uint16_t Owner);

private:
  struct Entry {
    /// The address of the page; 0 if the entry is free.
    uintptr_t Address;
    TouchMark Mark;
    /// The number of the last scan that saw the page.
    uint64_t Scan;
  };

  Entry &find(uintptr_t Address) const;
  bool grow();

  Entry *Entries = nullptr;
  /// The number of entries: a power of two, or 0.
  size_t Size = 0;
  size_t Used = 0;
  uint64_t Scan = 0;
};

} // namespace thermocline::runtime

#endif
