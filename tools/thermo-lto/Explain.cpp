//===- thermo-lto/Explain.cpp - Why it was decided so ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Explain.h"
#include "Commands.h"
#include "View.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::run(ExplainCommand Command) {
  ViewOptions &O = Command.View;
  if (O.Inputs.size() < 2)
    return fileError("explain", "give what to explain, then the files: "
                                "FUNCTION, FUNCTION:LINE, FUNCTION#ALLOCATION, "
                                "a context's number, or 0xID");
  std::string Query = O.Inputs.front();
  O.Inputs.erase(O.Inputs.begin());
  Expected<lto::AuditedLink> Link = loadForView("explain", O);
  if (!Link)
    return Link.takeError();
  std::vector<report::Sources> Sources = Link->sources();
  if (Sources.empty())
    return fileError("explain", "the files hold no profiled contexts");
  report::LinkView View(Sources);
  View.Model.Coverage = std::move(Link->Coverage);
  View.Model.WorkingSet = Link->WorkingSet;
  auto Subjects = report::findSubjects(View, Query);
  if (!Subjects)
    return inFile("explain", Subjects.takeError());
  if (Error E = writeOutput(O, [&](raw_ostream &OS) {
        OS << "Decided by " << Link->DecidedBy << "\n";
        for (const report::Subject &S : *Subjects) {
          OS << '\n';
          report::explain(View, S, OS);
        }
      }))
    return std::move(E);
  return 0;
}
