//===- PageTest.cpp - Tests of the data of pages --------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::report;

namespace {

/// What is known: bytes, objects, accesses.
constexpr size_t NumKnown = 3;
/// Numbers of a record: node, outcome, contexts, values.
constexpr size_t Stride = 3 + NumKnown;

PageModel emptyPage() {
  PageModel Page;
  Page.Title = "Test";
  for (PageValue V :
       {PageValue::Bytes, PageValue::Objects, PageValue::Accesses})
    Page.knows(V) = true;
  Page.add({"cold, to be hinted", PageClass::Gained});
  Page.add({"indirect call", PageClass::Missed});
  Page.add({"not cold", PageClass::Kept});
  return Page;
}

void addContext(PageModel &Page, ArrayRef<std::string> Functions,
                uint64_t Bytes, uint32_t Outcome) {
  PageContext &C = Page.Contexts.emplace_back();
  for (const std::string &Function : Functions)
    C.Frames.push_back(Page.add(PageFrame{Function, "file.cpp", 7, "+1:2"}));
  C.Values = {Bytes, Bytes / 16, 3 * Bytes};
  C.Outcome = Outcome;
  C.Name = "context " + utostr(Page.Contexts.size());
}

std::string html(const PageModel &Page) {
  std::string Result;
  raw_string_ostream OS(Result);
  writePage(Page, OS);
  return Result;
}

json::Object dataOf(StringRef Html) {
  const StringRef Begin = "id=\"data\">";
  StringRef Data = Html.substr(Html.find(Begin) + Begin.size());
  auto Parsed = json::parse(Data.take_front(Data.find("</script>")));
  EXPECT_TRUE(static_cast<bool>(Parsed)) << toString(Parsed.takeError());
  return Parsed ? std::move(*Parsed->getAsObject()) : json::Object();
}

/// The first string of \p Data that begins with \p Prefix.
std::string stringWith(const json::Object &Data, StringRef Prefix) {
  for (const json::Value &Text : *Data.getArray("strings"))
    if (Text.getAsString()->starts_with(Prefix))
      return Text.getAsString()->str();
  return "";
}

/// The sums of the records in the arrays \p Names, by outcome and value.
std::vector<uint64_t> sums(const json::Object &Data,
                           ArrayRef<StringRef> Names) {
  std::vector<uint64_t> Result(3 * (1 + NumKnown));
  for (StringRef Name : Names) {
    const json::Array &Flat = *Data.getArray(Name);
    EXPECT_EQ(Flat.size() % Stride, 0u) << Name.str();
    for (size_t I = 0; I != Flat.size(); I += Stride) {
      const auto Outcome = static_cast<size_t>(*Flat[I + 1].getAsInteger());
      for (size_t V = 0; V != 1 + NumKnown; ++V)
        Result[Outcome * (1 + NumKnown) + V] +=
            static_cast<uint64_t>(*Flat[I + 2 + V].getAsInteger());
    }
  }
  return Result;
}

std::vector<uint64_t> sums(const PageModel &Page) {
  std::vector<uint64_t> Result(3 * (1 + NumKnown));
  for (const PageContext &C : Page.Contexts) {
    Result[C.Outcome * (1 + NumKnown)] += C.Contexts;
    for (size_t V = 0; V != NumKnown; ++V)
      Result[C.Outcome * (1 + NumKnown) + 1 + V] += C.Values[V];
  }
  return Result;
}

/// A program of \p Count contexts with \p Depth frames each. If \p Skewed, few
/// contexts have most bytes.
PageModel synthetic(size_t Count, size_t Depth, bool Skewed,
                    size_t NameLength = 40) {
  PageModel Page = emptyPage();
  std::mt19937 Random(7);
  for (size_t I = 0; I != Count; ++I) {
    std::vector<std::string> Functions;
    for (size_t D = 0; D != Depth; ++D)
      Functions.push_back("function" + utostr(D) + "_" +
                          utostr(Random() % (D + 5 >= Depth ? 3 : 97)) +
                          std::string(NameLength, 'x'));
    const uint64_t Bytes = 16 + Random() % 4096;
    addContext(Page, Functions,
               Skewed ? Bytes * (1 + 3000000 / (I + 1)) : Bytes, Random() % 3);
  }
  return Page;
}

} // namespace

