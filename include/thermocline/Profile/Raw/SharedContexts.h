//===- Raw/SharedContexts.h - Contexts that look alike ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a frame is a function by its name, a line and a column. Binaries may
// have different functions of one name: each plugin of a process its entry, two
// libraries a helper, two programs a local function in files of one name. If
// all frames of two contexts are equal, a profile has one context for both.
// Their sum may look cold although one of them is in use, in a binary that is
// then hinted wrongly.
//
// Here such contexts are found, in one process or several, by their binaries.
// Two releases of one program have like contexts, too, which mostly do the same
// in both. So by totals, a sum is made to look as hot as the hottest if not all
// are cold. By when memory was touched, it is if one is clearly more in use
// than the sum, or if nobody knows that of it. The profile then overstates
// accesses or touches, but never calls cold what one of the binaries uses.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_SHAREDCONTEXTS_H
#define THERMOCLINE_PROFILE_RAW_SHAREDCONTEXTS_H

#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Raw/ProfiledBinary.h"
#include "thermocline/Profile/RunInfo.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ProfileData/MemProf.h"
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace thermocline::profile {

class SharedContexts {
public:
  SharedContexts();
  ~SharedContexts();

  /// What is added next is of another process. Nothing of it counts as cold if
  /// the length of its \p Run is not known. \p TellsWindows is whether it says
  /// when memory was touched.
  void beginProcess(const std::optional<RunInfo> &Run, bool TellsWindows);

  /// What the same binaries have of a context.
  struct Share;

  /// The share of \p Binaries, one for each frame, of the context \p
  /// FullStackId. It stays where it is, and counts once it has measures. \p All
  /// has what was added of all shares.
  Share *enter(uint64_t FullStackId,
               llvm::ArrayRef<const ProfiledBinary *> Binaries,
               const TouchSums &All);
  /// Adds measures of the present process, and touches by bins of the grid of
  /// which \p Places is known.
  void add(Share &To, const llvm::memprof::MemInfoBlock &Info,
           const TouchSums::PhasePlaces &Places,
           const ContextTouches &Touches) const;

  /// Lets contexts of \p Heap that are of several binaries look as the hottest
  /// of them; totals by the default thresholds. Calls \p Count with the bytes
  /// that each of the binaries has of one that looks otherwise than it did.
  void makeHot(HeapProfile &Heap, llvm::function_ref<void(Bytes)> Count) const;

private:
  using Shares = llvm::SmallVector<Share *, 1>;

  std::optional<RunInfo> Run;
  bool HasWindows = false;
  unsigned Process = 0;
  std::vector<std::unique_ptr<Share>> Entered;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, Shares> Contexts;
};

} // namespace thermocline::profile

#endif
