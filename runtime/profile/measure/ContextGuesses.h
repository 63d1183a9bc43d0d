//===- profile/measure/ContextGuesses.h - Contexts found lately -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program mostly allocates at calls where it allocated before, with the same
// calls above. So a thread remembers contexts by the parts of a stack that can
// be seen at once: the address of the allocation function's frame and the two
// calls that led to it. A second table uses six calls. Whether a guess is right
// is then proved by walking the stack and comparing each call, without storing
// or hashing any.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTGUESSES_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_CONTEXTGUESSES_H

#include "Contexts.h"

namespace thermocline::runtime {

/// All zeros is empty. For one thread; as guesses are proved, one that a signal
/// handler or a fork left half written does no harm.
class ContextGuesses {
public:
  struct Guess {
    ContextId Id;
    /// Whether frame pointers alone do not prove it.
    bool NeedsRules;
    /// Whether it ends with the thread's last frame, and not with the frame
    /// pointers.
    bool EndsInLastFrame;
  };

  /// The guess that was last set for \p Seen; None if there is none. Threads
  /// that end share their guesses.
  Guess get(uint64_t Seen) const { return unpack(Guesses[slotOf(Seen)]); }
  void set(uint64_t Seen, Guess G) { pack(G, Guesses[slotOf(Seen)]); }

  /// The guess for a \p Seen that was made of calls only.
  Guess getByCalls(uint64_t Seen) const {
    return unpack(GuessesByCalls[slotOf(Seen) / Ratio]);
  }
  void setByCalls(uint64_t Seen, Guess G) {
    pack(G, GuessesByCalls[slotOf(Seen) / Ratio]);
  }

private:
  static constexpr unsigned SlotBits = 13;
  /// The second table is smaller by this factor, because it has fewer entries.
  static constexpr unsigned Ratio = 8;
  static uint64_t slotOf(uint64_t Seen) {
    return (Seen * 0x9E3779B97F4A7C15) >> (64 - SlotBits);
  }

  /// These bits are above all ids, of which there are at most 2^28.
  static constexpr uint32_t RulesBit = uint32_t(1) << 31;
  static constexpr uint32_t LastFrameBit = uint32_t(1) << 30;
  using Slot = Atomic<uint32_t>;
  static Guess unpack(const Slot &Packing) {
    uint32_t Packed = Packing.loadRelaxed();
    return {static_cast<ContextId>(Packed & ~(RulesBit | LastFrameBit)),
            (Packed & RulesBit) != 0, (Packed & LastFrameBit) != 0};
  }
  static void pack(Guess G, Slot &To) {
    To.storeRelaxed(static_cast<uint32_t>(G.Id) |
                    (G.NeedsRules ? RulesBit : 0) |
                    (G.EndsInLastFrame ? LastFrameBit : 0));
  }
  Slot Guesses[1u << SlotBits];
  Slot GuessesByCalls[(1u << SlotBits) / Ratio];
};

} // namespace thermocline::runtime

#endif
