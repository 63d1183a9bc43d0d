//===- unit/Report/ReportTest.cpp - What a report says --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of three contexts: one cold and hinted, one cold that collides, one
// not cold. The writers print it; names that need escaping are escaped.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Writers.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

namespace {
constexpr uint64_t ColdBytes = 4096, MissedBytes = 1024, HotBytes = 8192;

class ReportTest : public testing::Test {
protected:
  void SetUp() override {
    memprof::Frame Caller(memprof::getGUID("caller<T>"), 12, 7, false);
    Frames.add(Caller);
    Names.add("caller<T>");
    const StackId Known = profile::computeStackId(Caller);

    FunctionId Owner = Program.addFunction("make_node", 10, true);
    Program.addAllocation(Owner);
    Program.addContext(Temperature::Cold, Bytes(ColdBytes), 0x11, {Known});
    Program.addContext(Temperature::Cold, Bytes(MissedBytes), 0x12,
                       {StackId(0xabc)});
    Program.addContext(Temperature::NotCold, Bytes(HotBytes), 0x13,
                       {StackId(0xabc)});
    Decided = Decisions::none(Program);

    Audited.ColdToCold = {1, Bytes(ColdBytes)};
    Audited.ColdToNotCold = {1, Bytes(MissedBytes)};
    Audited.NotColdToNotCold = {1, Bytes(HotBytes)};
    Audited.ClonesMade = 1;
    Audited.FunctionsCloned = 1;
    Audited.InstructionsAdded = 10;
    Audited.Contexts = {
        {.ReachesCold = true, .Separable = true, .Matched = true},
        {.ReachesNotCold = true, .Separable = true, .Matched = true},
        {.ReachesNotCold = true, .Separable = true, .Matched = true}};
    Engine.Outcomes = {Outcome::HintedCold, Outcome::Collides,
                       Outcome::KeptNotCold};
    Engine.CollidesWith = {ContextId(), ContextId(2), ContextId()};
  }

  ReportModel model() {
    ReportModel Result = buildModel(Sources{.Program = Program,
                                            .Decided = Decided,
                                            .Audited = Audited,
                                            .Engine = &Engine,
                                            .Frames = &Frames,
                                            .Names = &Names});
    Result.Output = "a.out";
    Result.HintsByKind = {{"malloc", 1}};
    return Result;
  }

  ContextProgram Program;
  Decisions Decided;
  AuditResult Audited;
  EngineResult Engine;
  profile::FrameTable Frames;
  profile::FunctionNames Names;
};

std::string text(const ReportModel &Model, Format As,
                 const WriteOptions &Options = {}) {
  std::string Result;
  raw_string_ostream OS(Result);
  write(Model, As, Options, OS);
  return Result;
}

size_t occurrences(StringRef Text, StringRef What) { return Text.count(What); }
} // namespace

TEST_F(ReportTest, SaysWhichWorkingSetIsPredicted) {
  EXPECT_EQ(text(model(), Format::Text).find("Predicted"), std::string::npos);
  Program.setSavings();
  // Of each byte that is allocated, half a byte is saved, or a quarter.
  Program.setWeight(ContextId(0), CoarseWeight::of(WeightUnit / 2));
  Program.setWeight(ContextId(1), CoarseWeight::of(WeightUnit / 4));
  ReportModel Model = model();
  Model.WorkingSet = {.Before = Bytes(4096), .After = Bytes(1024)};
  EXPECT_EQ(Model.Savings.InLink, Bytes(2048 + 256));
  EXPECT_EQ(Model.Savings.Separable, Bytes(2048));
  EXPECT_EQ(Model.Savings.Perhaps, Bytes(2048));
  EXPECT_EQ(Model.Savings.Hinted, Bytes(2048));
  EXPECT_EQ(describeWorkingSet(Model), "4.0 KiB -> 2.0 KiB (-50.0 %), 1.0 KiB "
                                       "with all hints of the profile");
  EXPECT_NE(text(Model, Format::Text)
                .find("with all in the link             1.8 KiB   43.8 %"),
            std::string::npos);
  EXPECT_EQ(occurrences(text(Model, Format::Html), "Predicted working set"),
            1u);
  Expected<json::Value> Json = json::parse(text(Model, Format::Json));
  ASSERT_TRUE(static_cast<bool>(Json));
  const json::Object &Set = *Json->getAsObject()->getObject("workingSet");
  EXPECT_EQ(Set.getInteger("savedInLink"), 2304);
  EXPECT_EQ(Set.getInteger("savedPerhaps"), 2048);
  EXPECT_EQ(Set.getInteger("savedHinted"), 2048);
  EXPECT_EQ(Set.getString("goal"), "burst");
  EXPECT_EQ(Set.getObject("other"), nullptr);
  // What saves most comes first, though it is smaller.
  EXPECT_EQ(Model.Contexts[0].Size, Bytes(ColdBytes));
}

