//===- Indexed/Merger.h - Any number of profiles into one -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges raw memory profiles, indexed and YAML profiles and raw counters into
// one indexed profile in LLVM's format, or into YAML. Contexts are merged by
// their frames (HeapProfile), counters by LLVM's writer, as in llvm-profdata.
// Inputs are added and finished. Then decide() says, by the model of touched
// pages, what is cold, and write() only encodes what is there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_INDEXED_MERGER_H
#define THERMOCLINE_PROFILE_INDEXED_MERGER_H

#include "thermocline/Placement/Order.h"
#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/Architectures.h"
#include "thermocline/Profile/CallTable.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/DataTypes.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Indexed/DataAccesses.h"
#include "thermocline/Profile/Indexed/MergeInput.h"
#include "thermocline/Profile/Raw/RawIndexer.h"
#include "thermocline/Profile/RecordedRuns.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace thermocline::profile {

class IndexedProfile;

struct MergeOptions {
  /// The programs that wrote the raw memory profiles, and their libraries;
  /// needed only if there are any.
  BinaryOptions Binaries;
  /// Version of the memory profile section; the default is llvm-profdata's.
  llvm::memprof::IndexedVersion MemProfVersion = llvm::memprof::Version3;
  /// Write only the four fields that LLVM's own hints need. Otherwise all
  /// fields are written, which keeps accesses, minima and maxima.
  bool HotColdSchema = false;
  /// Allocation functions of the program's own: contexts begin at calls of
  /// them.
  std::vector<NamedAllocator> Allocators;
  /// What is called cold if the runs say when memory was touched.
  placement::PlacementOptions Placing;
  /// If set, each context is cold or not by chance, which this decides.
  std::optional<uint64_t> RandomHotnessSeed = std::nullopt;
  /// Write LLVM's YAML instead of the indexed format.
  bool AsYaml = false;
  /// Leave out functions whose counters are all 0.
  bool SparseCounters = false;
  /// How many traces of a temporal profile are kept, and how many functions of
  /// each; the defaults are llvm-profdata's.
  uint64_t TemporalReservoirSize = 100;
  uint64_t MaxTemporalTraceLength = 10000;
  /// The commands that the raw memory profiles are of, if they are known.
  RecordedRuns Recorded;
  /// Is told how much of a raw file is done.
  ProgressFunction Progress = [](size_t, size_t) {};
};

/// What the merged memory profile holds.
struct MergeStatistics {
  uint64_t CountedFunctions = 0;
  /// Whether nobody knows the accesses of the programs, so that nothing is
  /// cold.
  bool AccessesUnknown = false;
  ContextCount All;
  ContextCount Cold;
  /// How well the bytes of both are known.
  CountErrors Errors;
  /// Contexts that are not cold as sampling told too little of them.
  ContextCount TooFew;
  ColdRule Rule = ColdRule::Relative;
  /// Whether runs say when memory was touched, but are too short for it to
  /// decide.
  bool RunsAreTooShort = false;
  SymbolizationStatistics Symbolization;
};

class Merger {
public:
  explicit Merger(MergeOptions Options);
  ~Merger();

  /// Adds a file of any of the kinds, told apart by its contents, as if it were
  /// given \p Weight times. After an error, which names the file, the merger
  /// must not be used on.
  llvm::Error add(llvm::StringRef Path, uint64_t Weight = 1);
  llvm::Error add(MergeInput Input, uint64_t Weight = 1);

  /// To be called after the last add(). Settles what contexts of several
  /// binaries with equal frames count as, and warns of what is wrong with
  /// binaries.
  /// Returns an error, which names the file, if one is of no raw profile.
  llvm::Error finishInputs();

  /// Decides which contexts are cold, and warns of what is wrong with all
  /// inputs together. To be called after finishInputs(). Returns an error,
  /// which names no file, if that cannot be decided as the options ask for.
  llvm::Error decide();

  // What follows holds after decide().

  /// Whether nothing was added that the output would hold. This and
  /// countsFunctions() hold after finishInputs(), too.
  bool empty() const;
  bool countsFunctions() const { return Statistics.CountedFunctions != 0; }
  const HeapProfile &heap() const { return Heap; }
  const DataAccesses &dataAccesses() const { return StaticData; }
  /// The warnings, in the order in which their causes were met.
  const std::vector<std::string> &warnings() const { return Warnings; }
  /// What YAML cannot hold of the inputs; empty if it is not asked for or holds
  /// all.
  const std::string &leftOut() const { return LeftOut; }

  /// Whether raw memory profiles were read by one file, not by several or by a
  /// directory.
  bool hasOneBinary() const { return Binaries && Binaries->isOneFile(); }

  /// See ProfiledBinaries.
  std::vector<std::string> librariesNotGiven() const {
    return Binaries ? Binaries->notGiven() : std::vector<std::string>();
  }

