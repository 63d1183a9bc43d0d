//===- unit/Support/TableTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Tools/Table.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace thermocline;

namespace {

Table names() {
  return {
      .Key = "names",
      .Columns = {{"name", "name"}, {"uses", "useCount", ColumnKind::Count}}};
}

std::string text(const Table &T, TextStyle Style = {}) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  T.writeText(OS, Style);
  return Result;
}

std::string html(const Table &T, llvm::StringRef Class = "") {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  T.writeHtml(OS, Class);
  return Result;
}

std::string json(llvm::ArrayRef<Table> Tables) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  writeFor(TableFormat::Json, Tables, OS);
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Result);
  EXPECT_TRUE(static_cast<bool>(Parsed));
  return llvm::formatv("{0}", *Parsed).str();
}

std::string csv(const Table &T) {
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  T.writeCsv(OS);
  return Result;
}

/// A table of one column with one value.
Table one(Cell Value, ColumnKind Kind) {
  Table T = {.Key = "t", .Columns = {{"", "v", Kind}}};
  T.add({std::move(Value)});
  return T;
}

} // namespace

TEST(Table, ColumnsAreAsWideAsWhatIsInThem) {
  Table T = names();
  T.add({"f", 7});
  T.add({"a long name", 1234567});
  EXPECT_EQ(text(T), "name              uses\n"
                     "f                    7\n"
                     "a long name  1,234,567\n");
  EXPECT_EQ(text(T, {.Indent = 2}).substr(0, 7), "  name ");
}

TEST(Table, LinesHaveNoSpacesAtTheirEnd) {
  Table T = {.Columns = {{"", "size", ColumnKind::Bytes}, {"", "where"}}};
  T.add({Bytes(2048), ""});
  T.add({Bytes(12), "x"});
  EXPECT_EQ(text(T), "2.0 KiB\n   12 B  x\n");
}

TEST(Table, WidthsAreThoseOfATerminal) {
  Table T = names();
  T.add({"größe", 1});
  T.add({"幅", 1});
  T.add({"width", 1});
  EXPECT_EQ(text(T), "name   uses\n"
                     "größe     1\n"
                     "幅        1\n"
                     "width     1\n");
}

TEST(Table, TitlesAndNotesAreForPeople) {
  Table T = names();
  T.Title = "Of <a>";
  T.Note = "... and more";
  EXPECT_EQ(text(T), "Of <a>:\nname  uses\n... and more\n");
  EXPECT_EQ(html(T), "<table>\n<caption>Of &lt;a&gt;</caption>\n"
                     "<tr><th>Name</th><th class=\"number\">Uses</th></tr>\n"
                     "</table>\n<p>... and more</p>\n");
  EXPECT_EQ(json(T), "{\"names\":[]}");
  EXPECT_EQ(csv(T), "name,useCount\n");
}

TEST(Table, ControlCharactersReachNoTerminalAndNoPage) {
  Table T = names();
  T.Title = "\x1b[0m";
  T.add({"a\nb\x1b[31m\x7f\t\xc2\x9b", 1});
  EXPECT_EQ(text(T), "\\x1b[0m:\n"
                     "name                        uses\n"
                     "a\\x0ab\\x1b[31m\\x7f\\x09\\x9b     1\n");
  EXPECT_NE(html(T).find("<td>a\\x0ab\\x1b[31m"), std::string::npos);
  EXPECT_EQ(json(T),
            "{\"names\":[{\"name\":\"a\\nb\\u001b[31m\x7f\\t\xC2\x9B\","
            "\"useCount\":1}]}");
}

TEST(Table, HtmlIsEscaped) {
  Table T = names();
  T.add({"std::map<int, \"a\" & 'b'>", 1234});
  EXPECT_EQ(html(T, "plain"),
            "<table class=\"plain\">\n"
            "<tr><th>Name</th><th class=\"number\">Uses</th></tr>\n"
            "<tr><td>std::map&lt;int, &quot;a&quot; &amp; &apos;b&apos;&gt;"
            "</td><td class=\"number\">1,234</td></tr>\n</table>\n");
}

TEST(Table, CsvQuotesWhatNeedsIt) {
  Table T = names();
  T.add({"plain text", 1234});
  T.add({"a, b", 1});
  T.add({"say \"so\"", 1});
  T.add({"two\nlines\r", 1});
  T.add({"größe", 1});
  T.add({"", std::nullopt});
  EXPECT_EQ(csv(T), "name,useCount\n"
                    "plain text,1234\n"
                    "\"a, b\",1\n"
                    "\"say \"\"so\"\"\",1\n"
                    "\"two\nlines\r\",1\n"
                    "größe,1\n"
                    ",\n");
}

TEST(Table, WhatIsNoUtf8IsReplaced) {
  const Table T = one("a\xff", ColumnKind::Text);
  EXPECT_EQ(text(T), "a\xEF\xBF\xBD\n");
  EXPECT_EQ(csv(T), "v\na\xEF\xBF\xBD\n");
  EXPECT_EQ(json(T), "{\"t\":[{\"v\":\"a\xEF\xBF\xBD\"}]}");
}

