//===- lto/program/TailCalls.cpp - Calls that leave no frame --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TailCalls.h"
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

/// The longest chain, as in LLVM.
constexpr unsigned MaxLength = 5;
constexpr unsigned Unreached = MaxLength + 1;

std::vector<TailCall> allTailCalls(const ModuleSummaryIndex &Index,
                                   IsPrevailing Prevailing) {
  std::vector<TailCall> Result;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList()) {
      auto *Caller = dyn_cast<FunctionSummary>(S.get());
      if (!Caller || !counts(Index, GUID, *Caller, Prevailing))
        continue;
      for (const FunctionSummary::EdgeTy &Edge : Caller->calls()) {
        if (!Edge.second.hasTailCall())
          continue;
        FunctionSummary *Callee =
            resolveCallee(Edge.first, Caller->modulePath(), Prevailing);
        if (!Callee)
          continue;
        Result.push_back(
            {Index.getValueInfo(GUID), Caller, Edge.first, Callee});
      }
    }
  return Result;
}

/// How many of \p Calls lead from one of \p Start to a function, at least; or,
/// backwards, from a function to one of \p Start.
DenseMap<const FunctionSummary *, unsigned>
distances(ArrayRef<TailCall> Calls, const SummarySet &Start, bool Backwards) {
  DenseMap<const FunctionSummary *, SmallVector<const FunctionSummary *, 2>>
      Next;
  for (const TailCall &C : Calls)
    if (Backwards)
      Next[C.Callee].push_back(C.Caller);
    else
      Next[C.Caller].push_back(C.Callee);
  DenseMap<const FunctionSummary *, unsigned> Result;
  std::vector<const FunctionSummary *> Worklist(Start.begin(), Start.end());
  for (const FunctionSummary *F : Worklist)
    Result[F] = 0;
  for (size_t I = 0; I != Worklist.size(); ++I) {
    unsigned Distance = Result[Worklist[I]] + 1;
    if (Distance == Unreached)
      break;
    for (const FunctionSummary *F : Next.lookup(Worklist[I]))
      if (Result.try_emplace(F, Distance).second)
        Worklist.push_back(F);
  }
  return Result;
}

/// Removes what is on no chain of at most MaxLength calls from \p From to \p
/// To.
void keepChains(std::vector<TailCall> &Calls, const SummarySet &From,
                const SummarySet &To) {
  auto Before = distances(Calls, From, /*Backwards=*/false);
  auto After = distances(Calls, To, /*Backwards=*/true);
  auto DistanceOf = [](const auto &Distances, const FunctionSummary *F) {
    auto Found = Distances.find(F);
    return Found == Distances.end() ? Unreached : Found->second;
  };
  llvm::erase_if(Calls, [&](const TailCall &C) {
    return DistanceOf(Before, C.Caller) + 1 + DistanceOf(After, C.Callee) >
           MaxLength;
  });
}

/// Removes what is on a cycle: Tarjan's strongly connected components, without
/// recursion.
class CycleRemover {
public:
  explicit CycleRemover(std::vector<TailCall> &Calls) : Calls(Calls) {
    for (auto [I, C] : enumerate(Calls))
      Out[C.Caller].push_back(I);
  }

  void run() {
    for (const TailCall &C : Calls)
      if (!Number.count(C.Caller))
        visitFrom(C.Caller);
    llvm::erase_if(Calls, [&](const TailCall &C) {
      return Component.lookup(C.Caller) == Component.lookup(C.Callee);
    });
  }

private:
  using Node = const FunctionSummary *;
  void enter(Node F) {
    Low[F] = Number[F] = Number.size();
    Open.push_back(F);
    Path.push_back({F, 0});
  }
  void visitFrom(Node Start) {
    enter(Start);
    while (!Path.empty()) {
      Node F = Path.back().first;
      ArrayRef<size_t> Edges;
      if (auto Found = Out.find(F); Found != Out.end())
        Edges = Found->second;
      if (Path.back().second != Edges.size()) {
        Node To = Calls[Edges[Path.back().second++]].Callee;
        if (!Number.count(To))
          enter(To);
        else if (!Component.count(To))
          Low[F] = std::min(Low[F], Number[To]);
        continue;
      }
      Path.pop_back();
      if (!Path.empty())
        Low[Path.back().first] = std::min(Low[Path.back().first], Low[F]);
      if (Low[F] != Number[F])
        continue;
      Node Member;
      do {
        Member = Open.pop_back_val();
        Component[Member] = Number[F];
      } while (Member != F);
    }
  }

  std::vector<TailCall> &Calls;
  DenseMap<Node, SmallVector<size_t, 2>> Out;
  DenseMap<Node, unsigned> Number, Low, Component;
  SmallVector<Node> Open;
  /// Functions on the way, with the next of their calls.
  SmallVector<std::pair<Node, size_t>> Path;
};

} // namespace

std::vector<TailCall>
thermocline::lto::findTailCalls(const ModuleSummaryIndex &Index,
                                IsPrevailing Prevailing, const SummarySet &From,
                                const SummarySet &To) {
  if (From.empty() || To.empty())
    return {};
  std::vector<TailCall> Result = allTailCalls(Index, Prevailing);
  keepChains(Result, From, To);
  CycleRemover(Result).run();
  // Without its cycles a chain may lead nowhere.
  keepChains(Result, From, To);
  return Result;
}

void thermocline::lto::markEnteredAgain(
    ContextProgram &Program, function_ref<bool(FunctionId)> Leaves,
    function_ref<bool(CallsiteId)> IsShared) {
  // The frames of functions that are left so, to find what these were inlined
  // into. They are the last of their calls.
  std::set<StackId> Frames;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (ArrayRef<StackId> Ids = Program.stackIds(CallsiteId(I));
        !Ids.empty() && Leaves(Program[CallsiteId(I)].Caller))
      Frames.insert(Ids.back());
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const CallsiteId Id(I);
    const Callsite &C = Program[Id];
    if (!C.Callee || C.Redirectable != Redirect::Yes)
      continue;
    ArrayRef<StackId> Ids = Program.stackIds(Id);
    const bool IsTailCall = Ids.empty() || C.MayLeaveNoFrame;
    if ((C.IsThroughPointer && IsShared(Id)) || Leaves(C.Callee) ||
        (IsTailCall && Leaves(C.Caller)) ||
        (!Ids.empty() && any_of(Ids.drop_back(), [&](StackId Inlined) {
          return Frames.count(Inlined);
        })))
      Program.setMayEnterAgain(Id);
  }
}
