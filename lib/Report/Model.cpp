//===- Report/Model.cpp - What a report says, as plain data ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Model.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/RustNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

/// What to say of a context: the audit says what happens, the engine why.
static std::string outcomeOf(const ReportContext &C, ContextId Id,
                             const EngineResult *Engine) {
  if (C.Profiled == Temperature::NotCold) {
    if (!C.hintedCold())
      return "not cold";
    if (Engine && Engine->Outcomes[Id.index()] == Outcome::FalseCold)
      return describe(Outcome::FalseCold).str();
    return "hinted cold although not cold";
  }
  if (C.hintedCold())
    return "hinted cold";
  if (C.isDecidedCold())
    return describe(C.IsIfPointer             ? Outcome::HintedIfPointer
                    : C.Audited.MayEnterAgain ? Outcome::HintedIfNotAgain
                                              : Outcome::HintedIfNotInlined)
        .str();
  if (Engine) {
    Outcome Why = Engine->Outcomes[Id.index()];
    if (isHinted(Why))
      return "not hinted, although the engine says so";
    return describe(Why).str();
  }
  if (C.Audited.ReachesCold)
    return "hinted in part of its ways only";
  return C.Audited.Separable ? "not told apart" : "not separable";
}

ReportFrame report::describeFrame(const Sources &Part, StackId Id) {
  ReportFrame Result;
  Result.Id = Id;
  const profile::FrameInfo *Info =
      Part.Frames ? Part.Frames->lookup(Id) : nullptr;
  if (!Info)
    return Result;
  static const profile::FunctionNames NoNames;
  const profile::FunctionNames &Names = Part.Names ? *Part.Names : NoNames;
  Result.Function = Names.display(Info->Function);
  if (const profile::FunctionPlace *Place = Names.place(Info->Function)) {
    Result.File = Place->File;
    Result.Line = profile::lineOf(Place->Line, Info->LineOffset, Info->Column);
  }
  Result.LineOffset = Info->LineOffset;
  Result.Column = Info->Column;
  return Result;
}

std::vector<ReportFrame> report::describePlaceOf(const Sources &Part,
                                                 AllocationId Id) {
  std::vector<ReportFrame> Result;
  for (StackId Frame : Part.Program.place(Id))
    Result.push_back(describeFrame(Part, Frame));
  return Result;
}

std::string report::frameText(const ReportFrame &Frame) {
  if (Frame.Function.empty())
    return "(call " + hexText(raw(Frame.Id)) + ")";
  return Frame.Function + " " +
         profile::describePlace(Frame.LineOffset, Frame.Column);
}

std::string report::framesText(ArrayRef<ReportFrame> Frames) {
  std::string Result;
  for (const ReportFrame &F : Frames)
    Result += (Result.empty() ? "" : ", inlined into ") + frameText(F);
  return Result;
}

/// Cold contexts without a hint by what is said of them.
static std::vector<ReportReason> reasonsOf(ArrayRef<ReportContext> Contexts) {
  std::map<std::string, AuditCell> Cells;
  for (const ReportContext &C : Contexts) {
    if (C.Profiled != Temperature::Cold || C.hintedCold())
      continue;
    AuditCell &Cell = Cells[C.Outcome];
    ++Cell.Contexts;
    Cell.Size += C.Size;
  }
  std::vector<ReportReason> Result;
  for (const auto &[Outcome, Count] : Cells)
    Result.push_back({Outcome, Count});
  llvm::sort(Result, [](const ReportReason &A, const ReportReason &B) {
    return std::tie(B.Count.Size, A.Outcome) <
           std::tie(A.Count.Size, B.Outcome);
  });
  return Result;
}

/// Whether only a limit of the options kept the context from its hint.
static bool isLeftOut(Outcome O) {
  return O == Outcome::OverBudget || O == Outcome::WorthTooLittle;
}

