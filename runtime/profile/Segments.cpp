//===- profile/Segments.cpp - Code that was ever loaded -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Segments.h"
#include "Memory.h"
#include "System.h"
#include "Text.h"
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// Copies the GNU build id of \p Info, if it has one, to \p Entry.
static void findBuildId(const dl_phdr_info &Info, SegmentEntry &Entry) {
  for (size_t I = 0; I != Info.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info.dlpi_phdr[I];
    if (Segment.p_type != PT_NOTE)
      continue;
    uintptr_t Note = Info.dlpi_addr + Segment.p_vaddr;
    uintptr_t End = Note + Segment.p_memsz;
    while (Note + sizeof(ElfW(Nhdr)) <= End) {
      const auto *Head = reinterpret_cast<const ElfW(Nhdr) *>(Note);
      uintptr_t Name = Note + sizeof(*Head);
      uintptr_t Content = Name + roundUp(Head->n_namesz, 4);
      uintptr_t Next = Content + roundUp(Head->n_descsz, 4);
      if (Next > End || Next <= Note)
        break;
      if (Head->n_type == NT_GNU_BUILD_ID && Head->n_namesz == 4 &&
          textEquals(reinterpret_cast<const char *>(Name), 3, "GNU") &&
          Head->n_descsz <= MEMPROF_BUILDID_MAX_SIZE) {
        Entry.BuildIdSize = Head->n_descsz;
        copyBytes(Entry.BuildId, reinterpret_cast<const void *>(Content),
                  Head->n_descsz);
        return;
      }
      Note = Next;
    }
  }
}

/// Calls \p Visit(const dl_phdr_info &) for each loaded object until it returns
/// false.
template <typename Visitor> static void visitObjects(Visitor Visit) {
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Argument) {
        return (*static_cast<Visitor *>(Argument))(*Info) ? 0 : 1;
      },
      &Visit);
}

/// The pages of \p Info, with the gaps between them, which the loader keeps.
static void findWhole(const dl_phdr_info &Info, uintptr_t &Begin,
                      uintptr_t &End) {
  Begin = UINTPTR_MAX;
  End = 0;
  for (size_t I = 0; I != Info.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info.dlpi_phdr[I];
    if (Segment.p_type != PT_LOAD)
      continue;
    uintptr_t Address = Info.dlpi_addr + Segment.p_vaddr;
    if (Address < Begin)
      Begin = Address;
    if (Address + Segment.p_memsz > End)
      End = Address + Segment.p_memsz;
  }
  Begin = roundDown(Begin, PageBytes);
  End = roundUp(End, PageBytes);
}

/// Calls \p Visit(const SegmentEntry &) for each executable segment of \p Info.
template <typename Visitor>
static void visitSegments(const dl_phdr_info &Info, Visitor Visit) {
  for (size_t I = 0; I != Info.dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info.dlpi_phdr[I];
    if (Segment.p_type != PT_LOAD || !(Segment.p_flags & PF_X))
      continue;
    uintptr_t Begin = Info.dlpi_addr + Segment.p_vaddr;
    SegmentEntry Entry(Begin, Begin + Segment.p_memsz, Info.dlpi_addr);
    findBuildId(Info, Entry);
    Visit(Entry);
  }
}

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
  size_t At = (Entry.Start / PageBytes * 0x9E3779B97F4A7C15) >> 40;
  for (;; ++At) {
    uint32_t &Slot = Slots[At % NumSlots];
    if (!Slot || Table[Slot - 1] == Entry)
      return Slot;
  }
}

void Segments::add(const SegmentEntry &Entry, Range Whole) {
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

void Segments::update(bool GiveUp) {
  if (GiveUp) {
    if (!Mutex.lockOrGiveUp())
      return;
  } else {
    Mutex.lock();
  }
  bool First = true;
  if (allocateTables())
    visitObjects([&](const dl_phdr_info &Info) {
      // Was nothing loaded or unloaded since? (The loader's counts stay as they
      // are during the walk.)
      if (First && Count.loadRelaxed() && Info.dlpi_adds == Loads &&
          Info.dlpi_subs == Unloads)
        return false;
      First = false;
      Loads = Info.dlpi_adds;
      Unloads = Info.dlpi_subs;
      uintptr_t Begin, End;
      findWhole(Info, Begin, End);
      visitSegments(Info, [&](const SegmentEntry &Entry) {
        add(Entry, {Begin, End - Begin});
      });
      return true;
    });
  Mutex.unlock();
}

/// \returns whether nothing was there.
bool Segments::reserve(Range R) {
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
  // Not those of the last update(), which may have come in between.
  uint64_t Before = UnloadsReserved;
  visitObjects([&](const dl_phdr_info &Info) {
    UnloadsReserved = Info.dlpi_subs;
    return false;
  });
  if (UnloadsReserved == Before)
    return;
  for (size_t I = 0; I != Known; ++I) {
    Note &N = Notes[I];
    if (N.IsReserved || N.Whole.Size > MaxReservedBytes - ReservedBytes)
      continue;
    uintptr_t Begin = roundDown(Table[I].Start, PageBytes);
    Range Code = {Begin, roundUp(Table[I].End, PageBytes) - Begin};
    // Both fail for what is still loaded; the first also if another thread was
    // given some of it already.
    if (!reserve(N.Whole) && !reserve(Code))
      continue;
    N.IsReserved = true;
    ReservedBytes += N.Whole.Size;
  }
}
