//===- profile/measure/MeasureCache.h - Measures not yet merged -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cache of measures that a thread has not merged into their contexts yet:
// those of the contexts that it lately freed allocations of. They are merged,
// under the context's lock, when another context takes their place, and when
// somebody asks for a profile.
//
// How two records merge depends on their order (overlapping lifetimes, equal
// CPUs in sequence). So a batch remembers how it began. The batches of one
// thread merge into exactly what its allocations would have given one by one.
// With several threads, each batch counts as a whole: those three numbers are
// then as if the threads had taken turns, batch by batch. Everything else does
// not depend on the order.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_MEASURECACHE_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_MEASURECACHE_H

#include "Contexts.h"

namespace thermocline::runtime {

/// All zeros is empty. The caller sees to it that no two threads use it at
/// once. A fatal signal may come at any time, and its handler flush: each batch
/// is then there once or not at all, but for what the last allocation adds.
class MeasureCache {
public:
  /// Merges an allocation of context \p Id, not None, that ended and stands for
  /// \p Weight.
  void add(Contexts &C, ContextId Id, const Lifetime &New,
           uint32_t Weight = 1) {
    Slot &S = Slots[slotOf(Id)];
    if (__builtin_expect(S.Id == Id && Weight == 1, true))
      S.Batch.add(New);
    else
      addSlowly(S, C, Id, New, Weight);
  }

  /// Merges everything into the contexts. Waits for each lock at most a second
  /// if \p GiveUp, and goes on without it.
  void flush(Contexts &C, bool GiveUp) {
    for (Slot &S : Slots)
      flush(S, C, GiveUp);
  }

  void forget() {
    for (Slot &S : Slots)
      S.Id = ContextId::None;
  }

private:
  struct Slot {
    ContextId Id;
    MeasureBatch Batch;
  };

  __attribute__((noinline)) static void addSlowly(Slot &S, Contexts &C,
                                                  ContextId Id,
                                                  const Lifetime &New,
                                                  uint32_t Weight) {
    if (S.Id == Id) {
      S.Batch.add(measuresOf(New), Weight);
      return;
    }
    flush(S, C, /*GiveUp=*/false);
    S.Batch.begin(measuresOf(New), Weight);
    __atomic_signal_fence(__ATOMIC_RELEASE);
    S.Id = Id;
  }

  static void flush(Slot &S, Contexts &C, bool GiveUp) {
    ContextId Id = S.Id;
    if (Id == ContextId::None)
      return;
    S.Id = ContextId::None;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    C.add(Id, S.Batch, GiveUp);
  }

  static constexpr unsigned SlotBits = 6;
  static unsigned slotOf(ContextId Id) {
    return (static_cast<uint32_t>(Id) * 0x9E3779B1u) >> (32 - SlotBits);
  }
  Slot Slots[1u << SlotBits];
};

} // namespace thermocline::runtime

#endif
