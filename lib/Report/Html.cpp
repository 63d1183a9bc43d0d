//===- Report/Html.cpp - Reports as pages for a browser -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures of the summary, as plain tables of a page.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Page.h"
#include "thermocline/Report/Writers.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

static void writeCells(ArrayRef<std::pair<std::string, const AuditCell *>> Rows,
                       raw_ostream &OS) {
  for (const auto &[Name, Cell] : Rows)
    OS << "<tr><td>" << escaped(Name) << "</td><td class=\"number\">"
       << formatCount(Cell->Contexts) << "</td><td class=\"number\">"
       << formatBytes(Cell->Size) << "</td></tr>\n";
}

static void writeCoverage(const ProfileCoverage &Coverage, raw_ostream &OS) {
  OS << "<table>\n<tr><th>Contexts of " << escaped(Coverage.Profile)
     << "</th><th>Contexts</th><th>Bytes</th></tr>\n";
  writeCells({{"cold", &Coverage.Cold},
              {"cold, lost: of no allocation in the link", &Coverage.ColdLost},
              {"cold, but not so compiled", &Coverage.ColdAsNotCold},
              {"not cold", &Coverage.NotCold},
              {"not cold, lost", &Coverage.NotColdLost},
              {"not cold, but not so compiled", &Coverage.NotColdAsCold}},
             OS);
  for (const BinaryShare &B : Coverage.Elsewhere)
    writeCells({{"cold in " + B.Name + ", for its own link", &B.Cold},
                {"not cold in " + B.Name, &B.NotCold}},
               OS);
  OS << "</table>\n<p>" << escaped(Coverage.describeColdBy()) << ".</p>\n";
  if (Coverage.Reasons.empty())
    return;
  OS << "<p class=\"missed\">Lost: "
     << formatPercent(Coverage.ColdLost.Size.count(),
                      Coverage.Cold.Size.count())
     << " of " << Coverage.coldBytesText() << ", at "
     << formatCount(Coverage.PlacesOfColdLost, "place")
     << ".</p>\n<table>\n<tr><th>Lost, because</th><th>Contexts</th>"
        "<th>Bytes</th></tr>\n";
  for (const LossCount &Loss : Coverage.Reasons)
    writeCells({{(describe(Loss.Reason) + ". " + advice(Loss.Reason)).str(),
                 &Loss.Count}},
               OS);
  OS << "</table>\n";
  if (Coverage.MachineCode.empty())
    return;
  OS << "<table>\n<tr><th>Lost in machine code of</th><th>Contexts</th>"
        "<th>Bytes</th></tr>\n";
  for (const MachineCodeLoss &Loss : Coverage.MachineCode)
    writeCells({{describe(Loss), &Loss.Count}}, OS);
  OS << "</table>\n";
}

static void writeSummary(const ReportModel &Model, raw_ostream &OS) {
  OS << "<p>Decided by " << escaped(Model.DecidedBy) << ". Recall: "
     << formatPercent(Model.ColdToCold.Size.count(),
                      Model.separableColdBytes().count())
     << " of " << formatBytes(Model.separableColdBytes())
     << " of cold bytes that can be told apart. Clones: "
     << formatCount(Model.ClonesMade) << ", of "
     << formatCount(Model.FunctionsCloned) << " of "
     << formatCount(Model.Functions) << " functions; "
     << formatCount(Model.InstructionsAdded) << " instructions added.</p>\n";
  OS << "<table>\n<tr><th>Profiled &rarr; hinted</th><th>Contexts</th>"
        "<th>Bytes</th></tr>\n";
  writeCells({{"cold to cold", &Model.ColdToCold}}, OS);
  if (Model.ColdIfPointer.Contexts)
    writeCells({{"cold, by its pointer", &Model.ColdIfPointer}}, OS);
  writeCells({{"cold to not cold", &Model.ColdToNotCold},
              {"not cold to cold", &Model.NotColdToCold},
              {"not cold to not cold", &Model.NotColdToNotCold}},
             OS);
  OS << "</table>\n";
  if (Model.WorkingSet) {
    OS << "<table>\n<tr><th>Predicted working set</th><th>Bytes</th></tr>\n";
    for (const WorkingSetLine &Line : workingSetLines(Model))
      OS << "<tr><td>" << escaped(Line.Name) << "</td><td class=\"number\">"
         << formatBytes(Line.Size) << "</td></tr>\n";
    OS << "</table>\n";
  }
  if (!Model.HintsByKind.empty()) {
    OS << "<table>\n<tr><th>Kind of call</th><th>Cold hints</th></tr>\n";
    for (const auto &[Kind, Count] : Model.HintsByKind)
      OS << "<tr><td>" << escaped(Kind) << "</td><td class=\"number\">"
         << formatCount(Count) << "</td></tr>\n";
    OS << "</table>\n";
  }
  if (!Model.Reasons.empty()) {
    OS << "<table>\n<tr><th>Cold without a hint, because</th>"
          "<th>Contexts</th><th>Bytes</th></tr>\n";
    for (const ReportReason &Reason : Model.Reasons)
      writeCells({{Reason.Outcome, &Reason.Count}}, OS);
    OS << "</table>\n";
  }
  for (const std::string &Message : Model.Malformed)
    OS << "<p class=\"wrong\">Malformed decision: " << escaped(Message)
       << "</p>\n";
  if (Model.Coverage)
    writeCoverage(*Model.Coverage, OS);
  else
    OS << "<p>" << escaped(withoutProfileText()) << ".</p>\n";
}

void report::writeHtml(const ReportModel &Model, const WriteOptions &Options,
                       raw_ostream &OS) {
  PageModel Page = pageOf(Model, Options.Facts);
  if (Options.Measured)
    Page.Measured = *Options.Measured;
  Page.Sources = Options.Sources.vec();
  Page.Figures = [&Model](raw_ostream &To) { ::writeSummary(Model, To); };
  writePage(Page, OS);
}