/// Copies of a context are reported once.
static ContextId countedAs(const AuditResult &Audited, ContextId Id) {
  // Malformed decisions are not walked.
  if (Id.index() >= Audited.Contexts.size() ||
      !Audited.Contexts[Id.index()].CountedAs)
    return Id;
  return Audited.Contexts[Id.index()].CountedAs;
}

void report::addPart(ReportModel &Model, const Sources &Part) {
  const AuditResult &Audited = Part.Audited;
  Model.ColdToCold += Audited.ColdToCold;
  Model.ColdToNotCold += Audited.ColdToNotCold;
  Model.NotColdToCold += Audited.NotColdToCold;
  Model.NotColdToNotCold += Audited.NotColdToNotCold;
  Model.ColdIfPointer += Audited.ColdIfPointer;
  Model.ColdNotSeparable += Audited.ColdNotSeparable;
  Model.Functions += Part.Program.numFunctions();
  Model.Allocations += Part.Program.numAllocations();
  Model.ClonesMade += Audited.ClonesMade;
  Model.FunctionsCloned += Audited.FunctionsCloned;
  Model.InstructionsAdded += Audited.InstructionsAdded;
  llvm::append_range(Model.Malformed, Audited.Malformed);

  const size_t Before = Model.NumContexts;
  Model.NumContexts += Part.Program.numContexts();
  for (size_t I = 0; I != Part.Program.numContexts(); ++I) {
    const ContextId Id(static_cast<uint32_t>(I));
    if (countedAs(Audited, Id) != Id)
      continue;
    const Context &C = Part.Program[Id];
    ReportContext &Added = Model.Contexts.emplace_back();
    Added.Id = ContextId(static_cast<uint32_t>(Before + I));
    Added.FullStackId = C.profileId();
    Added.Owner =
        demangled(Part.Program[Part.Program[C.Allocation].Owner].Name);
    Added.Place = describePlaceOf(Part, C.Allocation);
    Added.Size = C.Size;
    Added.Saved = Part.Program.savedBytes(Id);
    Added.Profiled = C.Profiled;
    // Malformed decisions are not walked.
    if (I < Audited.Contexts.size())
      Added.Audited = Audited.Contexts[I];
    Added.IsIfPointer =
        Part.Program[C.Allocation].Hintable == Hintable::IfPointer;
    Added.Outcome = outcomeOf(Added, Id, Part.Engine);
    if (Added.Saved && Added.Profiled == Temperature::Cold) {
      Model.Savings.InLink += *Added.Saved;
      if (Added.hintedCold())
        Model.Savings.Hinted += *Added.Saved;
      if (Added.isDecidedCold())
        Model.Savings.Perhaps += *Added.Saved;
      if (Added.isDecidedCold() ||
          (Part.Engine && I < Part.Engine->Outcomes.size() &&
           isLeftOut(Part.Engine->Outcomes[I])))
        Model.Savings.Separable += *Added.Saved;
    }
    if (Part.Engine && I < Part.Engine->CollidesWith.size())
      if (ContextId Other = Part.Engine->CollidesWith[I])
        Added.CollidesWith =
            ContextId(Before + countedAs(Audited, Other).index());
    if (const ContextMeasures *Measured = Part.Program.measures(Id))
      Added.Measured = *Measured;
    for (StackId Frame : Part.Program.stackIds(Id))
      Added.Frames.push_back(describeFrame(Part, Frame));
  }
  Model.Reasons = reasonsOf(Model.Contexts);
  llvm::sort(Model.Contexts, [](const ReportContext &A,
                                const ReportContext &B) {
    return std::tie(B.Saved, B.Size, A.Id) < std::tie(A.Saved, A.Size, B.Id);
  });
}

ReportModel report::buildModel(ArrayRef<Sources> Parts) {
  ReportModel Result;
  for (const Sources &Part : Parts) {
    Result.DecidedBy = Part.DecidedBy;
    addPart(Result, Part);
  }
  return Result;
}
