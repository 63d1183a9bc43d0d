//===- Match/CallsiteIndex.h - Callsites by what they match -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The callsites of a program by innermost frame, then callee, then all their
// frames: what a walk up a context looks for. Those that also agree in caller
// form one call (see Resolver.h). Tail calls, which have no frames, or none in
// some contexts, are kept by caller.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_MATCH_CALLSITEINDEX_H
#define THERMOCLINE_LIB_ENGINE_MATCH_CALLSITEINDEX_H

#include "ContextTrie.h"
#include "Resolution.h"
#include "thermocline/Support/GroupedArray.h"
#include "llvm/ADT/DenseSet.h"

namespace thermocline::context {

class CallsiteIndex {
public:
  CallsiteIndex(const ContextProgram &Program, const FrameNumbers &Numbers);

  /// Callsites that share their innermost frame and their callee. There is no
  /// callee if it is unknown.
  struct Group {
    FunctionId Callee;
    uint32_t Begin, End;
  };
  /// \returns the groups whose innermost frame is \p Frame.
  llvm::ArrayRef<Group> groups(FrameId Frame) const { return Groups[Frame]; }
  /// \returns the callsites of \p G. They are sorted by their frames, with the
  /// shorter first, then by whether they can be redirected, then by caller.
  llvm::ArrayRef<CallsiteId> callsites(const Group &G) const {
    return llvm::ArrayRef(Sorted).slice(G.Begin, G.End - G.Begin);
  }
  llvm::ArrayRef<FrameId> frames(CallsiteId C) const { return Frames[C]; }
  /// Narrows \p Range, which agrees on its first \p Depth frames, to the
  /// callsites that have \p Frame next.
  llvm::ArrayRef<CallsiteId> narrow(llvm::ArrayRef<CallsiteId> Range,
                                    size_t Depth, FrameId Frame) const;

  /// \returns the last link of the only chain of tail calls from \p From to
  /// \p To, or none if there is no such chain. \p Several is set if there is
  /// more than one chain, or one that is too long or has calls that are never
  /// redirected.
  CallId lastTailCall(FunctionId From, FunctionId To, bool &Several);
  bool hasTailCalls() const { return !TailEdges.empty(); }
  /// \returns the calls, with stack ids or without, that may have run where
  /// lastTailCall() returned \p Via.
  llvm::ArrayRef<CallId> sameEnds(CallId Via) const {
    return SameEnds.find(Via)->second;
  }
  /// \returns the tail calls that may be redirected. They form no cycle.
  llvm::ArrayRef<CallId> tailCalls() const { return TailCalls; }
  /// \returns the callees of tail calls on a cycle that have stack ids, too,
  /// and may be redirected for the contexts that list these.
  const llvm::DenseSet<FunctionId> &cycleCallees() const {
    return CycleCallees;
  }
  /// Whether a callsite whose innermost frame is \p Frame has a frame twice in
  /// a row, which contexts list once.
  bool repeatsFrames(FrameId Frame) const {
    return !Repeating.empty() && Repeating.test(Frame.index());
  }

  std::vector<Call> takeCalls() { return std::move(Calls); }
  std::vector<CallId> takeCallOf() { return std::move(CallOf); }
  const Call &call(CallId C) const { return Calls[C.index()]; }
  CallId callOf(CallsiteId C) const { return CallOf[C.index()]; }

private:
  void sort();
  void groupByFrame(size_t NumFrames);
  void findRepeating(size_t NumFrames);
  void sortTailCalls();
  /// Whether tail calls, however many, lead from \p From to \p To.
  bool isTailReached(FunctionId From, FunctionId To) const;
  void dropCycles(std::vector<CallsiteId> &TailCalls);
  int compare(CallsiteId A, CallsiteId B) const;

  const ContextProgram &Program;
  GroupedArray<CallsiteId, FrameId> Frames;
  std::vector<CallsiteId> Sorted;
  GroupedArray<FrameId, Group> Groups;
  /// This is indexed by frame. It says which frames repeatsFrames() holds for,
  /// and it is empty if there are none.
  llvm::BitVector Repeating;
  std::vector<Call> Calls;
  std::vector<CallId> CallOf;
  std::vector<CallId> TailCalls;
  llvm::DenseMap<CallId, llvm::SmallVector<CallId, 1>> SameEnds;
  llvm::DenseSet<FunctionId> CycleCallees;
  struct TailEdge {
    FunctionId Callee;
    /// There is no call here if the tail call is never redirected.
    CallId Via;
  };
  /// These are the tail calls of each caller.
  llvm::DenseMap<FunctionId, llvm::SmallVector<TailEdge, 2>> TailEdges;
  llvm::DenseSet<FunctionId> OnTailCycle;
  struct Chain {
    CallId Last;
    bool Several = false;
  };
  llvm::DenseMap<std::pair<FunctionId, FunctionId>, Chain> Chains;
};

} // namespace thermocline::context

#endif
