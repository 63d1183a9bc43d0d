//===- Report/Page/WritePage.cpp - Pages as HTML files --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first screen and the figures are plain HTML, so that a page says
// something where scripts do not run. The rest is data, as JSON, from which the
// scripts of assets/ draw. The format of the data is theirs alone.
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Tools/Table.h"
#include "thermocline/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

/// The style and the scripts, as CMake embeds them.
namespace thermocline::report {
extern const char *const PageStyle;
extern const char *const PageScript;
} // namespace thermocline::report

static std::string escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

/// A JSON string in which no tag can begin or end.
static void printString(StringRef Text, raw_ostream &OS) {
  std::string Plain;
  raw_string_ostream(Plain) << json::Value(json::fixUTF8(Text));
  for (char C : Plain)
    if (C == '<' || C == '>' || C == '&')
      OS << "\\u00" << utohexstr(static_cast<uint8_t>(C), /*LowerCase=*/true);
    else
      OS << C;
}

static StringRef nameOf(PageClass C) {
  switch (C) {
  case PageClass::Gained:
    return "gained";
  case PageClass::Missed:
    return "missed";
  case PageClass::Kept:
    return "kept";
  case PageClass::Wrong:
    return "wrong";
  }
  llvm_unreachable("all classes have a name");
}

namespace {

/// Names of functions may be as long as their types. What is cut out of them is
/// counted. If there are very many long names, they are cut shorter.
constexpr size_t MaxNameLength = 240, MaxLaterLength = 24;
constexpr size_t MaxBytesOfNames = 1000 * 1000;

class DataWriter {
public:
  DataWriter(const PageModel &Page, raw_ostream &OS)
      : Page(Page), Reduced(reduce(Page)), OS(OS) {
    for (size_t I = 0; I != NumPageValues; ++I)
      if (Page.Known[I])
        Values.push_back(I);
    Frames.assign(Page.Frames.size(), -1);
  }
  void write();

private:
  uint32_t string(StringRef Text);
  int32_t frame(int32_t Number);
  void writeValues();
  void writeOutcomes();
  void writeSources();
  void writeTree(StringRef Name, const StackTree &Tree);
  void writeSums(StringRef Name, ArrayRef<SummedContexts> Sums);
  void writeContexts();
  void writeTypes();
  void writeBins();
  void writeTables();
  void printValues(const PageValues &Numbers) {
    for (size_t V : Values)
      OS << ',' << Numbers[V];
  }

  const PageModel &Page;
  const ReducedContexts Reduced;
  raw_ostream &OS;
  std::vector<size_t> Values;
  StringMap<uint32_t> StringNumbers;
  StringSet<> Shortened;
  size_t BytesOfNames = 0;
  std::vector<std::string> Strings;
  /// Numbers of frames as they are written, and those in that order.
  std::vector<int32_t> Frames;
  std::vector<size_t> FramesWritten;
};

} // namespace

uint32_t DataWriter::string(StringRef Text) {
  auto [Known, New] =
      StringNumbers.try_emplace(Text, static_cast<uint32_t>(Strings.size()));
  if (!New)
    return Known->second;
  std::string Short = Text.str();
  const size_t Most =
      BytesOfNames < MaxBytesOfNames ? MaxNameLength : MaxLaterLength;
  if (Text.size() > Most + MaxLaterLength) {
    const size_t Half = Most / 2;
    Short =
        (Text.take_front(Half) + " ...(" + formatCount(Text.size() - 2 * Half) +
         " more)... " + Text.take_back(Half))
            .str();
    // Names that differ stay different.
    if (!Shortened.insert(Short).second)
      Short += " #" + utostr(Strings.size());
  }
  BytesOfNames += Short.size();
  Strings.push_back(std::move(Short));
  return Known->second;
}

int32_t DataWriter::frame(int32_t Number) {
  // Negative for the function of a frame.
  if (Number < 0)
    return -1 - static_cast<int32_t>(string(
                    Page.Frames[static_cast<size_t>(-1 - Number)].Function));
  int32_t &Written = Frames[static_cast<size_t>(Number)];
  if (Written == -1) {
    Written = static_cast<int32_t>(FramesWritten.size());
    FramesWritten.push_back(static_cast<size_t>(Number));
  }
  return Written;
}

void DataWriter::writeValues() {
  OS << "\"values\":[";
  ListSeparator Comma(",");
  for (size_t V : Values) {
    OS << Comma << "[\"" << report::nameOf(static_cast<PageValue>(V)) << "\",\""
       << headingOf(static_cast<PageValue>(V)) << "\"]";
  }
  OS << "],\n";
}

