//===- Report/Dot.cpp - Decisions as a picture ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// First, the contexts to draw are chosen. Then each version that one of them
// runs in becomes a node, and each call that one takes becomes an edge. Bytes
// and colours are those of the chosen contexts only. Past the limit, the nodes
// with most bytes stay.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Dot.h"
#include "thermocline/Report/DecisionList.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

namespace {

/// Part, function and version.
using NodeKey = std::tuple<size_t, uint32_t, uint32_t>;
/// Part, callsite and version of its caller.
using EdgeKey = std::tuple<size_t, uint32_t, uint32_t>;

/// Text inside quotes of a label.
std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Result += '\\';
    // Graphviz breaks lines at \n only; other control characters are nothing
    // that a name needs.
    Result += static_cast<unsigned char>(C) < ' ' ? ' ' : C;
  }
  return Result;
}

/// Cold, not cold, or both.
StringRef fill(const Passage &P) {
  if (!P.NotCold.Contexts)
    return "#a6cee3";
  return P.Cold.Contexts ? "#cab2d6" : "#fb9a99";
}
StringRef stroke(const Passage &P) {
  if (!P.NotCold.Contexts)
    return "#1f78b4";
  return P.Cold.Contexts ? "#6a3d9a" : "#e31a1c";
}

std::string bytesText(const Passage &P) {
  std::string Result;
  if (P.Cold.Contexts)
    Result = "cold " + formatBytes(P.Cold.Size);
  if (P.NotCold.Contexts)
    Result += (Result.empty() ? "" : ", ") + std::string("not cold ") +
              formatBytes(P.NotCold.Size);
  return Result;
}

class Drawing {
public:
  Drawing(const LinkView &View, ArrayRef<Subject> Subjects)
      : View(View), Subjects(Subjects) {}

  DotResult draw(const DotOptions &Options, raw_ostream &OS) {
    if (Subjects.empty())
      chooseHinted();
    for (const Subject &S : Subjects)
      choose(S);
    collect();
    limit(Options.MaxNodes);
    write(OS);
    return {Kept.size(), Nodes.size() - Kept.size()};
  }

private:
  void add(const Passage &P) {
    Chosen.insert(P.Contexts.begin(), P.Contexts.end());
  }

  void addAllocation(const PartView &Part, AllocationId A) {
    const Allocation &Is = Part.program()[A];
    for (uint32_t I = 0; I != Is.NumContexts; ++I)
      Chosen.insert(Part.number(ContextId(Is.FirstContext + I)));
  }

  void chooseHinted() {
    for (const PartView &Part : View.Parts)
      for (size_t A = 0; A != Part.program().numAllocations(); ++A)
        if (is_contained(Part.from().Decided.Hints[A], Temperature::Cold))
          addAllocation(Part, AllocationId(A));
  }

  void choose(const Subject &S) {
    const PartView &Part = View.Parts[S.Part];
    const ContextProgram &Program = Part.program();
    if (auto *F = std::get_if<FunctionId>(&S.What)) {
      for (uint32_t V = 0; V != Part.numVersions(*F); ++V)
        add(Part.through(*F, V));
      Bold.insert({S.Part, F->index()});
    } else if (auto *C = std::get_if<CallsiteId>(&S.What)) {
      for (uint32_t V = 0; V != Part.numVersions(Program[*C].Caller); ++V)
        add(Part.through(*C, V));
      Bold.insert({S.Part, Program[*C].Caller.index()});
    } else if (auto *A = std::get_if<AllocationId>(&S.What)) {
      addAllocation(Part, *A);
      Bold.insert({S.Part, Program[*A].Owner.index()});
    } else if (auto *C = std::get_if<ContextId>(&S.What)) {
      Chosen.insert(Part.number(*C));
      Bold.insert({S.Part, Program[Program[*C].Allocation].Owner.index()});
    } else if (auto *Frame = std::get_if<StackId>(&S.What)) {
      for (size_t I = 0; I != Program.numContexts(); ++I)
        if (is_contained(Program.stackIds(ContextId(I)), *Frame))
          Chosen.insert(Part.number(ContextId(I)));
    }
  }

  /// The chosen contexts of \p P.
  Passage restrict(const PartView &Part, const Passage &P) const {
    Passage Result;
    for (uint32_t Number : P.Contexts) {
      if (!Chosen.count(Number))
        continue;
      const Context &C = Part.program()[Part.context(Number)];
      (C.Profiled == Temperature::Cold ? Result.Cold : Result.NotCold) +=
          {1, C.Size};
      Result.Contexts.push_back(Number);
    }
    return Result;
  }

