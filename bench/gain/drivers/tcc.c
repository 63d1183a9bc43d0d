/*===- bench/gain/drivers/tcc.c - A file compiled again and again  *- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: tcc FILE ROUNDS
// Compiles a file in memory, and drops what came of it, again and again.
//
//===----------------------------------------------------------------------===*/

#include "phase.h"

#include "libtcc.h"

static char *contentsOf(const char *Path) {
  FILE *File = fopen(Path, "rb");
  if (!File || fseek(File, 0, SEEK_END) != 0)
    return NULL;
  long Size = ftell(File);
  char *Text = malloc(Size + 1);
  rewind(File);
  if (fread(Text, 1, Size, File) != (size_t)Size)
    return NULL;
  Text[Size] = '\0';
  fclose(File);
  return Text;
}

static int compile(const char *Text) {
  TCCState *State = tcc_new();
  tcc_set_options(State, "-nostdlib -nostdinc");
  tcc_set_output_type(State, TCC_OUTPUT_MEMORY);
  int Failed = tcc_compile_string(State, Text);
  tcc_delete(State);
  return Failed;
}

int main(int ArgumentCount, char **Arguments) {
  char *Text;
  if (ArgumentCount != 3 || !(Text = contentsOf(Arguments[1]))) {
    fprintf(stderr, "usage: tcc FILE ROUNDS\n");
    return 1;
  }
  unsigned long Failed = compile(Text);
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round)
    Failed += compile(Text);
  phaseEnd(Failed);
  return Failed != 0;
}
