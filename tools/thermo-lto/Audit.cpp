//===- thermo-lto/Audit.cpp - Where every context ends --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "View.h"
#include "thermocline/Report/Writers.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::run(const AuditCommand &Command) {
  const ViewOptions &O = Command.View;
  Expected<report::Format> Format =
      formatOf(O, {report::Format::Text, report::Format::Json,
                   report::Format::Html, report::Format::Csv});
  if (!Format)
    return Format.takeError();
  Expected<lto::AuditedLink> Link = loadForView("audit", O);
  if (!Link)
    return Link.takeError();
  warnIfNoContexts("audit", *Link);
  const report::ReportModel Model =
      modelOf(*Link, *Format == report::Format::Html);
  report::WriteOptions Listing;
  std::optional<report::ProfileFacts> Facts;
  if (*Format == report::Format::Html) {
    if (Error E = factsOf(Model, *Link).moveInto(Facts))
      return std::move(E);
    Listing.Facts = Facts ? &*Facts : nullptr;
  }
  Listing.MaxContexts = Command.MaxContexts;
  Listing.ListAll = Command.ListAll;
  if (Error E = writeOutput(O, [&](raw_ostream &OS) {
        report::write(Model, *Format, Listing, OS);
      }))
    return std::move(E);
  return Link->isSafe() ? 0 : 1;
}
