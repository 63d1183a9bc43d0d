//===- profile/Strings.cpp - Copies, fills and string duplicates ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass puts in place of memory intrinsics, and the functions of libc
// that allocate for their caller: defined here, so that the context ends at the
// call in the program and not inside of libc.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Shadow.h"
#include <errno.h>
#include <string.h>

using namespace thermocline::runtime;

/// Before the runtime has started there are no counters.
static void record(const void *Address, size_t Size) {
  if (__builtin_expect(__memprof_shadow_memory_dynamic_address != 0, true))
    shadow::recordRange(reinterpret_cast<uintptr_t>(Address), Size);
}

THERMOCLINE_INTERFACE void *__memprof_memcpy(void *To, const void *From,
                                             size_t Size) {
  record(From, Size);
  record(To, Size);
  return memcpy(To, From, Size);
}

THERMOCLINE_INTERFACE void *__memprof_memmove(void *To, const void *From,
                                              size_t Size) {
  record(From, Size);
  record(To, Size);
  return memmove(To, From, Size);
}

THERMOCLINE_INTERFACE void *__memprof_memset(void *To, int Byte, size_t Size) {
  record(To, Size);
  return memset(To, Byte, Size);
}

/// A copy of \p Length characters and a final zero.
static char *duplicate(const char *Text, size_t Length, Caller From) {
  auto *Result = static_cast<char *>(
      Runtime::get().allocations().allocate(Length + 1, 1, From));
  if (!Result) {
    errno = ENOMEM;
    return nullptr;
  }
  memcpy(Result, Text, Length);
  Result[Length] = 0;
  return Result;
}

static char *duplicateAll(const char *Text, Caller From) {
  size_t Length = strlen(Text);
  record(Text, Length + 1);
  return duplicate(Text, Length, From);
}

THERMOCLINE_INTERFACE char *strdup(const char *Text) {
  return duplicateAll(Text, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE char *__strdup(const char *Text) {
  return duplicateAll(Text, THERMOCLINE_CALLER);
}

static char *duplicatePart(const char *Text, size_t Limit, Caller From) {
  size_t Length = strnlen(Text, Limit);
  record(Text, Length < Limit ? Length + 1 : Limit);
  return duplicate(Text, Length, From);
}

THERMOCLINE_INTERFACE char *strndup(const char *Text, size_t Limit) {
  return duplicatePart(Text, Limit, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE char *__strndup(const char *Text, size_t Limit) {
  return duplicatePart(Text, Limit, THERMOCLINE_CALLER);
}
