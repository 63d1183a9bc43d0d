//===- Profile/Raw/RunHints.h - What a run asked for cold -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run of an optimized program asked for. The program is linked with
// libthermocline_hints and the profiling runtime. Its raw profile then says,
// for each calling context, which allocations it made through hinted functions
// and which through plain ones. This is what the program really did, not what
// anyone decided.
//
// A context of the run and a context of the profile that the program was built
// with are the same if all their frames are (function, line in it, column).
// Versions of a function count as the function. For this, stacks must be whole:
// the program needs frame pointers and no sibling calls, and stacks as deep as
// the profile's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_RUNHINTS_H
#define THERMOCLINE_PROFILE_RAW_RUNHINTS_H

#include "thermocline/Profile/Raw/RawIndexer.h"
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

/// One context of a run, with its hinted and its plain allocations.
struct RunContext {
  /// Leaf first; not empty.
  std::vector<llvm::memprof::Frame> Frames;
  AllocationCount Hinted, Plain;
};

class RunHints {
public:
  /// Calls of \p Allocators count as allocations, and calls of their variants
  /// as hinted ones.
  explicit RunHints(llvm::ArrayRef<NamedAllocator> Allocators = {})
      : Allocators(Allocators) {}

  /// Adds the run \p Raw. Returns an error if it ran none of \p Binaries.
  llvm::Error add(const RawProfile &Raw, ProfiledBinaries &Binaries);

  /// The contexts, by LLVM's id of the whole context (computeFullStackId).
  const std::map<uint64_t, RunContext> &contexts() const { return Contexts; }
  /// Allocations that no call of the program makes: those in shared libraries,
  /// and before main. No call can be hinted for them.
  const AllocationCount &outside() const { return Outside; }

private:
  AllocatorFrames Allocators;
  std::map<uint64_t, RunContext> Contexts;
  AllocationCount Outside;
};

} // namespace thermocline::profile

#endif