  /// The merged profile's figures, with contexts judged by \p Thresholds.
  MergeStatistics statistics(const ColdThresholds &Thresholds) const;

  /// The prediction that the output holds; nothing if no run said when memory
  /// was touched.
  std::optional<placement::Prediction> predicted() const {
    if (!Placed)
      return std::nullopt;
    return Placed->Predicted;
  }
  /// How small objects should lie. Cannot be told if that holds nothing.
  placement::OrderVerdict orderVerdict() const;
  /// The windows of all runs, by which that was predicted.
  const TouchGrid &touchGrid() const { return Touched.Touches.Grid; }

  /// The bytes of the output. To be called once.
  llvm::Expected<std::string> write();

private:
  llvm::Error addRaw(const RawProfile &Raw, uint64_t Weight);
  llvm::Error addIndexed(std::unique_ptr<IndexedProfile> Profile,
                         uint64_t Weight);
  /// Adds the memory profile of \p Profile. Returns whether it has contexts.
  llvm::Expected<bool> addHeap(const IndexedProfile &Profile, uint64_t Weight);
  /// Adds more of what it says. The same was added \p NumBefore times.
  llvm::Error addTouches(const IndexedProfile &Profile, uint64_t NumBefore);
  llvm::Error addSamples(const IndexedProfile &Profile, uint64_t NumBefore);
  /// Returns an error if there are too many phases since \p Path was added.
  llvm::Error checkPhases(llvm::StringRef Path) const;
  void warnOfAllocators();
  void warnOfRuns();
  /// Decides which contexts are cold, if runs said when memory was touched.
  llvm::Error place();
  /// Then counts what bursts touch in order and by size class.
  void countOrder();
  llvm::Error addCounters(llvm::StringRef Path, llvm::InstrProfReader &Reader,
                          bool IsIndexed, uint64_t Weight);
  /// If inputs know of accesses in several ways, leaves their numbers out.
  /// Returns an error if nothing else tells what is cold.
  llvm::Error settleAccesses();
  void warn(llvm::StringRef Path, const llvm::Twine &Message);
  /// Whether touched pages decide unless totals are asked for.
  bool pagesDecide() const;
  /// Classifies each context, in the order of HeapProfile::contexts().
  void forEachClass(const ColdThresholds &Thresholds,
                    llvm::function_ref<void(const HeapProfile::Context &,
                                            ColdRule, bool IsCold)>
                        Visit) const;
  llvm::memprof::MemProfSchema schema() const;
  /// Whether the output has a memory profile.
  bool hasMemProf() const {
    return Heap.numContexts() != 0 || keepsStaticData();
  }
  bool keepsStaticData() const {
    return !StaticData.empty() &&
           Options.MemProfVersion >= llvm::memprof::Version4;
  }
  /// Appends all that LLVM's format has no place for to \p File, the output,
  /// whose memory profile has this checksum.
  void appendParts(std::string &File, uint64_t Checksum) const;
  /// Forgets all that YAML has no place for, and notes that.
  void keepWhatYamlHolds();
  /// Version 2 has no tree of call stacks.
  bool replacesMemProf() const {
    return Options.MemProfVersion >= llvm::memprof::Version3;
  }

  MergeOptions Options;
  std::unique_ptr<ProfiledBinaries> Binaries;
  AllocatorFrames Allocators;
  HeapProfile Heap;
  SharedContexts Shared;
  std::unique_ptr<RawIndexer> Indexer;
  /// Whether the output says which binary has what.
  bool TellsBinaries = false;
  /// The calls that the source of its functions has.
  CallTable Calls;
  /// What its calls allocate.
  DataTypes Types;
  Architectures Ran;
  RecordedRuns Recorded;
  DataAccesses StaticData;
  llvm::InstrProfWriter Counters;
  MergeStatistics Statistics;
  /// Whether an input had only some of the fields, so that the output cannot
  /// have more.
  bool Reduced = false;
  /// Whether the counters added so far are those of IR instrumentation.
  std::optional<bool> CountersAreIR;
  /// How the memory profiles added so far know of accesses, and the first that
  /// does so.
  std::map<AccessKind, std::string> Accesses;
  /// When memory was touched, and what was decided by it.
  TouchesById Touched;
  std::optional<placement::Placement> Placed;
  /// What the contexts save that are cold by it, by full stack ids.
  std::unordered_map<uint64_t, double> SavedByPages;
  /// Contexts that are not cold by it, as sampling told too little.
  std::unordered_set<uint64_t> TooFewSamples;
  /// How small objects lay at bursts, and what these touch in order and by size
  /// class.
  std::vector<BurstLayout> Bursts;
  placement::OrderCountsByPhase Order;
  std::vector<std::string> Warnings;
  /// Raw profiles that are left out as a binary is damaged, and why: sentences
  /// without their ends.
  std::vector<std::string> NotMerged;
  std::string LeftOut;
};

} // namespace thermocline::profile

#endif
