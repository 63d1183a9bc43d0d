//===- Report/Page/Reduce.cpp - Sums of what is too small to list ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

namespace {

/// So many contexts and frames of them are listed. A browser reads and draws
/// the page in a second or two.
constexpr size_t MaxContexts = 40000, MaxFrames = 800000, MaxTypes = 1000;
/// Where others are summed up: no box of the picture is less than this part.
constexpr double LeastShare = 0.0001;
constexpr size_t MaxNodes = 50000;

/// Values of all contexts, and of those that are cold and not hinted: what is
/// lost is of interest however little it is of the whole.
using Weights = std::array<float, 2 * NumPageValues>;

void addTo(Weights &To, const PageContext &C, bool Missed) {
  for (size_t I = 0; I != NumPageValues; ++I) {
    const auto Value = static_cast<float>(C.Values[I]);
    To[I] += Value;
    if (Missed)
      To[NumPageValues + I] += Value;
  }
}

/// The greatest share of \p Part in anything.
double shareOf(const Weights &Part, const Weights &Total) {
  double Result = 0;
  for (size_t I = 0; I != Part.size(); ++I)
    if (Total[I] > 0)
      Result = std::max<double>(Result, Part[I] / Total[I]);
  return Result;
}

using Path = SmallVector<int32_t, 32>;

/// A tree of all stacks, of which what is too small is taken away.
class Tree {
public:
  /// \returns the node of the last frame.
  int32_t insert(ArrayRef<int32_t> Stack) {
    int32_t N = -1;
    for (int32_t Frame : Stack) {
      auto [Child, New] =
          Children.try_emplace(uint64_t(uint32_t(N)) << 32 | uint32_t(Frame),
                               static_cast<int32_t>(Nodes.size()));
      if (New)
        Nodes.push_back({N, Frame});
      N = Child->second;
    }
    return N;
  }
  void weigh(int32_t N, const PageContext &C, bool Missed) {
    NodeWeights.resize(Nodes.size());
    for (; N != -1; N = Nodes[N].Parent)
      addTo(NodeWeights[N], C, Missed);
  }
  /// Keeps what has its share.
  void prune(const Weights &Total) {
    std::vector<std::pair<double, int32_t>> Order;
    for (size_t I = 0; I != Nodes.size(); ++I)
      if (double Share = shareOf(NodeWeights[I], Total); Share >= LeastShare)
        Order.emplace_back(-Share, static_cast<int32_t>(I));
    // A parent has no smaller share than its children, and comes before them.
    llvm::sort(Order);
    if (Order.size() > MaxNodes)
      Order.resize(MaxNodes);
    Keeps.assign(Nodes.size(), false);
    for (const auto &[Share, Node] : Order)
      Keeps[Node] = true;
  }
  int32_t deepestKept(int32_t N) const {
    while (N != -1 && !Keeps[N])
      N = Nodes[N].Parent;
    return N;
  }

  /// The tree of the nodes that were asked for, and those above them.
  class Output {
  public:
    explicit Output(const Tree &Source)
        : Source(Source), Numbers(Source.Nodes.size(), -1) {}
    int32_t number(int32_t N) {
      if (N == -1 || Numbers[N] != -1)
        return N == -1 ? -1 : Numbers[N];
      SmallVector<int32_t, 64> Missing;
      for (; N != -1 && Numbers[N] == -1; N = Source.Nodes[N].Parent)
        Missing.push_back(N);
      int32_t Parent = N == -1 ? -1 : Numbers[N];
      for (int32_t Node : reverse(Missing)) {
        Numbers[Node] = static_cast<int32_t>(Result.Nodes.size());
        Result.Nodes.push_back({Parent, Source.Nodes[Node].Frame});
        Parent = Numbers[Node];
      }
      return Parent;
    }
    StackTree take() { return std::move(Result); }

  private:
    const Tree &Source;
    std::vector<int32_t> Numbers;
    StackTree Result;
  };

private:
  std::vector<StackTree::Node> Nodes;
  std::unordered_map<uint64_t, int32_t> Children;
  std::vector<Weights> NodeWeights;
  std::vector<bool> Keeps;
};

class Reducer {
public:
  explicit Reducer(const PageModel &Page) : Page(Page) {
    for (const PageContext &C : Page.Contexts)
      addTo(Total, C, isMissed(C));
    // The least number of a frame stands for its function.
    StringMap<int32_t> First;
    for (const PageFrame &F : Page.Frames)
      FunctionOf.push_back(
          First.try_emplace(F.Function, static_cast<int32_t>(FunctionOf.size()))
              .first->second);
  }

