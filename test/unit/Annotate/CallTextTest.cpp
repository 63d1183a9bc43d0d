//===- CallTextTest.cpp - What a call is for, by its text -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/CallText.h"
#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using callsites::describeCall;
using callsites::NameInSource;
using callsites::SourceTokens;
using callsites::withoutLocalNames;
using profile::SourceCall;

namespace {

/// The call of `make` in the body of a function, or of \p Name.
SourceCall call(StringRef Body, StringRef Name = "make(") {
  const std::string Text =
      ("#include <x>\nint f(int n) {\n" + Body + "\n}\n").str();
  const SourceTokens Tokens(Text);
  const size_t Pos = Text.find(Name);
  EXPECT_NE(Pos, std::string::npos);
  const StringRef Before = StringRef(Text).take_front(Pos);
  // What is called stands there, without its scope.
  StringRef Callee = StringRef(Text).drop_front(Pos);
  for (size_t Scope; (Scope = Callee.find("::")) < Callee.find('(');)
    Callee = Callee.drop_front(Scope + 2);
  Callee = Callee.take_while([](char C) { return isAlnum(C) || C == '_'; });
  if (Callee == "new")
    Callee = "operator new";
  SourceCall Result;
  describeCall(Tokens, nullptr, 1 + Before.count('\n'),
               Pos - Before.rfind('\n'), Callee, Result);
  EXPECT_NE(Result.Text, 0u);
  return Result;
}

bool isSame(StringRef Then, StringRef Now) {
  const bool Result = isForTheSame(call(Then), call(Now));
  EXPECT_EQ(isForTheSame(call(Now), call(Then)), Result);
  return Result;
}

TEST(CallText, CountsNoSpacesAndComments) {
  for (StringRef Text :
       {"Grid[i] = make(n);", "Grid[i] =\n    make(n);",
        "Grid [ i ] = /* to */ make(n); // here",
        "Grid[i] = make(\n#if X\nn\n);", "{ Grid[i] = make(n); }",
        "for (;;) {\nGrid[i] = make(n);\n}",
        "auto F = [&] {\nGrid[i] = make(n);\n};"})
    EXPECT_EQ(call(Text).Text, call("Grid[i] = make(n);").Text) << Text.str();
  EXPECT_NE(call("Grid[i] = make(m);").Text, call("Grid[i] = make(n);").Text);
  EXPECT_EQ(call("a = '\"'; s = R\"(;{)\"; // {\np = make(n);").Text,
            call("p = make(n);").Text);
}

TEST(CallText, TellsWhatACallIsFor) {
  // What the result is stored in.
  EXPECT_TRUE(isSame("Grid[i] = make(n);", "Grid[i] = make(bytes);"));
  EXPECT_TRUE(isSame("e->key = make(n);", "e->key = make(m, 2);"));
  EXPECT_TRUE(isSame("this->key = make(n);", "key = make(n);"));
  EXPECT_TRUE(isSame("char *p = make(n);", "auto p = make(n, 0);"));
  EXPECT_TRUE(isSame("return make(n);", "return make(n, 0);"));
  EXPECT_FALSE(isSame("Grid[i] = make(n);", "Log[i] = make(n);"));
  EXPECT_FALSE(isSame("a->key = make(n);", "b->key = make(n);"));
  EXPECT_FALSE(isSame("Slot[0] = make(n);", "Slot[1] = make(m);"));
  EXPECT_FALSE(isSame("*p = make(n);", "*q = make(n);"));
  EXPECT_FALSE(isSame("return make(n);", "p = make(n);"));
  // Any memory may be stored in a local variable.
  EXPECT_FALSE(isSame("char *p = make(n);", "char *p = make(m);"));
  EXPECT_FALSE(isSame("return make(Hot);", "return make(Cold);"));
  EXPECT_FALSE(isSame("p = make(\"log\");", "p = make(\"grid\");"));
  EXPECT_FALSE(isSame("p = make(3);", "p = make(4);"));
  EXPECT_TRUE(isSame("p = make(64);", "p = make(128);"));
  // What stands in front.
  EXPECT_TRUE(isSame("keep(make(n + 8));", "keep(make(n + 9));"));
  EXPECT_FALSE(isSame("put(Hot, make(n));", "put(Cold, make(n));"));
  EXPECT_FALSE(isSame("put(make(n), Hot);", "put(make(n), Cold);"));
  EXPECT_FALSE(isSame("log.make(n);", "grid.make(n);"));
  EXPECT_FALSE(isSame("if (hot) make(n);", "if (cold) make(n);"));
  // Other statements of the line.
  EXPECT_TRUE(isSame("Tag = Cold, make(48);", "Tag = Cold, make(49);"));
  EXPECT_FALSE(isSame("Tag = Hot, make(48);", "Tag = Cold, make(49);"));
  EXPECT_FALSE(isSame("Tag = Hot; make(48);", "Tag = Cold; make(48);"));
  EXPECT_FALSE(isSame("p = make(n); Log = p;", "p = make(n); Grid = p;"));
  EXPECT_FALSE(isSame("x.a = make(n); Log = x;", "x.a = make(m); Grid = x;"));
  // Nothing in front.
  EXPECT_TRUE(isSame("make(n);", "make(n, 0);"));
  EXPECT_FALSE(isSame("make(n + 8);", "make(n + 9);"));
  EXPECT_FALSE(isSame("make(3, n);", "make(4, n);"));
  // Whether the result is looked at.
  EXPECT_TRUE(isSame("make(a, n);", "(void)make(a, n);"));
  EXPECT_TRUE(isSame("make(a, n);", "if (make(a, n) < 0) return;"));
  EXPECT_TRUE(isSame("make(a, n);", "int rc = make(a, n);"));
  EXPECT_TRUE(isSame("int rc = make(a, n);", "if (make(a, n)) return;"));
  EXPECT_FALSE(isSame("make(a, n);", "if (make(b, n)) return;"));
  EXPECT_FALSE(isSame("make(a, n);", "Grid[0] = make(a, n);"));
  EXPECT_FALSE(isSame("make(a, n);", "T *p = make(a, n);\nuse(p);"));
  EXPECT_FALSE(isSame("make(a, n);", "return make(a, n);"));
}

TEST(CallText, KnowsWhatACallIsIn) {
  auto Guard = [](StringRef Body) { return call(Body).Guard; };
  EXPECT_EQ(Guard("make(n);"), 0u);
  EXPECT_EQ(Guard("if (a) {\nmake(n);\n}"), Guard("if (a) { make(n); }"));
  EXPECT_NE(Guard("if (a) { make(n); }"), Guard("if (!a) { make(n); }"));
  EXPECT_NE(Guard("if (a) {} else { make(n); }"),
            Guard("if (!a) {} else { make(n); }"));
  EXPECT_NE(Guard("switch (a) { case 1: x(); make(n); }"),
            Guard("switch (a) { case 2: x(); make(n); }"));
  EXPECT_EQ(Guard("for (;;) { x(); { make(n); } }"),
            Guard("for (;;) {\nmake(n); }"));
}

/// Whether what had to hold for the call in \p Then must hold in \p Now.
bool isKept(StringRef Then, StringRef Now) {
  return areConditionsKept(call(Then), call(Now));
}

TEST(CallText, KnowsConditionsHoweverTheyAreWritten) {
  const StringRef Same[][2] = {
      {"if (a) make(n);", "if (a) { make(n); }"},
      {"if (a) { make(n); }", "if (a != nullptr) { make(n); }"},
      {"if (!a) { make(n); }", "if (a == NULL) { make(n); }"},
      {"if (a && b) { make(n); }", "if (b) { if (a) make(n); }"},
      {"if (a) { make(n); }", "while (likely(a)) { make(n); }"},
      {"if (a > b) { make(n); }", "if (b < a) { make(n); }"},
      {"if (!(a > b)) { make(n); }", "if (a <= b) { make(n); }"},
      {"if (a >= b) { make(n); }", "if (a < b) {} else { make(n); }"},
      {"if (!(a == b)) { make(n); }", "if (b != a) { make(n); }"},
      {"if (!(a || b)) { make(n); }", "if (!b && !a) { make(n); }"},
      {"if (!(a && b)) { make(n); }", "if (!b || !a) { make(n); }"},
      {"if (a || b) {} else { make(n); }", "if (!a) if (!b) { make(n); }"},
      {"if (a || b) { make(n); }", "if ((b) or ((a))) { make(n); }"},
      {"if (a & 1) { make(n); }", "if ((0x1u & a) != 0) { make(n); }"},
      {"if (!(a & 1)) { make(n); }", "if ((a & 1) == 0) { make(n); }"},
      {"if (f(a, b)) { make(n); }", "if (!!f(a, b)) { make(n); }"},
      {"if (!f<A, B>(a)) { make(n); }", "if (f<A, B>(a) == 0) { make(n); }"},
      {"if (A *p = f()) { make(n); }", "if (auto *p = f()) { make(n); }"},
      {"if (!x) { make(n); }", "if (x) {} else { make(n); }"},
      {"if (this->a) { make(n); }", "if (a) { make(n); }"},
      {"if (n > 1'000) { make(n); }", "if (1000L < n) { make(n); }"},
      {"if (a && 1) { make(n); }", "while (a) { make(n); }"},
      {"p = a ? make(n) : 0;", "if (a) { p = make(n); }"},
      {"p = f(a && b, make(n));", "p = f(c && d, make(n));"},
      {"a && make(n);", "if (a) make(n);"},
      {"if (make(n) && a) {}", "make(n);"},
      {"p = a && b ? make(n) : 0;", "if (b) if (a) { p = make(n); }"},
      {"p = a || b ? 0 : make(n);", "if (!a && !b) { p = make(n); }"},
      {"a && b || make(n);", "if (a && b) {} else make(n);"},
      {"p = a ? b && c : make(n);", "if (!a) p = make(n);"},
      {"for (;;) { make(n); }", "make(n);"},
      {"while (true) { make(n); }", "make(n);"},
      {"for (int i = 0; i < n; ++i) { make(n); }", "make(n);"},
      {"for (int i = 0; i != 8; i += 2) { make(n); }", "make(n);"},
      {"for (auto &r : Rows) { make(n); }",
       "for (const Row r : Rows) { make(n); }"},
      {"for (auto &r : Rows) { make(n); }",
       "for (I i = Rows.begin(), e = 0; i != e; ++i) { make(n); }"},
      {"for (Node *p = List; p; p = p->next) { make(n); }",
       "for (auto p = List; p != nullptr && p != End; p = p->next) make(n);"},
      {"EACH(p, List) { x(); make(n); }", "EACH(p, List) { make(n); }"},
      {"try {} catch (B &e) { make(n); }",
       "try {} catch (const B &) { make(n); }"},
      {"switch (a) { case 1: case 2: make(n); }",
       "switch ((a)) { case 2: case 1: make(n); }"},
      {"switch (a) { default: make(n); }",
       "switch (a) { case 1: break; }\nswitch (a) { default: make(n); }"},
      {"do { make(n); } while (0);", "make(n);"},
  };
  for (const auto &[A, B] : Same) {
    EXPECT_TRUE(isKept(A, B)) << A.str() << " and " << B.str();
    EXPECT_TRUE(isKept(B, A)) << A.str() << " and " << B.str();
  }
  const StringRef Fewer[][2] = {
      {"make(n);", "if (a) { make(n); }"},
      {"if (a) { make(n); }", "if (a && b) { make(n); }"},
      {"if (a) {} else { make(n); }",
       "if (b) {} else if (a) {} else { make(n); }"},
      {"switch (a) { case 1: make(n); }",
       "switch (a) { case 1: if (b) make(n); }"},
      {"x(); make(n);", "if (b) return; if (a) { make(n); }"},
      {"make(n);", "for (auto &r : Rows) { make(n); }"},
      {"make(n);", "try { make(n); } catch (...) {}"},
      {"for (auto &r : Rows) { make(n); }",
       "for (auto &r : Rows) { if (r.a) make(n); }"},
      {"try {} catch (A &) { make(n); }",
       "try {} catch (B &) {} catch (A &) { make(n); }"},
      {"switch (a) { default: make(n); }",
       "switch (a) { default: make(n); break; case 1: x(); }"},
      {"EACH(p, List) { make(n); }", "if (a) { EACH(p, List) { make(n); } }"},
  };
  for (const auto &[Then, Now] : Fewer) {
    EXPECT_TRUE(isKept(Then, Now)) << Then.str() << " and " << Now.str();
    EXPECT_FALSE(isKept(Now, Then)) << Then.str() << " and " << Now.str();
  }
  const StringRef Others[][2] = {
      {"if (a) make(n);", "if (b) make(n);"},
      {"if (a) make(n);", "if (!a) make(n);"},
      {"if (a) make(n);", "if (a) {} else make(n);"},
      {"if (a == 3) make(n);", "if (a == 4) make(n);"},
      {"if (a == 3) make(n);", "if (a != 3) make(n);"},
      {"if (a < b) make(n);", "if (a >= b) make(n);"},
      {"if (a < b) make(n);", "if (b < a) make(n);"},
      {"if (a < b) make(n);", "if (a <= b) make(n);"},
      {"if (a > 3) make(n);", "if (a > 4) make(n);"},
      {"if (a.x < b.y) make(n);", "if (a.y < b.x) make(n);"},
      {"if (a & 1) make(n);", "if (a & 2) make(n);"},
      {"if (a & 1) make(n);", "if (a | 1) make(n);"},
      {"if ((a & 1) ^ 0) make(n);", "if ((a & 1) ^ 1) make(n);"},
      {"if (a % 2 == 0) make(n);", "if ((a + 1) % 2 == 0) make(n);"},
      {"if (f(a, b)) make(n);", "if (f(b, a)) make(n);"},
      {"if (f(a) - b) make(n);", "if (f(a) + b) make(n);"},
      {"if (!a || b) make(n);", "if (a || !b) make(n);"},
      {"if (a && b) make(n);", "if (a || b) make(n);"},
      {"if (a == b) make(n);", "if (a = b) make(n);"},
      {"if (any(a, [](T b) { return b.x; })) make(n);",
       "if (any(a, [](T b) { return b.y; })) make(n);"},
      {"p = a < b ? make(n) : 0;", "p = b < a ? make(n) : 0;"},
      {"for (auto &r : Rows) { make(n); }", "for (auto &r : All) { make(n); }"},
      {"for (T *p = A; p; p = p->next) { make(n); }",
       "for (T *p = B; p; p = p->next) { make(n); }"},
      {"for (T *p = A; p; p = p->next) { make(n); }",
       "for (T *p = A; p; p = p->last) { make(n); }"},
      {"for (int i = 0; A[i]; ++i) { make(n); }",
       "for (int i = 0; B[i]; ++i) { make(n); }"},
      {"EACH(p, A) { make(n); }", "EACH(p, B) { make(n); }"},
      {"try {} catch (A &) { make(n); }", "try {} catch (B &) { make(n); }"},
      {"try { make(n); } catch (A &) {}", "try {} catch (A &) { make(n); }"},
      {"switch (a) { case 1: make(n); }",
       "switch (a) { case 1: default: make(n); }"},
      {"switch (a & 1) { case 1: make(n); }",
       "switch ((a + 1) & 1) { case 1: make(n); }"},
      {"if (a) make(n);", "if (a || b) make(n);"},
      {"while (a) make(n);", "while (b) make(n);"},
      {"do { make(n); } while (a);", "do { make(n); } while (b);"},
      {"switch (a) { case 1: make(n); }", "switch (a) { case 2: make(n); }"},
      {"switch (a) { case 1: x(); make(n); }",
       "switch (b) { case 1: x(); make(n); }"},
      {"switch (a) { case 1: make(n); }",
       "switch (a) { case 1: case 2: make(n); }"},
      {"switch (a) { default: make(n); }", "switch (a) { case 1: make(n); }"},
      {"p = a ? make(n) : 0;", "p = a ? 0 : make(n);"},
      {"a && make(n);", "a || make(n);"},
  };
  for (const auto &[A, B] : Others) {
    EXPECT_FALSE(isKept(A, B)) << A.str() << " and " << B.str();
    EXPECT_FALSE(isKept(B, A)) << A.str() << " and " << B.str();
  }
}

TEST(CallText, KnowsWhatIsMadeOfAnObject) {
  // The call of `new` in front of what made a smart pointer.
  const SourceCall Then =
      call("auto B = std::shared_ptr<Body>(new Body);", "new");
  EXPECT_TRUE(isForTheSame(
      Then, call("auto B = std::make_shared<Body>();", "std::make")));
  EXPECT_FALSE(isForTheSame(
      Then, call("auto C = std::make_shared<Body>();", "std::make")));
  EXPECT_FALSE(isForTheSame(
      Then, call("auto B = std::make_shared<Grid>();", "std::make")));
}

TEST(CallText, IsNotKnownWhereThereIsNoToken) {
  const SourceTokens Tokens("int f() {\n\n}");
  for (auto [Line, Column] :
       {std::pair(2, 1), std::pair(9, 1), std::pair(1, 99), std::pair(0, 0)}) {
    SourceCall Call;
    describeCall(Tokens, nullptr, Line, Column, "f", Call);
    EXPECT_EQ(Call, SourceCall());
  }
  // Text that is no program harms nothing.
  for (StringRef Text : {"}", ")", "{{{", "(((", "\"", "/*", "R\"(", "#", "a b",
                         "}{)(];[,=-> return else case"}) {
    const SourceTokens Odd(Text);
    for (unsigned Column = 0; Column != Text.size() + 2; ++Column) {
      SourceCall Call;
      describeCall(Odd, nullptr, 1, Column, "f", Call);
    }
  }
}

TEST(CallText, KnowsWhatIsSetInFront) {
  // What an object is given that the call is of, or gets.
  EXPECT_TRUE(
      isKept("J.set(Grid);\nJ.make(n);", "J.set(Grid);\nf();\nJ.make(n);"));
  EXPECT_FALSE(isKept("J.set(Grid);\nJ.make(n);", "J.set(Log);\nJ.make(n);"));
  EXPECT_FALSE(isKept("J.set(Grid);\nJ.make(n);", "J.make(n);"));
  EXPECT_FALSE(isKept("set(&J, Grid);\nmake(&J);", "set(&J, Log);\nmake(&J);"));
  // The last one counts.
  EXPECT_TRUE(isKept("J.set(Grid);\nJ.make(n);",
                     "J.set(Log);\nJ.set(Grid);\nJ.make(n);"));
  EXPECT_FALSE(isKept("J.set(Log);\nJ.set(Grid);\nJ.make(n);",
                      "J.set(Grid);\nJ.set(Log);\nJ.make(n);"));
  EXPECT_TRUE(isKept("J.size(n + 1);\nJ.make(n);", "J.size(n);\nJ.make(n);"));
  EXPECT_TRUE(isKept("J.set(Grid);\nmake(n);", "J.set(n);\nmake(n);"));
  // What global variables are set to, and what functions get of them.
  EXPECT_FALSE(isKept("To = Grid;\nmake(n);", "To = Log;\nmake(n);"));
  EXPECT_FALSE(isKept("To = Grid;\nif (a)\nmake(n);", "if (a)\nmake(n);"));
  EXPECT_FALSE(isKept("use(Grid);\nmake(n);", "use(Log);\nmake(n);"));
  EXPECT_FALSE(isKept("use(&Grid);\nmake(n);", "use(&Log);\nmake(n);"));
  EXPECT_TRUE(
      isKept("T *To; To = Grid;\nmake(n);", "T *To; To = Log;\nmake(n);"));
  EXPECT_FALSE(isKept("Kind = 1;\nmake(n);", "Kind = 2;\nmake(n);"));
  EXPECT_TRUE(isKept("Size = 64;\nmake(n);", "Size = 96;\nmake(n);"));
  EXPECT_TRUE(isKept("use(n);\nmake(n);", "make(n);"));
  EXPECT_TRUE(isKept("if (a)\nuse(Grid);\nmake(n);", "make(n);"));
  EXPECT_TRUE(isKept("make(n);\nuse(Grid);", "make(n);\nuse(Log);"));
}

/// Names of functions by role that the call in \p Body asks for.
std::set<std::string> asked(StringRef Body, NameInSource::Role Is) {
  const std::string Text = ("int f(int n) {\n" + Body + "\n}\n").str();
  const SourceTokens Tokens(Text);
  const size_t Pos = Text.find("make(");
  const StringRef Before = StringRef(Text).take_front(Pos);
  std::set<std::string> Result;
  SourceCall Call;
  describeCall(Tokens, nullptr, 1 + Before.count('\n'),
               Pos - Before.rfind('\n'), "make", Call,
               [&](const NameInSource &N, std::set<uint16_t> &) {
                 if (N.Is == Is)
                   Result.insert(N.Name.str());
               });
  return Result;
}

TEST(CallText, AsksForFunctions) {
  using Names = std::set<std::string>;
  auto Takers = [](StringRef Body) {
    return asked(Body, NameInSource::Role::Taker);
  };
  EXPECT_EQ(Takers("put(Grid, make(n));"), Names({"put"}));
  EXPECT_EQ(Takers("All.add(wrap(make(n)), n);"), Names({"add", "wrap"}));
  EXPECT_EQ(Takers("x = new Row(make(n));"), Names({"Row"}));
  EXPECT_EQ(Takers("Row r(make(n));"), Names({"Row"}));
  EXPECT_EQ(Takers("x = make_it<Row>(make(n));"), Names({"Row", "make_it"}));
  EXPECT_EQ(Takers("T *p = make(n);\nput(p);\nT *q = p;\nadd(q);\nother(n);"),
            Names({"add", "put"}));
  EXPECT_EQ(Takers("if (has(n))\nx = make(n);"), Names());
  auto Deciders = [](StringRef Body) {
    return asked(Body, NameInSource::Role::Decider);
  };
  EXPECT_EQ(Deciders("if (isCold(n))\n*slot(n) = make(n);"),
            Names({"isCold", "slot"}));
  EXPECT_EQ(Deciders("T *p = make(n);\n*slot(n) = p;"), Names({"slot"}));
  EXPECT_EQ(Deciders("bool c = isCold(n);\nif (c)\nx = make(n);"),
            Names({"isCold"}));
  EXPECT_EQ(asked("make(slot(n), n);", NameInSource::Role::Locator),
            Names({"slot"}));
  EXPECT_EQ(asked("start();\nj.to(n);\nif (a)\nstop();\nx = make(n);",
                  NameInSource::Role::Setter),
            Names({"start", "to"}));
}

/// SourceCall::Nameless of the call of `make` in a function, with the number of
/// its variables.
std::pair<uint32_t, size_t> nameless(StringRef Head, StringRef Body) {
  const std::string Text =
      ("int make;\n" + Head + " {\n" + Body + "\n}\nint n;\n").str();
  const SourceTokens Tokens(Text), Nameless = withoutLocalNames(Tokens);
  const size_t Pos = Text.find("make(");
  EXPECT_NE(Pos, std::string::npos);
  const StringRef Before = StringRef(Text).take_front(Pos);
  const uint32_t Line = 1 + Before.count('\n'),
                 Column = Pos - Before.rfind('\n');
  SourceCall Result;
  describeCall(Tokens, &Nameless, Line, Column, "make", Result);
  EXPECT_NE(Result.Nameless, 0u);
  return {Result.Nameless, callsites::localsAt(Tokens, Line, Column).size()};
}

TEST(CallText, IsTheSameWithoutTheNamesOfVariables) {
  const auto Was =
      nameless("int f(int n, T *to)", "char *p = make(n);\nto->n = p;");
  EXPECT_EQ(Was.second, 3u);
  EXPECT_EQ(Was, nameless("int f(int size, T *row)",
                          "char *made = make(size);\nrow->n = made;"));
  EXPECT_EQ(Was, nameless("int X::f(int n, T *to)",
                          "char *p = make(n);\nto->n = p;"));
  // Another member, another global variable, another type, another order.
  for (const auto &[Head, Body] :
       {std::pair<StringRef, StringRef>{"int f(int n, T *to)",
                                        "char *p = make(n);\nto->m = p;"},
        {"int f(int n, T *to)", "char *p = make(k);\nto->n = p;"},
        {"int f(int n, T *to)", "char *p = make(n);\nTo->n = p;"},
        {"int f(long n, T *to)", "char *p = make(n);\nto->n = p;"},
        {"int f(int k, int n, T *to)", "char *p = make(n);\nto->n = p;"}})
    EXPECT_NE(Was.first, nameless(Head, Body).first) << Body.str();
}

TEST(CallText, TakesNoMembersAndFunctionsForVariables) {
  // Nothing but n is one: not f itself, and no member.
  const auto Was = nameless("struct S { int p; int f(int n)",
                            "this->p = make(n);\nreturn f(n);\n}");
  EXPECT_EQ(Was.second, 1u);
  EXPECT_NE(Was.first, nameless("struct S { int q; int f(int n)",
                                "this->q = make(n);\nreturn f(n);\n}")
                           .first);
  // Nor is what is around the function one.
  for (StringRef Around :
       {"namespace n VISIBLE(default) {", "struct __attribute__((packed)) S {",
        "struct S __attribute__((packed)) {", "class VISIBLE(x) S : T {"})
    EXPECT_EQ(nameless((Around + "\nint q;\nint g(int k) { return k; }\n" +
                        "int f(int n)")
                           .str(),
                       "Grid[n] = make(n);\n}")
                  .second,
              1u)
        << Around.str();
  EXPECT_EQ(nameless("struct T *f(int n)", "Grid[n] = make(n);").second, 1u);
  // A lambda has those of the function around it.
  EXPECT_EQ(
      nameless("int f(int n)", "auto F = [&](int k) {\nGrid[n] = make(k);\n};"),
      nameless("int f(int m)",
               "auto G = [&](int j) {\nGrid[m] = make(j);\n};"));
}

} // namespace
