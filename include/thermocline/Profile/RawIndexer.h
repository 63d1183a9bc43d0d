//===- Profile/RawIndexer.h - From a raw profile to contexts ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolizes the contexts of a raw profile and adds them to a heap profile, and
// counts what is lost on the way: an indexed profile holds frames of the
// program only.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAWINDEXER_H
#define THERMOCLINE_PROFILE_RAWINDEXER_H

#include "thermocline/Profile/AllocatorFrames.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/ProfiledBinary.h"
#include "thermocline/Profile/RawProfile.h"
#include "thermocline/Support/Units.h"
#include "llvm/Support/Error.h"
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

/// What became of the contexts of raw profiles, counted in contexts as the
/// runtime tells them apart.
struct SymbolizationStatistics {
  ContextCount All;
  /// No frame of the program is left; not in the indexed profile.
  ContextCount Dropped;
  /// Of Dropped, those that pass through code of the program which has no debug
  /// information.
  ContextCount DroppedWithoutDebugInfo;
  /// Kept, but a shared library made the allocation on behalf of the program:
  /// there is no call in the program that could be hinted.
  ContextCount AllocatedElsewhere;
  /// Kept, but frames between those of the program are missing: calls through
  /// a shared library or through code without debug information.
  ContextCount Interrupted;
  /// Functions of the program without debug information whose frames are
  /// missing for that: linkage names.
  std::set<std::string> WithoutDebugInfo;
  /// Access histograms, which the indexed format cannot hold.
  uint64_t HistogramsLeftOut = 0;
};

/// A call stack after symbolization, leaf first.
struct SymbolizedStack {
  llvm::SmallVector<llvm::memprof::Frame, 32> Frames;
  /// The program asked for cold memory, through libthermocline_hints.
  bool IsHinted = false;
  /// As SymbolizationStatistics says of contexts.
  /// @{
  bool AllocatedElsewhere = false;
  bool Interrupted = false;
  bool MissesDebugInfo = false;
  /// @}
  /// See SymbolizationStatistics. Owned by the binary.
  llvm::SmallVector<llvm::StringRef, 2> WithoutDebugInfo;
};

/// \p Addresses of a process that \p Binary has located.
SymbolizedStack symbolizeStack(llvm::ArrayRef<uint64_t> Addresses,
                               ProfiledBinary &Binary);

/// A sentence on the files of split DWARF that \p Binary lacks; empty if it has
/// all.
std::string describeMissingDwoFiles(const ProfiledBinary &Binary);

/// Adds \p Raw, one run, to \p Into, its contexts without the frames inside of
/// \p Allocators. An error if \p Binary is not its program,
/// or if \p Raw has contexts and none has a frame in the program.
llvm::Error indexRaw(const RawProfile &Raw, ProfiledBinary &Binary,
                     AllocatorFrames &Allocators, HeapProfile &Into,
                     SymbolizationStatistics &Statistics);

} // namespace thermocline::profile

#endif
