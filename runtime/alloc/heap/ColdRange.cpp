//===- alloc/heap/ColdRange.cpp - The addresses of the cold heap ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColdRange.h"
#include "Policy.h"
#include "Settings.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>

using namespace thermocline::alloc;

// State is used before any constructor runs, so none may run for it.
constinit ColdRange thermocline::alloc::Range = {Nowhere, Nowhere};

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;
constexpr size_t DefaultMaxBytes = 64 * GiB;
constexpr size_t FirstBytes = 64 * MiB;
constexpr size_t MinStepBytes = 256 * KiB;
/// The size of a huge page, so that whole huge pages are cold.
constexpr size_t RangeAlignment = 2 * MiB;

size_t MaxBytes;
std::atomic<size_t> UsedBytes; ///< Those of the range, from its base.

/// The size of the range that the user allows; 0 turns the heap off.
size_t wantedMaxBytes() {
  Setting Max(SettingName::ColdMiB);
  const char *Text = Max.value();
  if (Text == nullptr)
    return DefaultMaxBytes;
  char *End;
  unsigned long long Number = strtoull(Text, &End, 10);
  if (*End != '\0' || Text[0] == '-' || Number > (1u << 26)) {
    char Complaint[64];
    snprintf(Complaint, sizeof(Complaint), "is not a number of MiB; using %zu",
             DefaultMaxBytes / MiB);
    Max.refuse(Complaint);
    return DefaultMaxBytes;
  }
  return Number * MiB;
}

/// The most that the range grows by at once, beyond what is needed. Under a
/// limit the rest is to have room, too. How much of it is in use, only a file
/// would say, and a program may have no descriptor for it, or a filter of
/// system calls that ends it for opening one.
size_t mostStepBytes() {
  size_t Limit = addressSpaceLimit();
  return Limit == Unlimited ? Unlimited : Limit / 64;
}

/// Reserves addresses, at Wanted if that is given and free.
void *reserve(uintptr_t Wanted, size_t SizeBytes, int Flags) {
  void *Start =
      mmap(reinterpret_cast<void *>(Wanted), SizeBytes, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | Flags, -1, 0);
  return Start == MAP_FAILED ? nullptr : Start;
}

/// Makes the range longer than OldBytes, by NeededBytes or more. \returns true
/// as well if another thread has done so.
bool grow(size_t OldBytes, size_t NeededBytes) {
  const size_t MostBytes = (MaxBytes - OldBytes) & ~(MinStepBytes - 1);
  const size_t LeastBytes =
      (NeededBytes + MinStepBytes - 1) & ~(MinStepBytes - 1);
  if (LeastBytes > MostBytes)
    return false;
  size_t StepBytes =
      std::clamp(std::min(OldBytes, mostStepBytes()) & ~(MinStepBytes - 1),
                 LeastBytes, MostBytes);
  uintptr_t End = Range.Base.load(std::memory_order_relaxed) + OldBytes;
  void *Start = reserve(End, StepBytes, MAP_FIXED_NOREPLACE);
  if (Start == nullptr && rangeBytes() == OldBytes && StepBytes > LeastBytes) {
    // Little is left, and the rest needs it as well.
    StepBytes = LeastBytes;
    Start = reserve(End, StepBytes, MAP_FIXED_NOREPLACE);
  }
  if (Start == nullptr)
    return rangeBytes() != OldBytes;
  // Kernels before 4.17 take the place for a wish.
  if (reinterpret_cast<uintptr_t>(Start) != End) {
    munmap(Start, StepBytes);
    return false;
  }
  prepareColdPart(Start, StepBytes);
  Range.End.store(End + StepBytes, std::memory_order_release);
  return true;
}

