//===- unit/Engine/WithoutFrameTest.cpp -----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ways to a function that contexts do not show: below a pointer that is another
// function, by a call that has a frame elsewhere, into the middle of a
// coroutine.
//
//===----------------------------------------------------------------------===//

#include "Judges/Scenario.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

/// Four functions call step() /*1 to 4*/, three of them for cold memory, so
/// that versions of their own for what is not cold would be the fewest.
/// step() calls back() /*5*/, and that make() /*6*/.
static std::string fourCallers(StringRef CallOfBack, StringRef Back = "") {
  return ("function busy 9\nfunction idle1 9\nfunction idle2 9\n"
          "function idle3 9\nfunction step 9\nfunction back 9" +
          Back +
          "\nfunction make 5\n"
          "callsite busy step : 1\ncallsite idle1 step : 2\n"
          "callsite idle2 step : 3\ncallsite idle3 step : 4\n" +
          CallOfBack +
          "callsite back make : 6\n"
          "allocation make\n"
          "context notcold 1 : 6 5 1\ncontext cold 1 : 6 5 2\n"
          "context cold 1 : 6 5 3\ncontext cold 1 : 6 5 4\n")
      .str();
}

/// The hint of what version \p Version of back() allocates.
static Temperature hintBelow(const Scenario &S, size_t CallOfMake,
                             uint32_t Version) {
  return S.hintsOf(0)[S.clonesOf(CallOfMake)[Version]];
}

TEST(WithoutFrame, PointerThatIsAnotherFunctionReachesTheOriginal) {
  Scenario S(fourCallers("callsite step back compared : 5\n"));
  EXPECT_EQ(S.hinted(), 3u);
  EXPECT_EQ(hintBelow(S, 5, 0), Temperature::NotCold);
}

// wrap() { return back(); } has a version for cold memory, and the pointer may
// be that of a function without a frame that calls wrap().
TEST(WithoutFrame, PointerMayLeadToWhatLeadsOnByTailCalls) {
  Scenario S(
      "function busy 9\nfunction idle 9\nfunction other 9\n"
      "function wrap 3\nfunction back 9\nfunction make 5\n"
      "callsite busy back compared : 1\ncallsite idle back compared : 2\n"
      "callsite other wrap : 3\ncallsite wrap back :\n"
      "callsite back make : 6\n"
      "allocation make\n"
      "context notcold 1 : 6 1\ncontext cold 1 : 6 2\n"
      "context cold 1 : 6 3\n");
  EXPECT_EQ(S.hinted(), 2u);
  EXPECT_EQ(hintBelow(S, 4, S.clonesOf(3)[0]), Temperature::NotCold);
}

// idle() calls forward() /*3*/, which make() /*1*/ was inlined into the copy of
// in one context: both frames are there. In that of busy() forward() left none.
TEST(WithoutFrame, OneCallWithAndWithoutAFrame) {
  Scenario S("function idle 9\nfunction busy 9\nfunction forward 3\n"
             "function make 5\n"
             "callsite idle forward : 3\ncallsite busy forward : 4\n"
             "callsite forward make tail : 1\n"
             "allocation make\n"
             "context cold 1 : 1 3\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.hintsOf(0)[S.clonesOf(2)[S.clonesOf(1)[0]]],
            Temperature::NotCold);
}

