//===- SinksTest.cpp - Where what a call makes goes -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/CallEvidence.h"
#include "thermocline/Callsites/CallText.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace llvm;
using namespace thermocline;
using callsites::SourceTokens;
using profile::SourceCall;

namespace {

/// The call at `make`, or at `v(` if there is none, in the body of a function,
/// in a program that has a function \p Own.
SourceCall call(StringRef Body, StringRef Own = "") {
  const std::string Text =
      ("#include <x>\nint f(int n, T *To, T &Ref) {\n" + Body + "\n}\n").str();
  const SourceTokens Tokens(Text);
  size_t Pos = Text.find("make");
  if (Pos == std::string::npos)
    Pos = Text.find("v(");
  EXPECT_NE(Pos, std::string::npos);
  const StringRef Before = StringRef(Text).take_front(Pos);
  SourceCall Result;
  describeCall(Tokens, nullptr, 1 + Before.count('\n'),
               Pos - Before.rfind('\n'), "make", Result, nullptr,
               [&](StringRef Name) { return Name == Own; });
  EXPECT_NE(Result.Text, 0u);
  return Result;
}

bool isKept(StringRef Then, StringRef Now) {
  return annotate::isKept(call(Then), call(Now));
}

/// Each \p Use is behind \p Begin, and is another one than all others.
void expectOthers(StringRef Begin, ArrayRef<StringRef> Uses) {
  for (StringRef A : Uses)
    for (StringRef B : Uses)
      EXPECT_EQ(isKept((Begin + A).str(), (Begin + B).str()), A == B)
          << Begin.str() << A.str() << " and " << B.str();
}

/// Each \p Use is behind \p Begin, and is the same as all others.
void expectSame(StringRef Begin, ArrayRef<StringRef> Uses) {
  for (StringRef A : Uses)
    for (StringRef B : Uses)
      EXPECT_TRUE(isKept((Begin + A).str(), (Begin + B).str()))
          << Begin.str() << A.str() << " and " << B.str();
}

/// \p Form with \p With wherever \p Name stands.
std::string filled(StringRef Form, StringRef Name, StringRef With) {
  std::string Text = Form.str();
  for (size_t Pos; (Pos = Text.find(Name)) != std::string::npos;)
    Text.replace(Pos, Name.size(), With);
  return Text;
}

TEST(Sinks, AreWhatAVariableIsStoredIn) {
  const StringRef Stored = "char *p = make(n); p->x = 1;\nGrid[i] = p;";
  EXPECT_TRUE(isKept(Stored, "p = make(n + 1);\nif (!p)\n return;\nGrid[i] = "
                             "(T *)p;\nreturn;"));
  EXPECT_TRUE(isKept(Stored, "p = make(n);\nGrid[i] = p;\nLog[i] = p;"));
  EXPECT_FALSE(isKept(Stored, "p = make(n);\nLog[i] = p;"));
  EXPECT_FALSE(isKept(Stored, "p = make(n);\nreturn p;"));
  EXPECT_FALSE(isKept(Stored, "p = make(n);\nGrid[i] = p->next;"));
  EXPECT_FALSE(isKept(Stored, "p = make(n);\np = x;\nGrid[i] = p;"));
  EXPECT_TRUE(isKept("p = make(n);\nT *q = p;", "p = make(n);\nT *r = p;"));
  EXPECT_TRUE(isKept("p = make(n);\np.next = q;", "p = make(n);\np.next = r;"));
  expectOthers("T *p = make(n);\n",
               {"Grid[i] = p;", "Log[i] = p;", "return p;", "Head = p;",
                "To->a = p;", "To->b = p;", "*To = p;", "Ref = p;",
                "Slot[0] = p;", "Slot[1] = p;", "free(p);"});
  expectSame("T *p = make(n);\n",
             {"Grid[i] = p;", "Grid[i] = p + 8;", "Grid[i] = p + 16 - n;",
              "Grid[i] = (char *)p;", "Grid[i] = static_cast<T *>(p);",
              "Grid[i] = std::move(p);", "Grid[i] = p ? p : 0;"});
}

TEST(Sinks, AreWhatTakesAVariable) {
  expectOthers("T *p = make(n);\n", {"put(Grid, i, p);",
                                     "put(Log, i, p);",
                                     "put(i, Log, p);",
                                     "keep(p);",
                                     "hold(p);",
                                     "Tab.add(p);",
                                     "Tab.addHot(p);",
                                     "Log.add(p);",
                                     "Tab.add(Hot, p);",
                                     "put(Hot, p);",
                                     "list_add(&Grid, &p->link);",
                                     "list_add(&Log, &p->link);",
                                     "put(&p[0], Grid);",
                                     "Map[p] = 1;",
                                     "run([p] { use(3); });",
                                     "run([p] { use(4); });",
                                     "Guard G(Grid, p);",
                                     "Guard G(Log, p);",
                                     "put(3, p);",
                                     "put(4, p);",
                                     "put(300, p);",
                                     "put(400, p);",
                                     "put(Grid + 1, p);",
                                     "put(Grid + 2, p);",
                                     "put(*Grid, p);",
                                     "put(&Grid, p);",
                                     "put(n & 1 ? Grid : Log, p);",
                                     "put(n & 2 ? Grid : Log, p);",
                                     "std::swap(p, Grid);",
                                     "std::swap(p, Log);"});
  expectSame("T *p = make(n);\n",
             {"All.push_back(p);", "All.emplace_back(std::move(p));",
              "All.push_back((T *)p);"});
  expectSame("T *p = make(n);\n",
             {"put(Grid, i + 8, p);", "put(Grid, i + 8, (char *)p);"});
}

TEST(Sinks, AreKeptBesideWhatIsHarmless) {
  const StringRef Then = "T *p = make(n);\nput(Grid, i, p);";
  for (StringRef Now : {"p->x = 1;",
                        "p[0] = 1;",
                        "*p = x;",
                        "if (p)\nx();",
                        "if (!p)\nreturn;",
                        "if (p == nullptr)\nreturn 0;",
                        "memset(p, 0, n);",
                        "n = p->n;",
                        "printf(\"%s\", p->name);",
                        "memcpy(p, n, 8);",
                        "p->size += 3;",
                        "assert(p && n);",
                        "for (; p->x < n; ++n)\nx();",
                        "x = p == To;",
                        "std::cout << p->x;",
                        "check(p);",
                        "check(p, To);",
                        "log(\"x\", p);",
                        "p->reset(3);",
                        "if (n < sizeof(*p))\nx();",
                        "while (n--)\np[n] = 0;"})
    EXPECT_TRUE(
        isKept(Then, ("T *p = make(n);\n" + Now + "\nput(Grid, i, p);").str()))
        << Now.str();
  // Names of the variable do not count.
  EXPECT_TRUE(isKept(Then, "T *q = make(n);\nput(Grid, i, q);"));
  EXPECT_TRUE(isKept("auto v = make(n);\nA.push_back(std::move(v));",
                     "auto w = make(n);\nA.push_back(std::move(w));"));
}

TEST(Sinks, AreInOtherBlocks) {
  expectOthers("T *p = make(n);\nif (p) {\n",
               {"Grid[i] = p;\n}", "Log[i] = p;\n}"});
  expectOthers("T *p;\nif (n) {\np = make(n);\n}\n",
               {"Grid[i] = p;", "Log[i] = p;"});
  expectOthers(
      "T *p;\nfor (;;) {\nif (p)\n{ ",
      {"Grid[i] = p; }\np = make(n);\n}", "Log[i] = p; }\np = make(n);\n}"});
  std::string Long = "T *p = make(n);\n";
  for (unsigned I = 0; I != 200; ++I)
    Long += "tick(i);\n";
  expectOthers(Long, {"Grid[i] = p;", "Log[i] = p;"});
  // What is done where the call is not made, or with another value.
  expectSame("T *p;\nif (n) {\np = make(n);\n}\n",
             {"else {\nLog[i] = p;\n}", "else {\nGrid[i] = p;\n}"});
  expectSame("switch (n) {\ncase 1: p = make(n); Grid[i] = p; break;\ncase 2:",
             {"p = other(); x(n);\n}", "p = other(); y(n);\n}"});
  expectSame("{\nT *p = make(n);\nGrid[i] = p;\n}\n",
             {"T *p = x;\nLog[i] = p;", "T *p = x;\nput(p);", ""});
  expectOthers("switch (n) {\ncase 1:\np = make(n);\nbreak;\ncase 2:\np = x;\n"
               "break;\n}\n",
               {"Grid[i] = p;", "Log[i] = p;"});
}

TEST(Sinks, AreUnderConditionsWhereThereAreSeveral) {
  const StringRef Begin = "T *p = make(n);\n";
  expectOthers(Begin,
               {"if (a) Grid[i] = p; else Log[i] = p;",
                "if (a) Log[i] = p; else Grid[i] = p;",
                "if (b) Log[i] = p; else Grid[i] = p;", "Grid[i] = p;",
                "switch (a) {\ncase 1:\nGrid[i] = p;\nbreak;\ncase 2:\nLog[i] "
                "= p;\n}",
                "switch (a) {\ncase 2:\nGrid[i] = p;\nbreak;\ncase 1:\nLog[i] "
                "= p;\n}"});
  EXPECT_FALSE(
      isKept((Begin + "put(Grid, p);").str(),
             (Begin + "if (a)\nput(Log, p);\nelse\nput(Grid, p);").str()));
  EXPECT_TRUE(isKept((Begin + "Grid[i] = p;").str(),
                     (Begin + "if (p)\nGrid[i] = p;").str()));
  EXPECT_FALSE(isKept((Begin + "put(Grid, p);").str(),
                      (Begin + "put(Grid, p);\nLog[i] = p;").str()));
}

TEST(Sinks, AreOfAllThatHoldIt) {
  expectOthers("T *p = make(n);\nT *q = p;\n", {"Grid[i] = q;", "Log[i] = q;"});
  expectOthers("T *p = make(n);\nT *q;\nif (n)\nq = (T *)p;\n",
               {"put(Grid, q);", "put(Log, q);"});
  expectOthers("T *p = make(n);\nRow r{p, 1};\n",
               {"Rows[i] = r;", "Index[i] = r;"});
  expectOthers("T *p = make(n);\nRow r = {1, p};\n",
               {"Rows[i] = r;", "Index[i] = r;"});
  expectOthers("T *p = make(n);\n", {"Row r = {.a = p};", "Row r = {.b = p};"});
  expectOthers("Row r;\nr.key = make(n);\nr.n = i;\n",
               {"Rows[i] = r;", "Index[i] = r;", "return r;",
                "insert(&Rows, &r);", "insert(&Index, &r);"});
  expectOthers("T *p = make(n);\nr.n = 1;\nRow r;\nr.key = p;\n",
               {"Rows[i] = r;", "Index[i] = r;"});
  expectOthers("R r = make(n);\n",
               {"Grid[i] = r.a;", "Grid[i] = r.b;", "Log[i] = r.a;"});
  expectOthers("auto [a, b] = make(n);\n", {"Grid[i] = a;", "Log[i] = a;"});
  expectOthers("T *p = make(n);\nstd::unique_ptr<T> u(p);\n",
               {"A.push_back(std::move(u));", "B.push_back(std::move(u));"});
  expectOthers("std::vector<T> v(n);\n",
               {"A[i] = std::move(v);", "B[i] = std::move(v);",
                "A.push_back(v);", "return v;"});
  expectOthers("T obj(make(n));\n", {"A[i] = obj;", "B[i] = obj;"});
  expectOthers("std::vector<T> l;\nl.push_back(make(n));\n",
               {"A = l;", "B = std::move(l);"});
  expectOthers("std::string s;\ns.make(n);\n", {"A = s;", "B = s;"});
  expectOthers("T *p;\nif (make(&p, 48)) return;\n",
               {"Grid[i] = p;", "Log[i] = p;"});
  expectOthers("T *p = nullptr;\nmake(p, 48);\n",
               {"Grid[i] = p;", "Log[i] = p;"});
  // Numbers hold no memory.
  expectSame("int rc = make(n);\n", {"Grid[i] = rc;", "return rc;"});
  expectSame("T *p = make(n);\nput(p);\nint l = len(p);\n",
             {"Grid[i] = l;", "return l;"});
}

TEST(Sinks, AreReadInAllForms) {
  const StringRef Forms[] = {
      "return {p, TO};",
      "TO[i] = n ? p : 0;",
      "TO[i] = n ? 0 : p;",
      "for (;;)\nTO[i] = p;",
      "for (int i = 0; i < 3; ++i) {\nTO[i] = p;\n}",
      "if (n)\nreturn p;\nTO = p;",
      "TO << p;",
      "x = put(TO, p);",
      "if (!put(TO, p))\nx();",
      "if (n && put(TO, p) < 0)\nx();",
      "return put(TO, p);",
      "auto *e = new Entry(p);\nTO[i] = e;",
      "auto e = std::make_unique<Entry>(p);\nTO.push_back(std::move(e));",
      "TO[i] = new Entry{p};",
      "TO[i] = Entry{p};",
      "memcpy(&TO[i], &p, sizeof(p));",
      "TO[i].reset(p);",
      "TO[i] = std::unique_ptr<T>(p);",
      "p->addTo(TO);",
      "static T *TO;\nTO = p;",
      "T *&slot = TO[i];\nslot = p;",
      "auto &g = TO;\ng.push_back(p);",
      "T **g = TO;\nput(g, p);",
      "T *q = p, *r = q;\nTO[i] = r;",
      "T *q[2];\nq[0] = p;\nTO[i] = q[0];",
      "run([&] { TO[i] = p; });",
      "run([=] {\nput(TO, p);\n});",
      "this->TO = p;",
      "ns::TO = p;",
      "ns::put(TO, p);",
      "(*TO)[i] = p;",
      "a.b(TO).c = p;",
      "TO[i] = x = p;",
      "try {\nTO[i] = p;\n} catch (...) {\n}",
      "do {\nTO[i] = p;\n} while (0);",
      "TO->items[TO->n++] = p;",
      "p->next = TO;\nTO = p;",
      "std::exchange(TO[i], p);",
      "q = p;\nTO[i] = p;",
      "X(TO, p)",
      "p = wrap(p);\nTO[i] = p;",
      "p = (T *)p;\nTO[i] = p;",
      "p += 8;\nTO[i] = p;",
      "TO[p] = 1;",
      "TO.add(key, {p, 1});",
      "struct Row r = {.key = p};\nTO[i] = r;",
      "struct Row r;\nmemset(&r, 0, sizeof r);\nr.key = p;\nTO[i] = r;",
      "Row *r = newRow();\nr->key = p;\nTO[i] = r;"};
  for (StringRef Form : Forms)
    for (StringRef Begin :
         {"T *p = make(n);\n", "T *p;\nif (n)\np = make(n);\n"}) {
      auto Filled = [&](StringRef To) {
        return filled((Begin + Form).str(), "TO", To);
      };
      EXPECT_TRUE(isKept(Filled("Grid"), Filled("Grid")));
      EXPECT_FALSE(isKept(Filled("Grid"), Filled("Log"))) << Filled("Grid");
    }
}

// What tells where it goes may stand in front, or between.
TEST(Sinks, AreToldByWhatNamesStandFor) {
  const StringRef Forms[] = {
      "char **to;\nto = WHICH;\nP;\nto[i] = p;",
      "P;\nchar **to = Mixed;\nto = WHICH;\nto[i] = p;",
      "char **to = Log;\nif (k == WHICH)\nto = Grid;\nP;\nto[i] = p;",
      "bool is = k == WHICH;\nchar **to = Log;\nif (is)\nto = Grid;\n"
      "P;\nput(to, p);",
      "P;\nint k = f(x) + 1;\nif (k == WHICH)\nGrid[i] = p;\nelse\nLog = p;",
      "P;\nint at = 0;\nwhile (Kinds[at] != WHICH)\n++at;\nTables[at] = p;",
      "P;\nint at = 0;\nat += WHICH;\nTables[at] = p;",
      "P;\nfor (int at = 0; at < 2; ++at)\nif (Kinds[at] == WHICH) {\n"
      "Tables[at] = p;\nbreak;\n}",
      "P;\nfor (char **to : WHICH)\nto[i] = p;",
      "P;\nchar **to = Grid;\nstd::swap(to, WHICH);\nto[i] = p;",
      "P;\nchar **to;\nfind(&to, WHICH);\nto[i] = p;",
      "R r;\nr.to = WHICH;\nP;\nr.to[i] = p;",
      "R r;\nP;\nmemcpy(&r, &WHICH, sizeof r);\nr.to[i] = p;",
      "P;\np->kind = WHICH;\nenter(p);",
      "P;\nif (k == WHICH) {\nLog[i] = p;\nreturn 0;\n}\nGrid[i] = p;",
      "P;\nTo = WHICH;\nTo[i] = p;",
      "P;\nchar **to[] = {WHICH, Mixed};\nto[0][i] = p;",
      "std::vector<T *> all;\nall.push_back(make(n));\n"
      "for (T *each : all)\nWHICH[i] = each;",
      "char *p;\nstd::tie(p, x) = make(n);\nWHICH[i] = p;",
      "P;\nNode &q = *p;\nlink(WHICH, q);",
      "R r;\nr.key = make(n);\nWHICH(&r);",
      "char *all[1];\nall[0] = make(n);\nmemcpy(WHICH, all, sizeof all);",
      "P;\np >> WHICH;",
      "P;\nWHICH[i] = p ?: q;"};
  auto Filled = [](StringRef Form, StringRef Which) {
    return filled(filled(Form, "P;", "char *p = make(n);"), "WHICH", Which);
  };
  for (StringRef Form : Forms) {
    EXPECT_TRUE(isKept(Filled(Form, "A1"), Filled(Form, "A1"))) << Form.str();
    EXPECT_FALSE(isKept(Filled(Form, "A1"), Filled(Form, "A2"))) << Form.str();
    EXPECT_TRUE(isKept(Filled(Form, "A1"), "note();\n" + Filled(Form, "A1")))
        << Form.str();
  }
}

// Each of the results of one call goes where it went.
TEST(Sinks, AreOfEachResult) {
  expectOthers("T *p, *q;\nmake(&p, &q);\n",
               {"Grid[i] = p;\nLog[i] = q;", "Log[i] = p;\nGrid[i] = q;"});
  expectOthers("auto [p, q] = make(n);\n",
               {"Grid[i] = p;\nput(q);", "put(p);\nGrid[i] = q;"});
  EXPECT_TRUE(isKept("T *p, *q;\nmake(&p, &q);\nGrid[i] = p;\nLog[i] = q;",
                     "T *a, *b;\nmake(&a, &b);\nGrid[i] = a;\nLog[i] = b;"));
}

// What a function of the program does is not known by its name.
TEST(Sinks, AreWhatFunctionsOfTheProgramDo) {
  auto IsKept = [](StringRef Function, StringRef Use) {
    auto Of = [&](StringRef To) {
      return call("T *p = make(n);\n" + filled(Use, "WHICH", To), Function);
    };
    return annotate::isKept(Of("Grid"), Of("Log"));
  };
  const std::pair<StringRef, StringRef> Uses[] = {
      {"fill", "fill(WHICH, p);"},     {"copy", "copy(p, WHICH);"},
      {"move", "move(p, WHICH);"},     {"insert", "p->insert(WHICH);"},
      {"printf", "printf(WHICH, p);"}, {"memset", "memset(p, WHICH, 3);"}};
  for (auto [Function, Use] : Uses) {
    EXPECT_TRUE(IsKept("other", Use) || Function == "move") << Use.str();
    EXPECT_FALSE(IsKept(Function, Use)) << Use.str();
  }
}

TEST(Sinks, AreExchanged) {
  expectOthers("Grid[i] = make(n);\n",
               {"", "std::swap(Grid[i], Log[i]);", "swap(Log[i], Grid[i]);"});
}

/// A function in which a variable is set and used in blocks, and what becomes
/// of the result of one call, found place by place.
class BlocksOfUses {
public:
  explicit BlocksOfUses(unsigned Seed) : Dice(Seed) {
    const bool IsInLoop = Dice() % 2;
    write(IsInLoop ? "for (;;) {\n" : "{\n");
    Open.push_back(0);
    Ends.push_back(0);
    for (unsigned I = 0; I != 400; ++I)
      add(I == CallAt);
    while (!Open.empty())
      close();
    const size_t Call = Places[*FromPlace].Order;
    if (walk(Call + 1, Order) && IsInLoop)
      walk(0, Call);
  }

