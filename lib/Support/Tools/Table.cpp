//===- Support/Tools/Table.cpp - Tables for people and for programs -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Tools/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"
#include <cmath>

using namespace llvm;
using namespace thermocline;

Cell Cell::share(uint64_t Part, uint64_t Whole) {
  if (!Whole)
    return {};
  return static_cast<double>(Part) / static_cast<double>(Whole);
}

void Table::add(std::vector<Cell> Row) {
  assert(Row.size() == Columns.size() && "a cell for each column");
  Rows.push_back(std::move(Row));
}

void Table::keepFirst(std::optional<unsigned> Most, StringRef Others) {
  if (!Most || Rows.size() <= *Most)
    return;
  Note = "... and " + formatCount(Rows.size() - *Most) + " more" + Others.str();
  Rows.resize(*Most);
}

Table thermocline::facts(std::vector<std::pair<std::string, Cell>> Values) {
  Table Result = {.As = Table::Shape::Facts, .Columns = {}};
  Result.Rows.emplace_back();
  for (auto &[Key, Value] : Values) {
    Result.Columns.push_back({"", std::move(Key)});
    Result.Rows.front().push_back(std::move(Value));
  }
  return Result;
}

namespace {

template <typename... Fs> struct Overloaded : Fs... {
  using Fs::operator()...;
};

/// Calls \p Each(column, index) for those that \p Reader sees.
template <typename F>
void forEachColumn(const Table &T, Audience Reader, F Each) {
  for (auto [I, C] : enumerate(T.Columns))
    if (C.For == Audience::Everyone || C.For == Reader)
      Each(C, I);
}

} // namespace

//===-- For people --------------------------------------------------------===//

/// \p Text in one line: names come from files, and control characters would
/// reach the terminal.
static std::string visible(StringRef Text) {
  std::string Result;
  const std::string Valid = json::fixUTF8(Text);
  for (StringRef Rest = Valid; !Rest.empty();) {
    // The upper control characters have two bytes, from 0xc2 0x80 on.
    const bool IsUpper = Rest.size() > 1 && Rest[0] == '\xc2' &&
                         static_cast<uint8_t>(Rest[1]) < 0xa0;
    const char C = Rest[IsUpper];
    Rest = Rest.drop_front(1 + IsUpper);
    if (IsUpper || static_cast<uint8_t>(C) < 0x20 || C == 0x7f)
      Result += "\\x" + toHex(StringRef(&C, 1), /*LowerCase=*/true);
    else
      Result += C;
  }
  return Result;
}

static std::string numberText(double Value, ColumnKind Kind) {
  if (std::isnan(Value))
    return "-";
  std::string Result;
  raw_string_ostream OS(Result);
  switch (Kind) {
  case ColumnKind::Bytes:
    return formatBytes(Bytes(truncated(Value)));
  case ColumnKind::Share:
    OS << format("%.1f %%", 100 * Value);
    break;
  case ColumnKind::Seconds:
    if (Value < 1)
      OS << format("%.1f ms", 1000 * Value);
    else
      OS << format("%.2f s", Value);
    break;
  default:
    OS << format("%.3f", Value);
    break;
  }
  return Result;
}

static std::string countText(uint64_t Value, ColumnKind Kind) {
  switch (Kind) {
  case ColumnKind::Text:
    return utostr(Value);
  case ColumnKind::Count:
    return formatCount(Value);
  case ColumnKind::Bytes:
    return formatBytes(Bytes(Value));
  case ColumnKind::Id:
    return hexText(Value);
  default:
    return numberText(static_cast<double>(Value), Kind);
  }
}

/// Between the values of a list, where it is one text.
static StringRef separator(ColumnKind Kind) {
  return Kind == ColumnKind::Text ? "; " : " ";
}

static std::string textOf(const Cell &C, ColumnKind OfColumn) {
  const ColumnKind Kind = C.kind(OfColumn);
  auto Joined = [&](const auto &List) {
    return join(map_range(List, [&](const auto &E) { return textOf(E, Kind); }),
                separator(Kind));
  };
  return std::visit(
      Overloaded{[](std::monostate) { return std::string("-"); },
                 [](bool Is) { return std::string(Is ? "yes" : "no"); },
                 [&](uint64_t Value) { return countText(Value, Kind); },
                 [&](double Value) { return numberText(Value, Kind); },
                 [](const std::string &Text) { return visible(Text); }, Joined},
      C.value());
}

/// In columns of a terminal.
static size_t widthOf(StringRef Text) {
  const int Width = sys::unicode::columnWidthUTF8(Text);
  return Width < 0 ? Text.size() : static_cast<size_t>(Width);
}