  void collect() {
    for (auto [I, Part] : enumerate(View.Parts)) {
      const ContextProgram &Program = Part.program();
      for (size_t F = 0; F != Program.numFunctions(); ++F)
        for (uint32_t V = 0; V != Part.numVersions(FunctionId(F)); ++V)
          if (Passage P = restrict(Part, Part.through(FunctionId(F), V));
              !P.Contexts.empty())
            Nodes[{I, F, V}] = std::move(P);
      for (size_t C = 0; C != Program.numCallsites(); ++C)
        for (uint32_t V = 0;
             V != Part.numVersions(Program[CallsiteId(C)].Caller); ++V)
          if (Passage P = restrict(Part, Part.through(CallsiteId(C), V));
              !P.Contexts.empty())
            Edges[{I, C, V}] = std::move(P);
    }
  }

  void limit(size_t MaxNodes) {
    std::vector<NodeKey> Order;
    for (const auto &[Key, P] : Nodes)
      Order.push_back(Key);
    llvm::sort(Order, [&](const NodeKey &A, const NodeKey &B) {
      auto Size = [&](const NodeKey &K) {
        const Passage &P = Nodes.at(K);
        return P.Cold.Size + P.NotCold.Size;
      };
      return std::tuple(Size(B), A) < std::tuple(Size(A), B);
    });
    if (Order.size() > MaxNodes)
      Order.resize(MaxNodes);
    Kept.insert(Order.begin(), Order.end());
  }

  static std::string nodeName(const NodeKey &Key) {
    return "f" + std::to_string(std::get<0>(Key)) + "_" +
           std::to_string(std::get<1>(Key)) + "_" +
           std::to_string(std::get<2>(Key));
  }

  void writeNode(const NodeKey &Key, raw_ostream &OS) const {
    auto [PartIndex, FIndex, V] = Key;
    const PartView &Part = View.Parts[PartIndex];
    FunctionId F(FIndex);
    const Passage &P = Nodes.at(Key);
    OS << "  " << nodeName(Key) << " [label=\"" << escaped(Part.name(F));
    if (V)
      OS << "\\nversion " << V;
    OS << "\\n" << bytesText(P);
    bool IsHinted = false, Allocates = false;
    for (AllocationId A : Part.program()[F].Allocations) {
      Allocates = true;
      IsHinted |= Part.from().Decided.Hints[A.index()][V] == Temperature::Cold;
    }
    if (IsHinted)
      OS << "\\nallocates cold";
    OS << "\", fillcolor=\"" << fill(P) << '"';
    if (Allocates)
      OS << ", shape=" << (IsHinted ? "doubleoctagon" : "octagon");
    if (Bold.count({PartIndex, FIndex}))
      OS << ", penwidth=3";
    OS << "];\n";
  }

  void writeEdge(const EdgeKey &Key, const Passage &P, raw_ostream &OS) const {
    auto [PartIndex, CIndex, V] = Key;
    const PartView &Part = View.Parts[PartIndex];
    const Callsite &C = Part.program()[CallsiteId(CIndex)];
    if (!C.Callee)
      return;
    NodeKey From{PartIndex, C.Caller.index(), V};
    NodeKey To{PartIndex, C.Callee.index(),
               Part.calledVersion(CallsiteId(CIndex), V)};
    if (!Kept.count(From) || !Kept.count(To))
      return;
    OS << "  " << nodeName(From) << " -> " << nodeName(To) << " [label=\""
       << escaped(Part.place(CallsiteId(CIndex))) << "\\n"
       << bytesText(P) << "\", color=\"" << stroke(P) << '"';
    if (C.Redirectable != Redirect::Yes)
      OS << ", style=dashed";
    OS << "];\n";
  }

  void write(raw_ostream &OS) const {
    OS << "digraph \"thermocline\" {\n"
          "  // Blue: cold contexts only; red: not-cold ones only; violet: "
          "both.\n"
          "  // Octagons allocate, double ones with a cold hint. Dashed calls "
          "cannot be redirected.\n"
          "  node [shape=box, style=filled, fontname=\"sans-serif\"];\n"
          "  edge [fontname=\"sans-serif\", fontsize=10];\n";
    if (Nodes.size() != Kept.size())
      OS << "  label=\"" << Kept.size() << " of " << Nodes.size()
         << " versions are drawn, those with most bytes\";\n";
    for (const NodeKey &Key : Kept)
      writeNode(Key, OS);
    for (const auto &[Key, P] : Edges)
      writeEdge(Key, P, OS);
    OS << "}\n";
  }

  const LinkView &View;
  ArrayRef<Subject> Subjects;
  /// Numbers of contexts.
  std::set<uint32_t> Chosen;
  /// Part and function.
  std::set<std::pair<size_t, uint32_t>> Bold;
  std::map<NodeKey, Passage> Nodes;
  std::map<EdgeKey, Passage> Edges;
  std::set<NodeKey> Kept;
};

} // namespace

DotResult report::writeDot(const LinkView &View, ArrayRef<Subject> Subjects,
                           const DotOptions &Options, raw_ostream &OS) {
  return Drawing(View, Subjects).draw(Options, OS);
}
