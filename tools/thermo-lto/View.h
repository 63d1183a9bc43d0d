//===- thermo-lto/View.h - What commands that look share --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the subcommands audit, decisions, explain and dot share: each of them
// reads a link, looks at it, and writes one output.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_VIEW_H
#define THERMOCLINE_TOOLS_THERMO_LTO_VIEW_H

#include "Commands.h"
#include "inspect/AuditedLink.h"
#include "thermocline/Report/Page.h"
#include "thermocline/Report/Writers.h"

namespace thermocline::tools {

/// The format that \p O asks for. It is an error if that is none of \p Known.
llvm::Expected<report::Format> formatOf(const ViewOptions &O,
                                        llvm::ArrayRef<report::Format> Known);

/// Reads the inputs and lets the engine decide, with the options of the link.
/// \p Command is for the error that there are none. \p FrameNames asks for the
/// frames of the modules. The output must be none of \p OtherInputs either.
llvm::Expected<lto::AuditedLink>
loadForView(llvm::StringRef Command, const ViewOptions &O,
            bool FrameNames = false,
            llvm::ArrayRef<std::string> OtherInputs = {});

/// Warns if nothing in \p Link has a profiled context, as in code that was
/// optimized already: a table of zeros would look like a good result.
void warnIfNoContexts(llvm::StringRef Command, const lto::AuditedLink &Link);

/// The model of the report of \p Link, from which it takes the coverage.
report::ReportModel modelOf(lto::AuditedLink &Link, bool CloneCosts);

/// What the profile of \p Link knows; nothing if it has none.
llvm::Expected<std::optional<report::ProfileFacts>>
factsOf(const report::ReportModel &Model, const lto::AuditedLink &Link);

/// Writes the output file, or standard output.
llvm::Error writeOutput(const ViewOptions &O,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace thermocline::tools

#endif
