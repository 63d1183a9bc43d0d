//===- Engine/Split/SubsetConstruction.cpp - All that can be told apart ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubsetConstruction.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <set>
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace thermocline::context {

/// Builds a SubsetConstruction.
class SubsetBuilder {
public:
  SubsetBuilder(const ContextProgram &Program, const Resolution &Resolved,
                size_t MaxStates, const StrictAllocations &Strict,
                bool Explicit, SubsetConstruction &Result)
      : Program(Program), Resolved(Resolved), MaxStates(MaxStates),
        Strict(Strict), Explicit(Explicit), Result(Result),
        InEveryVersion(Program.numFunctions()) {}

  void run() {
    expandAll();
    if (!Result.Complete)
      return;
    findInseparable();
    addLabels();
    if (Explicit)
      addDefaultTransitions();
    dropUnlabelled();
    findWhatIsBelow();
  }

private:
  void expandAll();
  void addOriginals(const TrieCallees &Callees);
  void expand(const TrieCallees &Callees, StateId S);
  StateId intern(FunctionId F, ArrayRef<TrieStateId> States);
  StateId add(FunctionId F, ArrayRef<TrieStateId> States);
  void findInseparable();
  void addLabels();
  void addDefaultLabels(StateId S, SmallVectorImpl<Label> &Labels) const;
  void addDefaultTransitions();
  template <typename Predicate> BitVector leadingTo(Predicate IsMarked) const;
  bool isOriginal(StateId S) const {
    return S.index() < Program.numFunctions();
  }
  void findWhatIsBelow();
  void dropUnlabelled();

  /// Calls \p Use with each trie state of \p S.
  template <typename Callback>
  void forEachTrieState(StateId S, Callback Use) const {
    for (TrieStateId P : TrieStatesOf[S])
      Use(P);
    for (TrieStateId P : InEveryVersion[Result.function(S).index()])
      Use(P);
  }
  void summarizeEveryVersion();
  void sortArrivals();
  /// Calls \p Use with each allocation that contexts reach in \p S, these
  /// contexts, and a not-cold one that binds it, if any. What binds all
  /// versions is listed in the original only.
  template <typename Callback> void forEachAllocation(StateId S, Callback Use);

  const ContextProgram &Program;
  const Resolution &Resolved;
  size_t MaxStates;
  const StrictAllocations &Strict;
  bool Explicit;
  SubsetConstruction &Result;
  /// The trie states that bind all versions of a function, by function.
  std::vector<std::vector<TrieStateId>> InEveryVersion;
  /// An allocation that contexts reach in every version of its function, the
  /// first of these that is not cold, and whether a cold one can be hinted.
  struct HereAlways {
    AllocationId Allocation;
    ContextId NotCold = {};
    bool AnyToHint = false;
  };
  /// These are indexed by function, and in order of allocation.
  std::vector<std::vector<HereAlways>> Everywhere;
  /// The first not-cold context of each allocation, or none where all are cold.
  std::vector<ContextId> FirstNotCold;
  /// The listed trie states of the states, each state's sorted.
  GroupedArray<StateId, TrieStateId> TrieStatesOf;
  /// These are used while states are added. Singles has, for each trie state,
  /// the state of it alone; Interned has the other states by their hash.
  std::vector<StateId> Singles;
  std::unordered_multimap<uint64_t, StateId> Interned;
  std::vector<StateId> Unexpanded;
  /// Whether contexts reach an allocation in a state, indexed by state.
  BitVector AnyArrive;
  std::vector<TrieCallees::Edge> Scratch;
  std::vector<ContextHere> Arrivals;
};

} // namespace thermocline::context

template <typename Row, typename Compare>
static void sortUnlessSorted(Row &Range, Compare IsLess) {
  if (!llvm::is_sorted(Range, IsLess))
    llvm::sort(Range, IsLess);
}

StrictAllocations::StrictAllocations(const ContextProgram &Program, bool All)
    : Strict(Program.numAllocations()) {
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    Strict[I] = All || A.OmitsNotCold;
    if (A.NumContexts == 0)
      continue;
    this->Any |= Strict[I];
    this->All &= Strict[I];
  }
}

SubsetConstruction::SubsetConstruction(const ContextProgram &Program,
                                       const Resolution &Resolved,
                                       size_t MaxStates,
                                       const StrictAllocations &Strict,
                                       bool Explicit) {
  SubsetBuilder(Program, Resolved, MaxStates, Strict, Explicit, *this).run();
}

void SubsetBuilder::expandAll() {
  TrieCallees Callees(Resolved);
  Singles.resize(Resolved.numTrieStates());
  addOriginals(Callees);
  // Depth first, so that a chain of calls is a stretch of memory.
  while (!Unexpanded.empty()) {
    if (Result.States.size() > MaxStates ||
        TrieStatesOf.numItems() > 4 * MaxStates) {
      Result.Complete = false;
      return;
    }
    StateId S = Unexpanded.back();
    Unexpanded.pop_back();
    expand(Callees, S);
  }
  Singles = {};
  Interned.clear();
}

