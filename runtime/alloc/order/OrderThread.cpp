//===- alloc/order/OrderThread.cpp - What a thread has in order -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderThread.h"
#include "heap/Jemalloc.h"
#include <iterator>
#include <pthread.h>
#include <utility>

using namespace thermocline::alloc;

constinit const OrderThread thermocline::alloc::NoOrderThread;
constinit __thread OrderThread *thermocline::alloc::OrderThreadOrNone =
    const_cast<OrderThread *>(&NoOrderThread);

namespace {

constinit std::atomic<OrderThread *> Records = nullptr;

/// This key tells us that a thread ends.
pthread_key_t EndOfThread;

/// Whether the thread is to have no record: it has ended, or stopped.
__thread bool IsBarred __attribute__((tls_model("initial-exec")));

OrderThread *none() { return const_cast<OrderThread *>(&NoOrderThread); }

void endThread(void *Record) {
  IsBarred = true;
  OrderThreadOrNone = none();
  auto *Mine = static_cast<OrderThread *>(Record);
  Mine->end();
  Mine->IsOwned.store(false, std::memory_order_release);
}

OrderThread *takeRecord() {
  for (OrderThread *R = firstOrderRecord(); R != nullptr; R = R->Next) {
    bool IsOwned = R->IsOwned.load(std::memory_order_relaxed);
    if (!IsOwned && R->IsOwned.compare_exchange_strong(
                        IsOwned, true, std::memory_order_acquire))
      return R;
  }
  auto *Made = static_cast<OrderThread *>(allocateRecord(sizeof(OrderThread)));
  if (Made == nullptr)
    return nullptr;
  Made->prepare();
  Made->IsOwned.store(true, std::memory_order_relaxed);
  Made->Next = firstOrderRecord();
  while (!Records.compare_exchange_weak(Made->Next, Made,
                                        std::memory_order_release))
    ;
  return Made;
}

} // namespace

void OrderThread::prepare() {
  for (size_t Granules = 1; Granules <= MostGranules; ++Granules)
    Lists[Granules].Room = mostOf(Granules);
  ReusesToTick = ReusesBetween;
}

void OrderThread::lookAtTime() {
  ReusesToTick = ReusesBetween;
  Pool.tick();
  thermocline_alloc_tick();
}

bool OrderThread::openMain() {
  const ChunkPool::Taken T =
      Pool.take(Side.isOpen() ? ChunkPool::AlsoListed
                              : ChunkPool::AlsoListed | ChunkPool::AlsoUnused);
  if (T.Which == nullptr) {
    std::swap(Main, Side);
    return Main.isOpen();
  }
  if (T.IsEmpty)
    Main.openEmpty(T.Which);
  else
    Main.openUsed(T.Which);
  return true;
}

void OrderThread::close(Place &P) {
  if (!P.isOpen())
    return;
  if (Chunk *ToSettle = P.close())
    Pool.settle(ToSettle);
}

void *OrderThread::allocateSlowly(size_t Granules) {
  tick();
  for (size_t Passed = 0; Passed <= Granules;) {
    if (Main.isOpen()) {
      Passed += Main.restGranules();
      if (Passed > Granules)
        break;
      if (!Main.enterNextHole())
        close(Main);
    } else if (!openMain()) {
      return nullptr;
    }
    if (Main.isOpen() && Main.fits(Granules))
      return Main.make(Granules);
  }
  if (!Side.isOpen() || !Side.fits(Granules)) {
    close(Side);
    const ChunkPool::Taken T = Pool.take(ChunkPool::AlsoUnused);
    if (T.Which == nullptr)
      return nullptr;
    Side.openEmpty(T.Which);
  }
  return Side.make(Granules);
}

/// Gives back the objects that are linked. Those that were freed one after the
/// other often lie in one chunk: so what is in one word of bits goes together.
void OrderThread::giveBack(void *First, size_t Granules) {
  /// The holes of words that have a bit in Words.
  uint64_t Holes[ChunkGranules / 64];
  static_assert(std::size(Holes) == 32);
  for (void *Object = First; Object != nullptr;) {
    Chunk *C = Chunk::of(Object);
    uint32_t Words = 0;
    size_t Count = 0;
    do {
      const size_t Granule = Chunk::granuleOf(Object), Word = Granule / 64;
      const uint32_t InWords = uint32_t(1) << Word;
      Holes[Word] = (Words & InWords ? Holes[Word] : 0) | uint64_t(1)
                                                              << Granule % 64;
      Words |= InWords;
      ++Count;
      Object = *static_cast<void **>(Object);
    } while (Object != nullptr && Chunk::of(Object) == C);
    for (; Words != 0; Words &= Words - 1) {
      const int Word = __builtin_ctz(Words);
      C->addHoles(static_cast<size_t>(Word), Holes[Word]);
    }
    if (C->subtract(Count * Granules))
      Pool.settle(C);
  }
}

void OrderThread::releaseSlowly(void *Object, size_t Granules) {
  if (this == &NoOrderThread) {
    *static_cast<void **>(Object) = nullptr;
    giveBack(Object, Granules);
    return;
  }
  tick();
  const size_t Most = mostOf(Granules), Kept = Most / 2;
  void **Last = &Lists[Granules].First;
  for (size_t I = 0; I != Kept; ++I)
    Last = static_cast<void **>(*Last);
  void *Older = *Last;
  *Last = nullptr;
  Lists[Granules].Room = Most - Kept;
  giveBack(Older, Granules);
  releaseAtOnce(Object, Granules);
  ReleasedGranules += (Most - Kept) * Granules;
  if (ReleasedGranules >= FlushGranules)
    flush();
}

void OrderThread::flush() {
  ReleasedGranules = 0;
  for (size_t Granules = 1; Granules <= MostGranules; ++Granules) {
    // What is given back may make jemalloc ask for the same.
    void *First = Lists[Granules].First;
    Lists[Granules] = {nullptr, mostOf(Granules)};
    giveBack(First, Granules);
  }
}

void OrderThread::end() {
  flush();
  close(Main);
  close(Side);
}

int64_t OrderThread::liveGranules() const {
  int64_t Sum = static_cast<int64_t>(Main.madeGranules()) +
                static_cast<int64_t>(Side.madeGranules());
  for (size_t Granules = 1; Granules <= MostGranules; ++Granules) {
    const size_t Room =
        __atomic_load_n(&Lists[Granules].Room, __ATOMIC_RELAXED);
    Sum -= static_cast<int64_t>((mostOf(Granules) - Room) * Granules);
  }
  return Sum;
}

OrderThread *thermocline::alloc::giveOrderRecord() {
  OrderThread *Given = IsBarred ? nullptr : takeRecord();
  if (Given == nullptr)
    return nullptr;
  OrderThreadOrNone = Given;
  pthread_setspecific(EndOfThread, Given);
  return Given;
}

OrderThread *thermocline::alloc::firstOrderRecord() {
  return Records.load(std::memory_order_acquire);
}

bool thermocline::alloc::startOrderThreads() {
  return pthread_key_create(&EndOfThread, endThread) == 0;
}

WithoutOrder::WithoutOrder() : Before(OrderThreadOrNone), WasBarred(IsBarred) {
  OrderThreadOrNone = none();
  IsBarred = true;
}

WithoutOrder::~WithoutOrder() {
  OrderThreadOrNone = Before;
  IsBarred = WasBarred;
}
