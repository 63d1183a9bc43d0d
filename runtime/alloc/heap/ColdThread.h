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
#include "arch/ForPrograms.h"
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
  /// A record in which nothing can be counted at once.
  constexpr ThreadRecord() : IsOwned(true), Next(nullptr), Recent(), Settled() {
    for (uint64_t &Sum : Recent)
      Sum = UINT64_MAX;
  }
  /// Counts a call for a small object, unless there is too much to count at
  /// once. \returns whether it did.
  bool countColdAtOnce(Kind Called, size_t SizeBytes) {
    uint64_t &Sum = Recent[static_cast<size_t>(Called)];
    uint64_t Added = OneCall + SizeBytes, Next;
    // Each instruction counts here: an addition that the compiler does not see
    // through stays one.
    asm volatile("" : "+r"(Added));
    if (__builtin_expect(SizeBytes > SmallBytes, false) ||
        __builtin_expect(__builtin_add_overflow(Sum, Added, &Next), false))
      return false;
    Sum = Next;
    return true;
  }
  void countCold(Kind Called, size_t SizeBytes) {
    if (!countColdAtOnce(Called, SizeBytes))
      countColdInFull(Called, SizeBytes);
  }
  /// Takes back a count that was just made.
  void takeBackCold(Kind Called, size_t SizeBytes);
  void countOrdinary(Kind Called, size_t SizeBytes);

  /// Adds what was counted. Any thread may ask, at any time.
  void addTo(Counter &To, Kind Called) const;
  /// Also for a record of zeros.
  void forget();

  /// Whether a thread has it now.
  std::atomic<bool> IsOwned;
  /// The next in the list of all records that were ever made.
  ThreadRecord *Next;

private:
  /// A word counts both cold calls, from bit 30 up, and their bytes below, as
  /// one addition: with another word for the bytes a call would take a tenth
  /// longer. It starts where it overflows before the bytes reach bit 30; then
  /// it is settled.
  static constexpr uint64_t OneCall = uint64_t(1) << 30;
  /// Larger objects are not in the caches' bins, and take longer anyway.
  static constexpr size_t SmallBytes = 4096;
  static constexpr uint64_t NoCalls = -(OneCall / SmallBytes * OneCall);
  uint64_t Recent[KindCount];
  Counter Settled[KindCount];

  void settle(Kind Called);
  void countColdInFull(Kind Called, size_t SizeBytes);
};

/// What a thread has for a record before it has one, and when it has ended: so
/// that those who count at once need not ask. It stays as it is.
extern const ThreadRecord NoRecord THERMOCLINE_HIDDEN;

/// The calling thread's record, or NoRecord. The second is also that where no
/// call may be served at once, because each object is offered (Sampler.h).
extern __thread ThreadRecord *CountsOrNone
    __attribute__((tls_model("initial-exec"))) THERMOCLINE_HIDDEN;
extern __thread ThreadRecord *RecordOrNone
    __attribute__((tls_model("initial-exec"))) THERMOCLINE_HIDDEN;

#ifdef THERMOCLINE_ALLOC_ARCHIVE
// In a shared library, an allocator of its own would get memory to free that it
// never gave. No linker makes a library with a reference to a variable whose
// distance from the thread pointer is fixed; all print the variable's name. The
// fixed distance also saves hinted operators an instruction.
#define THERMOCLINE_OF_PROGRAM                                                 \
  __asm__(THERMOCLINE_FOR_PROGRAMS) __attribute__((tls_model("local-exec")))
#else
#define THERMOCLINE_OF_PROGRAM __attribute__((tls_model("initial-exec")))
#endif

/// This is RecordOrNone where it is known that operator new may give cold
/// memory; else it is NoRecord.
extern __thread ThreadRecord *OperatorsRecordOrNone THERMOCLINE_OF_PROGRAM
    THERMOCLINE_HIDDEN;

/// \returns the calling thread's record, or null.
inline ThreadRecord *myRecord() {
  return CountsOrNone == &NoRecord ? nullptr : CountsOrNone;
}

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