void SubsetBuilder::addOriginals(const TrieCallees &Callees) {
  std::vector<std::vector<TrieStateId>> Originals(Program.numFunctions());
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I) {
    const TrieState &P = Resolved[TrieStateId(I)];
    // What leads nowhere would be looked at with every state of the function.
    if (Callees[TrieStateId(I)].empty() &&
        Resolved.contextsAt(TrieStateId(I)).empty())
      continue;
    if (P.BindsAllVersions)
      InEveryVersion[P.Function.index()].push_back(TrieStateId(I));
    else if (P.BindsOriginal)
      Originals[P.Function.index()].push_back(TrieStateId(I));
  }
  // Whole contexts need no more, and what is not used is never touched.
  const size_t NumStates = Program.numFunctions() + Resolved.numTrieStates();
  Result.States.reserve(NumStates);
  Result.Transitions.reserve(Callees.numEdges());
  TrieStatesOf.reserve(NumStates, NumStates);
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    add(FunctionId(I), Originals[I]);

  FirstNotCold.resize(Program.numAllocations());
  for (size_t I = Program.numContexts(); I-- != 0;)
    if (Program[ContextId(I)].Profiled == Temperature::NotCold)
      FirstNotCold[Program[ContextId(I)].Allocation.index()] = ContextId(I);
}

StateId SubsetBuilder::intern(FunctionId F, ArrayRef<TrieStateId> Wanted) {
  // A trie state has one function, so alone it says which state.
  if (Wanted.size() == 1) {
    StateId &S = Singles[Wanted.front().index()];
    if (!S)
      S = add(F, Wanted);
    return S;
  }
  SequenceHash Hash(F.index());
  for (TrieStateId P : Wanted)
    Hash.add(P.index());
  auto [Begin, End] = Interned.equal_range(Hash.value());
  for (auto It = Begin; It != End; ++It)
    if (Result.function(It->second) == F &&
        std::as_const(TrieStatesOf)[It->second] == Wanted)
      return It->second;
  StateId S = add(F, Wanted);
  Interned.emplace(Hash.value(), S);
  return S;
}

StateId SubsetBuilder::add(FunctionId F, ArrayRef<TrieStateId> Wanted) {
  Result.States.push_back({});
  Result.States.back().Function = F;
  TrieStatesOf.append(Wanted);
  TrieStatesOf.endGroup();
  StateId S(Result.States.size() - 1);
  Unexpanded.push_back(S);
  return S;
}

void SubsetBuilder::expand(const TrieCallees &Callees, StateId S) {
  Scratch.clear();
  forEachTrieState(S, [&](TrieStateId P) {
    ArrayRef<TrieCallees::Edge> Edges = Callees[P];
    Scratch.insert(Scratch.end(), Edges.begin(), Edges.end());
  });
  // Nearly every state is of one trie state, whose calls are in order.
  sortUnlessSorted(Scratch, [](const auto &A, const auto &B) {
    return std::pair(A.Via, A.To) < std::pair(B.Via, B.To);
  });
  uint32_t First = Result.Transitions.size();
  SmallVector<TrieStateId, 8> Targets;
  for (size_t I = 0; I != Scratch.size();) {
    CallId Via = Scratch[I].Via;
    Targets.clear();
    for (; I != Scratch.size() && Scratch[I].Via == Via; ++I)
      if (Targets.empty() || Targets.back() != Scratch[I].To)
        Targets.push_back(Scratch[I].To);
    Result.Transitions.push_back({Via, intern(Resolved[Via].Callee, Targets)});
  }
  Result.States[S.index()].FirstTransition = First;
  Result.States[S.index()].NumTransitions = Result.Transitions.size() - First;
}

/// Trie states that are in every state of a function are looked at once, in its
/// original: they may be thousands, in thousands of states.
void SubsetBuilder::summarizeEveryVersion() {
  Everywhere.resize(Program.numFunctions());
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    Arrivals.clear();
    for (TrieStateId P : InEveryVersion[I])
      append_range(Arrivals, Resolved.contextsAt(P));
    sortArrivals();
    for (ContextHere C : Arrivals) {
      auto &Mine = Everywhere[I];
      if (Mine.empty() || Mine.back().Allocation != C.allocation())
        Mine.push_back({C.allocation()});
      if (!Mine.back().NotCold && !C.isCold())
        Mine.back().NotCold = C.id();
    }
  }
}

/// Sorts by context, and so by allocation.
void SubsetBuilder::sortArrivals() {
  sortUnlessSorted(
      Arrivals, [](ContextHere A, ContextHere B) { return A.id() < B.id(); });
}

