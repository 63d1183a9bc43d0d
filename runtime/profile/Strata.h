//===- profile/Strata.h - Which allocations are recorded ------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: record one of N allocations so that each has the same chance, that
// periodic programs do not meet it always or never, and that calling places
// which allocate seldom are not lost beside those that allocate all the time.
//
// A thread tells the allocations of different places apart by return address
// and depth of the stack, which cost nothing: a stratum. In every block of
// `interval` consecutive allocations of a stratum, one position drawn at random
// is recorded and has the weight `interval`; so an allocation is recorded with
// probability 1 / interval wherever the block ends, and weighted sums are
// unbiased. A new stratum begins with some of weight 1, then has intervals of
// 2, 4 ... N.
//
// Strata share slots. One that finds another's takes it over; where that
// happens all the time, as in deep recursion, those first allocations would be
// all. So restarts are paid for by allocations, and who cannot pay begins with
// the interval N.
//
// Cost: one load, comparison and store for what is not recorded.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_STRATA_H
#define THERMOCLINE_RUNTIME_PROFILE_STRATA_H

#include "Base.h"

namespace thermocline::runtime {

/// All zeros is nobody's.
struct Stratum {
  uint32_t Key;
  /// So many allocations are passed over before the next is recorded.
  uint32_t Left;
  /// Of the present block, after its recorded position.
  uint16_t Rest;
  /// Of the present block; the weight of what is recorded next.
  uint16_t Interval;
  /// Blocks of one allocation that are still to come.
  uint8_t Early;
  /// The owner's: what is not recorded need not be watched (Places.h), and what
  /// is passed over is nobody's concern.
  bool PassesOn;
  /// The owner's: how many were watched.
  uint16_t Watched;
  /// The owner's: the last allocation that it watched, and which one in its
  /// place that was.
  uint32_t LastSequence;
  uintptr_t LastWatched;
};

/// For one thread. All zeros but for seed() is empty.
class Strata {
public:
  /// So many allocations of a new stratum have the weight 1.
  static constexpr unsigned NumEarly = 8;

  void seed(uint64_t Number) { Random = (Number + 1) * 0x9E3779B97F4A7C15; }

  /// If the next allocation of the stratum with \p Seen is neither recorded nor
  /// watched, counts it and returns true.
  bool passOn(uint64_t Seen) {
    uint64_t Hash = hash(Seen);
    Stratum &S = Slots[Hash >> (64 - SlotBits)];
    if (__builtin_expect(S.Key == keyOf(Hash) && S.Left && S.PassesOn, true)) {
      --S.Left;
      return true;
    }
    return false;
  }

  /// Counts an allocation of which \p Seen is seen. \returns its weight, 0 if
  /// it is not to be recorded, and in \p Of its stratum, until the next call.
  uint32_t next(uint64_t Seen, uint32_t MaxInterval, Stratum *&Of) {
    uint64_t Hash = hash(Seen);
    Of = &Slots[Hash >> (64 - SlotBits)];
    return advance(*Of, keyOf(Hash), MaxInterval);
  }

  /// Whether what next() has just given the weight 1 is the last before some
  /// are passed over.
  static bool opensGaps(const Stratum &S) { return S.Interval > 1; }

private:
  static uint64_t hash(uint64_t Seen) { return Seen * 0x9E3779B97F4A7C15; }
  /// Odd, as 0 is nobody.
  static uint32_t keyOf(uint64_t Hash) {
    return static_cast<uint32_t>(Hash >> (32 - SlotBits)) | 1;
  }
  uint32_t advance(Stratum &S, uint32_t Key, uint32_t MaxInterval);
  void begin(Stratum &S, uint32_t Key, uint32_t MaxInterval);
  uint32_t draw(uint32_t Below);

  /// A restart costs some ten allocations that are recorded, each some ten
  /// times what one that is not recorded costs; in allocations.
  static constexpr uint32_t RestartPrice = 256;
  static constexpr unsigned SlotBits = 12;
  static constexpr uint64_t MaxDebt = uint64_t(RestartPrice) << SlotBits;

  uint64_t Random;
  /// In allocations; each recorded one pays for those it stands for.
  uint64_t Debt;
  Stratum Slots[1u << SlotBits];
};

} // namespace thermocline::runtime

#endif
