//===- Match/Resolution.h - Contexts matched to callsites -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every chain of callsites that a context may stand for, as one graph of trie
// states that the chains share (see Resolver.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_MATCH_RESOLUTION_H
#define THERMOCLINE_LIB_ENGINE_MATCH_RESOLUTION_H

#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/Outcome.h"
#include "thermocline/Support/GroupedArray.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace thermocline::context {

using TrieStateId = Id<struct TrieStateTag, uint32_t>;
/// A class of callsites that share caller, callee and stack ids, whether they
/// go through a pointer, and whether their callee may be entered again.
using CallId = Id<struct CallTag, uint32_t>;

struct Call {
  FunctionId Caller;
  FunctionId Callee;
  bool IsThroughPointer = false;
  bool MayEnterAgain = false;
  /// Whether some of the tail calls without a record that it stands for may
  /// have left a frame when the program was profiled: one that is not marked
  /// musttail, beside one that is, or one that was inlined then.
  bool MayHaveLeftAFrame = false;

  /// Whether contexts that list it may have come to the callee in version 0
  /// without it.
  bool mayBePassedBy() const { return IsThroughPointer || MayEnterAgain; }
};

/// The longest chain of tail calls that is looked for, as in LLVM.
constexpr unsigned MaxTailCalls = 5;

/// A function at a node of the trie.
struct TrieState {
  /// There is no function if no context needs this node.
  FunctionId Function;
  /// Nothing is known above this trie state, or it is the root of the stack:
  /// what lies below binds every version of the function.
  bool BindsAllVersions = false;
  /// It is entered by a call that always reaches version 0: one that cannot be
  /// redirected, or that has no record.
  bool BindsOriginal = false;
  /// This says why what is above cannot tell all contexts through here apart.
  /// It is none if it can.
  std::optional<Outcome> Obstacle;
};

/// One call on the way to a trie state.
struct TrieEdge {
  TrieStateId Caller;
  CallId Via;
};

/// A context where it ends, with what is asked of it most often: programs have
/// millions of contexts, in another order than trie states.
class ContextHere {
public:
  ContextHere() = default;
  ContextHere(ContextId Id, const Context &C)
      : Id(Id), AllocationIndex(C.Allocation.index()),
        Cold(C.Profiled == Temperature::Cold) {}

  ContextId id() const { return Id; }
  AllocationId allocation() const { return AllocationId(AllocationIndex); }
  bool isCold() const { return Cold; }

private:
  ContextId Id;
  uint32_t AllocationIndex : 31 = 0;
  uint32_t Cold : 1 = 0;
};

/// What resolve() finds.
class Resolution {
public:
  /// Trie states come after the others that lead to them. One leads to itself
  /// by a call that a context may have taken more often than it lists it.
  size_t numTrieStates() const { return States.size(); }
  const TrieState &operator[](TrieStateId P) const { return States[P.index()]; }
  /// \returns the calls that lead to \p P and can be redirected.
  llvm::ArrayRef<TrieEdge> callersOf(TrieStateId P) const { return Edges[P]; }
  /// \returns the contexts whose allocation is in the function of \p P and
  /// which end here.
  llvm::ArrayRef<ContextHere> contextsAt(TrieStateId P) const {
    return ContextsAt[P];
  }
  TrieStateId leaf(ContextId C) const { return Leaves[C.index()]; }
  /// From now on the contexts of \p LeftOut bind nothing, and no others that
  /// were left out before do.
  void leaveOut(const ContextProgram &Program, const llvm::BitVector &LeftOut);
  /// Whether \p C binds what it reaches.
  bool counts(ContextId C) const {
    return LeftOut.empty() || !LeftOut.test(C.index());
  }
  /// Whether a context that counts is at \p P or below.
  bool isNeeded(TrieStateId P) const {
    return Needed.empty() || Needed.test(P.index());
  }
  /// Whether \p C ran in another copy of its allocation.
  bool ranElsewhere(ContextId C) const {
    return !RanElsewhere.empty() && RanElsewhere.test(C.index());
  }

  size_t numCalls() const { return Calls.size(); }
  const Call &operator[](CallId C) const { return Calls[C.index()]; }
  /// \returns the call that \p C belongs to, or none if no context can contain
  /// it.
  CallId call(CallsiteId C) const { return CallOf[C.index()]; }

private:
  friend Resolution resolve(const ContextProgram &);
  friend class Resolver;
  friend class UnrecordedCalls;
  Resolution() = default;
  void groupContexts(const ContextProgram &Program);

  std::vector<TrieState> States;
  GroupedArray<TrieStateId, TrieEdge> Edges;
  GroupedArray<TrieStateId, ContextHere> ContextsAt;
  std::vector<TrieStateId> Leaves;
  /// This is indexed by ContextId. It is empty if no context ran elsewhere.
  llvm::BitVector RanElsewhere;
  /// LeftOut is indexed by ContextId and Needed by TrieStateId. Both are empty
  /// if all contexts count.
  llvm::BitVector LeftOut, Needed;
  std::vector<Call> Calls;
  std::vector<CallId> CallOf;
};

/// Holds the edges of a Resolution turned round, for walks that go down from a
/// trie state. It leaves out edges that lead to no context that counts.
class TrieCallees {
public:
  struct Edge {
    CallId Via;
    TrieStateId To;
  };

  explicit TrieCallees(const Resolution &Resolved);

  size_t numEdges() const { return Edges.numItems(); }
  /// \returns the calls that lead down from \p P, sorted by call, then by trie
  /// state.
  llvm::ArrayRef<Edge> operator[](TrieStateId P) const { return Edges[P]; }

private:
  GroupedArray<TrieStateId, Edge> Edges;
};

} // namespace thermocline::context

#endif
