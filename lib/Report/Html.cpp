//===- Report/Html.cpp - Reports as one HTML file -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file needs nothing beside it and no network. Without scripts it is a
// plain table, bytes descending; with them, a click on a heading sorts.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackIds.h"
#include "thermocline/Report/Writers.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static constexpr StringLiteral Head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Heap contexts</title>
<style>
body { font: 14px/1.4 sans-serif; margin: 2em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #ccc; padding: 0.2em 0.6em; text-align: left; vertical-align: top; }
th { background: #eee; }
.sortable th { cursor: pointer; }
.number { text-align: right; white-space: nowrap; }
.missed { background: #fff3cd; }
.wrong { background: #f8d7da; }
ol { margin: 0; padding-left: 1.5em; font-family: monospace; }
</style>
</head>
<body>
)";

static constexpr StringLiteral Tail = R"(<script>
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("th").forEach((heading, column) => {
    let direction = 1;
    heading.addEventListener("click", () => {
      const body = table.tBodies[0];
      const key = row => row.cells[column].dataset.sort ?? row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => direction *
        key(a).localeCompare(key(b), "en", {numeric: true}));
      direction = -direction;
      body.append(...rows);
    });
  });
}
</script>
</body>
</html>
)";

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
  OS << "<h1>Heap contexts";
  if (!Model.Output.empty())
    OS << " of " << escaped(Model.Output);
  OS << "</h1>\n<p>Decided by " << escaped(Model.DecidedBy) << ". Recall: "
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
  writeCells({{"cold to cold", &Model.ColdToCold},
              {"cold to not cold", &Model.ColdToNotCold},
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

static void writeFrames(ArrayRef<ReportFrame> Frames, raw_ostream &OS) {
  for (const ReportFrame &F : Frames) {
    OS << "<li>";
    if (F.Function.empty())
      OS << "call 0x" << utohexstr(raw(F.Id), /*LowerCase=*/true);
    else
      OS << escaped(F.Function) << ' '
         << profile::describePlace(F.LineOffset, F.Column);
    OS << "</li>";
  }
}

static void writeContext(const ReportContext &C, raw_ostream &OS) {
  const bool Cold = C.Profiled == Temperature::Cold;
  StringRef Class = Cold == C.hintedCold() ? "" : Cold ? "missed" : "wrong";
  OS << "<tr";
  if (!Class.empty())
    OS << " class=\"" << Class << '"';
  OS << "><td class=\"number\">" << C.Id.index()
     << "</td><td class=\"number\" data-sort=\"" << C.Size.count() << "\">"
     << formatBytes(C.Size) << "</td><td>" << (Cold ? "cold" : "not cold")
     << "</td><td>" << escaped(C.Outcome);
  if (C.CollidesWith)
    OS << " (context " << C.CollidesWith.index() << ')';
  OS << "</td><td>" << escaped(C.Owner);
  if (!C.Place.empty())
    OS << "<br>at " << escaped(framesText(C.Place));
  OS << "</td><td><ol>";
  writeFrames(C.Frames, OS);
  OS << "</ol></td></tr>\n";
}

/// The biggest lost contexts, with the frames from the allocation on.
static void writeLost(const ProfileCoverage &Coverage, raw_ostream &OS) {
  if (Coverage.Biggest.empty())
    return;
  OS << "<h2>Lost cold contexts";
  if (Coverage.Biggest.size() < Coverage.ColdLost.Contexts)
    OS << ", the " << formatCount(Coverage.Biggest.size()) << " biggest of "
       << formatCount(Coverage.ColdLost.Contexts);
  OS << "</h2>\n<table class=\"sortable\">\n<thead><tr><th>Id</th>"
        "<th>Bytes</th><th>Reason</th><th>Allocated in, called from</th></tr>"
        "</thead>\n<tbody>\n";
  for (const LostContext &C : Coverage.Biggest) {
    OS << "<tr class=\"missed\"><td>0x"
       << utohexstr(C.FullStackId, /*LowerCase=*/true)
       << "</td><td class=\"number\" data-sort=\"" << C.Size.count() << "\">"
       << formatBytes(C.Size) << "</td><td>" << escaped(describe(C.Reason))
       << "</td><td><ol>";
    writeFrames(C.Frames, OS);
    OS << "</ol></td></tr>\n";
  }
  OS << "</tbody>\n</table>\n";
}

void report::writeHtml(const ReportModel &Model, raw_ostream &OS) {
  OS << Head;
  ::writeSummary(Model, OS);
  OS << "<table class=\"sortable\">\n<thead><tr><th>Context</th>"
        "<th>Bytes</th><th>Profiled</th><th>Outcome</th>"
        "<th>Allocated in</th><th>Called from</th></tr></thead>\n<tbody>\n";
  for (const ReportContext &C : Model.Contexts)
    writeContext(C, OS);
  OS << "</tbody>\n</table>\n";
  if (Model.Coverage)
    writeLost(*Model.Coverage, OS);
  OS << Tail;
}