void DataWriter::writeOutcomes() {
  OS << "\"kinds\":[";
  ListSeparator Next(",");
  for (PageClass C : {PageClass::Gained, PageClass::Missed, PageClass::Wrong,
                      PageClass::Kept}) {
    OS << Next << "[\"" << ::nameOf(C) << "\",";
    printString(Page.ClassTitles[static_cast<size_t>(C)], OS);
    OS << ']';
  }
  OS << "],\n\"outcomes\":[";
  ListSeparator Comma(",");
  for (const PageOutcome &O : Page.Outcomes) {
    OS << Comma << "[\"" << ::nameOf(O.Class) << "\",";
    printString(O.Name, OS);
    OS << ',';
    printString(O.Advice, OS);
    OS << ']';
  }
  OS << "],\n";
}

void DataWriter::writeSources() {
  OS << "\"sources\":[";
  ListSeparator Comma(",");
  for (const SourceLink &S : Page.Sources) {
    OS << Comma << '[';
    printString(S.Folder, OS);
    OS << ',';
    printString(S.Address, OS);
    OS << ']';
  }
  OS << "],\n";
}

void DataWriter::writeTree(StringRef Name, const StackTree &Tree) {
  OS << '"' << Name << "\":[";
  ListSeparator Comma(",");
  for (const StackTree::Node &N : Tree.Nodes)
    OS << Comma << N.Parent << ',' << frame(N.Frame);
  OS << "],\n";
}

void DataWriter::writeSums(StringRef Name, ArrayRef<SummedContexts> Sums) {
  OS << '"' << Name << "\":[";
  ListSeparator Comma(",");
  for (const SummedContexts &S : Sums) {
    OS << Comma << S.Node << ',' << S.Outcome << ',' << S.Contexts;
    printValues(S.Values);
  }
  OS << "],\n";
}

void DataWriter::writeContexts() {
  OS << "\"contexts\":[";
  ListSeparator Comma(",");
  for (const auto &[Index, Node] : Reduced.Listed) {
    const PageContext &C = Page.Contexts[Index];
    OS << Comma << Node << ',' << C.Outcome << ",1";
    printValues(C.Values);
  }
  OS << "],\n\"details\":[";
  ListSeparator Next(",\n");
  for (const auto &[Index, Node] : Reduced.Listed) {
    const PageContext &C = Page.Contexts[Index];
    OS << Next << '[';
    printString(C.Name, OS);
    OS << ",\"" << C.Heat << "\",";
    printString(C.Note, OS);
    OS << ']';
  }
  OS << "],\n";
}

/// Types of contexts, and of sums from the leaf; -1 for small ones.
void DataWriter::writeTypes() {
  if (Page.Types.empty())
    return;
  OS << "\"types\":[";
  ListSeparator Comma(",");
  for (const PageType &T : Page.Types)
    OS << Comma << string(T.Name) << ',' << T.Known << ',' << string(T.Advice);
  OS << "],\n\"contextTypes\":[";
  ListSeparator Next(",");
  for (const auto &[Index, Node] : Reduced.Listed)
    OS << Next << Page.Contexts[Index].Type;
  OS << "],\n\"leafTypes\":[";
  ListSeparator Last(",");
  for (const SummedContexts &S : Reduced.LeafSums)
    OS << Last << static_cast<int32_t>(S.Type);
  OS << "],\n";
}

void DataWriter::writeBins() {
  OS << "\"phases\":[";
  ListSeparator Comma(",");
  for (const PagePhase &P : Page.Phases) {
    OS << Comma << '[';
    printString(P.Name, OS);
    OS << ',' << truncated(P.BinMs * 1000) << ']';
  }
  OS << "],\n\"bins\":[";
  ListSeparator Next(",");
  for (const PageBin &B : Page.Bins)
    for (double Value : {B.Live, B.TouchedBefore, B.TouchedHot, B.TouchedCold})
      OS << Next << truncated(std::round(Value));
  OS << "],\n";
}

void DataWriter::writeTables() {
  OS << "\"frames\":[";
  ListSeparator Comma(",");
  for (size_t Number : FramesWritten) {
    const PageFrame &F = Page.Frames[Number];
    OS << Comma << string(F.Function) << ',' << string(F.File) << ',' << F.Line
       << ',' << string(F.Place);
  }
  // Names may be cut, so what they are of is told beside them.
  OS << "],\n\"library\":[";
  ListSeparator Also(",");
  DenseSet<uint32_t> Told;
  for (size_t Number : FramesWritten) {
    StringRef Function = Page.Frames[Number].Function;
    if (const uint32_t Name = string(Function);
        profile::isLibraryName(Function) && Told.insert(Name).second)
      OS << Also << Name;
  }
  OS << "],\n\"strings\":[";
  ListSeparator Next(",\n");
  for (const std::string &Text : Strings) {
    OS << Next;
    printString(Text, OS);
  }
  OS << "]";
}

