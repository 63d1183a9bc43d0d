//===- alloc/entry/ColdNew.cpp - operator new with a hint -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the cold heap cannot serve a call, the plain operator of the same form
// does, with its new handler and its exception.
//
//===----------------------------------------------------------------------===//

#include "New.h"
#include "Statistics.h"
#include "abi/HintTable.h"
#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/OwnNames.h"
#include "thermocline/hints.h"

using namespace thermocline::alloc;

/// Calls count, telling apart calls that did not want a cold object.
static void *counted(Kind Called, __hot_cold_t Hint, void *Result,
                     std::size_t SizeBytes) {
  bool WantsCold = static_cast<std::uint8_t>(Hint) <= MaxColdHint;
  return count(WantsCold ? Called : Kind::NotCold, Result, SizeBytes);
}

/// A cold object, counted, or null: what tryCold and counted do, but faster.
static void *coldAtOnce(Kind Called, std::size_t SizeBytes, __hot_cold_t Hint) {
  if (static_cast<std::uint8_t>(Hint) > MaxColdHint)
    return nullptr;
  return allocateColdAtOnce(Called, SizeBytes, OperatorsRecordOrNone);
}

/// For a thread that has no record of operators, which has not tried.
static void *tryCold(std::size_t SizeBytes, __hot_cold_t Hint) {
  if (OperatorsRecordOrNone != &NoRecord ||
      static_cast<std::uint8_t>(Hint) > MaxColdHint || !reachesPlainOperators())
    return nullptr;
  prepareThread();
  OperatorsRecordOrNone = RecordOrNone;
  return allocateCold(SizeBytes, 0, false);
}

static void *tryCold(std::size_t SizeBytes, std::align_val_t Alignment,
                     __hot_cold_t Hint) {
  if (static_cast<std::uint8_t>(Hint) > MaxColdHint ||
      !reachesAlignedOperators())
    return nullptr;
  return allocateCold(SizeBytes, static_cast<std::size_t>(Alignment), false);
}

// The two most frequent forms, each with a short path, and a long one for calls
// that are counted already (ShortPath.c).

template <Kind Called> static void *callPlain(std::size_t SizeBytes) {
  if constexpr (Called == Kind::New)
    return ::operator new(SizeBytes);
  else
    return ::operator new[](SizeBytes);
}

template <Kind Called>
[[gnu::noinline]] static void *newSlowly(std::size_t SizeBytes,
                                         __hot_cold_t Hint) {
  if (void *Cold = coldAtOnce(Called, SizeBytes, Hint))
    return Cold;
  void *Result = tryCold(SizeBytes, Hint);
  if (Result == nullptr)
    Result = callPlain<Called>(SizeBytes);
  return counted(Called, Hint, Result, SizeBytes);
}

template <Kind Called> static void *goOnCounted(std::size_t SizeBytes) {
  if (void *Cold = thermocline_cold_je_malloc_default(SizeBytes))
    return Cold;
  takeBackCount(Called, SizeBytes);
  return count(Called, callPlain<Called>(SizeBytes), SizeBytes);
}

