//===- Report/Text.cpp - Reports as text ----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "thermocline/Placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static constexpr StringLiteral FormatNames[] = {"text", "json", "html", "csv"};

StringRef report::nameOf(Format F) {
  return FormatNames[static_cast<size_t>(F)];
}

std::optional<Format> report::parseFormat(StringRef Name) {
  const auto *Known = llvm::find(FormatNames, Name);
  if (Known == std::end(FormatNames))
    return std::nullopt;
  return static_cast<Format>(Known - FormatNames);
}

Format report::formatForFile(StringRef FileName) {
  StringRef Extension = sys::path::extension(FileName);
  Extension.consume_front(".");
  if (Extension == "htm")
    return Format::Html;
  return parseFormat(Extension).value_or(Format::Text);
}

StringRef report::withoutProfileText() {
  return "Of the profile, only contexts that reached the link are counted; "
         "with "
         "--thinlto-memprof-profile=FILE (thermo-lto audit: --profile=FILE) "
         "the "
         "others are, too";
}

static void writeCoverage(const ProfileCoverage &Coverage, raw_ostream &OS) {
  coverageTable(Coverage, Audience::People).writeText(OS, {.Indent = 2});
  for (const BinaryShare &B : Coverage.Elsewhere)
    elsewhereTable(B).writeText(OS, {.Indent = 2});
  OS << Coverage.describeColdBy() << '\n';
  if (Coverage.Reasons.empty())
    return;
  OS << "Lost: "
     << formatPercent(Coverage.ColdLost.Size.count(),
                      Coverage.Cold.Size.count())
     << " of " << Coverage.coldBytesText() << ", at "
     << formatCount(Coverage.PlacesOfColdLost, "place")
     << ", are of no allocation in the link, because:\n";
  for (const LossCount &Loss : Coverage.Reasons)
    OS << "  " << describe(Loss.Reason) << ": "
       << formatCount(Loss.Count.Contexts, "context") << ", "
       << formatBytes(Loss.Count.Size) << "\n    " << advice(Loss.Reason)
       << '\n';
  if (!Coverage.MachineCode.empty())
    OS << "Lost in machine code:\n";
  for (const MachineCodeLoss &Loss : Coverage.MachineCode)
    OS << "  " << formatCount(Loss.Count.Contexts, "context") << ", "
       << formatBytes(Loss.Count.Size) << " in " << describe(Loss) << '\n';
}

std::vector<WorkingSetLine> report::workingSetLines(const ReportModel &Model) {
  const ProfileWorkingSet &Set = *Model.WorkingSet;
  auto Without = [&](Bytes Saved) {
    return Bytes(Set.Before.count() -
                 std::min(Set.Before.count(), Saved.count()));
  };
  std::vector<WorkingSetLine> Result = {
      {"without hints", Set.Before}, {"with all of the profile's", Set.After}};
  if (Model.Coverage && !Model.Coverage->Elsewhere.empty())
    Result.push_back(
        {"with all but other binaries'",
         std::min(Set.Before, Set.After + Model.Coverage->SavedElsewhere)});
  Result.push_back({"with all in the link", Without(Model.Savings.InLink)});
  Result.push_back(
      {"with all that can be told apart", Without(Model.Savings.Separable)});
  if (Model.Savings.Perhaps != Model.Savings.Hinted)
    Result.push_back({"with those of this link, or perhaps",
                      Without(Model.Savings.Perhaps)});
  Result.push_back({"with those of this link", Without(Model.Savings.Hinted)});
  return Result;
}

std::string report::describeWorkingSet(const ReportModel &Model) {
  const std::vector<WorkingSetLine> Lines = workingSetLines(Model);
  const Bytes Before = Lines.front().Size, After = Lines.back().Size;
  auto Share = [&](Bytes Saved) {
    return "-" + formatPercent(std::min(Before, Saved).count(), Before.count());
  };
  const PredictedSavings &Saved = Model.Savings;
  return formatBytes(Before) + " -> " + formatBytes(After) + " (" +
         Share(Saved.Hinted) +
         (Saved.Perhaps != Saved.Hinted ? ", perhaps " + Share(Saved.Perhaps)
                                        : "") +
         "), " + formatBytes(Model.WorkingSet->After) +
         " with all hints of the profile" +
         (Model.Coverage && Model.Coverage->SavedElsewhere.count()
              ? ", of which those of other binaries save " +
                    formatBytes(Model.Coverage->SavedElsewhere)
              : "");
}

std::string report::describeOtherHorizon(const ProfileWorkingSet &Set) {
  if (!Set.Other)
    return "";
  const auto [Before, After] = *Set.Other;
  return (Set.Goal == placement::Horizon::Burst ? "within windows "
                                                : "within bursts ") +
         placement::describe({static_cast<double>(Before.count()),
                              static_cast<double>(After.count())});
}

std::string ChosenOrder::text() const {
  const std::string Text = InOrder ? "in order of allocation" : "by size class";
  switch (Reason) {
  case Cause::Profile:
    return Text +
           (Verdict ? ", as the profile says: " + placement::reasonOf(*Verdict)
                    : ", as the profiles of the modules say");
  case Cause::Option:
    return Text + ", as an option says";
  case Cause::NoHint:
    return Text + ", as nothing is hinted";
  case Cause::Compiler:
    return Text + ", as stock clang compiles, which cannot ask for order";
  }
  llvm_unreachable("all reasons are known");
}

