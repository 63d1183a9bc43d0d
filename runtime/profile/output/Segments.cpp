//===- profile/output/Segments.cpp - Code that was ever loaded ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Segments.h"
#include "platform/Lock.h"
#include "platform/Memory.h"
#include "platform/System.h"
#include "platform/Text.h"
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

static bool isSameBuild(const SegmentEntry &A, const SegmentEntry &B) {
  return A.BuildIdSize == B.BuildIdSize && A.Offset == B.Offset &&
         __builtin_memcmp(A.BuildId, B.BuildId, A.BuildIdSize) == 0;
}

bool Segments::allocateTables() {
  if (Table)
    return true;
  // Zeroed, and touched as far as they are used.
  constexpr size_t Sizes[] = {MaxSegments * sizeof(SegmentEntry),
                              MaxSegments * sizeof(Note),
                              NumSlots * sizeof(uint32_t)};
  auto *Memory =
      static_cast<char *>(sys::mapPages(Sizes[0] + Sizes[1] + Sizes[2]));
  if (!Memory)
    return false;
  Table = reinterpret_cast<SegmentEntry *>(Memory);
  Notes = reinterpret_cast<Note *>(Memory + Sizes[0]);
  Slots = reinterpret_cast<uint32_t *>(Memory + Sizes[0] + Sizes[1]);
  return true;
}

uint32_t &Segments::slotOf(const SegmentEntry &Entry) const {
  size_t Index = (Entry.Start / pageBytes() * 0x9E3779B97F4A7C15) >> 40;
  for (;; ++Index) {
    uint32_t &Slot = Slots[Index % NumSlots];
    if (!Slot || Table[Slot - 1] == Entry)
      return Slot;
  }
}

void Segments::add(const SegmentEntry &Entry, AddressRange Whole) {
  uint32_t &Slot = slotOf(Entry);
  if (Slot)
    return;
  size_t Known = Count.loadRelaxed();
  bool IsOverOther = false;
  for (size_t I = 0; I != Known; ++I)
    IsOverOther |= Table[I].Start < Entry.End && Entry.Start < Table[I].End &&
                   !isSameBuild(Table[I], Entry);
  // The addresses of a context do not say which of them it means.
  if (IsOverOther && !IsAmbiguous) {
    IsAmbiguous = true;
    Message() << "a library was loaded where another one had been unloaded; "
                 "calls in such may be named as calls in the other\n";
  }
  if (Known == MaxSegments) {
    if (!IsFull)
      Message() << "more than " << MaxSegments
                << " libraries were loaded; calls in later ones have no "
                   "names\n";
    IsFull = true;
    return;
  }
  copyBytes(&Table[Known], &Entry, sizeof(Entry));
  Notes[Known] = {Whole, false};
  Slot = static_cast<uint32_t>(Known + 1);
  Count.store(Known + 1);
}

/// Adds everything in \p All. \returns whether the walk was whole.
bool Segments::addAll(LoadedObjects All) {
  LoadedObject Object;
  while (All.next(Object))
    for (size_t I = 0; I != Object.size(); ++I)
      add(Object[I], Object.Whole);
  return All.isWhole();
}

void Segments::update(bool GiveUp) {
  GuardOrGiveUp G(Mutex, GiveUp);
  if (!G.isHeld())
    return;
  // Others may be loading and unloading meanwhile; in the child of a fork, what
  // they were about stays as it was.
  constexpr unsigned MaxTries = 3;
  bool IsWhole = !allocateTables();
  for (unsigned Try = 0; !IsWhole && Try != MaxTries; ++Try) {
    if (Try)
      sys::pauseShortly();
    IsWhole = addAll(LoadedObjects());
    for (unsigned I = 0; I != NumNamespaces; ++I)
      IsWhole &= addAll(LoadedObjects(Namespaces[I]));
  }
}

void Segments::addNamespaceOf(uintptr_t Address) {
  {
    Guard G(Mutex);
    // As many as the loader allows.
    if (NumNamespaces == MaxNamespaces)
      return;
    Namespaces[NumNamespaces++] = Address;
  }
  update();
}

/// Reserves a range. \returns whether nothing was there.
bool Segments::reserve(AddressRange R) {
  long Result = sys::call(
      SYS_mmap, static_cast<long>(R.Begin), static_cast<long>(R.Size),
      PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (Result == static_cast<long>(R.Begin))
    return true;
  // A kernel that takes the address for a wish.
  if (Result > 0)
    sys::unmapPages(reinterpret_cast<void *>(Result), R.Size);
  return false;
}

void Segments::reserveUnloaded() {
  Guard G(Mutex);
  size_t Known = Count.loadRelaxed();
  for (size_t I = 0; I != Known; ++I) {
    Note &N = Notes[I];
    if (N.IsReserved || N.Whole.Size > MaxReservedBytes - ReservedBytes ||
        LoadedObjects::isLoaded(Table[I].Start))
      continue;
    uintptr_t Begin = roundDown(Table[I].Start, pageBytes());
    AddressRange Code = {Begin, roundUp(Table[I].End, pageBytes()) - Begin};
    // The first fails if another thread was given some of it already.
    if (!reserve(N.Whole) && !reserve(Code))
      continue;
    N.IsReserved = true;
    ReservedBytes += N.Whole.Size;
  }
}
