//===- profile/heap/Leader.cpp - One runtime in a process -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Leader.h"
#include "Heap.h"
#include "platform/System.h"
#include "platform/Text.h"
#include "process/Fatal.h"

using namespace thermocline::runtime;

namespace {

/// The page, in front of the heap's range.
struct Announcement {
  static uintptr_t address() { return Heap::rangeBegin() - pageBytes(); }
  /// Says what follows; its last digit counts the changes of Leader.
  static constexpr uint64_t KnownMagic = 0x3372656461656C74; // "tleader3"
  static constexpr uint64_t MagicMask = 0x00FFFFFFFFFFFFFF;

  /// 0 until all of it is there.
  Atomic<uint64_t> Magic;
  Leader Announced;
};

} // namespace

const Leader *thermocline::runtime::findLeader() {
  constexpr int MaxPauses = 10000;
  uint64_t Magic = 0;
  for (int I = 0; I != MaxPauses && !Magic; ++I) {
    if (I)
      sys::pauseShortly();
    if (!sys::readMemory(&Magic, Announcement::address(), sizeof(Magic)))
      return nullptr;
  }
  if (Magic == Announcement::KnownMagic)
    return &reinterpret_cast<const Announcement *>(Announcement::address())
                ->Announced;
  if ((Magic & Announcement::MagicMask) ==
      (Announcement::KnownMagic & Announcement::MagicMask))
    sys::fatal("the program and its libraries were linked with different "
               "versions of the profiling runtime; link them anew");
  return nullptr;
}

const Leader *thermocline::runtime::becomeLeader(const Leader &This) {
  bool IsTaken = false;
  auto *Mine = static_cast<Announcement *>(
      sys::mapPagesAt(Announcement::address(), pageBytes(), IsTaken));
  if (!Mine)
    return IsTaken ? findLeader() : nullptr;
  Mine->Announced = This;
  Mine->Magic.store(Announcement::KnownMagic);
  return nullptr;
}