  std::string Text;
  /// What the result goes to, alone.
  std::string Reached = "T *p = make(n);\n";

private:
  struct Place {
    size_t Order;
    size_t Block;
    bool IsSet;
    unsigned Use;
  };

  void write(const std::string &Line) { Text += Line; }

  void add(bool IsCall) {
    const unsigned Kind = Dice() % 16;
    if (IsCall) {
      FromPlace = Places.size();
      FromBlocks = Open;
      Places.push_back({Order++, Open.back(), true, 0});
      write("p = make(n);\n");
    } else if (Kind < 5) {
      Open.push_back(Ends.size());
      Ends.push_back(0);
      write("{\n");
    } else if (Kind < 9 && Open.size() > 1) {
      close();
    } else if (Kind < 11) {
      Places.push_back({Order++, Open.back(), true, 0});
      write("p = other(n);\n");
    } else {
      Places.push_back({Order++, Open.back(), false, NumUses});
      write("put(A" + std::to_string(NumUses++) + ", p);\n");
    }
  }

  void close() {
    Ends[Open.back()] = Order;
    Open.pop_back();
    write("}\n");
  }

  bool walk(size_t Begin, size_t End) {
    size_t Skipped = 0;
    for (const Place &P : Places) {
      if (P.Order < Begin || P.Order >= End || P.Order < Skipped)
        continue;
      if (!P.IsSet)
        Reached += "put(A" + std::to_string(P.Use) + ", p);\n";
      else if (is_contained(FromBlocks, P.Block))
        return false;
      else
        Skipped = Ends[P.Block];
    }
    return true;
  }