TEST_F(ReportTest, SaysWhatPerhapsIsSaved) {
  Program.setSavings();
  Program.setWeight(ContextId(0), CoarseWeight::of(WeightUnit / 2));
  Program.setWeight(ContextId(1), CoarseWeight::of(WeightUnit / 4));
  Program.setHintable(AllocationId(0), Hintable::IfPointer);
  ReportModel Model = model();
  Model.WorkingSet = {.Before = Bytes(4096), .After = Bytes(1024)};
  EXPECT_EQ(Model.Savings.Separable, Bytes(2048));
  EXPECT_EQ(Model.Savings.Perhaps, Bytes(2048));
  EXPECT_EQ(Model.Savings.Hinted, Bytes(0));
  EXPECT_EQ(describeWorkingSet(Model),
            "4.0 KiB -> 4.0 KiB (-0.0 %, perhaps -50.0 %), 1.0 KiB "
            "with all hints of the profile");
  const std::string Text = text(Model, Format::Text);
  EXPECT_NE(Text.find("with those of this link, or perhaps  2.0 KiB   50.0 %"),
            std::string::npos)
      << Text;
  const std::string Page = text(Model, Format::Html);
  EXPECT_EQ(occurrences(Page, "3.0 KiB that the profile asks for is not sure "
                              "to be gained: 2.0 KiB perhaps saved by hints"),
            1u);
}

TEST_F(ReportTest, SaysWhatIsPredictedAtTheOtherHorizon) {
  ReportModel Model = model();
  Model.WorkingSet = {Bytes(4096), Bytes(1024)};
  EXPECT_EQ(describeOtherHorizon(*Model.WorkingSet), "");
  EXPECT_EQ(text(Model, Format::Text).find("within"), std::string::npos);
  Model.WorkingSet->Other.emplace(Bytes(8192), Bytes(6144));
  const std::string Windows = "within windows 8.0 KiB -> 6.0 KiB (-25.0 %)";
  EXPECT_EQ(describeOtherHorizon(*Model.WorkingSet), Windows);
  EXPECT_EQ(occurrences(text(Model, Format::Text), Windows), 1u);
  // On the first screen, and below the table.
  EXPECT_EQ(occurrences(text(Model, Format::Html),
                        "within windows 8.0 KiB -&gt; 6.0 KiB (-25.0 %)"),
            2u);
  Model.WorkingSet->Goal = placement::Horizon::Window;
  EXPECT_EQ(describeOtherHorizon(*Model.WorkingSet),
            "within bursts 8.0 KiB -> 6.0 KiB (-25.0 %)");
  Expected<json::Value> Json = json::parse(text(Model, Format::Json));
  ASSERT_TRUE(static_cast<bool>(Json));
  const json::Object &Set = *Json->getAsObject()->getObject("workingSet");
  EXPECT_EQ(Set.getString("goal"), "window");
  EXPECT_EQ(Set.getObject("other")->getInteger("after"), 6144);
}