namespace {

/// The texts of a table, and where its columns stand.
class TextTable {
public:
  TextTable(const Table &T, TextStyle Style);
  void write(raw_ostream &OS) const;

private:
  struct Shown {
    std::string Text;
    Cell::Tone Tone;
  };

  void writeLine(ArrayRef<Shown> Line, bool IsHeading, raw_ostream &OS) const;
  void writeColored(const Shown &What, bool IsHeading, raw_ostream &OS) const;

  const TextStyle Style;
  bool HasHeadings = false;
  std::vector<bool> IsLeft;
  std::vector<size_t> Widths;
  /// The first has the headings.
  std::vector<std::vector<Shown>> Lines;
};

} // namespace

TextTable::TextTable(const Table &T, TextStyle Style) : Style(Style) {
  Lines.resize(T.Rows.size() + 1);
  forEachColumn(T, Audience::People, [&](const Column &C, size_t I) {
    IsLeft.push_back(C.Kind == ColumnKind::Text);
    HasHeadings |= !C.Name.empty();
    Lines.front().push_back({visible(C.Name), Cell::Tone::Plain});
    size_t Width = widthOf(Lines.front().back().Text);
    for (auto [Line, Row] : zip(drop_begin(Lines), T.Rows)) {
      Line.push_back({textOf(Row[I], C.Kind), Row[I].tone()});
      Width = std::max(Width, widthOf(Line.back().Text));
    }
    Widths.push_back(Width);
  });
}

void TextTable::writeColored(const Shown &What, bool IsHeading,
                             raw_ostream &OS) const {
  if (!Style.HasColors || (!IsHeading && What.Tone == Cell::Tone::Plain)) {
    OS << What.Text;
    return;
  }
  OS.changeColor(What.Tone == Cell::Tone::Good  ? raw_ostream::GREEN
                 : What.Tone == Cell::Tone::Bad ? raw_ostream::RED
                                                : raw_ostream::SAVEDCOLOR,
                 /*Bold=*/true);
  OS << What.Text;
  OS.resetColor();
}

void TextTable::writeLine(ArrayRef<Shown> Line, bool IsHeading,
                          raw_ostream &OS) const {
  constexpr size_t Gap = 2;
  // Spaces are written before what comes next, so that none end the line.
  size_t Spaces = Style.Indent;
  for (auto [I, What] : enumerate(Line)) {
    const size_t Free = Widths[I] - widthOf(What.Text);
    if (!What.Text.empty()) {
      OS.indent(static_cast<unsigned>(Spaces + (IsLeft[I] ? 0 : Free)));
      writeColored(What, IsHeading, OS);
      Spaces = IsLeft[I] ? Free : 0;
    } else {
      Spaces += Free;
    }
    Spaces += Gap;
  }
  OS << '\n';
}

void TextTable::write(raw_ostream &OS) const {
  for (const auto &[I, Line] : enumerate(Lines))
    if (I || HasHeadings)
      writeLine(Line, /*IsHeading=*/I == 0, OS);
}

void Table::writeText(raw_ostream &OS, TextStyle Style) const {
  if (!Title.empty())
    OS << visible(Title) << ":\n";
  TextTable(*this, Style).write(OS);
  if (!Note.empty())
    OS.indent(Style.Indent) << visible(Note) << '\n';
}

void Table::writeHtml(raw_ostream &OS, StringRef Class) const {
  OS << "<table";
  if (!Class.empty())
    OS << " class=\"" << Class << '"';
  OS << ">\n";
  if (!Title.empty()) {
    OS << "<caption>";
    printHTMLEscaped(visible(Title), OS);
    OS << "</caption>\n";
  }
  OS << "<tr>";
  forEachColumn(*this, Audience::People, [&](const Column &C, size_t) {
    std::string Name = visible(C.Name);
    if (!Name.empty())
      Name.front() = toUpper(Name.front());
    OS << (C.Kind == ColumnKind::Text ? "<th>" : "<th class=\"number\">");
    printHTMLEscaped(Name, OS);
    OS << "</th>";
  });
  OS << "</tr>\n";
  for (const std::vector<Cell> &Row : Rows) {
    OS << "<tr>";
    forEachColumn(*this, Audience::People, [&](const Column &C, size_t I) {
      OS << (C.Kind == ColumnKind::Text ? "<td>" : "<td class=\"number\">");
      printHTMLEscaped(textOf(Row[I], C.Kind), OS);
      OS << "</td>";
    });
    OS << "</tr>\n";
  }
  OS << "</table>\n";
  if (!Note.empty()) {
    OS << "<p>";
    printHTMLEscaped(visible(Note), OS);
    OS << "</p>\n";
  }
}

