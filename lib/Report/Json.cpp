//===- Report/Json.cpp - Reports as JSON ----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "thermocline/Support/Units.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static void writeFrames(json::OStream &J, StringRef Name,
                        ArrayRef<ReportFrame> Frames) {
  J.attributeArray(Name, [&] {
    for (const ReportFrame &F : Frames)
      J.object([&] {
        J.attribute("stackId", hexText(raw(F.Id)));
        if (F.Function.empty())
          return;
        J.attribute("function", json::fixUTF8(F.Function));
        J.attribute("lineOffset", F.LineOffset);
        J.attribute("column", F.Column);
      });
  });
}

static void writeContext(json::OStream &J, const ReportContext &C) {
  J.attribute("context", C.Id.index());
  if (C.FullStackId)
    J.attribute("id", hexText(C.FullStackId));
  J.attribute("owner", json::fixUTF8(C.Owner));
  if (!C.Place.empty())
    writeFrames(J, "place", C.Place);
  J.attribute("bytes", C.Size.count());
  if (C.Saved && C.Profiled == Temperature::Cold)
    J.attribute("savedBytes", C.Saved->count());
  J.attribute("cold", C.Profiled == Temperature::Cold);
  J.attribute("hintedCold", C.hintedCold());
  J.attribute("separable", C.Audited.Separable);
  J.attribute("outcome", C.Outcome);
  if (C.CollidesWith)
    J.attribute("collidesWith", C.CollidesWith.index());
  if (C.Measured) {
    J.attribute("byteMilliseconds", C.Measured->ByteMilliseconds);
    J.attribute("accesses", C.Measured->Accesses);
  }
  writeFrames(J, "frames", C.Frames);
}

static void writeCoverage(json::OStream &J, const ProfileCoverage &Coverage) {
  J.attribute("file", json::fixUTF8(Coverage.Profile));
  coverageTable(Coverage, Audience::Programs).writeJson(J);
  J.attributeArray("elsewhere", [&] {
    for (const BinaryShare &B : Coverage.Elsewhere)
      J.object([&] {
        J.attribute("binary", json::fixUTF8(B.Name));
        elsewhereTable(B).writeJson(J);
      });
  });
  J.attribute("savedElsewhere", Coverage.SavedElsewhere.count());
  J.attribute("coldBy", Coverage.ColdBy);
  J.attribute("modules", Coverage.Modules);
  J.attribute("modulesSoCompiled", Coverage.ModulesSoCompiled);
  J.attribute("placesOfColdLost", Coverage.PlacesOfColdLost);
  lossTable(Coverage).writeJson(J);
  machineCodeTable(Coverage).writeJson(J);
  J.attributeArray("lost", [&] {
    for (const LostContext &C : Coverage.Biggest)
      J.object([&] {
        J.attribute("id", hexText(C.FullStackId));
        J.attribute("bytes", C.Size.count());
        J.attribute("reason", describe(C.Reason));
        writeFrames(J, "frames", C.Frames);
      });
  });
}

static StringRef nameOf(ChosenOrder::Cause Reason) {
  switch (Reason) {
  case ChosenOrder::Cause::Profile:
    return "profile";
  case ChosenOrder::Cause::Option:
    return "option";
  case ChosenOrder::Cause::NoHint:
    return "no hint";
  case ChosenOrder::Cause::Compiler:
    return "compiler";
  }
  llvm_unreachable("all reasons are known");
}

static void writeSmallObjects(json::OStream &J, const ChosenOrder &Chosen) {
  J.attribute("choice", placement::nameOf(
                            Chosen.InOrder ? placement::OrderChoice::Order
                                           : placement::OrderChoice::Classes));
  J.attribute("by", nameOf(Chosen.Reason));
  if (!Chosen.Verdict)
    return;
  J.attribute("pagesRatio", Chosen.Verdict->Pages);
  J.attribute("pairsRatio", Chosen.Verdict->Pairs);
  J.attribute("replacedShare", Chosen.Verdict->Replaced);
}

/// The version of the keys. A greater one has others in place of some.
static constexpr unsigned JsonVersion = 1;

void report::writeJson(const ReportModel &Model, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attribute("version", JsonVersion);
    J.attribute("output", json::fixUTF8(Model.Output));
    J.attribute("decidedBy", json::fixUTF8(Model.DecidedBy));
    contextsTable(Model, Audience::Programs).writeJson(J);
    J.attribute("separableColdBytes", Model.separableColdBytes().count());
    if (Model.WorkingSet)
      J.attributeObject("workingSet", [&] {
        J.attribute("before", Model.WorkingSet->Before.count());
        J.attribute("after", Model.WorkingSet->After.count());
        J.attribute("goal", placement::nameOf(Model.WorkingSet->Goal));
        if (const auto &Other = Model.WorkingSet->Other)
          J.attributeObject("other", [&] {
            J.attribute("before", Other->first.count());
            J.attribute("after", Other->second.count());
          });
        J.attribute("savedInLink", Model.Savings.InLink.count());
        J.attribute("savedSeparable", Model.Savings.Separable.count());
        J.attribute("savedPerhaps", Model.Savings.Perhaps.count());
        J.attribute("savedHinted", Model.Savings.Hinted.count());
      });
    if (Model.SmallObjects)
      J.attributeObject("smallObjects",
                        [&] { writeSmallObjects(J, *Model.SmallObjects); });
    J.attribute("functions", Model.Functions);
    J.attribute("allocations", Model.Allocations);
    J.attribute("clones", Model.ClonesMade);
    J.attribute("functionsCloned", Model.FunctionsCloned);
    J.attribute("instructionsAdded", Model.InstructionsAdded);
    hintsTable(Model).writeJson(J);
    reasonsTable(Model).writeJson(J);
    J.attributeArray("malformed", [&] {
      for (const std::string &Message : Model.Malformed)
        J.value(json::fixUTF8(Message));
    });
    if (Model.Coverage)
      J.attributeObject("profile", [&] { writeCoverage(J, *Model.Coverage); });
    else
      J.attribute("profile", nullptr);
    J.attributeArray("contexts", [&] {
      for (const ReportContext &C : Model.Contexts)
        J.object([&] { writeContext(J, C); });
    });
  });
  OS << '\n';
}
