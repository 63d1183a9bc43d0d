//===- profile/heap/WatchedSample.h - Which objects are watched -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: of recorded objects, each of which stands for others already, choose
// some to watch, on few pages, so that sums over what is watched are unbiased
// at any time and have little error. How many objects will come is not known,
// nor when they end.
//
// This is threshold sampling (Duffield, Lund and Thorup, "Priority sampling for
// estimation of arbitrary subset sums", 2007). An object of the worth V that
// stands for W objects is watched with the chance W V / T if that is less than
// one, and then stands for T / V. So what stands for few does not take the
// pages of what stands for many. When too many objects are watched, T grows,
// until enough are left out: those that would not have been chosen with this T,
// as each keeps the number that was drawn for it. When few are left, T is
// halved for new ones.
//
// The worth is the root of the size. Where most of the memory is touched, an
// object matters as its bytes do. Where little is, each that is touched makes
// it a page more, whatever its size. The root is between.
//
// An object that is left out stays on its page. So pages become rare when T has
// grown for long. Then T is larger for new objects than for those that have a
// page, and the rarer pages are, the larger.
//
// To look at a page costs time, and so does the fault with which a touched one
// comes back. So watchFewer() lets T grow as well. Which objects will be left
// out together is known from the beginning, by their leftOutClass().
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDSAMPLE_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_WATCHEDSAMPLE_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// By any thread. All zeros means that nothing is watched.
class WatchedSample {
public:
  static constexpr unsigned MaxPages = 8192;

  /// An object that may be watched.
  struct Candidate {
    /// For how many it stands if all are watched; at most 1 << 17.
    uint32_t Weight;
    /// At most 1 << 8.
    uint32_t Worth;
    /// Uniform in all of its type.
    uint32_t Number;
    /// T, above; 0 if all are watched.
    uint32_t Threshold = 0;

    /// For how many it has to stand to be watched for certain.
    uint32_t weightForCertain() const {
      const uint32_t Result = Threshold / Worth;
      return Result < MaxWeight ? Result : MaxWeight;
    }
    bool isChosen() const {
      return uint64_t(Number) * weightForCertain() < uint64_t(Weight) << 32;
    }
    /// Rises with the threshold by which it is left out.
    unsigned leftOutClass() const {
      const uint64_t Stands = uint64_t(Weight) * Worth;
      const uint64_t Share = (Stands << 30) / (uint64_t(Number) / 4 + 1);
      return 63 - static_cast<unsigned>(__builtin_clzll(Share | 1));
    }
  };
  static constexpr unsigned NumClasses = 64;

  /// The worth of an object of \p Bytes, which are at most 1 << 16.
  static uint32_t worthOf(size_t Bytes);
  /// Sets the threshold of \p C. There are \p Pages pages, of which \p InUse
  /// are in use. \returns whether it is to be watched.
  bool choose(Candidate &C, unsigned InUse, unsigned Pages);
  /// \p C was chosen and is on \p Page, which nobody else has.
  void add(unsigned Page, const Candidate &C);
  /// To be called before somebody else may have \p Page.
  void remove(unsigned Page);
  /// For how many the object on \p Page stands; 0 if it was left out.
  uint32_t weight(unsigned Page) const;
  /// Lets half as many be watched at a time from now on.
  void watchFewer() { WatchesFewer.store(true); }

private:
  struct Member {
    /// 0 if there is none.
    Atomic<uint32_t> Weight;
    Atomic<uint32_t> Worth;
    Atomic<uint32_t> Number;
    /// The greatest that there was since it was drawn.
    Atomic<uint32_t> Threshold;

    Candidate get() const {
      return {Weight.load(), Worth.load(), Number.load(), Threshold.load()};
    }
  };
  /// Squares of weights are summed up, over all that is watched.
  static constexpr uint32_t MaxWeight = uint32_t(1) << 24;

  unsigned mostWatched(unsigned InUse, unsigned Pages) const;
  void makeRoom(unsigned MostWatched);
  unsigned leaveOut(uint32_t Least);

  Atomic<uint32_t> Threshold;
  Atomic<bool> WatchesFewer;
  Atomic<uint32_t> NumWatched;
  /// Whether a thread raises the threshold.
  Atomic<bool> IsRaising;
  Member Members[MaxPages];
};

} // namespace thermocline::runtime

#endif