//===-- For programs ------------------------------------------------------===//

static json::Value jsonOf(const Cell &C, ColumnKind Kind) {
  auto Array = [&](const auto &List) -> json::Value {
    json::Array Result;
    for (const auto &Each : List)
      Result.push_back(jsonOf(Cell(Each), Kind));
    return Result;
  };
  return std::visit(
      Overloaded{[](std::monostate) { return json::Value(nullptr); },
                 [](bool Is) { return json::Value(Is); },
                 [&](uint64_t Value) {
                   return Kind == ColumnKind::Id
                              ? json::Value(countText(Value, Kind))
                              : json::Value(Value);
                 },
                 [](double Value) {
                   return std::isfinite(Value) ? json::Value(Value)
                                               : json::Value(nullptr);
                 },
                 [](const std::string &Text) {
                   return json::Value(json::fixUTF8(Text));
                 },
                 Array},
      C.value());
}

/// The cells of \p Row but for the first \p Left that programs see.
static void writeRow(const Table &T, ArrayRef<Cell> Row, unsigned Left,
                     json::OStream &J) {
  forEachColumn(T, Audience::Programs, [&](const Column &C, size_t I) {
    if (Left)
      --Left;
    else
      J.attribute(C.Key, jsonOf(Row[I], C.Kind));
  });
}

/// The first text that programs see.
static StringRef keyOf(const Table &T, ArrayRef<Cell> Row) {
  const auto First = find_if(
      T.Columns, [](const Column &C) { return C.For != Audience::People; });
  return std::get<std::string>(Row[First - T.Columns.begin()].value());
}

void Table::writeJson(json::OStream &J) const {
  auto ByFirst = [&] {
    for (const std::vector<Cell> &Row : Rows)
      J.attributeObject(keyOf(*this, Row), [&] { writeRow(*this, Row, 1, J); });
  };
  switch (As) {
  case Table::Shape::Array:
    J.attributeArray(Key, [&] {
      for (const std::vector<Cell> &Row : Rows)
        J.object([&] { writeRow(*this, Row, 0, J); });
    });
    break;
  case Table::Shape::ByFirst:
    if (Key.empty())
      ByFirst();
    else
      J.attributeObject(Key, ByFirst);
    break;
  case Table::Shape::Facts:
    writeRow(*this, Rows.front(), 0, J);
    break;
  }
}

static void writeObject(ArrayRef<Table> Tables, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    for (const Table &Each : Tables)
      Each.writeJson(J);
  });
  OS << '\n';
}

static std::string csvOf(const json::Value &Value, ColumnKind Kind) {
  if (Value.kind() == json::Value::Null)
    return "";
  if (auto Text = Value.getAsString())
    return Text->str();
  std::string Result;
  raw_string_ostream OS(Result);
  if (const json::Array *List = Value.getAsArray())
    return join(
        map_range(*List, [&](const json::Value &E) { return csvOf(E, Kind); }),
        separator(Kind));
  OS << Value;
  return Result;
}

static void writeField(StringRef Text, raw_ostream &OS) {
  if (Text.find_first_of(",\"\r\n") == StringRef::npos) {
    OS << Text;
    return;
  }
  OS << '"';
  for (char C : Text) {
    if (C == '"')
      OS << '"';
    OS << C;
  }
  OS << '"';
}

void Table::writeCsvRow(ArrayRef<Cell> Row, raw_ostream &OS) const {
  ListSeparator Comma(",");
  forEachColumn(*this, Audience::Programs, [&](const Column &C, size_t I) {
    OS << Comma;
    writeField(csvOf(jsonOf(Row[I], C.Kind), C.Kind), OS);
  });
  OS << '\n';
}

void Table::writeCsv(raw_ostream &OS) const {
  ListSeparator Comma(",");
  forEachColumn(*this, Audience::Programs, [&](const Column &C, size_t) {
    OS << Comma;
    writeField(C.Key, OS);
  });
  OS << '\n';
  for (const std::vector<Cell> &Row : Rows)
    writeCsvRow(Row, OS);
}

void thermocline::writeFor(TableFormat Programs, ArrayRef<Table> Tables,
                           raw_ostream &OS) {
  if (Programs == TableFormat::Json)
    writeObject(Tables, OS);
  else
    Tables.back().writeCsv(OS);
}
