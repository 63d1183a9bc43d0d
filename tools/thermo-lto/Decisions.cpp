//===- thermo-lto/Decisions.cpp - What was decided, item by item ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "View.h"
#include "inspect/ObjectInspector.h"
#include "thermocline/Report/DecisionList.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

/// What is in \p Files, if all are code of a link that is done; nothing if none
/// is.
static Expected<std::vector<report::CodeList>>
readCodeFiles(ArrayRef<std::string> Files) {
  std::vector<report::CodeList> Result;
  for (const std::string &File : Files) {
    auto Buffer = openInput(File);
    if (!Buffer)
      return Buffer.takeError();
    auto Code = lto::readCode(**Buffer);
    if (!Code)
      return Code.takeError();
    if (*Code)
      Result.push_back(std::move(**Code));
  }
  if (!Result.empty() && Result.size() != Files.size())
    return fileError(Result.front().File,
                     "is finished code, others of the files are not; give the "
                     "one or the other");
  return Result;
}

Expected<int> thermocline::tools::run(const DecisionsCommand &Command) {
  const ViewOptions &O = Command.View;
  Expected<report::Format> Format =
      formatOf(O, {report::Format::Text, report::Format::Json});
  if (!Format)
    return Format.takeError();
  if (Error E = checkFiles(O))
    return std::move(E);
  auto Code = readCodeFiles(O.Inputs);
  if (!Code)
    return Code.takeError();
  if (!Code->empty()) {
    if (Error E = writeOutput(O, [&](raw_ostream &OS) {
          for (const report::CodeList &File : *Code)
            report::write(File, *Format, OS);
        }))
      return std::move(E);
    return 0;
  }
  Expected<lto::AuditedLink> Link = loadForView("decisions", O);
  if (!Link)
    return Link.takeError();
  if (Error E = writeOutput(O, [&](raw_ostream &OS) {
        report::write(report::listDecisions(Link->sources()), *Format, OS);
      }))
    return std::move(E);
  return 0;
}
