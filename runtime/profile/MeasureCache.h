//===- profile/MeasureCache.h - Measures not yet merged ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's measures of the contexts that it freed allocations of last, on
// their way to the context: merged there under the context's lock when another
// context takes the place, and when somebody asks for a profile.
//
// How two records merge depends on their order (overlapping lifetimes, equal
// CPUs in sequence), so a batch remembers how it began: one thread's batches
// merge into exactly what its allocations would have, one by one. Of several
// threads, each batch counts as a whole: those three numbers are then as if the
// threads had taken turns, batch by batch. All else does not depend on the
// order.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURECACHE_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURECACHE_H

#include "Contexts.h"

namespace thermocline::runtime {

/// All zeros is empty. The caller sees to it that no two threads use it at
/// once.
class MeasureCache {
public:
  /// Merges an allocation of context \p Id, not None, that ended.
  void add(Contexts &C, ContextId Id, const MemInfoBlock &New) {
    MeasureBatch &B = Batches[slotOf(Id)];
    if (__builtin_expect(B.Id == Id, true)) {
      B.Sum.Merge(New);
      return;
    }
    if (B.Id != ContextId::None)
      C.add(B);
    B.begin(Id, New);
  }

  /// Merges everything into the contexts. A context's lock that cannot be taken
  /// within a second is passed over if \p GiveUp.
  void flush(Contexts &C, bool GiveUp) {
    for (MeasureBatch &B : Batches) {
      if (B.Id != ContextId::None)
        C.add(B, GiveUp);
      B.Id = ContextId::None;
    }
  }

  void forget() {
    for (MeasureBatch &B : Batches)
      B.Id = ContextId::None;
  }

private:
  static constexpr unsigned SlotBits = 6;
  static unsigned slotOf(ContextId Id) {
    return (static_cast<uint32_t>(Id) * 0x9E3779B1u) >> (32 - SlotBits);
  }
  MeasureBatch Batches[1u << SlotBits];
};

} // namespace thermocline::runtime

#endif