TEST(PageTest, SumsOfBothDirectionsAreThoseOfAllContexts) {
  for (bool Skewed : {false, true}) {
    const PageModel Page = synthetic(60000, 8, Skewed);
    const json::Object Data = dataOf(html(Page));
    EXPECT_EQ(sums(Data, {"contexts", "rootSums"}), sums(Page));
    EXPECT_EQ(sums(Data, {"contexts", "leafSums"}), sums(Page));
    EXPECT_EQ(*Data.getInteger("all"), 60000);
    EXPECT_FALSE(Data.getArray("rootSums")->empty());
  }
}

TEST(PageTest, SumsByTypeAreThoseOfAllContexts) {
  using profile::DataType;
  using profile::TypeKnowledge;
  PageModel Page = synthetic(60000, 8, /*Skewed=*/true);
  // One is large, 400 are small, and the rest is not known.
  const uint32_t Large = Page.add(DataType{"Large", TypeKnowledge::Known}),
                 Unknown = Page.add(DataType{"", TypeKnowledge::NotNamed});
  EXPECT_EQ(Page.add(DataType{"Large", TypeKnowledge::Known}), Large);
  std::map<uint32_t, uint64_t> Wanted;
  for (size_t I = 0; I != Page.Contexts.size(); ++I) {
    PageContext &C = Page.Contexts[I];
    C.Type = I % 3 == 0 ? Large : Unknown;
    if (I % 3 == 1 && I > 10000)
      C.Type = Page.add(DataType{"Small" + utostr(I), TypeKnowledge::Known});
    Wanted[C.Type] += C.Values[0];
  }
  const json::Object Data = dataOf(html(Page));
  std::map<int64_t, uint64_t> Sums;
  for (auto [Records, Types] : {std::pair("contexts", "contextTypes"),
                                std::pair("leafSums", "leafTypes")}) {
    const json::Array &Flat = *Data.getArray(Records),
                      &Typed = *Data.getArray(Types);
    ASSERT_EQ(Flat.size(), Typed.size() * Stride);
    for (size_t I = 0; I != Typed.size(); ++I)
      Sums[*Typed[I].getAsInteger()] +=
          static_cast<uint64_t>(*Flat[I * Stride + 3].getAsInteger());
  }
  EXPECT_EQ(Sums[Large], Wanted[Large]);
  EXPECT_EQ(Sums[Unknown], Wanted[Unknown]);
  // Small types are their own in contexts, and one (-1) in sums.
  uint64_t Others = 0, OthersTold = 0;
  for (const auto &[Type, Bytes] : Wanted)
    if (Type != Large && Type != Unknown)
      Others += Bytes;
  for (const auto &[Type, Bytes] : Sums)
    if (Type != Large && Type != Unknown)
      OthersTold += Bytes;
  EXPECT_EQ(OthersTold, Others);
  EXPECT_NE(Sums[-1], 0u);
  EXPECT_NE(stringWith(Data, "(unknown: the call names no type)"), "");
  // Pages of nobody who looked have no table of types.
  EXPECT_FALSE(dataOf(html(synthetic(10, 8, true))).getArray("types"));
}

TEST(PageTest, SizeIsBoundedWhateverTheProfile) {
  constexpr size_t MaxBytes = 16 * 1000 * 1000;
  EXPECT_LT(html(synthetic(120000, 10, /*Skewed=*/true)).size(), MaxBytes);
  // Each context is about a thousandth, with stacks and names that nobody
  // shares.
  PageModel Page = emptyPage();
  for (size_t I = 0; I != 1000; ++I) {
    std::vector<std::string> Functions;
    for (size_t D = 0; D != 100; ++D)
      Functions.push_back(std::string(3000, 'n') + utostr(I) + "_" + utostr(D));
    addContext(Page, Functions, I % 2 ? 4096 : 8192, I % 3);
  }
  EXPECT_LT(html(Page).size(), MaxBytes);
}

