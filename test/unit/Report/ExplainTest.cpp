//===- unit/Report/ExplainTest.cpp - Decisions in words and pictures ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small programs, each with a cold context that ends in another way, decided by
// the engine.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/Explain.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Report/Dot.h"
#include "gtest/gtest.h"
#include <optional>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

namespace {

constexpr uint64_t ColdBytes = 4096, OtherBytes = 1024;

class ExplainTest : public testing::Test {
protected:
  CallsiteId call(FunctionId Caller, FunctionId Callee, uint64_t Stack,
                  Redirect R = Redirect::Yes) {
    return Program.addCallsite(Caller, Callee, R, {StackId(Stack)});
  }
  /// Context 0, cold, and 1, not cold, of an allocation in make().
  void contexts(ArrayRef<StackId> Cold, ArrayRef<StackId> NotCold) {
    Program.addAllocation(Make);
    Program.addContext(Temperature::Cold, Bytes(ColdBytes), 0xc01d, Cold);
    Program.addContext(Temperature::NotCold, Bytes(OtherBytes), 0x407, NotCold);
  }
  void show(const Sources &All) {
    Part.emplace(All);
    View.emplace(*Part);
  }
  void decideWith(const EngineOptions &Options) {
    Engine = decide(Program, Options);
    Audited = audit(Program, Engine.Decided);
    show({.Program = Program,
          .Decided = Engine.Decided,
          .Audited = Audited,
          .Engine = &Engine,
          .Frames = &Frames,
          .Names = &Names});
  }
  std::string explained(StringRef Query) {
    if (!View)
      decideWith({});
    auto Subjects = findSubjects(*View, Query);
    if (!Subjects)
      return "error: " + toString(Subjects.takeError());
    std::string Result;
    raw_string_ostream OS(Result);
    for (const Subject &S : *Subjects)
      explain(*View, S, OS);
    return Result;
  }
  std::string drawn(ArrayRef<Subject> Subjects,
                    const DotOptions &Options = {}) {
    if (!View)
      decideWith({});
    std::string Result;
    raw_string_ostream OS(Result);
    Drawn = writeDot(*View, Subjects, Options, OS);
    return Result;
  }

  ContextProgram Program;
  FunctionId Main = Program.addFunction("main", 20, true);
  FunctionId Make = Program.addFunction("_Z4makem", 10, true);
  EngineResult Engine;
  AuditResult Audited;
  profile::FrameTable Frames;
  profile::FunctionNames Names;
  std::optional<Sources> Part;
  std::optional<LinkView> View;
  DotResult Drawn;
};

void expectIn(StringRef Text, StringRef Part) {
  EXPECT_TRUE(Text.contains(Part)) << Part.str() << "\nis not in\n"
                                   << Text.str();
}

} // namespace

TEST_F(ExplainTest, AHintedContextPartsFromOthers) {
  FunctionId Through = Program.addFunction("through", 5, true);
  call(Main, Through, 1);
  call(Main, Through, 2);
  call(Through, Make, 3);
  contexts({StackId(3), StackId(1)}, {StackId(3), StackId(2)});
  EXPECT_EQ(
      explained("0"),
      "context 0: cold, 4.0 KiB, id 0xc01d, allocated in make(unsigned "
      "long)\n"
      "  profiled cold, and hinted cold\n"
      "  Its path, from the outermost known call down to the allocation:\n"
      "    main, version 0 (the original), whoever calls it\n"
      "      calls, at (call 0x1),\n"
      "    through, version 1\n"
      "      here it parts from 1 not-cold context of the same "
      "allocation:\n"
      "        context 1: not cold, 1.0 KiB\n"
      "      calls, at (call 0x3),\n"
      "    make(unsigned long), version 1, where it is allocated\n");
  std::string Text = explained("make");
  expectIn(Text, "function make(unsigned long) (_Z4makem): 2 versions of 10 "
                 "instructions; clones add 10 instructions\n");
  expectIn(Text, "version 1: _Z4makem.memprof.1, made for 1 cold context (4.0 "
                 "KiB)\n"
                 "    called by through, version 1, at (call 0x3): 1 cold "
                 "context (4.0 KiB)\n");
  expectIn(Text, "allocation _Z4makem#0\n"
                 "  in version 0 (the original): no hint\n"
                 "  in version 1: hinted cold\n");
  // Ids of contexts and of calls, a version's name, and an allocation.
  EXPECT_EQ(explained("0xc01d"), explained("context:0"));
  EXPECT_EQ(explained("_Z4makem.memprof.1"), Text);
  expectIn(explained("0x1"), "call 0, of through, at (call 0x1), in main\n"
                             "  in version 0 (the original): calls version 1; "
                             "1 cold context (4.0 KiB)\n");
  EXPECT_EQ(explained("make#0").find("allocation _Z4makem#0"), 0u);
}

