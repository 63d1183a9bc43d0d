//===- Report/Writers.h - Reports as text, JSON and HTML --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a report model. The same model gives the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_WRITERS_H
#define THERMOCLINE_REPORT_WRITERS_H

#include "thermocline/Report/Model.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::report {

enum class Format : uint8_t { Text, Json, Html, Csv };

/// "text", "json", "html" or "csv".
llvm::StringRef nameOf(Format F);
/// Parses "text", "json", "html" or "csv".
std::optional<Format> parseFormat(llvm::StringRef Name);
/// The format for a file, by the extension of its name: .json, .html, .csv;
/// text otherwise.
Format formatForFile(llvm::StringRef FileName);

struct WriteOptions {
  /// The most contexts listed in text; the rest is counted in a last line.
  size_t MaxContexts = 20;
  /// Whether text lists contexts that are as they should be.
  bool ListAll = false;
  /// What a page for a browser adds; may be null.
  const struct ProfileFacts *Facts = nullptr;
  const struct Measurements *Measured = nullptr;
  llvm::ArrayRef<struct SourceLink> Sources = {};
};

/// A sentence that says what a report cannot tell without a profile, and how to
/// give one.
llvm::StringRef withoutProfileText();

/// A line of the prediction of a model that has one.
struct WorkingSetLine {
  llvm::StringRef Name;
  Bytes Size;
};

/// The lines of the prediction, in the order to print.
std::vector<WorkingSetLine> workingSetLines(const ReportModel &Model);

/// "19.1 MiB -> 8.9 MiB (-53.4 %), 8.4 MiB with all hints of the profile", of a
/// model that has a prediction.
std::string describeWorkingSet(const ReportModel &Model);

/// Writes the summary that a link prints at its end: the table of contexts and
/// bytes, recall, clones and reasons.
void writeSummary(const ReportModel &Model, llvm::raw_ostream &OS);

/// Writes the summary, then contexts with their frames, then lost ones.
void writeText(const ReportModel &Model, const WriteOptions &Options,
               llvm::raw_ostream &OS);
/// Writes one JSON object with all contexts. docs/report.md describes its keys.
void writeJson(const ReportModel &Model, llvm::raw_ostream &OS);
/// Writes the page of a link (Report/Page.h), with the summary as its figures.
void writeHtml(const ReportModel &Model, const WriteOptions &Options,
               llvm::raw_ostream &OS);

/// Writes it in any format; CSV has a row for each context.
void write(const ReportModel &Model, Format As, const WriteOptions &Options,
           llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