TEST(PageTest, AllAreListedUnlessTheyAreVeryMany) {
  PageModel Few = emptyPage();
  addContext(Few, {"big", "main"}, 1000000, 0);
  for (size_t I = 0; I != 50; ++I)
    addContext(Few, {"small" + utostr(I), "main"}, 100, 2);
  const json::Object All = dataOf(html(Few));
  EXPECT_EQ(All.getArray("contexts")->size(), 51 * Stride);
  EXPECT_TRUE(All.getArray("rootSums")->empty());

  PageModel Many = emptyPage();
  addContext(Many, {"lost", "main"}, 1, 1);
  for (size_t I = 0; I != 45000; ++I)
    addContext(Many, {"small" + utostr(I % 7), "main"}, 100, 2);
  const json::Object Data = dataOf(html(Many));
  EXPECT_EQ(Data.getArray("contexts")->size(), 40000 * Stride);
  EXPECT_EQ(Data.getArray("details")->size(), 40000u);
  // The lost one is all of what is lost, so it is listed.
  EXPECT_EQ(sums(Data, {"rootSums"})[2 * (1 + NumKnown)], 5001u);
}

TEST(PageTest, FunctionsOfSmallPlacesAreKeptTogether) {
  // No place is a ten-thousandth, but the function is everything.
  PageModel Page = emptyPage();
  for (uint32_t I = 0; I != 50000; ++I) {
    PageContext &C = Page.Contexts.emplace_back();
    C.Frames = {Page.add(PageFrame{"all", "file.cpp", I, "+1:2"})};
    C.Values[0] = 64;
  }
  const json::Object Data = dataOf(html(Page));
  EXPECT_EQ(Data.getArray("contexts")->size(), 40000 * Stride);
  const json::Array &Tree = *Data.getArray("leafTree");
  ASSERT_EQ(Tree.size(), 2u);
  const json::Array &Strings = *Data.getArray("strings");
  EXPECT_EQ(
      Strings[static_cast<size_t>(-1 - *Tree[1].getAsInteger())].getAsString(),
      "all");
}

TEST(PageTest, NothingInANameEndsItsPlace) {
  const std::string Hostile =
      "</script><script>alert(1)</script>\"'`\\<!--]]>&amp;\xff\x01";
  PageModel Page = emptyPage();
  Page.Title = Page.Subtitle = Page.BarTitle = Hostile;
  Page.Sentences = {Hostile};
  Page.Bar = {{Hostile, Bytes(1), PageClass::Gained}};
  Page.Phases = {{Hostile, 1}};
  Page.Measured.Runs = {{Hostile, 1, Bytes(1), Bytes(1)}};
  Page.add(PageOutcome{Hostile, PageClass::Missed, Hostile});
  addContext(Page, {Hostile, "main"}, 100, 3);
  Page.Contexts.back().Name = Page.Contexts.back().Note = Hostile;
  const std::string Html = html(Page);
  EXPECT_EQ(StringRef(Html).count("</script>"), 2u);
  EXPECT_EQ(StringRef(Html).count("<script"), 2u);
  EXPECT_EQ(StringRef(Html).count("<!--"), 0u);
  const json::Object Data = dataOf(Html);
  EXPECT_EQ(stringWith(Data, "</script>"), json::fixUTF8(Hostile));
}

TEST(PageTest, LongNamesSayWhatIsLeftOut) {
  PageModel Page = emptyPage();
  addContext(Page, {std::string(1000, 'a') + "end", "main"}, 100, 0);
  const json::Object Data = dataOf(html(Page));
  const std::string Name = stringWith(Data, "aaa");
  EXPECT_TRUE(StringRef(Name).ends_with("aend")) << Name;
  EXPECT_TRUE(StringRef(Name).contains("a ...(763 more)... a")) << Name;
}

TEST(PageTest, SameModelGivesSameBytes) {
  EXPECT_EQ(html(synthetic(3000, 6, true)), html(synthetic(3000, 6, true)));
}

TEST(PageTest, EmptyPagesAreWhole) {
  const json::Object Data = dataOf(html(emptyPage()));
  EXPECT_EQ(*Data.getInteger("all"), 0);
}
