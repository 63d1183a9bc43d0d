//===- profile/heap/WatchedSample.cpp - Which objects are watched ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WatchedSample.h"

using namespace thermocline::runtime;

/// As many objects may be watched as half of the free pages, and within these
/// parts of all pages. The other pages are for those that come when some of
/// these have been left out.
static constexpr unsigned LeastWatchedPart = 16;
static constexpr unsigned MostWatchedPart = 4;
/// When fewer than one part in so many is free, new objects have a threshold of
/// their own: up to so many times the other, as a logarithm.
static constexpr unsigned ReservePart = 16;
static constexpr unsigned MaxRaise = 15;
static constexpr uint32_t MaxThreshold = uint32_t(1) << 31;
/// A threshold grows by one part in so many, and by so much.
static constexpr uint32_t GrowthPart = 10;
static constexpr uint32_t LeastGrowth = 8;

/// Lets no threshold be less than \p Least. \returns how many stay watched.
unsigned WatchedSample::leaveOut(uint32_t Least) {
  unsigned Stay = 0;
  for (Member &M : Members) {
    if (!M.Weight.load())
      continue;
    if (M.Threshold.load() < Least)
      M.Threshold.store(Least);
    Stay += M.get().isChosen();
  }
  return Stay;
}

void WatchedSample::makeRoom(unsigned MostWatched) {
  if (IsRaising.exchange(true))
    return;
  uint32_t New = Threshold.load();
  unsigned Stay = leaveOut(New);
  while (Stay > MostWatched / 10 * 9 && New < MaxThreshold) {
    New += New / GrowthPart + LeastGrowth;
    Stay = leaveOut(New);
  }
  Threshold.store(New);
  NumWatched.store(Stay);
  IsRaising.store(false);
}

unsigned WatchedSample::mostWatched(unsigned InUse, unsigned Pages) const {
  unsigned Result = (Pages - InUse) / 2;
  if (Result < Pages / LeastWatchedPart)
    Result = Pages / LeastWatchedPart;
  if (Result > Pages / MostWatchedPart)
    Result = Pages / MostWatchedPart;
  return WatchesFewer.load() ? Result / 2 : Result;
}

uint32_t WatchedSample::worthOf(size_t Bytes) {
  uint32_t Result = 1;
  while (size_t(Result) * Result < Bytes)
    ++Result;
  return Result;
}

bool WatchedSample::choose(Candidate &C, unsigned InUse, unsigned Pages) {
  const unsigned MostWatched = mostWatched(InUse, Pages);
  if (NumWatched.load() >= MostWatched)
    makeRoom(MostWatched);
  uint32_t Present = Threshold.load();
  if (Present && NumWatched.load() < MostWatched / 8)
    Threshold.compareExchange(Present, Present / 2);
  uint64_t Own = Present;
  const unsigned Free = Pages - InUse, Reserve = Pages / ReservePart;
  if (Free < Reserve)
    Own = (Own + LeastGrowth)
          << (1 + (Reserve - Free) / (Reserve / MaxRaise + 1));
  C.Threshold = static_cast<uint32_t>(Own < MaxThreshold ? Own : MaxThreshold);
  return C.isChosen();
}

void WatchedSample::add(unsigned Page, const Candidate &C) {
  Member &M = Members[Page];
  M.Worth.store(C.Worth);
  M.Number.store(C.Number);
  M.Threshold.store(C.Threshold);
  M.Weight.store(C.Weight);
  NumWatched.fetchAdd(1);
}

void WatchedSample::remove(unsigned Page) {
  if (weight(Page))
    NumWatched.fetchAdd(-1U);
  Members[Page].Weight.store(0);
}

uint32_t WatchedSample::weight(unsigned Page) const {
  const Member &M = Members[Page];
  if (!M.Weight.load())
    return 0;
  const Candidate C = M.get();
  if (!C.isChosen())
    return 0;
  const uint32_t Least = C.weightForCertain();
  return C.Weight < Least ? Least : C.Weight;
}
