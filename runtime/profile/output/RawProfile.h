//===- profile/output/RawProfile.h - LLVM's raw MemProf format --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Version 5 of the format, as llvm/ProfileData/MemProfData.inc defines it:
//
//   header     magic, version, size of all, offsets of the three sections
//   part of our own: where checksums are (thermocline/Format/RawChecksums.h)
//   segments   count, then per executable mapping its addresses and build id
//   records    count, then per context its id, measures and histogram
//   stacks     count, then per context its id, number of calls, the calls
//
// Our checksums follow, as they are known then.
//
// Sections begin at multiples of 8 bytes. The section of records ends with
// parts of our own (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_RAWPROFILE_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_RAWPROFILE_H

#include "LayoutSection.h"
#include "ProfileFile.h"
#include "Segments.h"
#include "WindowSection.h"
#include "measure/Contexts.h"
#include "measure/TouchedCalls.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// The contexts of a moment, with the allocations that live counted in.
class Snapshot {
public:
  /// Copies all measures. Holds pages of its own.
  explicit Snapshot(Contexts &C);
  ~Snapshot();
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;

  /// Adds an allocation that lives. A context made after the snapshot was
  /// begun is left out.
  void add(ContextId Id, const MemInfoBlock &Single, uint32_t Weight,
           ByteCounters Counters);

  /// Replaces the accesses of all contexts by UnknownAccessDensity, or by
  /// WatchedAccessDensity. A run may be too short for windows, but is of the
  /// same kind then.
  void markAccessesUnknown(bool IsWatched);

  /// Turns the sums over sampled allocations into estimates, so that nothing is
  /// called cold by them that may not be cold: see limitDensities(). \p
  /// Interval: one allocation of this many was recorded.
  void limitDensities(const TouchedCalls &Where, uint32_t Interval);
  /// The sampling interval; 1 without sampling.
  uint32_t sampleInterval() const { return Interval; }

  /// Copies when memory was touched. Nobody scans meanwhile. \returns false if
  /// there is no memory.
  bool addWindows(const TouchWindows &Windows, const PhaseNames &Names);
  const RawPart &windows() const { return Touches; }
  /// Copies how objects lay, by \p Probe or what is like it, of \p NumWindows
  /// windows. Nobody scans meanwhile. \returns false if there is no memory.
  template <typename AnyProbe>
  bool addLayouts(const AnyProbe &Probe, unsigned NumWindows) {
    return encodeLayouts(Probe, NumWindows, Layouts);
  }
  const RawPart &layouts() const { return Layouts; }

  format::RunRecord Run;

  struct View : Contexts::View {
    /// Set by limitDensities().
    SampleErrors Errors;
  };

  /// All contexts, those without allocations too.
  uint32_t size() const { return Size; }
  const View &operator[](uint32_t Number) const { return Views[Number]; }
  /// The id of a context in the file.
  static uint64_t idOf(uint32_t Number) { return uint64_t(Number) + 1; }

  /// Calls \p Visit(Id, View) for each context that has allocations, in
  /// the order in which the contexts were made.
  template <typename Visitor> void visit(Visitor Visit) const {
    for (uint32_t Number = 0; Number != Size; ++Number)
      if (Views[Number].Measures.AllocCount)
        Visit(idOf(Number), Views[Number]);
  }

  /// Whether there was enough memory for it.
  bool isValid() const { return Views && Copies.isComplete(); }

private:
  Contexts &TheContexts;
  uint32_t Size;
  uint32_t Interval = 1;
  size_t MappedBytes;
  View *Views;
  Histograms Copies;
  RawPart Touches, Layouts;
};

/// A record of the file: a context's id, its measures and the counters of its
/// histogram, as many as the measures say.
constexpr size_t recordBytes(const Contexts::View &V) {
  return sizeof(uint64_t) + sizeof(MemInfoBlock) +
         V.Accesses.Size * sizeof(uint16_t);
}
/// What the part of samples has inside: the interval, and one for each record.
constexpr uint64_t samplePayloadBytes(uint64_t NumRecords) {
  return sizeof(uint64_t) + NumRecords * sizeof(format::SampleRecord);
}
/// The section of records: their count, the records, of \p AllRecordBytes
/// together, the samples, windows and layouts of \p S if there are any, and the
/// run.
inline uint64_t recordSectionBytes(const Snapshot &S, uint64_t NumRecords,
                                   uint64_t AllRecordBytes) {
  uint64_t Result = roundUp(sizeof(uint64_t) + AllRecordBytes, 8) +
                    format::partBytes(sizeof(format::RunRecord)) +
                    S.windows().size() + S.layouts().size();
  if (S.sampleInterval() != 1)
    Result += format::partBytes(samplePayloadBytes(NumRecords));
  return Result;
}
void writeRecords(const Snapshot &S, FileWriter &Out);

/// A call stack of the file: a context's id, number of calls, the calls.
constexpr size_t stackBytes(const Contexts::View &V) {
  return (2 + V.NumCalls) * sizeof(uint64_t);
}
void writeStack(uint64_t Id, const Contexts::View &V, FileWriter &Out);

static_assert(sizeof(::llvm::memprof::Header) == format::RawHeaderBytes);

/// Writes \p S and the segments of \p Code.
void writeRawProfile(const Snapshot &S, const Segments &Code, FileWriter &Out);

/// Writes \p S as text in the manner of LLVM's runtime.
void writeTextProfile(const Snapshot &S, bool Terse, TextWriter &Out);

} // namespace thermocline::runtime

#endif