template <typename Callback>
void SubsetBuilder::forEachAllocation(StateId S, Callback Use) {
  Arrivals.clear();
  auto Add = [&](TrieStateId P) {
    append_range(Arrivals, Resolved.contextsAt(P));
  };
  if (isOriginal(S))
    forEachTrieState(S, Add);
  else
    for_each(std::as_const(TrieStatesOf)[S], Add);
  sortArrivals();
  ArrayRef<HereAlways> Others;
  if (!isOriginal(S))
    Others = Everywhere[Result.function(S).index()];
  for (size_t I = 0; I != Arrivals.size();) {
    size_t Begin = I;
    AllocationId A = Arrivals[I].allocation();
    ContextId NotCold;
    for (; I != Arrivals.size() && Arrivals[I].allocation() == A; ++I)
      if (!NotCold && !Arrivals[I].isCold())
        NotCold = Arrivals[I].id();
    Others = Others.drop_while(
        [&](const HereAlways &O) { return O.Allocation < A; });
    if (!Others.empty() && Others.front().Allocation == A &&
        Others.front().NotCold &&
        (!NotCold || Others.front().NotCold < NotCold))
      NotCold = Others.front().NotCold;
    // The original of an allocation is cold only if all its contexts are.
    if (!NotCold && isOriginal(S))
      NotCold = FirstNotCold[A.index()];
    Use(A, ArrayRef(Arrivals).slice(Begin, I - Begin), NotCold);
  }
}

void SubsetBuilder::findInseparable() {
  Result.Inseparable.assign(Program.numContexts(), false);
  Result.InseparableFrom.resize(Program.numContexts());
  // Below a call that is not known, an unprofiled one is as good as this. So is
  // a context of another depth, where the depth was lost.
  std::set<StackId> MayRepeat;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (Program.mayRepeat(CallsiteId(I)))
      MayRepeat.insert(Program.stackIds(CallsiteId(I)).front());
  for (size_t I = 0; Strict.any() && I != Program.numContexts(); ++I) {
    ContextId C(I);
    Result.Inseparable[I] =
        Program[C].Profiled == Temperature::Cold &&
        Strict[Program[C].Allocation] &&
        (Resolved[Resolved.leaf(C)].Obstacle ||
         (!MayRepeat.empty() && any_of(Program.stackIds(C), [&](StackId S) {
           return MayRepeat.contains(S);
         })));
  }
  summarizeEveryVersion();
  AnyArrive.resize(Result.States.size());
  for (size_t I = 0; I != Result.States.size(); ++I) {
    if (!Everywhere[Result.function(StateId(I)).index()].empty())
      AnyArrive.set(I);
    forEachAllocation(StateId(I),
                      [&](AllocationId, auto Contexts, ContextId NotCold) {
                        AnyArrive.set(I);
                        if (!NotCold)
                          return;
                        for (ContextHere C : Contexts) {
                          if (!C.isCold())
                            continue;
                          Result.Inseparable[C.id().index()] = true;
                          if (!Result.InseparableFrom[C.id().index()])
                            Result.InseparableFrom[C.id().index()] = NotCold;
                        }
                      });
  }
}

void SubsetBuilder::addLabels() {
  auto IsToHint = [&](ContextHere C) {
    return C.isCold() && !Result.isInseparable(C.id());
  };
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    for (TrieStateId P : InEveryVersion[I])
      for (ContextHere C : Resolved.contextsAt(P))
        if (IsToHint(C))
          find_if(Everywhere[I], [&](const HereAlways &H) {
            return H.Allocation == C.allocation();
          })->AnyToHint = true;
  SmallVector<Label, 4> Mine;
  auto Add = [&](AllocationId A, bool IsNotCold, bool AnyToHint) {
    if (IsNotCold || AnyToHint)
      Mine.push_back({A, IsNotCold ? Temperature::NotCold : Temperature::Cold});
  };
  for (size_t I = 0; I != Result.States.size(); ++I) {
    Mine.clear();
    StateId S(I);
    if (AnyArrive.test(I)) {
      // What is always here comes between, but in originals, which have it.
      ArrayRef<HereAlways> Others;
      if (!isOriginal(S))
        Others = Everywhere[Result.function(S).index()];
      auto AddOthersUpTo = [&](AllocationId A) {
        for (; !Others.empty() && Others.front().Allocation < A;
             Others = Others.drop_front())
          Add(Others.front().Allocation, bool(Others.front().NotCold),
              Others.front().AnyToHint);
      };
      forEachAllocation(
          S, [&](AllocationId A, auto Contexts, ContextId NotCold) {
            AddOthersUpTo(A);
            bool AnyToHint = any_of(Contexts, IsToHint);
            if (!Others.empty() && Others.front().Allocation == A) {
              AnyToHint |= Others.front().AnyToHint;
              Others = Others.drop_front();
            }
            Add(A, bool(NotCold), AnyToHint);
          });
      AddOthersUpTo(AllocationId());
    }
    if (isOriginal(S) || Explicit)
      addDefaultLabels(S, Mine);
    Result.Labels.append(Mine);
    Result.Labels.endGroup();
  }
}

