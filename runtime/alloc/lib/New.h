//===- alloc/lib/New.h - The operators that are not replaced ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may define operator new and delete itself, and its delete then
// knows only objects of its new. Hinted calls must go to its new, too.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_NEW_H
#define THERMOCLINE_ALLOC_NEW_H

namespace thermocline::alloc {

/// Whether operator new(size_t) and operator delete(void *) are this library's.
bool ownsPlainOperators();
/// Whether those that take an alignment are.
bool ownsAlignedOperators();

} // namespace thermocline::alloc

#endif
