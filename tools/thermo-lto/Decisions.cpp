//===- thermo-lto/Decisions.cpp - What was decided, item by item ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "View.h"
#include "thermocline/Report/DecisionList.h"
#include "thermocline/Support/Errors.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::run(const DecisionsCommand &Command) {
  const ViewOptions &O = Command.View;
  Expected<report::Format> Format =
      formatOf(O, {report::Format::Text, report::Format::Json});
  if (!Format)
    return Format.takeError();
  Expected<lto::AuditedLink> Link = loadForView("decisions", O);
  if (!Link)
    return Link.takeError();
  warnIfNoContexts("decisions", *Link);
  if (Error E = writeOutput(O, [&](raw_ostream &OS) {
        report::write(report::listDecisions(Link->sources()), *Format, OS);
      }))
    return std::move(E);
  return 0;
}