TEST_F(ReportTest, SaysHowSmallObjectsLieAndWhy) {
  ReportModel Model = model();
  EXPECT_EQ(text(Model, Format::Text).find("Small objects"), std::string::npos);
  EXPECT_EQ(text(Model, Format::Json).find("smallObjects"), std::string::npos);
  using Cause = ChosenOrder::Cause;
  const placement::OrderVerdict Order = {placement::OrderChoice::Order, 0.25,
                                         0.5, 0.03125};
  const struct {
    ChosenOrder Chosen;
    std::string Name, Text;
  } Cases[] = {
      {{true, Cause::Profile, Order},
       "profile",
       "in order of allocation, as the profile says: order touches 0.25 of the "
       "pages and 0.50 of the pairs of lines that size classes do"},
      {{false, Cause::Profile, std::nullopt},
       "profile",
       "by size class, as the profiles of the modules say"},
      {{true, Cause::Option, std::nullopt},
       "option",
       "in order of allocation, as an option says"},
      {{false, Cause::NoHint, Order},
       "no hint",
       "by size class, as nothing is hinted"},
      {{false, Cause::Compiler, Order},
       "compiler",
       "by size class, as stock clang compiles, which cannot ask for order"}};
  for (const auto &Case : Cases) {
    Model.SmallObjects = Case.Chosen;
    EXPECT_EQ(occurrences(text(Model, Format::Text),
                          "Small objects: " + Case.Text + "\n"),
              1u);
    EXPECT_EQ(occurrences(text(Model, Format::Html), Case.Text), 1u);
    Expected<json::Value> Json = json::parse(text(Model, Format::Json));
    ASSERT_TRUE(static_cast<bool>(Json));
    const json::Object &Found = *Json->getAsObject()->getObject("smallObjects");
    EXPECT_EQ(Found.getString("choice"),
              Case.Chosen.InOrder ? "order" : "classes");
    EXPECT_EQ(Found.getString("by"), Case.Name);
    EXPECT_EQ(Found.getNumber("pagesRatio").value_or(0),
              Case.Chosen.Verdict ? 0.25 : 0);
  }
}

TEST_F(ReportTest, ListsContextsByBytesDescending) {
  ReportModel Model = model();
  ASSERT_EQ(Model.Contexts.size(), 3u);
  EXPECT_EQ(Model.Contexts[0].Size, Bytes(HotBytes));
  EXPECT_EQ(Model.Contexts[1].Size, Bytes(ColdBytes));
  EXPECT_EQ(Model.Contexts[2].Size, Bytes(MissedBytes));
}

TEST_F(ReportTest, EqualBytesAreOrderedById) {
  for (uint64_t I = 0; I != 4; ++I)
    Program.addContext(Temperature::NotCold, Bytes(HotBytes), 0x20 + I, {});
  Audited.Contexts.resize(7);
  Engine.Outcomes.resize(7);
  ReportModel Model = model();
  std::vector<uint32_t> Order;
  for (const ReportContext &C : Model.Contexts)
    Order.push_back(C.Id.index());
  EXPECT_EQ(Order, (std::vector<uint32_t>{2, 3, 4, 5, 6, 0, 1}));
}

TEST_F(ReportTest, ReasonsAreTheEnginesForContextsWithoutHint) {
  ReportModel Model = model();
  ASSERT_EQ(Model.Reasons.size(), 1u);
  EXPECT_EQ(Model.Reasons[0].Outcome, describe(Outcome::Collides).str());
  EXPECT_EQ(Model.Reasons[0].Count.Contexts, 1u);
  EXPECT_EQ(Model.Reasons[0].Count.Size, Bytes(MissedBytes));
}

TEST_F(ReportTest, WithoutEngineTheAuditGivesTheReason) {
  Audited.Contexts[1].Separable = false;
  ReportModel Model = buildModel(
      Sources{.Program = Program, .Decided = Decided, .Audited = Audited});
  ASSERT_EQ(Model.Reasons.size(), 1u);
  EXPECT_EQ(Model.Reasons[0].Outcome, "not separable");
}

TEST_F(ReportTest, TheAuditIsBelievedOverTheEngine) {
  Audited.Contexts[0].ReachesNotCold = true;
  ReportModel Model = model();
  EXPECT_EQ(Model.Contexts[1].Outcome,
            "not hinted, although the engine says so");
}

TEST_F(ReportTest, HintedColdAlthoughNotColdIsSaid) {
  Audited.Contexts[2].ReachesCold = true;
  EXPECT_EQ(model().Contexts[0].Outcome, "hinted cold although not cold");
}

TEST_F(ReportTest, RecallIsOverSeparableColdBytes) {
  Audited.ColdNotSeparable = {1, Bytes(MissedBytes)};
  std::string Text = text(model(), Format::Text);
  EXPECT_NE(Text.find("Recall: 100.0 % of 4.0 KiB"), std::string::npos) << Text;
}

TEST_F(ReportTest, TextListsWhatIsNotAsItShouldBe) {
  std::string Text = text(model(), Format::Text);
  EXPECT_EQ(occurrences(Text, "allocated in make_node"), 1u) << Text;
  EXPECT_NE(Text.find("(call 0xabc)"), std::string::npos) << Text;
  std::string All = text(model(), Format::Text, {.ListAll = true});
  EXPECT_EQ(occurrences(All, "allocated in make_node"), 3u) << All;
  EXPECT_NE(All.find("caller<T> +12:7"), std::string::npos) << All;
}

