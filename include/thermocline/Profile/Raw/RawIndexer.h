//===- Raw/RawIndexer.h - From a raw profile to contexts --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolizes the contexts of a raw profile and adds them to a heap profile, and
// counts what is lost on the way: an indexed profile holds frames of the
// binaries that are given only, of the program and of libraries of its own.
// Contexts go through all of these, from the allocation to the root.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_RAWINDEXER_H
#define THERMOCLINE_PROFILE_RAW_RAWINDEXER_H

#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Raw/AllocatorFrames.h"
#include "thermocline/Profile/Raw/ProfiledBinaries.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Profile/Raw/SharedContexts.h"
#include "thermocline/Support/Units.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <set>
#include <string>

namespace thermocline::profile {

struct ContextCount {
  uint64_t Contexts = 0;
  Bytes Size;

  void add(Bytes Added) {
    ++Contexts;
    Size += Added;
  }
};

/// What became of the contexts of raw profiles. Contexts are counted as the
/// runtime tells them apart. The program stands for all binaries that are
/// given.
struct SymbolizationStatistics {
  ContextCount All;
  /// Contexts without a frame in the program. They are not in the indexed
  /// profile.
  ContextCount Dropped;
  /// Those that are in it, by the file whose code made the allocation: the
  /// innermost call that has frames.
  std::map<std::string, ContextCount> ByBinary;
  /// The part of all but Dropped that passes through several of the binaries.
  ContextCount ThroughSeveral;
  /// Contexts with a call at an address that had several objects, one after the
  /// other. That call has no frame.
  ContextCount AtSharedAddress;
  /// Contexts that look alike although they are of several binaries, and not
  /// all are cold: they count as the hottest of them (SharedContexts). Here,
  /// those of one binary with equal frames are one.
  ContextCount LikeOthers;
  /// The part of Dropped that passes through code of the program which has no
  /// debug information.
  ContextCount DroppedWithoutDebugInfo;
  /// Contexts that are kept although a shared library made the allocation for
  /// the program: there is no call in the program that could be hinted.
  ContextCount AllocatedElsewhere;
  /// Contexts that are kept although frames between those of the program are
  /// missing: calls through a shared library or through code without debug
  /// information.
  ContextCount Interrupted;
  /// Linkage names of the program's functions whose frames are missing because
  /// they have no debug information.
  std::set<std::string> WithoutDebugInfo;
  /// Access histograms, which the indexed format cannot hold.
  uint64_t HistogramsLeftOut = 0;
};

/// A call stack after symbolization, leaf first.
struct SymbolizedStack {
  llvm::SmallVector<llvm::memprof::Frame, 32> Frames;
  /// The program asked for cold memory, through libthermocline_hints.
  bool IsHinted = false;
  /// See the fields of SymbolizationStatistics.
  bool AllocatedElsewhere = false;
  bool Interrupted = false;
  bool MissesDebugInfo = false;
  bool AtSharedAddress = false;
  /// @}
  /// The binary of each frame.
  llvm::SmallVector<const ProfiledBinary *, 32> Binaries;
  /// See SymbolizationStatistics. Owned by the binary.
  llvm::SmallVector<llvm::StringRef, 2> WithoutDebugInfo;

  void clear() {
    IsHinted = AllocatedElsewhere = Interrupted = MissesDebugInfo =
        AtSharedAddress = false;
    Frames.clear();
    Binaries.clear();
    WithoutDebugInfo.clear();
  }
};

/// Is told how many contexts of a file are done, of how many.
using ProgressFunction = std::function<void(size_t Done, size_t All)>;

/// Symbolizes \p Addresses of a process that \p Binaries have located.
SymbolizedStack symbolizeStack(llvm::ArrayRef<uint64_t> Addresses,
                               ProfiledBinaries &Binaries);

/// Sentences on the files of split DWARF that \p Binaries lack; empty if they
/// have all.
std::vector<std::string>
describeMissingDwoFiles(const ProfiledBinaries &Binaries);

/// Adds \p Raw, which is one run, to \p Into, and cuts off the frames inside \p
/// Allocators. Notes its contexts in \p Shared, if there may be several
/// binaries. Returns an error if it ran none of \p Binaries, or if \p Raw
/// has contexts and none has a frame in them. \p Progress is called now and
/// then.
llvm::Error indexRaw(const RawProfile &Raw, ProfiledBinaries &Binaries,
                     AllocatorFrames &Allocators, HeapProfile &Into,
                     SharedContexts &Shared,
                     SymbolizationStatistics &Statistics,
                     const ProgressFunction &Progress);

} // namespace thermocline::profile

#endif
