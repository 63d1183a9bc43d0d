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

#include "Page/Escaped.h"
#include "Tables.h"
#include "thermocline/Report/Page.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

static void writeCoverage(const ProfileCoverage &Coverage, raw_ostream &OS) {
  coverageTable(Coverage, Audience::People).writeHtml(OS);
  for (const BinaryShare &B : Coverage.Elsewhere)
    elsewhereTable(B).writeHtml(OS);
  OS << "<p>" << escaped(Coverage.describeColdBy()) << ".</p>\n";
  if (Coverage.Reasons.empty())
    return;
  OS << "<p class=\"missed\">Lost: "
     << formatPercent(Coverage.ColdLost.Size.count(),
                      Coverage.Cold.Size.count())
     << " of " << Coverage.coldBytesText() << ", at "
     << formatCount(Coverage.PlacesOfColdLost, "place") << ".</p>\n";
  lossTable(Coverage).writeHtml(OS);
  if (!Coverage.MachineCode.empty())
    machineCodeTable(Coverage).writeHtml(OS);
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
  contextsTable(Model, Audience::People).writeHtml(OS);
  if (Model.WorkingSet) {
    workingSetTable(Model).writeHtml(OS);
    if (std::string Other = describeOtherHorizon(*Model.WorkingSet);
        !Other.empty())
      OS << "<p>With all hints of the profile, " << escaped(Other) << ".</p>\n";
  }
  if (!Model.HintsByKind.empty())
    hintsTable(Model).writeHtml(OS);
  if (!Model.Reasons.empty())
    reasonsTable(Model).writeHtml(OS);
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
