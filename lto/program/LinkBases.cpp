//===- program/LinkBases.cpp - By what a link's modules were classified ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkBases.h"
#include "thermocline/Annotate/Metadata/NotedNames.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;
using annotate::Basis;

void LinkBases::add(StringRef Module, annotate::NamedContexts Named) {
  auto It = ByModule.find(Module);
  if (It == ByModule.end())
    It = ByModule.try_emplace(Module.str()).first;
  if (std::optional<Basis> Told = Basis::in(Named))
    It->second.insert(*Told);
  else if (Basis::isTold(Named))
    Unreadable.insert(Module.str());
}

void LinkBases::add(const LinkBases &Other) {
  for (const auto &[Module, Bases] : Other.ByModule)
    ByModule[Module].insert(Bases.begin(), Bases.end());
  Edits.add(Other.Edits);
  Shares.add(Other.Shares);
  Order.add(Other.Order);
  Unreadable.insert(Other.Unreadable.begin(), Other.Unreadable.end());
}

uint64_t LinkBases::sourceOf(StringRef Name) {
  return profile::sourceGUID(annotate::isNameless(Name) ? StringRef() : Name);
}

void LinkBases::markEntered(context::ContextProgram &Program,
                            const CalleesOf &WithoutContexts,
                            const annotate::ChosenFunctions &Chosen) const {
  if (!hasEntered())
    return;
  auto SourceOf = [&](context::FunctionId F) {
    return sourceOf(Program[F].Name);
  };
  std::set<uint64_t> Entered = Edits.Entered, Reached = Chosen.guids();
  Reached.insert(sourceOf(""));
  Entered.insert(Reached.begin(), Reached.end());
  std::vector<uint64_t> Worklist(Entered.begin(), Entered.end());
  while (!Worklist.empty()) {
    auto Calls = WithoutContexts.find(Worklist.back());
    Worklist.pop_back();
    if (Calls == WithoutContexts.end())
      continue;
    for (uint64_t Callee : Calls->second)
      if (Entered.insert(Callee).second) {
        Reached.insert(Callee);
        Worklist.push_back(Callee);
      }
  }
  // Notes have the calls of functions that they name.
  if (!Reached.empty())
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      if (const context::FunctionId F(I); Reached.contains(SourceOf(F)))
        for (context::CallsiteId C : Program[F].Callsites)
          if (ArrayRef<StackId> Ids = Program.stackIds(C); !Ids.empty())
            Entered.insert(raw(Ids.back()));
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const context::ContextId C(static_cast<uint32_t>(I));
    const context::AllocationId A = Program[C].Allocation;
    if (Program[A].OmitsNotCold)
      continue;
    if (Entered.contains(SourceOf(Program[A].Owner)) ||
        any_of(Program.stackIds(C),
               [&](StackId Frame) { return Entered.contains(raw(Frame)); }))
      Program.setOmitsNotCold(A);
  }
}

template <typename Key>
std::vector<std::pair<Basis, LinkBases::Modules>>
LinkBases::groups(Key KeyOf) const {
  std::map<decltype(KeyOf(Basis())), std::pair<Basis, Modules>> ByKey;
  for (const auto &[Module, Bases] : ByModule)
    for (const Basis &B : Bases) {
      auto &[First, Group] =
          ByKey.try_emplace(KeyOf(B), B, Modules()).first->second;
      if (Group.empty() || Group.back() != Module)
        Group.push_back(Module);
    }
  std::vector<std::pair<Basis, Modules>> Result;
  for (auto &[Is, Group] : ByKey)
    Result.push_back(std::move(Group));
  llvm::sort(Result, [](const auto &A, const auto &B) {
    return std::tuple(B.second.size(), A.second, A.first) <
           std::tuple(A.second.size(), B.second, B.first);
  });
  return Result;
}

static auto thresholdsOf(const Basis &B) { return B.Thresholds; }
static auto profileOf(const Basis &B) { return B.ProfileChecksum; }

const Basis *LinkBases::common() const {
  auto ByThresholds = groups(thresholdsOf);
  if (ByThresholds.empty())
    return nullptr;
  const auto &[Module, Bases] =
      *ByModule.find(ByThresholds.front().second.front());
  return &*find_if(Bases, [&](const Basis &B) {
    return B.Thresholds == ByThresholds.front().first.Thresholds;
  });
}

