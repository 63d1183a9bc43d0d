//===- alloc/order/OrderHeap.cpp - Small objects in order -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap is made by the first small allocation of a process that wants it. As
// with the cold heap, a thread that comes meanwhile does not wait, and gets an
// object of jemalloc's.
//
//===----------------------------------------------------------------------===//

#include "OrderHeap.h"
#include "ChunkPool.h"
#include "heap/ColdHeap.h"
#include "heap/Jemalloc.h"
#include "heap/Print.h"
#include "heap/Role.h"
#include <atomic>
#include <cerrno>
#include <pthread.h>

using namespace thermocline::alloc;

namespace {

enum class Stage { Unmade, Making, Ready, Failed };

constinit std::atomic<Stage> Now = Stage::Unmade;

/// How long jemalloc keeps what is empty.
ssize_t keepMs() {
  ssize_t Ms = 0;
  size_t MsBytes = sizeof(Ms);
  return je_mallctl("opt.dirty_decay_ms", &Ms, &MsBytes, nullptr, 0) == 0 ? Ms
                                                                          : -1;
}

Stage make() {
  // The range lies below that of the cold heap.
  if (!hasColdHeap() && !isColdHeapDecided())
    return Stage::Unmade;
  const char *Lacks = nullptr;
  if (!placeOrderRange())
    Lacks = "addresses";
  else if (!startOrderThreads())
    Lacks = "keys of threads";
  if (Lacks != nullptr) {
    printLine("thermocline-alloc: error: small objects cannot lie in the order "
              "of allocation: no %s",
              Lacks);
    stopServingInOrder();
    return Stage::Failed;
  }
  Pool.start(keepMs());
  pthread_atfork([] { Pool.lock(); }, [] { Pool.unlock(); },
                 [] { Pool.renewLock(); });
  return Stage::Ready;
}

bool isReady() {
  Stage Current = Now.load(std::memory_order_acquire);
  if (Current != Stage::Unmade)
    return Current == Stage::Ready;
  if (!Now.compare_exchange_strong(Current, Stage::Making))
    return Current == Stage::Ready;
  const int Error = errno;
  const Stage Made = make();
  errno = Error;
  Now.store(Made, std::memory_order_release);
  return Made == Stage::Ready;
}

} // namespace

void *thermocline::alloc::allocateInOrderSlowly(size_t Granules) {
  OrderThread *Mine = OrderThreadOrNone;
  if (Mine == &NoOrderThread) {
    if (!isReady() || (Mine = giveOrderRecord()) == nullptr)
      return nullptr;
    if (void *Object = Mine->allocateAtOnce(Granules))
      return Object;
  }
  return Mine->allocateSlowly(Granules);
}

bool thermocline::alloc::resizeInOrderInPlace(void *Object, size_t SizeBytes) {
  const size_t Old = bytesInOrder(Object) / GranuleBytes;
  const size_t New = granulesFor(SizeBytes);
  // Only the owner of a chunk can end an object earlier.
  if (New <= Old)
    return New >= Old - Old / 4;
  return New <= MostGranules && OrderThreadOrNone->extend(Object, Old, New);
}

void thermocline::alloc::trimOrder() {
  thermocline_alloc_flush_order();
  Pool.tryPurge(SIZE_MAX);
}

OrderHeapSizes thermocline::alloc::orderHeapSizes() {
  OrderHeapSizes Sizes = {};
  if (Now.load(std::memory_order_acquire) != Stage::Ready)
    return Sizes;
  int64_t Granules = 0;
  const uintptr_t Base = Ordered.Base.load(std::memory_order_relaxed);
  const uintptr_t End =
      Base + Ordered.SizeBytes.load(std::memory_order_acquire);
  for (uintptr_t Address = Base; Address != End; Address += ChunkBytes)
    Granules += Chunk::of(reinterpret_cast<void *>(Address))->liveGranules();
  for (OrderThread *R = firstOrderRecord(); R != nullptr; R = R->Next)
    Granules += R->liveGranules();
  Sizes.Live =
      Granules < 0 ? 0 : static_cast<uint64_t>(Granules) * GranuleBytes;
  Sizes.Active = Pool.usedBytes();
  Sizes.Mapped = Sizes.Active + Pool.freeBytes();
  Sizes.Reserved = End - Base;
  return Sizes;
}

void thermocline_alloc_flush_order() {
  if (OrderThreadOrNone != &NoOrderThread)
    OrderThreadOrNone->flush();
}
