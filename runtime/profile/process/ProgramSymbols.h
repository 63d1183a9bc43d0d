//===- process/ProgramSymbols.h - What the program may define ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler and the program tell the runtime some things by symbols that
// only they define: the profile's name, options, hooks. Other symbols show that
// the program contains a sanitizer, or libstdc++.
//
// Problem: the shared runtime finds a symbol of the program only if that
// exports it, and version scripts, -fvisibility=hidden and --exclude-libs
// forbid it.
//
// Solution: the config file adds an object file to each link (ProgramNote.cpp).
// It has weak references to all of these symbols, which the linker resolves
// like those of the program's own objects. The object is a table of addresses,
// and a note that says where the table is. The runtime goes through the notes
// of everything that is loaded, the program first. If something has no note,
// the runtime's own references are used. If the program has the archive, these
// are all there is.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_PROGRAMSYMBOLS_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_PROGRAMSYMBOLS_H

#include <stddef.h>
#include <stdint.h>

/// Each as USE(Type, Symbol, Field); after these come the sanitizers. The order
/// is part of the format.
#define THERMOCLINE_PROGRAM_SYMBOLS(USE)                                       \
  USE(const char, __memprof_profile_filename, ProfileFileName)                 \
  USE(const char, __memprof_default_options_str, CompiledInOptions)            \
  USE(const bool, __memprof_histogram, IsHistogram)                            \
  USE(const char *(), __memprof_default_options, DefaultOptions)               \
  USE(void(), __memprof_on_error, OnError)                                     \
  USE(void(const volatile void *, size_t), __sanitizer_malloc_hook,            \
      MallocHook)                                                              \
  USE(void(const volatile void *), __sanitizer_free_hook, FreeHook)            \
  USE(int(const volatile void *), __sanitizer_ignore_free_hook,                \
      IgnoreFreeHook)                                                          \
  USE(void (*())(), _ZSt15get_new_handlerv, GetNewHandler)                     \
  USE(void(), _ZSt17__throw_bad_allocv, ThrowBadAlloc)

/// What each defines that no other does, as USE(Symbol, Name).
#define THERMOCLINE_SANITIZERS(USE)                                            \
  USE(__asan_init, "AddressSanitizer")                                         \
  USE(__hwasan_init, "HWAddressSanitizer")                                     \
  USE(__msan_init, "MemorySanitizer")                                          \
  USE(__tsan_init, "ThreadSanitizer")                                          \
  USE(__lsan_init, "LeakSanitizer")                                            \
  USE(__dfsan_set_label, "DataFlowSanitizer")                                  \
  USE(__tysan_init, "TypeSanitizer")                                           \
  USE(__nsan_init, "NumericalStabilitySanitizer")                              \
  USE(__rtsan_init, "RealtimeSanitizer")                                       \
  USE(__scudo_print_stats, "Scudo")

namespace thermocline::runtime {

#define THERMOCLINE_COUNT(Symbol, Name) +1
constexpr size_t NumSanitizers = 0 THERMOCLINE_SANITIZERS(THERMOCLINE_COUNT);
#undef THERMOCLINE_COUNT

/// Symbols that nobody defines are null.
struct ProgramSymbols {
  /// The address of this table, which the loader relocates. Before that,
  /// nothing in it is valid.
  uintptr_t Self;
  template <typename T> using PointerTo = T *;
#define THERMOCLINE_FIELD(Type, Symbol, Field) PointerTo<Type> Field;
  THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_FIELD)
#undef THERMOCLINE_FIELD
  PointerTo<void()> Sanitizers[NumSanitizers];
};

/// Finds them. To be called once, before all else.
void findProgramSymbols();
/// What was found.
const ProgramSymbols &programSymbols();

} // namespace thermocline::runtime

#endif
