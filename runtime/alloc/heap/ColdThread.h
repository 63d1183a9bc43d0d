//===- alloc/heap/ColdThread.h - A thread and the cold heap -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the allocator keeps for a thread that has to do with the cold heap: its
// counts of hinted calls. That there is a record also says that the cold heap
// can be used at once; so hinted calls of such threads ask for nothing else.
//
// Problem: counters that threads share would cost several times what an
// allocation does. So each thread counts for itself, in memory that stays when
// the thread ends, with what it has counted, for the next thread to go on
// with. No locks, and as many records as there are threads at most at once.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_COLDTHREAD_H
#define THERMOCLINE_ALLOC_COLDTHREAD_H

#include "Export.h"
#include "abi/HintTable.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

inline constexpr size_t KindCount = static_cast<size_t>(Kind::NotCold) + 1;

/// Counts hinted calls of one kind: Calls and Bytes got ordinary memory,
/// ColdCalls and ColdBytes cold memory.
struct Counter {
  std::atomic<uint64_t> Calls, Bytes, ColdCalls, ColdBytes;

  void forget();
};

/// What a thread has counted. Only the thread itself writes, so no atomic
/// addition is needed.
class ThreadRecord {
public:
  void countCold(Kind Called, size_t SizeBytes) {
    if (__builtin_expect(SizeBytes >= LargeBytes, false))
      return countColdInFull(Called, SizeBytes, 1);
    uint64_t &Sum = Recent[static_cast<size_t>(Called)];
    Sum += OneCall + SizeBytes;
    if (__builtin_expect(static_cast<int64_t>(Sum) < 0, false))
      settle(Called);
  }
  /// Takes back a count that was just made.
  void takeBackCold(Kind Called, size_t SizeBytes) {
    countColdInFull(Called, SizeBytes, -1);
  }
  void countOrdinary(Kind Called, size_t SizeBytes);

  /// Adds what was counted. Any thread may ask, at any time.
  void addTo(Counter &To, Kind Called) const;
  void forget();

  /// Whether a thread has it now.
  std::atomic<bool> IsOwned;
  /// The next in the list of all records that were ever made.
  ThreadRecord *Next;

private:
  /// A word counts both cold calls, from bit 44 up, and their bytes below, as
  /// one addition: with another word for the bytes a call would take a tenth
  /// longer. It is settled when half of the calls that it can hold are in it;
  /// then the bytes fit as well.
  static constexpr uint64_t OneCall = uint64_t(1) << 44;
  static constexpr size_t LargeBytes = size_t(1) << 24;
  uint64_t Recent[KindCount];
  Counter Settled[KindCount];

  void settle(Kind Called);
  void countColdInFull(Kind Called, size_t SizeBytes, int Sign);
};

/// The calling thread's record. It is null until the thread has one, and when
/// it has ended.
extern __thread ThreadRecord *MyRecord
    __attribute__((tls_model("initial-exec"))) THERMOCLINE_HIDDEN;

/// This is MyRecord where it is known that operator new may give cold memory;
/// else it is null.
extern __thread ThreadRecord *MyOperatorsRecord
    __attribute__((tls_model("initial-exec"))) THERMOCLINE_HIDDEN;

/// Gives the calling thread a record if it has none, unless it has ended or
/// there is no memory. The cold heap can be used.
void giveRecord();

/// \returns the first of all records; Next links them.
ThreadRecord *firstRecord();

/// Prepares for records. It is called once, before threads have any.
void startThreads();

/// Forgets all counts, and which other threads had records. A forked process
/// calls it, which has the calling thread only.
void forgetThreads();

} // namespace thermocline::alloc

#endif
