//===- profile/heap/BlockSample.h - Some of many blocks ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which blocks a scan visits, of many that are much alike: one of each group of
// a power of two, for which it stands. Which one it is looks random, so no
// pattern in which a program allocates can make it always one of the same kind.
// A group of twice the size has one of the two that its halves have. So when
// groups grow, each block that is visited was visited before.
//
// When they shrink again, blocks join that no scan has seen yet. The first one
// only notes their counters.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_BLOCKSAMPLE_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_BLOCKSAMPLE_H

#include "SizeClasses.h"

namespace thermocline::runtime {

/// How large groups are, as logarithms. Blocks have numbers.
struct SampleGroups {
  /// One block of each such group is counted, and one of each is visited.
  uint8_t Counted = 0;
  uint8_t Visited = 0;

  /// \returns the one that is visited of \p Group, which has the numbers from
  /// Group << Visited up to the next group's.
  uint64_t visited(uint64_t Group) const { return pick(Group, Visited); }
  /// Whether \p Number, which is visited, is counted as well.
  bool isCounted(uint64_t Number) const {
    return Counted == Visited || pick(Number >> Counted, Counted) == Number;
  }

private:
  static constexpr uint64_t pick(uint64_t Group, unsigned Shift) {
    uint64_t Result = Group;
    for (; Shift; --Shift) {
      uint64_t Hash = (Result + (uint64_t(Shift) << 58)) * 0x9E3779B97F4A7C15;
      Hash = (Hash ^ (Hash >> 32)) * 0xD6E8FEB86659FD93;
      Result = Result * 2 + (Hash >> 63);
    }
    return Result;
  }
};

/// The groups of all blocks.
class BlockSample {
public:
  constexpr BlockSample() = default;
  /// One that has all blocks.
  static constexpr BlockSample whole() { return withLimit(UINT64_MAX); }
  static constexpr BlockSample withLimit(uint64_t Limit) {
    BlockSample Result;
    Result.Limit = Limit;
    return Result;
  }

  /// Fewer than this many blocks of a size class are visited.
  static constexpr uint64_t LeastLimit = 4 * 1024;
  /// The limit of the pages of large blocks is the limit divided by this: each
  /// page has many counters to read, and what else the program had in its
  /// caches goes from there.
  static constexpr uint64_t CostOfPage = 4;

  /// Doubles the limit, if \p Refines and if that changes anything. The
  /// following scan lets blocks join. To be called before each scan.
  void beginScan(bool Refines) {
    Joins = Refines && IsLimited;
    if (Joins)
      Limit *= 2;
    IsLimited = false;
  }

  /// There are \p Number blocks of \p Class now.
  SampleGroups ofClass(unsigned Class, uint64_t Number) {
    return update(Classes[Class], Number, Limit);
  }
  /// There are \p Number pages of large blocks now.
  SampleGroups ofPages(uint64_t Number) {
    return update(Pages, Number, Limit / CostOfPage);
  }
  SampleGroups ofPages() const { return Pages; }

private:
  SampleGroups update(SampleGroups &Groups, uint64_t Number, uint64_t Most) {
    uint8_t Needed = 0;
    while (Number >> Needed >= Most)
      ++Needed;
    // What joined in the last scan is counted from now on.
    Groups.Counted = Groups.Visited < Needed ? Needed : Groups.Visited;
    Groups.Visited = Joins ? Needed : Groups.Counted;
    IsLimited |= Groups.Visited != 0;
    return Groups;
  }

  SampleGroups Classes[sizeclass::Count];
  SampleGroups Pages;
  uint64_t Limit = LeastLimit;
  bool Joins = false;
  bool IsLimited = false;
};

} // namespace thermocline::runtime

#endif