// The same with a tail call of its own in forward(): either may have run.
TEST(WithoutFrame, EitherOfTwoTailCallsMayHaveRun) {
  Scenario S("function idle 9\nfunction busy 9\nfunction forward 3\n"
             "function make 5\n"
             "callsite idle forward : 3\ncallsite busy forward : 4\n"
             "callsite forward make tail : 1\ncallsite forward make :\n"
             "allocation make\n"
             "context cold 1 : 1 3\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  for (size_t Call : {2, 3})
    EXPECT_EQ(S.hintsOf(0)[S.clonesOf(Call)[S.clonesOf(1)[0]]],
              Temperature::NotCold);
}

// A native function calls forward().
TEST(WithoutFrame, TailCallBelowACallWithoutARecord) {
  Scenario S("function idle 9\nfunction forward 3\nfunction make 5\n"
             "callsite idle forward : 3\n"
             "callsite forward make tail : 1\n"
             "allocation make\n"
             "context cold 1 : 1 3\ncontext notcold 1 : 9\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.hintsOf(0)[S.clonesOf(1)[0]], Temperature::NotCold);
}

// The same where an edit took the record of the call in forward(), which had
// been inlined in the hot context /*9*/: it is a tail call in every version.
TEST(WithoutFrame, TailCallThatLostItsRecord) {
  Scenario S("function idle 9\nfunction forward 3\nfunction make 5\n"
             "callsite idle forward : 3\n"
             "callsite forward make tail :\ncallsite idle make : 4\n"
             "allocation make\n"
             "context cold 1 : 3\ncontext cold 1 : 4\n"
             "context notcold 1 : 9 3\n");
  EXPECT_EQ(S.hinted(), 1u);
  for (uint32_t Version : S.clonesOf(1))
    EXPECT_EQ(S.hintsOf(0)[Version], Temperature::NotCold);
}

// step() resumes back(), a coroutine that one caller made for cold memory: the
// version that made it goes on.
TEST(WithoutFrame, ResumedCoroutineRunsInAnyVersion) {
  std::string Text = fourCallers("callsite step ? indirect : 5\n",
                                 /*Back=*/" anyversion");
  Text += "context cold 1 : 6 7\n";
  size_t Pos = Text.find("callsite back");
  Text.insert(Pos, "callsite idle1 back : 7\n");
  Scenario S(Text);
  for (uint32_t V = 0; V != S.versions("back"); ++V)
    EXPECT_EQ(hintBelow(S, 6, V), Temperature::NotCold);
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(1), Outcome::IndirectCall);
}

// What is made in it before it waits is below the call that made it.
TEST(WithoutFrame, CallOfACoroutineIsToldApart) {
  Scenario S("function busy 9\nfunction idle 9\nfunction back 9 anyversion\n"
             "function make 5\n"
             "callsite busy back : 1\ncallsite idle back : 2\n"
             "callsite back make : 6\n"
             "allocation make\n"
             "context notcold 1 : 6 1\ncontext cold 1 : 6 2\n");
  EXPECT_EQ(S.hinted(), 1u);
}

// back() ends in a tail call of what its caller left it, which may be back().
TEST(WithoutFrame, WhatIsEnteredAgainRunsInTheOriginal) {
  for (StringRef Kind : {"", " compared"}) {
    Scenario S(
        fourCallers(("callsite step back" + Kind + " again : 5\n").str()));
    EXPECT_EQ(hintBelow(S, 5, 0), Temperature::NotCold);
    EXPECT_EQ(S.hinted(), 0u);
    EXPECT_EQ(S.Audited.ColdIfPointer.Contexts, 3u);
    for (size_t Cold : {1, 2, 3})
      EXPECT_EQ(S.outcome(Cold), Outcome::HintedIfNotAgain);
  }
}

// All that make() allocates is cold, in whatever version it runs.
TEST(WithoutFrame, WhatIsColdInEachVersionIsPromised) {
  Scenario S("function idle 9\nfunction back 9\nfunction make 5\n"
             "callsite idle back again : 1\ncallsite back make : 6\n"
             "allocation make\ncontext cold 1 : 6 1\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.outcome(0), Outcome::HintedCold);
}

/// Cold memory of native code, which calls an inline function by /*9*/, that of
/// a module, and hot memory. \p Kind and \p KindOfMake follow the functions.
static Scenario nativeCaller(StringRef Kind, StringRef KindOfMake = "",
                             StringRef More = "") {
  return Scenario(("function idle 9\nfunction busy 9\nfunction helper 5" +
                   Kind + "\nfunction make 5" + KindOfMake +
                   "\ncallsite idle helper : 1\ncallsite busy make : 2\n"
                   "callsite helper make : 5\nallocation make\n"
                   "context cold 1 : 5 1\ncontext cold 1 : 5 9\n" +
                   More)
                      .str());
}

// inline char *helper() { return make(); }
// The native code may have it inlined, and then calls the original make().
TEST(WithoutFrame, WhatNativeCodeMayHaveInlinedIsNotPromised) {
  Scenario S = nativeCaller(" inline", "", "context notcold 1 : 2\n");
  EXPECT_EQ(S.outcome(0), Outcome::HintedCold);
  EXPECT_EQ(S.outcome(1), Outcome::HintedIfNotInlined);
  EXPECT_EQ(S.Audited.ColdToCold.Contexts, 1u);
  EXPECT_EQ(S.Audited.ColdIfPointer.Contexts, 1u);
  // It calls what the link has.
  EXPECT_EQ(nativeCaller("", "", "context notcold 1 : 2\n").hinted(), 2u);
  // The original is cold, too.
  EXPECT_EQ(nativeCaller(" inline").hinted(), 2u);
  EXPECT_EQ(nativeCaller("", " inline").hinted(), 2u);
}

// The same where the native code allocates: nothing is hinted there.
TEST(WithoutFrame, AllocationThatNativeCodeMayHaveInlinedIsNotPromised) {
  Scenario S = nativeCaller(" inline", " inline");
  EXPECT_EQ(S.outcome(0), Outcome::HintedCold);
  EXPECT_EQ(S.outcome(1), Outcome::HintedIfNotInlined);
  EXPECT_EQ(S.hinted(), 1u);
}
