//===- Annotate/FunctionProfile.h - One function's contexts -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the profile knows of one function: the contexts of the allocations in
// its own body, and the calls in it that are part of any context.
//
// Contexts are sorted by their stack ids, leaf first, so that those that start
// with a given inlined call stack are an interval, found by binary search: an
// allocator that is inlined in a thousand places costs its contexts once, not a
// thousand times. Contexts that are equal (the profiled program had two copies
// of the code, with different inlining) are merged before they are classified.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_FUNCTIONPROFILE_H
#define THERMOCLINE_ANNOTATE_FUNCTIONPROFILE_H

#include "thermocline/Annotate/Edits/EditedSource.h"
#include "thermocline/Annotate/Metadata/ProfiledContext.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Support/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Allocator.h"
#include <set>
#include <utility>
#include <vector>

namespace thermocline::annotate {

/// Line, counted from the first line of the function, and column.
using PlaceInFunction = std::pair<uint32_t, uint32_t>;

/// What the module has at the place where the profile saw an allocation. If a
/// module has several things there, the greatest enumerator describes it best.
enum class LeafFate : uint8_t {
  /// No call is there: not in this module, optimized away, or other source.
  NotSeen,
  /// None can be: it is of another function of this name, in another binary.
  OtherVersion,
  /// A call of something that is not an allocation function (it allocates
  /// inside, in a library that was not symbolized).
  OtherCallee,
  /// An allocation function that must not be hinted (see AllocationVerdict).
  NotHintable,
  /// An allocation, but inlined into other callers than this context has.
  OtherInlining,
  /// An allocation with annotation from elsewhere that was to be kept.
  Kept,
};

/// What a call through a pointer was of, where it allocated.
enum class AllocatedBy : uint8_t {
  /// Allocation functions, always.
  Allocators,
  /// These and other functions.
  Several,
  /// Other functions, always.
  Others,
};

class FunctionProfile {
public:
  /// Classifies contexts that have the same stack ids, by their measures
  /// together.
  using Classifier = llvm::function_ref<profile::ContextClass(
      llvm::ArrayRef<const llvm::memprof::AllocationInfo *>,
      const llvm::memprof::PortableMemInfoBlock &)>;

  /// Takes the \p Record of \p Function. \p Classify decides what is cold. If a
  /// place has at least \p LeastToPack contexts, they are packed, provided that
  /// this is smaller. 0 means that none are packed.
  FunctionProfile(llvm::GlobalValue::GUID Function,
                  const llvm::memprof::MemProfRecord &Record,
                  Classifier Classify, size_t LeastToPack = 0);
  FunctionProfile(const FunctionProfile &) = delete;
  FunctionProfile &operator=(const FunctionProfile &) = delete;

  llvm::GlobalValue::GUID function() const { return Function; }

  /// The stack id of \p Frame, which must be in this function. Profiles of
  /// programs that were built without column numbers have 0 throughout; then
  /// the column of \p Frame does not count.
  uint64_t stackId(const SourceFrame &Frame) const;

  /// Whether the call with \p Id, in this function, is part of any context.
  bool knows(uint64_t Id) const { return KnownCalls.contains(Id); }
  /// The functions that the call with \p Id called in some context, those with
  /// most bytes first. There are none if the profile's version does not have
  /// them. What it led to by functions without a frame is none of them.
  llvm::ArrayRef<llvm::GlobalValue::GUID> callees(uint64_t Id) const {
    auto Known = KnownCalls.find(Id);
    return Known == KnownCalls.end()
               ? llvm::ArrayRef<llvm::GlobalValue::GUID>()
               : llvm::ArrayRef(Known->second.Callees)
                     .drop_back(Known->second.NumInterrupted);
  }
  /// What the call with \p Id was of, as far as the profile tells.
  AllocatedBy allocatedBy(uint64_t Id) const;
  /// Where it has calls that are part of contexts, in the order of the source.
  /// \p KeyOf tells by what key calls have a function.
  std::vector<ProfiledPlace>
  places(llvm::function_ref<uint64_t(llvm::GlobalValue::GUID)> KeyOf) const;
  /// Adds the stack ids of these to \p To.
  void addCallIds(std::set<uint64_t> &To) const {
    for (const auto &[Id, Call] : KnownCalls)
      To.insert(Id);
  }
  /// How many of these there are, other versions' not counted.
  size_t numCalls() const { return KnownCalls.size() - NumOfOtherVersions; }

  /// All contexts whose leaf is in this function, sorted by their stacks.
  llvm::ArrayRef<ProfiledContext> contexts() const { return Contexts; }

  /// The contexts whose stack starts with \p Prefix, which must not be empty.
  llvm::ArrayRef<ProfiledContext>
  contextsWithPrefix(llvm::ArrayRef<uint64_t> Prefix) const;

  /// Whether the contexts of the call with the id \p Leaf are packed.
  bool isPacked(uint64_t Leaf) const { return PackedPlaces.contains(Leaf); }

  /// Called by the annotator, for the statistics: contexts were attached, or
  /// what is at the place of a leaf.
  void noteAttached(llvm::ArrayRef<ProfiledContext> Interval);
  void noteFate(uint64_t Leaf, LeafFate Fate);
  /// The module has a call with \p Id, which must be known.
  void noteSeen(uint64_t Id) {
    Seen = true;
    KnownCalls.find(Id)->second.Seen = true;
  }

  /// The call with \p Id, if it is known, is none of the module's function, but
  /// of another version of it.
  void noteOtherVersion(uint64_t Id);

  /// Whether any call of the module is at the place of a known call.
  bool wasSeen() const { return Seen; }
  /// The known calls at whose place the module has none, in order of lines.
  std::vector<PlaceInFunction> unseenCalls() const;
  /// The known calls whose cold contexts were not attached, all of them, since
  /// of what is there now \p Fate is true. In order of lines.
  std::vector<PlaceInFunction> coldCallsLost(LeafFate Fate) const;
  bool wasAttached(size_t ContextIndex) const { return Attached[ContextIndex]; }
  /// Whether any of the contexts was.
  bool wasAttached() const { return llvm::is_contained(Attached, true); }
  LeafFate fate(uint64_t Leaf) const { return Fates.lookup(Leaf); }

private:
  class Builder;

  llvm::GlobalValue::GUID Function;
  bool UsesColumns = false;
  bool Seen = false;
  size_t NumOfOtherVersions = 0;
  struct KnownCall {
    PlaceInFunction Place;
    bool Seen = false;
    bool IsOtherVersion = false;
    /// The reserved callees of HeapProfile.h, and the others: what the call led
    /// to. The last ones are not what was called.
    bool CallsAnything = false;
    bool CallsAllocator = false;
    llvm::SmallVector<llvm::GlobalValue::GUID, 1> Callees = {};
    size_t NumInterrupted = 0;
  };
  void sortOutInterrupted();
  /// The calls of the function that are part of any context, by stack id.
  llvm::DenseMap<uint64_t, KnownCall> KnownCalls;
  std::vector<ProfiledContext> Contexts;
  std::vector<bool> Attached;
  llvm::DenseSet<uint64_t> PackedPlaces;
  llvm::DenseMap<uint64_t, LeafFate> Fates;
  /// Owns the stacks of Contexts.
  llvm::BumpPtrAllocator Stacks;
};

} // namespace thermocline::annotate

#endif
