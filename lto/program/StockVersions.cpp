//===- lto/program/StockVersions.cpp - Versions that LLVM mixes up --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StockVersions.h"
#include "thermocline/Audit/Audit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/TimeProfiler.h"
#include <map>
#include <numeric>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

static size_t numVersions(const FunctionSummary &FS) {
  size_t Result = 1;
  for (const CallsiteInfo &Record : FS.callsites())
    Result = std::max(Result, Record.Clones.size());
  for (const AllocInfo &Record : FS.allocs())
    Result = std::max(Result, Record.Versions.size());
  return Result;
}

/// Whether LLVM takes versions of \p FS that differ for the same.
static bool hasLookalikes(const FunctionSummary &FS) {
  using Decided = std::vector<uint32_t>;
  // By what is not 0: all of it.
  std::map<Decided, Decided> Seen;
  for (size_t V = 0, E = numVersions(FS); V != E; ++V) {
    Decided All, Set;
    for (const CallsiteInfo &Record : FS.callsites())
      All.push_back(V < Record.Clones.size() ? Record.Clones[V] : 0);
    for (const AllocInfo &Record : FS.allocs())
      All.push_back(V < Record.Versions.size() ? Record.Versions[V] : 0);
    copy_if(All, std::back_inserter(Set), [](uint32_t N) { return N != 0; });
    auto [It, New] = Seen.try_emplace(std::move(Set), All);
    if (!New && It->second != All)
      return true;
  }
  return false;
}

namespace {

/// Whether a copy of the caller of \p Via calls another version than the
/// prevailing one.
bool mayDiffer(const ContextProgram &Program, const Decisions &Decided,
               const std::vector<bool> &HasCopies, CallsiteId Via) {
  return HasCopies[Program[Via].Caller.index()] &&
         Decided.Clones[Via.index()][0] != 0;
}

/// Walks contexts as they may run where copies stand for versions 0.
class CopyWalker {
public:
  CopyWalker(const ContextProgram &Program, const Decisions &Decided,
             const std::vector<bool> &HasCopies)
      : Program(Program), Decided(Decided), HasCopies(HasCopies),
        Walker(Program, Decided) {}

  /// Adds the calls at which \p C leaks.
  void walk(ContextId C, bool RanElsewhere, std::set<CallsiteId> &Leaks) {
    ContextWalk Walk = Walker.walk(C, RanElsewhere);
    if (none_of(Walk.Steps, [&](const auto &S) { return mayDiffer(S.Via); }))
      return;
    std::vector<SmallBitVector> Versions;
    for (const ContextWalk::Stop &S : Walk.Stops) {
      Versions.push_back(S.Begins ? S.Versions
                                  : SmallBitVector(S.Versions.size()));
      if (S.Unrecorded)
        Versions.back().set(0);
    }
    for (bool Again = true; std::exchange(Again, false);)
      for (const ContextWalk::Step &S : reverse(Walk.Steps)) {
        if (Walk.Stops[S.Below].Alive && !Walk.Stops[S.Above].Alive)
          continue;
        auto Reach = [&](uint32_t Version) {
          Again |= !Versions[S.Below].test(Version);
          Versions[S.Below].set(Version);
        };
        for (unsigned V : Versions[S.Above].set_bits()) {
          Reach(Decided.Clones[S.Via.index()][V]);
          if (V == 0 && HasCopies[Program[S.Via].Caller.index()])
            Reach(0);
        }
      }
    const auto &Hints = Decided.Hints[Program[C].Allocation.index()];
    if (none_of(Versions.front().set_bits(),
                [&](unsigned V) { return Hints[V] == Temperature::Cold; }))
      return;
    for (const ContextWalk::Step &S : Walk.Steps)
      if (mayDiffer(S.Via) && Versions[S.Above].test(0))
        Leaks.insert(S.Via);
  }

private:
  bool mayDiffer(CallsiteId Via) const {
    return ::mayDiffer(Program, Decided, HasCopies, Via);
  }

