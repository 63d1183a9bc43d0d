//===- unit/Engine/LimitsTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thresholds and limits: what is free by them may come out either way, and
// whatever they are, the audit must find no more than they allow.
// THERMOCLINE_PROGRAMS and THERMOCLINE_SEED as in DifferentialTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Budget/FreeContexts.h"
#include "Judges/RandomProgram.h"
#include "Judges/Scenario.h"
#include <cstdlib>
#include <random>

using namespace thermocline;
using namespace thermocline::context;

namespace {

uint64_t fromEnvironment(const char *Name, uint64_t Default) {
  const char *Value = std::getenv(Name);
  return Value ? std::strtoull(Value, nullptr, 10) : Default;
}

ContextProgram parse(llvm::StringRef Text) {
  return llvm::cantFail(parseProgram(
      "scenario", ("thermocline-context-program 1\n" + Text).str()));
}

void check(const ContextProgram &Program, const EngineOptions &Options) {
  EngineResult Result = decide(Program, Options);
  AuditResult Audited = audit(Program, Result.Decided);
  EXPECT_EQ(Audited.Malformed, std::vector<std::string>());
  EXPECT_LE(Audited.NotColdToCold.Size.count(), Options.MaxFalseCold.count());
  if (Options.MaxInstructionsAdded)
    EXPECT_LE(Audited.InstructionsAdded, *Options.MaxInstructionsAdded);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const Context &C = Program[ContextId(I)];
    Outcome O = Result.Outcomes[I];
    if (C.Profiled == Temperature::NotCold) {
      EXPECT_EQ(O, Audited.Contexts[I].ReachesCold ? Outcome::FalseCold
                                                   : Outcome::KeptNotCold)
          << "context " << I;
      EXPECT_TRUE(O != Outcome::FalseCold || C.Size.count() != 0);
      continue;
    }
    const bool IsHinted = !isMissed(O) && isOfCold(O);
    EXPECT_EQ(IsHinted, !Audited.Contexts[I].ReachesNotCold) << "context " << I;
    // What takes no hint gets none, and what depends on a pointer says so.
    const Hintable Takes = Program[C.Allocation].Hintable;
    EXPECT_TRUE(takesHint(Takes) || !IsHinted) << "context " << I;
    EXPECT_EQ(O == Outcome::HintedIfPointer,
              IsHinted && Takes == Hintable::IfPointer)
        << "context " << I;
    if (O == Outcome::WorthTooLittle)
      EXPECT_LT(C.Size.count(), Options.MinContextSize.count());
  }
  EXPECT_EQ(decide(Program, Options).Decided, Result.Decided);
}

} // namespace

TEST(Limits, RandomOptions) {
  uint64_t First = fromEnvironment("THERMOCLINE_SEED", 1);
  uint64_t Programs = fromEnvironment("THERMOCLINE_PROGRAMS", 3000);
  for (uint64_t Seed = First; Seed != First + Programs; ++Seed) {
    std::mt19937_64 Engine(Seed);
    EngineOptions Options;
    if (Engine() % 2)
      Options.MaxInstructionsAdded = Engine() % 60;
    if (Engine() % 2)
      Options.MinContextSize = Bytes(Engine() % 1000);
    if (Engine() % 2)
      Options.MaxFalseCold = Bytes(Engine() % 3000);
    Options.Strict = Engine() % 4 == 0;
    ContextProgram Program = randomProgram(Seed);
    if (Engine() % 2)
      Program.setFoldsRecursion();
    if (Engine() % 4 == 0)
      for (size_t I = 0; I != Program.numAllocations(); ++I)
        Program.setHintable(AllocationId(I),
                            static_cast<Hintable>(Engine() % 6));
    if (Engine() % 4 == 0)
      for (size_t I = 0; I != Program.numAllocations(); ++I)
        if (Engine() % 2)
          Program.setOmitsNotCold(AllocationId(I));
    check(Program, Options);
    ASSERT_FALSE(HasFailure()) << "THERMOCLINE_SEED=" << Seed;
  }
}

// make() is called from two places, and what one of them keeps is cold, but
// small.
TEST(Limits, NoCloneForWhatIsTooSmall) {
  ContextProgram Program = parse("function main 10\n"
                                 "function make 10\n"
                                 "callsite main make : 1\n"
                                 "callsite main make : 2\n"
                                 "allocation make\n"
                                 "context cold 99 : 1\n"
                                 "context notcold 500 : 2\n");
  EngineResult Result = decide(Program, {.MinContextSize = Bytes(100)});
  EXPECT_EQ(Result.Statistics.ClonesMade, 0u);
  EXPECT_EQ(Result.Outcomes[0], Outcome::WorthTooLittle);
  Result = decide(Program, {.MinContextSize = Bytes(99)});
  EXPECT_EQ(Result.Statistics.ClonesMade, 1u);
  EXPECT_EQ(Result.Outcomes[0], Outcome::HintedCold);
}

