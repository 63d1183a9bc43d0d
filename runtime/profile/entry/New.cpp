//===- profile/entry/New.cpp - operator new and delete --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All forms of operator new and delete of C++20, by their mangled names: this
// file is C++ without a C++ library. To report that memory is exhausted it
// needs one, and takes it from the program if that has one.
//
// A program may define forms of its own. So all forms here are weak. A form
// that the language defines through another one calls the program's form if
// there is one. So what one function allocated reaches the function that can
// free it.
//
//===----------------------------------------------------------------------===//

#include "New.h"
#include "lifecycle/Runtime.h"
#include "platform/LibcFunctions.h"
#include "process/Fatal.h"
#include "process/ProgramSymbols.h"

using namespace thermocline::runtime;

/// Calls the program's new handler, as the language asks of a failed operator
/// new. \returns whether there is one, and so reason to try again.
static bool callNewHandler() {
  auto *GetHandler = programSymbols().GetNewHandler;
  auto *Handler = GetHandler ? GetHandler() : nullptr;
  if (Handler)
    Handler();
  return Handler;
}

/// Lets the allocator below do what it is to do. Returns null if it is not to,
/// or cannot.
static inline void *allocateBelow(size_t Size, Caller Site) {
  if (Allocations::isPassedOver(Size) || Allocations::isForBelow(Size, Site))
    return libc().Allocator.Malloc(Size);
  return nullptr;
}

static void *allocateAlignedOrNull(size_t Size, size_t Alignment, Caller Site) {
  return Runtime::get().allocations().allocate(Size, Alignment, Site);
}

__attribute__((noinline)) static void *
allocateAlignedOrThrow(size_t Size, size_t Alignment, Caller Site) {
  for (;;) {
    if (void *Result = allocateAlignedOrNull(Size, Alignment, Site))
      return Result;
    if (callNewHandler())
      continue;
    if (auto *ThrowBadAlloc = programSymbols().ThrowBadAlloc)
      ThrowBadAlloc();
    sys::fatal("operator new: out of memory, and no C++ library to throw "
               "std::bad_alloc");
  }
}

static inline void *allocateOrNull(size_t Size, Caller Site) {
  if (void *Result = allocateBelow(Size, Site))
    return Result;
  return allocateAlignedOrNull(Size, 1, Site);
}

static inline void *allocateOrThrow(size_t Size, Caller Site) {
  if (void *Result = allocateBelow(Size, Site))
    return Result;
  return allocateAlignedOrThrow(Size, 1, Site);
}

#define THERMOCLINE_REPLACEABLE                                                \
  extern "C" __attribute__((visibility("default"), noinline, weak))

// p = void *, m = size_t, St11align_val_t, RKSt9nothrow_t. The two forms that
// others are defined through have a second name, by which to tell whether the
// program has its own.
extern "C" {
__attribute__((visibility("hidden"), noinline)) void *
thermocline_new(size_t Size) {
  return allocateOrThrow(Size, THERMOCLINE_CALLER);
}
__attribute__((visibility("hidden"), noinline)) void *
thermocline_new_aligned(size_t Size, size_t Alignment) {
  return allocateAlignedOrThrow(Size, Alignment, THERMOCLINE_CALLER);
}
__attribute__((visibility("default"), weak, alias("thermocline_new"))) void *
_Znwm(size_t Size);
__attribute__((visibility("default"), weak,
               alias("thermocline_new_aligned"))) void *
_ZnwmSt11align_val_t(size_t Size, size_t Alignment);
}

/// If a program takes the address of a function and looks nothing up, it has a
/// stub that stands for the function, here too.
static const void *Stub, *AlignedStub;

void thermocline::runtime::findOperatorStubs() {
  static Atomic<bool> AreFound;
  if (AreFound.exchange(true))
    return;
  if (isStubOfProgram(reinterpret_cast<const void *>(_Znwm)))
    Stub = reinterpret_cast<const void *>(_Znwm);
  if (isStubOfProgram(reinterpret_cast<const void *>(_ZnwmSt11align_val_t)))
    AlignedStub = reinterpret_cast<const void *>(_ZnwmSt11align_val_t);
}

static bool isReplaced() {
  return _Znwm != thermocline_new &&
         reinterpret_cast<const void *>(_Znwm) != Stub;
}
static bool isAlignedReplaced() {
  return _ZnwmSt11align_val_t != thermocline_new_aligned &&
         reinterpret_cast<const void *>(_ZnwmSt11align_val_t) != AlignedStub;
}

// The program's own form is reached by a jump, so that contexts of what it
// allocates have no call in here. It ignores the arguments beyond its own. What
// it throws passes through, as nothing is caught here.
using WithTag = void *(*)(size_t, const void *);
using AlignedWithTag = void *(*)(size_t, size_t, const void *);
#define THERMOCLINE_JUMP_TO_OWN(Form, Type, ...)                               \
  THERMOCLINE_JUMP reinterpret_cast<Type>(reinterpret_cast<uintptr_t>(Form))(  \
      __VA_ARGS__)