/// Also where no context comes to it, an original is to stay apart from cold
/// ones, if the allocation has a not-cold context. What a strict allocation
/// does not list is not cold in any state.
void SubsetBuilder::addDefaultLabels(StateId S,
                                     SmallVectorImpl<Label> &Labels) const {
  size_t Listed = Labels.size();
  for (AllocationId A : Program[Result.function(S)].Allocations)
    if ((Strict[A] || (isOriginal(S) && FirstNotCold[A.index()])) &&
        none_of(ArrayRef(Labels).take_front(Listed),
                [&](const Label &L) { return L.Allocation == A; }))
      Labels.push_back({A, Temperature::NotCold});
  llvm::sort(Labels, [](const Label &A, const Label &B) {
    return A.Allocation < B.Allocation;
  });
}

/// Marks the states that \p IsMarked, and those that lead to them.
template <typename Predicate>
BitVector SubsetBuilder::leadingTo(Predicate IsMarked) const {
  const GroupedArray<StateId, StateId> Callers(
      Result.States.size(), [&](auto Add) {
        for (size_t I = 0; I != Result.States.size(); ++I)
          for (const Transition &T : Result.transitions(StateId(I)))
            Add(T.To, StateId(I));
      });

  BitVector Marked(Result.States.size());
  std::vector<StateId> Worklist;
  auto Mark = [&](StateId S) {
    if (Marked.test(S.index()))
      return;
    Marked.set(S.index());
    Worklist.push_back(S);
  };
  for (size_t I = 0; I != Result.States.size(); ++I)
    if (IsMarked(StateId(I)))
      Mark(StateId(I));
  while (!Worklist.empty()) {
    StateId S = Worklist.back();
    Worklist.pop_back();
    for (StateId Caller : Callers[S])
      Mark(Caller);
  }
  return Marked;
}

void SubsetBuilder::findWhatIsBelow() {
  auto LeadingTo = [&](Temperature Wanted) {
    return leadingTo([&](StateId S) {
      return any_of(Result.labels(S),
                    [&](const Label &L) { return L.Wanted == Wanted; });
    });
  };
  Result.LeadsToNotCold = LeadingTo(Temperature::NotCold);
  Result.LeadsToCold = LeadingTo(Temperature::Cold);
}

/// A call by which some state comes to a cold hint of a strict allocation
/// leads to the original in all others.
void SubsetBuilder::addDefaultTransitions() {
  BitVector StrictCold = leadingTo([&](StateId S) {
    return any_of(Result.labels(S), [&](const Label &L) {
      return L.Wanted == Temperature::Cold && Strict[L.Allocation];
    });
  });
  std::vector<std::vector<CallId>> Calls(Program.numFunctions());
  BitVector Listed(Resolved.numCalls());
  for (size_t I = 0; I != Result.States.size(); ++I)
    for (const Transition &T : Result.transitions(StateId(I)))
      if (StrictCold.test(T.To.index()) && !Listed.test(T.Via.index())) {
        Listed.set(T.Via.index());
        Calls[Result.function(StateId(I)).index()].push_back(T.Via);
      }
  for (auto &OfFunction : Calls)
    llvm::sort(OfFunction);

  std::vector<Transition> All;
  for (size_t I = 0; I != Result.States.size(); ++I) {
    SubsetConstruction::State &S = Result.States[I];
    uint32_t First = All.size();
    ArrayRef<Transition> Mine = Result.transitions(StateId(I));
    for (CallId Via : Calls[S.Function.index()]) {
      for (; !Mine.empty() && Mine.front().Via < Via; Mine = Mine.drop_front())
        All.push_back(Mine.front());
      if (Mine.empty() || Mine.front().Via != Via)
        All.push_back({Via, Result.original(Resolved[Via].Callee)});
    }
    llvm::append_range(All, Mine);
    S.FirstTransition = First;
    S.NumTransitions = All.size() - First;
  }
  Result.Transitions = std::move(All);
}

void SubsetBuilder::dropUnlabelled() {
  BitVector Labelled =
      leadingTo([&](StateId S) { return !Result.labels(S).empty(); });
  for (SubsetConstruction::State &S : Result.States) {
    Transition *Begin = Result.Transitions.data() + S.FirstTransition;
    Transition *End = std::remove_if(
        Begin, Begin + S.NumTransitions,
        [&](const Transition &T) { return !Labelled.test(T.To.index()); });
    S.NumTransitions = End - Begin;
  }
}
