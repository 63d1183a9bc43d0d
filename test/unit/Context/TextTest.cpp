//===- unit/Context/TextTest.cpp ------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/Text.h"
#include "../Engine/Judges/RandomProgram.h"
#include "thermocline/Engine/Engine.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

std::string print(const ContextProgram &Program) {
  std::string Text;
  raw_string_ostream OS(Text);
  printProgram(OS, Program);
  return Text;
}

std::string print(const ContextProgram &Program, const Decisions &Decided) {
  std::string Text;
  raw_string_ostream OS(Text);
  printDecisions(OS, Program, Decided);
  return Text;
}

std::string programError(const Twine &Text) {
  return toString(parseProgram("p.txt", Text.str()).takeError());
}

TEST(Text, ProgramsAndDecisionsSurviveTheRoundTrip) {
  for (uint64_t Seed = 1; Seed != 500; ++Seed) {
    ContextProgram Program = randomProgram(Seed);
    ContextProgram Again = cantFail(parseProgram("p.txt", print(Program)));
    ASSERT_EQ(print(Again), print(Program));
    Decisions Decided = decide(Program).Decided;
    ASSERT_EQ(decide(Again).Decided, Decided);
    ASSERT_EQ(
        cantFail(parseDecisions("d.txt", print(Program, Decided), Program)),
        Decided);
  }
}

TEST(Text, WeightsSurviveTheRoundTrip) {
  ContextProgram Program;
  FunctionId F = Program.addFunction("f", 1, true);
  Program.addAllocation(F);
  for (uint64_t Mean : {0, 1, 2, 3, 5, 7, 9, 1000, 123456789})
    Program.setWeight(
        Program.addContext(Temperature::Cold, Bytes(8), 5, {StackId(1)}),
        Mean ? CoarseWeight::of(Mean) : CoarseWeight());
  ContextProgram Again = cantFail(parseProgram("p.txt", print(Program)));
  EXPECT_EQ(print(Again), print(Program));
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    EXPECT_EQ(Again[ContextId(I)].Weight, Program[ContextId(I)].Weight);
    EXPECT_EQ(Again[ContextId(I)].FullStackId, 5u);
    EXPECT_EQ(Again.benefit(ContextId(I)), Program.benefit(ContextId(I)));
  }
}

TEST(Text, WhatWeightsAndIdsMeanSurvivesTheRoundTrip) {
  for (bool AreSavings : {false, true}) {
    ContextProgram Program;
    FunctionId F = Program.addFunction("f", 1, true);
    Program.addAllocation(F);
    ContextId Known =
        Program.addContext(Temperature::Cold, Bytes(1 << 21), 5, {StackId(1)});
    Program.setWeight(Known, CoarseWeight::of(4));
    ContextId ByKey =
        Program.addContext(Temperature::Cold, Bytes(8), 6, {StackId(2)});
    Program.setKnownByKey();
    if (AreSavings)
      Program.setSavings();
    ContextProgram Again = cantFail(parseProgram("p.txt", print(Program)));
    EXPECT_EQ(print(Again), print(Program));
    EXPECT_EQ(Again.weightsAreSavings(), AreSavings);
    EXPECT_EQ(Again.savedBytes(Known),
              AreSavings ? std::optional(Bytes(8)) : std::nullopt);
    EXPECT_EQ(Again[Known].profileId(), 5u);
    EXPECT_TRUE(Again[ByKey].IsKnownByKey);
    EXPECT_EQ(Again[ByKey].FullStackId, 6u);
  }
}

TEST(Text, SeveralPrograms) {
  ContextProgram First = randomProgram(1), Second = randomProgram(2);
  std::string Text =
      "; the first\n" + print(First) + "; the second\n\n" + print(Second);
  auto Read = cantFail(parsePrograms("p.txt", Text));
  ASSERT_EQ(Read.size(), 2u);
  EXPECT_EQ(print(Read[0]), print(First));
  EXPECT_EQ(print(Read[1]), print(Second));
  auto ErrorOf = [](StringRef Text) {
    return toString(parsePrograms("p.txt", Text).takeError());
  };
  EXPECT_EQ(ErrorOf("; none\n"), "p.txt: line 1: the first line must be "
                                 "'thermocline-context-program 1'");
  EXPECT_EQ(ErrorOf("thermocline-context-program 1\nfunction f 1\n\n"
                    "thermocline-context-program 1\nfunction\n"),
            "p.txt: line 5: the line ends where a name is expected");
}

