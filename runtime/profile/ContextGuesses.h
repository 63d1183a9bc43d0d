//===- profile/ContextGuesses.h - Contexts found lately ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program allocates mostly in places where it allocated before, with the same
// calls above. A thread remembers contexts by what is seen of a stack at once:
// where the frame of the allocation function lies and which two calls led to
// it; and, for when that is wrong, by six calls. Whether the guess is right is
// then proved by walking the stack and comparing each call, without storing or
// hashing any.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_CONTEXTGUESSES_H
#define THERMOCLINE_RUNTIME_PROFILE_CONTEXTGUESSES_H

#include "Contexts.h"

namespace thermocline::runtime {

/// All zeros is empty. For one thread; as guesses are proved, one that a signal
/// handler or a fork left half written does no harm.
class ContextGuesses {
public:
  /// The context that was set last for what \p Seen was made of; None if there
  /// is none. Threads that end share theirs.
  ContextId get(uint64_t Seen) const {
    return static_cast<ContextId>(Ids[slotOf(Seen)].loadRelaxed());
  }
  void set(uint64_t Seen, ContextId Id) {
    Ids[slotOf(Seen)].storeRelaxed(static_cast<uint32_t>(Id));
  }

  /// The same for what was made of calls only.
  ContextId getByCalls(uint64_t Seen) const {
    return static_cast<ContextId>(
        IdsByCalls[slotOf(Seen) / Ratio].loadRelaxed());
  }
  void setByCalls(uint64_t Seen, ContextId Id) {
    IdsByCalls[slotOf(Seen) / Ratio].storeRelaxed(static_cast<uint32_t>(Id));
  }

private:
  static constexpr unsigned SlotBits = 13;
  /// As there are fewer.
  static constexpr unsigned Ratio = 8;
  static uint64_t slotOf(uint64_t Seen) {
    return (Seen * 0x9E3779B97F4A7C15) >> (64 - SlotBits);
  }
  Atomic<uint32_t> Ids[1u << SlotBits];
  Atomic<uint32_t> IdsByCalls[(1u << SlotBits) / Ratio];
};

} // namespace thermocline::runtime

#endif
