//===- Report/Writers.h - Reports as text, JSON and HTML --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a report model. Same model, same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_WRITERS_H
#define THERMOCLINE_REPORT_WRITERS_H

#include "thermocline/Report/Model.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace thermocline::report {

enum class Format : uint8_t { Text, Json, Html };

/// "text", "json", "html".
std::optional<Format> parseFormat(llvm::StringRef Name);
/// By the file name's extension: .json, .html; text otherwise.
Format formatForFile(llvm::StringRef FileName);

struct WriteOptions {
  /// Contexts listed in text; the rest is counted in a last line.
  size_t MaxContexts = 20;
  /// Whether text lists contexts that are as they should be.
  bool ListAll = false;
};

/// What a report cannot tell without a profile, and what would.
llvm::StringRef withoutProfileText();

/// The table of contexts and bytes, recall, clones and reasons: what a link
/// prints at its end.
void writeSummary(const ReportModel &Model, llvm::raw_ostream &OS);

/// The summary, then contexts with their frames, then lost ones.
void writeText(const ReportModel &Model, const WriteOptions &Options,
               llvm::raw_ostream &OS);
/// One JSON object; docs/report.md describes its keys. All contexts.
void writeJson(const ReportModel &Model, llvm::raw_ostream &OS);
/// One self-contained file with a table that sorts. All contexts.
void writeHtml(const ReportModel &Model, llvm::raw_ostream &OS);

void write(const ReportModel &Model, Format As, const WriteOptions &Options,
           llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
