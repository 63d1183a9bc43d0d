//===- IndexedProfile.h - Indexed profiles for consumers --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexed profile in LLVM's format, opened for reading by the annotate pass
// inside clang, by reports, and by thermo-profdata. LLVM's reader trusts the
// file. This one checks the headers when it opens the file, and every other
// part before it is used, so that opening costs the same whatever the size.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_INDEXED_INDEXEDPROFILE_H
#define THERMOCLINE_PROFILE_INDEXED_INDEXEDPROFILE_H

#include "thermocline/Placement/Order.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/Architectures.h"
#include "thermocline/Profile/BinaryMap.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Profile/Indexed/DataAccesses.h"
#include "thermocline/Profile/Layouts.h"
#include "thermocline/Profile/RecordedRuns.h"
#include "thermocline/Profile/RunInfo.h"
#include "thermocline/Profile/Samples.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace thermocline::profile {

/// What a stack id stands for.
struct FrameInfo {
  llvm::GlobalValue::GUID Function = 0;
  uint32_t LineOffset = 0;
  uint32_t Column = 0;
};

/// All frames of a profile by stack id. For reports.
class FrameTable {
public:
  void add(const llvm::memprof::Frame &F);
  /// Null if no frame of the profile has this id.
  const FrameInfo *lookup(StackId Id) const;
  size_t size() const { return Frames.size(); }

private:
  // Ids that are looked up come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, FrameInfo> Frames;
};

/// One context of the profile, valid during the callback that receives it.
struct IndexedContext {
  /// LLVM's id of the whole context.
  uint64_t FullStackId = 0;
  /// Leaf first; never empty.
  llvm::ArrayRef<llvm::memprof::Frame> Frames;
  const llvm::memprof::PortableMemInfoBlock &Info;
};

class IndexedProfile {
public:
  /// Opens \p Path and checks its headers. Errors name the file and the part at
  /// fault. A profile without memory profile is not an error.
  static llvm::Expected<std::unique_ptr<IndexedProfile>>
  open(llvm::StringRef Path);
  /// As open(), of a file that is in memory. \p Path names it in errors.
  static llvm::Expected<std::unique_ptr<IndexedProfile>>
  parse(llvm::StringRef Path, std::unique_ptr<llvm::MemoryBuffer> File);
  ~IndexedProfile();

  llvm::StringRef path() const { return Path; }

  bool hasMemProf() const { return Section != nullptr; }
  /// LLVM's version of the memory profile section, 2 to 4; 0 without one.
  uint64_t memProfVersion() const;
  /// The fields that every MIB of the profile has.
  const llvm::memprof::MemProfSchema &schema() const { return Schema; }
  /// Whether the schema has all fields.
  bool hasFullSchema() const;

  /// Nothing if the profile neither records its runs nor has timestamps: then
  /// only LLVM's absolute rule can classify.
  const std::optional<RunInfo> &runInfo() const { return Runs; }

  /// The memory profile of the function \p Function; with no sites if the
  /// profile has none. The reserved record of the runs is never given out.
  llvm::Expected<llvm::memprof::MemProfRecord>
  record(llvm::GlobalValue::GUID Function) const;

  /// Whether touched pages decide unless totals are asked for.
  bool pagesDecide() const;
  /// The rule by which its contexts are classified.
  ColdRule rule(const ColdThresholds &Thresholds) const;

  /// A checksum of the contexts and their measures, without anything else in
  /// the file. It tells two profiles apart. Returns an error if the profile is
  /// damaged.
  llvm::Expected<uint64_t> checksum() const;

  /// Classifies the contexts \p FullStackIds, which are one to the caller and
  /// have the measures \p Block together. Several are cold if all are. The ids
  /// count for nothing unless the rule is that of touched pages.
  ContextClass classify(llvm::ArrayRef<uint64_t> FullStackIds,
                        const llvm::memprof::PortableMemInfoBlock &Block,
                        const ColdThresholds &Thresholds) const;