static void writeWorkingSet(const ReportModel &Model, raw_ostream &OS) {
  workingSetTable(Model).writeText(OS, {.Indent = 2});
  if (std::string Other = describeOtherHorizon(*Model.WorkingSet);
      !Other.empty())
    OS << "  with all hints of the profile, " << Other << '\n';
}

void report::writeSummary(const ReportModel &Model, raw_ostream &OS) {
  Table Contexts = contextsTable(Model, Audience::People);
  Contexts.Title = "Contexts" +
                   (Model.Output.empty() ? "" : " of " + Model.Output) +
                   ", decided by " + Model.DecidedBy;
  Contexts.writeText(OS, {.Indent = 2});
  OS << "Recall: "
     << formatPercent(Model.ColdToCold.Size.count(),
                      Model.separableColdBytes().count())
     << " of " << formatBytes(Model.separableColdBytes())
     << " of cold bytes that can be told apart\n"
     << "Clones: " << formatCount(Model.ClonesMade) << ", of "
     << formatCount(Model.FunctionsCloned) << " of "
     << formatCount(Model.Functions) << " functions; "
     << formatCount(Model.InstructionsAdded) << " instructions added\n";
  if (Model.SmallObjects)
    OS << "Small objects: " << Model.SmallObjects->text() << '\n';
  if (Model.WorkingSet)
    writeWorkingSet(Model, OS);
  if (!Model.HintsByKind.empty()) {
    OS << "Cold hints:";
    StringRef Separator = " ";
    for (const auto &[Kind, Count] : Model.HintsByKind) {
      OS << Separator << Kind << ' ' << formatCount(Count);
      Separator = ", ";
    }
    OS << '\n';
  }
  if (!Model.Reasons.empty())
    OS << "Cold without a hint, because:\n";
  for (const ReportReason &Reason : Model.Reasons)
    OS << "  " << Reason.Outcome << ": "
       << formatCount(Reason.Count.Contexts, "context") << ", "
       << formatBytes(Reason.Count.Size) << '\n';
  for (const std::string &Message : Model.Malformed)
    OS << "Malformed decision: " << Message << '\n';
  if (Model.Coverage)
    writeCoverage(*Model.Coverage, OS);
  else
    OS << withoutProfileText() << '\n';
}

/// Whether the hint of \p C is what the profile asks for.
static bool isAsItShouldBe(const ReportContext &C) {
  return C.hintedCold() == (C.Profiled == Temperature::Cold);
}

static void writeFrames(ArrayRef<ReportFrame> Frames, raw_ostream &OS) {
  for (const ReportFrame &F : Frames)
    OS << "    " << frameText(F) << '\n';
}

static void writeLost(const LostContext &C, raw_ostream &OS) {
  OS << "\nlost: " << describe(C.Reason) << ", " << formatBytes(C.Size)
     << ", id " << hexText(C.FullStackId) << '\n';
  writeFrames(C.Frames, OS);
}

static void writeContext(const ReportContext &C, raw_ostream &OS) {
  OS << "\ncontext " << C.Id.index() << ": " << C.Outcome;
  if (C.CollidesWith)
    OS << " (context " << C.CollidesWith.index() << ')';
  OS << ", " << formatBytes(C.Size);
  if (C.Saved && C.Profiled == Temperature::Cold)
    OS << ", saves " << formatBytes(*C.Saved);
  if (C.FullStackId)
    OS << ", id " << hexText(C.FullStackId);
  OS << "\n    allocated in " << C.Owner;
  if (!C.Place.empty())
    OS << ", at " << framesText(C.Place);
  OS << '\n';
  writeFrames(C.Frames, OS);
}

void report::writeText(const ReportModel &Model, const WriteOptions &Options,
                       raw_ostream &OS) {
  writeSummary(Model, OS);
  size_t Listed = 0, Left = 0;
  for (const ReportContext &C : Model.Contexts) {
    if (!Options.ListAll && isAsItShouldBe(C))
      continue;
    if (Listed == Options.MaxContexts) {
      ++Left;
      continue;
    }
    ++Listed;
    writeContext(C, OS);
  }
  if (Left)
    OS << "\n... and " << formatCount(Left, "more context") << "\n";
  if (!Model.Coverage)
    return;
  ArrayRef<LostContext> Lost = Model.Coverage->Biggest;
  for (const LostContext &C : Lost.take_front(Options.MaxContexts))
    writeLost(C, OS);
  if (uint64_t All = Model.Coverage->ColdLost.Contexts;
      All > std::min(Lost.size(), Options.MaxContexts))
    OS << "\n... and "
       << formatCount(All - std::min(Lost.size(), Options.MaxContexts),
                      "more lost context")
       << "\n";
}

void report::write(const ReportModel &Model, Format As,
                   const WriteOptions &Options, raw_ostream &OS) {
  switch (As) {
  case Format::Text:
    return writeText(Model, Options, OS);
  case Format::Json:
    return writeJson(Model, OS);
  case Format::Html:
    return writeHtml(Model, Options, OS);
  case Format::Csv:
    return contextList(Model).writeCsv(OS);
  }
  llvm_unreachable("all formats have a writer");
}
