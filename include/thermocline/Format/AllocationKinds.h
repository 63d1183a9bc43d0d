//===- Format/AllocationKinds.h - Functions that take hints -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of allocation functions that have a cold variant. Three things
// are made from it: the compiler's table of calls, the allocator's table of
// hints with its counters, and the reader's table of frames inside the
// allocator.
//
// Both macros call F for each function. The order is part of the hint ABI: a
// library tells the allocator by number which function was called, C functions
// first, and may be older than the allocator. A change of these numbers needs a
// new version of the table (runtime/alloc/abi/HintTable.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_ALLOCATIONKINDS_H
#define THERMOCLINE_FORMAT_ALLOCATIONKINDS_H

/// F(kind, name, prototype) for the functions of C: the cold variant has the
/// same prototype and "_cold" behind its name. A prototype is the return type,
/// then the parameters: p pointer, z size_t, i int.
#define THERMOCLINE_C_ALLOCATION_FUNCTIONS(F)                                  \
  F(Malloc, "malloc", "pz")                                                    \
  F(Calloc, "calloc", "pzz")                                                   \
  F(Realloc, "realloc", "ppz")                                                 \
  F(Reallocarray, "reallocarray", "ppzz")                                      \
  F(AlignedAlloc, "aligned_alloc", "pzz")                                      \
  F(Memalign, "memalign", "pzz")                                               \
  F(PosixMemalign, "posix_memalign", "ipzz")                                   \
  F(Strdup, "strdup", "pp")                                                    \
  F(Strndup, "strndup", "ppz")

/// F(kind, name, symbol, cold symbol, prototype) for the forms of operator new
/// (Itanium mangling, 64-bit size_t): the cold variant takes one more argument,
/// the hint. In prototypes s is the structure {pointer, size_t}.
#define THERMOCLINE_OPERATORS_NEW(F)                                           \
  F(New, "new", "_Znwm", "_Znwm12__hot_cold_t", "pz")                          \
  F(NewNothrow, "new_nothrow", "_ZnwmRKSt9nothrow_t",                          \
    "_ZnwmRKSt9nothrow_t12__hot_cold_t", "pzp")                                \
  F(NewAligned, "new_aligned", "_ZnwmSt11align_val_t",                         \
    "_ZnwmSt11align_val_t12__hot_cold_t", "pzz")                               \
  F(NewAlignedNothrow, "new_aligned_nothrow",                                  \
    "_ZnwmSt11align_val_tRKSt9nothrow_t",                                      \
    "_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "pzzp")                \
  F(NewArray, "new_array", "_Znam", "_Znam12__hot_cold_t", "pz")               \
  F(NewArrayNothrow, "new_array_nothrow", "_ZnamRKSt9nothrow_t",               \
    "_ZnamRKSt9nothrow_t12__hot_cold_t", "pzp")                                \
  F(NewArrayAligned, "new_array_aligned", "_ZnamSt11align_val_t",              \
    "_ZnamSt11align_val_t12__hot_cold_t", "pzz")                               \
  F(NewArrayAlignedNothrow, "new_array_aligned_nothrow",                       \
    "_ZnamSt11align_val_tRKSt9nothrow_t",                                      \
    "_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "pzzp")                \
  F(SizeReturningNew, "size_returning_new", "__size_returning_new",            \
    "__size_returning_new_hot_cold", "sz")                                     \
  F(SizeReturningNewAligned, "size_returning_new_aligned",                     \
    "__size_returning_new_aligned", "__size_returning_new_aligned_hot_cold",   \
    "szz")

#endif
