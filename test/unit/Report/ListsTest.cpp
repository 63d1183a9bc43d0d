//===- unit/Report/ListsTest.cpp - Decisions, item by item ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Report/DecisionList.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::report;

namespace {

std::string text(const DecisionList &L, Format As) {
  std::string Result;
  raw_string_ostream OS(Result);
  write(L, As, OS);
  return Result;
}

} // namespace

TEST(DecisionListTest, EveryFieldIsThere) {
  ContextProgram Program;
  FunctionId Caller = Program.addFunction("a caller\n", 9, false);
  FunctionId Owner = Program.addFunction("owner", 3, true);
  Program.addFunction("not in any context", 1, true);
  Program.addCallsite(Caller, Owner, Redirect::Yes, {StackId(1), StackId(2)});
  Program.addCallsite(Caller, FunctionId(), Redirect::Indirect, {StackId(3)});
  Program.addCallsite(Caller, Owner, Redirect::Yes, {});
  Program.addAllocation(Owner);
  Program.addContext(Temperature::Cold, Bytes(10), 0, {StackId(1)});
  Program.addContext(Temperature::NotCold, Bytes(20), 0, {StackId(3)});
  Decisions Decided = Decisions::none(Program);
  Decided.NumVersions[Owner.index()] = 2;
  Decided.Hints[0] = {Temperature::NotCold, Temperature::Cold};
  Decided.Clones[0] = {1};
  AuditResult Audited = audit(Program, Decided);
  Sources Part{.DecidedBy = "someone",
               .Program = Program,
               .Decided = Decided,
               .Audited = Audited};
  DecisionList List = listDecisions(Part);
  EXPECT_EQ(text(List, Format::Text),
            "# Thermocline decisions, format 1, by someone\n"
            "\n"
            "function \"a caller\\0A\"\n"
            "  versions 1, of 9 instructions, cannot be cloned\n"
            "  call 0 of owner, stack ids (0x1, 0x2), clones (1)\n"
            "  call 1 of ?, stack ids (0x3), clones (0), indirect\n"
            "  call 2 of owner, stack ids (), clones (0)\n"
            "\n"
            "function owner\n"
            "  versions 2, of 3 instructions\n"
            "  version 1 owner.memprof.1\n"
            "  allocation 0, versions (notcold, cold), contexts 2, bytes 30, "
            "cold contexts 1, cold bytes 10\n");
  auto Json = json::parse(text(List, Format::Json));
  ASSERT_TRUE(bool(Json));
  EXPECT_EQ(Json->getAsObject()->getInteger("format"), 1);
  EXPECT_EQ(Json->getAsObject()->getArray("functions")->size(), 2u);
}

TEST(DecisionListTest, FunctionsOfOneNameKeepTheirOrder) {
  ContextProgram Program;
  for (uint64_t Instructions : {7, 5}) {
    FunctionId F = Program.addFunction("local", Instructions, true);
    Program.addAllocation(F);
    Program.addContext(Temperature::Cold, Bytes(1), 0, {});
  }
  Decisions Decided = Decisions::none(Program);
  AuditResult Audited = audit(Program, Decided);
  DecisionList List = listDecisions(
      Sources{.Program = Program, .Decided = Decided, .Audited = Audited});
  ASSERT_EQ(List.Functions.size(), 2u);
  EXPECT_EQ(List.Functions[0].Instructions, 7u);
  EXPECT_EQ(List.Functions[1].Instructions, 5u);
}
