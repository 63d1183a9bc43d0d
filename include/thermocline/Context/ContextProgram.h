//===- Context/ContextProgram.h - What the engine decides on ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context program is what the engine decides on: the functions of a link
// with their profiled callsites, their profiled allocations, and the calling
// contexts of these, as plain data. It knows neither IR nor module summaries.
// There is a reader for each of them, which fills it.
//
// Only prevailing definitions are functions here. A callsite is a call
// instruction with the stack ids of its `!callsite` metadata, innermost inlined
// frame first. A context lists the stack ids of its calls from the allocation
// towards the root, *after* those that the allocation call itself covers
// (its own frame and those inlined around it): an empty list means that the
// profile tells nothing above the function that owns the allocation.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CONTEXT_CONTEXTPROGRAM_H
#define THERMOCLINE_CONTEXT_CONTEXTPROGRAM_H

#include "thermocline/Support/CoarseWeight.h"
#include "thermocline/Support/Ids.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <string>
#include <vector>

namespace thermocline::context {

using FunctionId = Id<struct FunctionTag, uint32_t>;
using CallsiteId = Id<struct CallsiteTag, uint32_t>;
using AllocationId = Id<struct AllocationTag, uint32_t>;
using ContextId = Id<struct ContextTag, uint32_t>;
/// A stack id that contexts have, by its place in their program's table of
/// those: contexts list few different ones, many times.
using ContextFrame = Id<struct ContextFrameTag, uint32_t>;

/// The class of a context in the profile, and the hint of an allocation in one
/// of its versions. LLVM's "hot" counts as NotCold.
enum class Temperature : uint8_t { NotCold, Cold };

struct Function {
  /// The symbol name, if it is known. For messages and dumps.
  std::string Name;
  /// Size of one copy in IR instructions, which is the cost of a clone. 0 if
  /// unknown.
  uint64_t Instructions = 0;
  /// Whether further versions of it may be made.
  bool Clonable = true;
  /// What leads to it without a record may reach any version. It is a coroutine
  /// that is still one function: a call that resumes it leads into its middle,
  /// in the version that made the coroutine. Or tail calls that go round in a
  /// circle lead to it, whose versions contexts with their frames decide.
  bool EnteredInAnyVersion = false;
  /// Any code may have its body inlined, in which its calls are as they were:
  /// other files have its source, and may be no LTO code.
  bool MayBeInlinedAnywhere = false;
  /// Its callsites and allocations, in the order of their summary records.
  std::vector<CallsiteId> Callsites;
  std::vector<AllocationId> Allocations;
};

/// Why a callsite cannot be redirected to a version of its callee.
enum class Redirect : uint8_t {
  Yes,
  /// The callee is not known: an indirect call without a usable target.
  Indirect,
  /// The callee has no definition in the link that could be cloned.
  OutsideLink,
};

struct Callsite {
  FunctionId Caller;
  /// None if the callee is unknown or outside the link.
  FunctionId Callee;
  Redirect Redirectable = Redirect::Yes;
  /// The stack ids are [First, First + Size) in the program's pool. There are
  /// none for a tail call of the caller, which leaves no frame in a context.
  uint32_t FirstStackId = 0;
  uint32_t NumStackIds = 0;
  /// The call goes through a pointer: a version of the callee is called only if
  /// the pointer is that function. In other ways, which contexts do not show,
  /// the callee is reached in version 0.
  bool IsThroughPointer = false;
  /// It is marked musttail. If it has stack ids, some contexts lack its frame
  /// all the same, where it was not inlined; if it has none, some may list it,
  /// where it was.
  bool MayLeaveNoFrame = false;
  /// What it calls may be entered again by tail calls through pointers, which
  /// leave no frame and reach version 0: contexts show this call all the same.
  bool MayEnterAgain = false;

  /// Whether contexts that list it may have come to the callee in version 0
  /// without it.
  bool mayBePassedBy() const { return IsThroughPointer || MayEnterAgain; }
};

/// Whether a cold hint of an allocation has an effect.
enum class Hintable : uint8_t {
  Yes,
  /// The call goes through a pointer, which may lead to what takes no hint, or
  /// reaches an operator new of the program's own, which may be such.
  IfPointer,
  /// The link redefines the allocation function.
  Redefined,
  /// The link lacks the cold variant that the program names.
  NoVariant,
  /// The program passes a hint itself, which stays.
  OwnHint,
  /// The call keeps its function for another reason.
  No,
};

/// Whether the backends make anything of a cold hint.
inline bool takesHint(Hintable H) {
  return H == Hintable::Yes || H == Hintable::IfPointer;
}

struct Allocation {
  FunctionId Owner;
  /// Its contexts, consecutive in the program's table.
  uint32_t FirstContext = 0;
  uint32_t NumContexts = 0;
  /// The annotation may have left out contexts that are not cold, as clang's
  /// own does. Then a context that is not listed must be taken for not cold.
  bool OmitsNotCold = false;
  /// One that takes no hint has none in any decision.
  context::Hintable Hintable = context::Hintable::Yes;
};

struct Context {
  AllocationId Allocation;
  Temperature Profiled = Temperature::NotCold;
  /// FullStackId is a key: the same in all copies of the allocation, but no id
  /// of the profile that a user could look up.
  bool IsKnownByKey = false;
  /// What each of its bytes counts for, as far as the bitcode tells. Known for
  /// cold contexts only.
  CoarseWeight Weight;
  /// Total bytes allocated in the profiled runs; 0 if the profile has no sizes.
  Bytes Size;
  /// The profile's id of the whole context, for reports; 0 where unknown. A
  /// trimmed context may stand for several: the first is kept here.
  uint64_t FullStackId = 0;
  /// Owned by the program.
  llvm::ArrayRef<ContextFrame> Frames;

