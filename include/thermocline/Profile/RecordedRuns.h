//===- Profile/RecordedRuns.h - The commands that were recorded -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which commands a profile is of, when they were recorded, and by which version
// of Thermocline. It is told to people, and nothing else depends on it.
// `thermocline record` knows it; other profiles do not have it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RECORDEDRUNS_H
#define THERMOCLINE_PROFILE_RECORDEDRUNS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace thermocline::profile {

struct RecordedRun {
  /// When the run ended, in seconds since 1970.
  uint64_t Time = 0;
  /// The version of Thermocline.
  std::string Version;
  /// As a shell takes it.
  std::string Command;

  auto operator<=>(const RecordedRun &) const = default;

  /// "2026-11-29 00:20 UTC, Thermocline 0.1.0: ./program input".
  std::string text() const;
};

/// The runs of a profile; if it was merged of several, all that these know.
class RecordedRuns {
public:
  bool empty() const { return All.empty(); }
  /// Ascending by time.
  const std::set<RecordedRun> &all() const { return All; }

  /// What add() keeps of \p Command: what is no text in it becomes spaces, and
  /// what is longer than a line is cut. Of that, it keeps all. It is for those
  /// who pass commands on to who calls add(): a word of a command line cannot
  /// have any length.
  static std::string keptOf(llvm::StringRef Command);
  /// Adds a run that this version of Thermocline recorded.
  void add(uint64_t Time, llvm::StringRef Command);
  void add(const RecordedRuns &Other) {
    All.insert(Other.All.begin(), Other.All.end());
  }

  /// The newest ones, in a line each, and a last line if there are others.
  std::vector<std::string> lines() const;

  /// Appends it to \p File, an indexed profile. Appends nothing if it is empty.
  void appendTo(std::string &File) const;
  /// What appendTo() put into \p Contents; empty if there is nothing. Errors do
  /// not name the file.
  static llvm::Expected<RecordedRuns> readFrom(llvm::StringRef Contents);

private:
  std::set<RecordedRun> All;
};

} // namespace thermocline::profile

#endif
