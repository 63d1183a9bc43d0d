//===- profile/measure/Contexts.h - Contexts and measures -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack depot: every distinct list of calls is kept once, together with the
// measures of the allocations made there, in memory that only grows.
//
// Invariant: a published context never moves. Only its measures change, and a
// lock protects these. So finding a context takes no lock. Cost: a hash over
// the calls, then a walk of the bucket's chain, and a lock for a new context.
// Full tables are no error: all contexts without room become one, the overflow
// context, and are counted.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTS_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTS_H

#include "Histogram.h"
#include "Sampling.h"
#include "TouchWindows.h"
#include "platform/Base.h"
#include "platform/Lock.h"
#include "unwind/CallStack.h"

namespace thermocline::runtime {

/// Names a context; fits an allocation's header. None is that of allocations
/// that are not profiled.
enum class ContextId : uint32_t { None = 0 };

/// Allocations of one context, merged in the order in which they ended.
struct MeasureBatch {
  /// The time when the first of them was allocated.
  uint32_t FirstAllocatedAt;
  uint32_t FirstAllocatedOnCpu;
  uint32_t FirstFreedOnCpu;
  uint32_t FirstWeight;
  MemInfoBlock Sum;
  SampleSums Samples;

  /// Begins a batch of single allocations, each with its weight.
  void begin(const MemInfoBlock &First, uint32_t Weight) {
    FirstAllocatedAt = First.AllocTimestamp;
    FirstAllocatedOnCpu = First.AllocCpuId;
    FirstFreedOnCpu = First.DeallocCpuId;
    FirstWeight = Weight;
    Samples = {};
    Samples.add(First, Weight);
    copyMeasures(Sum, First);
    weigh(Sum, Weight);
  }
  void add(const MemInfoBlock &New, uint32_t Weight) {
    Samples.add(New, Weight);
    addWeighted(Sum, New, Weight);
  }
  /// Adds an allocation of weight 1.
  void add(const Lifetime &New) {
    ++Samples.Measured;
    mergeLifetime(Sum, New);
  }
};

class Contexts {
public:
  /// Sizes of the tables, small in tests.
  struct Capacity {
    size_t Bytes = size_t(1) << 36;
    uint32_t MaxContexts = uint32_t(1) << 28;
    uint32_t Buckets = uint32_t(1) << 20; // A power of two.
    /// The only call of the overflow context.
    uint64_t OverflowCall = 1;
  };

  /// Reserves the tables. \returns false if there is no room for them.
  bool initialize(Capacity C);

  /// Lowers how much is kept, before the first find().
  void limit(uint32_t MaxContexts, size_t Bytes);

  /// The context of these calls, which is made if it is new. The overflow
  /// context if the tables are full. A new context remembers \p Steps, if
  /// given.
  ContextId find(const uint64_t *Calls, size_t NumCalls,
                 const FrameSteps *Steps = nullptr);

  /// Merges an allocation that ended into its context.
  void add(ContextId Id, const MemInfoBlock &Measures,
           ByteCounters Accesses = {});
  /// Merges several allocations that ended. If \p GiveUp, waits for a lock at
  /// most a second, and goes on without it.
  void add(ContextId Id, const MeasureBatch &Batch, bool GiveUp = false);

  /// The calls of a context, not None.
  struct CallList {
    const uint64_t *First;
    size_t Size;
  };
  CallList callsOf(ContextId Id) const {
    return {at(Id)->calls(), at(Id)->NumCalls};
  }
  /// The distances between frames on the stack where the context was first
  /// seen.
  FrameSteps stepsOf(ContextId Id) const {
    Context *C = at(Id);
    return {C->NumSteps, C->steps(), C->StepsHaveUnknown != 0};
  }

  /// What scans have seen of a context; none is null. For whoever has the lock
  /// of the scans (heap/WindowScan.h).
  struct TouchTables {
    /// The tables of objects, those of a page and more left out, and of pages
    /// of those.
    TouchTable *Objects;
    TouchTable *Pages;
  };
  TouchTables &touchesOf(ContextId Id) { return at(Id)->Touches; }
  TouchTables &touchesOf(uint32_t Number) { return at(Ids[Number])->Touches; }

  /// The number of contexts. They are numbered from 0 in the order in which
  /// they were made. Others may be added meanwhile.
  uint32_t size() const { return NumContexts.load(); }
  uint32_t numberOf(ContextId Id) const { return at(Id)->Number; }

