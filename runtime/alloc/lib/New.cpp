//===- alloc/lib/New.cpp - operator new and delete ------------------------===//
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
#include "Export.h"
#include "Malloc.h"
#include <new>

using namespace thermocline::alloc;

/// Calls Try until it gives memory, running the new handler in between.
template <typename Function> static void *allocateOrThrow(Function Try) {
  for (;;) {
    if (void *Result = Try())
      return Result;
    std::new_handler Handler = std::get_new_handler();
    if (Handler == nullptr)
      throw std::bad_alloc();
    Handler();
  }
}

extern "C" {

void *thermocline_alloc_new(std::size_t SizeBytes) {
  return allocateOrThrow([=] { return allocate(SizeBytes); });
}

void *thermocline_alloc_new_aligned(std::size_t SizeBytes,
                                    std::align_val_t Alignment) {
  return allocateOrThrow([=] {
    return allocateAligned(static_cast<std::size_t>(Alignment), SizeBytes);
  });
}

void thermocline_alloc_delete(void *Pointer) noexcept { release(Pointer); }

void thermocline_alloc_delete_aligned(void *Pointer,
                                      std::align_val_t) noexcept {
  release(Pointer);
}

} // extern "C"

THERMOCLINE_OPERATOR __attribute__((alias("thermocline_alloc_new"))) void *
operator new(std::size_t SizeBytes);

THERMOCLINE_OPERATOR
__attribute__((alias("thermocline_alloc_new_aligned"))) void *
operator new(std::size_t SizeBytes, std::align_val_t Alignment);

THERMOCLINE_OPERATOR __attribute__((alias("thermocline_alloc_delete"))) void
operator delete(void *Pointer) noexcept;

THERMOCLINE_OPERATOR
__attribute__((alias("thermocline_alloc_delete_aligned"))) void
operator delete(void *Pointer, std::align_val_t Alignment) noexcept;

/// Whether two functions are one. The optimizer takes functions of different
/// names for different ones, so it must not see where the pointers come from.
template <typename T> static bool isSame(T *A, T *B) {
  asm("" : "+r"(A), "+r"(B));
  return A == B;
}

bool thermocline::alloc::ownsPlainOperators() {
  using NewFunction = void *(std::size_t);
  using DeleteFunction = void(void *) noexcept;
  return isSame<NewFunction>(::operator new, thermocline_alloc_new) &&
         isSame<DeleteFunction>(::operator delete, thermocline_alloc_delete);
}

bool thermocline::alloc::ownsAlignedOperators() {
  using NewFunction = void *(std::size_t, std::align_val_t);
  using DeleteFunction = void(void *, std::align_val_t) noexcept;
  return isSame<NewFunction>(::operator new, thermocline_alloc_new_aligned) &&
         isSame<DeleteFunction>(::operator delete,
                                thermocline_alloc_delete_aligned);
}

THERMOCLINE_OPERATOR void *operator new(std::size_t SizeBytes,
                                        const std::nothrow_t &) noexcept {
  try {
    return ::operator new(SizeBytes);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_OPERATOR void *operator new(std::size_t SizeBytes,
                                        std::align_val_t Alignment,
                                        const std::nothrow_t &) noexcept {
  try {
    return ::operator new(SizeBytes, Alignment);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_OPERATOR void *operator new[](std::size_t SizeBytes) {
  return ::operator new(SizeBytes);
}

THERMOCLINE_OPERATOR void *operator new[](std::size_t SizeBytes,
                                          std::align_val_t Alignment) {
  return ::operator new(SizeBytes, Alignment);
}

THERMOCLINE_OPERATOR void *operator new[](std::size_t SizeBytes,
                                          const std::nothrow_t &) noexcept {
  try {
    return ::operator new[](SizeBytes);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_OPERATOR void *operator new[](std::size_t SizeBytes,
                                          std::align_val_t Alignment,
                                          const std::nothrow_t &) noexcept {
  try {
    return ::operator new[](SizeBytes, Alignment);
  } catch (...) {
    return nullptr;
  }
}

THERMOCLINE_OPERATOR void operator delete(void *Pointer, std::size_t) noexcept {
  ::operator delete(Pointer);
}

THERMOCLINE_OPERATOR void operator delete(void *Pointer,
                                          const std::nothrow_t &) noexcept {
  ::operator delete(Pointer);
}

THERMOCLINE_OPERATOR void operator delete(void *Pointer, std::size_t,
                                          std::align_val_t Alignment) noexcept {
  ::operator delete(Pointer, Alignment);
}

THERMOCLINE_OPERATOR void operator delete(void *Pointer,
                                          std::align_val_t Alignment,
                                          const std::nothrow_t &) noexcept {
  ::operator delete(Pointer, Alignment);
}

THERMOCLINE_OPERATOR void operator delete[](void *Pointer) noexcept {
  ::operator delete(Pointer);
}

THERMOCLINE_OPERATOR void operator delete[](void *Pointer,
                                            std::size_t) noexcept {
  ::operator delete[](Pointer);
}

THERMOCLINE_OPERATOR void operator delete[](void *Pointer,
                                            const std::nothrow_t &) noexcept {
  ::operator delete[](Pointer);
}

THERMOCLINE_OPERATOR void
operator delete[](void *Pointer, std::align_val_t Alignment) noexcept {
  ::operator delete(Pointer, Alignment);
}

THERMOCLINE_OPERATOR void
operator delete[](void *Pointer, std::size_t,
                  std::align_val_t Alignment) noexcept {
  ::operator delete[](Pointer, Alignment);
}

THERMOCLINE_OPERATOR void operator delete[](void *Pointer,
                                            std::align_val_t Alignment,
                                            const std::nothrow_t &) noexcept {
  ::operator delete[](Pointer, Alignment);
}
