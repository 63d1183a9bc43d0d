//===- alloc/abi/HintTable.h - From a library to the allocator --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a hinted shared library must reach the allocator of the program that
// loads it, however either was linked, and must do without one. Its hint
// functions are its own and hidden (hints/), so that no other library and no
// linker option can put others in their place; they ask for this table, which
// the allocator defines and exports, and which a library refers to weakly. The
// dynamic linker fills that in; nothing is looked up at run time.
//
// The table is part of a binary interface: libraries of today meet allocators
// of tomorrow. So each change of it, and of the numbers of kinds, is a new
// version. A library that was built for another one than it finds does without
// the table, and says so.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_HINTTABLE_H
#define THERMOCLINE_ALLOC_HINTTABLE_H

#include "thermocline/Format/AllocationKinds.h"
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The functions of thermocline/hints.h, in the order in which counts are
/// printed. NotCold counts operators whose hint does not ask for the cold heap.
enum class Kind : uint32_t {
#define THERMOCLINE_KIND(Kind, ...) Kind,
  THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_KIND)
      THERMOCLINE_OPERATORS_NEW(THERMOCLINE_KIND)
#undef THERMOCLINE_KIND
          NotCold,
};

/// The warmest hint that still asks for the cold heap: LLVM writes 1 for cold
/// and 128 for not cold, google/tcmalloc takes 0 for cold.
inline constexpr uint8_t MaxColdHint = 127;

/// What aligned functions ask for when they are tried out.
inline constexpr size_t ProbeAlignment = 64;

inline constexpr uint32_t HintTableVersion = 1;

struct HintTable {
  /// HintTableVersion of the allocator. It stays the first member.
  uint32_t Version;
  /// Whether Allocate and Release end in the allocator that has this table:
  /// only then may the caller's memory be cold. Calls them once.
  bool (*Reaches)(void *(*Allocate)(size_t), void (*Release)(void *)) noexcept;
  /// Cold memory for a call of an operator, counted; null if there is none.
  /// Alignment is 0 or a power of two.
  void *(*AllocateCold)(Kind Called, size_t SizeBytes,
                        size_t Alignment) noexcept;
  /// Counts a hinted call that got ordinary memory. Gives Result back.
  void *(*CountOrdinary)(Kind Called, void *Result, size_t SizeBytes) noexcept;
  size_t (*UsableBytes)(void *Pointer) noexcept;
  /// The functions of thermocline/hints.h.
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void *(*Reallocarray)(void *, size_t, size_t);
  void *(*AlignedAlloc)(size_t, size_t);
  void *(*Memalign)(size_t, size_t);
  int (*PosixMemalign)(void **, size_t, size_t);
  char *(*Strdup)(const char *);
  char *(*Strndup)(const char *, size_t);
};

} // namespace thermocline::alloc

/// Its address is null where a process has no allocator that takes hints.
extern "C" __attribute__((visibility("default")))
const thermocline::alloc::HintTable thermocline_alloc_hints;

#endif
