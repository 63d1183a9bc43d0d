/*===- bench/gain/drivers/jq.c - Queries of one document --------*- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: jq FILE ROUNDS
// Reads a JSON file, then asks the same questions about it again and again.
//
//===----------------------------------------------------------------------===*/

#include "jv.h"

#include "jq.h"
#include "phase.h"

#include <string.h>

static const char *const Questions[] = {
    "map(select(.state == \"open\") | .id) | add",
    "map(select(.comments > 30) | .comments) | length",
    "[.[] | select(.state == \"merged\" and .comments < 5)] | length",
};
enum { QuestionCount = sizeof(Questions) / sizeof(*Questions) };

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: jq FILE ROUNDS\n");
    return 1;
  }
  jv Document = jv_load_file(Arguments[1], 0);
  if (!jv_is_valid(Document) || jv_array_length(jv_copy(Document)) != 1) {
    fprintf(stderr, "jq: cannot read %s\n", Arguments[1]);
    return 1;
  }
  Document = jv_array_get(Document, 0);
  jq_state *Asked[QuestionCount];
  for (int I = 0; I < QuestionCount; ++I) {
    Asked[I] = jq_init();
    if (!Asked[I] || !jq_compile(Asked[I], Questions[I]))
      return 1;
  }

  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round)
    for (int I = 0; I < QuestionCount; ++I) {
      jq_start(Asked[I], jv_copy(Document), 0);
      jv Found = jq_next(Asked[I]);
      Sum = Sum * 31 + (unsigned long)jv_number_value(Found);
      jv_free(Found);
      jv_free(jq_next(Asked[I]));
    }
  phaseEnd(Sum);
  return 0;
}