TEST_F(ReportTest, TextCountsWhatItLeavesOut) {
  std::string Text =
      text(model(), Format::Text, {.MaxContexts = 1, .ListAll = true});
  EXPECT_NE(Text.find("... and 2 more contexts"), std::string::npos) << Text;
}

TEST_F(ReportTest, JsonParsesAndHasAllContexts) {
  Expected<json::Value> Parsed = json::parse(text(model(), Format::Json));
  ASSERT_TRUE(static_cast<bool>(Parsed)) << toString(Parsed.takeError());
  const json::Object &Root = *Parsed->getAsObject();
  EXPECT_EQ(Root.getString("output"), "a.out");
  EXPECT_EQ(Root.getObject("coldToCold")->getInteger("bytes"),
            static_cast<int64_t>(ColdBytes));
  ASSERT_EQ(Root.getArray("contexts")->size(), 3u);
  const json::Object &Cold = *(*Root.getArray("contexts"))[1].getAsObject();
  EXPECT_EQ(Cold.getString("id"), "0x11");
  EXPECT_EQ(Cold.getBoolean("hintedCold"), true);
  const json::Object &Frame = *(*Cold.getArray("frames"))[0].getAsObject();
  EXPECT_EQ(Frame.getString("function"), "caller<T>");
  EXPECT_EQ(Frame.getInteger("lineOffset"), 12);
}

TEST_F(ReportTest, CsvHasARowForEachContext) {
  EXPECT_EQ(text(model(), Format::Csv),
            "context,id,owner,bytes,savedBytes,cold,hintedCold,separable,"
            "outcome,collidesWith,place,frames\n"
            "2,0x13,make_node,8192,,false,false,true,not cold,,,(call 0xabc)\n"
            "0,0x11,make_node,4096,,true,true,true,hinted cold,,,"
            "caller<T> +12:7\n"
            "1,0x12,make_node,1024,,true,false,true,"
            "collides with a not-cold context,2,,(call 0xabc)\n");
}

TEST_F(ReportTest, AllFormatsNameTheContextThatCollides) {
  EXPECT_EQ(model().Contexts[2].CollidesWith, ContextId(2));
  std::string Text = text(model(), Format::Text);
  EXPECT_NE(Text.find("context 1: collides with a not-cold context "
                      "(context 2), 1.0 KiB"),
            std::string::npos)
      << Text;
  Expected<json::Value> Parsed = json::parse(text(model(), Format::Json));
  ASSERT_TRUE(static_cast<bool>(Parsed)) << toString(Parsed.takeError());
  const json::Array &Contexts = *Parsed->getAsObject()->getArray("contexts");
  EXPECT_EQ(Contexts[2].getAsObject()->getInteger("collidesWith"), 2);
  EXPECT_EQ(Contexts[0].getAsObject()->get("collidesWith"), nullptr);
  EXPECT_NE(text(model(), Format::Html).find("\"context 2\""),
            std::string::npos);
}

TEST_F(ReportTest, FalseColdWithinTheLimitIsSaid) {
  Audited.Contexts[2].ReachesCold = true;
  Engine.Outcomes[2] = Outcome::FalseCold;
  EXPECT_EQ(model().Contexts[0].Outcome, describe(Outcome::FalseCold));
}

TEST_F(ReportTest, CopiesAreListedOnceAndKeepTheirNumbers) {
  Program.addContext(Temperature::NotCold, Bytes(HotBytes), 0x13, {});
  Engine.Outcomes.push_back(Outcome::KeptNotCold);
  Engine.CollidesWith[1] = ContextId(3);
  Audited.Contexts.push_back({.CountedAs = ContextId(2)});
  ReportModel Model = model();
  EXPECT_EQ(Model.Contexts.size(), 3u);
  EXPECT_EQ(Model.Contexts[2].CollidesWith, ContextId(2));
  // Those of another part are numbered on after all of this one.
  addPart(Model, {.Program = Program, .Decided = Decided, .Audited = Audited});
  EXPECT_EQ(Model.Contexts.size(), 6u);
  EXPECT_EQ(Model.Contexts[1].Id, ContextId(6));
}

