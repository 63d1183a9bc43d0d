//===- unit/Engine/MatchingTest.cpp ---------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judges/Scenario.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

// main() { f() /*1*/; f() /*2*/; } f() { make() /*3*/; }, where the first call
// of f was inlined into main and f itself remains.
TEST(Matching, CallInlinedInOnePlaceAndNotInAnother) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.clones(), 1u);
}

// The same source call both inlined and not: both ways must be cold.
TEST(Matching, BothWaysOfAContextAreHinted) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 1\n"
             "callsite main f : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.versions("f"), 2u);
}

// One of two ways cannot be redirected: the context does not count as hinted.
TEST(Matching, OneWayThatCannotBeColdSpoilsTheContext) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f indirect : 1\n"
             "callsite main f indirect : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(0), Outcome::IndirectCall);
}

// warm() { make() /*1*/; } cold() { make() /*2*/; }, where the first call was
// inlined, with its allocation. make() remains, and still lists its context.
TEST(Matching, AllocationInlinedInOnePlaceAndNotInAnother) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite cold make : 2\n"
             "allocation make\n"
             "context notcold 1 full a : 1 7\ncontext cold 1 full b : 2 8\n"
             "allocation warm\n"
             "context notcold 1 full a : 7\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.versions("make"), 2u);
}

// The same with the cold one inlined: what make() lists of it has no outcome of
// its own.
TEST(Matching, ColdAllocationInlined) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite warm make : 1\n"
             "allocation make\n"
             "context notcold 1 full a : 1 7\ncontext cold 1 full b : 2 8\n"
             "allocation cold\n"
             "context cold 1 full b : 8\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.outcome(1), Outcome::RanElsewhere);
  EXPECT_EQ(S.outcome(2), Outcome::HintedCold);
  EXPECT_EQ(S.clones(), 0u);
}

// The copy of the allocation is gone, or never had the context: it ran by a
// call without a record.
TEST(Matching, UnmatchedContextWithoutACopyBindsTheOriginal) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite cold make : 2\n"
             "allocation make\n"
             "context notcold 1 full a : 1\ncontext cold 1 full b : 2\n"
             "allocation warm\n"
             "context notcold 2 full a :\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
}

// An unrolled loop: two calls with the same id.
TEST(Matching, DuplicatedCallsAreRedirectedTogether) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 1\n"
             "callsite main make : 2\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext notcold 1 : 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), S.clonesOf(1));
}

// Ten levels, each call there twice and once more inlined: 3^10 ways.
TEST(Matching, WaysAreSharedNotListed) {
  std::string Text = "function make 5\n";
  for (int I = 0; I != 41; ++I)
    Text += "function f" + std::to_string(I) + " 9\n";
  Text += "callsite f0 make : 1\ncallsite f0 make : 1\n"
          "callsite f1 make : 1 2\ncallsite f0 make : fff\n";
  std::string Context = "1";
  for (int I = 1; I != 41; ++I) {
    std::string Callee = "f" + std::to_string(I - 1);
    std::string Caller = "f" + std::to_string(I);
    std::string Id = std::to_string(I + 1), NextId = std::to_string(I + 2);
    Text += "callsite " + Caller + " " + Callee + " : " + Id + "\n";
    Text += "callsite " + Caller + " " + Callee + " : " + Id + "\n";
    if (I != 40)
      Text += "callsite f" + std::to_string(I + 1) + " " + Callee + " : " + Id +
              " " + NextId + "\n";
    Context += " " + Id;
  }
  Scenario S(Text + "allocation make\ncontext cold 1 : " + Context +
             "\ncontext notcold 1 : fff\n");
  EXPECT_EQ(S.hinted(), 1u);
}

