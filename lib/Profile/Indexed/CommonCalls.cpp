//===- Profile/Indexed/CommonCalls.cpp - Calls of many contexts -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommonCalls.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

/// The contexts through a call.
struct Passing {
  unsigned Cold = 0;
  unsigned Others = 0;
};

} // namespace

std::set<uint64_t> profile::findCommonCalls(const HeapProfile &Heap,
                                            const std::vector<bool> &AreCold) {
  // By frame: the number of its call, which others have that are inlined or
  // not.
  std::vector<unsigned> CallOf(Heap.numFrames());
  std::vector<uint64_t> Ids;
  std::unordered_map<uint64_t, unsigned> Numbers;
  for (size_t I = 0; I != Heap.numFrames(); ++I) {
    const uint64_t Id =
        raw(computeStackId(Heap.frame(static_cast<uint32_t>(I))));
    auto [Known, IsNew] = Numbers.try_emplace(Id, Ids.size());
    if (IsNew)
      Ids.push_back(Id);
    CallOf[I] = Known->second;
  }
  std::vector<Passing> Through(Ids.size());
  // The context that was last seen to go through a call, and one more than its
  // number.
  std::vector<size_t> LastThrough(Ids.size());
  std::unordered_set<uint64_t> Seen;
  const StackTrie &Stacks = Heap.stacks();
  SmallVector<unsigned, 64> Calls;
  for (auto [I, C] : enumerate(Heap.contexts())) {
    uint64_t Hash = AreCold[I];
    Calls.clear();
    for (StackTrie::Node N = C.Stack; N != StackTrie::Root;
         N = Stacks.parent(N)) {
      const unsigned Call = CallOf[Stacks.frame(N)];
      if (LastThrough[Call] == I + 1)
        continue;
      LastThrough[Call] = I + 1;
      Calls.push_back(Call);
      Hash += Ids[Call] * 0x9E3779B97F4A7C15;
    }
    if (!Seen.insert(Hash).second)
      continue;
    for (unsigned Call : Calls)
      ++(AreCold[I] ? Through[Call].Cold : Through[Call].Others);
  }
  std::set<uint64_t> Result;
  for (auto [Id, Calls] : zip_equal(Ids, Through))
    if (Calls.Cold && Calls.Others &&
        Calls.Cold + Calls.Others >= LeastOfCommonCall)
      Result.insert(Id);
  return Result;
}
