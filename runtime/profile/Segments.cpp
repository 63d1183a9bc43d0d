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

void Segments::add(const SegmentEntry &Entry) {
  size_t Known = Count.loadRelaxed();
  bool IsOverOther = false;
  for (size_t I = 0; I != Known; ++I) {
    if (Table[I] == Entry)
      return;
    IsOverOther |= Table[I].Start < Entry.End && Entry.Start < Table[I].End &&
                   !isSameBuild(Table[I], Entry);
  }
  // The addresses of a context do not say which of them it means.
  if (IsOverOther && !IsAmbiguous) {
    IsAmbiguous = true;
    Message() << "a library was loaded where another one had been unloaded; "
                 "calls in such may be named as calls in the other\n";
  }
  if (Known == MaxSegments)
    return;
  copyBytes(&Table[Known], &Entry, sizeof(Entry));
  Count.store(Known + 1);
}

void Segments::update(bool GiveUp) {
  if (GiveUp) {
    if (!Mutex.lockOrGiveUp())
      return;
  } else {
    Mutex.lock();
  }
  if (!Table) {
    Table = static_cast<SegmentEntry *>(
        sys::mapPages(MaxSegments * sizeof(SegmentEntry)));
    Reserved = static_cast<bool *>(sys::mapPages(MaxSegments));
  }
  bool First = true;
  if (Table && Reserved)
    visitObjects([&](const dl_phdr_info &Info) {
      // Was nothing loaded or unloaded since? (The loader's counts stay as they
      // are during the walk.)
      if (First && Count.loadRelaxed() && Info.dlpi_adds == Loads &&
          Info.dlpi_subs == Unloads)
        return false;
      First = false;
      Loads = Info.dlpi_adds;
      Unloads = Info.dlpi_subs;
      visitSegments(Info, [&](const SegmentEntry &Entry) { add(Entry); });
      return true;
    });
  Mutex.unlock();
}

void Segments::reserveUnloaded() {
  Guard G(Mutex);
  size_t Known = Count.loadRelaxed();
  bool Changed = false;
  visitObjects([&](const dl_phdr_info &Info) {
    Changed = Info.dlpi_subs != Unloads;
    return false;
  });
  if (!Changed || !Reserved)
    return;
  for (size_t I = 0; I != Known && NumReserved != MaxReserved; ++I) {
    if (Reserved[I])
      continue;
    uintptr_t Begin = roundDown(Table[I].Start, PageBytes);
    size_t Size = roundUp(Table[I].End, PageBytes) - Begin;
    // Fails for what is still loaded.
    long Result = sys::call(
        SYS_mmap, static_cast<long>(Begin), static_cast<long>(Size), PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
        0);
    if (Result == static_cast<long>(Begin)) {
      Reserved[I] = true;
      ++NumReserved;
    } else if (Result > 0) {
      // A kernel that takes the address for a wish.
      sys::unmapPages(reinterpret_cast<void *>(Result), Size);
    }
  }
}
