//===- profile/Hooks.cpp - What the program wants called ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hooks.h"
#include "Thread.h"

using namespace thermocline::runtime;

// Of the program, if it wants.
extern "C" {
__attribute__((weak)) void __sanitizer_malloc_hook(const volatile void *,
                                                   size_t);
__attribute__((weak)) void __sanitizer_free_hook(const volatile void *);
__attribute__((weak)) int __sanitizer_ignore_free_hook(const volatile void *);
}

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
  return __sanitizer_malloc_hook || __sanitizer_free_hook ||
         __sanitizer_ignore_free_hook;
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
  if (__sanitizer_malloc_hook)
    __sanitizer_malloc_hook(Address, Size);
  for (int I = 0; I != NumInstalled; ++I)
    Installed[I].Malloc(Address, Size);
}

bool hooks::mayFree(const void *Address) {
  Calling Now;
  if (!Now)
    return true;
  if (__sanitizer_ignore_free_hook && __sanitizer_ignore_free_hook(Address))
    return false;
  if (__sanitizer_free_hook)
    __sanitizer_free_hook(Address);
  for (int I = 0; I != NumInstalled; ++I)
    Installed[I].Free(Address);
  return true;
}
