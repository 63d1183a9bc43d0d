//===- Report/Explain.cpp - Decisions in words ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Explain.h"
#include "ExplainContext.h"
#include "thermocline/Report/DecisionList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

std::string report::passageText(const Passage &P) {
  auto Cell = [](const AuditCell &C, const char *What) {
    return formatCount(C.Contexts) + " " + What + " (" + formatBytes(C.Size) +
           ")";
  };
  if (P.Contexts.empty())
    return "no context";
  std::string Result;
  if (P.Cold.Contexts)
    Result =
        Cell(P.Cold, P.Cold.Contexts == 1 ? "cold context" : "cold contexts");
  if (P.NotCold.Contexts)
    Result += (Result.empty() ? "" : " and ") +
              Cell(P.NotCold, P.NotCold.Contexts == 1 ? "not-cold context"
                                                      : "not-cold contexts");
  return Result;
}

std::string report::versionText(uint32_t V) {
  return V ? "version " + std::to_string(V) : "version 0 (the original)";
}

void report::listContexts(const LinkView &View, ArrayRef<uint32_t> Numbers,
                          StringRef Indent, raw_ostream &OS) {
  std::vector<const ReportContext *> Contexts;
  for (uint32_t Number : Numbers)
    if (const ReportContext *C = View.context(Number))
      Contexts.push_back(C);
  llvm::sort(Contexts, [](const ReportContext *A, const ReportContext *B) {
    return std::tie(B->Size, A->Id) < std::tie(A->Size, B->Id);
  });
  for (auto [I, C] : enumerate(Contexts)) {
    if (I == MaxContextsNamed) {
      OS << Indent << "... and "
         << formatCount(Contexts.size() - I, "more context") << '\n';
      return;
    }
    OS << Indent << "context " << C->Id.index() << ": "
       << (C->Profiled == Temperature::Cold ? "cold" : "not cold") << ", "
       << formatBytes(C->Size);
    if (C->Profiled == Temperature::Cold || C->hintedCold())
      OS << ", " << C->Outcome;
    OS << '\n';
  }
}

namespace {

class Explainer {
public:
  Explainer(const LinkView &View, const PartView &Part, raw_ostream &OS)
      : View(View), Part(Part), Program(Part.program()),
        Decided(Part.from().Decided), OS(OS) {}

  void operator()(FunctionId F);
  void operator()(CallsiteId C);
  void operator()(AllocationId A);
  void operator()(ContextId C) { explainContext(View, Part, C, OS); }
  void operator()(StackId Frame);
  /// Handled before, since it is of no part.
  void operator()(LostIndex) { llvm_unreachable("is not explained by parts"); }

private:
  /// "call 2 of f, at main +3:4".
  std::string callText(CallsiteId C) const;
  std::string whyNotRedirected(CallsiteId C) const;
  void writeVersion(FunctionId F, uint32_t V);
  void writeCallers(FunctionId F, uint32_t V);

  const LinkView &View;
  const PartView &Part;
  const ContextProgram &Program;
  const Decisions &Decided;
  raw_ostream &OS;
};

std::string Explainer::callText(CallsiteId C) const {
  FunctionId Caller = Program[C].Caller;
  size_t Record =
      find(Program[Caller].Callsites, C) - Program[Caller].Callsites.begin();
  return "call " + std::to_string(Record) + ", of " +
         (Program[C].Callee ? Part.name(Program[C].Callee)
                            : std::string("an unknown function")) +
         ", at " + Part.place(C);
}

std::string Explainer::whyNotRedirected(CallsiteId C) const {
  switch (Program[C].Redirectable) {
  case Redirect::Indirect:
    return "it is a call through a pointer without a known target, which "
           "cannot be redirected; a PGO profile beside the heap profile names "
           "the targets of such calls";
  case Redirect::OutsideLink:
    return "what it calls is not in this part of the link, or may be replaced "
           "by another definition, so it cannot be redirected";
  case Redirect::Yes:
    break;
  }
  return "";
}

/// The calls that lead to a version.
void Explainer::writeCallers(FunctionId F, uint32_t V) {
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    CallsiteId C(I);
    if (Program[C].Callee != F || Program[C].Redirectable != Redirect::Yes)
      continue;
    for (uint32_t CallerVersion = 0;
         CallerVersion != Part.numVersions(Program[C].Caller);
         ++CallerVersion) {
      if (Part.calledVersion(C, CallerVersion) != V)
        continue;
      Passage P = Part.through(C, CallerVersion);
      // Versions call by their own decisions; most calls carry no context.
      if (P.Contexts.empty())
        continue;
      OS << "    called by " << Part.name(Program[C].Caller) << ", "
         << versionText(CallerVersion) << ", at " << Part.place(C) << ": "
         << passageText(P) << '\n';
    }
  }
}