// Trimmed at f: nothing is known of f's callers.
TEST(Matching, TrimmedContextBindsEveryVersionOfItsRoot) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite main f : 2\n"
             "callsite f make : 3\ncallsite f make : 4\n"
             "allocation make\n"
             "context notcold 1 : 3\n"
             "context cold 1 : 4 1\ncontext notcold 1 : 4 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  // Call 3 reaches the original from every version of f.
  EXPECT_EQ(S.clonesOf(2), ArrayRef<uint32_t>({0, 0}));
}

// A cold whole context ends like a trimmed not-cold one.
TEST(Matching, TrimmedContextForbidsWhatEndsLikeIt) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
}

// Trimmed to nothing: it binds the allocation in all versions of its owner.
TEST(Matching, ContextWithoutFramesBindsItsOwner) {
  Scenario S("function main 9\nfunction make 5\ncallsite main make : 1\n"
             "allocation make\n"
             "context notcold 1 :\ncontext cold 1 : 1\n");
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
  EXPECT_EQ(S.clones(), 0u);
}

// The context is cut after frame 3, in the middle of what main has inlined.
TEST(Matching, ContextEndsInsideAnInlinedSequence) {
  Scenario S("function main 9\nfunction other 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite other make : 4\n"
             "allocation make\n"
             "context cold 1 : 3\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
}

// f is inlined into main alone; that the way through f itself ends at frame 1,
// of which f knows no call, does not bind f.
TEST(Matching, DeadEndOfAContextWithAnotherWayBindsNothing) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\ncontext cold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 1u);
}

// f() is called from main, and by a call without a record (native or edited
// code, a call through a pointer), which reaches version 0 and no other.
TEST(Matching, CallWithoutARecordReachesTheOriginal) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 777\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.clonesOf(1), ArrayRef<uint32_t>({0, 1}));
}

// So does a call that is known, but not where it leads.
TEST(Matching, CallThroughAPointerReachesTheOriginal) {
  for (const char *Kind : {"indirect", "outside"}) {
    Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
               "callsite main f : 1\ncallsite f make : 3\n"
               "callsite main ? " +
               std::string(Kind) +
               " : 2\n"
               "allocation make\n"
               "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n");
    EXPECT_EQ(S.hinted(), 1u);
    EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  }
}

// The shared helper of many: each cold caller gets its hint, whoever else
// calls.
TEST(Matching, OneCallerWithoutARecordLeavesAllOthersTheirHints) {
  std::string Text = "function main 9\nfunction helper 9\nfunction make 5\n"
                     "callsite helper make : 1000\n";
  std::string Contexts = "allocation make\ncontext notcold 1 : 1000 777\n";
  for (int I = 1; I != 9; ++I) {
    Text += "callsite main helper : " + std::to_string(I) + "\n";
    Contexts += "context cold 1 : 1000 " + std::to_string(I) + "\n";
  }
  Scenario S(Text + Contexts);
  EXPECT_EQ(S.hinted(), 8u);
  EXPECT_EQ(S.clones(), 2u);
}

// A cold context that comes in so is hinted in version 0, and what is not cold
// is taken elsewhere.
TEST(Matching, ColdCallWithoutARecordKeepsTheOriginal) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main ? indirect : a\ncallsite main ? outside : b\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\n"
             "context cold 1 : 3 777\ncontext cold 1 : 3 a\n"
             "context cold 1 : 3 b\n");
  EXPECT_EQ(S.hinted(), 3u);
  EXPECT_EQ(S.clonesOf(3), ArrayRef<uint32_t>({1, 0}));
  EXPECT_EQ(S.Audited.ColdNotSeparable.Contexts, 0u);
}

TEST(Matching, BlockedColdContextsSayWhy) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main ? indirect : a\ncallsite main ? outside : b\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 888\n"
             "context cold 1 : 3 777\ncontext cold 1 : 3 a\n"
             "context cold 1 : 3 b\n");
  EXPECT_EQ(S.outcome(1), Outcome::UnmatchedFrame);
  EXPECT_EQ(S.outcome(2), Outcome::IndirectCall);
  EXPECT_EQ(S.outcome(3), Outcome::OutsideLink);
  EXPECT_EQ(S.Audited.ColdNotSeparable.Contexts, 3u);
}

