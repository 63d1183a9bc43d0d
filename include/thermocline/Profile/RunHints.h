//===- Profile/RunHints.h - What a run asked for cold --------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was linked with hints, the fallback of the hinted functions
// (libthermocline_hints) and the profiling runtime records in a raw profile,
// for each calling context, the allocations that it made through hinted
// functions and through plain ones: what the program does, not what anyone
// decided.
//
// Contexts are the same as those of the profile that the program was built with
// if all their frames are (function, line in it, column). Versions of functions
// count as the functions. For this, stacks must be whole: frame pointers, no
// sibling calls, as deep as the profile's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RUNHINTS_H
#define THERMOCLINE_PROFILE_RUNHINTS_H

#include "thermocline/Profile/RawIndexer.h"
#include <map>
#include <vector>

namespace thermocline::profile {

struct AllocationCount {
  uint64_t Allocations = 0;
  Bytes Size;

  void add(uint64_t MoreAllocations, Bytes MoreSize) {
    Allocations += MoreAllocations;
    Size += MoreSize;
  }
};

/// One context of a run, by what it asked for.
struct RunContext {
  /// Leaf first; not empty.
  std::vector<llvm::memprof::Frame> Frames;
  AllocationCount Hinted, Plain;
};

class RunHints {
public:
  /// Calls of \p Allocators are allocations, of their variants hinted ones.
  explicit RunHints(llvm::ArrayRef<NamedAllocator> Allocators = {})
      : Allocators(Allocators) {}

  /// Adds the run \p Raw. An error if \p Binary is not its program.
  llvm::Error add(const RawProfile &Raw, ProfiledBinary &Binary);

  /// By LLVM's id of the whole context (computeFullStackId).
  const std::map<uint64_t, RunContext> &contexts() const { return Contexts; }
  /// Allocations that no call of the program makes: in shared libraries, before
  /// main. No call can be hinted there.
  const AllocationCount &outside() const { return Outside; }

private:
  AllocatorFrames Allocators;
  std::map<uint64_t, RunContext> Contexts;
  AllocationCount Outside;
};

} // namespace thermocline::profile

#endif