void Explainer::writeVersion(FunctionId F, uint32_t V) {
  Passage P = Part.through(F, V);
  OS << "\n  " << versionText(V) << ": ";
  if (V)
    OS << versionName(Program[F].Name, V) << ", "
       << (P.Contexts.empty() ? "no profiled context needs it alone"
                              : "made for " + passageText(P));
  else
    OS << passageText(P) << "; whatever is not named below calls it";
  OS << '\n';
  writeCallers(F, V);
  listContexts(View, P.Contexts, "      ", OS);
}

void Explainer::operator()(FunctionId F) {
  const context::Function &Fn = Program[F];
  uint32_t NumVersions = Part.numVersions(F);
  OS << "function " << Part.name(F);
  if (Part.name(F) != Fn.Name)
    OS << " (" << Fn.Name << ')';
  OS << ": " << formatCount(NumVersions, "version") << " of "
     << formatCount(Fn.Instructions, "instruction");
  if (!Fn.Clonable)
    OS << "; it cannot be cloned, because another definition may replace it or "
          "its body cannot be repeated";
  else if (NumVersions > 1)
    OS << "; clones add "
       << formatCount(Fn.Instructions * (NumVersions - 1), "instruction");
  OS << '\n';
  for (uint32_t V = 0; V != NumVersions; ++V)
    writeVersion(F, V);
  for (AllocationId A : Fn.Allocations) {
    OS << '\n';
    (*this)(A);
  }
  for (CallsiteId C : Fn.Callsites) {
    // Tail calls that no context takes are of no interest.
    bool IsTaken = false;
    for (uint32_t V = 0; V != NumVersions; ++V)
      IsTaken |= !Part.through(C, V).Contexts.empty();
    if (!IsTaken && !Program[C].NumStackIds)
      continue;
    OS << '\n';
    (*this)(C);
  }
}

void Explainer::operator()(AllocationId A) {
  const context::Allocation &Is = Program[A];
  const context::Function &Owner = Program[Is.Owner];
  OS << "allocation " << Owner.Name << '#'
     << find(Owner.Allocations, A) - Owner.Allocations.begin();
  if (std::string Place = Part.place(A); !Place.empty())
    OS << ", at " << Place;
  OS << '\n';
  for (uint32_t V = 0; V != Part.numVersions(Is.Owner); ++V)
    OS << "  in " << versionText(V) << ": "
       << (Decided.Hints[A.index()][V] == Temperature::Cold ? "hinted cold"
                                                            : "no hint")
       << '\n';
  std::vector<uint32_t> Numbers;
  for (uint32_t I = 0; I != Is.NumContexts; ++I)
    Numbers.push_back(Part.number(ContextId(Is.FirstContext + I)));
  llvm::sort(Numbers);
  Numbers.erase(llvm::unique(Numbers), Numbers.end());
  if (Is.OmitsNotCold)
    OS << "  its annotation lists no not-cold contexts, so what is not listed "
          "counts as not cold\n";
  listContexts(View, Numbers, "    ", OS);
}

void Explainer::operator()(CallsiteId C) {
  OS << callText(C) << ", in " << Part.name(Program[C].Caller) << '\n';
  if (std::string Why = whyNotRedirected(C); !Why.empty())
    OS << "  always calls the original: " << Why << '\n';
  for (uint32_t V = 0; V != Part.numVersions(Program[C].Caller); ++V) {
    Passage P = Part.through(C, V);
    OS << "  in " << versionText(V) << ": calls "
       << (Program[C].Callee ? versionText(Part.calledVersion(C, V))
                             : std::string("what the pointer says"))
       << "; " << passageText(P) << '\n';
    listContexts(View, P.Contexts, "      ", OS);
  }
}

void Explainer::operator()(StackId Frame) {
  OS << "frame " << frameText(describeFrame(Part.from(), Frame))
     << ": no call in the link has it. " << unmatchedAdvice() << '\n';
  std::vector<uint32_t> Numbers;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (is_contained(Program.stackIds(ContextId(I)), Frame))
      Numbers.push_back(Part.number(ContextId(I)));
  llvm::sort(Numbers);
  Numbers.erase(llvm::unique(Numbers), Numbers.end());
  OS << "  contexts that go through it:\n";
  listContexts(View, Numbers, "    ", OS);
}

} // namespace

static void explainLost(const LostContext &C, raw_ostream &OS) {
  OS << "lost context: cold, " << formatBytes(C.Size) << ", id "
     << hexText(C.FullStackId)
     << ", of no allocation in the link: " << describe(C.Reason) << '\n';
  for (const ReportFrame &F : C.Frames)
    OS << "    " << frameText(F) << '\n';
  OS << "  " << advice(C.Reason) << '\n';
}

void report::explain(const LinkView &View, const Subject &What,
                     raw_ostream &OS) {
  if (auto *Lost = std::get_if<LostIndex>(&What.What))
    return explainLost(View.Model.Coverage->Biggest[static_cast<size_t>(*Lost)],
                       OS);
  Explainer Explain(View, View.Parts[What.Part], OS);
  std::visit(Explain, What.What);
}
