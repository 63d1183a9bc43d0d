//===- output/LayoutSection.h - How small objects lay -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of a raw profile (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_LAYOUTSECTION_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_LAYOUTSECTION_H

#include "ProfileFile.h"
#include "measure/LayoutRecord.h"

namespace thermocline::runtime {

/// The section, copied out of records, which go on to change. Holds pages of
/// its own.
class LayoutSection {
public:
  LayoutSection() = default;
  ~LayoutSection();
  LayoutSection(const LayoutSection &) = delete;
  LayoutSection &operator=(const LayoutSection &) = delete;

  /// \p Probe.recordOf() gives the LayoutRecord of each of \p NumWindows
  /// windows. There is no section if all are empty. \returns false if there is
  /// no memory.
  template <typename AnyProbe>
  bool encode(const AnyProbe &Probe, unsigned NumWindows) {
    format::LayoutHeader Head;
    Head.NumWindows = NumWindows;
    bool IsEmpty = true;
    for (unsigned I = 0; I != NumWindows; ++I) {
      // The number of stretches has one byte.
      Head.NumBytes += 1 + Probe.recordOf(I).size();
      IsEmpty &= !Probe.recordOf(I).numStretches();
    }
    if (IsEmpty)
      return true;
    if (!makeRoom(sizeof(Head) + Head.NumBytes))
      return false;
    append(&Head, sizeof(Head));
    for (unsigned I = 0; I != NumWindows; ++I) {
      const LayoutRecord &R = Probe.recordOf(I);
      const auto Stretches = static_cast<char>(R.numStretches());
      append(&Stretches, 1);
      append(R.data(), R.size());
    }
    return true;
  }

  /// 0 if there is none.
  size_t size() const { return Size; }
  void write(FileWriter &Out) const { Out.write(Pages, Size); }

private:
  bool makeRoom(size_t Bytes);
  void append(const void *Data, size_t Count);

  char *Pages = nullptr;
  size_t Size = 0;
  size_t Used = 0;
};

} // namespace thermocline::runtime

#endif
