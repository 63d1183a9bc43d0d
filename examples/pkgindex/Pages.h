//===- pkgindex/Pages.h - Counts the pages that a phase touches -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures, through Linux's /proc, how much of the heap a phase of the program
// refers to.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_PAGES_H
#define PKGINDEX_PAGES_H

#include <cstdint>

namespace pkgindex {

/// Sums over the private anonymous mappings except the stack, in KiB.
struct HeapPages {
  uint64_t ResidentKiB = 0;
  uint64_t ReferencedKiB = 0; ///< Touched since clearReferenced().
};

/// Forgets which pages were touched. Throws std::system_error.
void clearReferenced();
/// Throws std::system_error.
HeapPages countHeapPages();

} // namespace pkgindex

#endif
