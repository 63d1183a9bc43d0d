//===- Report/DecisionList.cpp - Decisions, listed one by one -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/DecisionList.h"
#include "SymbolName.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

std::string report::versionName(StringRef Function, uint32_t Version) {
  if (!Version)
    return Function.str();
  return (Function + ".memprof." + Twine(Version)).str();
}

static DecidedCall listCall(const Sources &Part, CallsiteId Id, size_t Record) {
  const Callsite &C = Part.Program[Id];
  DecidedCall Result;
  Result.Record = Record;
  if (C.Callee)
    Result.Callee = Part.Program[C.Callee].Name;
  Result.Redirectable = C.Redirectable;
  for (StackId Stack : Part.Program.stackIds(Id))
    Result.Frames.push_back(describeFrame(Part, Stack));
  llvm::append_range(Result.Clones, Part.Decided.Clones[Id.index()]);
  return Result;
}

static DecidedAllocation listAllocation(const Sources &Part, AllocationId Id,
                                        size_t Record) {
  const Allocation &A = Part.Program[Id];
  DecidedAllocation Result;
  Result.Record = Record;
  Result.Place = describePlaceOf(Part, Id);
  for (uint32_t I = 0; I != A.NumContexts; ++I) {
    const Context &C = Part.Program[ContextId(A.FirstContext + I)];
    Result.All += {1, C.Size};
    if (C.Profiled == Temperature::Cold)
      Result.Cold += {1, C.Size};
  }
  llvm::append_range(Result.Hints, Part.Decided.Hints[Id.index()]);
  return Result;
}

DecisionList report::listDecisions(ArrayRef<Sources> Parts) {
  DecisionList Result;
  if (!Parts.empty())
    Result.DecidedBy = Parts.front().DecidedBy;
  for (const Sources &Part : Parts)
    for (size_t I = 0; I != Part.Program.numFunctions(); ++I) {
      const context::Function &F = Part.Program[FunctionId(I)];
      if (F.Callsites.empty() && F.Allocations.empty())
        continue;
      DecidedFunction &Added = Result.Functions.emplace_back();
      Added.Name = F.Name;
      Added.Instructions = F.Instructions;
      Added.Clonable = F.Clonable;
      Added.NumVersions = Part.Decided.NumVersions[I];
      for (auto [Record, Id] : enumerate(F.Callsites))
        Added.Calls.push_back(listCall(Part, Id, Record));
      for (auto [Record, Id] : enumerate(F.Allocations))
        Added.Allocations.push_back(listAllocation(Part, Id, Record));
    }
  // Functions of one name are local ones of several modules, which keep their
  // order.
  std::vector<size_t> Order(Result.Functions.size());
  for (auto [I, Place] : enumerate(Order))
    Place = I;
  llvm::sort(Order, [&](size_t A, size_t B) {
    return std::tie(Result.Functions[A].Name, A) <
           std::tie(Result.Functions[B].Name, B);
  });
  std::vector<DecidedFunction> Sorted;
  for (size_t I : Order)
    Sorted.push_back(std::move(Result.Functions[I]));
  Result.Functions = std::move(Sorted);
  return Result;
}

static StringRef word(Temperature T) {
  return T == Temperature::Cold ? "cold" : "notcold";
}

static StringRef word(Redirect R) {
  switch (R) {
  case Redirect::Yes:
    return "yes";
  case Redirect::Indirect:
    return "indirect";
  case Redirect::OutsideLink:
    return "outside the link";
  }
  llvm_unreachable("all kinds have a word");
}

template <typename Range, typename ToText>
static void writeTuple(const Range &Values, ToText Text, raw_ostream &OS) {
  OS << '(';
  ListSeparator Comma;
  for (const auto &Value : Values)
    OS << Comma << Text(Value);
  OS << ')';
}

static void writeFrames(ArrayRef<ReportFrame> Frames, raw_ostream &OS) {
  for (const ReportFrame &Frame : Frames)
    if (!Frame.Function.empty())
      OS << "    at " << frameText(Frame) << '\n';
}

