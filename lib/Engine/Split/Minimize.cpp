//===- Engine/Split/Minimize.cpp - No version twice -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Minimize.h"
#include <deque>
#include <map>

using namespace llvm;
using namespace thermocline::context;

namespace {

class Minimizer {
public:
  Minimizer(const ContextProgram &Program, const Decisions &Decided)
      : Program(Program), Decided(Decided), Block(Program.numFunctions()),
        NumBlocks(Program.numFunctions(), 1) {}

  Decisions run() {
    part();
    findReached();
    return rebuild();
  }

private:
  void part();
  bool partFunction(FunctionId F);
  void findReached();
  Decisions rebuild() const;

  const ContextProgram &Program;
  const Decisions &Decided;
  /// By function and version. Blocks are numbered by their first versions.
  std::vector<SmallVector<uint32_t, 2>> Block;
  std::vector<uint32_t> NumBlocks;
  /// By function and block: the new version, and none for an unreached block.
  std::vector<SmallVector<uint32_t, 2>> NewVersion;
  static constexpr uint32_t None = ~0u;
};

bool Minimizer::partFunction(FunctionId F) {
  auto &Mine = Block[F.index()];
  std::map<std::vector<uint32_t>, uint32_t> Rows;
  SmallVector<uint32_t, 2> Parted;
  for (uint32_t V = 0; V != Mine.size(); ++V) {
    std::vector<uint32_t> Row = {Mine[V]};
    for (AllocationId A : Program[F].Allocations)
      Row.push_back(static_cast<uint32_t>(Decided.Hints[A.index()][V]));
    for (CallsiteId C : Program[F].Callsites)
      if (FunctionId Callee = Program[C].Callee)
        Row.push_back(Block[Callee.index()][Decided.Clones[C.index()][V]]);
    uint32_t Next = Rows.size();
    Parted.push_back(Rows.try_emplace(std::move(Row), Next).first->second);
  }
  Mine = std::move(Parted);
  bool Changed = Rows.size() != NumBlocks[F.index()];
  NumBlocks[F.index()] = Rows.size();
  return Changed;
}

void Minimizer::part() {
  std::vector<std::vector<FunctionId>> Callers(Program.numFunctions());
  std::deque<FunctionId> Worklist;
  std::vector<bool> Listed(Program.numFunctions());
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    Block[I].assign(Decided.NumVersions[I], 0);
    if (Decided.NumVersions[I] == 1)
      continue;
    Listed[I] = true;
    Worklist.push_back(FunctionId(I));
  }
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    if (C.Callee && Decided.NumVersions[C.Caller.index()] > 1)
      Callers[C.Callee.index()].push_back(C.Caller);
  }
  while (!Worklist.empty()) {
    FunctionId F = Worklist.front();
    Worklist.pop_front();
    Listed[F.index()] = false;
    if (!partFunction(F))
      continue;
    for (FunctionId Caller : Callers[F.index()])
      if (!Listed[Caller.index()]) {
        Listed[Caller.index()] = true;
        Worklist.push_back(Caller);
      }
  }
}

void Minimizer::findReached() {
  std::vector<std::pair<FunctionId, uint32_t>> Worklist;
  std::vector<SmallVector<uint32_t, 2>> FirstOf(Program.numFunctions());
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    for (uint32_t V = 0; V != Block[I].size(); ++V)
      if (Block[I][V] == FirstOf[I].size())
        FirstOf[I].push_back(V);
    NewVersion.emplace_back(NumBlocks[I], None);
    NewVersion[I][0] = 0;
    Worklist.push_back({FunctionId(I), 0});
  }
  while (!Worklist.empty()) {
    auto [F, B] = Worklist.back();
    Worklist.pop_back();
    for (CallsiteId C : Program[F].Callsites) {
      FunctionId Callee = Program[C].Callee;
      if (!Callee)
        continue;
      uint32_t Called = Block[Callee.index()]
                             [Decided.Clones[C.index()][FirstOf[F.index()][B]]];
      if (NewVersion[Callee.index()][Called] != None)
        continue;
      NewVersion[Callee.index()][Called] = 0;
      Worklist.push_back({Callee, Called});
    }
  }
  for (auto &OfFunction : NewVersion) {
    uint32_t Next = 0;
    for (uint32_t &Version : OfFunction)
      if (Version != None)
        Version = Next++;
  }
}

Decisions Minimizer::rebuild() const {
  Decisions Result;
  Result.NumVersions.assign(Program.numFunctions(), 0);
  Result.Clones.resize(Program.numCallsites());
  Result.Hints.resize(Program.numAllocations());
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    FunctionId F(I);
    for (uint32_t V = 0; V != Block[I].size(); ++V) {
      // The first version of each block that is reached stands for it.
      if (NewVersion[I][Block[I][V]] != Result.NumVersions[I])
        continue;
      ++Result.NumVersions[I];
      for (AllocationId A : Program[F].Allocations)
        Result.Hints[A.index()].push_back(Decided.Hints[A.index()][V]);
      for (CallsiteId C : Program[F].Callsites) {
        uint32_t Called = 0;
        if (FunctionId Callee = Program[C].Callee)
          Called =
              NewVersion[Callee.index()]
                        [Block[Callee.index()][Decided.Clones[C.index()][V]]];
        Result.Clones[C.index()].push_back(Called);
      }
    }
  }
  return Result;
}

} // namespace

Decisions thermocline::context::minimize(const ContextProgram &Program,
                                         const Decisions &Decided) {
  return Minimizer(Program, Decided).run();
}
