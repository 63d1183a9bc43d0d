//===- thermo-profdata/Askers.cpp - Who asks for memory -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Askers.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;
using llvm::memprof::Frame;

/// So many functions ask a funnel at least.
static constexpr size_t LeastCallersOfFunnel = 3;

Expected<Askers> Askers::of(const ContextList &List,
                            const FunctionNames &Names) {
  Askers Result(Names);
  if (Error E = List.Profile->calls().moveInto(Result.Calls))
    return std::move(E);
  std::unordered_set<Function> Functions;
  for (const ListedContext &C : List.Contexts)
    for (const Frame &F : C.Frames)
      if (Functions.insert(F.Function).second &&
          isLibraryName(Names.display(F.Function)))
        Result.OfLibrary.insert(F.Function);
  std::unordered_map<Function, std::unordered_set<Function>> Callers;
  for (const ListedContext &C : List.Contexts) {
    const ArrayRef<Frame> Frames = C.Frames;
    const Frame *Asking = Result.firstOutside(Frames);
    if (!Asking)
      continue;
    const ArrayRef<Frame> Above(Asking + 1, Frames.end());
    if (const Frame *Caller = Result.firstOutside(Above))
      Callers[Asking->Function].insert(Caller->Function);
  }
  for (const auto &[Callee, Distinct] : Callers)
    if (Distinct.size() - Distinct.contains(Callee) >= LeastCallersOfFunnel)
      Result.Funnels.insert(Callee);
  return std::move(Result);
}

/// Null if there is none.
const Frame *Askers::firstOutside(ArrayRef<Frame> Frames) const {
  const auto *Found = find_if(
      Frames, [&](const Frame &F) { return !OfLibrary.contains(F.Function); });
  return Found == Frames.end() ? nullptr : Found;
}

/// Whether its function returns what the call \p F makes.
bool Askers::returns(const Frame &F) const {
  bool Any = false;
  for (const SourceFunction &Version : Calls.versions(F.Function))
    for (const SourceCall &Call : Version.Calls)
      if (Call.Line == static_cast<int32_t>(F.LineOffset) &&
          Call.Column == F.Column) {
        Any = true;
        if (!Call.IsReturned)
          return false;
      }
  return Any;
}

Askers::Asker Askers::of(const ListedContext &C) const {
  const ArrayRef<Frame> Frames = C.Frames;
  Asker Result;
  Result.First = firstOutside(Frames);
  if (!Result.First) {
    Result.First = &Frames.front();
    return Result;
  }
  if (!Funnels.contains(Result.First->Function))
    return Result;
  for (const Frame *F = Result.First;
       (F = firstOutside(ArrayRef<Frame>(F + 1, Frames.end())));) {
    Result.For = F;
    if (!returns(*F))
      break;
  }
  return Result;
}

std::string Askers::describe(const Frame &F) const {
  return shortenName(Names->display(F.Function)) + " " +
         describePlace(F.LineOffset, F.Column) + describeSource(F, *Names);
}
