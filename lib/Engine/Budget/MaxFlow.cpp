//===- Engine/Budget/MaxFlow.cpp - Maximum flow and minimum cut -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaxFlow.h"
#include <algorithm>

using namespace thermocline::context;

void MaxFlow::addEdge(Node From, Node To, Amount Capacity) {
  Edges.push_back({Capacity, To, FirstEdge[From]});
  FirstEdge[From] = Edges.size() - 1;
  Edges.push_back({0, From, FirstEdge[To]});
  FirstEdge[To] = Edges.size() - 1;
}

bool MaxFlow::findLevels(Node Source, Node Sink) {
  Level.assign(FirstEdge.size(), None);
  Level[Source] = 0;
  std::vector<Node> Queue = {Source};
  for (size_t I = 0; I != Queue.size(); ++I)
    for (uint32_t E = FirstEdge[Queue[I]]; E != None; E = Edges[E].Next) {
      Node To = Edges[E].To;
      if (Edges[E].Left == 0 || Level[To] != None)
        continue;
      Level[To] = Level[Queue[I]] + 1;
      Queue.push_back(To);
    }
  return Level[Sink] != None;
}

MaxFlow::Amount MaxFlow::block(Node Source, Node Sink) {
  Amount Sum = 0;
  // The edges that are still worth a look, and the path that is being built.
  std::vector<uint32_t> Current = FirstEdge;
  std::vector<uint32_t> Path;
  for (Node At = Source;;) {
    if (At == Sink) {
      Amount Most = Unlimited;
      for (uint32_t E : Path)
        Most = std::min(Most, Edges[E].Left);
      Sum += Most;
      size_t Full = Path.size();
      for (size_t I = Path.size(); I-- != 0;) {
        Edges[Path[I]].Left -= Most;
        Edges[Path[I] ^ 1].Left += Most;
        if (Edges[Path[I]].Left == 0)
          Full = I;
      }
      // Go on before the first edge that is full.
      At = Edges[Path[Full] ^ 1].To;
      Path.resize(Full);
      continue;
    }
    uint32_t &E = Current[At];
    while (E != None &&
           (Edges[E].Left == 0 || Level[Edges[E].To] != Level[At] + 1))
      E = Edges[E].Next;
    if (E != None) {
      Path.push_back(E);
      At = Edges[E].To;
      continue;
    }
    if (Path.empty())
      return Sum;
    // A dead end: no other path need come here.
    Level[At] = None;
    At = Edges[Path.back() ^ 1].To;
    Path.pop_back();
  }
}

MaxFlow::Amount MaxFlow::run(Node Source, Node Sink) {
  Amount Sum = 0;
  while (findLevels(Source, Sink))
    Sum += block(Source, Sink);
  return Sum;
}
