//===- unit/Annotate/ModuleNotesTest.cpp - Damaged notes ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module tells the link is read as it was written, or is an error.
//
//===----------------------------------------------------------------------===//

#include "ParseIR.h"
#include "thermocline/Annotate/BinaryShares.h"
#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/Metadata/OrderNotes.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

/// What any reader says of \p Name; empty if all of them take it.
std::string readByAll(StringRef Name) {
  CallMarks Marks;
  ChosenFunctions Chosen;
  EditNotes Edits;
  BinaryShares Shares;
  OrderNotes Order;
  Error E = joinErrors(joinErrors(Marks.addIn(Name), Chosen.addIn(Name)),
                       joinErrors(Edits.addIn(Name), Shares.addIn(Name)));
  return toString(joinErrors(std::move(E), Order.addIn(Name)));
}

constexpr placement::OrderVerdict InOrder = {placement::OrderChoice::Order,
                                             0.25, 0.5, 0.03125};

/// A note of each kind, with its kind.
std::vector<std::pair<std::string, std::string>> notes() {
  LLVMContext Context;
  auto M = parseIR(Context, "define void @f(ptr %p) {\n"
                            "  musttail call void %p(ptr %p), !callsite !0\n"
                            "  ret void\n}\n"
                            "@i = ifunc void (), ptr @r\n"
                            "define void @chosen() { ret void }\n"
                            "define ptr @r() { ret ptr @chosen }\n"
                            "!0 = !{i64 1, i64 2}\n");
  CallMarks(*M).note(*M);
  ChosenFunctions(*M).note(*M);
  EditNotes Edits;
  Edits.Salvaged = {1, 7};
  Edits.Entered = {3};
  Edits.Outdated = {{4, 5}};
  Edits.Unmatched = {{6, 0}};
  Edits.IsOfOthers = true;
  Edits.writeTo(*M);
  std::string Share;
  for (uint64_t Word : {9, 1, 1000, 2, 1, 11, 0, 0, 0})
    putWord(Share, Word);
  addNote(*M, {"binaries", 1}, Share);
  OrderNotes::write(*M, InOrder);

  std::vector<std::pair<std::string, std::string>> Result;
  forEachNote(*M, [&](StringRef Name) {
    Result.emplace_back(Name.split('.').second.split('.').first, Name);
  });
  return Result;
}

TEST(ModuleNotes, AreInTheModuleInBothForms) {
  const auto All = notes();
  std::set<std::string> Kinds;
  for (const auto &[Kind, Name] : All) {
    Kinds.insert(Kind);
    EXPECT_EQ(readByAll(Name), "") << Name;
  }
  EXPECT_EQ(All.size(), 9u);
  EXPECT_EQ(Kinds, (std::set<std::string>{"binaries", "calls", "chosen",
                                          "entered", "order", "outdated",
                                          "profile", "salvaged"}));
}

TEST(ModuleNotes, ThatAreCutOrChangedAreErrors) {
  for (const auto &[Kind, Name] : notes()) {
    const std::string Says = "note of the compiler (" + Kind + "): ";
    const size_t Begin = ("thermocline." + Kind + ".").size();
    for (size_t Size = Begin; Size != Name.size(); ++Size)
      EXPECT_TRUE(StringRef(readByAll(StringRef(Name).take_front(Size)))
                      .starts_with(Says))
          << Kind << Size;
    EXPECT_NE(readByAll(Name + Name.substr(Begin)), "");
    // The last two letters may have bits that stand for nothing.
    for (size_t I = Begin; I != Name.size() - 2; ++I) {
      std::string Other = Name;
      Other[I] = Other[I] == 'A' ? 'B' : 'A';
      EXPECT_TRUE(StringRef(readByAll(Other)).starts_with(Says)) << Kind << I;
    }
  }
}

