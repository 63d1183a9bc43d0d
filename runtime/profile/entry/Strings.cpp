//===- profile/entry/Strings.cpp - String duplicates ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of libc that allocate a copy for their caller: defined here, so
// that the context ends at the call in the program and not inside of libc.
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Runtime.h"
#include "measure/Shadow.h"
#include "platform/LibcFunctions.h"
#include <errno.h>

using namespace thermocline::runtime;

/// A copy of \p Length characters and a final zero. Like LLVM's runtime, it
/// counts what is read (\p Read bytes), and not the writing of the copy.
static char *duplicate(const char *Text, size_t Length, size_t Read,
                       Caller Site) {
  auto *Result = static_cast<char *>(
      Runtime::get().allocations().allocate(Length + 1, 1, Site));
  if (!Result) {
    errno = ENOMEM;
    return nullptr;
  }
  if (shadow::isInitialized())
    shadow::recordRange(reinterpret_cast<uintptr_t>(Text), Read);
  libc().Memcpy(Result, Text, Length);
  Result[Length] = 0;
  return Result;
}

static char *duplicateAll(const char *Text, Caller Site) {
  size_t Length = libc().Strlen(Text);
  return duplicate(Text, Length, Length + 1, Site);
}

static char *duplicatePart(const char *Text, size_t Limit, Caller Site) {
  size_t Length = libc().Strnlen(Text, Limit);
  return duplicate(Text, Length, Length < Limit ? Length + 1 : Limit, Site);
}

THERMOCLINE_INTERFACE char *strdup(const char *Text) {
  return duplicateAll(Text, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE char *__strdup(const char *Text) {
  return duplicateAll(Text, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE char *strndup(const char *Text, size_t Limit) {
  return duplicatePart(Text, Limit, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE char *__strndup(const char *Text, size_t Limit) {
  return duplicatePart(Text, Limit, THERMOCLINE_CALLER);
}
