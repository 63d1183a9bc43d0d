//===- Split/SubsetConstruction.h - All that can be told apart --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: what is the most that clones could tell apart, and what does each
// version of a function owe?
//
// A run may be in several trie states of the resolution at once. The subset
// construction makes the deterministic automaton of this: a state for each set
// that matters, that is a function and the set of trie states (see Resolver.h)
// that a run may be in. Its calls and labels are those of all of them together,
// and of the trie states that bind every version of the function, which are in
// every state without being listed. One more state stands for the original of
// each function: the trie states entered by calls that always reach version 0.
//
// Every set of decisions without false cold is a merging of these states, so a
// cold context whose trie state shares a state and an allocation with a
// not-cold one is *inseparable*; every other can be hinted cold.
//
// Cost: for contexts without inlined copies this is the automaton of Aho and
// Corasick over the trie, whose states are its nodes; for whole contexts it is
// the trie.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_SUBSETCONSTRUCTION_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_SUBSETCONSTRUCTION_H

#include "Match/Resolution.h"
#include "thermocline/Support/GroupedArray.h"
#include "llvm/ADT/BitVector.h"

namespace thermocline::context {

using StateId = Id<struct StateTag, uint32_t>;

struct Transition {
  CallId Via;
  StateId To;
};

/// What a state says of one allocation of its function.
struct Label {
  AllocationId Allocation;
  Temperature Wanted;
};

/// The allocations whose contexts are all that may be cold: what they do not
/// list is not-cold.
class StrictAllocations {
public:
  StrictAllocations(const ContextProgram &Program, bool All);

  bool operator[](AllocationId A) const { return Strict[A.index()]; }
  /// These ask only about allocations that have contexts.
  /// @{
  bool any() const { return Any; }
  bool all() const { return All; }
  /// @}

private:
  std::vector<bool> Strict;
  bool Any = false, All = true;
};

class SubsetConstruction {
public:
  /// Gives up beyond \p MaxStates. If \p Explicit, what strict allocations do
  /// not list has labels and transitions as well, so that states may be merged.
  /// Else those that are there are right only if each state is a version of its
  /// own, and a call without a transition one of the original.
  SubsetConstruction(const ContextProgram &Program, const Resolution &Resolved,
                     size_t MaxStates, const StrictAllocations &Strict,
                     bool Explicit);

  bool isComplete() const { return Complete; }
  size_t size() const { return States.size(); }
  /// The first states are the originals, by FunctionId.
  StateId original(FunctionId F) const { return StateId(F.index()); }

  FunctionId function(StateId S) const { return States[S.index()].Function; }
  /// \returns the transitions below which a label is wanted, in order of call.
  llvm::ArrayRef<Transition> transitions(StateId S) const {
    const State &Source = States[S.index()];
    return llvm::ArrayRef(Transitions)
        .slice(Source.FirstTransition, Source.NumTransitions);
  }
  /// \returns the labels in order of allocation.
  llvm::ArrayRef<Label> labels(StateId S) const { return Labels[S]; }
  /// Whether a NotCold label is at \p S or below.
  bool leadsToNotCold(StateId S) const {
    return LeadsToNotCold.test(S.index());
  }
  /// Whether a Cold label is at \p S or below.
  bool leadsToCold(StateId S) const { return LeadsToCold.test(S.index()); }
  /// Whether no decisions can hint \p C, a cold context.
  bool isInseparable(ContextId C) const { return Inseparable[C.index()]; }
  /// \returns a not-cold context that \p C is inseparable from, if there is
  /// one.
  ContextId inseparableFrom(ContextId C) const {
    return InseparableFrom[C.index()];
  }

private:
  friend class SubsetBuilder;
  struct State {
    FunctionId Function;
    uint32_t FirstTransition = 0, NumTransitions = 0;
  };
  bool Complete = true;
  std::vector<State> States;
  std::vector<Transition> Transitions;
  GroupedArray<StateId, Label> Labels;
  llvm::BitVector LeadsToNotCold, LeadsToCold;
  std::vector<bool> Inseparable;
  std::vector<ContextId> InseparableFrom;
};

} // namespace thermocline::context

#endif
