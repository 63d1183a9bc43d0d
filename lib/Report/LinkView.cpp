//===- Report/LinkView.cpp - How contexts run through versions ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/LinkView.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

PartView::PartView(const Sources &Part, uint32_t FirstNumber)
    : Part(Part), FirstNumber(FirstNumber) {
  // Malformed decisions are not walked.
  if (!Part.Audited.Malformed.empty())
    return;
  ContextWalker Walker(Part.Program, Part.Decided);
  auto Add = [](std::vector<ContextId> &To, ContextId C) {
    if (To.empty() || To.back() != C)
      To.push_back(C);
  };
  for (size_t I = 0; I != Part.Program.numContexts(); ++I) {
    ContextId C(I);
    ContextWalk Walk = Walker.walk(C, Part.Audited.Contexts[I].RanElsewhere);
    // Where nothing matches up to where the context ends, what matches counts.
    auto Counts = [&](const ContextWalk::Stop &S) {
      return S.Alive || !Walk.Judged.Matched;
    };
    for (const ContextWalk::Stop &S : Walk.Stops)
      if (Counts(S))
        for (unsigned V : S.Versions.set_bits())
          Add(ByFunction[{S.Function.index(), V}], C);
    for (const ContextWalk::Step &S : Walk.Steps)
      if (Counts(Walk.Stops[S.Above]))
        for (unsigned V : Walk.Stops[S.Above].Versions.set_bits())
          Add(ByCall[{S.Via.index(), V}], C);
  }
}

uint32_t PartView::number(ContextId C) const {
  if (C.index() < Part.Audited.Contexts.size())
    if (ContextId Counted = Part.Audited.Contexts[C.index()].CountedAs)
      C = Counted;
  return FirstNumber + C.index();
}

ContextId PartView::context(uint32_t Number) const {
  if (Number < FirstNumber ||
      Number - FirstNumber >= Part.Program.numContexts())
    return ContextId::none();
  return ContextId(Number - FirstNumber);
}

Passage PartView::sum(ArrayRef<ContextId> Contexts) const {
  Passage Result;
  for (ContextId C : Contexts)
    Result.Contexts.push_back(number(C));
  llvm::sort(Result.Contexts);
  Result.Contexts.erase(llvm::unique(Result.Contexts), Result.Contexts.end());
  for (uint32_t Number : Result.Contexts) {
    const Context &C = Part.Program[context(Number)];
    (C.Profiled == Temperature::Cold ? Result.Cold : Result.NotCold) +=
        {1, C.Size};
  }
  return Result;
}

Passage PartView::through(FunctionId F, uint32_t V) const {
  auto Found = ByFunction.find({F.index(), V});
  return Found == ByFunction.end() ? Passage() : sum(Found->second);
}

Passage PartView::through(CallsiteId C, uint32_t V) const {
  auto Found = ByCall.find({C.index(), V});
  return Found == ByCall.end() ? Passage() : sum(Found->second);
}

std::string PartView::name(FunctionId F) const {
  std::string Result = demangled(Part.Program[F].Name);
  // What makes the name of a local function unique is nothing to people.
  for (StringRef Suffix : {" (.__uniq.", ".__uniq."})
    if (size_t Pos = Result.find(Suffix); Pos != std::string::npos)
      Result.resize(Pos);
  return Result;
}

std::string PartView::place(CallsiteId C) const {
  std::vector<ReportFrame> Frames;
  for (StackId Id : Part.Program.stackIds(C))
    Frames.push_back(describeFrame(Part, Id));
  return Frames.empty() ? "a tail call" : framesText(Frames);
}

std::string PartView::place(AllocationId A) const {
  return framesText(describePlaceOf(Part, A));
}

LinkView::LinkView(ArrayRef<Sources> All) : Model(buildModel(All)) {
  uint32_t First = 0;
  for (const Sources &Part : All) {
    Parts.emplace_back(Part, First);
    First += Part.Program.numContexts();
  }
  for (auto [I, C] : enumerate(Model.Contexts))
    Places[C.Id.index()] = I;
}

const ReportContext *LinkView::context(uint32_t Number) const {
  auto Found = Places.find(Number);
  return Found == Places.end() ? nullptr : &Model.Contexts[Found->second];
}

void report::addCloneCosts(ReportModel &Model, ArrayRef<Sources> Parts) {
  std::map<uint32_t, ReportContext *> Hinted;
  for (ReportContext &C : Model.Contexts) {
    C.CloneCost = 0;
    if (C.hintedCold())
      Hinted[C.Id.index()] = &C;
  }
  std::map<uint32_t, double> Costs;
  uint32_t FirstNumber = 0;
  for (const Sources &Part : Parts) {
    const PartView View(Part, FirstNumber);
    FirstNumber += static_cast<uint32_t>(Part.Program.numContexts());
    if (!Part.Audited.Malformed.empty())
      continue;
    for (size_t I = 0; I != Part.Program.numFunctions(); ++I) {
      const FunctionId F(I);
      for (uint32_t V = 1; V < View.numVersions(F); ++V) {
        std::vector<uint32_t> Users;
        for (uint32_t Number : View.through(F, V).Contexts)
          if (Hinted.count(Number))
            Users.push_back(Number);
        for (uint32_t Number : Users)
          Costs[Number] += static_cast<double>(Part.Program[F].Instructions) /
                           static_cast<double>(Users.size());
      }
    }
  }
  for (const auto &[Number, Cost] : Costs)
    Hinted[Number]->CloneCost = static_cast<uint64_t>(std::llround(Cost));
}
