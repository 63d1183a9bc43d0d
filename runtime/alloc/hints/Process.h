//===- alloc/hints/Process.h - What the process has -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the hint functions of one program or library may hand out memory of
// the process's cold heap: there must be one, and what frees the memory must be
// its allocator. A plugin that was loaded with RTLD_DEEPBIND may have another.
// All is hidden: each library asks for itself.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_HINTS_PROCESS_H
#define THERMOCLINE_HINTS_PROCESS_H

#include "abi/HintTable.h"
#include "thermocline/Format/ProgramNotes.h"
#include <atomic>

/// Each program or library has these functions for itself. Where they are
/// defined they are weak, because objects linked with -r may bring copies.
#define HINTS_HIDDEN extern "C" __attribute__((visibility("hidden")))
#define HINTS_OWN __attribute__((visibility("hidden"), weak))

/// The table of the process's allocator; null if it has none that takes hints.
HINTS_HIDDEN const thermocline::alloc::HintTable *
thermocline_hints_table() noexcept;

/// The answer to a question that is asked once. It is Unknown until then.
enum class Answer : unsigned char { Unknown, No, Yes };

/// Whether Allocate and Release are those of the process's allocator, which
/// Asked keeps. False where the process has none that takes hints.
inline bool isServed(std::atomic<Answer> &Asked, void *(*Allocate)(size_t),
                     void (*Release)(void *)) noexcept {
  auto *Table = thermocline_hints_table();
  if (!Table)
    return false;
  Answer Known = Asked.load(std::memory_order_relaxed);
  if (__builtin_expect(Known == Answer::Unknown, false)) {
    bool IsServed = Allocate && Release && Table->Reaches(Allocate, Release);
    Known = IsServed ? Answer::Yes : Answer::No;
    Asked.store(Known, std::memory_order_relaxed);
  }
  return Known == Answer::Yes;
}

/// These tell whether the process's allocator serves malloc and free, operator
/// new and delete, and the operators with alignment.
HINTS_HIDDEN bool thermocline_hints_serves_malloc() noexcept;
HINTS_HIDDEN bool thermocline_hints_serves_new() noexcept;
HINTS_HIDDEN bool thermocline_hints_serves_aligned_new() noexcept;

/// For a library, another allocator's function of this name, which the program
/// or a library exports; null if there is none, or the process has the table.
/// Only for constructors: the dynamic linker locks, and allocates if it finds
/// nothing.
HINTS_HIDDEN void *thermocline_hints_named(const char *Name) noexcept;

/// Defines Named: what there is of another allocator, null before constructors
/// have run. Leaves a note that the function is there.
#define HINTS_NAMED(Type, Name)                                                \
  THERMOCLINE_NOTE(THERMOCLINE_NOTE_HINT, ".asciz \"" Name "\"");              \
  static Type *Named;                                                          \
  __attribute__((constructor(101))) static void findNamed() {                  \
    Named = reinterpret_cast<Type *>(thermocline_hints_named(Name));           \
  }

/// Counts a hinted call that got ordinary memory, if the process's allocator
/// counts.
inline void *ordinary(thermocline::alloc::Kind Called, void *Result,
                      size_t SizeBytes) noexcept {
  if (auto *Table = thermocline_hints_table())
    Table->CountOrdinary(Called, Result, SizeBytes);
  return Result;
}

#endif
