//===- Raw/SharedContexts.h - Contexts that look alike ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a frame is a function by its name, a line and a column. Binaries of
// one process may have different functions of one name: each plugin its entry,
// two libraries a helper. If all frames of two contexts are equal, a profile
// has one context for both. Their sum may look cold although one of them is in
// use, in a binary that is then hinted wrongly.
//
// Here such contexts of one process are found, by their binaries. If each of
// them is cold, so is the sum. If not, all of them are made to look as hot as
// the hottest one: the profile then overstates accesses, but never calls cold
// what one of them uses.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_SHAREDCONTEXTS_H
#define THERMOCLINE_PROFILE_RAW_SHAREDCONTEXTS_H

#include "thermocline/Profile/Raw/ProfiledBinary.h"
#include "thermocline/Profile/RunInfo.h"
#include "thermocline/Profile/TouchWindows.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ProfileData/MemProf.h"
#include <map>
#include <optional>
#include <vector>

namespace thermocline::profile {

class SharedContexts {
public:
  bool empty() const { return Contexts.empty(); }
  /// Enters a context, by its full stack id, the binary of each of its frames,
  /// and its measures. All contexts of a process must be entered before the
  /// next.
  void note(uint64_t FullStackId,
            llvm::ArrayRef<const ProfiledBinary *> Binaries,
            const llvm::memprof::MemInfoBlock &Info);

  /// Whether several binaries have a context of this id, not all of which are
  /// cold in \p Run by the default thresholds. If the run is not known, none
  /// is.
  bool isMixed(uint64_t FullStackId, const std::optional<RunInfo> &Run) const;

  /// Lets \p Info, of a context with this id, and its \p Touches look as those
  /// of the hottest.
  void makeHot(uint64_t FullStackId, llvm::memprof::MemInfoBlock &Info,
               ContextTouches &Touches) const;

private:
  using Places = std::vector<const ProfiledBinary *>;
  std::map<uint64_t, std::map<Places, llvm::memprof::MemInfoBlock>> Contexts;
};

} // namespace thermocline::profile

#endif