TEST(Table, ProgramsGetNumbersInBaseUnits) {
  EXPECT_EQ(csv(one(Bytes(1536), ColumnKind::Bytes)), "v\n1536\n");
  EXPECT_EQ(text(one(Bytes(1536), ColumnKind::Bytes)), "1.5 KiB\n");
  EXPECT_EQ(csv(one(0.25, ColumnKind::Seconds)), "v\n0.25\n");
  EXPECT_EQ(text(one(0.25, ColumnKind::Seconds)), "250.0 ms\n");
  EXPECT_EQ(text(one(2.5, ColumnKind::Seconds)), "2.50 s\n");
  EXPECT_EQ(csv(one(Cell::share(1, 8), ColumnKind::Share)), "v\n0.125\n");
  EXPECT_EQ(text(one(Cell::share(1, 8), ColumnKind::Share)), "12.5 %\n");
  EXPECT_EQ(text(one(1.0625, ColumnKind::Ratio)), "1.062\n");
  EXPECT_EQ(json(one(uint64_t(31), ColumnKind::Id)),
            "{\"t\":[{\"v\":\"0x1f\"}]}");
  EXPECT_EQ(json(one(true, ColumnKind::Text)), "{\"t\":[{\"v\":true}]}");
}

TEST(Table, ACellMayHaveAUnitOfItsOwn) {
  Table T = {.Columns = {{"", "v", ColumnKind::Ratio}}};
  T.add({Cell(2048.0, ColumnKind::Bytes)});
  T.add({Cell(0.5, ColumnKind::Seconds)});
  EXPECT_EQ(text(T), " 2.0 KiB\n500.0 ms\n");
  EXPECT_EQ(csv(T), "v\n2048\n0.5\n");
}

TEST(Table, HugeNumbersStayExact) {
  const Table T = one(UINT64_MAX, ColumnKind::Count);
  EXPECT_EQ(text(T), "18,446,744,073,709,551,615\n");
  EXPECT_EQ(csv(T), "v\n18446744073709551615\n");
  EXPECT_EQ(json(T), "{\"t\":[{\"v\":18446744073709551615}]}");
  EXPECT_EQ(text(one(1e300, ColumnKind::Bytes)), "16777216.0 TiB\n");
}

TEST(Table, WhatIsNotKnownOrNotFiniteIsNull) {
  for (const Cell &Value :
       {Cell(), Cell(std::numeric_limits<double>::quiet_NaN()),
        Cell::share(1, 0)}) {
    EXPECT_EQ(text(one(Value, ColumnKind::Ratio)), "-\n");
    EXPECT_EQ(csv(one(Value, ColumnKind::Ratio)), "v\n\n");
    EXPECT_EQ(json(one(Value, ColumnKind::Ratio)), "{\"t\":[{\"v\":null}]}");
  }
  const Table Infinite =
      one(std::numeric_limits<double>::infinity(), ColumnKind::Ratio);
  EXPECT_EQ(text(Infinite), "inf\n");
  EXPECT_EQ(json(Infinite), "{\"t\":[{\"v\":null}]}");
}

TEST(Table, ListsAreArraysOrSeparatedBySpaces) {
  const Table Numbers =
      one(std::vector<double>{1, 0.5, NAN}, ColumnKind::Ratio);
  EXPECT_EQ(json(Numbers), "{\"t\":[{\"v\":[1,0.5,null]}]}");
  EXPECT_EQ(csv(Numbers), "v\n1 0.5 \n");
  const Table Words =
      one(std::vector<std::string>{"a", "b,c"}, ColumnKind::Text);
  EXPECT_EQ(json(Words), "{\"t\":[{\"v\":[\"a\",\"b,c\"]}]}");
  EXPECT_EQ(csv(Words), "v\n\"a; b,c\"\n");
  EXPECT_EQ(text(Words), "a; b,c\n");
}

TEST(Table, AudiencesSeeTheirColumns) {
  Table T = {.Key = "t",
             .As = Table::Shape::ByFirst,
             .Columns = {{"measure", "", ColumnKind::Text, Audience::People},
                         {"", "measure", ColumnKind::Text, Audience::Programs},
                         {"", "low", ColumnKind::Ratio, Audience::Programs},
                         {"interval", "", ColumnKind::Text, Audience::People}}};
  T.add({"wall time", "wallSeconds", 0.5, "0.5 to 1"});
  EXPECT_EQ(text(T), "measure    interval\nwall time  0.5 to 1\n");
  EXPECT_EQ(csv(T), "measure,low\nwallSeconds,0.5\n");
  EXPECT_EQ(json(T), "{\"t\":{\"wallSeconds\":{\"low\":0.5}}}");
}

TEST(Table, ShapesDecideWhereRowsAreInJson) {
  const Table Facts = facts({{"version", 1}});
  Table Builds = {.As = Table::Shape::ByFirst,
                  .Columns = {{"", "build"}, {"", "code"}}};
  Builds.add({"before", 0});
  EXPECT_EQ(json({Facts, Builds, names()}),
            "{\"before\":{\"code\":0},\"names\":[],\"version\":1}");
}

TEST(Table, WhatIsLeftOutIsCounted) {
  Table T = names();
  for (const char *Name : {"a", "b", "c"})
    T.add({Name, 1});
  T.keepFirst(3, " names");
  T.keepFirst(std::nullopt, " names");
  EXPECT_EQ(T.Note, "");
  T.keepFirst(1, " names");
  EXPECT_EQ(text(T, {.Indent = 1}),
            " name  uses\n a        1\n ... and 2 more names\n");
}
