//===- alloc/hints/New.cpp - operator new with a hint ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each form asks the process's allocator for cold memory, and calls the plain
// operator of the same form where there is none. So a program's own operator
// new, its new handler and std::bad_alloc work as they did. Compiled once for
// each form, and hidden, as Malloc.cpp is and for the same reasons.
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "thermocline/hints.h"

using thermocline::alloc::Kind;
using thermocline::alloc::MaxColdHint;

static bool wantsCold(__hot_cold_t Hint) noexcept {
  return static_cast<uint8_t>(Hint) <= MaxColdHint;
}

[[maybe_unused]] static void *tryCold(Kind Called, std::size_t Size,
                                      __hot_cold_t Hint) noexcept {
  if (!wantsCold(Hint) || !thermocline_hints_serves_new())
    return nullptr;
  return thermocline_hints_table()->AllocateCold(Called, Size, 0);
}

[[maybe_unused]] static void *tryCold(Kind Called, std::size_t Size,
                                      std::align_val_t Alignment,
                                      __hot_cold_t Hint) noexcept {
  if (!wantsCold(Hint) || !thermocline_hints_serves_aligned_new())
    return nullptr;
  return thermocline_hints_table()->AllocateCold(
      Called, Size, static_cast<std::size_t>(Alignment));
}

static void *counted(Kind Called, __hot_cold_t Hint, void *Result,
                     std::size_t Size) noexcept {
  return ordinary(wantsCold(Hint) ? Called : Kind::NotCold, Result, Size);
}

#if defined(HINT_NEW)
using Function = void *(std::size_t, __hot_cold_t);
HINTS_NAMED(Function, "_Znwm12__hot_cold_t")
HINTS_OWN void *operator new(std::size_t Size, __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Hint);
  if (void *Cold = tryCold(Kind::New, Size, Hint))
    return Cold;
  return counted(Kind::New, Hint, ::operator new(Size), Size);
}
#elif defined(HINT_NEW_NOTHROW)
using Function = void *(std::size_t, const std::nothrow_t &,
                        __hot_cold_t) noexcept;
HINTS_NAMED(Function, "_ZnwmRKSt9nothrow_t12__hot_cold_t")
HINTS_OWN void *operator new(std::size_t Size, const std::nothrow_t &Nothrow,
                             __hot_cold_t Hint) noexcept {
  if (Named)
    return Named(Size, Nothrow, Hint);
  if (void *Cold = tryCold(Kind::NewNothrow, Size, Hint))
    return Cold;
  return counted(Kind::NewNothrow, Hint, ::operator new(Size, Nothrow), Size);
}
#elif defined(HINT_NEW_ALIGNED)
using Function = void *(std::size_t, std::align_val_t, __hot_cold_t);
HINTS_NAMED(Function, "_ZnwmSt11align_val_t12__hot_cold_t")
HINTS_OWN void *operator new(std::size_t Size, std::align_val_t Alignment,
                             __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Alignment, Hint);
  if (void *Cold = tryCold(Kind::NewAligned, Size, Alignment, Hint))
    return Cold;
  return counted(Kind::NewAligned, Hint, ::operator new(Size, Alignment), Size);
}
#elif defined(HINT_NEW_ALIGNED_NOTHROW)
using Function = void *(std::size_t, std::align_val_t, const std::nothrow_t &,
                        __hot_cold_t) noexcept;
HINTS_NAMED(Function, "_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t")
HINTS_OWN void *operator new(std::size_t Size, std::align_val_t Alignment,
                             const std::nothrow_t &Nothrow,
                             __hot_cold_t Hint) noexcept {
  if (Named)
    return Named(Size, Alignment, Nothrow, Hint);
  if (void *Cold = tryCold(Kind::NewAlignedNothrow, Size, Alignment, Hint))
    return Cold;
  return counted(Kind::NewAlignedNothrow, Hint,
                 ::operator new(Size, Alignment, Nothrow), Size);
}
#elif defined(HINT_NEW_ARRAY)
using Function = void *(std::size_t, __hot_cold_t);
HINTS_NAMED(Function, "_Znam12__hot_cold_t")
HINTS_OWN void *operator new[](std::size_t Size, __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Hint);
  if (void *Cold = tryCold(Kind::NewArray, Size, Hint))
    return Cold;
  return counted(Kind::NewArray, Hint, ::operator new[](Size), Size);
}
#elif defined(HINT_NEW_ARRAY_NOTHROW)
using Function = void *(std::size_t, const std::nothrow_t &,
                        __hot_cold_t) noexcept;