THERMOCLINE_OWN void *thermocline_alloc_new_cold_counted(std::size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_new_cold_long(std::size_t SizeBytes) {
  return goOnCounted<Kind::New>(SizeBytes);
}

THERMOCLINE_OWN void *
thermocline_alloc_new_array_cold_counted(std::size_t SizeBytes);
THERMOCLINE_OWN void *
thermocline_alloc_new_array_cold_long(std::size_t SizeBytes) {
  return goOnCounted<Kind::NewArray>(SizeBytes);
}

/// Whether the hint wants a cold object, and the call could be counted as one.
template <Kind Called>
[[gnu::always_inline]] inline bool countAtOnce(std::size_t SizeBytes,
                                               __hot_cold_t Hint) {
  return __builtin_expect(
      static_cast<std::uint8_t>(Hint) <= MaxColdHint &&
          OperatorsRecordOrNone->countColdAtOnce(Called, SizeBytes),
      true);
}

// Replaceable as the names of ColdMalloc.cpp are.

THERMOCLINE_FAST THERMOCLINE_REPLACEABLE void *
operator new(std::size_t SizeBytes, __hot_cold_t Hint) {
  return countAtOnce<Kind::New>(SizeBytes, Hint)
             ? thermocline_alloc_new_cold_counted(SizeBytes)
             : newSlowly<Kind::New>(SizeBytes, Hint);
}

THERMOCLINE_REPLACEABLE void *operator new(std::size_t SizeBytes,
                                           const std::nothrow_t &Tag,
                                           __hot_cold_t Hint) noexcept {
  if (void *Cold = coldAtOnce(Kind::NewNothrow, SizeBytes, Hint))
    return Cold;
  void *Result = tryCold(SizeBytes, Hint);
  if (Result == nullptr)
    Result = ::operator new(SizeBytes, Tag);
  return counted(Kind::NewNothrow, Hint, Result, SizeBytes);
}

THERMOCLINE_REPLACEABLE void *operator new(std::size_t SizeBytes,
                                           std::align_val_t Alignment,
                                           __hot_cold_t Hint) {
  void *Result = tryCold(SizeBytes, Alignment, Hint);
  if (Result == nullptr)
    Result = ::operator new(SizeBytes, Alignment);
  return counted(Kind::NewAligned, Hint, Result, SizeBytes);
}

THERMOCLINE_REPLACEABLE void *operator new(std::size_t SizeBytes,
                                           std::align_val_t Alignment,
                                           const std::nothrow_t &Tag,
                                           __hot_cold_t Hint) noexcept {
  void *Result = tryCold(SizeBytes, Alignment, Hint);
  if (Result == nullptr)
    Result = ::operator new(SizeBytes, Alignment, Tag);
  return counted(Kind::NewAlignedNothrow, Hint, Result, SizeBytes);
}

THERMOCLINE_FAST THERMOCLINE_REPLACEABLE void *
operator new[](std::size_t SizeBytes, __hot_cold_t Hint) {
  return countAtOnce<Kind::NewArray>(SizeBytes, Hint)
             ? thermocline_alloc_new_array_cold_counted(SizeBytes)
             : newSlowly<Kind::NewArray>(SizeBytes, Hint);
}

THERMOCLINE_REPLACEABLE void *operator new[](std::size_t SizeBytes,
                                             const std::nothrow_t &Tag,
                                             __hot_cold_t Hint) noexcept {
  if (void *Cold = coldAtOnce(Kind::NewArrayNothrow, SizeBytes, Hint))
    return Cold;
  void *Result = tryCold(SizeBytes, Hint);
  if (Result == nullptr)
    Result = ::operator new[](SizeBytes, Tag);
  return counted(Kind::NewArrayNothrow, Hint, Result, SizeBytes);
}

THERMOCLINE_REPLACEABLE void *operator new[](std::size_t SizeBytes,
                                             std::align_val_t Alignment,
                                             __hot_cold_t Hint) {
  void *Result = tryCold(SizeBytes, Alignment, Hint);
  if (Result == nullptr)
    Result = ::operator new[](SizeBytes, Alignment);
  return counted(Kind::NewArrayAligned, Hint, Result, SizeBytes);
}

THERMOCLINE_REPLACEABLE void *operator new[](std::size_t SizeBytes,
                                             std::align_val_t Alignment,
                                             const std::nothrow_t &Tag,
                                             __hot_cold_t Hint) noexcept {
  void *Result = tryCold(SizeBytes, Alignment, Hint);
  if (Result == nullptr)
    Result = ::operator new[](SizeBytes, Alignment, Tag);
  return counted(Kind::NewArrayAlignedNothrow, Hint, Result, SizeBytes);
}

static __sized_ptr_t sized(void *Pointer) {
  return {Pointer, thermocline_alloc_malloc_usable_size(Pointer)};
}

THERMOCLINE_REPLACEABLE __sized_ptr_t
__size_returning_new(std::size_t SizeBytes) {
  void *Result = ::operator new(SizeBytes);
  if (!reachesPlainOperators())
    return {Result, SizeBytes};
  return sized(Result);
}

THERMOCLINE_REPLACEABLE __sized_ptr_t __size_returning_new_aligned(
    std::size_t SizeBytes, std::align_val_t Alignment) {
  void *Result = ::operator new(SizeBytes, Alignment);
  if (!reachesAlignedOperators())
    return {Result, SizeBytes};
  return sized(Result);
}

THERMOCLINE_REPLACEABLE __sized_ptr_t
__size_returning_new_hot_cold(std::size_t SizeBytes, __hot_cold_t Hint) {
  if (void *Cold = coldAtOnce(Kind::SizeReturningNew, SizeBytes, Hint))
    return sized(Cold);
  void *Cold = tryCold(SizeBytes, Hint);
  __sized_ptr_t Result = Cold ? sized(Cold) : __size_returning_new(SizeBytes);
  counted(Kind::SizeReturningNew, Hint, Result.p, SizeBytes);
  return Result;
}

THERMOCLINE_REPLACEABLE __sized_ptr_t __size_returning_new_aligned_hot_cold(
    std::size_t SizeBytes, std::align_val_t Alignment, __hot_cold_t Hint) {
  void *Cold = tryCold(SizeBytes, Alignment, Hint);
  __sized_ptr_t Result =
      Cold ? sized(Cold) : __size_returning_new_aligned(SizeBytes, Alignment);
  counted(Kind::SizeReturningNewAligned, Hint, Result.p, SizeBytes);
  return Result;
}
