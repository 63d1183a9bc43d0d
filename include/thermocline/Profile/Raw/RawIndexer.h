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
#include "thermocline/Profile/StackTrie.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  /// Contexts that are in it, by the file whose code made the allocation: the
  /// innermost call that has frames.
  std::map<std::string, ContextCount> ByBinary;
  /// The part of all but Dropped that passes through several of the binaries.
  ContextCount ThroughSeveral;
  /// Contexts with a call at an address that had several objects, one after the
  /// other. That call has no frame.
  ContextCount AtSharedAddress;
  /// Contexts that look alike although they are of several binaries, and are in
  /// use in some more than in others: they count as the hottest of them
  /// (SharedContexts). Here,
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
  /// Contexts that are kept although the compiler made a call of several, all
  /// of which a build with hints has.
  ContextCount ThroughMerged;
  /// Linkage names of the program's functions whose frames are missing because
  /// they have no debug information.
  std::set<std::string> WithoutDebugInfo;
  /// For each file whose contexts were all dropped, as nothing that has debug
  /// information made an allocation: why, with the file's name.
  std::vector<std::string> WithoutFrames;
};

/// A call stack after symbolization, leaf first.
struct SymbolizedStack {
  llvm::SmallVector<llvm::memprof::Frame, 32> Frames;
  /// The program asked for cold memory, through libthermocline_hints.
  bool IsHinted = false;
  /// See the fields of SymbolizationStatistics.
  bool AllocatedElsewhere = false;
  bool MissesDebugInfo = false;
  bool AtSharedAddress = false;
  /// What the innermost call is of, for all that is known: of an allocation
  /// function if it names what it calls, and no frame is missing. If it does
  /// not, it may be either.
  AllocatingCall Innermost = AllocatingCall::Other;
  /// @}
  /// As many of Frames have all calls that the compiler made of several.
  size_t MergedWithin = 0;
  /// Where frames are missing: after how many of Frames.
  llvm::SmallVector<size_t, 2> MissingAfter;
  /// The binary of each frame.
  llvm::SmallVector<const ProfiledBinary *, 32> Binaries;
  /// See SymbolizationStatistics. Owned by the binary.
  llvm::SmallVector<llvm::StringRef, 2> WithoutDebugInfo;

  void clear() {
    IsHinted = AllocatedElsewhere = MissesDebugInfo = AtSharedAddress = false;
    MergedWithin = 0;
    Innermost = AllocatingCall::Other;
    Frames.clear();
    MissingAfter.clear();
    Binaries.clear();
    WithoutDebugInfo.clear();
  }
};

/// Is told how many contexts of a file are done, of how many.
using ProgressFunction = std::function<void(size_t Done, size_t All)>;

/// Symbolizes \p Addresses of a process that \p Binaries have located.
SymbolizedStack symbolizeStack(RawAddresses Addresses,
                               ProfiledBinaries &Binaries);

/// Sentences on the files of split DWARF that \p Binaries lack; empty if they
/// have all.
std::vector<std::string>
describeMissingDwoFiles(const ProfiledBinaries &Binaries);

/// Adds raw profiles to a heap profile. Runs of a program have most of their
/// calls and call stacks in common. Each of these is symbolized and entered
/// once, and from then on costs a look-up.
class RawIndexer {
public:
  /// Contexts are added to \p Heap, without the frames inside \p Allocators.
  /// They are noted in \p Shared, if there may be several binaries.
  RawIndexer(ProfiledBinaries &Binaries, AllocatorFrames &Allocators,
             HeapProfile &Heap, SharedContexts &Shared,
             SymbolizationStatistics &Statistics);
  ~RawIndexer();

  /// Adds \p Raw, which is one run. Returns an error if it ran none of the
  /// binaries, or if it has contexts and none has a frame in them. \p Progress
  /// is called now and then. The same run was added \p NumBefore times: errors
  /// grow by that, as it tells nothing new.
  llvm::Error add(const RawProfile &Raw, const ProgressFunction &Progress,
                  uint64_t NumBefore = 0);

private:
  /// An address of any process, by what it is.
  using CallIndex = uint32_t;
  struct KnownCall;
  /// What a stack is, and what it counts as.
  struct KnownStack {
    /// Null if it has no frame in the binaries.
    HeapProfile::Context *Context = nullptr;
    /// The count for the binary that allocated.
    ContextCount *OfBinary = nullptr;
    /// Null if there is one binary.
    SharedContexts::Share *Share = nullptr;
    /// See the fields of SymbolizationStatistics.
    bool ThroughSeveral = false;
    bool AtSharedAddress = false;
    bool MissesDebugInfo = false;
    bool AllocatedElsewhere = false;
    bool Interrupted = false;
    bool IsMerged = false;
    /// @}
  };

  CallIndex resolve(uint64_t Address);
  /// The slot of \p Address in the present file, a new one if it is new.
  uint32_t slotOf(uint64_t Address);
  /// Finds out what the calls of \p Contexts are, which come next in the file.
  void lookUpCalls(llvm::ArrayRef<RawContext> Contexts);
  HeapProfile::BinaryIndex binary(const ProfiledBinary *Binary);
  /// Enters the present stack.
  KnownStack enterStack();
  /// Changes the present stack: behind \p Common calls, counted from the root,
  /// come those in the slots \p Rest.
  KnownStack stackOf(uint32_t Common, llvm::ArrayRef<uint32_t> Rest);
  void count(const KnownStack &Stack, Bytes Size);

  ProfiledBinaries &Binaries;
  AllocatorFrames &Allocators;
  HeapProfile &Heap;
  SharedContexts &Shared;
  SymbolizationStatistics &Statistics;

  size_t NumFiles = 0;
  /// Whether the code of the present file counts, and so compares pointers with
  /// allocation functions, which it then calls by name.
  bool ComparesPointers = false;
  /// The addresses of the present file have slots, in the order in which they
  /// are met.
  llvm::DenseMap<uint64_t, uint32_t> OfFile;
  std::vector<CallIndex> OfSlot;
  /// The addresses of the last slots, which are not looked up yet.
  std::vector<uint64_t> Unresolved;
  /// For each of the next contexts, how many calls it has in common with the
  /// one before, from the root on; and the slots of its other calls, one
  /// context behind the other.
  std::vector<uint32_t> NumCommon, Slots;
  std::vector<KnownCall> Calls;
  llvm::DenseMap<std::pair<const SymbolizedAddress *, const ProfiledBinary *>,
                 CallIndex>
      CallIndexes;
  llvm::DenseMap<const ProfiledBinary *, HeapProfile::BinaryIndex>
      BinaryIndexes;
  /// Stacks by their calls, without those of the first file.
  StackTrie CallStacks;
  /// For each node of CallStacks, one more than the index in KnownStacks, or 0.
  std::vector<uint32_t> StackNumbers;
  std::vector<KnownStack> KnownStacks;
  /// The addresses of the last context whose calls were looked up, leaf first.
  RawAddresses Before;
  /// Its calls, from the root on.
  struct Step {
    CallIndex Call;
    StackTrie::Node Node;
  };
  llvm::SmallVector<Step, 64> Stack;
  /// @{ The present stack, in members that keep their memory.
  SymbolizedStack Symbolized;
  llvm::SmallVector<HeapProfile::FrameIndex, 32> Frames;
  /// @}
};

} // namespace thermocline::profile

#endif