  const ContextProgram &Program;
  const Decisions &Decided;
  const std::vector<bool> &HasCopies;
  ContextWalker Walker;
};

} // namespace

std::vector<CallsiteId>
thermocline::lto::leaksThroughCopies(const ContextProgram &Program,
                                     const EngineResult &Result,
                                     const std::vector<bool> &HasCopies) {
  // Nearly every link has none, and to walk all contexts takes longer than to
  // decide on them.
  if (none_of(seq(Program.numCallsites()), [&](size_t I) {
        return mayDiffer(Program, Result.Decided, HasCopies, CallsiteId(I));
      }))
    return {};
  TimeTraceScope Phase("Thermocline: walk copies");
  AuditResult Audited = audit(Program, Result.Decided);
  CopyWalker Walker(Program, Result.Decided, HasCopies);
  std::set<CallsiteId> Leaks;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    // What is cold by the decisions themselves is within a budget for that.
    if (Program[ContextId(I)].Profiled == Temperature::NotCold &&
        !Audited.Contexts[I].ReachesCold)
      Walker.walk(ContextId(I), Audited.Contexts[I].RanElsewhere, Leaks);
  return std::vector<CallsiteId>(Leaks.begin(), Leaks.end());
}

StockVersions::StockVersions(const ModuleSummaryIndex &Index) {
  for (const auto &[GUID, Info] : Index) {
    SmallVector<const FunctionSummary *, 4> Global;
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get())) {
        ByModule[FS->modulePath()].push_back(Index.getValueInfo(GUID));
        if (!GlobalValue::isLocalLinkage(FS->linkage()))
          Global.push_back(FS);
      }
    if (Global.size() > 1)
      WithCopies.insert_range(Global);
  }
}

ValueInfo StockVersions::findNotTailCalled(const FunctionSummary &FS) const {
  DenseSet<GlobalValue::GUID> TailCalled;
  for (const auto &[Callee, Edge] : FS.calls())
    if (Edge.hasTailCall())
      TailCalled.insert(Callee.getGUID());
  for (ValueInfo VI : ByModule.find(FS.modulePath())->second)
    if (!TailCalled.contains(VI.getGUID()))
      return VI;
  return ValueInfo();
}

EngineResult StockVersions::decide(SummaryProgram &Program,
                                   const EngineOptions &Options) const {
  ContextProgram &P = Program.Program;
  auto Forbid = [&](CallsiteId C) {
    P.setCallee(C, P[C].Callee, Redirect::Indirect);
  };
  std::vector<bool> IsSingle, HasCopies;
  for (const FunctionSummary *FS : Program.Functions) {
    IsSingle.push_back(!findNotTailCalled(*FS));
    HasCopies.push_back(WithCopies.contains(FS));
  }
  for (size_t I = 0; I != P.numCallsites(); ++I)
    if (FunctionId Callee = P[CallsiteId(I)].Callee;
        Callee && IsSingle[Callee.index()])
      Forbid(CallsiteId(I));

  // Each leak is mended where it is, but not one after the other without end.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0;; ++Round) {
    EngineResult Result = context::decide(P, Options);
    std::vector<CallsiteId> Leaks = leaksThroughCopies(P, Result, HasCopies);
    if (Leaks.empty())
      return Result;
    for_each(Leaks, Forbid);
    for (size_t I = 0; Round == MaxRounds && I != P.numCallsites(); ++I)
      if (HasCopies[P[CallsiteId(I)].Caller.index()])
        Forbid(CallsiteId(I));
  }
}

void StockVersions::keepApart(const SummaryProgram &Program) const {
  for (FunctionSummary *FS : Program.Functions)
    if (hasLookalikes(*FS)) {
      SmallVector<unsigned> Different(numVersions(*FS));
      std::iota(Different.begin(), Different.end(), 1);
      CallsiteInfo Record(findNotTailCalled(*FS), std::move(Different), {});
      FS->addCallsite(Record);
    }
}