TEST_F(ExplainTest, NoCallHasAFrame) {
  call(Main, Make, 1);
  contexts({StackId(9)}, {StackId(1)});
  std::string Text = explained("0");
  expectIn(Text, "and not hinted: unmatched frame\n");
  expectIn(Text, "Why: no call in the link has its frame (call 0x9), which "
                 "would call make(unsigned long).");
  expectIn(explained("0x9"), "frame (call 0x9): no call in the link has it.");
}

TEST_F(ExplainTest, AnIndirectCall) {
  call(Main, Make, 1);
  call(Main, FunctionId(), 2, Redirect::Indirect);
  contexts({StackId(2)}, {StackId(1)});
  std::string Text = explained("0");
  expectIn(Text, "and not hinted: indirect call\n");
  expectIn(Text, "Why: the call at (call 0x2) goes through a pointer");
  expectIn(explained("0x2"),
           "always calls the original: it is a call through a pointer");
}

TEST_F(ExplainTest, ACallThatLeavesTheLink) {
  call(Main, Make, 1);
  call(Main, FunctionId(), 2, Redirect::OutsideLink);
  contexts({StackId(2)}, {StackId(1)});
  std::string Text = explained("0");
  expectIn(Text, "and not hinted: outside the link\n");
  expectIn(Text, "Why: what is called at (call 0x2) is defined outside");
}

TEST_F(ExplainTest, AFunctionThatCannotBeCloned) {
  FunctionId Weak = Program.addFunction("weak", 5, false);
  call(Main, Weak, 1);
  call(Main, Weak, 2);
  call(Weak, Make, 3);
  contexts({StackId(3), StackId(1)}, {StackId(3), StackId(2)});
  expectIn(explained("0"), "Why: weak cannot be cloned: another definition");
  expectIn(explained("weak"), "; it cannot be cloned, because");
}

TEST_F(ExplainTest, AContextThatCannotBeTold) {
  call(Main, Make, 1);
  contexts({StackId(1)}, {StackId(1)});
  expectIn(explained("0"), "Why: its frames do not tell it from context 1, "
                           "which is not cold (thermo-lto explain 1).");
}

TEST_F(ExplainTest, ABudgetThatIsSpent) {
  call(Main, Make, 1);
  call(Main, Make, 2);
  contexts({StackId(1)}, {StackId(2)});
  decideWith({.MaxInstructionsAdded = 0});
  expectIn(explained("0"), "Why: the clones that it needs do not fit what "
                           "--thinlto-memprof-max-growth allows");
  expectIn(explained("0"),
           "  In the same version of the allocation: 1 not-cold "
           "context of it\n");
}

TEST_F(ExplainTest, AContextThatIsTooSmall) {
  call(Main, Make, 1);
  call(Main, Make, 2);
  contexts({StackId(1)}, {StackId(2)});
  decideWith({.MinContextSize = Bytes(ColdBytes + 1)});
  expectIn(explained("0"),
           "Why: it has fewer bytes than --thinlto-memprof-min-context");
}

TEST_F(ExplainTest, NotColdBytesThatAreGivenUp) {
  call(Main, Make, 1);
  contexts({StackId(1)}, {StackId(1)});
  decideWith({.MaxFalseCold = Bytes(OtherBytes)});
  std::string Text = explained("1");
  expectIn(Text, "profiled not cold, and hinted cold\n");
  expectIn(Text, "Why: --thinlto-memprof-max-false-cold allows it");
}

TEST_F(ExplainTest, TailCallsOfWhichNothingIsKnown) {
  FunctionId Left = Program.addFunction("left", 5, true);
  FunctionId Right = Program.addFunction("right", 5, true);
  FunctionId Entry = Program.addFunction("entry", 5, true);
  call(Main, Entry, 1);
  call(Main, Make, 2);
  for (FunctionId Middle : {Left, Right}) {
    Program.addCallsite(Entry, Middle, Redirect::Yes, {});
    Program.addCallsite(Middle, Make, Redirect::Yes, {});
  }
  contexts({StackId(1)}, {StackId(2)});
  std::string Text = explained("0");
  expectIn(Text, "One of several ways");
  expectIn(Text, "Why: tail calls leave no frame, and several chains");
}

TEST_F(ExplainTest, DecisionsOfOthersHaveNoReasons) {
  call(Main, Make, 1);
  call(Main, Make, 2);
  contexts({StackId(1)}, {StackId(2)});
  Decisions Nothing = Decisions::none(Program);
  Audited = audit(Program, Nothing);
  show({.DecidedBy = "someone",
        .Program = Program,
        .Decided = Nothing,
        .Audited = Audited});
  expectIn(explained("0"), "their reasons are not known. All its calls may be "
                           "redirected: a better decision exists.");
}

