//===- unit/Tools/ChildTest.cpp -------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>

using namespace llvm;
using namespace thermocline::front;

/// What a shell makes of \p Words is what they are.
static bool survivesShell(const std::vector<std::string> &Words) {
  ShellCommand Line;
  Line.Words = {"test", "x" + Words[0], "=", "x" + Words[1]};
  return std::system(Line.text().c_str()) == 0;
}

TEST(Child, WordsAreQuotedForAShell) {
  EXPECT_EQ(shellWord("a/b-c_d.e=f"), "a/b-c_d.e=f");
  EXPECT_EQ(shellWord(""), "''");
  EXPECT_EQ(shellWord("it's"), "'it'\\''s'");
  for (const char *Word : {"a b", "$HOME", "`id`", "a'b\"c", "*", "~", "a\nb",
                           "!x", "#", "\\", "a;b", "(", "{a,b}"})
    EXPECT_TRUE(survivesShell({Word, Word})) << Word;
  EXPECT_FALSE(survivesShell({"a", "b"}));
}

TEST(Child, TextHasVariablesAndStreams) {
  ShellCommand Line;
  Line.Environment = {{"A", "x y"}};
  Line.Words = {"./a=b", "c"};
  Line.Input = "in";
  Line.Output = "o t";
  EXPECT_EQ(Line.text("d/*"), "A='x y' './a=b' c d/* < in > 'o t'");
  Line.Output = "";
  Line.OutToError = true;
  EXPECT_EQ(Line.text(), "A='x y' './a=b' c < in >&2");
}

TEST(Child, EndsAreToldApart) {
  ShellCommand Line;
  Line.Words = {"sh", "-c", "exit 3"};
  Expected<EndedRun> Run = run(Line);
  ASSERT_TRUE(bool(Run));
  EXPECT_EQ(Run->How, (Ending{.Code = 3, .Signal = 0}));
  EXPECT_EQ(Run->How.text(), "ended with exit status 3");
  Line.Words = {"sh", "-c", "kill -TERM $$"};
  Run = run(Line);
  ASSERT_TRUE(bool(Run));
  EXPECT_EQ(Run->How, (Ending{.Code = 0, .Signal = SIGTERM}));
  EXPECT_EQ(Run->How.text(), "was ended by signal 15 (Terminated)");
}

TEST(Child, WhatCannotBeRunIsAnError) {
  ShellCommand Line;
  Line.Words = {"/dev/null"};
  EXPECT_EQ(toString(run(Line).takeError()), "/dev/null: Permission denied");
  Line.Words = {"no-such-program"};
  EXPECT_EQ(toString(run(Line).takeError()),
            "no-such-program: there is no such program in PATH");
  Line.Words = {"true"};
  Line.Input = "no/such/file";
  EXPECT_EQ(toString(run(Line).takeError()),
            "no/such/file: No such file or directory");
}
