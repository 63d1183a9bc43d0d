//===- alloc/abi/ProgramTable.h - A table that is not exported --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that has the allocator's archive may not export
// thermocline_alloc_hints: version scripts and --exclude-libs forbid it. So a
// note of the program says where the table is, and libraries look there if the
// symbol is missing.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_PROGRAMTABLE_H
#define THERMOCLINE_ALLOC_PROGRAMTABLE_H

#include "HintTable.h"
#include "thermocline/Format/ProgramNotes.h"
#include <link.h>
#include <sys/auxv.h>

// Static programs need not have it.
#pragma weak _r_debug

// The functions are static: libraries that hinted programs take late have no
// groups, which a link after LTO would drop.
namespace thermocline::alloc {

/// The table at which a note from \p Begin to \p End points, or null.
static inline const HintTable *tableOfNotes(uintptr_t Begin,
                                            uintptr_t End) noexcept {
  constexpr char Owner[] = THERMOCLINE_NOTE_OWNER;
  auto RoundedUp = [](uintptr_t Size) { return (Size + 3) & ~uintptr_t(3); };
  while (Begin + sizeof(ElfW(Nhdr)) <= End) {
    auto *Note = reinterpret_cast<const ElfW(Nhdr) *>(Begin);
    uintptr_t Name = Begin + sizeof(*Note);
    uintptr_t Content = Name + RoundedUp(Note->n_namesz);
    Begin = Content + RoundedUp(Note->n_descsz);
    if (Note->n_type != THERMOCLINE_NOTE_ALLOCATOR ||
        Note->n_namesz != sizeof(Owner) || Note->n_descsz != sizeof(int32_t))
      continue;
    size_t Same = 0;
    while (Same != sizeof(Owner) &&
           reinterpret_cast<const char *>(Name)[Same] == Owner[Same])
      ++Same;
    if (Same == sizeof(Owner))
      return reinterpret_cast<const HintTable *>(
          Content + *reinterpret_cast<const int32_t *>(Content));
  }
  return nullptr;
}

/// Where the program is, from the addresses that its headers say. False if that
/// is not known.
static inline bool baseOfProgram(const ElfW(Phdr) * Headers, size_t Count,
                                 uintptr_t &Base) noexcept {
  for (size_t I = 0; I != Count; ++I)
    if (Headers[I].p_type == PT_PHDR) {
      Base = reinterpret_cast<uintptr_t>(Headers) - Headers[I].p_vaddr;
      return true;
    }
  const link_map *Program = &_r_debug ? _r_debug.r_map : nullptr;
  Base = Program ? Program->l_addr : 0;
  return Program;
}

/// The table of the allocator that is part of the program, or null. Calls
/// nothing of libc but what reads the auxiliary vector.
static inline const HintTable *tableOfProgram() noexcept {
  auto *Headers = reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
  size_t Count = Headers ? getauxval(AT_PHNUM) : 0;
  uintptr_t Base;
  if (!baseOfProgram(Headers, Count, Base))
    return nullptr;
  for (size_t I = 0; I != Count; ++I) {
    uintptr_t Begin = Base + Headers[I].p_vaddr;
    if (Headers[I].p_type == PT_NOTE)
      if (auto *Table = tableOfNotes(Begin, Begin + Headers[I].p_memsz))
        return Table;
  }
  return nullptr;
}

} // namespace thermocline::alloc

#endif
