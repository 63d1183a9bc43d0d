/*===- bench/gain/drivers/jansson.c - A document of hash tables --*- C -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: jansson FILE ROUNDS
// Reads a list of issues, then follows which blocks which, through issues that
// are open, from each of some.
//
//===----------------------------------------------------------------------===*/

#include "jansson.h"

#include "phase.h"

#include <stdlib.h>

static size_t numberOf(json_t *Issue, const char *Key) {
  return (size_t)json_integer_value(json_object_get(Issue, Key));
}

int main(int ArgumentCount, char **Arguments) {
  if (ArgumentCount != 3) {
    fprintf(stderr, "usage: jansson FILE ROUNDS\n");
    return 1;
  }
  json_error_t Error;
  json_t *Issues = json_load_file(Arguments[1], 0, &Error);
  if (!Issues) {
    fprintf(stderr, "jansson: %s: %s\n", Arguments[1], Error.text);
    return 1;
  }
  unsigned long Sum = 0;
  phaseBegin();
  for (int Round = 0, Rounds = atoi(Arguments[2]); Round < Rounds; ++Round)
    for (size_t First = (size_t)Round; First < json_array_size(Issues);
         First += 50) {
      size_t At = First;
      for (int Steps = 0; Steps < 20; ++Steps) {
        json_t *Issue = json_array_get(Issues, At);
        if (json_is_true(json_object_get(Issue, "open")))
          Sum += numberOf(Issue, "comments");
        At = numberOf(Issue, "blocks");
      }
    }
  phaseEnd(Sum);
  return 0;
}