TEST(ModuleNotes, OfAnotherVersionAreErrors) {
  for (const auto &[Kind, Name] : notes()) {
    const std::string Other =
        ("thermocline." + Kind + ".") +
        nameOfNote({"other", 2}, "").substr(strlen("thermocline.other."));
    EXPECT_EQ(readByAll(Other),
              "note of the compiler (" + Kind + "): its head is damaged");
  }
  EXPECT_EQ(readByAll(nameOfNote({"calls", 3}, "")),
            "note of the compiler (calls): version 3 is not supported (2 is)");
  EXPECT_EQ(readByAll(nameOfNote({"entered", 0}, "")),
            "note of the compiler (entered): version 0 is not supported (1 "
            "is)");
}

// Whoever makes the checksum right is told that the numbers are none.
TEST(ModuleNotes, WithOtherNumbersAreErrors) {
  auto Said = [](const char *Kind) {
    return ("note of the compiler (" + Twine(Kind) + "): it is damaged").str();
  };
  std::string Two;
  putWord(Two, 2);
  putWord(Two, 1);
  EXPECT_EQ(readByAll(nameOfNote({"calls", 2}, Two)), Said("calls"));
  EXPECT_EQ(readByAll(nameOfNote({"chosen", 1}, Two)), Said("chosen"));
  EXPECT_EQ(readByAll(nameOfNote({"chosen", 1}, "")), Said("chosen"));
  EXPECT_EQ(readByAll(nameOfNote({"entered", 1}, Two)), Said("entered"));
  EXPECT_EQ(readByAll(nameOfNote({"outdated", 1}, "")), Said("outdated"));
  EXPECT_EQ(readByAll(nameOfNote({"profile", 1}, "x")), Said("profile"));
  // How objects lie, and numbers that decide it.
  EXPECT_EQ(readByAll(nameOfNote({"order", 2}, Two)), Said("order"));
  for (uint64_t Number : {0xBFF0000000000000u, 0x7FF0000000000000u,
                          0x7FF8000000000000u, 0x3FE0000000000000u})
    for (uint64_t Choice : {1u, 2u}) {
      std::string Payload;
      for (uint64_t Word : {Choice, uint64_t(0), Number, uint64_t(0)})
        putWord(Payload, Word);
      EXPECT_EQ(readByAll(nameOfNote({"order", 2}, Payload)),
                Choice == 1 && Number == 0x3FE0000000000000 ? ""
                                                            : Said("order"));
    }
  // Not ascending.
  putWord(Two, 1);
  EXPECT_EQ(readByAll(nameOfNote({"salvaged", 1}, Two)), Said("salvaged"));
}

TEST(ModuleNotes, AgreeOnOrderOrNot) {
  OrderNotes Order;
  EXPECT_FALSE(Order.agreeOnOrder());
  for (const auto &[Kind, Name] : notes()) {
    cantFail(Order.addIn(Name));
    cantFail(Order.addIn(Name));
  }
  ASSERT_EQ(Order.verdicts().size(), 1u);
  EXPECT_EQ(Order.verdicts().front(), InOrder);
  EXPECT_TRUE(Order.agreeOnOrder());
  std::string Classes;
  for (uint64_t Word : {0u, 0u, 0u, 0u})
    putWord(Classes, Word);
  OrderNotes Other;
  cantFail(Other.addIn(nameOfNote({"order", 2}, Classes)));
  Order.add(Other);
  EXPECT_EQ(Order.verdicts().size(), 2u);
  EXPECT_FALSE(Order.agreeOnOrder());
}

TEST(ModuleNotes, SayNoMoreIfTheyAreThereTwice) {
  EditNotes Edits;
  CallMarks Marks;
  for (unsigned I = 0; I != 2; ++I)
    for (const auto &[Kind, Name] : notes()) {
      cantFail(Edits.addIn(Name));
      cantFail(Marks.addIn(Name));
    }
  EXPECT_EQ(Edits.Salvaged, (std::set<uint64_t>{1, 7}));
  EXPECT_EQ(Edits.Entered, (std::set<uint64_t>{3}));
  EXPECT_EQ(Edits.Outdated, (std::map<uint64_t, uint64_t>{{4, 5}}));
  EXPECT_TRUE(Edits.IsOfOthers);
  EXPECT_TRUE(Marks.leavesThroughPointer("f"));
}

} // namespace
