//===- profile/process/ProgramNote.cpp - What is linked into each program -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of what this program or library defines, and the note by which the
// shared runtime finds it; see ProgramSymbols.h. It has no code and no symbols,
// because a program may have it several times, for example by objects of -r.
//
//===----------------------------------------------------------------------===//

#include "ProgramSymbols.h"
#include "thermocline/Format/ProgramNotes.h"

#define THERMOCLINE_ADDRESS(Symbol) ".weak " #Symbol "\n.quad " #Symbol "\n"
#define THERMOCLINE_SYMBOL(Type, Symbol, Field) THERMOCLINE_ADDRESS(Symbol)
#define THERMOCLINE_SANITIZER(Symbol, Name) THERMOCLINE_ADDRESS(Symbol)

__asm__(".pushsection .data.rel.ro.thermocline, \"aw\", @progbits\n"
        ".balign 8\n"
        ".Lthermocline_table: .quad .Lthermocline_table\n");
__asm__(THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_SYMBOL));
__asm__(THERMOCLINE_SANITIZERS(THERMOCLINE_SANITIZER));
__asm__(".popsection");

// Only the distance of the table, which needs no relocation.
THERMOCLINE_NOTE(THERMOCLINE_NOTE_PROFILED, ".long .Lthermocline_table - 2b");
