//===- profile/measure/LayoutRecord.h - Stretches of a burst ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one burst touched of some stretches of small objects, encoded as raw
// profiles have it (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_LAYOUTRECORD_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_LAYOUTRECORD_H

#include "platform/Base.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// All zeros is empty.
class LayoutRecord {
public:
  static constexpr size_t MostBytes = size_t(64) * 1024 - 64;

  /// Objects or holes that are alike, one behind the other.
  struct Run {
    format::LayoutState State = format::LayoutIdle;
    unsigned Granules = 0;
    /// The number of the context in the file.
    uint64_t Context = 0;
    /// As the format has them; 0 unless touched.
    uint64_t Pieces = 0;

    bool operator==(const Run &) const = default;
  };

  void clear() { NumStretches = 0, Size = 0; }
  /// Becomes what \p Other is.
  void take(const LayoutRecord &Other);
  unsigned numStretches() const { return NumStretches; }
  const char *data() const { return Bytes; }
  size_t size() const { return Size; }

  /// A stretch is begun, then each object is added, then it is ended, which
  /// \returns false, and leaves it out, if there was no room for it.
  void begin();
  void add(const Run &Next);
  bool end(bool IsByClass);

private:
  void number(uint64_t Value);
  void flush();

  unsigned NumStretches;
  size_t Size;
  /// The stretch that was begun: its runs, where it begins, the last run, and
  /// how often that was there again.
  unsigned Runs;
  size_t Begin;
  Run Last;
  uint64_t Repeats;
  bool IsFull;
  char Bytes[MostBytes];
};

} // namespace thermocline::runtime

#endif
