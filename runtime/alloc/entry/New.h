//===- alloc/entry/New.h - Which operators a program has --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may define operator new and delete itself, and its delete then
// knows only objects of its new. Hinted calls must go to its new, too; unless
// these are of the sort that calls malloc and free and does nothing else, as
// those of C++ libraries are.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_NEW_H
#define THERMOCLINE_ALLOC_NEW_H

#include "heap/Export.h"
#include <atomic>

namespace thermocline::alloc {

/// These are 0 until the answer is known; then 1 means yes and -1 no.
extern std::atomic<int> PlainOperatorsAnswer THERMOCLINE_HIDDEN;
extern std::atomic<int> AlignedOperatorsAnswer THERMOCLINE_HIDDEN;
bool askPlainOperators();
bool askAlignedOperators();

/// Whether operator new(size_t) and operator delete(void *) end in this
/// library's malloc and free. Where they are not its own it calls them once.
inline bool reachesPlainOperators() {
  int Known = PlainOperatorsAnswer.load(std::memory_order_relaxed);
  return __builtin_expect(Known > 0, true) ||
         (Known == 0 && askPlainOperators());
}
/// Whether the operators that take an alignment end there.
inline bool reachesAlignedOperators() {
  int Known = AlignedOperatorsAnswer.load(std::memory_order_relaxed);
  return __builtin_expect(Known > 0, true) ||
         (Known == 0 && askAlignedOperators());
}

} // namespace thermocline::alloc

#endif
