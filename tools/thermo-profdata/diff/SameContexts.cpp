//===- diff/SameContexts.cpp - Which context became which -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SameContexts.h"
#include "thermocline/Annotate/Edits/EditedSource.h"
#include "thermocline/Profile/StackIds.h"
#include <map>
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using llvm::memprof::Frame;

namespace {

/// What the contexts of the earlier profile say of calls.
struct CallsInContexts {
  std::map<SourceFrame, SmallVector<GlobalValue::GUID, 1>> LedTo;

  explicit CallsInContexts(const ContextList &List);
};

} // namespace

static SourceFrame placeOf(const Frame &F) {
  return {F.Function, F.LineOffset & LineOffsetMask, F.Column};
}

CallsInContexts::CallsInContexts(const ContextList &List) {
  for (const ListedContext &C : List.Contexts) {
    const Frame *Callee = nullptr;
    for (const Frame &F : C.Frames) {
      SmallVector<GlobalValue::GUID, 1> &All = LedTo[placeOf(F)];
      if (Callee && !is_contained(All, Callee->Function))
        All.push_back(Callee->Function);
      Callee = &F;
    }
  }
}

/// The functions of \p After as a module, which is compared with \p Before.
static callsites::ModuleCalls asModule(const CallTable &After,
                                       const CallTable &Before) {
  callsites::ModuleCalls Result;
  for (const auto &[Function, Versions] : After.functions())
    // Contexts do not tell of which version they are: they keep their frames.
    if (Versions.size() == 1 && Before.versions(Function).size() <= 1)
      Result.Functions.push_back(Versions.front());
    else
      Result.Declared.insert(Function);
  for (const auto &[Function, Versions] : Before.functions())
    if (After.versions(Function).empty() && After.hadFunction(Function))
      Result.Declared.insert(Function);
  return Result;
}

/// The id that the context \p Frames had; nothing if a frame is stale.
static std::optional<uint64_t> idThen(ArrayRef<Frame> Frames,
                                      const EditedSource &Edits) {
  SmallVector<Frame, 32> Then;
  for (const Frame &F : Frames) {
    const auto Was = Edits.then(placeOf(F));
    if (!Was)
      return std::nullopt;
    for (const SourceFrame &Old : *Was)
      Then.emplace_back(Old.Function, Old.LineOffset, Old.Column,
                        /*IsInlineFrame=*/false);
  }
  return computeFullStackId(Then);
}

Expected<SameContexts> SameContexts::find(const ContextList &Before,
                                          const ContextList &After) {
  Expected<CallTable> Then = Before.Profile->calls();
  if (!Then)
    return Then.takeError();
  Expected<CallTable> Now = After.Profile->calls();
  if (!Now)
    return Now.takeError();
  EditedSource Edits;
  if (!Then->empty() && !Now->empty()) {
    const CallsInContexts Profiled(Before);
    Edits = EditedSource(
        asModule(*Now, *Then), *Then,
        [&](const SourceFrame &F) { return Profiled.LedTo.contains(F); },
        [&](const SourceFrame &F) {
          const auto Found = Profiled.LedTo.find(F);
          return Found == Profiled.LedTo.end()
                     ? ArrayRef<GlobalValue::GUID>()
                     : ArrayRef<GlobalValue::GUID>(Found->second);
        });
  }
  // Contexts that differ only in what was inlined have one id.
  std::multimap<uint64_t, const ListedContext *> Old;
  for (const ListedContext &C : Before.Contexts)
    Old.emplace(*idThen(C.Frames, EditedSource()), &C);
  SameContexts Result;
  for (const ListedContext &C : After.Contexts) {
    const std::optional<uint64_t> Id = idThen(C.Frames, Edits);
    const auto Match = Id ? Old.find(*Id) : Old.end();
    Result.Was.push_back(Match == Old.end() ? nullptr : Match->second);
    Result.IsStale.push_back(!Id);
    if (Match != Old.end())
      Old.erase(Match);
  }
  return std::move(Result);
}
