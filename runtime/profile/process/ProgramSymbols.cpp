//===- profile/process/ProgramSymbols.cpp - What the program may define ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramSymbols.h"
#include "LoadedObjects.h"
#include "platform/System.h"
#include "thermocline/Format/ProgramNotes.h"

using namespace thermocline::runtime;

extern "C" {
#define THERMOCLINE_DECLARE(Type, Symbol, Field)                               \
  extern __attribute__((weak)) __typeof__(Type) Symbol;
THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_DECLARE)
#define THERMOCLINE_DECLARE_SANITIZER(Symbol, Name)                            \
  __attribute__((weak)) void Symbol();
THERMOCLINE_SANITIZERS(THERMOCLINE_DECLARE_SANITIZER)
}

static ProgramSymbols Found;

const ProgramSymbols &thermocline::runtime::programSymbols() { return Found; }

template <typename T> static void takeIfMissing(T *&Symbol, T *Other) {
  if (!Symbol)
    Symbol = Other;
}

static void takeOwnReferences() {
#define THERMOCLINE_TAKE(Type, Symbol, Field)                                  \
  takeIfMissing(Found.Field, &Symbol);
  THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_TAKE)
  size_t I = 0;
#define THERMOCLINE_TAKE_SANITIZER(Symbol, Name)                               \
  takeIfMissing(Found.Sanitizers[I++], &Symbol);
  THERMOCLINE_SANITIZERS(THERMOCLINE_TAKE_SANITIZER)
}

#ifndef __PIE__
static void takeTable(const ProgramSymbols &Table) {
#define THERMOCLINE_TAKE_FIELD(Type, Symbol, Field)                            \
  takeIfMissing(Found.Field, Table.Field);
  THERMOCLINE_PROGRAM_SYMBOLS(THERMOCLINE_TAKE_FIELD)
  for (size_t I = 0; I != NumSanitizers; ++I)
    takeIfMissing(Found.Sanitizers[I], Table.Sanitizers[I]);
}

static void takeTables() {
  LoadedObjects Objects;
  LoadedObject Object;
  while (Objects.next(Object)) {
    uintptr_t Note =
        Object.findNote(THERMOCLINE_NOTE_OWNER, THERMOCLINE_NOTE_PROFILED);
    int32_t Distance;
    ProgramSymbols Table;
    if (!Note || !sys::readMemory(&Distance, Note, sizeof(Distance)))
      continue;
    uintptr_t Address = Note + static_cast<uintptr_t>(intptr_t(Distance));
    if (sys::readMemory(&Table, Address, sizeof(Table)) &&
        Table.Self == Address)
      takeTable(Table);
  }
}
#endif

void thermocline::runtime::findProgramSymbols() {
#ifndef __PIE__
  takeTables();
#endif
  takeOwnReferences();
}