THERMOCLINE_REPLACEABLE void *_Znam(size_t Size) {
  if (isReplaced())
    THERMOCLINE_JUMP _Znwm(Size);
  return allocateOrThrow(Size, THERMOCLINE_CALLER);
}
THERMOCLINE_REPLACEABLE void *_ZnamSt11align_val_t(size_t Size,
                                                   size_t Alignment) {
  if (isAlignedReplaced())
    THERMOCLINE_JUMP _ZnwmSt11align_val_t(Size, Alignment);
  return allocateAlignedOrThrow(Size, Alignment, THERMOCLINE_CALLER);
}

THERMOCLINE_REPLACEABLE void *_ZnwmRKSt9nothrow_t(size_t Size,
                                                  const void *Tag) {
  if (isReplaced())
    THERMOCLINE_JUMP_TO_OWN(_Znwm, WithTag, Size, Tag);
  return allocateOrNull(Size, THERMOCLINE_CALLER);
}
THERMOCLINE_REPLACEABLE void *_ZnamRKSt9nothrow_t(size_t Size,
                                                  const void *Tag) {
  if (isReplaced())
    THERMOCLINE_JUMP_TO_OWN(_Znwm, WithTag, Size, Tag);
  return allocateOrNull(Size, THERMOCLINE_CALLER);
}
THERMOCLINE_REPLACEABLE void *
_ZnwmSt11align_val_tRKSt9nothrow_t(size_t Size, size_t Alignment,
                                   const void *Tag) {
  if (isAlignedReplaced())
    THERMOCLINE_JUMP_TO_OWN(_ZnwmSt11align_val_t, AlignedWithTag, Size,
                            Alignment, Tag);
  return allocateAlignedOrNull(Size, Alignment, THERMOCLINE_CALLER);
}
THERMOCLINE_REPLACEABLE void *
_ZnamSt11align_val_tRKSt9nothrow_t(size_t Size, size_t Alignment,
                                   const void *Tag) {
  if (isAlignedReplaced())
    THERMOCLINE_JUMP_TO_OWN(_ZnwmSt11align_val_t, AlignedWithTag, Size,
                            Alignment, Tag);
  return allocateAlignedOrNull(Size, Alignment, THERMOCLINE_CALLER);
}

// Likewise, and because most memory was never recorded.
extern "C" __attribute__((visibility("hidden"), noinline)) void
thermocline_delete(void *P) {
  Runtime::get().allocations().release(P, "operator delete");
}
using WithSize = void (*)(void *, size_t);
using WithDeleteTag = void (*)(void *, const void *);

THERMOCLINE_REPLACEABLE void _ZdlPv(void *P) {
  if (Allocations::isFromBelow(P))
    THERMOCLINE_JUMP libc().Allocator.Free(P);
  THERMOCLINE_JUMP thermocline_delete(P);
}
THERMOCLINE_REPLACEABLE void _ZdaPv(void *P) { THERMOCLINE_JUMP _ZdlPv(P); }
THERMOCLINE_REPLACEABLE void _ZdlPvm(void *P, size_t Size) {
  THERMOCLINE_JUMP_TO_OWN(_ZdlPv, WithSize, P, Size);
}
THERMOCLINE_REPLACEABLE void _ZdaPvm(void *P, size_t Size) {
  THERMOCLINE_JUMP_TO_OWN(_ZdaPv, WithSize, P, Size);
}
THERMOCLINE_REPLACEABLE void _ZdlPvRKSt9nothrow_t(void *P, const void *Tag) {
  THERMOCLINE_JUMP_TO_OWN(_ZdlPv, WithDeleteTag, P, Tag);
}
THERMOCLINE_REPLACEABLE void _ZdaPvRKSt9nothrow_t(void *P, const void *Tag) {
  THERMOCLINE_JUMP_TO_OWN(_ZdaPv, WithDeleteTag, P, Tag);
}
THERMOCLINE_REPLACEABLE void _ZdlPvSt11align_val_t(void *P, size_t) {
  thermocline_delete(P);
}
THERMOCLINE_REPLACEABLE void _ZdaPvSt11align_val_t(void *P, size_t Alignment) {
  _ZdlPvSt11align_val_t(P, Alignment);
}
THERMOCLINE_REPLACEABLE void _ZdlPvmSt11align_val_t(void *P, size_t,
                                                    size_t Alignment) {
  _ZdlPvSt11align_val_t(P, Alignment);
}
THERMOCLINE_REPLACEABLE void _ZdaPvmSt11align_val_t(void *P, size_t,
                                                    size_t Alignment) {
  _ZdaPvSt11align_val_t(P, Alignment);
}
THERMOCLINE_REPLACEABLE void
_ZdlPvSt11align_val_tRKSt9nothrow_t(void *P, size_t Alignment, const void *) {
  _ZdlPvSt11align_val_t(P, Alignment);
}
THERMOCLINE_REPLACEABLE void
_ZdaPvSt11align_val_tRKSt9nothrow_t(void *P, size_t Alignment, const void *) {
  _ZdaPvSt11align_val_t(P, Alignment);
}