TEST(Text, NamesThatAreNotWords) {
  ContextProgram Program;
  for (StringRef Name : {"a b", "twice", "twice", "", "?", "@1", "q\"\\;\n"})
    Program.addFunction(Name, 1, true);
  for (uint32_t I = 0; I != 7; ++I)
    Program.addCallsite(FunctionId(I), FunctionId(6 - I), Redirect::Yes,
                        {StackId(~uint64_t(0))});
  ContextProgram Again = cantFail(parseProgram("p.txt", print(Program)));
  EXPECT_EQ(print(Again), print(Program));
  EXPECT_EQ(Again[FunctionId(6)].Name, "q\"\\;\n");
  EXPECT_EQ(Again[CallsiteId(2)].Callee, FunctionId(4));
}

TEST(Text, ErrorsNameTheLine) {
  constexpr char H[] = "thermocline-context-program 1\n";
  EXPECT_EQ(programError(""), "p.txt: line 0: the first line must be "
                              "'thermocline-context-program 1'");
  EXPECT_EQ(programError(Twine(H) + "function f\n"),
            "p.txt: line 2: the line ends where a number of instructions is "
            "expected");
  EXPECT_EQ(programError(Twine(H) + "function f 1\n\ncallsite f g : 1\n"),
            "p.txt: line 4: there is no function 'g'");
  EXPECT_EQ(programError(Twine(H) + "function f 1\nallocation f\n"
                                    "context warm 1 : 2\n"),
            "p.txt: line 4: 'notcold' is expected before 'warm'");
  EXPECT_EQ(programError(Twine(H) + "context cold 1 : 2\n"),
            "p.txt: line 2: a context before the first allocation");
  EXPECT_EQ(programError(Twine(H) + "function f 1\ncallsite f f : xyz\n"),
            "p.txt: line 3: 'xyz' is not a stack id of up to 16 hexadecimal "
            "digits");
  EXPECT_EQ(programError(Twine(H) + "function f 1\nfunction f 1\n"
                                    "allocation f\n"),
            "p.txt: line 4: several functions are named 'f'; use @ and a "
            "number");
  EXPECT_EQ(programError(Twine(H) + "function f 1\ncallsite f ? : 1\n"),
            "p.txt: line 3: a callsite without a callee must be indirect or "
            "outside");
  EXPECT_EQ(programError(Twine(H) + "function f 1\nallocation f\n"
                                    "context cold 1 weight full : 2\n"),
            "p.txt: line 4: 'full' is not a weight, a decimal number");
  EXPECT_EQ(programError(Twine(H) + "function \"f 1\n"),
            "p.txt: line 2: a quoted name does not end");
  EXPECT_EQ(programError(Twine(H) + "allocate f\n"),
            "p.txt: line 2: 'allocate' is not function, callsite, allocation "
            "or context");
}

TEST(Text, DecisionErrorsNameTheLine) {
  ContextProgram Program;
  Program.addFunction("f", 1, true);
  auto ErrorOf = [&](const Twine &Text) {
    return toString(parseDecisions("d.txt",
                                   ("thermocline-decisions 1\n" + Text).str(),
                                   Program)
                        .takeError());
  };
  EXPECT_EQ(ErrorOf("clones 0 : 1\n"),
            "d.txt: line 2: 0 is not a callsite: there are 0");
  EXPECT_EQ(ErrorOf("versions g 2\n"),
            "d.txt: line 2: there is no function 'g'");
  EXPECT_EQ(ErrorOf("versions f 2 3\n"), "d.txt: line 2: '3' is left over");
  EXPECT_EQ(ErrorOf("nothing\n"),
            "d.txt: line 2: a line must begin with versions, clones or hints");
}

} // namespace