  /// Calls \p Visit for every context once, in the order of the GUID of the
  /// first function that lists it, then of full stack ids. MIBs that the file
  /// has of the same context (llvm-profdata appends those of several runs) are
  /// merged.
  llvm::Error
  forEachContext(llvm::function_ref<void(const IndexedContext &)> Visit) const;

  /// The phases of the runs that say when memory was touched; empty if none
  /// does.
  const TouchGrid &touchGrid() const;
  /// Whether runs said when memory was touched, but the profile does not any
  /// more: llvm-profdata left it out.
  bool lostWindows() const;
  /// The working sets to expect if the contexts are hinted of which decision()
  /// says that they are cold; nothing without windows.
  std::optional<placement::Prediction> predicted() const;
  /// What the contexts were placed for when the profile was merged; the default
  /// options without windows.
  placement::PlacementOptions decidedFor() const;
  /// What was decided of the context with the full stack id \p FullStackId when
  /// the profile was merged, with the default options. Nothing without windows,
  /// and for contexts of which nothing lived at the end of any.
  std::optional<placement::PlacedContext> decision(uint64_t FullStackId) const;
  /// When memory was touched, by full stack id. Empty without windows.
  llvm::Expected<TouchesById> touches() const;

  /// How well totals of contexts are known, without those that are known
  /// exactly. Empty if no run was sampled.
  llvm::Expected<SamplesById> samples() const;

  /// How some small objects lay at bursts, with full stack ids for contexts.
  /// None if that is not known.
  llvm::Expected<std::vector<BurstLayout>> layouts() const;
  /// How small objects should lie, by the phase that it was merged for.
  llvm::Expected<placement::OrderVerdict> orderVerdict() const;

  /// The binaries that it was made of, if there were several; else none.
  llvm::Expected<BinaryMap> binaries() const;

  /// The calls that the source of its functions had. Empty if the profiled
  /// program did not tell.
  llvm::Expected<CallTable> calls() const;
  /// What the calls that allocate do allocate. Empty if the profiled program
  /// did not tell.
  llvm::Expected<DataTypes> types() const;

  /// The commands that it is of. Empty if nobody told them.
  llvm::Expected<RecordedRuns> recordedRuns() const;
  /// The architectures of the profiled binaries, as far as it is known.
  llvm::Expected<Architectures> architectures() const;

  /// The bytes of its contexts that are cold by \p Thresholds; 0 if it is of
  /// several binaries.
  llvm::Expected<uint64_t> coldBytes(const ColdThresholds &Thresholds) const;

  /// GUIDs of all functions with a record, ascending, without the reserved one.
  llvm::Expected<std::vector<llvm::GlobalValue::GUID>> functions() const;

  /// The frames of all contexts.
  llvm::Expected<FrameTable> frames() const;

  /// Whether it has LLVM's profile of accesses to static data.
  bool hasDataAccessProfile() const;
  /// LLVM's profile of accesses to static data; empty if it has none.
  llvm::Expected<DataAccesses> dataAccesses() const;

  /// LLVM's reader for the counters beside the memory profile, after a check of
  /// everything that it trusts. It does not see the memory profile.
  llvm::Expected<std::unique_ptr<llvm::IndexedInstrProfReader>>
  counters() const;

private:
  struct Header;
  IndexedProfile();
  llvm::Expected<llvm::memprof::MemProfRecord>
  readRecord(llvm::GlobalValue::GUID Function,
             llvm::function_ref<bool(uint64_t StackKey)> Wanted) const;
  llvm::Error findRuns();
  llvm::Error findTouches();

  std::string Path;
  std::unique_ptr<llvm::MemoryBuffer> Contents;
  std::unique_ptr<Header> Container;
  /// Refers to Contents; null without a memory profile.
  std::unique_ptr<class MemProfSection> Section;
  /// Refers to Contents; null without windows.
  std::unique_ptr<class TouchPart> Touched;
  llvm::memprof::MemProfSchema Schema;
  std::optional<RunInfo> Runs;
};

} // namespace thermocline::profile

#endif