HINTS_NAMED(Function, "_ZnamRKSt9nothrow_t12__hot_cold_t")
HINTS_OWN void *operator new[](std::size_t Size, const std::nothrow_t &Nothrow,
                               __hot_cold_t Hint) noexcept {
  if (Named)
    return Named(Size, Nothrow, Hint);
  if (void *Cold = tryCold(Kind::NewArrayNothrow, Size, Hint))
    return Cold;
  return counted(Kind::NewArrayNothrow, Hint, ::operator new[](Size, Nothrow),
                 Size);
}
#elif defined(HINT_NEW_ARRAY_ALIGNED)
using Function = void *(std::size_t, std::align_val_t, __hot_cold_t);
HINTS_NAMED(Function, "_ZnamSt11align_val_t12__hot_cold_t")
HINTS_OWN void *operator new[](std::size_t Size, std::align_val_t Alignment,
                               __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Alignment, Hint);
  if (void *Cold = tryCold(Kind::NewArrayAligned, Size, Alignment, Hint))
    return Cold;
  return counted(Kind::NewArrayAligned, Hint, ::operator new[](Size, Alignment),
                 Size);
}
#elif defined(HINT_NEW_ARRAY_ALIGNED_NOTHROW)
using Function = void *(std::size_t, std::align_val_t, const std::nothrow_t &,
                        __hot_cold_t) noexcept;
HINTS_NAMED(Function, "_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t")
HINTS_OWN void *operator new[](std::size_t Size, std::align_val_t Alignment,
                               const std::nothrow_t &Nothrow,
                               __hot_cold_t Hint) noexcept {
  if (Named)
    return Named(Size, Alignment, Nothrow, Hint);
  if (void *Cold = tryCold(Kind::NewArrayAlignedNothrow, Size, Alignment, Hint))
    return Cold;
  return counted(Kind::NewArrayAlignedNothrow, Hint,
                 ::operator new[](Size, Alignment, Nothrow), Size);
}
#elif defined(HINT_SIZE_RETURNING_NEW)
using Function = __sized_ptr_t(std::size_t, __hot_cold_t);
HINTS_NAMED(Function, "__size_returning_new_hot_cold")
HINTS_OWN __sized_ptr_t __size_returning_new_hot_cold(std::size_t Size,
                                                      __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Hint);
  if (void *Cold = tryCold(Kind::SizeReturningNew, Size, Hint))
    return {Cold, thermocline_hints_table()->UsableBytes(Cold)};
  __sized_ptr_t Result = __size_returning_new(Size);
  counted(Kind::SizeReturningNew, Hint, Result.p, Size);
  return Result;
}
#elif defined(HINT_SIZE_RETURNING_NEW_ALIGNED)
using Function = __sized_ptr_t(std::size_t, std::align_val_t, __hot_cold_t);
HINTS_NAMED(Function, "__size_returning_new_aligned_hot_cold")
HINTS_OWN __sized_ptr_t __size_returning_new_aligned_hot_cold(
    std::size_t Size, std::align_val_t Alignment, __hot_cold_t Hint) {
  if (Named)
    return Named(Size, Alignment, Hint);
  if (void *Cold =
          tryCold(Kind::SizeReturningNewAligned, Size, Alignment, Hint))
    return {Cold, thermocline_hints_table()->UsableBytes(Cold)};
  __sized_ptr_t Result = __size_returning_new_aligned(Size, Alignment);
  counted(Kind::SizeReturningNewAligned, Hint, Result.p, Size);
  return Result;
}
#else
#error "no form is chosen"
#endif
