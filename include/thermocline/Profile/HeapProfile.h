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
#include "thermocline/Profile/Layouts.h"
#include "thermocline/Profile/RunInfo.h"
#include "thermocline/Profile/Samples.h"
#include "thermocline/Profile/StackTrie.h"
#include "thermocline/Profile/TouchGrid.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ProfileData/IndexedMemProfData.h"
#include "llvm/ProfileData/MemProf.h"
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace thermocline::profile {

/// Merges the measures of one context from different runs, or from different
/// code at the same place. Totals and counts are added (saturating), and minima
/// and maxima taken. The times and CPUs of the last allocation are those with
/// the latest deallocation. The operation is commutative and associative,
/// unlike MemInfoBlock::Merge, which compares times that mean nothing across
/// runs.
void mergeBlocks(llvm::memprof::MemInfoBlock &Sum,
                 const llvm::memprof::MemInfoBlock &Added);

/// The most allocations that a context counts: 32 bits have no room for more.
constexpr uint32_t MostAllocations = UINT32_MAX;
/// What is to be said of \p Contexts contexts that count as many, of which
/// there may have been more.
std::string tooManyAllocationsText(uint64_t Contexts);

/// Merges the measures of one context from parts of one run, each later than
/// the one before, as MemInfoBlock::Merge() does; but no count wraps.
void mergeLaterBlock(llvm::memprof::MemInfoBlock &Sum,
                     const llvm::memprof::MemInfoBlock &Later);

/// Returns the fields of \p Block that its schema has; the others are 0. Access
/// histograms are left out, because the indexed format stores a pointer for
/// them.
llvm::memprof::MemInfoBlock
toMemInfoBlock(const llvm::memprof::PortableMemInfoBlock &Block);

/// @{ Reserved callees of calls that allocate: anything that may do so, and an
/// allocation function. No function has these GUIDs.
llvm::GlobalValue::GUID anythingGUID();
llvm::GlobalValue::GUID allocatorGUID();
/// @}

/// What the innermost call of a context is of.
enum class AllocatingCall {
  /// An allocation function.
  Allocator,
  /// Another function, which allocated.
  Other,
  /// One of both: a call through a pointer.
  Either
};

class HeapProfile {
public:
  /// A frame of any context, each once.
  using FrameIndex = uint32_t;
  /// A binary that has frames.
  using BinaryIndex = uint32_t;

  /// Adds a frame, which counts once a context has it.
  FrameIndex addFrame(const llvm::memprof::Frame &F);

  /// A context that was added. Adding others does not move it.
  struct Context {
    StackTrie::Node Stack = StackTrie::Root;
    /// The binary that allocated first in it, and one more than its index; 0 if
    /// nobody told.
    BinaryIndex Binary = 0;
    /// When its memory was touched, once anybody said so.
    TouchSums::ContextSums *Touches = nullptr;
    /// Whether anything was added to Info.
    bool HasMeasures = false;
    llvm::memprof::MemInfoBlock Info;
    /// How well its totals are known.
    ContextSamples Samples = {};
  };

  /// The context of these frames, leaf first, of which there is at least one.
  /// It is entered if it is new, and then has to be given measures. It
  /// counts for every function up to the first that is not inlined, and its
  /// calls become callsites of their functions, as LLVM's raw reader does, with
  /// the functions that they led to. What it has in common with the context
  /// before, from the root on, is not looked up again.
  Context &enterContext(llvm::ArrayRef<FrameIndex> Frames);
  /// Says that frames are missing in the context that was entered last, between
  /// the frame at \p Place, counted from the leaf, and its caller.
  void noteMissingFrames(size_t Place);
  static void addMeasures(Context &To, const llvm::memprof::MemInfoBlock &Info);
  /// Enters a context and adds its measures.
  Context &addContext(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                      const llvm::memprof::MemInfoBlock &Info);

  /// Adds a callsite of \p Function, with the functions that it may call where
  /// the profile knows them.
  void addCallsite(llvm::GlobalValue::GUID Function,
                   llvm::ArrayRef<llvm::memprof::Frame> Frames,
                   llvm::ArrayRef<llvm::GlobalValue::GUID> Callees);

  /// Says that the innermost call of \p C allocated, and what it called. If any
  /// call of a place is not of an allocation function, the place becomes a
  /// callsite that leads to anythingGUID() and, if others are or may be, to
  /// allocatorGUID().
  void noteAllocatingCall(const Context &C, AllocatingCall Is);

  void addRuns(const RunInfo &Added);

  /// Adds the phases of runs. What the runs say of contexts is added by what
  /// this returns.
  TouchSums::PhasePlaces addGrid(const TouchGrid &Grid) {
    return Touches.addGrid(Grid);
  }
  /// Adds when the memory of a context that is known was touched, which may be
  /// any part of what its runs say of it.
  void addTouches(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                  const TouchSums::PhasePlaces &Places,
                  const ContextTouches &Added);
  void addTouches(Context &C, const TouchSums::PhasePlaces &Places,
                  const ContextTouches &Added);

  /// Adds how well totals of a context that is known are known, which may be
  /// any part of it.
  void addSamples(llvm::ArrayRef<llvm::memprof::Frame> Frames,
                  const ContextSamples &Added);
  /// How well totals are known, without contexts that are known exactly.
  SamplesById samples() const;

  /// Adds how small objects lay in a burst. Contexts are numbers in \p
  /// Contexts, whose elements are null for those that the profile does not
  /// have.
  void addLayout(const BurstLayout &Added,
                 llvm::ArrayRef<const Context *> Contexts);
  /// Adds layouts whose contexts are full stack ids; 0 for those that the
  /// profile does not have.
  void addLayouts(std::vector<BurstLayout> Added);
  /// What was added, with full stack ids: of many bursts, some.
  const std::vector<BurstLayout> &layouts() const { return Layouts; }

  /// Adds a binary, to say what is in it.
  BinaryIndex addBinary(llvm::ArrayRef<uint8_t> Id, llvm::StringRef Name);
  void noteFunction(FrameIndex Index, BinaryIndex Binary) {
    if (Frames[Index].Binary != Binary + 1)
      noteOtherFunction(Index, Binary);
  }
  void noteAllocation(Context &C, BinaryIndex Binary);
  void addBinaries(const BinaryMap &Added) { Binaries.add(Added); }
  bool hasSeveralBinaries() const { return Binaries.hasSeveral(); }
  /// Lets \p Change change the measures of each context, given its full stack
  /// id.
  void changeMeasures(
      llvm::function_ref<void(uint64_t, llvm::memprof::MemInfoBlock &)> Change);
  /// Makes all that lived of the context \p Id be touched, always.
  void touchAll(uint64_t FullStackId) { Touches.touchAll(FullStackId); }
  /// See TouchSums.
  bool raiseTouches(uint64_t FullStackId,
                    llvm::ArrayRef<const TouchSums::ContextSums *> Parts) {
    return Touches.raiseTo(FullStackId, Parts);
  }
  /// Forgets when memory was touched, of all runs.
  void forgetTouches();
  /// Says what functions are called in the source; nothing if that is not
  /// known.
  void setNames(std::function<std::string(llvm::GlobalValue::GUID)> To) {
    NameOf = std::move(To);
  }
  /// Replaces what all runs were.
  void setRuns(const RunInfo &To) { Runs = To; }

  /// Which binary has what.
  BinaryMap binaries() const;

  /// Nothing before the first call of addRuns().
  const std::optional<RunInfo> &runs() const { return Runs; }
  size_t numContexts() const { return Contexts.size(); }
  /// Whether any context has a frame in \p Function, or a callsite was added.
  bool hasFunction(llvm::GlobalValue::GUID Function) const {
    return Functions.count(Function) != 0;
  }

  /// When memory was touched, by full stack id. Contexts that differ only in
  /// what was inlined have one.
  const TouchSums &touches() const { return Touches; }

  /// Calls \p Visit for every context, in no particular order.
  void
  forEachContext(llvm::function_ref<void(llvm::ArrayRef<llvm::memprof::Frame>,
                                         const llvm::memprof::MemInfoBlock &)>
                     Visit) const;

  /// Calls \p Visit for every context, in the order of contexts(), with its
  /// full stack id if the profile says when memory was touched of any context
  /// that has this id.
  void forEachTouched(
      llvm::function_ref<void(std::optional<uint64_t>, const Context &)> Visit)
      const;

  /// The tables that LLVM's writer takes, with the record of the runs among
  /// them. Equal profiles give equal tables, in equal order.
  llvm::memprof::IndexedMemProfData
  tables(const llvm::memprof::MemProfSchema &Schema) const;

  /// @{ What a writer needs.
  const StackTrie &stacks() const { return Stacks; }
  const std::deque<Context> &contexts() const { return Contexts; }
  size_t numFrames() const { return Frames.size(); }
  llvm::memprof::Frame frame(FrameIndex I) const {
    const FrameEntry &F = Frames[I];
    return {F.Function, F.LineOffset, F.Column, F.IsInlined};
  }
  /// A call of the machine code by its frames, of one of the functions that
  /// have them.
  using Site = std::pair<StackTrie::Node, llvm::GlobalValue::GUID>;
  using Callees = llvm::SmallVector<llvm::GlobalValue::GUID, 1>;
  /// What each may call. Those that most was allocated in come first, as
  /// readers may take a few. Of others the source decides, by their names and
  /// then by where they go on, and not their GUIDs: those of local functions
  /// depend on the folder of the build.
  std::vector<std::pair<Site, Callees>> callsites() const;
  /// @}

private:
  struct FrameEntry {
    llvm::GlobalValue::GUID Function = 0;
    uint32_t LineOffset = 0;
    uint32_t Column = 0;
    bool IsInlined = false;
    /// Whether a context or callsite has it.
    bool IsUsed = false;
    /// The binary that it was first seen in, and one more than its index.
    BinaryIndex Binary = 0;

    bool operator==(const FrameEntry &Other) const {
      return Function == Other.Function && LineOffset == Other.LineOffset &&
             Column == Other.Column && IsInlined == Other.IsInlined;
    }
  };
  struct FrameHash {
    size_t operator()(const FrameEntry &F) const;
  };
  /// What is known of a node of Stacks.
  struct NodeInfo {
    /// The context that ends here, and one more than its index.
    uint32_t Context = 0;
    /// If it is not inlined, the call that led to it, and one more than its
    /// index in Calls. 0 if no context has the node.
    uint32_t Call = 0;
  };
  /// From a call of the machine code to a function.
  struct Call {
    StackTrie::Node Frames;
    llvm::GlobalValue::GUID Callee;
  };

  StackTrie::Node addNode(StackTrie::Node Parent, FrameIndex Frame);
  /// The stack of the call of the machine code that \p N is the innermost frame
  /// of.
  StackTrie::Node callOf(StackTrie::Node N);
  /// The frames of that, leaf first.
  llvm::SmallVector<FrameIndex, 4> framesOfCall(StackTrie::Node N) const;
  uint32_t addCall(StackTrie::Node Caller, StackTrie::Node Callee);
  /// Notes what \p Caller led to, in the sites of all functions that have it.
  void addCalleeOf(const Call &Caller, llvm::GlobalValue::GUID Callee);
  void addCallee(const Site &Caller, llvm::GlobalValue::GUID Callee);
  void noteOtherFunction(FrameIndex Index, BinaryIndex Binary);
  /// The frames of \p Stack, leaf first.
  void framesOf(StackTrie::Node Stack,
                llvm::SmallVectorImpl<llvm::memprof::Frame> &Result) const;
  uint64_t fullStackId(StackTrie::Node Stack) const;
  void findIds() const;

  std::vector<FrameEntry> Frames;
  std::unordered_map<FrameEntry, FrameIndex, FrameHash> FrameIndexes;
  StackTrie Stacks;
  /// The context that was entered last, from the root on.
  struct Step {
    FrameIndex Frame;
    StackTrie::Node Node;
  };
  std::vector<Step> Last;
  std::vector<NodeInfo> Nodes = std::vector<NodeInfo>(1);
  std::deque<Context> Contexts;
  std::vector<Call> Calls;
  llvm::DenseMap<std::pair<StackTrie::Node, llvm::GlobalValue::GUID>, uint32_t>
      CallIndexes;
  llvm::DenseMap<Site, Callees> Callsites;
  std::unordered_set<llvm::GlobalValue::GUID> Functions;
  std::function<std::string(llvm::GlobalValue::GUID)> NameOf;
  /// The frames of calls that are known to be of an allocation function, and of
  /// those that may be of anything, leaf first. The former have no stack for
  /// that, as all stacks are written.
  std::set<llvm::SmallVector<FrameIndex, 4>> AllocatorCalls, AnyCalls;
  std::optional<RunInfo> Runs;
  TouchSums Touches;
  std::vector<BurstLayout> Layouts;
  /// With more than these, some are dropped.
  size_t MostLayouts = 128;
  /// What Frames and Contexts have not already.
  BinaryMap Binaries;
  std::vector<BinaryMap::BuildId> BinaryIds;
  /// By context, what forEachTouched gives; empty if nobody asked.
  mutable std::vector<std::optional<uint64_t>> Ids;
};

} // namespace thermocline::profile

#endif
