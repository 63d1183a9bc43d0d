//===- Split/StateClasses.h - States merged, and unmerged -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The states of an subset construction in classes, which are merged with
// everything that follows from it, and taken back where that does not agree.
//
// Cost: a merge that holds takes a state out of the count, so all of them
// together are linear in the subset construction, times a logarithm.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_STATECLASSES_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_STATECLASSES_H

#include "SlicePool.h"
#include "SubsetConstruction.h"
#include "llvm/ADT/SmallVector.h"

namespace thermocline::context {

/// The calls of each function, numbered from 0.
class CallOrdinals {
public:
  CallOrdinals(const ContextProgram &Program, const Resolution &Resolved)
      : Ordinal(Resolved.numCalls()), NumCalls(Program.numFunctions()) {
    for (size_t I = 0; I != Resolved.numCalls(); ++I)
      Ordinal[I] = NumCalls[Resolved[CallId(I)].Caller.index()]++;
  }
  uint32_t operator[](CallId C) const { return Ordinal[C.index()]; }
  uint32_t numCalls(FunctionId F) const { return NumCalls[F.index()]; }

private:
  std::vector<uint32_t> Ordinal;
  std::vector<uint32_t> NumCalls;
};

/// Classes of states, merged with everything that follows from it, and undone.
///
/// Merging steps from class to class all over memory, so what it needs of a
/// class is half a cache line, with the call and the label of most of them.
/// More are sorted slices of the subset construction or, once merged, of a
/// pool. A settled class grows one call at a time, and has a row for its calls.
class StateClasses {
public:
  StateClasses(const SubsetConstruction &Subsets, const CallOrdinals &Ordinals);

  StateId find(StateId S) const {
    for (StateId Parent; (Parent = All[S.index()].Parent) != S;)
      S = Parent;
    return S;
  }

  /// The following take a class by the state that find() gives.
  /// @{
  bool isSettled(StateId C) const { return All[C.index()].IsSettled; }
  /// \p C must be settled.
  uint32_t version(StateId C) const { return All[C.index()].Settled.Version; }
  void settle(StateId C, uint32_t Version);
  bool leadsToNotCold(StateId C) const { return All[C.index()].LeadsToNotCold; }
  FunctionId function(StateId C) const { return Subsets.function(C); }
  llvm::ArrayRef<Label> labels(StateId C) const {
    return All[C.index()].labels();
  }
  /// \p C must not be settled.
  llvm::ArrayRef<Transition> calls(StateId C) const {
    return All[C.index()].calls();
  }
  /// \returns a state of the class that \p Call leads to, or none. \p C must be
  /// settled.
  StateId called(StateId C, CallId Call) const {
    return Rows[All[C.index()].Settled.Row + Ordinals[Call]];
  }
  /// @}

  /// Merges \p A and \p B and all that they lead to by the same calls. If a
  /// cold label would meet a not-cold one, or two settled classes each other,
  /// or \p TooMuch would be learnt, nothing changes and the result is false.
  bool merge(StateId A, StateId B, size_t TooMuch = ~size_t(0));
  /// Takes the last merge back.
  void undo();

  /// The states that settled classes call since the last merge.
  llvm::ArrayRef<StateId> gained() const { return Gained; }
  /// The calls and labels that classes have only since the last merge.
  size_t numLearnt() const { return NumLearnt; }
  /// The pairs that the last merge visited.
  uint64_t visited() const { return Visited; }

private:
  /// The version that a settled class is, and where its row begins in Rows.
  struct SettledAs {
    uint32_t Version, Row;
  };
  struct alignas(32) Class {
    Class(StateId Self, llvm::ArrayRef<Transition> Calls,
          llvm::ArrayRef<Label> Labels, bool LeadsToNotCold, bool LeadsToCold)
        : Parent(Self), NumCalls(Calls.size()), NumLabels(Labels.size()),
          LeadsToNotCold(LeadsToNotCold), LeadsToCold(LeadsToCold),
          Calls(Calls), Labels(Labels) {}
    llvm::ArrayRef<Transition> calls() const {
      return Calls.elements(NumCalls);
    }
    llvm::ArrayRef<Label> labels() const { return Labels.elements(NumLabels); }

    /// The next state on the way to the one that find() gives, which is its own
    /// parent.
    StateId Parent;
    uint32_t NumCalls, NumLabels;
    /// The length of the longest way up to this state.
    uint8_t Rank = 0;
    bool LeadsToNotCold, LeadsToCold;
    bool IsSettled = false;
    union {
      Slice<Transition> Calls;
      SettledAs Settled;
    };
    Slice<Label> Labels;
  };
  /// What merging Child into Parent changed.
  struct Change {
    StateId Child, Parent;
    Class Before;
  };

  bool disagree(StateId A, StateId B);
  bool mayDisagree(const Class &A, const Class &B) const {
    return (A.LeadsToCold && B.LeadsToNotCold) ||
           (A.LeadsToNotCold && B.LeadsToCold);
  }
  bool join(StateId A, StateId B);
  bool joinLabels(Class &Root, llvm::ArrayRef<Label> Added);
  void joinCalls(Class &Root, llvm::ArrayRef<Transition> Added);

  const SubsetConstruction &Subsets;
  const CallOrdinals &Ordinals;
  std::vector<Class> All;
  std::vector<StateId> Rows;
  SlicePool<Transition> CallPool;
  SlicePool<Label> LabelPool;
  /// These belong to the last merge.
  /// @{
  std::vector<Change> Log;
  std::vector<uint32_t> RowLog;
  SlicePool<Transition>::Mark CallMark;
  SlicePool<Label>::Mark LabelMark;
  std::vector<std::pair<StateId, StateId>> Pending;
  std::vector<StateId> Gained;
  size_t NumLearnt = 0;
  uint64_t Visited = 0;
  /// @}
  llvm::SmallVector<Transition, 16> CallScratch;
  llvm::SmallVector<Label, 16> LabelScratch;
};

} // namespace thermocline::context

#endif
