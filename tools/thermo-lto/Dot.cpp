//===- thermo-lto/Dot.cpp - Decisions as a picture ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Dot.h"
#include "Commands.h"
#include "View.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::run(const DotCommand &Command) {
  const ViewOptions &O = Command.View;
  Expected<lto::AuditedLink> Link = loadForView("dot", O);
  if (!Link)
    return Link.takeError();
  if (!Link->hasContexts())
    return fileError("dot", "the files hold no profiled contexts");
  std::vector<report::Sources> Sources = Link->sources();
  report::LinkView View(Sources);
  std::vector<report::Subject> Subjects;
  if (!Command.Around.empty()) {
    auto Found = report::findSubjects(View, Command.Around);
    if (!Found)
      return inFile("dot", Found.takeError());
    Subjects = std::move(*Found);
  }
  report::DotOptions Drawing;
  Drawing.MaxNodes = Command.MaxNodes;
  report::DotResult Drawn;
  if (Error E = writeOutput(O, [&](raw_ostream &OS) {
        Drawn = report::writeDot(View, Subjects, Drawing, OS);
      }))
    return std::move(E);
  if (Drawn.NodesLeftOut)
    WithColor::warning(errs(), "thermo-lto")
        << "dot: " << Drawn.NodesLeftOut
        << " versions of functions are left out; draw a part with "
           "--around=FUNCTION, or more with --max-nodes=N\n";
  return 0;
}
