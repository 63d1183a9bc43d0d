//===- Format/ProgramNotes.h - What programs say of themselves --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ELF notes that libraries of Thermocline leave in the program or library that
// they are linked into. They stay when a program is stripped. Macros, because
// assembler text needs them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_PROGRAMNOTES_H
#define THERMOCLINE_FORMAT_PROGRAMNOTES_H

/// The owner of all of them, in as many bytes with the final zero as the
/// assembler texts say.
#define THERMOCLINE_NOTE_OWNER "Thermocline"

// The types.

/// Built for profiles. Its content is the distance from there to the table of
/// ProgramSymbols.h, in 4 bytes. Changes of the table change this number.
#define THERMOCLINE_NOTE_PROFILED 1
/// The allocator's archive is in the program. Its content is the distance from
/// there to the table of HintTable.h, in 4 bytes.
#define THERMOCLINE_NOTE_ALLOCATOR 2
/// A hinted function of libthermocline_hints is in it, one note for each: its
/// calls are cold only if the process has the allocator. Its content is the
/// function's symbol, with a final zero.
#define THERMOCLINE_NOTE_HINT 3
/// Code of modules with cold contexts was made by a linker that is not
/// Thermocline's, or by a stock backend (Annotate/Metadata/LinkNotice.h). It
/// has no content.
#define THERMOCLINE_NOTE_OTHER_LINKER 4
/// Native code of fat objects with cold contexts is in it, where bitcode was to
/// be linked. It has no content.
#define THERMOCLINE_NOTE_NATIVE_CODE 5

#define THERMOCLINE_NOTE_TEXT(Number) #Number
#define THERMOCLINE_NOTE_NUMBER(Number) THERMOCLINE_NOTE_TEXT(Number)

/// Assembler text for a note of this type, with a directive that makes its
/// content. The content is at the label 2.
#define THERMOCLINE_NOTE(Type, Content)                                        \
  __asm__(".pushsection .note.thermocline, \"a\", @note\n"                     \
          ".balign 4\n"                                                        \
          ".long 1f - 0f, 3f - 2f, " THERMOCLINE_NOTE_NUMBER(                  \
              Type) "\n"                                                       \
                    "0: .asciz \"" THERMOCLINE_NOTE_OWNER "\"\n"               \
                    "1: .balign 4\n"                                           \
                    "2: " Content "\n"                                         \
                    "3: .balign 4\n"                                           \
                    ".popsection\n")

#endif
