//===- output/WindowSection.h - When memory was touched, encoded *- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The windows of a raw profile (thermocline/Format/RawSections.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_OUTPUT_WINDOWSECTION_H
#define THERMOCLINE_RUNTIME_PROFILE_OUTPUT_WINDOWSECTION_H

#include "RawPart.h"
#include "measure/Contexts.h"
#include "measure/PhaseNames.h"

namespace thermocline::runtime {

/// What one record says, encoded: of two tables four numbers in front, eleven
/// for each window.
class EncodedTouches
    : public EncodedNumbers<2 * 10 * (4 + 11 * TouchTable::MaxWindows)> {
public:
  EncodedTouches(const Contexts::TouchTables &Tables,
                 const TouchWindows &Windows);

private:
  /// Encodes how far \p New is from \p Old.
  void change(uint64_t Old, uint64_t New);
  void table(const TouchTable *Table, const TouchWindows &Windows);
};

/// All that is in front of the records, which are so many: their number, pages,
/// phases and windows, encoded.
class EncodedRun
    : public EncodedNumbers<
          3 * 10 + PhaseNames::MaxPhases * (10 + format::MaxPhaseNameBytes) +
          10 * 3 * TouchTable::MaxWindows> {
public:
  EncodedRun(const TouchWindows &Windows, uint64_t NumRecords,
             const PhaseNames &Names);
};

/// Copies the part into pages of \p Part. \p Visit(Encode) calls Encode with
/// the tables of each record of the profile, the same each time. \returns false
/// if there is no memory.
template <typename Visitor>
bool encodeWindows(const TouchWindows &Windows, const PhaseNames &Names,
                   Visitor Visit, RawPart &Part) {
  uint64_t NumRecords = 0;
  size_t Bytes = 0;
  Visit([&](const Contexts::TouchTables &T) {
    ++NumRecords;
    Bytes += EncodedTouches(T, Windows).size();
  });
  const EncodedRun Run(Windows, NumRecords, Names);
  if (!Part.begin(format::RawWindowPart, Run.size() + Bytes))
    return false;
  Part.append(Run);
  Visit([&](const Contexts::TouchTables &T) {
    Part.append(EncodedTouches(T, Windows));
  });
  return true;
}

} // namespace thermocline::runtime

#endif
