//===- profile/output/RawProfile.cpp - LLVM's raw MemProf format ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawProfile.h"
#include "DumpPages.h"

using namespace thermocline;
using namespace thermocline::runtime;
using ::llvm::memprof::Header;

//===-- Snapshot ----------------------------------------------------------===//

Snapshot::Snapshot(Contexts &C)
    : TheContexts(C), Size(C.size()),
      MappedBytes(roundUp(Size * sizeof(View) + 1, pageBytes())),
      Views(static_cast<View *>(dumppages::take(MappedBytes))) {
  for (uint32_t Number = 0; Views && Number != Size; ++Number)
    static_cast<Contexts::View &>(Views[Number]) = C.view(Number, &Copies);
}

Snapshot::~Snapshot() {
  if (Views)
    dumppages::give(Views, MappedBytes);
  Copies.release();
}

void Snapshot::add(ContextId Id, const MemInfoBlock &Single, uint32_t Weight,
                   ByteCounters Counters) {
  uint32_t Number = TheContexts.numberOf(Id);
  if (Number >= Size)
    return;
  addWeighted(Views[Number].Measures, Single, Weight);
  Views[Number].Samples.add(Single, Weight);
  Copies.add(Views[Number].Accesses, Counters);
}

void Snapshot::markAccessesUnknown(bool IsWatched) {
  const uint32_t Density =
      IsWatched ? WatchedAccessDensity : UnknownAccessDensity;
  for (uint32_t Number = 0; Number != Size; ++Number)
    ::thermocline::runtime::markAccessesUnknown(Views[Number].Measures,
                                                Density);
}

void Snapshot::limitDensities(const TouchedCalls &Where,
                              uint32_t SampleInterval) {
  Interval = SampleInterval;
  for (uint32_t Number = 0; Number != Size; ++Number) {
    View &V = Views[Number];
    bool PlaceTouched =
        V.IsOverflow || Where.isTouched(TouchedCalls::idOf(V.Calls[0]));
    V.Errors = ::thermocline::runtime::limitDensities(V.Measures, V.Samples,
                                                      V.HasGaps, PlaceTouched);
  }
}

bool Snapshot::addWindows(const TouchWindows &Windows,
                          const PhaseNames &Names) {
  auto Visit = [&](auto Encode) {
    visit([&](uint64_t Id, const View &) {
      Encode(TheContexts.touchesOf(static_cast<uint32_t>(Id - idOf(0))));
    });
  };
  return encodeWindows(Windows, Names, Visit, Touches);
}

//===-- The file ----------------------------------------------------------===//

static void writeRecord(uint64_t Id, const Contexts::View &V, FileWriter &Out) {
  Out.writeValue(Id);
  MemInfoBlock Measures = V.Measures;
  Measures.AccessHistogramSize = V.Accesses.Size;
  Out.writeValue(Measures);
  for (uint32_t I = 0; I != V.Accesses.Size; ++I)
    Out.writeValue(
        ::llvm::memprof::encodeHistogramCount(V.Accesses.Counters[I]));
}

static format::SampleRecord sampleRecord(const SampleErrors &E) {
  format::SampleRecord Result;
  Result.Measured = E.Measured;
  Result.Flags = (E.HasGaps ? format::HasGaps : 0) |
                 (E.PlaceTouched ? format::PlaceTouched : 0);
  Result.AllocCountVariance = E.AllocCountVariance;
  Result.SizeVariance = E.SizeVariance;
  Result.AccessesVariance = E.AccessesVariance;
  Result.LifetimeVariance = E.LifetimeVariance;
  Result.Density = E.Density / 100;
  Result.DensityVariance = E.DensityVariance / 10000;
  return Result;
}

/// Adds what the checksum is of before the payload.
static void hashHead(const format::PartHeader &Head,
                     format::RunningHash &Hash) {
  Hash.add(&Head.Version, sizeof(Head) - format::PartCheckedFrom);
}

static void writeSamples(const Snapshot &S, uint64_t Count, unsigned NumLeft,
                         FileWriter &Out) {
  format::PartHeader Head =
      rawPartHead(format::RawSamplePart, samplePayloadBytes(Count), NumLeft);
  const uint64_t Interval = S.sampleInterval();
  format::RunningHash Hash;
  hashHead(Head, Hash);
  Hash.add(&Interval, sizeof(Interval));
  S.visit([&](uint64_t, const Snapshot::View &V) {
    const format::SampleRecord Record = sampleRecord(V.Errors);
    Hash.add(&Record, sizeof(Record));
  });
  Head.Checksum = Hash.value();
  Out.writeValue(Head);
  Out.writeValue(Interval);
  S.visit([&](uint64_t, const Snapshot::View &V) {
    Out.writeValue(sampleRecord(V.Errors));
  });
}

static void writeRun(const format::RunRecord &Run, unsigned NumLeft,
                     FileWriter &Out) {
  format::PartHeader Head =
      rawPartHead(format::RawRunPart, sizeof(Run), NumLeft);
  format::RunningHash Hash;
  hashHead(Head, Hash);
  Hash.add(&Run, sizeof(Run));
  Head.Checksum = Hash.value();
  Out.writeValue(Head);
  Out.writeValue(Run);
}

