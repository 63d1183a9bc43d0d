//===- Profile/HeapProfile.h - Contexts of any number of runs ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The heap profile as thermo-profdata builds it: contexts with their measures,
// collected from raw and indexed profiles, each context once. What comes out
// does not depend on the order in which inputs were added.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_HEAPPROFILE_H
#define THERMOCLINE_PROFILE_HEAPPROFILE_H

#include "thermocline/Profile/BinaryMap.h"
#include "thermocline/Profile/RunInfo.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ProfileData/IndexedMemProfData.h"
#include "llvm/ProfileData/MemProf.h"
#include <map>
#include <optional>
#include <set>

namespace thermocline::profile {

/// Merges the measures of one context from different runs, or from different
/// code at the same place. Totals and counts are added (saturating), and minima
/// and maxima taken. The times and CPUs of the last allocation are those with
/// the latest deallocation. The operation is commutative and associative,
/// unlike MemInfoBlock::Merge, which compares times that mean nothing across
/// runs.
void mergeBlocks(llvm::memprof::MemInfoBlock &Into,
                 const llvm::memprof::MemInfoBlock &From);

/// Returns the fields of \p Block that its schema has; the others are 0. Access
/// histograms are left out, because the indexed format stores a pointer for
/// them.
llvm::memprof::MemInfoBlock
toMemInfoBlock(const llvm::memprof::PortableMemInfoBlock &Block);

class HeapProfile {
public:
  /// Adds a context, leaf first, with at least one frame. It
  /// counts for every function up to the first that is not inlined, and its
  /// calls become callsites of their functions, as LLVM's raw reader does, with
  /// the functions that they led to.
  void addContext(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                  const llvm::memprof::MemInfoBlock &Info);

  /// Adds a callsite of \p Function, with the functions that it may call where
  /// the profile knows them.
  void addCallsite(llvm::GlobalValue::GUID Function,
                   llvm::ArrayRef<llvm::memprof::Frame> Frames,
                   llvm::ArrayRef<llvm::GlobalValue::GUID> Callees);

  void addRuns(const RunInfo &Added);

  /// Adds the phases of runs. What the runs say of contexts is added by what
  /// this returns.
  TouchSums::PhasePlaces addGrid(const TouchGrid &Grid) {
    return Touches.addGrid(Grid);
  }
  /// Adds when the memory of a context was touched, which may be any part of
  /// what its runs say of it.
  void addTouches(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                  const TouchSums::PhasePlaces &Places,
                  const ContextTouches &Added);

  /// Which binary has what.
  BinaryMap &binaries() { return Binaries; }
  const BinaryMap &binaries() const { return Binaries; }

  /// Nothing before the first call of addRuns().
  const std::optional<RunInfo> &runs() const { return Runs; }
  size_t numContexts() const { return Contexts.size(); }
  /// Whether any context has a frame in \p Function, or a callsite was added.
  bool hasFunction(llvm::GlobalValue::GUID Function) const {
    return Functions.contains(Function);
  }

  /// When memory was touched, by full stack id. Contexts that differ only in
  /// what was inlined have one.
  const TouchSums &touches() const { return Touches; }

  /// Calls \p Visit for every context, in the order of a hash of its frames.
  void
  forEachContext(llvm::function_ref<void(llvm::ArrayRef<llvm::memprof::Frame>,
                                         const llvm::memprof::MemInfoBlock &)>
                     Visit) const;

  /// The tables that LLVM's writer takes, with the record of the runs among
  /// them. Equal profiles give equal tables, in equal order.
  llvm::memprof::IndexedMemProfData
  tables(const llvm::memprof::MemProfSchema &Schema) const;

private:
  using FrameIds = llvm::SmallVector<llvm::memprof::FrameId>;
  /// The bytes allocated through a call, by its frames and the function that it
  /// led to.
  using CalleeBytes =
      std::map<std::pair<llvm::memprof::CallStackId, llvm::GlobalValue::GUID>,
               uint64_t>;
  /// The callsites must be in \p Tables.
  CalleeBytes bytesByCallee(llvm::memprof::IndexedMemProfData &Tables) const;

  llvm::memprof::CallStackId
  addCallStack(llvm::ArrayRef<llvm::memprof::Frame> Frames);

  /// Frames and call stacks by LLVM's hashes of their contents.
  llvm::memprof::IndexedMemProfData Pool;
  std::map<llvm::memprof::CallStackId, llvm::memprof::MemInfoBlock> Contexts;
  std::map<llvm::GlobalValue::GUID, std::map<llvm::memprof::CallStackId,
                                             std::set<llvm::GlobalValue::GUID>>>
      Callsites;
  std::set<llvm::GlobalValue::GUID> Functions;
  std::optional<RunInfo> Runs;
  TouchSums Touches;
  BinaryMap Binaries;
};

} // namespace thermocline::profile

#endif
