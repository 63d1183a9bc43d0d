//===- measure/StratifiedSampler.h - What is recorded -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: record one of N allocations so that each has the same chance, that
// periodic programs do not meet it always or never, and that calls
// which allocate seldom are not lost beside those that allocate all the time.
//
// A thread distinguishes the allocations of different calls by return address
// and depth of the stack, which cost nothing to find. Allocations that agree in
// both are a stratum. In every block of `interval` consecutive allocations of a
// stratum, one is recorded, at a position drawn at random, and has the weight
// `interval`. So an allocation is recorded with probability 1 / interval
// wherever the block ends, and weighted sums are unbiased. A new stratum begins
// with some allocations of weight 1, and then has intervals of 2, 4 ... N. Once
// so many of these were recorded that a total's error is small, intervals of 2
// N, 4 N and so on give the same error at less cost.
//
// Depths of many KiB, as in deep recursion, are compared by their leading bits
// only. Otherwise there would be a stratum for each level.
//
// Strata share pairs of slots. A stratum that finds others in both slots takes
// one over, and starts again. If that happens all the time, the first
// allocations of weight 1 would be all there are. So allocations pay for
// restarts, and a stratum that cannot pay begins with the interval N.
//
// What is recorded costs a walk of the stack. Where that must not take more
// than some part of the time, whatever a program does, pace() doubles the
// interval of all strata while too many are recorded.
//
// To look for a stratum costs some nanoseconds, and more where there are many.
// A program that does little but allocate would feel that. So while a thread
// has too many allocations, only one in each block of 2, 4, 8 ... is looked at,
// at a position drawn at random, and stands for all of them. Strata count what
// is looked at.
//
// Cost: one load, comparison and store for what is not recorded.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_STRATIFIEDSAMPLER_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_STRATIFIEDSAMPLER_H

#include "platform/Base.h"
#include "thermocline/Format/Counters.h"

namespace thermocline::runtime {

/// A stratum. All zeros means that the slot is free.
struct Stratum {
  uint32_t Key;
  /// The number of allocations to pass over before the next is recorded.
  uint32_t Left;
  /// The number of allocations of the present block after its recorded
  /// position.
  uint16_t Rest;
  /// The length of the present block, which is the weight of the next recorded
  /// allocation.
  uint16_t Interval;
  /// The number of blocks of this length that come after the present one.
  uint16_t Blocks;
  /// How many allocations were shadow-tracked; kept by the owner.
  uint16_t NumTracked;
  /// The last allocation that was tracked, and its number in its block; kept by
  /// the owner.
  uint32_t LastSequence;
  /// Key if allocations that are not recorded need not be tracked
  /// (TouchedCalls.h) and are delegated; else 0.
  uint32_t DelegateKey;
  void *LastTracked;

  bool isDelegated() const { return DelegateKey != 0; }
  void delegateFromNow() { DelegateKey = Key; }
};
static_assert(sizeof(Stratum) == 32, "a pair has one cache line");

/// The sampler of one thread. All zeros means empty, except for seed().
class StratifiedSampler {
public:
  /// What is seen of an allocation: the call by its return address, and how far
  /// its frame is below another of the thread.
  [[gnu::always_inline]] static uint64_t seen(uintptr_t ReturnAddress,
                                              uintptr_t Depth) {
    if (__builtin_expect(Depth + ExactDepth >= 2 * ExactDepth, false))
      Depth = roughDepth(Depth);
    return ReturnAddress ^ Depth << 20;
  }

  /// The number of allocations of a new stratum that have the weight 1.
  static constexpr unsigned NumEarly = 8;
  /// The number of blocks of N, of 2 N and so on. It is large enough that what
  /// only one allocation in a hundred does is seen some forty times.
  static constexpr unsigned NumLate = 4096;
  static constexpr uint32_t GreatestInterval = format::MaxSampleInterval;

  void seed(uint64_t Number) { Random = (Number + 1) * 0x9E3779B97F4A7C15; }

  /// If the next allocation is not looked at, counts it and returns true.
  [[gnu::always_inline]] bool passesThisOver() {
    if (!ToPassOver)
      return false;
    --ToPassOver;
    return true;
  }

  /// If the next allocation, of the stratum with \p Seen, is neither recorded
  /// nor shadow-tracked, counts it and returns true.
  [[gnu::always_inline]] bool delegate(uint64_t Seen) {
    if (passesThisOver())
      return true;
    Stratum *S = find(Seen, &Stratum::DelegateKey);
    if (__builtin_expect(!S || !S->Left, false))
      return false;
    --S->Left;
    if (__builtin_expect(LookShift != 0, false))
      passOver();
    return true;
  }

  /// Counts an allocation with \p Seen. \returns its weight, or 0 if it is not
  /// to be recorded. Sets \p Found to its stratum, which is valid until the
  /// next call; to null if it was not looked at.
  uint32_t next(uint64_t Seen, uint32_t MaxInterval, Stratum *&Found);

  /// \returns \p Interval, or more if too many were recorded.
  uint32_t paced(uint32_t Interval) const {
    return Interval < GreatestInterval >> PaceShift ? Interval << PaceShift
                                                    : GreatestInterval;
  }
  /// What a thread may record at once, and what in a millisecond, in calls of
  /// the stacks that it walks for that. A call takes some 0.1 us.
  /// And at how many allocations it may look in a millisecond.
  struct Allowance {
    uint32_t AtOnce;
    uint32_t PerMs;
    uint32_t LooksPerMs;
  };
  /// What takes half of \p Thousandths of the thread's time at most for walks;
  /// less where stacks are compared with known ones. Looks take another half,
  /// or more where strata are not in a cache.
  static constexpr Allowance allowance(uint32_t Thousandths) {
    return {16384 * Thousandths, 5 * Thousandths, 200 * Thousandths};
  }
  /// An allocation was recorded at the time \p NowMs, and \p NumCalls calls
  /// were found on the stack. Only to be called if allocations may be delegated
  /// that are not looked at.
  void pace(uint32_t NowMs, uint32_t NumCalls, Allowance Allowed);