  /// The id to show to users; 0 if it is not known.
  uint64_t profileId() const { return IsKnownByKey ? 0 : FullStackId; }
};

/// Stack ids of a context, held as frames of its program.
class ContextStack {
  struct Look {
    const StackId *Ids;
    StackId operator()(ContextFrame F) const { return Ids[F.index()]; }
  };

public:
  ContextStack(llvm::ArrayRef<ContextFrame> Frames, llvm::ArrayRef<StackId> Ids)
      : Frames(Frames), Ids(Ids) {}

  size_t size() const { return Frames.size(); }
  bool empty() const { return Frames.empty(); }
  StackId operator[](size_t I) const { return Ids[Frames[I].index()]; }
  auto begin() const {
    return llvm::map_iterator(Frames.begin(), Look{Ids.data()});
  }
  auto end() const {
    return llvm::map_iterator(Frames.end(), Look{Ids.data()});
  }
  llvm::SmallVector<StackId, 32> copy() const { return {begin(), end()}; }

private:
  llvm::ArrayRef<ContextFrame> Frames;
  llvm::ArrayRef<StackId> Ids;
};

/// What a given profile tells of a context beyond its summary. It is shown to
/// users, and decides nothing.
struct ContextMeasures {
  /// Bytes times lifetime in ms, over all objects of the context.
  uint64_t ByteMilliseconds = 0;
  /// Loads and stores, over all objects of the context.
  uint64_t Accesses = 0;
};

/// The program. Built once with the add functions, then only read. Everything
/// is stored in order of addition, which the reader must make deterministic.
class ContextProgram {
public:
  FunctionId addFunction(llvm::StringRef Name, uint64_t Instructions,
                         bool Clonable);
  CallsiteId addCallsite(FunctionId Caller, FunctionId Callee,
                         Redirect Redirectable,
                         llvm::ArrayRef<StackId> StackIds);
  /// Opens an allocation; the contexts added next belong to it.
  AllocationId addAllocation(FunctionId Owner);
  /// Marks \p A (Allocation::OmitsNotCold). For a reader that learns this only
  /// from the contexts.
  void setOmitsNotCold(AllocationId A) {
    Allocations[A.index()].OmitsNotCold = true;
  }
  void setHintable(AllocationId A, Hintable Is) {
    Allocations[A.index()].Hintable = Is;
  }
  ContextId addContext(Temperature Profiled, Bytes Size, uint64_t FullStackId,
                       llvm::ArrayRef<StackId> StackIds);
  /// Adds a context of frames that addFrame() returned.
  ContextId addContextOf(Temperature Profiled, Bytes Size, uint64_t FullStackId,
                         llvm::ArrayRef<ContextFrame> Frames);
  /// The frame of \p Id, which may be known already.
  ContextFrame addFrame(StackId Id);
  /// Says that the last context is known by a key (Context::IsKnownByKey).
  void setKnownByKey() { Contexts.back().IsKnownByKey = true; }
  /// Replaces the key of \p C by the id that the profile has.
  void setProfileId(ContextId C, uint64_t FullStackId) {
    Contexts[C.index()].FullStackId = FullStackId;
    Contexts[C.index()].IsKnownByKey = false;
  }
  void setWeight(ContextId C, CoarseWeight Weight) {
    Contexts[C.index()].Weight = Weight;
  }
  /// Gives cold contexts of unknown weight the mean weight of the others,
  /// weighted by bytes, so that they can be compared. Called by readers that
  /// know weights, when all contexts are added.
  void completeWeights();
  /// Weights are what hints save of the working set, and no lifetimes.
  void setSavings() { WeightsAreSavings = true; }
  bool weightsAreSavings() const { return WeightsAreSavings; }
  void setMeasures(ContextId C, const ContextMeasures &Measured);
  /// Sets where the source has the allocation: its own frame and those inlined
  /// around it, innermost first. For reports.
  void setPlace(AllocationId A, llvm::ArrayRef<StackId> Frames);
  /// Says that contexts list a direct recursive call once, however often it ran
  /// in a row, as LLVM's summaries do.
  void setFoldsRecursion() { FoldsRecursion = true; }
  bool foldsRecursion() const { return FoldsRecursion; }
  /// Whether a context may have gone through \p I more often than it lists it.
  bool mayRepeat(CallsiteId I) const {
    const Callsite &C = (*this)[I];
    return FoldsRecursion && C.Caller == C.Callee && C.NumStackIds == 1;
  }
  /// Sets the callee of a callsite. For a reader that learns callees only after
  /// all functions were added.
  void setCallee(CallsiteId C, FunctionId Callee, Redirect Redirectable);
  void setThroughPointer(CallsiteId C) {
    Callsites[C.index()].IsThroughPointer = true;
  }
  void setMayLeaveNoFrame(CallsiteId C) {
    Callsites[C.index()].MayLeaveNoFrame = true;
  }
  void setMayEnterAgain(CallsiteId C) {
    Callsites[C.index()].MayEnterAgain = true;
  }
  void setEnteredInAnyVersion(FunctionId F) {
    Functions[F.index()].EnteredInAnyVersion = true;
  }
  void setMayBeInlinedAnywhere(FunctionId F) {
    Functions[F.index()].MayBeInlinedAnywhere = true;
  }
  /// Takes what the setters above say of \p Other, in another program, over to
  /// \p C.
  void takeMarks(CallsiteId C, const Callsite &Other) {
    Callsites[C.index()].IsThroughPointer = Other.IsThroughPointer;
    Callsites[C.index()].MayLeaveNoFrame = Other.MayLeaveNoFrame;
    Callsites[C.index()].MayEnterAgain = Other.MayEnterAgain;
  }

