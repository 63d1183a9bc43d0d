//===- profile/New.cpp - operator new and delete --------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All forms of C++20, by their mangled names: this file is C++ without a C++
// library. What it needs of one, to report that memory is exhausted, it takes
// from the program if that has one.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "System.h"

using namespace thermocline::runtime;

// std::get_new_handler() and std::__throw_bad_alloc().
extern "C" {
__attribute__((weak)) void (*_ZSt15get_new_handlerv())();
__attribute__((weak)) void _ZSt17__throw_bad_allocv();
}

/// Calls the program's new handler, as the language asks of a failed operator
/// new. \returns whether there is one, and so reason to try again.
static bool callNewHandler() {
  auto *Handler = _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : nullptr;
  if (Handler)
    Handler();
  return Handler;
}

static void *allocateOrNull(size_t Size, size_t Alignment, Caller From) {
  return Runtime::get().allocations().allocate(Size, Alignment, From);
}

static void *allocateOrThrow(size_t Size, size_t Alignment, Caller From) {
  for (;;) {
    if (void *Result = allocateOrNull(Size, Alignment, From))
      return Result;
    if (callNewHandler())
      continue;
    if (_ZSt17__throw_bad_allocv)
      _ZSt17__throw_bad_allocv();
    sys::fatal("operator new: out of memory, and no C++ library to throw "
               "std::bad_alloc");
  }
}

static void release(void *Address) {
  Runtime::get().allocations().release(Address);
}

// p = void *, m = size_t, St11align_val_t, RKSt9nothrow_t.
THERMOCLINE_INTERFACE void *_Znwm(size_t Size) {
  return allocateOrThrow(Size, 1, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_Znam(size_t Size) {
  return allocateOrThrow(Size, 1, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnwmRKSt9nothrow_t(size_t Size, const void *) {
  return allocateOrNull(Size, 1, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnamRKSt9nothrow_t(size_t Size, const void *) {
  return allocateOrNull(Size, 1, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnwmSt11align_val_t(size_t Size,
                                                 size_t Alignment) {
  return allocateOrThrow(Size, Alignment, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnamSt11align_val_t(size_t Size,
                                                 size_t Alignment) {
  return allocateOrThrow(Size, Alignment, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t Size,
                                                               size_t Alignment,
                                                               const void *) {
  return allocateOrNull(Size, Alignment, THERMOCLINE_CALLER);
}
THERMOCLINE_INTERFACE void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t Size,
                                                               size_t Alignment,
                                                               const void *) {
  return allocateOrNull(Size, Alignment, THERMOCLINE_CALLER);
}

THERMOCLINE_INTERFACE void _ZdlPv(void *P) { release(P); }
THERMOCLINE_INTERFACE void _ZdaPv(void *P) { release(P); }
THERMOCLINE_INTERFACE void _ZdlPvm(void *P, size_t) { release(P); }
THERMOCLINE_INTERFACE void _ZdaPvm(void *P, size_t) { release(P); }
THERMOCLINE_INTERFACE void _ZdlPvRKSt9nothrow_t(void *P, const void *) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdaPvRKSt9nothrow_t(void *P, const void *) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdlPvSt11align_val_t(void *P, size_t) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdaPvSt11align_val_t(void *P, size_t) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdlPvmSt11align_val_t(void *P, size_t, size_t) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdaPvmSt11align_val_t(void *P, size_t, size_t) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *P, size_t,
                                                               const void *) {
  release(P);
}
THERMOCLINE_INTERFACE void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *P, size_t,
                                                               const void *) {
  release(P);
}
