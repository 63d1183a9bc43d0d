//===- Context/Text/DecisionsText.cpp - Decisions as text -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextLines.h"
#include "thermocline/Context/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

static constexpr char Header[] = "thermocline-decisions 1";

void thermocline::context::printDecisions(raw_ostream &OS,
                                          const ContextProgram &Program,
                                          const Decisions &Decided) {
  FunctionReferences Names(Program);
  OS << Header << '\n';
  for (size_t I = 0; I != Decided.NumVersions.size(); ++I)
    if (Decided.NumVersions[I] != 1)
      OS << "versions " << Names.reference(FunctionId(I)) << ' '
         << Decided.NumVersions[I] << '\n';
  for (size_t I = 0; I != Decided.Clones.size(); ++I) {
    const auto &Clones = Decided.Clones[I];
    FunctionId Caller = Program[CallsiteId(I)].Caller;
    if (Clones.size() == Decided.NumVersions[Caller.index()] &&
        all_of(Clones, [](uint32_t V) { return V == 0; }))
      continue;
    OS << "clones " << I << " :";
    for (uint32_t Version : Clones)
      OS << ' ' << Version;
    OS << '\n';
  }
  for (size_t I = 0; I != Decided.Hints.size(); ++I) {
    const auto &Hints = Decided.Hints[I];
    FunctionId Owner = Program[AllocationId(I)].Owner;
    if (Hints.size() == Decided.NumVersions[Owner.index()] &&
        all_of(Hints, [](Temperature T) { return T == Temperature::NotCold; }))
      continue;
    OS << "hints " << I << " :";
    for (Temperature Hint : Hints)
      OS << (Hint == Temperature::Cold ? " cold" : " notcold");
    OS << '\n';
  }
}

/// The largest number of versions that a text may ask for.
static constexpr uint64_t MostVersions = 1u << 20;

Expected<Decisions>
thermocline::context::parseDecisions(StringRef FileName, StringRef Text,
                                     const ContextProgram &Program) {
  FunctionReferences Names(Program);
  TextLines Lines(FileName, Text);
  if (Error E = Lines.expectHeader(Header))
    return std::move(E);
  Decisions Result;
  Result.NumVersions.assign(Program.numFunctions(), 1);
  Result.Clones.resize(Program.numCallsites());
  Result.Hints.resize(Program.numAllocations());
  std::vector<bool> HasClones(Program.numCallsites());
  std::vector<bool> HasHints(Program.numAllocations());

  while (true) {
    Expected<bool> More = Lines.next();
    if (!More)
      return More.takeError();
    if (!*More)
      break;
    if (Lines.accept("versions")) {
      Expected<FunctionId> F = Names.parse(Lines, "a function");
      if (!F)
        return F.takeError();
      Expected<uint32_t> Number =
          Lines.index("a number of versions", MostVersions);
      if (!Number)
        return Number.takeError();
      Result.NumVersions[F->index()] = *Number;
      if (Error E = Lines.expectEnd())
        return std::move(E);
    } else if (Lines.accept("clones")) {
      Expected<uint32_t> Callsite =
          Lines.index("a callsite", Program.numCallsites());
      if (!Callsite)
        return Callsite.takeError();
      if (Error E = Lines.expect(":"))
        return std::move(E);
      HasClones[*Callsite] = true;
      Result.Clones[*Callsite].clear();
      while (!Lines.atEnd()) {
        Expected<uint32_t> Version = Lines.index("a version", MostVersions);
        if (!Version)
          return Version.takeError();
        Result.Clones[*Callsite].push_back(*Version);
      }
    } else if (Lines.accept("hints")) {
      Expected<uint32_t> Allocation =
          Lines.index("an allocation", Program.numAllocations());
      if (!Allocation)
        return Allocation.takeError();
      if (Error E = Lines.expect(":"))
        return std::move(E);
      HasHints[*Allocation] = true;
      Result.Hints[*Allocation].clear();
      while (!Lines.atEnd()) {
        if (Lines.accept("cold")) {
          Result.Hints[*Allocation].push_back(Temperature::Cold);
          continue;
        }
        if (Error E = Lines.expect("notcold"))
          return std::move(E);
        Result.Hints[*Allocation].push_back(Temperature::NotCold);
      }
    } else {
      return Lines.error("a line must begin with versions, clones or hints");
    }
  }

  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (!HasClones[I])
      Result.Clones[I].assign(
          Result.NumVersions[Program[CallsiteId(I)].Caller.index()], 0);
  for (size_t I = 0; I != Program.numAllocations(); ++I)
    if (!HasHints[I])
      Result.Hints[I].assign(
          Result.NumVersions[Program[AllocationId(I)].Owner.index()],
          Temperature::NotCold);
  return Result;
}