  size_t numFunctions() const { return Functions.size(); }
  size_t numCallsites() const { return Callsites.size(); }
  size_t numAllocations() const { return Allocations.size(); }
  size_t numContexts() const { return Contexts.size(); }
  /// Different ones, of all contexts.
  size_t numFrames() const { return FrameIds.size(); }

  const Function &operator[](FunctionId I) const {
    return Functions[I.index()];
  }
  const Callsite &operator[](CallsiteId I) const {
    return Callsites[I.index()];
  }
  const Allocation &operator[](AllocationId I) const {
    return Allocations[I.index()];
  }
  const Context &operator[](ContextId I) const { return Contexts[I.index()]; }

  /// Innermost frame first.
  llvm::ArrayRef<StackId> stackIds(CallsiteId I) const {
    const Callsite &C = (*this)[I];
    return llvm::ArrayRef(StackIds).slice(C.FirstStackId, C.NumStackIds);
  }
  /// The stack ids of a context, from the allocation's caller towards the root.
  ContextStack stackIds(ContextId I) const { return {frames(I), FrameIds}; }
  llvm::ArrayRef<ContextFrame> frames(ContextId I) const {
    return (*this)[I].Frames;
  }
  StackId stackId(ContextFrame F) const { return FrameIds[F.index()]; }

  /// Empty if it is not known.
  llvm::ArrayRef<StackId> place(AllocationId I) const {
    if (I.index() >= Places.size())
      return {};
    return Places[I.index()];
  }

  /// None if setMeasures() was not called for \p I.
  const ContextMeasures *measures(ContextId I) const {
    return I.index() < Measures.size() && Measures[I.index()].ByteMilliseconds
               ? &Measures[I.index()]
               : nullptr;
  }
  /// The benefit of a cold hint for \p I, to be compared within one program:
  /// bytes times their weights if these are known, else bytes. A context of
  /// unknown size counts as one byte.
  uint64_t benefit(ContextId I) const;
  /// The bytes of working set that a cold hint for \p I saves. Nothing unless
  /// weights tell.
  std::optional<Bytes> savedBytes(ContextId I) const;

private:
  std::vector<Function> Functions;
  std::vector<Callsite> Callsites;
  std::vector<Allocation> Allocations;
  std::vector<Context> Contexts;
  /// The stack ids of callsites.
  std::vector<StackId> StackIds;
  /// The frames of contexts. Of many megabytes a vector would copy all that it
  /// has whenever it grows.
  llvm::BumpPtrAllocator Frames;
  std::vector<StackId> FrameIds;
  /// A hash table of the frames, by what addFrame() hashes; none where a slot
  /// is free. Its size is a power of two.
  std::vector<ContextFrame> FrameSlots;
  bool FoldsRecursion = false;
  bool WeightsAreSavings = false;
  /// Has entries up to the last allocation that has a place.
  std::vector<std::vector<StackId>> Places;
  /// Has entries up to the last context that has measures.
  std::vector<ContextMeasures> Measures;
};

} // namespace thermocline::context

#endif