std::string LinkBases::whyUnmatched() const {
  SmallVector<StringRef, 2> Reasons;
  if (Edits.IsWithoutDebugInfo)
    Reasons.push_back("have no debug information (-g0; compile with -gmlt "
                      "-fdebug-info-for-profiling)");
  if (Edits.IsNotOptimized)
    Reasons.push_back("are not optimized (-O0; compile with -O1 or more)");
  return Reasons.empty() ? "" : "profiled functions " + join(Reasons, ", or ");
}

uint64_t LinkBases::coldBytes() const {
  if (const Basis *Common = common())
    return static_cast<uint64_t>(Common->ColdBytes);
  uint64_t Most = 0;
  for (const auto *Profiles : {&Edits.Outdated, &Edits.Unmatched})
    for (auto [Checksum, Bytes] : *Profiles)
      Most = std::max(Most, Bytes);
  return Most;
}

size_t LinkBases::numWith(const profile::ColdThresholds &Thresholds) const {
  return count_if(ByModule, [&](const auto &Entry) {
    return any_of(Entry.second,
                  [&](const Basis &B) { return B.Thresholds == Thresholds; });
  });
}

bool LinkBases::allAgree() const {
  return all_of(ByModule, [&](const auto &Entry) {
    return Entry.second.size() == 1 && Entry.second == ByModule.begin()->second;
  });
}

bool LinkBases::areSavingsKnown() const {
  return !ByModule.empty() && all_of(ByModule, [](const auto &Entry) {
    return !Entry.second.empty() && all_of(Entry.second, [](const Basis &B) {
      return B.Rule == profile::ColdRule::Pages;
    });
  });
}

std::string thermocline::lto::listModules(ArrayRef<StringRef> Modules) {
  constexpr size_t Shown = 5;
  std::string Result = formatCount(Modules.size(), "module") + " (" +
                       join(Modules.take_front(Shown), ", ");
  if (Modules.size() > Shown)
    Result += " and " + formatCount(Modules.size() - Shown) + " more";
  return Result + ")";
}

std::vector<std::string> LinkBases::differences() const {
  std::vector<std::string> Result;
  if (auto Groups = groups(thresholdsOf); Groups.size() > 1) {
    std::string Text =
        "modules were compiled with different thresholds for what is cold: ";
    for (auto [I, Group] : enumerate(Groups))
      Text += (I ? "; " : "") + listModules(Group.second) + " with " +
              describeRule(Group.first.Rule, Group.first.Thresholds);
    Result.push_back(std::move(Text));
  }
  if (auto Groups = groups(profileOf); Groups.size() > 1) {
    std::string Text = "modules were compiled with different heap profiles: ";
    for (auto [I, Group] : enumerate(Groups))
      Text += (I ? ", " : "") + listModules(Group.second) +
              (I ? " with another" : " with one");
    Result.push_back(std::move(Text));
  }
  if (!Unreadable.empty()) {
    const std::vector<StringRef> Names(Unreadable.begin(), Unreadable.end());
    Result.push_back(
        "by which profile and thresholds " + listModules(Names) +
        (Names.size() == 1 ? " was" : " were") +
        " compiled is damaged or in a form of another version, and left out");
  }
  return Result;
}

Error LinkBases::addNotes(StringRef Name) {
  if (Error E = Edits.addIn(Name))
    return E;
  if (Error E = Shares.addIn(Name))
    return E;
  return Order.addIn(Name);
}

Error LinkBases::addNotes(const Module &M) {
  Error Result = Error::success();
  annotate::forEachNote(M, [&](StringRef Name) {
    Result = joinErrors(std::move(Result), addNotes(Name));
  });
  return Result;
}

LinkBases thermocline::lto::basesIn(const ModuleSummaryIndex &Index) {
  LinkBases Result;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
        for (const AllocInfo &Record : FS->allocs())
          Result.add(FS->modulePath(),
                     Record.ContextSizeInfos.empty()
                         ? annotate::NamedContexts()
                         : ArrayRef(Record.ContextSizeInfos[0]));
  return Result;
}
