//===- alloc/entry/DeepBind.cpp - Plugins that would have libc's malloc ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RTLD_DEEPBIND makes a plugin look up malloc and free in libc before it looks
// in the program. Then it frees by libc what libc, by the program's malloc, has
// given it, and the process dies. So under this allocator the flag is left out.
//
//===----------------------------------------------------------------------===//

#include "heap/Export.h"
#include "heap/Role.h"
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace thermocline::alloc;

using Function = void *(const char *, int);

// These are null in programs that do not have them.
extern "C" __attribute__((weak)) Function __interceptor_dlopen;
#pragma weak dlsym

/// Whether the user wants the flag whatever comes of it.
static bool keepsDeepBind() {
  const char *Text = secure_getenv("THERMOCLINE_ALLOC_DEEPBIND");
  return Text != nullptr && strcmp(Text, "1") == 0;
}

static Function *nextFunction() {
  if (__interceptor_dlopen)
    return __interceptor_dlopen;
  return dlsym ? reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "dlopen"))
               : nullptr;
}

THERMOCLINE_EXPORT void *dlopen(const char *File, int Mode) noexcept {
  if ((Mode & RTLD_DEEPBIND) != 0 && servesOrIsProfiled() && !keepsDeepBind())
    Mode &= ~RTLD_DEEPBIND;
  // The dynamic linker asks who called: that must not be this function.
  if (Function *Next = nextFunction()) [[clang::musttail]]
    return Next(File, Mode);
  // A static program has this function in place of libc's, and no next one.
  return dlmopen(LM_ID_BASE, File, Mode);
}