// edited() { f(); } f() { g() /*3*/; g() /*4*/; } g() { make() /*5*/; }: where
// f was inlined into edited(), its calls have no records there and reach
// version 0 of g, though the context seems to go through f. What g's own
// callers have made of that version must not be cold.
TEST(Matching, CallerInlinedIntoEditedCodeBindsTheOriginalsBelow) {
  Scenario S("function main 9\nfunction other 9\nfunction f 9\n"
             "function g 9\nfunction h 9\nfunction make 5\n"
             "callsite f g : 3\ncallsite other g indirect : 6\n"
             "callsite other h : 7\ncallsite h g : 8\n"
             "callsite g make : 5\ncallsite main make : 9\n"
             "allocation make\n"
             "context notcold 1 : 5 3 777\n"
             "context cold 1 : 5 6\n"
             "context notcold 1 : 5 8 7\ncontext notcold 1 : 9\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(1), Outcome::IndirectCall);
}

// Above several chains of tail calls that lead to f nobody looks; there may be
// edited code, too, and f inlined into it.
TEST(Matching, AmbiguousTailCallsBindTheOriginalsBelow) {
  std::string Program =
      "function a 9\nfunction b 9\nfunction c 9\nfunction other 9\n"
      "function f 9\nfunction g 9\nfunction h 9\nfunction make 5\n"
      "callsite other a : 1\ncallsite a f :\ncallsite a b :\n"
      "callsite b f :\ncallsite f g : 3\n"
      "callsite other g indirect : 6\ncallsite other h : 7\n"
      "callsite h g : 8\ncallsite g make : 5\ncallsite c make : 9\n"
      "allocation make\n"
      "context cold 1 : 5 6\ncontext notcold 1 : 5 8 7\n"
      "context notcold 1 : 9\n";
  EXPECT_EQ(Scenario(Program).hinted(), 1u);
  EXPECT_EQ(Scenario(Program + "context notcold 1 : 5 3 1 777\n").hinted(), 0u);
}

// The call has a record, of another function: frames are missing in between,
// and which version they lead to is not known.
TEST(Matching, CallOfAnotherFunctionBindsEveryVersion) {
  Scenario S("function main 9\nfunction f 9\nfunction other 9\n"
             "function make 5\n"
             "callsite main f : 1\ncallsite main other : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
}

// A call through a pointer, whose value profile knows a and b: it calls any
// other function as ever, in version 0.
TEST(Matching, CallOfSeveralOthersReachesTheOriginal) {
  std::string Pointer = "function main 9\nfunction f 9\nfunction a 9\n"
                        "function b 9\nfunction make 5\n"
                        "callsite main f : 1\n"
                        "callsite main a : 2\ncallsite main b : 2\n"
                        "callsite f make : 3\n"
                        "allocation make\n"
                        "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n";
  Scenario S(Pointer);
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 2u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  // In version 0, what is hinted for some is hinted for all.
  Scenario Cold(Pointer + "context cold 1 : 3 4\n");
  EXPECT_EQ(Cold.hinted(), 1u);
}

// The records are of two calls, each of one function.
TEST(Matching, CallsOfOneOtherEachBindEveryVersion) {
  Scenario S("function main 9\nfunction f 9\nfunction a 9\n"
             "function b 9\nfunction make 5\n"
             "callsite main f : 1\n"
             "callsite main a : 2\ncallsite main b : 2 5\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 0u);
}

// One of the functions that the pointer is known to lead to leads to f by more
// tail calls than are looked at one by one.
TEST(Matching, FarTailCallsOfOneOfSeveralOthersBindEveryVersion) {
  std::string Text = "function main 9\nfunction f 9\nfunction b 9\n"
                     "function make 5\nfunction t0 9\n";
  for (int I = 0; I != 12; ++I)
    Text += "function t" + std::to_string(I + 1) + " 9\n";
  Text += "callsite main f : 1\ncallsite main t0 : 2\ncallsite main b : 2\n"
          "callsite f make : 3\ncallsite t12 f :\n";
  for (int I = 0; I != 12; ++I)
    Text += "callsite t" + std::to_string(I) + " t" + std::to_string(I + 1) +
            " :\n";
  Scenario S(Text + "allocation make\n"
                    "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 0u);
}

// f calls itself, and was inlined into itself: contexts of this program list
// call 2 once, however often it ran, and so match no callsite that has it
// twice.
TEST(Matching, CallThatContextsDoNotRepeatBindsEveryVersion) {
  Scenario S("folded\nfunction main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f f : 2 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 2 1\ncontext cold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 0u);
}

// native() may have called make() or f(), which ends by calling make() and
// leaves no frame. From version 0 of f, too, make() must not be cold.
TEST(Matching, TailCallsMayLeadInBelowACallWithoutARecord) {
  std::string Functions =
      "function main 9\nfunction f 9\nfunction make 5\n"
      "callsite main f indirect : 1\ncallsite main make : 2\n"
      "callsite f make :\n"
      "allocation make\n"
      "context cold 1 : 1\ncontext notcold 1 : 2\n";
  EXPECT_EQ(Scenario(Functions).hinted(), 1u);
  EXPECT_EQ(Scenario(Functions + "context notcold 1 : 777\n").hinted(), 0u);
  // Where f has another version for its cold callers, both have their own way.
  std::string Direct = "function main 9\nfunction f 9\nfunction make 5\n"
                       "callsite main f : 1\ncallsite main make : 2\n"
                       "callsite f make :\n"
                       "allocation make\n"
                       "context cold 1 : 1\ncontext notcold 1 : 2\n";
  Scenario Both(Direct + "context notcold 1 : 777\n");
  EXPECT_EQ(Both.hinted(), 1u);
  EXPECT_EQ(Both.versions("f"), 2u);
}

// A chain that goes round a cycle of tail calls may have come out in version 0,
// however long the cycle.
TEST(Matching, ChainOfTailCallsRoundACycleIsAmbiguous) {
  std::string Program = "function main 9\nfunction f 9\nfunction make 5\n"
                        "function a 9\nfunction b 9\nfunction c 9\n"
                        "function d 9\nfunction e 9\n"
                        "callsite main f : 1\ncallsite main make : 2\n"
                        "callsite f make :\n"
                        "allocation make\n"
                        "context cold 1 : 1\ncontext notcold 1 : 2\n";
  EXPECT_EQ(Scenario(Program).hinted(), 1u);
  for (const char *Cycle :
       {"callsite f f :\n",
        "callsite make a :\ncallsite a b :\ncallsite b c :\n"
        "callsite c d :\ncallsite d e :\ncallsite e make :\n"}) {
    Scenario S(Program + Cycle);
    EXPECT_EQ(S.hinted(), 0u);
    EXPECT_EQ(S.outcome(0), Outcome::AmbiguousTailCall);
  }
}

// A longer chain is not followed, but it may have been.
TEST(Matching, LongerChainOfTailCallsIsAmbiguous) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "function a 9\nfunction b 9\nfunction c 9\n"
             "function d 9\nfunction e 9\n"
             "callsite main f : 1\ncallsite main make : 2\n"
             "callsite f make :\n"
             "callsite f a :\ncallsite a b :\ncallsite b c :\n"
             "callsite c d :\ncallsite d e :\ncallsite e make :\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext notcold 1 : 2\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(0), Outcome::AmbiguousTailCall);
}

// Nothing is known above f, but the call in f is cold whoever calls f.
TEST(Matching, BlockedColdContextIsHintedByWhatWasMatched) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite f make : 3\ncallsite main make : 4\n"
             "allocation make\n"
             "context cold 1 : 3 777\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 1u);
}
