//===- profile/entry/Malloc.h - The malloc family by own names --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of Malloc.cpp that are called where the program's malloc is
// not the runtime's. By the names of libc they would be the program's here,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ENTRY_MALLOC_H
#define THERMOCLINE_RUNTIME_PROFILE_ENTRY_MALLOC_H

#include <stddef.h>

/// As libc's function of the name.
#define THERMOCLINE_OWN_ENTRY(Name)                                            \
  __asm__("thermocline_entry_" #Name)                                          \
      __attribute__((visibility("hidden"), noinline))

namespace thermocline::runtime::entry {

void *malloc(size_t Size) THERMOCLINE_OWN_ENTRY(malloc);
void *calloc(size_t Count, size_t Size) THERMOCLINE_OWN_ENTRY(calloc);
void *realloc(void *Old, size_t Size) THERMOCLINE_OWN_ENTRY(realloc);
void free(void *Address) THERMOCLINE_OWN_ENTRY(free);
void *memalign(size_t Alignment, size_t Size) THERMOCLINE_OWN_ENTRY(memalign);
int posix_memalign(void **Result, size_t Alignment, size_t Size)
    THERMOCLINE_OWN_ENTRY(posix_memalign);
size_t malloc_usable_size(void *Address)
    THERMOCLINE_OWN_ENTRY(malloc_usable_size);

} // namespace thermocline::runtime::entry

#endif
