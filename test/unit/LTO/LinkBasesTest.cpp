//===- unit/LTO/LinkBasesTest.cpp - What a link's modules were made by ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "program/LinkBases.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using namespace thermocline::lto;

namespace {

/// What the first MIB of a module names that tells \p Words.
std::vector<ContextTotalSize> named(ArrayRef<uint64_t> Words) {
  std::vector<ContextTotalSize> Result = {{1234, 5}};
  for (uint64_t Word : Words)
    Result.push_back({Word, 0});
  ContextMark Mark;
  Mark.NumBasisWords = static_cast<uint8_t>(Words.size());
  Result.push_back(Mark.encode());
  return Result;
}

TEST(LinkBases, WhatCannotBeReadIsLeftOutAndSaid) {
  const Basis ByPages{profile::ColdRule::Pages, {}, 7, 20e6, 8.5e6};
  auto Damaged = ByPages.encode();
  Damaged.back() = bit_cast<uint64_t>(1e300) + 1;
  LinkBases Bases;
  Bases.add("a.o", named(ByPages.encode()));
  EXPECT_TRUE(Bases.areSavingsKnown());
  EXPECT_TRUE(Bases.differences().empty());
  LinkBases Others;
  Others.add("b.o", named(Damaged));
  Bases.add(Others);
  EXPECT_FALSE(Bases.areSavingsKnown());
  EXPECT_EQ(*Bases.common(), ByPages);
  ASSERT_EQ(Bases.differences().size(), 1u);
  EXPECT_EQ(Bases.differences()[0],
            "by which profile and thresholds 1 module (b.o) was compiled is "
            "damaged or in a form of another version, and left out");
  // Clang's own annotation tells none, which is no fault of it.
  Bases.add("c.o", named({}));
  EXPECT_EQ(Bases.differences().size(), 1u);
}

// A call that is new enters a function that may be any of those without names.
TEST(LinkBases, FunctionsWithoutNamesMayBeEntered) {
  for (bool AnyEntered : {false, true}) {
    context::ContextProgram Program;
    for (StringRef Name : {"other", "anon.0123456789abcdef.1", ""}) {
      Program.addAllocation(
          Program.addFunction(Name.str(), 1, /*Clonable=*/true));
      Program.addContext(context::Temperature::Cold, Bytes(1), 0, {});
    }
    EditNotes Notes;
    Notes.Entered.insert(LinkBases::sourceOf("gone"));
    LLVMContext Context;
    Module M("m", Context);
    Notes.writeTo(M);
    LinkBases Bases;
    if (AnyEntered)
      cantFail(Bases.addNotes(M));
    Bases.markEntered(Program, {}, {});
    for (size_t I = 0; I != 3; ++I)
      EXPECT_EQ(Program[context::AllocationId(I)].OmitsNotCold,
                AnyEntered && I != 0);
  }
}

/// Adds what a module tells that \p Note leaves notes for.
static void add(LinkBases &To, function_ref<void(EditNotes &)> Note) {
  EditNotes Notes;
  Note(Notes);
  LLVMContext Context;
  Module M("m", Context);
  Notes.writeTo(M);
  cantFail(To.addNotes(M));
}

TEST(LinkBases, KnowProfilesOfWhichNoContextIsLeft) {
  LinkBases Bases;
  EXPECT_FALSE(Bases.anyUnmatched());
  // Of another program, in one module, and with functions, in others.
  add(Bases, [](EditNotes &Notes) { Notes.IsOfOthers = true; });
  EXPECT_TRUE(Bases.anyUnmatched());
  EXPECT_EQ(Bases.coldBytes(), 0u);
  add(Bases, [](EditNotes &Notes) { Notes.Unmatched = {{7, 0x1000}}; });
  EXPECT_EQ(Bases.coldBytes(), 0x1000u);
  EXPECT_TRUE(Bases.outdated().empty());
  add(Bases, [](EditNotes &Notes) { Notes.Outdated = {{8, 0x2000}}; });
  LinkBases All;
  All.add(Bases);
  EXPECT_EQ(All.coldBytes(), 0x2000u);
  EXPECT_TRUE(All.anyUnmatched());
  EXPECT_EQ(All.outdated().size(), 1u);
  // What contexts tell counts more.
  Basis Told{profile::ColdRule::Pages, {}, 7, 20e6, 8.5e6};
  Told.ColdBytes = 64;
  All.add("a.o", named(Told.encode()));
  EXPECT_EQ(All.coldBytes(), 64u);
}

} // namespace
