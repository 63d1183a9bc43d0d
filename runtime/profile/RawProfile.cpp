//===- profile/RawProfile.cpp - LLVM's raw MemProf format -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawProfile.h"
#include "Memory.h"
#include "System.h"
#include <elf.h>
#include <link.h>

using namespace thermocline::runtime;
using ::llvm::memprof::Header;
using ::llvm::memprof::SegmentEntry;

//===-- Snapshot ----------------------------------------------------------===//

Snapshot::Snapshot(Contexts &C, bool GiveUp)
    : TheContexts(C), Size(C.size()),
      MappedBytes(roundUp(Size * sizeof(Contexts::View) + 1, PageBytes)),
      Views(static_cast<Contexts::View *>(sys::mapPages(MappedBytes))) {
  for (uint32_t Number = 0; Views && Number != Size; ++Number)
    Views[Number] = C.view(Number, GiveUp);
}

Snapshot::~Snapshot() {
  if (Views)
    sys::unmapPages(Views, MappedBytes);
}

void Snapshot::add(ContextId Id, const MemInfoBlock &Measures) {
  uint32_t Number = TheContexts.numberOf(Id);
  if (Number < Size)
    mergeMeasures(Views[Number].Measures, Measures);
}

//===-- Segments ----------------------------------------------------------===//

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

/// Calls \p Visit(const SegmentEntry &) for each executable mapping.
template <typename Visitor> static void visitSegments(Visitor Visit) {
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Argument) {
        for (size_t I = 0; I != Info->dlpi_phnum; ++I) {
          const ElfW(Phdr) &Segment = Info->dlpi_phdr[I];
          if (Segment.p_type != PT_LOAD || !(Segment.p_flags & PF_X))
            continue;
          uintptr_t Begin = Info->dlpi_addr + Segment.p_vaddr;
          SegmentEntry Entry(Begin, Begin + Segment.p_memsz, Info->dlpi_addr);
          findBuildId(*Info, Entry);
          (*static_cast<Visitor *>(Argument))(Entry);
        }
        return 0;
      },
      &Visit);
}

//===-- The file ----------------------------------------------------------===//

namespace {
/// Sizes of the sections, which the header states before they are written.
struct Layout {
  uint64_t Segments = 0;
  uint64_t Contexts = 0;
  uint64_t Calls = 0;

  uint64_t segmentBytes() const {
    return roundUp(sizeof(uint64_t) + Segments * sizeof(SegmentEntry), 8);
  }
  uint64_t recordBytes() const {
    return roundUp(sizeof(uint64_t) +
                       Contexts * (sizeof(uint64_t) + sizeof(MemInfoBlock)),
                   8);
  }
  uint64_t stackBytes() const {
    return sizeof(uint64_t) * (1 + 2 * Contexts + Calls);
  }
};
} // namespace

static void pad(FileWriter &Out) {
  constexpr char Zeros[8] = {};
  Out.write(Zeros, roundUp(Out.written(), 8) - Out.written());
}

void thermocline::runtime::writeRawProfile(const Snapshot &S, FileWriter &Out) {
  // Objects may be loaded meanwhile: what is found now is what is written.
  constexpr uint64_t MaxSegments = 4096;
  size_t TableBytes = roundUp(MaxSegments * sizeof(SegmentEntry), PageBytes);
  auto *Segments = static_cast<SegmentEntry *>(sys::mapPages(TableBytes));
  Layout Sizes;
  if (Segments)
    visitSegments([&](const SegmentEntry &Entry) {
      if (Sizes.Segments != MaxSegments)
        copyBytes(&Segments[Sizes.Segments++], &Entry, sizeof(Entry));
    });
  S.visit([&](uint64_t, const Contexts::View &V) {
    ++Sizes.Contexts;
    Sizes.Calls += V.NumCalls;
  });

  uint64_t SegmentOffset = sizeof(Header);
  uint64_t RecordOffset = SegmentOffset + Sizes.segmentBytes();
  uint64_t StackOffset = RecordOffset + Sizes.recordBytes();
  Out.writeValue(Header{MEMPROF_RAW_MAGIC_64, MEMPROF_RAW_VERSION,
                        StackOffset + Sizes.stackBytes(), SegmentOffset,
                        RecordOffset, StackOffset});
  Out.writeValue(Sizes.Segments);
  Out.write(Segments, Sizes.Segments * sizeof(SegmentEntry));
  pad(Out);
  Out.writeValue(Sizes.Contexts);
  S.visit([&](uint64_t Id, const Contexts::View &V) {
    Out.writeValue(Id);
    Out.writeValue(V.Measures);
  });
  pad(Out);
  Out.writeValue(Sizes.Contexts);
  S.visit([&](uint64_t Id, const Contexts::View &V) {
    Out.writeValue(Id);
    Out.writeValue(uint64_t(V.NumCalls));
    Out.write(V.Calls, V.NumCalls * sizeof(uint64_t));
  });
  if (Segments)
    sys::unmapPages(Segments, TableBytes);
}

//===-- Text --------------------------------------------------------------===//

static void writeAverage(TextWriter &Out, uint64_t Total, uint64_t Min,
                         uint64_t Max, uint64_t Count, const char *Separator) {
  Out.hundredths(Total * 100 / Count) << Separator << Min << Separator << Max;
}

void thermocline::runtime::writeTextProfile(const Snapshot &S, bool Terse,
                                            TextWriter &Out) {
  if (!Terse)
    Out << "Recorded MIBs (incl. live on exit):\n";
  S.visit([&](uint64_t Id, const Contexts::View &V) {
    const MemInfoBlock &M = V.Measures;
    auto Average = [&](uint64_t Total, uint64_t Min, uint64_t Max) {
      writeAverage(Out, Total, Min, Max, M.AllocCount, Terse ? "/" : " / ");
    };
    if (Terse) {
      Out << "MIB:" << Id << "/" << M.AllocCount << "/";
      Average(M.TotalSize, M.MinSize, M.MaxSize);
      Out << "/";
      Average(M.TotalAccessCount, M.MinAccessCount, M.MaxAccessCount);
      Out << "/";
      Average(M.TotalLifetime, M.MinLifetime, M.MaxLifetime);
      Out << "/" << M.NumMigratedCpu << "/" << M.NumLifetimeOverlaps << "/"
          << M.NumSameAllocCpu << "/" << M.NumSameDeallocCpu << "\n";
      return;
    }
    Out << "Memory allocation stack id = " << Id << "\n\talloc_count "
        << M.AllocCount << ", size (ave/min/max) ";
    Average(M.TotalSize, M.MinSize, M.MaxSize);
    Out << "\n\taccess_count (ave/min/max): ";
    Average(M.TotalAccessCount, M.MinAccessCount, M.MaxAccessCount);
    Out << "\n\tlifetime (ave/min/max): ";
    Average(M.TotalLifetime, M.MinLifetime, M.MaxLifetime);
    Out << "\n\tnum migrated: " << M.NumMigratedCpu
        << ", num lifetime overlaps: " << M.NumLifetimeOverlaps
        << ", num same alloc cpu: " << M.NumSameAllocCpu
        << ", num same dealloc_cpu: " << M.NumSameDeallocCpu << "\n";
  });
  Out << "Stacks:\n";
  S.visit([&](uint64_t Id, const Contexts::View &V) {
    Out << "Stack for id " << Id << ":\n";
    for (size_t I = 0; I != V.NumCalls; ++I) {
      Out << "\t#" << uint64_t(I) << " ";
      Out.hex(V.Calls[I]) << "\n";
    }
  });
}