  std::mt19937 Dice;
  const unsigned CallAt = Dice() % 400;
  /// Numbers of the blocks that are open, and where each ends.
  std::vector<size_t> Open, Ends, FromBlocks;
  std::vector<Place> Places;
  std::optional<size_t> FromPlace;
  size_t Order = 0;
  unsigned NumUses = 0;
};

TEST(Sinks, AreThoseThatAreFoundPlaceByPlace) {
  size_t NumReached = 0;
  for (unsigned Seed = 0; Seed != 400; ++Seed) {
    const BlocksOfUses Blocks(Seed);
    const SourceCall Call = call("T *p;\n" + Blocks.Text);
    EXPECT_EQ(Call.Sinks, call(Blocks.Reached).Sinks) << Blocks.Text;
    NumReached += Call.Sinks.size();
  }
  EXPECT_GT(NumReached, 400u);
}

TEST(Sinks, AreTheSameAmongThousandsOfBlocks) {
  std::string Many;
  for (unsigned I = 0; I != 3000; ++I)
    Many += "if (a" + std::to_string(I) +
            ") {\n p = other(n);\n x->p = 1;\n put(Log, p);\n}\n";
  for (StringRef Before : {"", "for (;;) {\n"})
    for (StringRef Use : {"Grid[i] = p;", "return p;", "put(Grid, p);"}) {
      auto Text = [&](StringRef Between) {
        return (Before + Between + "if (a) {\np = make(n);\n}\n" + Between +
                Use + (Before.empty() ? "" : "}"))
            .str();
      };
      EXPECT_EQ(call(Text(Many)).Sinks, call(Text("")).Sinks);
      EXPECT_EQ(call(Text("")).Sinks.size(), 1u);
    }
}

} // namespace
