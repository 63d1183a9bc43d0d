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

/// Where the content of a note of Thermocline's is, of this type and of Size
/// bytes, among the notes from Begin to End; 0 if there is none.
static inline uintptr_t contentOfNote(uintptr_t Begin, uintptr_t End,
                                      unsigned Type, size_t Size) noexcept {
  constexpr char Owner[] = THERMOCLINE_NOTE_OWNER;
  auto RoundedUp = [](uintptr_t Length) {
    return (Length + 3) & ~uintptr_t(3);
  };
  while (Begin + sizeof(ElfW(Nhdr)) <= End) {
    auto *Note = reinterpret_cast<const ElfW(Nhdr) *>(Begin);
    uintptr_t Name = Begin + sizeof(*Note);
    uintptr_t Content = Name + RoundedUp(Note->n_namesz);
    Begin = Content + RoundedUp(Note->n_descsz);
    if (Note->n_type != Type || Note->n_namesz != sizeof(Owner) ||
        Note->n_descsz != Size)
      continue;
    size_t Same = 0;
    while (Same != sizeof(Owner) &&
           reinterpret_cast<const char *>(Name)[Same] == Owner[Same])
      ++Same;
    if (Same == sizeof(Owner))
      return Content;
  }
  return 0;
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

/// Where the content of such a note is among the notes of the program; 0 if
/// there is none. Calls nothing of libc but what reads the auxiliary vector.
static inline uintptr_t contentOfProgramsNote(unsigned Type,
                                              size_t Size) noexcept {
  auto *Headers = reinterpret_cast<const ElfW(Phdr) *>(getauxval(AT_PHDR));
  size_t Count = Headers ? getauxval(AT_PHNUM) : 0;
  uintptr_t Base;
  if (!baseOfProgram(Headers, Count, Base))
    return 0;
  for (size_t I = 0; I != Count; ++I) {
    uintptr_t Begin = Base + Headers[I].p_vaddr;
    if (Headers[I].p_type == PT_NOTE)
      if (uintptr_t Content =
              contentOfNote(Begin, Begin + Headers[I].p_memsz, Type, Size))
        return Content;
  }
  return 0;
}

/// The table of the allocator that is part of the program, or null.
static inline const HintTable *tableOfProgram() noexcept {
  uintptr_t Content =
      contentOfProgramsNote(THERMOCLINE_NOTE_ALLOCATOR, sizeof(int32_t));
  if (!Content)
    return nullptr;
  return reinterpret_cast<const HintTable *>(
      Content + *reinterpret_cast<const int32_t *>(Content));
}

/// Whether the program has a note without content of this type.
static inline bool hasProgramNote(unsigned Type) noexcept {
  return contentOfProgramsNote(Type, 0) != 0;
}

} // namespace thermocline::alloc

#endif