/// Does what thermocline_alloc_take_cold does, but may change errno.
void *takeAddresses(void *Wanted, size_t SizeBytes, size_t Alignment) {
  uintptr_t Base = Range.Base.load(std::memory_order_relaxed);
  size_t Used = UsedBytes.load(std::memory_order_relaxed);
  for (;;) {
    size_t Capacity = rangeBytes();
    uintptr_t Start = (Base + Used + Alignment - 1) & ~(Alignment - 1);
    if (Wanted && reinterpret_cast<uintptr_t>(Wanted) != Start)
      return nullptr;
    // Neither can overflow: both are less than the size of the address space.
    size_t End = Start - Base + SizeBytes;
    if (End > Capacity) {
      if (End > MaxBytes || !grow(Capacity, End - Capacity))
        return nullptr;
      continue;
    }
    if (!UsedBytes.compare_exchange_weak(Used, End))
      continue;
    adviseOldCold(reinterpret_cast<void *>(Base), Used);
    void *Taken = reinterpret_cast<void *>(Start);
    if (mprotect(Taken, SizeBytes, PROT_READ | PROT_WRITE) == 0)
      return Taken;
    // There may be memory later, and then these addresses can be used.
    UsedBytes.compare_exchange_strong(End, Used);
    return nullptr;
  }
}

} // namespace

size_t thermocline::alloc::addressSpaceLimit() {
  rlimit Limit;
  if (getrlimit(RLIMIT_AS, &Limit) != 0 || Limit.rlim_cur == RLIM_INFINITY)
    return Unlimited;
  return Limit.rlim_cur;
}

uintptr_t thermocline::alloc::quietPlace() {
  uintptr_t Random = 0;
  if (auto *Bytes = reinterpret_cast<const char *>(getauxval(AT_RANDOM)))
    memcpy(&Random, Bytes, sizeof(Random));
  // The random bytes lie where the stack begins, which is at the end of all.
  return quietPlaceFor(placeBits(getauxval(AT_RANDOM)),
                       Range.End.load(std::memory_order_relaxed), Random);
}

void thermocline::alloc::expectOrdinaryAbove(uintptr_t End) {
  Range.Base.store(End, std::memory_order_relaxed);
  Range.End.store(End, std::memory_order_release);
}

bool thermocline::alloc::reserveRange() {
  MaxBytes = wantedMaxBytes();
  // A program that has few addresses may have few cold objects.
  size_t FirstStepBytes = std::max(
      std::min(FirstBytes, addressSpaceLimit() / 128), 4 * MinStepBytes);
  size_t SizeBytes = std::min(MaxBytes, FirstStepBytes);
  SizeBytes &= ~(MinStepBytes - 1);
  if (SizeBytes == 0)
    return false;
  uintptr_t Wanted = quietPlace() & ~(RangeAlignment - 1);
  void *Start = reserve(Wanted, SizeBytes, 0);
  uintptr_t Base = reinterpret_cast<uintptr_t>(Start);
  // Where the place is taken, or the machine has fewer addresses, the start of
  // what we get is cut off.
  if (Start && Base % RangeAlignment != 0) {
    munmap(Start, SizeBytes);
    Start = reserve(Wanted, SizeBytes + RangeAlignment, 0);
    Base = (reinterpret_cast<uintptr_t>(Start) + RangeAlignment - 1) &
           ~(RangeAlignment - 1);
  }
  if (Start == nullptr)
    return false;
  nameFirstColdPart(reinterpret_cast<void *>(Base), SizeBytes);
  prepareColdPart(reinterpret_cast<void *>(Base), SizeBytes);
  Range.Base.store(Base, std::memory_order_relaxed);
  Range.End.store(Base + SizeBytes, std::memory_order_release);
  return true;
}

size_t thermocline::alloc::takenBytes() {
  return UsedBytes.load(std::memory_order_relaxed);
}

void *thermocline_alloc_take_cold(void *Wanted, size_t SizeBytes,
                                  size_t Alignment) {
  int Error = errno;
  void *Taken = takeAddresses(Wanted, SizeBytes, Alignment);
  errno = Error;
  return Taken;
}
