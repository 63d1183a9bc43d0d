//===- alloc/heap/Policy.h - Where the kernel keeps the heaps ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once cold objects are elsewhere, the two heaps can be treated apart: huge
// pages for ordinary objects, which are used; and paging, compression or slower
// memory for cold ones, which are not. This is what the user wants of the
// kernel (docs/allocator.md), and where it is asked for. What settings want and
// do not get is said once, on standard error.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_POLICY_H
#define THERMOCLINE_ALLOC_POLICY_H

#include "Export.h"
#include "thermocline/alloc.h"
#include <cstddef>

namespace thermocline::alloc {

/// Reads the settings. Called once, before either heap takes memory.
void readPolicy();

/// Names the first addresses of the cold range. What it gets later has no name:
/// by then the program may have given up the right to call prctl.
void nameFirstColdPart(void *Start, size_t SizeBytes);
/// Asks what is wanted for addresses that the cold range has just got.
void prepareColdPart(void *Start, size_t SizeBytes);
/// Gives the advice that settings want, to what the cold heap has had
/// so far. Called when it is to get more.
void adviseOldCold(void *Start, size_t SizeBytes);

// What thermocline/alloc.h has of the same names, for the cold range that there
// is: 0, or an error number.
int useHugePages(bool Enable, void *Cold, size_t ColdBytes);
int adviseCold(thermocline_alloc_advice Advice, void *Cold, size_t ColdBytes);
int bindCold(const char *Nodes, void *Cold, size_t ColdBytes);

} // namespace thermocline::alloc

/// Asks what is wanted for memory that the ordinary heap has just got; Pages.c
/// calls it.
THERMOCLINE_OWN void thermocline_alloc_prepare_ordinary(void *Start,
                                                        size_t SizeBytes);

#endif