void thermocline::runtime::writeRecords(const Snapshot &S, FileWriter &Out) {
  uint64_t Count = 0;
  S.visit([&](uint64_t, const Snapshot::View &) { ++Count; });
  Out.writeValue(Count);
  uint64_t Written = sizeof(Count);
  S.visit([&](uint64_t Id, const Snapshot::View &V) {
    writeRecord(Id, V, Out);
    Written += recordBytes(V);
  });
  constexpr char Zeros[8] = {};
  Out.write(Zeros, roundUp(Written, 8) - Written);
  const unsigned NumLayouts = S.layouts().size() ? 1 : 0;
  const unsigned NumTouches = NumLayouts + (S.windows().size() ? 1 : 0);
  if (S.sampleInterval() != 1)
    writeSamples(S, Count, 1 + NumTouches, Out);
  writeRun(S.Run, NumTouches, Out);
  S.windows().write(Out, NumLayouts);
  S.layouts().write(Out, 0);
}

void thermocline::runtime::writeStack(uint64_t Id, const Contexts::View &V,
                                      FileWriter &Out) {
  Out.writeValue(Id);
  Out.writeValue(uint64_t(V.NumCalls));
  Out.write(V.Calls, V.NumCalls * sizeof(uint64_t));
}

void thermocline::runtime::writeRawProfile(const Snapshot &S,
                                           const Segments &Code,
                                           FileWriter &Out) {
  format::ChecksumSets Checks;
  format::RawChecksums &C = Checks.Sections[0];
  // Libraries may be loaded meanwhile: what is found now is what is written.
  C.NumSegments = Code.size();
  uint64_t AllRecordBytes = 0;
  S.visit([&](uint64_t, const Contexts::View &V) {
    ++C.NumStacks;
    C.StackBytes += stackBytes(V);
    AllRecordBytes += recordBytes(V);
  });
  const uint64_t SegmentOffset = sizeof(Header) + sizeof(format::ChecksumPart);
  C.RecordOffset = SegmentOffset + sizeof(C.NumSegments) +
                   C.NumSegments * sizeof(SegmentEntry);
  C.RecordBytes = recordSectionBytes(S, C.NumStacks, AllRecordBytes);
  const uint64_t StackOffset = C.RecordOffset + C.RecordBytes;
  format::ChecksumPart Part;
  Part.Offset = StackOffset + sizeof(C.NumStacks) + C.StackBytes;
  const Header Head{
      MEMPROF_RAW_MAGIC_64, MEMPROF_RAW_VERSION, Part.Offset + sizeof(Checks),
      SegmentOffset,        C.RecordOffset,      StackOffset};
  format::RunningHash SegmentHash, RecordHash, StackHash;
  Out.writeValue(Head);
  Out.writeValue(Part);
  Out.writeValue(C.NumSegments);
  Out.hashInto(&SegmentHash);
  for (uint64_t I = 0; I != C.NumSegments; ++I)
    Out.write(&Code[I], sizeof(SegmentEntry));
  Out.hashInto(&RecordHash);
  writeRecords(S, Out);
  Out.hashInto(nullptr);
  Out.writeValue(C.NumStacks);
  Out.hashInto(&StackHash);
  S.visit(
      [&](uint64_t Id, const Contexts::View &V) { writeStack(Id, V, Out); });
  Out.hashInto(nullptr);
  C.Segments = SegmentHash.value();
  C.Records = RecordHash.value();
  C.Stacks = StackHash.value();
  C.Header = format::headerChecksum(&Head, &Part, C);
  Out.writeValue(Checks);
}

//===-- Text --------------------------------------------------------------===//

[[gnu::noinline]] static uint64_t roundedRoot(const double &Square) {
  return static_cast<uint64_t>(__builtin_sqrt(Square) + 0.5);
}

/// The standard error that belongs to \p Variance.
static uint64_t errorOf(const double &Variance) {
  DefaultArithmetic Now;
  return roundedRoot(Variance);
}

static void writeAverage(TextWriter &Out, uint64_t Total, uint64_t Min,
                         uint64_t Max, uint64_t Count, const char *Separator) {
  Out.hundredths(Total * 100 / Count) << Separator << Min << Separator << Max;
}

static void writeHistogram(TextWriter &Out, const Histogram &H) {
  // As many as LLVM's runtime prints.
  constexpr uint32_t MostPrinted = 32;
  if (!H.Size)
    return;
  Out << "AccessCountHistogram[" << H.Size << "]: ";
  for (uint32_t I = 0; I != H.Size && I != MostPrinted; ++I)
    Out << H.Counters[I] << " ";
  Out << "\n";
}

void thermocline::runtime::writeTextProfile(const Snapshot &S, bool Terse,
                                            TextWriter &Out) {
  if (!Terse)
    Out << "Recorded MIBs (incl. live on exit):\n";
  S.visit([&](uint64_t Id, const Snapshot::View &V) {
    const MemInfoBlock &M = V.Measures;
    const SampleErrors &E = V.Errors;
    bool IsSampled = S.sampleInterval() != 1;
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
          << M.NumSameAllocCpu << "/" << M.NumSameDeallocCpu;
      if (IsSampled)
        Out << "/" << E.Measured << "/" << errorOf(E.AllocCountVariance) << "/"
            << errorOf(E.SizeVariance) << "/" << errorOf(E.AccessesVariance);
      Out << "\n";
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
    writeHistogram(Out, V.Accesses);
    if (IsSampled)
      Out << "\tmeasured " << E.Measured
          << ", standard errors of totals: " << errorOf(E.AllocCountVariance)
          << " allocations, " << errorOf(E.SizeVariance) << " bytes, "
          << errorOf(E.AccessesVariance) << " accesses\n";
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
