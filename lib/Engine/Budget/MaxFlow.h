//===- Engine/Budget/MaxFlow.h - Maximum flow and minimum cut ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dinic's algorithm (1970): breadth-first levels, then a flow that blocks all
// shortest paths, until the sink is out of reach. Nothing recurses.
//
// Cost: edges times nodes squared at worst; on the shallow graphs of Frontier.h
// a few phases, each about linear.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_MAXFLOW_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_MAXFLOW_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thermocline::context {

class MaxFlow {
public:
  using Node = uint32_t;
  /// Products of two 64-bit quantities, so that prices are exact fractions.
  using Amount = unsigned __int128;
  static constexpr Amount Unlimited = ~Amount(0) >> 1;

  explicit MaxFlow(size_t NumNodes) : FirstEdge(NumNodes, None) {}

  void addEdge(Node From, Node To, Amount Capacity);
  /// Called once, after all edges were added.
  Amount run(Node Source, Node Sink);
  /// After run(): whether \p N is on the source's side of the minimum cut that
  /// has the fewest nodes there.
  bool isOnSourceSide(Node N) const { return Level[N] != None; }

private:
  static constexpr uint32_t None = ~0u;
  /// An edge and its reverse are neighbours: 2 i and 2 i + 1.
  struct Edge {
    Amount Left;
    Node To;
    uint32_t Next;
  };

  bool findLevels(Node Source, Node Sink);
  Amount block(Node Source, Node Sink);

  std::vector<Edge> Edges;
  std::vector<uint32_t> FirstEdge;
  std::vector<uint32_t> Level;
};

} // namespace thermocline::context

#endif
