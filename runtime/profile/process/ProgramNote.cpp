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

#define THERMOCLINE_ADDRESS(Symbol) ".weak " #Symbol "\n.quad " #Symbol "\n"
#define THERMOCLINE_SYMBOL(Type, Symbol, Field) THERMOCLINE_ADDRESS(Symbol)
#define THERMOCLINE_SANITIZER(Symbol, Name) THERMOCLINE_ADDRESS(Symbol)
#define THERMOCLINE_TEXT(Number) #Number
#define THERMOCLINE_NUMBER(Number) THERMOCLINE_TEXT(Number)

__asm__(".pushsection .data.rel.ro.thermocline, \"aw\", @progbits\n"
        ".balign 8\n"
        ".Lthermocline_table: .quad .Lthermocline_table\n");
__asm__(THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_SYMBOL));
__asm__(THERMOCLINE_SANITIZERS(THERMOCLINE_SANITIZER));
__asm__(".popsection");

// Only the distance of the table, which needs no relocation.
__asm__(".pushsection .note.thermocline, \"a\", @note\n"
        ".balign 4\n"
        ".long 1f - 0f, 3f - 2f, " THERMOCLINE_NUMBER(THERMOCLINE_NOTE_TYPE));
__asm__("0: .asciz \"" THERMOCLINE_NOTE_OWNER "\"\n"
        "1: .balign 4\n"
        "2: .long .Lthermocline_table - 2b\n"
        "3: .popsection\n");
