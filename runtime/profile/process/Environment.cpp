//===- process/Environment.cpp - What the program was started with --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

/// A variable of the dynamic loader. It points to where the kernel put the
/// number of arguments, the arguments, null, the environment, null.
extern "C" void *__libc_stack_end;

using namespace thermocline::runtime;

bool thermocline::runtime::hasMoreRights() { return getauxval(AT_SECURE) != 0; }

/// The environment as the kernel put it. In a static program libc knows the
/// environment from its first instruction on, and the pointer is a little off.
static uintptr_t *kernelsArguments(uintptr_t &Count) {
  auto *Start = static_cast<uintptr_t *>(__libc_stack_end);
  if (!Start)
    return nullptr;
  constexpr uintptr_t MostArguments = uintptr_t(1) << 24;
  Count = *Start;
  if (Count == 0 || Count > MostArguments || Start[Count + 1] != 0)
    return nullptr;
  return Start + 1;
}

static char **kernelsEnvironment() {
  uintptr_t Count = 0;
  uintptr_t *Arguments = kernelsArguments(Count);
  return Arguments ? reinterpret_cast<char **>(Arguments + Count + 1) : nullptr;
}

const char *thermocline::runtime::nameOfProgram() {
  uintptr_t Count = 0;
  uintptr_t *Arguments = kernelsArguments(Count);
  if (!Arguments)
    return nullptr;
  auto *Result = reinterpret_cast<const char *>(*Arguments);
  for (const char *Next = Result; *Next; ++Next)
    if (*Next == '/')
      Result = Next + 1;
  return Result;
}

static char **environment() { return environ ? environ : kernelsEnvironment(); }

/// \returns the value if \p Entry is of \p Name, or null.
static const char *valueOf(const char *Entry, const char *Name) {
  while (*Name && *Entry == *Name)
    ++Entry, ++Name;
  return *Name == 0 && *Entry == '=' ? Entry + 1 : nullptr;
}

const char *thermocline::runtime::environmentVariable(const char *Name) {
  char **Entries = environment();
  for (; Entries && *Entries; ++Entries)
    if (const char *Value = valueOf(*Entries, Name))
      return Value;
  return nullptr;
}

void thermocline::runtime::removeEnvironmentVariable(const char *Name) {
  char **Kept = environment();
  if (!Kept)
    return;
  for (char **Entries = Kept; *Entries; ++Entries)
    if (!valueOf(*Entries, Name))
      *Kept++ = *Entries;
  *Kept = nullptr;
}