  ReducedContexts run();

private:
  bool isMissed(const PageContext &C) const {
    return Page.Outcomes[C.Outcome].Class == PageClass::Missed;
  }
  Path fromRoot(const PageContext &C) const {
    Path Result;
    for (uint32_t F : reverse(C.Frames))
      Result.push_back(static_cast<int32_t>(F));
    return Result;
  }
  /// Begins with the function, so that the sums of functions are complete.
  Path fromLeaf(const PageContext &C) const {
    Path Result;
    if (!C.Frames.empty())
      Result.push_back(-1 - FunctionOf[C.Frames.front()]);
    for (uint32_t F : C.Frames)
      Result.push_back(static_cast<int32_t>(F));
    return Result;
  }
  void choose();
  void chooseTypes();
  std::vector<SummedContexts> sum(const Tree &Stacks, ArrayRef<int32_t> Ends,
                                  Tree::Output &Reduced, bool ByType) const;

  const PageModel &Page;
  Weights Total = {};
  std::vector<int32_t> FunctionOf;
  std::vector<bool> IsListed;
  /// By type: its number, or SmallTypes.
  std::vector<uint32_t> TypeOf;
};

} // namespace

void Reducer::choose() {
  std::vector<std::pair<double, size_t>> Order;
  for (auto [I, C] : enumerate(Page.Contexts)) {
    Weights Own = {};
    addTo(Own, C, isMissed(C));
    // What stands for several is a sum already.
    if (C.Contexts == 1 && !C.Frames.empty())
      Order.emplace_back(-shareOf(Own, Total), I);
  }
  llvm::sort(Order);
  IsListed.assign(Page.Contexts.size(), false);
  size_t Frames = 0;
  for (const auto &[Share, I] :
       ArrayRef(Order).take_front(std::min(MaxContexts, Order.size()))) {
    Frames += Page.Contexts[I].Frames.size();
    if (Frames > MaxFrames)
      return;
    IsListed[I] = true;
  }
}

void Reducer::chooseTypes() {
  TypeOf.assign(std::max<size_t>(Page.Types.size(), 1), SmallTypes);
  std::vector<Weights> TypeWeights(TypeOf.size());
  for (const PageContext &C : Page.Contexts)
    addTo(TypeWeights[C.Type], C, isMissed(C));
  std::vector<std::pair<double, uint32_t>> Order;
  for (auto [I, W] : enumerate(TypeWeights))
    if (double Share = shareOf(W, Total); Share >= LeastShare)
      Order.emplace_back(-Share, static_cast<uint32_t>(I));
  llvm::sort(Order);
  for (const auto &[Share, Type] :
       ArrayRef(Order).take_front(std::min(MaxTypes, Order.size())))
    TypeOf[Type] = Type;
}

std::vector<SummedContexts> Reducer::sum(const Tree &Stacks,
                                         ArrayRef<int32_t> Ends,
                                         Tree::Output &Reduced,
                                         bool ByType) const {
  std::map<std::tuple<int32_t, uint32_t, uint32_t>, SummedContexts> Sums;
  for (auto [I, C] : enumerate(Page.Contexts)) {
    if (IsListed[I])
      continue;
    const int32_t Node = Reduced.number(Stacks.deepestKept(Ends[I]));
    const uint32_t Type = ByType ? TypeOf[C.Type] : SmallTypes;
    SummedContexts &Sum = Sums[{Node, C.Outcome, Type}];
    Sum.Node = Node;
    Sum.Type = Type;
    Sum.Outcome = C.Outcome;
    Sum.Contexts += C.Contexts;
    for (size_t V = 0; V != NumPageValues; ++V)
      Sum.Values[V] = SaturatingAdd(Sum.Values[V], C.Values[V]);
  }
  std::vector<SummedContexts> Result;
  for (const auto &[Key, Sum] : Sums)
    Result.push_back(Sum);
  return Result;
}

ReducedContexts Reducer::run() {
  choose();
  chooseTypes();
  ReducedContexts Result;
  {
    Tree FromRoot;
    std::vector<int32_t> Ends;
    for (const PageContext &C : Page.Contexts) {
      Ends.push_back(FromRoot.insert(fromRoot(C)));
      FromRoot.weigh(Ends.back(), C, isMissed(C));
    }
    FromRoot.prune(Total);
    Tree::Output Reduced(FromRoot);
    for (size_t I = 0; I != Page.Contexts.size(); ++I)
      if (IsListed[I])
        Result.Listed.emplace_back(I, Reduced.number(Ends[I]));
    Result.RootSums = sum(FromRoot, Ends, Reduced, /*ByType=*/false);
    Result.FromRoot = Reduced.take();
  }
  Tree FromLeaf;
  std::vector<int32_t> Ends;
  for (const PageContext &C : Page.Contexts) {
    Ends.push_back(FromLeaf.insert(fromLeaf(C)));
    FromLeaf.weigh(Ends.back(), C, isMissed(C));
  }
  FromLeaf.prune(Total);
  Tree::Output Reduced(FromLeaf);
  Result.LeafSums = sum(FromLeaf, Ends, Reduced, /*ByType=*/true);
  Result.FromLeaf = Reduced.take();
  return Result;
}

ReducedContexts report::reduce(const PageModel &Page) {
  return Reducer(Page).run();
}
