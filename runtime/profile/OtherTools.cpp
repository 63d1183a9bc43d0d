//===- profile/OtherTools.cpp - What excludes profiling -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherTools.h"
#include "Environment.h"
#include "Text.h"

using namespace thermocline::runtime;

// Each is defined by one runtime only.
#define THERMOCLINE_SANITIZERS(USE)                                            \
  USE(__asan_init, "AddressSanitizer")                                         \
  USE(__hwasan_init, "HWAddressSanitizer")                                     \
  USE(__msan_init, "MemorySanitizer")                                          \
  USE(__tsan_init, "ThreadSanitizer")                                          \
  USE(__lsan_init, "LeakSanitizer")                                            \
  USE(__dfsan_set_label, "DataFlowSanitizer")                                  \
  USE(__tysan_init, "TypeSanitizer")                                           \
  USE(__nsan_init, "NumericalStabilitySanitizer")                              \
  USE(__rtsan_init, "RealtimeSanitizer")                                       \
  USE(__scudo_print_stats, "Scudo")

#define THERMOCLINE_DECLARE(Symbol, Name)                                      \
  extern "C" __attribute__((weak)) void Symbol();
THERMOCLINE_SANITIZERS(THERMOCLINE_DECLARE)

const char *thermocline::runtime::conflictingSanitizer() {
#define THERMOCLINE_LOOK_FOR(Symbol, Name)                                     \
  if (Symbol)                                                                  \
    return Name;
  THERMOCLINE_SANITIZERS(THERMOCLINE_LOOK_FOR)
  return nullptr;
}

/// It shows by what it preloads.
bool thermocline::runtime::runsUnderValgrind() {
  const char *Preloaded = environmentVariable("LD_PRELOAD");
  constexpr char Own[] = "/vgpreload_";
  constexpr size_t Size = sizeof(Own) - 1;
  for (; Preloaded && textLength(Preloaded) >= Size; ++Preloaded)
    if (textEquals(Preloaded, Size, Own))
      return true;
  return false;
}
