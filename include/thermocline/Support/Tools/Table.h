//===- Support/Tools/Table.h - Tables in any format -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table is filled once, with values in base units (bytes, seconds, parts of
// 1), and written as text or HTML for people, and as JSON or CSV for programs.
// So formats cannot differ in what they say. What a column holds decides how a
// value is printed for people, and on which side it stands; programs always get
// the value itself.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_TOOLS_TABLE_H
#define THERMOCLINE_SUPPORT_TOOLS_TABLE_H

#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <variant>
#include <vector>

namespace thermocline {

/// What a column holds. People see it as in the comments.
enum class ColumnKind : uint8_t {
  /// On the left; all others are numbers, and on the right.
  Text,
  /// "1,234"
  Count,
  /// "1.2 KiB"
  Bytes,
  /// A part of 1: "29.4 %"
  Share,
  /// "0.885"
  Ratio,
  /// "412.8 ms", "1.20 s"
  Seconds,
  /// "0x1f", to programs as well: many hold numbers as doubles.
  Id,
};

/// Who sees a column. Where people get one text made of several values,
/// programs get these.
enum class Audience : uint8_t { Everyone, People, Programs };

/// One value of a table: nothing, if it is not known or there is none.
class Cell {
public:
  /// The ways to print one that stands out on a terminal.
  enum class Tone : uint8_t { Plain, Good, Bad };
  using Value = std::variant<std::monostate, bool, uint64_t, double,
                             std::string, std::vector<uint64_t>,
                             std::vector<double>, std::vector<std::string>>;

  Cell() = default;
  Cell(std::nullopt_t) {}
  /// Integers must not be negative.
  template <typename T> Cell(const T &Given) {
    if constexpr (std::is_same_v<T, bool>)
      Holds = Given;
    else if constexpr (std::is_integral_v<T>)
      Holds = static_cast<uint64_t>(Given);
    else if constexpr (std::is_floating_point_v<T>)
      Holds = static_cast<double>(Given);
    else if constexpr (std::is_convertible_v<T, llvm::StringRef>)
      Holds = llvm::StringRef(Given).str();
    else
      Holds = Given;
  }
  Cell(Bytes Size) : Holds(Size.count()) {}
  template <typename T> Cell(const std::optional<T> &Given) {
    if (Given)
      *this = Cell(*Given);
  }
  /// A cell whose row has another unit than others of the column.
  Cell(double Number, ColumnKind Kind) : Holds(Number), Kind(Kind) {}
  Cell(std::string Text, Tone Looks) : Holds(std::move(Text)), Looks(Looks) {}
  /// \returns the part of 1 that \p Part is; nothing of nothing.
  static Cell share(uint64_t Part, uint64_t Whole);

  const Value &value() const { return Holds; }
  Tone tone() const { return Looks; }
  ColumnKind kind(ColumnKind OfColumn) const { return Kind.value_or(OfColumn); }

private:
  Value Holds;
  Tone Looks = Tone::Plain;
  std::optional<ColumnKind> Kind;
};

struct Column {
  /// The heading for people.
  std::string Name;
  /// The key of JSON, and the heading of CSV.
  std::string Key;
  ColumnKind Kind = ColumnKind::Text;
  Audience For = Audience::Everyone;
};

struct TextStyle {
  unsigned Indent = 0;
  bool HasColors = false;
};

struct Table {
  /// What it is in JSON: an array of rows; an object with the text of the first
  /// column as keys of rows; or one row of values that belong to the object
  /// around it.
  enum class Shape : uint8_t { Array, ByFirst, Facts };

  /// The key in JSON. A table by its first column may have none: its rows then
  /// belong to the object around it.
  std::string Key = {};
  Shape As = Shape::Array;
  /// Above and below the rows, for people; may be empty.
  std::string Title = {};
  std::string Note = {};
  std::vector<Column> Columns;
  std::vector<std::vector<Cell>> Rows = {};

  /// \p Row has a cell for each column.
  void add(std::vector<Cell> Row);
  /// Leaves out all but the first \p Most rows, if that is given, and notes how
  /// many \p Others there were: "... and 3 more places".
  void keepFirst(std::optional<unsigned> Most, llvm::StringRef Others);

  /// Writes lines of columns that are as wide as what is in them. There is no
  /// line of headings if none has a name. Control characters are shown as
  /// escapes.
  void writeText(llvm::raw_ostream &OS, TextStyle Style = {}) const;

  /// Writes a table of HTML, with class="number" at numbers. \p Class, if it is
  /// not empty, is that of the table.
  void writeHtml(llvm::raw_ostream &OS, llvm::StringRef Class = "") const;

  /// Writes attributes of the object that \p J is in. What is not finite is
  /// null.
  void writeJson(llvm::json::OStream &J) const;

  /// Writes a line of keys, then a line for each row (RFC 4180, with LF at the
  /// end of lines): what has a comma, a quote or a line break is in quotes.
  /// What is not known is empty. Numbers of a list are separated by spaces, and
  /// texts by semicolons.
  void writeCsv(llvm::raw_ostream &OS) const;
  /// Writes the line of one row, for tables that are not held in memory.
  void writeCsvRow(llvm::ArrayRef<Cell> Row, llvm::raw_ostream &OS) const;
};

/// Values by their keys, as a table of facts.
Table facts(std::vector<std::pair<std::string, Cell>> Values);

/// How a command answers.
enum class TableFormat : uint8_t { Text, Json, Csv };

/// Writes \p Tables, which are the answer of a command, for programs: all of
/// them as one object of JSON, or the last one as CSV.
void writeFor(TableFormat Programs, llvm::ArrayRef<Table> Tables,
              llvm::raw_ostream &OS);

} // namespace thermocline

#endif