TEST_F(ExplainTest, CallsAreFoundByPlaceAndNamesByWhatPeopleWrite) {
  memprof::Frame Frame(memprof::getGUID("_ZN2ns4loadEi"), 12, 7, false);
  Frames.add(Frame);
  Names.add("_ZN2ns4loadEi");
  StackId Id = profile::computeStackId(Frame);
  Program.addCallsite(Main, Make, Redirect::Yes, {Id});
  call(Main, Make, 2);
  contexts({Id}, {StackId(2)});
  std::string Call = explained("ns::load:12");
  expectIn(Call, "call 0, of make(unsigned long), at ns::load(int) +12:7, in "
                 "main\n");
  for (const char *Same :
       {"load:12", "load:+12", "ns::load:12:7", "ns::load(int):12:7",
        "ns::load(int) +12:7", "load +12", "load", "ns::load"})
    EXPECT_EQ(explained(Same), Call) << Same;
  EXPECT_EQ(explained("load:13"),
            "error: no call of the link is at 'load:13'; lines count from the "
            "beginning of the function. Calls with a profile in it: "
            "ns::load(int) +12:7");
  EXPECT_EQ(explained("laod"), "error: no function with a profile in the link "
                               "matches 'laod'; near are: ns::load(int)");
  EXPECT_EQ(explained("2"), "error: there is no context 2 in the report");
  EXPECT_EQ(explained("0xzz"), "error: '0xzz' is not an id");
  EXPECT_EQ(explained("0x77"), "error: no context has the id 0x77, and no call "
                               "the stack id");
  EXPECT_EQ(explained("make#1"),
            "error: make has no allocation 1 with a profile");
  EXPECT_EQ(explained(""), "error: nothing was asked for");
  Part->Frames = nullptr;
  View.emplace(*Part);
  EXPECT_EQ(explained("load:12"),
            "error: the lines of calls are in the profile: give it with "
            "--profile=FILE, or a stack id");
}

TEST(QueryTest, NamesWithoutParameters) {
  EXPECT_EQ(withoutParameters("f"), "f");
  EXPECT_EQ(withoutParameters("ns::f(int, void (*)(char)) const"), "ns::f");
  EXPECT_EQ(withoutParameters("(anonymous namespace)::f(int)"),
            "(anonymous namespace)::f");
  EXPECT_EQ(withoutParameters("C::operator()(int)"), "C::operator()");
  EXPECT_EQ(withoutParameters("(anonymous namespace)::f"),
            "(anonymous namespace)::f");
  EXPECT_EQ(withoutParameters(")("), ")(");
  EXPECT_EQ(withoutParameters(""), "");
}

TEST_F(ExplainTest, ThePictureShowsVersionsAndEscapesNames) {
  FunctionId Odd = Program.addFunction("a \"b\\\n", 5, true);
  call(Main, Odd, 1);
  call(Main, Odd, 2);
  call(Odd, Make, 3);
  contexts({StackId(3), StackId(1)}, {StackId(3), StackId(2)});
  std::string Dot = drawn({});
  expectIn(Dot, "f0_1_1 [label=\"make(unsigned long)\\nversion 1\\ncold 4.0 "
                "KiB\\nallocates cold\", fillcolor=\"#a6cee3\", "
                "shape=doubleoctagon];\n");
  expectIn(Dot, "f0_0_0 [label=\"main\\ncold 4.0 KiB, not cold 1.0 KiB\", "
                "fillcolor=\"#cab2d6\"];\n");
  expectIn(Dot, "label=\"a \\\"b\\\\ \\n");
  expectIn(Dot, "f0_0_0 -> f0_2_1 [label=\"(call 0x1)\\ncold 4.0 KiB\", "
                "color=\"#1f78b4\"];\n");
  EXPECT_EQ(Drawn.NodesLeftOut, 0u);
  EXPECT_EQ(drawn({}), Dot);

  // Around one context, only its way.
  auto Context = findSubjects(*View, "1");
  ASSERT_TRUE(bool(Context));
  std::string Around = drawn(*Context);
  EXPECT_FALSE(StringRef(Around).contains("#a6cee3"));
  expectIn(Around, "shape=octagon, penwidth=3");
  EXPECT_EQ(Drawn.Nodes, 3u);

  // What does not fit is told.
  std::string Little = drawn({}, {.MaxNodes = 2});
  EXPECT_EQ(Drawn.Nodes, 2u);
  EXPECT_EQ(Drawn.NodesLeftOut, 3u);
  expectIn(Little,
           "label=\"2 of 5 versions are drawn, those with most bytes\"");
}

TEST_F(ExplainTest, ClonesAreSharedOutAmongTheContextsThatNeedThem) {
  FunctionId Through = Program.addFunction("through", 6, true);
  for (uint64_t Stack : {1, 2, 4})
    call(Main, Through, Stack);
  call(Through, Make, 3);
  contexts({StackId(3), StackId(1)}, {StackId(3), StackId(2)});
  Program.addContext(Temperature::Cold, Bytes(ColdBytes), 0xc02d,
                     {StackId(3), StackId(4)});
  decideWith({});
  ReportModel Model = buildModel(*Part);
  addCloneCosts(Model, *Part);
  EXPECT_EQ(Audited.InstructionsAdded, 16u);
  for (const ReportContext &C : Model.Contexts)
    EXPECT_EQ(C.CloneCost, C.hintedCold() ? 8u : 0u) << C.Id.index();
}
