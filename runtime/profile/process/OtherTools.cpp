//===- profile/process/OtherTools.cpp - What excludes profiling -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherTools.h"
#include "Environment.h"
#include "ProgramSymbols.h"
#include "platform/Text.h"

using namespace thermocline::runtime;

const char *thermocline::runtime::conflictingSanitizer() {
#define THERMOCLINE_NAME(Symbol, Name) Name,
  constexpr const char *Names[] = {THERMOCLINE_SANITIZERS(THERMOCLINE_NAME)};
  for (size_t I = 0; I != NumSanitizers; ++I)
    if (programSymbols().Sanitizers[I])
      return Names[I];
  return nullptr;
}

/// Valgrind can be recognized by what it preloads.
bool thermocline::runtime::runsUnderValgrind() {
  const char *Preloaded = environmentVariable("LD_PRELOAD");
  constexpr char Own[] = "/vgpreload_";
  constexpr size_t Size = sizeof(Own) - 1;
  for (; Preloaded && textLength(Preloaded) >= Size; ++Preloaded)
    if (textEquals(Preloaded, Size, Own))
      return true;
  return false;
}