void DataWriter::write() {
  uint64_t All = 0;
  for (const PageContext &C : Page.Contexts)
    All += C.Contexts;
  OS << "{\"all\":" << All << ",\n";
  writeValues();
  writeOutcomes();
  writeSources();
  writeTree("rootTree", Reduced.FromRoot);
  writeTree("leafTree", Reduced.FromLeaf);
  writeSums("rootSums", Reduced.RootSums);
  writeSums("leafSums", Reduced.LeafSums);
  writeContexts();
  writeTypes();
  writeBins();
  // Last, as the others enter what they refer to.
  writeTables();
  OS << "}\n";
}

static void writeBar(const PageModel &Page, raw_ostream &OS) {
  if (Page.Bar.empty())
    return;
  Bytes Whole;
  for (const PageShare &S : Page.Bar)
    Whole += S.Size;
  OS << "<figure class=\"gain\">\n<figcaption>" << escaped(Page.BarTitle)
     << "</figcaption>\n<div class=\"bar\" role=\"img\" aria-label=\""
     << escaped(Page.BarTitle) << "\">";
  for (const PageShare &S : Page.Bar)
    if (S.Size.count())
      OS << "<span class=\"" << nameOf(S.Class)
         << "\" style=\"flex-grow:" << S.Size.count() << "\" title=\""
         << escaped(S.Name) << ": " << formatBytes(S.Size) << "\"></span>";
  OS << "</div>\n<ul class=\"legend\">\n";
  for (const PageShare &S : Page.Bar)
    OS << "<li class=\"" << nameOf(S.Class) << "\"><b>" << formatBytes(S.Size)
       << "</b> " << escaped(S.Name) << ", "
       << formatPercent(S.Size.count(), Whole.count()) << "</li>\n";
  OS << "</ul>\n</figure>\n";
}

static void writeMeasured(const Measurements &Measured, raw_ostream &OS) {
  if (Measured.Pages) {
    const auto &[Unhinted, Hinted] = *Measured.Pages;
    OS << "<p class=\"measured\">Measured: " << formatBytes(Unhinted)
       << " of pages touched without hints, and " << formatBytes(Hinted)
       << " with them, " << formatPercent(Hinted.count(), Unhinted.count())
       << " of it.</p>\n";
  }
  if (Measured.Runs.empty())
    return;
  Table Runs = {
      .Columns = {
          {"measured run", "file"},
          {"hinted calls", "hintedCalls", ColumnKind::Count},
          {"bytes they asked for", "hintedBytes", ColumnKind::Bytes},
          {"of these in the cold heap", "coldBytes", ColumnKind::Bytes}}};
  for (const MeasuredRun &Run : Measured.Runs)
    Runs.add({Run.File, Run.HintedCalls, Run.Hinted, Run.Cold});
  Runs.writeHtml(OS, "plain measured");
}

void report::writePage(const PageModel &Page, raw_ostream &OS) {
  const std::string Title = escaped(Page.Title);
  OS << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
        "charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<meta name=\"color-scheme\" "
        "content=\"light dark\">\n<title>"
     << Title << "</title>\n<style>\n"
     << PageStyle << "</style>\n</head>\n<body>\n<header>\n<h1>" << Title
     << "</h1>\n<p class=\"subtitle\">" << escaped(Page.Subtitle) << "</p>\n";
  for (const std::string &Line : Page.Recorded)
    OS << "<p class=\"subtitle\">" << escaped(Line) << "</p>\n";
  for (auto [I, Sentence] : enumerate(Page.Sentences))
    OS << (I ? "<p>" : "<p class=\"lead\">") << escaped(Sentence) << "</p>\n";
  writeBar(Page, OS);
  writeMeasured(Page.Measured, OS);
  OS << "<nav id=\"links\"></nav>\n</header>\n<main id=\"views\"></main>\n";
  if (Page.Figures) {
    OS << "<section id=\"figures\">\n<h2>Figures</h2>\n";
    Page.Figures(OS);
    OS << "</section>\n";
  }
  OS << "<footer><p>";
  if (!Page.Made.empty())
    OS << escaped(Page.Made) << ' ';
  OS << "Thermocline " << version() << ", LLVM " LLVM_VERSION_STRING
     << ".</p></footer>\n"
     << "<noscript><p>The table, the flame graph and the picture of memory "
        "need scripts.</p></noscript>\n<script type=\"application/json\" "
        "id=\"data\">";
  DataWriter(Page, OS).write();
  OS << "</script>\n<script>\n"
     << PageScript << "</script>\n</body>\n</html>\n";
}
