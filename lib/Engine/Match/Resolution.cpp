//===- Engine/Match/Resolution.cpp - Contexts matched to callsites --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolution.h"
#include <algorithm>
#include <numeric>

using namespace llvm;
using namespace thermocline::context;

void Resolution::groupContexts(const ContextProgram &Program) {
  std::vector<uint32_t> &First = FirstContextAt;
  First.assign(Places.size() + 1, 0);
  for (size_t I = 0; I != Leaves.size(); ++I)
    if (counts(ContextId(I)))
      ++First[Leaves[I].index()];
  std::partial_sum(First.begin(), First.end(), First.begin());
  ContextsByPlace.resize(First.back());
  // Counted down from the end of its own, each stops where they begin; in
  // order.
  for (size_t I = Leaves.size(); I-- != 0;)
    if (counts(ContextId(I)))
      ContextsByPlace[--First[Leaves[I].index()]] = {ContextId(I),
                                                     Program[ContextId(I)]};
}

void Resolution::leaveOut(const ContextProgram &Program,
                          const BitVector &Contexts) {
  LeftOut = Contexts;
  groupContexts(Program);
  Needed.clear();
  Needed.resize(Places.size());
  for (size_t I = Places.size(); I-- != 0;) {
    if (!contextsAt(PlaceId(I)).empty())
      Needed.set(I);
    if (Needed.test(I))
      for (PlaceEdge E : callersOf(PlaceId(I)))
        Needed.set(E.From.index());
  }
}

CalleePlaces::CalleePlaces(const Resolution &Resolved) {
  FirstEdge.assign(Resolved.numPlaces() + 1, 0);
  for (size_t I = 0; I != Resolved.numPlaces(); ++I)
    if (Resolved.isNeeded(PlaceId(I)))
      for (PlaceEdge E : Resolved.callersOf(PlaceId(I)))
        ++FirstEdge[E.From.index()];
  std::partial_sum(FirstEdge.begin(), FirstEdge.end(), FirstEdge.begin());
  Edges.resize(FirstEdge.back());
  // Counted down from the end of its own, each stops where they begin.
  for (size_t I = 0; I != Resolved.numPlaces(); ++I)
    if (Resolved.isNeeded(PlaceId(I)))
      for (PlaceEdge E : Resolved.callersOf(PlaceId(I)))
        Edges[--FirstEdge[E.From.index()]] = {E.Via, PlaceId(I)};
  for (size_t I = 0; I != Resolved.numPlaces(); ++I)
    std::sort(Edges.begin() + FirstEdge[I], Edges.begin() + FirstEdge[I + 1],
              [](const Edge &A, const Edge &B) {
                return std::pair(A.Via, A.To) < std::pair(B.Via, B.To);
              });
}