TEST_F(ReportTest, JsonHasWhatTheProfileMeasured) {
  Program.setMeasures(ContextId(0), {12345, 67});
  Expected<json::Value> Parsed = json::parse(text(model(), Format::Json));
  ASSERT_TRUE(static_cast<bool>(Parsed)) << toString(Parsed.takeError());
  const json::Array &Contexts = *Parsed->getAsObject()->getArray("contexts");
  const json::Object &Cold = *Contexts[1].getAsObject();
  EXPECT_EQ(Cold.getInteger("byteMilliseconds"), 12345);
  EXPECT_EQ(Cold.getInteger("accesses"), 67);
  EXPECT_EQ(Contexts[0].getAsObject()->get("accesses"), nullptr);
}

TEST_F(ReportTest, HtmlEscapesNames) {
  std::string Html = text(model(), Format::Html);
  EXPECT_EQ(Html.find("caller<T>"), std::string::npos);
  EXPECT_NE(Html.find("\"caller\\u003cT\\u003e\""), std::string::npos);
  EXPECT_EQ(occurrences(Html, "src="), 0u) << "needs nothing beside it";
}

TEST_F(ReportTest, SameModelGivesSameBytes) {
  for (Format As : {Format::Text, Format::Json, Format::Html})
    EXPECT_EQ(text(model(), As), text(model(), As));
}

TEST(ReportFormatTest, IsToldByTheFileName) {
  EXPECT_EQ(formatForFile("report.json"), Format::Json);
  EXPECT_EQ(formatForFile("dir.json/report.html"), Format::Html);
  EXPECT_EQ(formatForFile("report.csv"), Format::Csv);
  EXPECT_EQ(formatForFile("report"), Format::Text);
  EXPECT_EQ(parseFormat("xml"), std::nullopt);
}

TEST_F(ReportTest, WhatOfTheProfileIsLostIsSaidInEveryFormat) {
  ReportModel Model = model();
  EXPECT_TRUE(StringRef(text(Model, Format::Text))
                  .contains("only contexts that reached the link"));
  EXPECT_TRUE(StringRef(text(Model, Format::Html))
                  .contains("only contexts that reached the link"));
  EXPECT_TRUE(
      StringRef(text(Model, Format::Json)).contains("\"profile\": null"));

  ProfileCoverage Coverage;
  Coverage.Profile = "a<b>.prof";
  Coverage.Cold = {4, Bytes(4000)};
  Coverage.ColdLost = {2, Bytes(1000)};
  Coverage.PlacesOfColdLost = 1;
  Coverage.Reasons = {{LossReason::NotLTO, Coverage.ColdLost}};
  Coverage.Biggest = {
      {0x77, Bytes(900), LossReason::NotLTO, {{StackId(1), "lost<T>", 3, 4}}}};
  Model.Coverage = Coverage;
  std::string Text = text(Model, Format::Text);
  EXPECT_TRUE(StringRef(Text).contains("Lost: 25.0 % of the profile's cold "
                                       "bytes, at 1 place,"))
      << Text;
  EXPECT_TRUE(StringRef(Text).contains(
      "\nlost: function is not LTO code, 900 B, id 0x77\n    lost<T> +3:4\n"))
      << Text;
  EXPECT_TRUE(StringRef(Text).contains("... and 1 more lost context"));
  EXPECT_FALSE(StringRef(Text).contains("only contexts that reached"));
  std::string Html = text(Model, Format::Html);
  EXPECT_TRUE(StringRef(Html).contains("lost\\u003cT\\u003e")) << Html;
  EXPECT_TRUE(StringRef(Html).contains("lost: function is not LTO code"));
  EXPECT_FALSE(StringRef(Html).contains("a<b>"));
  auto Json = json::parse(text(Model, Format::Json));
  ASSERT_TRUE(bool(Json));
  const json::Object *Profile = Json->getAsObject()->getObject("profile");
  ASSERT_TRUE(Profile);
  EXPECT_EQ(*Profile->getObject("coldLost")->getInteger("bytes"), 1000);
  EXPECT_EQ(Profile->getArray("lost")->size(), 1u);
}

TEST_F(ReportTest, OnlyAConsiderableLossIsWarnedOf) {
  ProfileCoverage Coverage;
  EXPECT_FALSE(Coverage.isLossConsiderable());
  Coverage.Cold = {100, Bytes(100)};
  Coverage.ColdLost = {5, Bytes(5)};
  EXPECT_FALSE(Coverage.isLossConsiderable());
  Coverage.ColdLost.Size = Bytes(6);
  EXPECT_TRUE(Coverage.isLossConsiderable());
}