TEST(Limits, WhatIsTooSmallIsHintedWhereThatCostsNothing) {
  ContextProgram Program = parse("function make 10\n"
                                 "allocation make\n"
                                 "context cold 99 : 1\n");
  EngineResult Result = decide(Program, {.MinContextSize = Bytes(100)});
  EXPECT_EQ(Result.Outcomes[0], Outcome::HintedCold);
}

// Both contexts are cut off at make(): the profile and the link do not agree,
// which no bytes can buy off.
TEST(Limits, NothingIsGivenUpForUnmatchedFrames) {
  ContextProgram Program = parse("function make 10\n"
                                 "allocation make\n"
                                 "context cold 100000 : 1\n"
                                 "context notcold 50 : 2\n");
  EngineResult Result = decide(Program, {.MaxFalseCold = Bytes(1000)});
  EXPECT_EQ(Result.Outcomes[0], Outcome::UnmatchedFrame);
  EXPECT_EQ(Result.Outcomes[1], Outcome::KeptNotCold);
}

// What a call in a loop that was unrolled allocates is now cold, now not: both
// contexts have the same frames.
TEST(Limits, CollidingContextIsGivenUpWithinTheLimit) {
  ContextProgram Program = parse("function main 10\n"
                                 "function make 10\n"
                                 "callsite main make : 1\n"
                                 "callsite main make : 2\n"
                                 "allocation make\n"
                                 "context cold 100000 : 1\n"
                                 "context notcold 50 : 1\n"
                                 "context notcold 5000 : 2\n");
  EngineResult Result = decide(Program, {.MaxFalseCold = Bytes(50)});
  EXPECT_EQ(Result.Outcomes[0], Outcome::HintedCold);
  EXPECT_EQ(Result.Outcomes[1], Outcome::FalseCold);
  EXPECT_EQ(Result.Outcomes[2], Outcome::KeptNotCold);
  Result = decide(Program, {.MaxFalseCold = Bytes(49)});
  EXPECT_EQ(Result.Outcomes[0], Outcome::Collides);
  EXPECT_EQ(Result.Outcomes[1], Outcome::KeptNotCold);
}

// Two clones of equal cost, of which one fits: what it is worth decides, by
// bytes, or by bytes and weights where bitcode tells them.
TEST(Limits, BudgetKeepsWhatIsWorthMost) {
  ContextProgram Program = parse("function main 10\nfunction a 10\n"
                                 "function b 10\n"
                                 "callsite main a : 1\ncallsite main a : 2\n"
                                 "callsite main b : 3\ncallsite main b : 4\n"
                                 "allocation a\n"
                                 "context cold 100 : 1\n"
                                 "context notcold 1 : 2\n"
                                 "allocation b\n"
                                 "context cold 900 : 3\n"
                                 "context notcold 1 : 4\n");
  EngineOptions Options;
  Options.MaxInstructionsAdded = 10;
  EngineResult ByBytes = decide(Program, Options);
  EXPECT_EQ(ByBytes.Outcomes[0], Outcome::OverBudget);
  EXPECT_EQ(ByBytes.Outcomes[2], Outcome::HintedCold);
  Program.setWeight(ContextId(0), CoarseWeight::of(5000));
  Program.setWeight(ContextId(2), CoarseWeight::of(100));
  EngineResult ByWeight = decide(Program, Options);
  EXPECT_EQ(ByWeight.Outcomes[0], Outcome::HintedCold);
  EXPECT_EQ(ByWeight.Outcomes[2], Outcome::OverBudget);
}

// Where weights are what hints save, the least size is one of savings.
TEST(Limits, SmallContextsAreThoseThatSaveLittle) {
  ContextProgram Program = parse("function main 10\nfunction a 10\n"
                                 "callsite main a : 1\ncallsite main a : 2\n"
                                 "callsite main a : 3\n"
                                 "allocation a\n"
                                 "context cold 4000000 : 1\n"
                                 "context cold 1000 : 2\n"
                                 "context notcold 1 : 3\n");
  Program.setWeight(ContextId(0), CoarseWeight::of(1));
  Program.setWeight(ContextId(1), CoarseWeight::of(1 << 20));
  EXPECT_FALSE(Program.savedBytes(ContextId(0)));
  EngineOptions Options;
  Options.MinContextSize = Bytes(500);
  EXPECT_EQ(decide(Program, Options).Outcomes[0], Outcome::HintedCold);
  Program.setSavings();
  EXPECT_EQ(Program.savedBytes(ContextId(0)), Bytes(3));
  EXPECT_EQ(Program.savedBytes(ContextId(1)), Bytes(1000));
  EngineResult Result = decide(Program, Options);
  EXPECT_EQ(Result.Outcomes[0], Outcome::WorthTooLittle);
  EXPECT_EQ(Result.Outcomes[1], Outcome::HintedCold);
}

