//===- alloc/heap/ColdThread.cpp - A thread and the cold heap -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ColdThread.h"
#include "Jemalloc.h"
#include "Sampler.h"
#include <pthread.h>

using namespace thermocline::alloc;

constinit const ThreadRecord thermocline::alloc::NoRecord;
constinit __thread ThreadRecord *thermocline::alloc::CountsOrNone =
    const_cast<ThreadRecord *>(&NoRecord);
constinit __thread ThreadRecord *thermocline::alloc::RecordOrNone =
    const_cast<ThreadRecord *>(&NoRecord);
constinit __thread ThreadRecord *thermocline::alloc::OperatorsRecordOrNone =
    const_cast<ThreadRecord *>(&NoRecord);

namespace {

constinit std::atomic<ThreadRecord *> Records = nullptr;

/// This key tells us that a thread ends. If the program has used up all keys,
/// there is none, and records are not given to other threads.
pthread_key_t EndOfThread;
constinit std::atomic<bool> HasKey = false;

__thread bool HasEnded __attribute__((tls_model("initial-exec")));

void endThread(void *Record) {
  HasEnded = true;
  CountsOrNone = RecordOrNone = OperatorsRecordOrNone =
      const_cast<ThreadRecord *>(&NoRecord);
  static_cast<ThreadRecord *>(Record)->IsOwned.store(false,
                                                     std::memory_order_release);
}

ThreadRecord *takeRecord() {
  for (ThreadRecord *R = firstRecord(); R != nullptr; R = R->Next) {
    bool IsOwned = R->IsOwned.load(std::memory_order_relaxed);
    if (!IsOwned && R->IsOwned.compare_exchange_strong(
                        IsOwned, true, std::memory_order_acquire))
      return R;
  }
  auto *Made =
      static_cast<ThreadRecord *>(allocateRecord(sizeof(ThreadRecord)));
  if (Made == nullptr)
    return nullptr;
  Made->forget();
  Made->IsOwned.store(true, std::memory_order_relaxed);
  Made->Next = firstRecord();
  while (!Records.compare_exchange_weak(Made->Next, Made,
                                        std::memory_order_release))
    ;
  return Made;
}

} // namespace

void Counter::forget() {
  for (std::atomic<uint64_t> *Number : {&Calls, &Bytes, &ColdCalls, &ColdBytes})
    Number->store(0, std::memory_order_relaxed);
}

/// Adds to a number that only one thread changes and any thread reads.
static void add(std::atomic<uint64_t> &To, uint64_t Number) {
  To.store(To.load(std::memory_order_relaxed) + Number,
           std::memory_order_relaxed);
}

void ThreadRecord::settle(Kind Called) {
  uint64_t &Sum = Recent[static_cast<size_t>(Called)];
  Counter &C = Settled[static_cast<size_t>(Called)];
  uint64_t Settling = Sum - NoCalls;
  Sum = NoCalls;
  add(C.ColdCalls, Settling / OneCall);
  add(C.ColdBytes, Settling % OneCall);
}

void ThreadRecord::countColdInFull(Kind Called, size_t SizeBytes) {
  settle(Called);
  Counter &C = Settled[static_cast<size_t>(Called)];
  add(C.ColdCalls, 1);
  add(C.ColdBytes, SizeBytes);
}

void ThreadRecord::takeBackCold(Kind Called, size_t SizeBytes) {
  Counter &C = Settled[static_cast<size_t>(Called)];
  add(C.ColdCalls, -1);
  add(C.ColdBytes, -SizeBytes);
}

void ThreadRecord::countOrdinary(Kind Called, size_t SizeBytes) {
  Counter &C = Settled[static_cast<size_t>(Called)];
  add(C.Calls, 1);
  add(C.Bytes, SizeBytes);
}

void ThreadRecord::addTo(Counter &To, Kind Called) const {
  const Counter &C = Settled[static_cast<size_t>(Called)];
  uint64_t Sum =
      __atomic_load_n(&Recent[static_cast<size_t>(Called)], __ATOMIC_RELAXED) -
      NoCalls;
  add(To.Calls, C.Calls.load(std::memory_order_relaxed));
  add(To.Bytes, C.Bytes.load(std::memory_order_relaxed));
  add(To.ColdCalls,
      C.ColdCalls.load(std::memory_order_relaxed) + Sum / OneCall);
  add(To.ColdBytes,
      C.ColdBytes.load(std::memory_order_relaxed) + Sum % OneCall);
}

void ThreadRecord::forget() {
  for (uint64_t &Sum : Recent)
    Sum = NoCalls;
  for (Counter &C : Settled)
    C.forget();
}

void thermocline::alloc::giveRecord() {
  ThreadRecord *Given = HasEnded ? nullptr : takeRecord();
  if (Given == nullptr)
    return;
  CountsOrNone = Given;
  if (!Sampler)
    RecordOrNone = Given;
  if (HasKey.load(std::memory_order_acquire))
    pthread_setspecific(EndOfThread, Given);
}

ThreadRecord *thermocline::alloc::firstRecord() {
  return Records.load(std::memory_order_acquire);
}

void thermocline::alloc::startThreads() {
  if (pthread_key_create(&EndOfThread, endThread) == 0)
    HasKey.store(true, std::memory_order_release);
}

void thermocline::alloc::forgetThreads() {
  for (ThreadRecord *R = firstRecord(); R != nullptr; R = R->Next) {
    R->forget();
    R->IsOwned.store(R == CountsOrNone, std::memory_order_relaxed);
  }
}
