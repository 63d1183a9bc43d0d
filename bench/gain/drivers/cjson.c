/*===- bench/gain/drivers/cjson.c - A document that is asked by key *- C
-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: cjson FILE ROUNDS
// Reads a list of issues, then follows which blocks which, through issues that
// are open, from each of some.
//
//===----------------------------------------------------------------------===*/

#include "cJSON.h"

#include "phase.h"

#include <stdlib.h>

static char *readFile(const char *Path) {
  FILE *File = fopen(Path, "r");
  if (!File || fseek(File, 0, SEEK_END) != 0)
    return NULL;
  size_t Size = (size_t)ftell(File);
  char *Text = malloc(Size + 1);
  rewind(File);
  if (!Text || fread(Text, 1, Size, File) != Size)
    return NULL;
  Text[Size] = '\0';
  fclose(File);
  return Text;
}

static double numberOf(const cJSON *Issue, const char *Key) {
  return cJSON_GetObjectItemCaseSensitive(Issue, Key)->valuedouble;
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: cjson FILE ROUNDS\n");
    return 1;
  }
  char *Text = readFile(Arguments[1]);
  cJSON *Document = Text ? cJSON_Parse(Text) : NULL;
  if (!Document) {
    fprintf(stderr, "cjson: cannot read %s\n", Arguments[1]);
    return 1;
  }
  free(Text);
  size_t Count = (size_t)cJSON_GetArraySize(Document), Index = 0;
  const cJSON **Issues = malloc(Count * sizeof(*Issues)), *Each;
  cJSON_ArrayForEach(Each, Document) Issues[Index++] = Each;

  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round)
    for (size_t First = (size_t)Round; First < Count; First += 50) {
      size_t At = First;
      for (int Steps = 0; Steps < 20; ++Steps) {
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(Issues[At], "open")))
          Sum += (unsigned long)numberOf(Issues[At], "comments");
        At = (size_t)numberOf(Issues[At], "blocks");
      }
    }
  phaseEnd(Sum);
  return 0;
}
