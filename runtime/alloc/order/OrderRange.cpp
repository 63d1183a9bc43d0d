//===- alloc/order/OrderRange.cpp - Addresses of chunks -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderRange.h"
#include "heap/ColdRange.h"
#include "heap/Policy.h"
#include <cerrno>
#include <sys/mman.h>

using namespace thermocline::alloc;

constinit OrderRange thermocline::alloc::Ordered = {};

namespace {

constexpr uintptr_t GiB = uintptr_t(1) << 30;
/// How far below the cold range the range begins: so much can lie in order.
/// Where addresses are few, less may do.
constexpr uintptr_t Distances[] = {1024 * GiB, 64 * GiB, 4 * GiB, GiB / 4};

/// What the range grows by: huge pages, with which segments end.
constexpr size_t StepBytes = 4 << 20;
static_assert(SegmentBytes % StepBytes == 0 &&
              BookChunks * ChunkBytes < StepBytes);

/// Where the range ends at most.
uintptr_t Limit;

/// \returns the addresses of a step at this place, or null.
void *mapStep(uintptr_t Place) {
  const int Error = errno;
  void *Start =
      mmap(reinterpret_cast<void *>(Place), StepBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  errno = Error;
  if (Start == MAP_FAILED)
    return nullptr;
  if (reinterpret_cast<uintptr_t>(Start) == Place)
    return Start;
  // Kernels before 4.17 take the place for a wish.
  munmap(Start, StepBytes);
  errno = Error;
  return nullptr;
}

} // namespace

bool thermocline::alloc::placeOrderRange() {
  const bool HasCold = rangeBytes() != 0;
  for (uintptr_t Distance : Distances) {
    const uintptr_t Above = HasCold ? Range.Base.load(std::memory_order_relaxed)
                                    : quietPlace() + Distance;
    if (Above < 2 * Distance)
      continue;
    const uintptr_t Base = (Above - Distance) & ~(SegmentBytes - 1);
    // Only what is there can be taken: so the first step is tried.
    void *First = mapStep(Base);
    if (First == nullptr)
      continue;
    munmap(First, StepBytes);
    Limit = Above & ~(SegmentBytes - 1);
    if (!HasCold)
      expectOrdinaryAbove(Limit);
    Ordered.Base.store(Base, std::memory_order_release);
    return true;
  }
  return false;
}

FreshChunks thermocline::alloc::growOrderRange() {
  const size_t SizeBytes = Ordered.SizeBytes.load(std::memory_order_relaxed);
  const uintptr_t End =
      Ordered.Base.load(std::memory_order_relaxed) + SizeBytes;
  if (End >= Limit)
    return {};
  void *Step = mapStep(End);
  if (Step == nullptr)
    return {};
  thermocline_alloc_prepare_ordinary(Step, StepBytes);
  Ordered.SizeBytes.store(SizeBytes + StepBytes, std::memory_order_release);
  const size_t Books = End % SegmentBytes == 0 ? BookChunks : 0;
  return {Chunk::of(Step) + Books, StepBytes / ChunkBytes - Books};
}
