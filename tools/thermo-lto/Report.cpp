//===- thermo-lto/Report.cpp - The page of a link -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "View.h"
#include "thermocline/Report/SourceLinks.h"
#include "thermocline/Report/Writers.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::run(const ReportCommand &Command) {
  const ViewOptions &O = Command.View;
  Expected<report::Measurements> Measured =
      report::readMeasurements(Command.Measured, Command.Pages);
  if (!Measured)
    return Measured.takeError();
  Expected<std::vector<report::SourceLink>> Sources =
      report::parseSourceLinks(Command.SourceUrls);
  if (!Sources)
    return Sources.takeError();
  Expected<lto::AuditedLink> Link =
      loadForView("report", O, /*FrameNames=*/true, Command.Measured);
  if (!Link)
    return Link.takeError();
  warnIfNoContexts("report", *Link);
  const report::ReportModel Model = modelOf(*Link, /*CloneCosts=*/true);
  Expected<std::optional<report::ProfileFacts>> Facts = factsOf(Model, *Link);
  if (!Facts)
    return Facts.takeError();
  report::WriteOptions Options;
  Options.Facts = *Facts ? &**Facts : nullptr;
  Options.Measured = &*Measured;
  Options.Sources = *Sources;
  if (Error E = writeOutput(
          O, [&](raw_ostream &OS) { report::writeHtml(Model, Options, OS); }))
    return std::move(E);
  return 0;
}
