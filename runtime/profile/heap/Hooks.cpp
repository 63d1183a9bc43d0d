//===- profile/heap/Hooks.cpp - What the program wants called -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hooks.h"
#include "platform/Thread.h"
#include "process/ProgramSymbols.h"

using namespace thermocline::runtime;

namespace {

constexpr int MaxPairs = 5;
struct Pair {
  hooks::MallocHook Malloc;
  hooks::FreeHook Free;
};

/// Calls nothing where a hook runs already, or the runtime itself.
class Calling {
public:
  Calling() : MayCall(!thisThread().Inside && !thisThread().IsInHook) {
    if (MayCall)
      thisThread().IsInHook = true;
  }
  ~Calling() {
    if (MayCall)
      thisThread().IsInHook = false;
  }
  Calling(const Calling &) = delete;
  Calling &operator=(const Calling &) = delete;

  explicit operator bool() const { return MayCall; }

private:
  const bool MayCall;
};

} // namespace

static Pair Installed[MaxPairs];
static int NumInstalled;

bool hooks::areDefined() {
  const ProgramSymbols &Program = programSymbols();
  return Program.MallocHook || Program.FreeHook || Program.IgnoreFreeHook;
}

int hooks::install(MallocHook Malloc, FreeHook Free) {
  if (!Malloc || !Free || NumInstalled == MaxPairs)
    return 0;
  Installed[NumInstalled] = {Malloc, Free};
  return ++NumInstalled;
}

void hooks::allocated(const void *Address, size_t Size) {
  Calling Now;
  if (!Now)
    return;
  if (auto *Hook = programSymbols().MallocHook)
    Hook(Address, Size);
  for (int I = 0; I != NumInstalled; ++I)
    Installed[I].Malloc(Address, Size);
}

bool hooks::mayFree(const void *Address) {
  Calling Now;
  if (!Now)
    return true;
  const ProgramSymbols &Program = programSymbols();
  if (Program.IgnoreFreeHook && Program.IgnoreFreeHook(Address))
    return false;
  if (Program.FreeHook)
    Program.FreeHook(Address);
  for (int I = 0; I != NumInstalled; ++I)
    Installed[I].Free(Address);
  return true;
}
