//===- alloc/entry/New.cpp - operator new and delete ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All forms, as the standard describes the default ones: each form but two is
// made of another, so that a program that replaces one form changes those made
// of it.
//
//===----------------------------------------------------------------------===//

#include "New.h"
#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/OwnNames.h"
#include "heap/Role.h"
#include "order/OrderThread.h"
#include <atomic>
#include <new>

using namespace thermocline::alloc;

/// Calls Try until it gives memory, running the new handler in between.
template <typename Function>
[[gnu::noinline, gnu::cold]] static void *retryOrThrow(Function Try) {
  for (;;) {
    std::new_handler Handler = std::get_new_handler();
    if (Handler == nullptr)
      throw std::bad_alloc();
    Handler();
    if (void *Result = Try())
      return Result;
  }
}

template <typename Function> static void *allocateOrThrow(Function Try) {
  void *Result = Try();
  return __builtin_expect(Result != nullptr, true) ? Result : retryOrThrow(Try);
}

// The short path of operator new, which has this name as well, and the long
// one, as ShortPath.c says.
THERMOCLINE_OWN void *thermocline_alloc_new(std::size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_new_long(std::size_t SizeBytes) {
  return allocateOrThrow(
      [=] { return thermocline_alloc_malloc_long(SizeBytes); });
}

extern "C" {

void *thermocline_alloc_new_aligned(std::size_t SizeBytes,
                                    std::align_val_t Alignment) {
  return allocateOrThrow([=] {
    return thermocline_alloc_memalign(static_cast<std::size_t>(Alignment),
                                      SizeBytes);
  });
}

THERMOCLINE_FAST void thermocline_alloc_delete(void *Pointer) noexcept {
  release(Pointer);
}

void thermocline_alloc_delete_aligned(void *Pointer,
                                      std::align_val_t) noexcept {
  thermocline_alloc_free(Pointer);
}

void *thermocline_alloc_new_array(std::size_t SizeBytes) {
  return ::operator new(SizeBytes);
}

void *thermocline_alloc_new_array_aligned(std::size_t SizeBytes,
                                          std::align_val_t Alignment) {
  return ::operator new(SizeBytes, Alignment);
}

void thermocline_alloc_delete_array(void *Pointer) noexcept {
  ::operator delete(Pointer);
}

void thermocline_alloc_delete_array_aligned(
    void *Pointer, std::align_val_t Alignment) noexcept {
  ::operator delete(Pointer, Alignment);
}

} // extern "C"

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_new_aligned"))) void *
operator new(std::size_t SizeBytes, std::align_val_t Alignment);

THERMOCLINE_REPLACEABLE __attribute__((alias("thermocline_alloc_delete"))) void
operator delete(void *Pointer) noexcept;

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_delete_aligned"))) void
operator delete(void *Pointer, std::align_val_t Alignment) noexcept;

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_new_array"))) void *
operator new[](std::size_t SizeBytes);

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_new_array_aligned"))) void *
operator new[](std::size_t SizeBytes, std::align_val_t Alignment);

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_delete_array"))) void
operator delete[](void *Pointer) noexcept;

THERMOCLINE_REPLACEABLE
__attribute__((alias("thermocline_alloc_delete_array_aligned"))) void
operator delete[](void *Pointer, std::align_val_t Alignment) noexcept;

/// Whether two functions are one. The optimizer takes functions of different
/// names for different ones, so it must not see where the pointers come from.
template <typename T> static bool isSame(T *A, T *B) {
  asm("" : "+r"(A), "+r"(B));
  return A == B;
}

constinit std::atomic<int> thermocline::alloc::PlainOperatorsAnswer = 0;
constinit std::atomic<int> thermocline::alloc::AlignedOperatorsAnswer = 0;

static bool note(std::atomic<int> &Answer, bool Reached) {
  Answer.store(Reached ? 1 : -1, std::memory_order_relaxed);
  return Reached;
}

// Operators that are not ours may end in our malloc and free, as the C++
// library's do. Those of arrays may be the program's own alone.

bool thermocline::alloc::askPlainOperators() {
  using NewFunction = void *(std::size_t);
  using DeleteFunction = void(void *) noexcept;
  WithoutOrder Counted;
  return note(
      PlainOperatorsAnswer,
      ((isSame<NewFunction>(::operator new, thermocline_alloc_new) &&
        isSame<DeleteFunction>(::operator delete, thermocline_alloc_delete)) ||
       reaches(
           [](std::size_t SizeBytes) {
             return ::operator new(SizeBytes, std::nothrow);
           },
           [](void *Pointer) { ::operator delete(Pointer); })) &&
          ((isSame<NewFunction>(::operator new[],
                                thermocline_alloc_new_array) &&
            isSame<DeleteFunction>(::operator delete[],
                                   thermocline_alloc_delete_array)) ||
           reaches(
               [](std::size_t SizeBytes) {
                 return ::operator new[](SizeBytes, std::nothrow);
               },
               [](void *Pointer) { ::operator delete[](Pointer); })));
}

bool thermocline::alloc::askAlignedOperators() {
  using NewFunction = void *(std::size_t, std::align_val_t);
  using DeleteFunction = void(void *, std::align_val_t) noexcept;
  static constexpr std::align_val_t Alignment{ProbeAlignment};
  WithoutOrder Counted;
  return note(
      AlignedOperatorsAnswer,
      ((isSame<NewFunction>(::operator new, thermocline_alloc_new_aligned) &&
        isSame<DeleteFunction>(::operator delete,
                               thermocline_alloc_delete_aligned)) ||
       reaches(
           [](std::size_t SizeBytes) {
             return ::operator new(SizeBytes, Alignment, std::nothrow);
           },
           [](void *Pointer) { ::operator delete(Pointer, Alignment); })) &&
          ((isSame<NewFunction>(::operator new[],
                                thermocline_alloc_new_array_aligned) &&
            isSame<DeleteFunction>(::operator delete[],
                                   thermocline_alloc_delete_array_aligned)) ||
           reaches(
               [](std::size_t SizeBytes) {
                 return ::operator new[](SizeBytes, Alignment, std::nothrow);
               },
               [](void *Pointer) {
                 ::operator delete[](Pointer, Alignment);
               })));
}

THERMOCLINE_REPLACEABLE void *operator new(std::size_t SizeBytes,
                                           const std::nothrow_t &) noexcept {
  try {
    return ::operator new(SizeBytes);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_REPLACEABLE void *operator new(std::size_t SizeBytes,
                                           std::align_val_t Alignment,
                                           const std::nothrow_t &) noexcept {
  try {
    return ::operator new(SizeBytes, Alignment);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_REPLACEABLE void *operator new[](std::size_t SizeBytes,
                                             const std::nothrow_t &) noexcept {
  try {
    return ::operator new[](SizeBytes);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_REPLACEABLE void *operator new[](std::size_t SizeBytes,
                                             std::align_val_t Alignment,
                                             const std::nothrow_t &) noexcept {
  try {
    return ::operator new[](SizeBytes, Alignment);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_REPLACEABLE void operator delete(void *Pointer,
                                             std::size_t) noexcept {
  ::operator delete(Pointer);
}

THERMOCLINE_REPLACEABLE void operator delete(void *Pointer,
                                             const std::nothrow_t &) noexcept {
  ::operator delete(Pointer);
}

THERMOCLINE_REPLACEABLE void
operator delete(void *Pointer, std::size_t,
                std::align_val_t Alignment) noexcept {
  ::operator delete(Pointer, Alignment);
}

THERMOCLINE_REPLACEABLE void operator delete(void *Pointer,
                                             std::align_val_t Alignment,
                                             const std::nothrow_t &) noexcept {
  ::operator delete(Pointer, Alignment);
}

THERMOCLINE_REPLACEABLE void operator delete[](void *Pointer,
                                               std::size_t) noexcept {
  ::operator delete[](Pointer);
}

THERMOCLINE_REPLACEABLE void
operator delete[](void *Pointer, const std::nothrow_t &) noexcept {
  ::operator delete[](Pointer);
}

THERMOCLINE_REPLACEABLE void
operator delete[](void *Pointer, std::size_t,
                  std::align_val_t Alignment) noexcept {
  ::operator delete[](Pointer, Alignment);
}

THERMOCLINE_REPLACEABLE void
operator delete[](void *Pointer, std::align_val_t Alignment,
                  const std::nothrow_t &) noexcept {
  ::operator delete[](Pointer, Alignment);
}