  struct View {
    const uint64_t *Calls;
    size_t NumCalls;
    MemInfoBlock Measures;
    Histogram Accesses;
    SampleSums Samples;
    /// Whether markGaps() or markAllGaps() was called, or this is the overflow
    /// context.
    bool HasGaps;
    bool IsOverflow;
  };
  /// A copy of the measures, and of the histogram into \p Copies, if given.
  /// Waits for a lock at most a second.
  View view(uint32_t Number, Histograms *Copies = nullptr);

  /// Notes that not all allocations of the context are recorded any more.
  void markGaps(ContextId Id) { at(Id)->HasGaps.storeRelaxed(true); }
  /// The same of all contexts.
  void markAllGaps() { AllHaveGaps.storeRelaxed(true); }

  /// Forgets all measures; the contexts stay. Waits for a lock at most a
  /// second, as the child of a fork may have been interrupted with it.
  void clearMeasures();

  /// Allocations without a context, or whose measures were dropped, because a
  /// fork may have waited for their thread.
  uint64_t lostBesideForks() const { return LostBesideForks.load(); }
  void loseBesideFork() { LostBesideForks.fetchAdd(1); }

  /// Allocations that are in the overflow context.
  uint64_t overflows() const { return Overflows.load(); }

  /// Whether there was room for all histograms.
  bool hasAllHistograms() const { return Accesses.isComplete(); }

  /// Takes all locks, around a fork. They are many, and not checked by the
  /// compiler.
  void lockAll() THERMOCLINE_UNCHECKED;
  void unlockAll() THERMOCLINE_UNCHECKED;

private:
  struct Context {
    Context *Next;
    uint64_t Hash;
    uint32_t Number;
    uint16_t NumCalls;
    uint16_t NumSteps : 15;
    uint16_t StepsHaveUnknown : 1;
    Lock Mutex;
    Atomic<bool> HasGaps;
    MemInfoBlock Measures THERMOCLINE_GUARDED_BY(Mutex);
    Histogram Accesses THERMOCLINE_GUARDED_BY(Mutex);
    SampleSums Samples THERMOCLINE_GUARDED_BY(Mutex);
    TouchTables Touches;
    uint64_t *calls() { return reinterpret_cast<uint64_t *>(this + 1); }
    uint8_t *steps() { return reinterpret_cast<uint8_t *>(calls() + NumCalls); }
  };
  static constexpr size_t UnitBytes = 16;

  /// Guards Used and the publishing of new contexts.
  Lock Growing;

  Context *at(ContextId Id) const {
    return reinterpret_cast<Context *>(
        Arena + size_t(static_cast<uint32_t>(Id)) * UnitBytes);
  }
  ContextId idOf(const Context *C) const {
    return static_cast<ContextId>((reinterpret_cast<uintptr_t>(C) - Arena) /
                                  UnitBytes);
  }
  Atomic<Context *> &bucketOf(uint64_t Hash, unsigned Part) const;
  Context *search(uint64_t Hash, const uint64_t *Calls, size_t NumCalls) const;
  void makeOverflow() THERMOCLINE_REQUIRES(Growing);
  Context *make(uint64_t Hash, const uint64_t *Calls, size_t NumCalls,
                const FrameSteps &Steps) THERMOCLINE_REQUIRES(Growing);
  Context *append(uint64_t Hash, const uint64_t *Calls, size_t NumCalls,
                  const FrameSteps &Steps) THERMOCLINE_REQUIRES(Growing);
  static size_t bytesOf(size_t NumCalls, size_t NumSteps) {
    return roundUp(sizeof(Context) + NumCalls * sizeof(uint64_t) + NumSteps,
                   UnitBytes);
  }

  Capacity Limits;
  uintptr_t Arena = 0;
  Atomic<Context *> *Buckets = nullptr;
  /// The context ids, by number.
  ContextId *Ids = nullptr;
  size_t Used THERMOCLINE_GUARDED_BY(Growing) = 0;
  Atomic<uint32_t> NumContexts;
  /// The number of contexts that lockAll() locked. The thread that did may make
  /// more before unlockAll().
  uint32_t NumLocked = 0;
  Atomic<bool> AllHaveGaps;
  Atomic<uint64_t> Overflows;
  Atomic<uint64_t> LostBesideForks;
  /// The overflow context. None until a context finds no room. From then on
  /// none does.
  Atomic<uint32_t> OverflowId;
  Histograms Accesses;
};

} // namespace thermocline::runtime

#endif