static void writeFunction(const DecidedFunction &F, raw_ostream &OS) {
  OS << "\nfunction " << quotedSymbol(F.Name) << "\n  versions "
     << F.NumVersions << ", of " << F.Instructions << " instructions"
     << (F.Clonable ? "" : ", cannot be cloned") << '\n';
  for (uint32_t V = 1; V < F.NumVersions; ++V)
    OS << "  version " << V << ' ' << quotedSymbol(versionName(F.Name, V))
       << '\n';
  for (const DecidedCall &C : F.Calls) {
    OS << "  call " << C.Record << " of "
       << (C.Callee.empty() ? "?" : quotedSymbol(C.Callee)) << ", stack ids ";
    writeTuple(
        C.Frames,
        [](const ReportFrame &Frame) { return hexText(raw(Frame.Id)); }, OS);
    OS << ", clones ";
    writeTuple(C.Clones, [](uint32_t V) { return V; }, OS);
    if (C.Redirectable != Redirect::Yes)
      OS << ", " << word(C.Redirectable);
    OS << '\n';
    writeFrames(C.Frames, OS);
  }
  for (const DecidedAllocation &A : F.Allocations) {
    OS << "  allocation " << A.Record << ", versions ";
    writeTuple(A.Hints, [](Temperature T) { return word(T); }, OS);
    OS << ", contexts " << A.All.Contexts << ", bytes " << A.All.Size.count()
       << ", cold contexts " << A.Cold.Contexts << ", cold bytes "
       << A.Cold.Size.count() << '\n';
    writeFrames(A.Place, OS);
  }
}

static void writeFrames(ArrayRef<ReportFrame> Frames, json::OStream &J) {
  J.attributeArray("frames", [&] {
    for (const ReportFrame &Frame : Frames)
      if (!Frame.Function.empty())
        J.object([&] {
          J.attribute("function", json::fixUTF8(Frame.Function));
          J.attribute("lineOffset", Frame.LineOffset);
          J.attribute("column", Frame.Column);
        });
  });
}

static void writeFunction(const DecidedFunction &F, json::OStream &J) {
  J.attribute("name", json::fixUTF8(F.Name));
  J.attribute("instructions", F.Instructions);
  J.attribute("clonable", F.Clonable);
  J.attributeArray("versions", [&] {
    for (uint32_t V = 0; V != F.NumVersions; ++V)
      J.value(json::fixUTF8(versionName(F.Name, V)));
  });
  J.attributeArray("calls", [&] {
    for (const DecidedCall &C : F.Calls)
      J.object([&] {
        J.attribute("record", C.Record);
        J.attribute("callee", json::fixUTF8(C.Callee));
        J.attribute("redirectable", word(C.Redirectable));
        J.attributeArray("stackIds", [&] {
          for (const ReportFrame &Frame : C.Frames)
            J.value(hexText(raw(Frame.Id)));
        });
        writeFrames(C.Frames, J);
        J.attributeArray("clones", [&] {
          for (uint32_t V : C.Clones)
            J.value(V);
        });
      });
  });
  J.attributeArray("allocations", [&] {
    for (const DecidedAllocation &A : F.Allocations)
      J.object([&] {
        J.attribute("record", A.Record);
        writeFrames(A.Place, J);
        J.attributeArray("versions", [&] {
          for (Temperature T : A.Hints)
            J.value(word(T));
        });
        J.attribute("contexts", A.All.Contexts);
        J.attribute("bytes", A.All.Size.count());
        J.attribute("coldContexts", A.Cold.Contexts);
        J.attribute("coldBytes", A.Cold.Size.count());
      });
  });
}

void report::write(const DecisionList &List, Format As, raw_ostream &OS) {
  if (As == Format::Json) {
    json::OStream J(OS, /*IndentSize=*/1);
    J.object([&] {
      J.attribute("format", DecisionFormat);
      J.attribute("decidedBy", json::fixUTF8(List.DecidedBy));
      J.attributeArray("functions", [&] {
        for (const DecidedFunction &F : List.Functions)
          J.object([&] { writeFunction(F, J); });
      });
    });
    OS << '\n';
    return;
  }
  OS << "# Thermocline decisions, format " << DecisionFormat << ", by "
     << List.DecidedBy << '\n';
  for (const DecidedFunction &F : List.Functions)
    writeFunction(F, OS);
}
