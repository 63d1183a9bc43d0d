//===- thermo-profdata/export/Viewers.h - For other viewers -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile as viewers know them: stacks of frames with several values each. It
// is made of an indexed or a raw profile, and written in the formats of pprof,
// DHAT, speedscope, and of collapsed stacks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_VIEWERS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_VIEWERS_H

#include "../ContextList.h"
#include "../RawCalls.h"
#include "LinkOutcomes.h"
#include <array>
#include <map>
#include <tuple>

namespace thermocline::profdata {

/// A call, or a function that was inlined there.
struct ViewFrame {
  /// To show to people; never empty.
  std::string Name;
  /// Empty if it is not known.
  std::string LinkageName;
  /// Where the call is in the source; empty and 0 if that is not known.
  std::string File;
  uint32_t Line = 0;
  uint32_t Column = 0;
  /// Where the function begins.
  uint32_t StartLine = 0;
  /// Whether the function was inlined into that of the next frame.
  bool IsInlined = false;
};

struct ViewValueInfo {
  ViewValue Value;
  /// One word, which tells it apart in all formats.
  llvm::StringLiteral Name;
  /// "bytes" or "count".
  llvm::StringLiteral Unit;
};
constexpr std::array<ViewValueInfo, 7> AllViewValues = {
    {{ViewValue::Bytes, "bytes", "bytes"},
     {ViewValue::Objects, "objects", "count"},
     {ViewValue::Accesses, "accesses", "count"},
     {ViewValue::ColdBytes, "cold", "bytes"},
     {ViewValue::LiveBytes, "live", "bytes"},
     {ViewValue::WorkingSet, "working_set", "bytes"},
     {ViewValue::LostBytes, "lost", "bytes"}}};

struct ViewContext {
  /// Numbers of frames, leaf first.
  std::vector<uint32_t> Frames;
  std::array<uint64_t, AllViewValues.size()> Values = {};
  /// Summed over its objects.
  uint64_t LifetimeMs = 0;
  /// Objects and bytes: the most that lived at the end of a window; those that
  /// lived when the program had the most; those of the last window.
  struct Live {
    uint64_t Objects = 0;
    uint64_t Bytes = 0;
  };
  Live AtMost, AtPeak, AtEnd;

  uint64_t &operator[](ViewValue V) { return Values[size_t(V)]; }
  uint64_t operator[](ViewValue V) const { return Values[size_t(V)]; }
};

struct ViewProfile {
  /// Where it was read.
  std::string Path;
  std::vector<ViewFrame> Frames;
  /// Bytes descending.
  std::vector<ViewContext> Contexts;
  /// The values that the profile knows.
  std::vector<ViewValueInfo> Values;
  /// Whether live objects are known, and when there were the most: the end of
  /// the run if that is not known.
  bool HasLive = false;
  uint64_t PeakMs = 0;
  /// The mean length of a run; 0 if it is not known.
  uint64_t LengthMs = 0;

  bool knows(ViewValue V) const;
  /// \returns the number of \p F; equal frames have one.
  uint32_t add(ViewFrame F);

private:
  std::map<std::tuple<std::string, std::string, std::string, uint32_t, uint32_t,
                      bool>,
           uint32_t>
      Numbers;
};

/// \p Links may be null.
llvm::Expected<ViewProfile> viewOf(const ContextList &List,
                                   const profile::FunctionNames &Names,
                                   const LinkOutcomes *Links);
ViewProfile viewOf(const profile::RawProfile &Raw,
                   llvm::ArrayRef<const profile::RawContext *> Order,
                   const RawCalls &Calls);

/// Writes \p View in the format \p As, which is none of ours. \p Only is what
/// collapsed stacks have. Returns an error if the profile does not know it.
llvm::Error writeView(const ViewProfile &View, ExportFormat As, ViewValue Only,
                      llvm::raw_ostream &OS);

/// The gzip file of a profile of pprof (github.com/google/pprof,
/// proto/profile.proto). A function and those inlined into it are one location.
void writePprof(const ViewProfile &View, llvm::raw_ostream &OS);
/// Version 2 of the files of valgrind's DHAT.
void writeDhat(const ViewProfile &View, llvm::raw_ostream &OS);

} // namespace thermocline::profdata

#endif