TEST(Limits, WhatIsLeftOfAProgramIsAsItWas) {
  ContextProgram Program = parse("folded\nsavings\n"
                                 "function main 10 unclonable\n"
                                 "function a 20\n"
                                 "callsite main a outside : 1\n"
                                 "callsite main ? indirect : 2\n"
                                 "allocation a partial\n"
                                 "context cold 10 weight 4 full 7 : 1\n"
                                 "allocation main\n"
                                 "context cold 20 weight 8 key 8 : 1 2\n"
                                 "context notcold 30 full 9 : 2\n");
  const ContextMeasures Measured{.ByteMilliseconds = 5, .Accesses = 6};
  Program.setMeasures(ContextId(1), Measured);
  Program.setPlace(AllocationId(0), {StackId(3), StackId(4)});
  auto Text = [](const ContextProgram &P) {
    std::string Result;
    llvm::raw_string_ostream OS(Result);
    printProgram(OS, P);
    return Result;
  };
  ReducedProgram All = without(Program, {false, false, false});
  EXPECT_EQ(Text(All.Program), Text(Program));
  ASSERT_TRUE(All.Program.measures(ContextId(1)));
  EXPECT_EQ(All.Program.measures(ContextId(1))->Accesses, 6u);
  EXPECT_FALSE(All.Program.measures(ContextId(0)));
  EXPECT_EQ(All.Program.place(AllocationId(0)), Program.place(AllocationId(0)));
  ReducedProgram One = without(Program, {true, false, true});
  ASSERT_EQ(One.Program.numContexts(), 1u);
  EXPECT_TRUE(One.Program[ContextId(0)].IsKnownByKey);
  EXPECT_EQ(One.Program.savedBytes(ContextId(0)),
            Program.savedBytes(ContextId(1)));
}

// What only a report is to know decides nothing.
TEST(Limits, MeasuresOfAProfileDecideNothing) {
  ContextProgram Program = parse("function main 10\n"
                                 "allocation main\n"
                                 "context cold 100 : 1\n"
                                 "context cold 200 : 2\n");
  Program.setMeasures(ContextId(0), {.ByteMilliseconds = 5000});
  EXPECT_EQ(Program.benefit(ContextId(0)), 100U);
  EXPECT_EQ(Program.benefit(ContextId(1)), 200U);
}

TEST(Limits, ContextsOfUnknownWeightCountWithTheMean) {
  ContextProgram Program = parse("function main 10\n"
                                 "allocation main\n"
                                 "context cold 300 : 1\n"
                                 "context cold 100 : 2\n"
                                 "context cold 50 : 3\n"
                                 "context cold 0 : 4\n"
                                 "context notcold 9 : 5\n");
  Program.setWeight(ContextId(0), CoarseWeight::of(1000));
  Program.setWeight(ContextId(1), CoarseWeight::of(7));
  Program.completeWeights();
  EXPECT_EQ(Program.benefit(ContextId(0)), 300'000U * 1024 / 1000);
  EXPECT_EQ(Program.benefit(ContextId(1)), 700U);
  // (300 * 1024 + 100 * 7) / 400, in four bits.
  EXPECT_EQ(Program.benefit(ContextId(2)), 50U * 768);
  EXPECT_EQ(Program.benefit(ContextId(3)), 768U);
  EXPECT_EQ(Program.benefit(ContextId(4)), 9U);
}

TEST(Limits, NothingIsClonedForWhatTakesNoHint) {
  const char *Text = R"(function main 10
function make 10
callsite main make : 1
callsite main make : 2
allocation make%s
context cold 100 : 1
context notcold 100 : 2
)";
  auto ClonesWith = [&](llvm::StringRef Word) {
    std::string Written = Text;
    Written.replace(Written.find("%s"), 2, Word.str());
    const ContextProgram Program = parse(Written);
    check(Program, EngineOptions());
    return decide(Program, EngineOptions()).Statistics.ClonesMade;
  };
  EXPECT_EQ(ClonesWith(""), 1u);
  EXPECT_EQ(ClonesWith(" pointer"), 1u);
  EXPECT_EQ(ClonesWith(" redefined"), 0u);
  EXPECT_EQ(ClonesWith(" novariant"), 0u);
  EXPECT_EQ(ClonesWith(" ownhint"), 0u);
  EXPECT_EQ(ClonesWith(" unhintable"), 0u);
}