  /// Whether allocations are passed over that are not looked at, whatever their
  /// strata, or soon will be.
  bool passesOver() const { return LookShift || WantedLookShift; }

  /// Whether the allocation that next() has just given the weight 1 is the last
  /// before some are passed over.
  static bool opensGaps(const Stratum &S) { return S.Interval > 1; }

private:
  static uint64_t hash(uint64_t Seen) { return Seen * 0x9E3779B97F4A7C15; }
  /// The key of a stratum. It is odd, because 0 means a free slot.
  static uint32_t keyOf(uint64_t Hash) {
    return static_cast<uint32_t>(Hash >> (32 - SlotBits)) | 1;
  }
  /// The slot that a stratum has first of all.
  [[gnu::always_inline]] Stratum *slotOf(uint64_t Hash) {
    return &Slots[Hash >> (64 - SlotBits)];
  }
  /// The other one of a pair.
  static Stratum *partnerOf(Stratum *Slot) {
    return reinterpret_cast<Stratum *>(reinterpret_cast<uintptr_t>(Slot) ^
                                       sizeof(Stratum));
  }
  /// Null if neither of its slots has the stratum's key.
  [[gnu::always_inline]] Stratum *find(uint64_t Seen, uint32_t Stratum::*Key) {
    uint64_t Hash = hash(Seen);
    Stratum *Slot = slotOf(Hash);
    if (__builtin_expect(Slot->*Key == keyOf(Hash), true))
      return Slot;
    Slot = partnerOf(Slot);
    return Slot->*Key == keyOf(Hash) ? Slot : nullptr;
  }
  Stratum *begin(uint64_t Seen, uint32_t MaxInterval);
  uint32_t advance(Stratum &S, uint32_t MaxInterval);
  /// Begins a block of \p S, of \p Interval allocations.
  void beginBlock(Stratum &S, uint32_t Interval);
  void paceWalks(uint32_t NowMs, uint32_t NumCalls, const Allowance &Allowed);
  void paceLooks(uint32_t NowMs, uint32_t LooksPerMs);
  /// From now on, one of 2^\p Shift allocations is looked at.
  void lookAtOneOf(unsigned Shift);
  /// Likewise, for the present block of \p S.
  void continueWith(Stratum &S, unsigned Shift);
  /// Begins a block of allocations of which one is looked at.
  [[gnu::always_inline]] void passOver() {
    const uint32_t Position = draw(1u << LookShift);
    ToPassOver = RestAfterLook + Position;
    RestAfterLook = (1u << LookShift) - 1 - Position;
  }
  /// Uniform in [0, Below), by a xorshift generator.
  [[gnu::always_inline]] uint32_t draw(uint32_t Below) {
    Random ^= Random >> 12;
    Random ^= Random << 25;
    Random ^= Random >> 27;
    const uint64_t High = (Random * 0x2545F4914F6CDD1D) >> 32;
    return static_cast<uint32_t>((High * Below) >> 32);
  }
  /// Keeps the sign and four bits. Without floating-point arithmetic, which
  /// could raise an exception of the program's.
  static uintptr_t roughDepth(uintptr_t Depth) {
    constexpr int Kept = 4;
    bool IsNegative = static_cast<intptr_t>(Depth) < 0;
    uintptr_t Size = IsNegative ? ~Depth : Depth;
    int Dropped = 64 - Kept - __builtin_clzll(Size);
    Size = Size >> Dropped << Dropped;
    return IsNegative ? ~Size : Size;
  }

  /// Depths up to this many bytes, up and down, are compared exactly.
  static constexpr uintptr_t ExactDepth = 1 << 14;

  /// A restart costs some ten allocations that are recorded, each some ten
  /// times what one that is not recorded costs; in allocations.
  static constexpr uint64_t RestartPrice = 256;
  static constexpr unsigned SlotBits = 12;
  static constexpr uint64_t MaxDebt = RestartPrice << SlotBits;

  alignas(64) Stratum Slots[1u << SlotBits];
  uint64_t Random;
  /// What was taken for restarts, in allocations. Each recorded allocation pays
  /// back as many as it stands for.
  uint64_t Debt;
  /// What has been recorded since the allowance was looked at, and when that
  /// was; what was left of it then, and by what the interval is shifted.
  uint32_t Unpaid;
  uint32_t NumUnpaid;
  uint32_t PacedAtMs;
  int64_t Balance;
  uint32_t PaceShift;
  bool IsPaced;
  /// How many allocations to pass over before the next look, and how many of
  /// the block come after it.
  uint32_t ToPassOver;
  uint32_t RestAfterLook;
  /// One of 2^LookShift is looked at, and 2^WantedLookShift are to be in the
  /// next block.
  uint32_t LookShift;
  uint32_t WantedLookShift;
  /// About how many were looked at since LooksPacedAtMs, and how many of them
  /// recorded.
  uint64_t NumLooks;
  uint32_t NumRecorded;
  uint32_t LooksPacedAtMs;
};

} // namespace thermocline::runtime

#endif
