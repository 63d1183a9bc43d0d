//===- Annotate/StackMatcher.h - Finds calls in the profile -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a call instruction, with the functions that were inlined around it,
// is to be found in the profile, whatever the profiled program had inlined.
//
// Allocations. The profile has a record for each function. That of the function
// in which the source has the allocation (the innermost frame) holds every
// context of it, however it was inlined when it was profiled. The record of the
// function that holds the instruction has only the contexts that were inlined
// into it then, too. So contexts are looked up by the innermost frame, and kept
// if they continue with the other frames. If the profile does not know the
// innermost frames (code that was profiled without debug information), the
// innermost frame that it knows takes their place.
//
// Calls. A call is part of a context only if each of its frames is. That two
// frames are known does not prove that they are neighbours in one context. This
// does no harm: whoever walks the contexts ignores a callsite too many, whereas
// one too few would lose contexts.
//
// Cost: each record is read once; a call takes time in its number of frames
// times the logarithm of the contexts at the innermost.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_STACKMATCHER_H
#define THERMOCLINE_ANNOTATE_STACKMATCHER_H

#include "thermocline/Annotate/FunctionProfile.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <set>

namespace thermocline::annotate {

/// Where the profile comes from.
struct ProfileSource {
  /// The record of a function; one without sites if the profile has none.
  std::function<llvm::Expected<llvm::memprof::MemProfRecord>(
      llvm::GlobalValue::GUID)>
      Record;
  std::function<profile::ContextClass(
      llvm::ArrayRef<const llvm::memprof::AllocationInfo *>,
      const llvm::memprof::PortableMemInfoBlock &)>
      Classify;
  /// The least number of contexts to pack, see FunctionProfile.
  size_t LeastToPack = 0;
  /// Functions whose contexts are not packed, so that each has its id.
  std::set<llvm::GlobalValue::GUID> NeverPacked = {};
  /// Whether it says of calls through pointers if they were of allocation
  /// functions (HeapProfile::noteAllocatingCall()).
  bool TellsAllocators = false;
};

/// How an allocation call was found.
enum class MatchOutcome : uint8_t {
  Matched,
  /// No function of its inlined stack has allocations in the profile.
  FunctionNotProfiled,
  /// Its function has, but none at this place: never run, or other source.
  PlaceNotProfiled,
  /// Allocations of this place are profiled, but with other callers than the
  /// functions that it was inlined into.
  OtherCallers,
};

struct AllocationMatch {
  MatchOutcome Outcome = MatchOutcome::FunctionNotProfiled;
  /// One stack id for each inlined frame from the matched leaf outwards: a
  /// prefix of every context. Empty unless a place was found.
  llvm::SmallVector<uint64_t, 8> Callsite;
  /// Owned by the matcher. Empty unless Outcome is Matched.
  llvm::ArrayRef<ProfiledContext> Contexts;
  /// The function that the contexts belong to. Null if no place was found.
  /// Owned by the matcher.
  FunctionProfile *Leaf = nullptr;
  /// Innermost frames that the profile does not know.
  unsigned SkippedFrames = 0;
};

class StackMatcher {
public:
  explicit StackMatcher(ProfileSource Source) : Source(std::move(Source)) {}

  /// The contexts of an allocation with the inlined stack \p Stack. An error if
  /// the profile cannot be read.
  llvm::Expected<AllocationMatch> matchAllocation(const InlinedStack &Stack);

  /// The stack ids of a call, innermost first, if it is part of any context;
  /// otherwise none.
  llvm::Expected<llvm::SmallVector<uint64_t, 8>>
  matchCall(const InlinedStack &Stack);

  /// The functions that a call with the inlined stack \p Stack led to in some
  /// context. Owned by the matcher, until it is asked for anything else.
  llvm::Expected<llvm::ArrayRef<llvm::GlobalValue::GUID>>
  calleesOf(const InlinedStack &Stack);

  /// What the call through a pointer with the inlined stack \p Stack allocated
  /// by, if it did.
  llvm::Expected<AllocatedBy> allocatedBy(const InlinedStack &Stack);

  /// Notes, for the statistics, that the module has a call with this stack that
  /// is not a hintable allocation.
  llvm::Error noteOther(const InlinedStack &Stack, LeafFate Fate);

  /// The profile of \p Function, or null if it has no record. Owned by this.
  llvm::Expected<FunctionProfile *> lookup(llvm::GlobalValue::GUID Function);

  /// Calls \p Visit for every profile that was looked up, in the order in which
  /// that happened first.
  void
  forEachProfile(llvm::function_ref<void(const FunctionProfile &)> Visit) const;

private:
  ProfileSource Source;
  llvm::MapVector<llvm::GlobalValue::GUID, std::unique_ptr<FunctionProfile>>
      Profiles;
};

} // namespace thermocline::annotate

#endif
