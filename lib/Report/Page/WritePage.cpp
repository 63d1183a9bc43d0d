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

#include "Escaped.h"
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

std::string report::escaped(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
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
      : Page(Page), Reduced(reduce(Page)), J(OS) {
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
  /// Adds several elements to the array that is open, in this order.
  void add(std::initializer_list<json::Value> Elements) {
    for (const json::Value &Element : Elements)
      J.value(Element);
  }
  void addValues(const PageValues &Numbers) {
    for (size_t V : Values)
      J.value(Numbers[V]);
  }

  const PageModel &Page;
  const ReducedContexts Reduced;
  json::OStream J;
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
  J.attributeArray("values", [&] {
    for (size_t V : Values)
      J.value({report::nameOf(static_cast<PageValue>(V)),
               headingOf(static_cast<PageValue>(V))});
  });
}

void DataWriter::writeOutcomes() {
  J.attributeArray("kinds", [&] {
    for (PageClass C : {PageClass::Gained, PageClass::Missed, PageClass::Wrong,
                        PageClass::Kept})
      J.value({::nameOf(C),
               json::fixUTF8(Page.ClassTitles[static_cast<size_t>(C)])});
  });
  J.attributeArray("outcomes", [&] {
    for (const PageOutcome &O : Page.Outcomes)
      J.value(
          {::nameOf(O.Class), json::fixUTF8(O.Name), json::fixUTF8(O.Advice)});
  });
}

void DataWriter::writeSources() {
  J.attributeArray("sources", [&] {
    for (const SourceLink &S : Page.Sources)
      J.value({json::fixUTF8(S.Folder), json::fixUTF8(S.Address)});
  });
}

void DataWriter::writeTree(StringRef Name, const StackTree &Tree) {
  J.attributeArray(Name, [&] {
    for (const StackTree::Node &N : Tree.Nodes)
      add({N.Parent, frame(N.Frame)});
  });
}

void DataWriter::writeSums(StringRef Name, ArrayRef<SummedContexts> Sums) {
  J.attributeArray(Name, [&] {
    for (const SummedContexts &S : Sums) {
      add({S.Node, S.Outcome, S.Contexts});
      addValues(S.Values);
    }
  });
}

void DataWriter::writeContexts() {
  J.attributeArray("contexts", [&] {
    for (const auto &[Index, Node] : Reduced.Listed) {
      add({Node, Page.Contexts[Index].Outcome, 1});
      addValues(Page.Contexts[Index].Values);
    }
  });
  J.attributeArray("details", [&] {
    for (const auto &[Index, Node] : Reduced.Listed) {
      const PageContext &C = Page.Contexts[Index];
      J.value({json::fixUTF8(C.Name), C.Heat, json::fixUTF8(C.Note)});
    }
  });
}

/// Types of contexts, and of sums from the leaf; -1 for small ones.
void DataWriter::writeTypes() {
  if (Page.Types.empty())
    return;
  J.attributeArray("types", [&] {
    for (const PageType &T : Page.Types)
      add({string(T.Name), static_cast<int>(T.Known), string(T.Advice)});
  });
  J.attributeArray("contextTypes", [&] {
    for (const auto &[Index, Node] : Reduced.Listed)
      J.value(Page.Contexts[Index].Type);
  });
  J.attributeArray("leafTypes", [&] {
    for (const SummedContexts &S : Reduced.LeafSums)
      J.value(static_cast<int32_t>(S.Type));
  });
}

void DataWriter::writeBins() {
  J.attributeArray("phases", [&] {
    for (const PagePhase &P : Page.Phases)
      J.value({json::fixUTF8(P.Name), truncated(P.BinMs * 1000)});
  });
  J.attributeArray("bins", [&] {
    for (const PageBin &B : Page.Bins)
      for (double Value :
           {B.Live, B.TouchedBefore, B.TouchedHot, B.TouchedCold})
        J.value(truncated(std::round(Value)));
  });
}

void DataWriter::writeTables() {
  J.attributeArray("frames", [&] {
    for (size_t Number : FramesWritten) {
      const PageFrame &F = Page.Frames[Number];
      add({string(F.Function), string(F.File), F.Line, string(F.Place)});
    }
  });
  // Names may be cut, so what they are of is told beside them.
  J.attributeArray("library", [&] {
    DenseSet<uint32_t> Told;
    for (size_t Number : FramesWritten) {
      StringRef Function = Page.Frames[Number].Function;
      if (const uint32_t Name = string(Function);
          profile::isLibraryName(Function) && Told.insert(Name).second)
        J.value(Name);
    }
  });
  J.attributeArray("strings", [&] {
    for (const std::string &Text : Strings)
      J.value(json::fixUTF8(Text));
  });
}

void DataWriter::write() {
  uint64_t All = 0;
  for (const PageContext &C : Page.Contexts)
    All += C.Contexts;
  J.object([&] {
    J.attribute("all", All);
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
  });
}

/// Writes the data so that no tag begins or ends in it. What would do so is in
/// strings of JSON only, which can have it by its number.
static void writeData(const PageModel &Page, raw_ostream &OS) {
  std::string Data;
  raw_string_ostream DataOS(Data);
  DataWriter(Page, DataOS).write();
  for (char C : Data)
    if (C == '<' || C == '>' || C == '&')
      OS << "\\u00" << utohexstr(static_cast<uint8_t>(C), /*LowerCase=*/true);
    else
      OS << C;
  OS << '\n';
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
  writeData(Page, OS);
  OS << "</script>\n<script>\n"
     << PageScript << "</script>\n</body>\n</html>\n";
}
