//===- bench/engine/LayeredProgram.cpp - Large random programs ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayeredProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <random>
#include <set>

using namespace thermocline;
using namespace thermocline::bench;
using namespace thermocline::context;

namespace {

/// Leaf first.
using Frames = std::vector<uint64_t>;

/// What clang's trimming leaves of the contexts of one allocation: a trie node
/// from the leaf whose contexts agree ends them.
std::map<Frames, bool> trimmed(const std::map<Frames, bool> &Contexts) {
  struct Node {
    bool Cold = false, NotCold = false;
  };
  std::map<Frames, Node> Prefixes;
  for (const auto &[All, Cold] : Contexts) {
    Frames Prefix;
    for (uint64_t Frame : All) {
      Prefix.push_back(Frame);
      (Cold ? Prefixes[Prefix].Cold : Prefixes[Prefix].NotCold) = true;
    }
  }
  std::map<Frames, bool> Result;
  for (const auto &[All, Cold] : Contexts) {
    Frames Prefix;
    for (uint64_t Frame : All) {
      Prefix.push_back(Frame);
      Node N = Prefixes[Prefix];
      if (N.Cold != N.NotCold)
        break;
    }
    Result[Prefix] = Cold;
  }
  return Result;
}

} // namespace

ContextProgram thermocline::bench::layeredProgram(const LayeredOptions &O) {
  std::mt19937_64 Engine(O.Seed);
  auto Below = [&](uint64_t N) { return Engine() % N; };

  ContextProgram Program;
  FunctionId Main = Program.addFunction("main", 100, true);
  for (uint32_t I = 0; I != O.Layers * O.Width; ++I)
    Program.addFunction("f" + std::to_string(I), 20 + Below(80), true);
  std::vector<bool> Cold;
  auto AddCall = [&](FunctionId Caller, uint32_t Layer) {
    Program.addCallsite(Caller,
                        FunctionId(1 + Layer * O.Width + Below(O.Width)),
                        Redirect::Yes, {StackId(Program.numCallsites() + 1)});
    Cold.push_back(Below(1000) < O.ColdCallsPerMille);
  };
  for (uint32_t I = 0; I != O.Width; ++I)
    AddCall(Main, 0);
  for (uint32_t Layer = 0; Layer + 1 < O.Layers; ++Layer)
    for (uint32_t I = 0; I != O.Width; ++I)
      for (uint32_t J = 0; J != O.FanOut; ++J)
        AddCall(FunctionId(1 + Layer * O.Width + I), Layer + 1);

  std::vector<std::map<Frames, bool>> ByOwner(O.Layers * O.Width + 1);
  for (uint32_t I = 0; I != O.Contexts; ++I) {
    FunctionId At = Main;
    Frames Calls;
    bool IsCold = false;
    while (!Program[At].Callsites.empty()) {
      CallsiteId C = Program[At].Callsites[Below(Program[At].Callsites.size())];
      Calls.insert(Calls.begin(), C.index() + 1);
      IsCold |= Cold[C.index()];
      At = Program[C].Callee;
    }
    ByOwner[At.index()].try_emplace(Calls,
                                    O.ColdAtRandom ? Below(2) != 0 : IsCold);
  }
  for (uint32_t I = 0; I != ByOwner.size(); ++I) {
    if (ByOwner[I].empty())
      continue;
    Program.addAllocation(FunctionId(I));
    for (const auto &[Calls, IsCold] :
         O.Trim ? trimmed(ByOwner[I]) : ByOwner[I]) {
      std::vector<StackId> Ids;
      for (uint64_t Call : Calls)
        Ids.push_back(StackId(Call));
      Program.addContext(IsCold ? Temperature::Cold : Temperature::NotCold,
                         Bytes(16 + Below(4096)), 0, Ids);
    }
  }
  return Program;
}
