//===- CallEvidenceTest.cpp - Is it still the same call? ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "thermocline/Callsites/CallText.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using callsites::SourceTokens;
using profile::SourceCall;

namespace {

/// The call \p Call in \p Body, of a function that is named \p Callee.
SourceCall callAt(StringRef Body, StringRef Call, StringRef Callee,
                  StringRef Head = "int f(int n)") {
  const std::string Text = (Head + " {\n" + Body + "\n}\n").str();
  const SourceTokens Tokens(Text);
  const size_t Found = Text.find(Call);
  EXPECT_NE(Found, std::string::npos);
  const StringRef Before = StringRef(Text).take_front(Found);
  SourceCall Result;
  callsites::describeCall(Tokens, nullptr, 1 + Before.count('\n'),
                          Found - Before.rfind('\n'), Callee, Result);
  EXPECT_NE(Result.Text, 0u);
  return Result;
}

SourceCall call(StringRef Body) { return callAt(Body, "make", "make"); }

bool isSame(const SourceCall &Then, const SourceCall &Now) {
  const bool Result = isForTheSame(Then, Now);
  EXPECT_EQ(isForTheSame(Now, Then), Result);
  return Result;
}

TEST(CallEvidence, TakesAVariableBetweenForNoDifference) {
  auto Of = [](StringRef Body) {
    return callAt(Body, "make", "make", "int f(int n, int i)");
  };
  const SourceCall AtOnce = Of("Grid[i] = make(n);");
  for (StringRef Same :
       {"char *p = make(n);\nGrid[i] = p;",
        "auto p = make(n, 2);\nif (!p)\nreturn 1;\nGrid[i] = p;",
        "T *p = make(n);\nput(p->a);\nGrid[i] = (char *)p;"})
    EXPECT_EQ(isSame(AtOnce, Of(Same)), !Same.contains("put")) << Same.str();
  EXPECT_TRUE(isSame(Of("e->key = (char *)make(n);"),
                     Of("char *k = (char *)make(n);\ne->key = k;")));
  for (StringRef Other :
       {"char *p = make(n);\nLog[i] = p;", "char *p = make(n);\nGrid[k] = p;",
        "char *p = make(n);\nGrid[i] = wrap(p);",
        "char *p = make(n);\nif (n)\nGrid[i] = p;\nelse\nLog[i] = p;",
        "char *p = make(a);\nGrid[i] = p;", "char *p = make(n);\nput(p);",
        "if (n) {\nchar *p = make(n);\nGrid[i] = p;\n}", "return make(n);",
        "char *p = make(n);", "int p = make(n);\nGrid[i] = p;"})
    EXPECT_FALSE(isSame(AtOnce, Of(Other))) << Other.str();
  // More than the call is stored.
  EXPECT_EQ(Of("Grid[i] = make(n) + 1;").StoredAs, 0);
  EXPECT_EQ(Of("Grid[i] = wrap(make(n));").StoredAs, 0);
  EXPECT_EQ(Of("Grid[i] += make(n);").StoredAs, 0);
  EXPECT_EQ(Of("Grid[i] = a ? make(n) : b;").StoredAs, 0);
}

TEST(CallEvidence, TellsArgumentsByTheirOrderAndSigns) {
  EXPECT_FALSE(isSame(call("make(a, b);"), call("make(b, a);")));
  EXPECT_FALSE(isSame(call("make(!a, n);"), call("make(a, n);")));
  EXPECT_FALSE(isSame(call("make(&a);"), call("make(&a + 1);")));
  EXPECT_FALSE(isSame(call("make(A | B);"), call("make(A);")));
  EXPECT_FALSE(isSame(call("make(nullptr);"), call("make(a);")));
  EXPECT_FALSE(isSame(call("make(f(a, b));"), call("make(f(b, a));")));
  EXPECT_FALSE(
      isSame(call("use(make(n), a, b);"), call("use(make(n), b, a);")));
  EXPECT_FALSE(
      isSame(call("make(n)[c ? a : b] = 1;"), call("make(n)[c ? b : a] = 1;")));
  EXPECT_TRUE(
      isSame(call("keep(make(n + 8), a);"), call("keep(make(n + 80), a);")));
  EXPECT_TRUE(
      isSame(call("p = make<T>(64, a);"), call("auto p = make<T>(128, a);")));
}

// The same function has the same parameters, but may have had defaults.
TEST(CallEvidence, LetsNoArgumentsComeToTheSameFunction) {
  SourceCall Then = call("make(a);"), Now = call("make(a, b);");
  EXPECT_TRUE(isSame(Then, Now));
  Then.Base = Now.Base = 5;
  EXPECT_FALSE(isSame(Then, Now));
  Now.Callee = 1;
  EXPECT_TRUE(isSame(Then, Now));
  // What it is kept in tells enough.
  Then = call("e->key = make(a);"), Now = call("e->key = make(a, b);");
  Then.Base = Now.Base = 5;
  EXPECT_TRUE(isSame(Then, Now));
}

// Where an object is called, or made, the call is at its name.
TEST(CallEvidence, TakesNoObjectForTheCallee) {
  auto IsSame = [](StringRef Then, StringRef Now, StringRef Callee) {
    return isSame(callAt(Then, "Grid", Callee), callAt(Now, "Log", Callee));
  };
  EXPECT_FALSE(IsSame("Grid(i);", "Log(i);", "operator()"));
  EXPECT_FALSE(IsSame("Grid[i].n = 1;", "Log[i].n = 1;", "operator[]"));
  EXPECT_FALSE(IsSame("Table Grid(i);", "Table Log(i);", "Table"));
  EXPECT_FALSE(IsSame("Grid(i);", "Log(i);", ""));
  EXPECT_EQ(callAt("ns::Grid(i);", "ns", "Grid").Text,
            callAt("ns::Log(i);", "ns", "Log").Text);
  EXPECT_EQ(callAt("p = new T(i);", "new", "operator new").Text,
            callAt("p = make T(i);", "make", "make").Text);
}

TEST(CallEvidence, KnowsWhatIsReturned) {
  for (StringRef Body :
       {"return make(n);", "return wrap(make(n), 1);",
        "char *p = make(n);\nif (!p)\n  die();\nreturn p;",
        "T t;\nt.data = make(n);\nreturn t;", "for (;;) {\nreturn make(n);\n}"})
    EXPECT_TRUE(call(Body).IsReturned) << Body.str();
  for (StringRef Body :
       {"make(n);", "Log[i] = make(n);\nreturn 0;",
        "Log[i] = make(n);\nreturn Log;", "char *p = make(n);\nreturn q;",
        "char *p = make(n);\nreturn p->next;",
        "p = make(n);\n}\nchar *other(char *p) {\nreturn p;"})
    EXPECT_FALSE(call(Body).IsReturned) << Body.str();
}

// What a variable in front of the call stands for.
TEST(CallEvidence, KnowsWhatVariablesWereSetTo) {
  auto IsKept = [](StringRef Then, StringRef Now) {
    return areConditionsKept(call(Then), call(Now));
  };
  const StringRef Forms[] = {"char **To = X;\nTo[i] = make(n);",
                             "auto &To = X;\nTo.key = make(n);",
                             "static T *To = &X[i];\nTo->key = make(n);",
                             "T To{X};\nTo.make(n);",
                             "T To(X, 1);\nTo.make(n);",
                             "char **To;\nTo = X;\nTo[i] = make(n);",
                             "auto F = [To = X](int i) {\nTo[i] = make(n);\n};",
                             "bool To = X(n);\nif (To)\n  make(n);",
                             "char **To = X;\nfor (;;) {\nTo[i] = make(n);\n}"};
  auto Filled = [](StringRef Form, StringRef X) {
    std::string Text = Form.str();
    return Text.replace(Text.find('X'), 1, X);
  };
  for (StringRef Form : Forms) {
    const std::string Grid = Filled(Form, "Grid"), Log = Filled(Form, "Log");
    EXPECT_TRUE(IsKept(Grid, Grid)) << Grid;
    EXPECT_TRUE(IsKept(Grid, "note();\n" + Grid)) << Grid;
    EXPECT_FALSE(IsKept(Grid, Log)) << Grid;
  }
  // Sizes, counters of loops and what the function does not declare.
  EXPECT_TRUE(IsKept("T *To = f(64);\nTo->key = make(n);",
                     "T *To = f(128);\nTo->key = make(n);"));
  EXPECT_TRUE(IsKept("for (int i = 0; i < n; ++i)\nGrid[i] = make(n);",
                     "for (int i = 1; i < n; ++i)\nGrid[i] = make(n);"));
  EXPECT_TRUE(
      IsKept("Tag = Hot;\nTag = Cold, make(n);", "Tag = Cold, make(n);"));
  // What is set behind the call.
  EXPECT_TRUE(IsKept("T *p = Grid;\np->key = make(n);\np = a;",
                     "T *p = Grid;\np->key = make(n);\np = b;"));
}

// What the names in front of the call are.
TEST(CallEvidence, KnowsWhatNamesAreBoundTo) {
  auto IsKept = [](StringRef Body, StringRef Then, StringRef Now) {
    return areConditionsKept(callAt(Body, "make", "make", Then),
                             callAt(Body, "make", "make", Now));
  };
  for (StringRef Body :
       {"Grid[i] = make(n);", "put(Grid, make(n));", "if (Grid[i])\nmake(n);",
        "if (!Grid)\nreturn;\nmake(n);"}) {
    const StringRef Then = "int f(char **Grid, char **Log, int n)";
    EXPECT_FALSE(IsKept(Body, Then, "int f(char **Log, char **Grid, int n)"))
        << Body.str();
    for (StringRef Now :
         {"int f(char **Grid, char **To, int m, int n)",
          "int f(T *t, char **Grid, char **Log)", "int f(char **Grid)"})
      EXPECT_TRUE(IsKept(Body, Then, Now)) << Body.str() << " in " << Now.str();
  }
  EXPECT_FALSE(IsKept("Grid[i] = make(n);", "int f(int i)", "int f(T *Grid)"));
  EXPECT_FALSE(IsKept("Grid[i] = make(n);", "int f(T *Grid)", "int f(int i)"));
  // Bounds and arguments say how much.
  EXPECT_TRUE(IsKept("for (int i = 0; i < n; ++i)\nmake(n);",
                     "int f(int m, int n)", "int f(int n, int m)"));
  const SourceCall First =
      call("auto [Grid, Log] = of(t);\nGrid[i] = make(n);");
  EXPECT_FALSE(areConditionsKept(
      First, call("auto [Log, Grid] = of(t);\nGrid[i] = make(n);")));
  EXPECT_FALSE(areConditionsKept(
      First, call("auto [Grid, Log] = of(u);\nGrid[i] = make(n);")));
  EXPECT_TRUE(areConditionsKept(
      First, call("auto [Grid, L, M] = of(t);\nGrid[i] = make(n);")));
}

// What is in an object that the call gets.
TEST(CallEvidence, KnowsWhatIsInAnObject) {
  auto IsKept = [](StringRef Then, StringRef Now) {
    return areConditionsKept(call(Then), call(Now));
  };
  for (StringRef Call : {"make(&j, n);", "make(j);", "j.make(n);",
                         "J *j;\nj->make();", "x = make(n, j);"}) {
    const std::string Behind = ("\n" + Call).str();
    EXPECT_FALSE(IsKept("j.to = Grid;" + Behind, "j.to = Log;" + Behind));
    EXPECT_FALSE(
        IsKept("j->a.to = &Grid;" + Behind, "j->a.to = &Log;" + Behind));
    EXPECT_TRUE(
        IsKept("j.to = Grid;" + Behind, "j.to = Grid;\nj.n = m;" + Behind));
    // Only the last value, and no sizes.
    EXPECT_TRUE(
        IsKept("j.to = Log;\nj.to = Grid;" + Behind, "j.to = Grid;" + Behind));
    EXPECT_TRUE(IsKept("j.to = n;" + Behind, "j.to = 2;" + Behind));
    EXPECT_TRUE(IsKept("j.to = f(a);" + Behind, "j.to = f(b);" + Behind));
    EXPECT_TRUE(
        IsKept("J k;\nk.to = Grid;" + Behind, "J k;\nk.to = Log;" + Behind));
    // Who is called may know a global object.
    EXPECT_FALSE(IsKept("k.to = Grid;" + Behind, "k.to = Log;" + Behind));
  }
  EXPECT_FALSE(
      IsKept("J j = {Grid, 8};\nmake(&j);", "J j = {Log, 8};\nmake(&j);"));
  EXPECT_TRUE(
      IsKept("char *p = NULL;\nmake(&p, n);", "char *p;\nmake(&p, n);"));
  EXPECT_FALSE(
      IsKept("int k = Cold;\nmake(k, n);", "int k = Hot;\nmake(k, n);"));
  EXPECT_FALSE(IsKept("int k = 1;\nmake(k, n);", "int k = 2;\nmake(k, n);"));
  EXPECT_TRUE(IsKept("int k = 64;\nmake(k, n);", "int k = 96;\nmake(k, n);"));
}

// What returns, breaks or goes elsewhere in front of the call.
TEST(CallEvidence, KnowsWhatLeavesInFront) {
  auto IsKept = [](StringRef Then, StringRef Now) {
    return areConditionsKept(call(Then), call(Now));
  };
  const StringRef Forms[] = {
      "if (X(n))\nreturn;\nmake(n);",
      "if (X(n)) {\nnote();\nreturn;\n}\nmake(n);",
      "if (a) {\nif (X(n))\nthrow 1;\n}\nmake(n);",
      "if (X(n))\nreturn;\nfor (;;) {\nif (a) {\nmake(n);\n}\n}",
      "for (;;) {\nif (X(n))\ncontinue;\nmake(n);\n}",
      "for (;;) {\nif (X(n)) {\ncontinue;\n}\nmake(n);\n}",
      "while (a) {\nif (X(n)) {\nnote();\nbreak;\n}\nmake(n);\n}",
      "while (a) {\nif (b)\nnote();\nelse if (X(n))\nbreak;\nmake(n);\n}",
      "for (T t : c)\nif (X(t))\nreturn;\nmake(n);",
      "switch (X(n)) {\ncase 1:\nreturn;\n}\nmake(n);",
      "if (X(n))\ngoto end;\nmake(n);\nend:\nnote();",
      "if (X(n))\ngoto on;\nreturn;\non:\nmake(n);",
      "switch (n) {\ncase 1:\nif (X(n))\nbreak;\nmake(n);\n}"};
  auto Filled = [](StringRef Form, StringRef X) {
    std::string Text = Form.str();
    return Text.replace(Text.find("X(n)") != std::string::npos
                            ? Text.find("X(n)")
                            : Text.find("X(t)"),
                        1, X);
  };
  for (StringRef Form : Forms) {
    const std::string Cold = Filled(Form, "isCold"),
                      Hot = Filled(Form, "isHot"),
                      Not = Filled(Form, "!isCold");
    EXPECT_TRUE(IsKept(Cold, "if (b)\nreturn;\n" + Cold)) << Form.str();
    EXPECT_TRUE(IsKept(Cold, "note();\n" + Cold)) << Form.str();
    EXPECT_FALSE(IsKept(Cold, Hot)) << Form.str();
    EXPECT_FALSE(IsKept(Cold, Not)) << Form.str();
    EXPECT_FALSE(IsKept(Cold, "make(n);")) << Form.str();
  }
  // The same in other words.
  const SourceCall Wanted = call("if (a && !b)\nmake(n);");
  for (StringRef Body :
       {"if (!a || b)\nreturn;\nmake(n);",
        "if (!a)\nreturn;\nif (!b)\nmake(n);",
        "if (!a)\nreturn;\nelse\nnote();\nif (b) {\nreturn;\n}\nmake(n);"})
    EXPECT_EQ(call(Body).Conditions, Wanted.Conditions) << Body.str();
  // These leave something else, or go to where the call is.
  for (StringRef Body : {"for (;;)\nif (a)\nbreak;\nmake(n);",
                         "while (n)\nif (a) {\ncontinue;\n}\nmake(n);",
                         "switch (n) {\ncase 1:\nif (a)\nbreak;\n}\nmake(n);",
                         "auto f = [&] {\nif (a)\nreturn;\n};\nmake(n);",
                         "if (a)\ngoto on;\nnote();\non:\nmake(n);",
                         "try {\nif (a)\nthrow 1;\n} catch (T) {\n}\nmake(n);",
                         "make(n);\nif (a)\nreturn;"})
    EXPECT_TRUE(call(Body).Conditions.empty()) << Body.str();
}

// A case also has what goes on from the one in front.
TEST(CallEvidence, KnowsAllLabelsOfACase) {
  auto ConditionsOf = [](StringRef Body) {
    return call(("switch (n) {\ncase 1:\n" + Body + "\n}").str()).Conditions;
  };
  const std::vector<uint16_t> Own =
      ConditionsOf("note();\nbreak;\ncase 2:\nmake(n);");
  for (StringRef Body : {"return;\ncase 2:\nmake(n);",
                         "{\nnote();\nbreak;\n}\ncase 2:\nmake(n);",
                         "if (a) {\nreturn;\n}\nbreak;\ncase 2:\nmake(n);"})
    EXPECT_EQ(ConditionsOf(Body), Own) << Body.str();
  for (StringRef Body : {"note();\ncase 2:\nmake(n);", "case 2:\nmake(n);",
                         "if (a)\nbreak;\ncase 2:\nmake(n);",
                         "if (a) {\nreturn;\n}\ncase 2:\nmake(n);"})
    EXPECT_NE(ConditionsOf(Body), Own) << Body.str();
}

// What is no program, or uses what this knows nothing of, is described somehow.
TEST(CallEvidence, IsReadFromAnyText) {
  const StringRef Tokens[] = {
      "if",     "else",    "for",  "while",    "do",    "switch",   "case",
      "break",  "goto",    "p :",  "continue", "throw", "default",  "return",
      "catch",  "try",     "new",  "make",     "p",     "Grid",     "std",
      "(",      "(",       ")",    ")",        "{",     "}",        "[",
      "]",      ";",       ";",    ",",        "=",     "==",       "!",
      "!=",     "<",       ">",    "->",       ".",     "::",       "&",
      "&&",     "|",       "||",   "?",        ":",     "+",        "-",
      "*",      "++",      "0",    "64",       "\"s\"", "'c'",      "\n",
      "\n",     "#if 1\n", "auto", "%",        "~",     "operator", "nullptr",
      "likely", "...",     "<<",   ">>",       "<=>",   "likely"};
  std::mt19937 Random(1);
  for (unsigned Round = 0; Round != 3000; ++Round) {
    std::string Text;
    for (unsigned I = 0, Size = 1 + Random() % 60; I != Size; ++I)
      (Text += Tokens[Random() % std::size(Tokens)]) += ' ';
    const SourceTokens File(Text);
    uint32_t Line = 1, Column = 1;
    for (char C : Text) {
      if (C == ' ') {
        SourceCall Call;
        callsites::describeCall(File, nullptr, Line, Column + 1, "make", Call);
        EXPECT_TRUE(llvm::is_sorted(Call.Conditions));
        EXPECT_TRUE(llvm::is_sorted(Call.Sinks));
      }
      Column = C == '\n' ? 1 : Column + 1;
      Line += C == '\n';
    }
  }
}

} // namespace
