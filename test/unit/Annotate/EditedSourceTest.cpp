//===- EditedSourceTest.cpp - A module older than its profile -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Edits/EditedSource.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using callsites::ModuleCalls;
using profile::CallTable;
using profile::SourceCall;
using profile::SourceFunction;

namespace {

constexpr GlobalValue::GUID Entry = 100;
constexpr uint64_t Malloc = 1, Calloc = 2, Make = 3;

SourceFunction entry(std::vector<SourceCall> Calls, uint32_t File = 9) {
  return {Entry, 0, File, std::move(Calls)};
}

bool allProfiled(const SourceFrame &) { return true; }
ArrayRef<GlobalValue::GUID> nothing(const SourceFrame &) { return {}; }

EditedSource compare(SourceFunction Now, std::vector<SourceFunction> Then,
                     uint32_t InFile = 9) {
  ModuleCalls Module;
  Module.File = InFile;
  Module.Functions = {std::move(Now)};
  CallTable Table;
  for (const SourceFunction &F : Then)
    Table.add(F);
  return EditedSource(Module, Table, allProfiled, nothing);
}

bool isAsItWas(const EditedSource &Edits, const SourceFrame &Frame) {
  std::optional<EditedSource::Frames> Then = Edits.then(Frame);
  return Then && Then->size() == 1 && Then->front() == Frame;
}

bool isStale(const EditedSource &Edits, const SourceFrame &Frame) {
  return !Edits.then(Frame);
}

TEST(EditedSource, FindsTheVersionThatTheModuleHas) {
  const SourceFunction Idle = entry({{1, 5, Malloc, 71}, {2, 3, Make, 72}});
  const SourceFunction Busy = entry({{3, 5, Calloc, 81}, {2, 3, Make, 72}});
  for (const auto &[Now, Own, Other] :
       {std::tuple(Idle, 1u, 3u), std::tuple(Busy, 3u, 1u)}) {
    const EditedSource Edits = compare(Now, {Idle, Busy});
    EXPECT_TRUE(isAsItWas(Edits, {Entry, Own, 5}));
    // Both versions have the same call there, as far as can be told.
    EXPECT_TRUE(isAsItWas(Edits, {Entry, 2, 3}));
    EXPECT_EQ(Edits.ofOtherVersions(),
              (std::set<SourceFrame>{{Entry, Other, 5}}));
  }
}

TEST(EditedSource, LeavesPlacesThatVersionsShareAlone) {
  const SourceFunction Was = entry({{1, 5, Malloc, 71}, {2, 3, Make, 72}});
  const SourceFrame Malloced{Entry, 1, 5}, Made{Entry, 2, 3};
  // Of each, the first call is another one.
  for (const SourceCall &Call :
       {SourceCall{1, 5, Calloc, 71}, SourceCall{1, 5, Malloc, 70},
        SourceCall{1, 5, Malloc, 0}, SourceCall{1, 0, Malloc, 71},
        SourceCall{1 + (1 << 16), 5, Malloc, 71}}) {
    const SourceFunction Other = entry({Call, {4, 3, Make, 74}});
    const EditedSource Edits = compare(Was, {Was, Other});
    EXPECT_TRUE(isStale(Edits, Malloced));
    EXPECT_TRUE(Edits.isMixed(Malloced));
    EXPECT_TRUE(isAsItWas(Edits, Made));
    EXPECT_FALSE(Edits.isMixed(Made));
    EXPECT_EQ(Edits.ofOtherVersions(), (std::set<SourceFrame>{{Entry, 4, 3}}));
  }
  // One of two macros.
  const SourceFunction Twice =
      entry({{1, 5, Malloc, 71}, {1, 5, Malloc, 71}, {2, 3, Make, 72}});
  EXPECT_TRUE(isStale(compare(Was, {Was, Twice}), Malloced));
  EXPECT_TRUE(isStale(compare(Twice, {Was, Twice}), Malloced));
}

TEST(EditedSource, TakesWhatDiffersInItsFileForOneVersion) {
  const SourceFunction Was = entry({{1, 5, Malloc, 71}});
  const EditedSource Edits =
      compare(Was, {Was, entry(Was.Calls, /*File=*/10),
                    entry({{1, 5, Malloc, 0}}, /*File=*/11)});
  EXPECT_TRUE(isAsItWas(Edits, {Entry, 1, 5}));
}

TEST(EditedSource, TakesNoVersionForAnother) {
  const SourceFunction Idle = entry({{1, 5, Malloc, 71}});
  const SourceFunction Busy = entry({{3, 5, Calloc, 81}});
  // It was edited since: of which version it is nobody knows.
  const EditedSource Edits =
      compare(entry({{1, 5, Malloc, 71}, {3, 5, Calloc, 81}}), {Idle, Busy});
  EXPECT_TRUE(isStale(Edits, {Entry, 1, 5}));
  EXPECT_TRUE(isStale(Edits, {Entry, 3, 5}));
  EXPECT_TRUE(Edits.ofOtherVersions().empty());
}

TEST(EditedSource, TakesNoFunctionOfSeveralVersionsForANewOne) {
  // A call of malloc now goes through the entry, which has contexts of its own.
  const GlobalValue::GUID Caller = 200;
  const SourceFunction Then{Caller, 0, 9, {{1, 5, Malloc, 71}}};
  const SourceFunction Now{Caller, 0, 9, {{1, 5, Entry, 75}}};
  const SourceFunction Wrapper = entry({{1, 9, Malloc, 76}});
  ModuleCalls Module;
  Module.Functions = {Now, Wrapper};
  CallTable New, Old;
  New.add(Then);
  EXPECT_TRUE(isAsItWas(EditedSource(Module, New, allProfiled, nothing),
                        {Caller, 1, 5}));
  Old.add(Then);
  Old.add(Wrapper);
  Old.add(entry({{8, 9, Malloc, 76}}));
  EXPECT_TRUE(
      isStale(EditedSource(Module, Old, allProfiled, nothing), {Caller, 1, 5}));
}

TEST(EditedSource, TellsWhichCallsThroughPointersAreNew) {
  using Frames = std::set<SourceFrame>;
  const SourceFunction Was = entry({{1, 5, Malloc, 71}, {2, 3, 0, 72}});
  EXPECT_EQ(compare(Was, {Was}).newThroughPointers(), Frames());
  // A call of the same text, in another line.
  EXPECT_EQ(compare(entry({{1, 5, Malloc, 71}, {4, 3, 0, 72}}), {Was})
                .newThroughPointers(),
            Frames());
  // It is for something else, or a second one.
  SourceCall Other{2, 3, 0, 73};
  Other.Target = 5;
  EXPECT_EQ(
      compare(entry({{1, 5, Malloc, 71}, Other}), {Was}).newThroughPointers(),
      Frames({{Entry, 2, 3}}));
  Other.Line = 3;
  EXPECT_EQ(compare(entry({{1, 5, Malloc, 71}, {2, 3, 0, 72}, Other}), {Was})
                .newThroughPointers(),
            Frames({{Entry, 3, 3}}));
  EXPECT_EQ(compare({200, 0, 9, {Other}}, {Was}).newThroughPointers(),
            Frames({{200, 3, 3}}));
}

TEST(EditedSource, TellsWhatNewCallsEnter) {
  using Functions = std::set<GlobalValue::GUID>;
  const SourceFunction Was = entry({{1, 5, Malloc, 71}, {2, 3, Make, 72}});
  EXPECT_EQ(compare(Was, {Was}).entered(), Functions());
  // The second call is for something else now.
  SourceCall Other{2, 3, Make, 73};
  Other.Target = 5;
  const EditedSource Edits = compare(entry({{1, 5, Malloc, 71}, Other}), {Was});
  EXPECT_TRUE(isStale(Edits, {Entry, 2, 3}));
  EXPECT_EQ(Edits.entered(), Functions({Make}));
  // It was copied.
  Other.Line = 3;
  EXPECT_EQ(compare(entry({{1, 5, Malloc, 71}, {2, 3, Make, 72}, Other}), {Was})
                .entered(),
            Functions({Make}));
  // A function is new, or had no contexts.
  const SourceFunction New{200, 0, 9, {{1, 5, Make, 75}}};
  EXPECT_EQ(compare(New, {Was}).entered(), Functions({Make}));
  ModuleCalls Module;
  Module.Functions = {New};
  CallTable Then;
  Then.add(New);
  std::string File;
  Then.appendTo(File, [](GlobalValue::GUID) { return false; });
  EXPECT_EQ(EditedSource(Module, cantFail(CallTable::readFrom(File)),
                         allProfiled, nothing)
                .entered(),
            Functions());
}

TEST(EditedSource, TellsLocalFunctionsOfOneNameApart) {
  using Functions = std::set<GlobalValue::GUID>;
  constexpr uint64_t Grow = 50;
  // Two files have a local function of one name, and each was called.
  const SourceFunction Mine{201, Grow, 9, {{1, 5, Malloc, 71}}};
  const SourceFunction Others{202, Grow, 8, {{1, 5, Malloc, 71}}};
  const SourceFunction Caller{Entry, 0, 9, {{1, 3, Grow, 75}}};
  const GlobalValue::GUID LedTo[] = {Mine.Function};
  auto Entered = [&](std::vector<SourceFunction> Now, bool IsProfiled = true,
                     std::vector<SourceFunction> Had = {}) {
    CallTable Then;
    for (const SourceFunction &F :
         Had.empty() ? std::vector{Mine, Others, Caller} : Had)
      Then.add(F);
    ModuleCalls Module;
    Module.Functions = std::move(Now);
    return EditedSource(
               Module, Then, [&](const SourceFrame &) { return IsProfiled; },
               [&](const SourceFrame &Frame) -> ArrayRef<GlobalValue::GUID> {
                 if (Frame.Function == Entry && IsProfiled)
                   return LedTo;
                 return {};
               })
        .entered();
  };
  EXPECT_EQ(Entered({Mine, Caller}), Functions());
  // The caller is in the other file now: with what it called, or without.
  SourceFunction Moved = Caller;
  Moved.File = 8;
  EXPECT_EQ(Entered({Others, Moved}), Functions({Others.Function}));
  SourceFunction Along = Mine;
  Along.Function = 203;
  Along.File = 8;
  EXPECT_EQ(Entered({Along, Moved}, true, {Mine, Caller}), Functions());
  // No context tells what it called.
  EXPECT_EQ(Entered({Mine, Caller}, /*IsProfiled=*/false), Functions());
  EXPECT_EQ(Entered({Others, Moved}, /*IsProfiled=*/false),
            Functions({Others.Function}));
}

TEST(EditedSource, TellsWhatWasEdited) {
  const SourceFunction Was = entry({{1, 5, Malloc, 71}, {2, 3, Make, 72}});
  const EditedSource Edits =
      compare(entry({{1, 5, Malloc, 71}, {2, 3, Make, 73}}), {Was});
  EXPECT_FALSE(Edits.isEdited({Entry, 1, 5}));
  EXPECT_TRUE(isAsItWas(Edits, {Entry, 2, 3}));
  EXPECT_TRUE(Edits.isEdited({Entry, 2, 3}));
  EXPECT_FALSE(Edits.isEdited({Entry + 1, 2, 3}));
  // A local function in another folder has another number in its name.
  SourceFunction Local{200, 50, 9, Was.Calls};
  SourceFunction Moved = Local;
  Moved.Function = 201;
  const EditedSource Elsewhere = compare(Moved, {Local});
  ASSERT_TRUE(Elsewhere.then({201, 1, 5}));
  EXPECT_EQ(Elsewhere.then({201, 1, 5})->front(), (SourceFrame{200, 1, 5}));
  EXPECT_FALSE(Elsewhere.isEdited({201, 1, 5}));
  EXPECT_FALSE(Elsewhere.areFunctionsGone());
  EXPECT_TRUE(compare({300, 0, 9, {}}, {Was}).areFunctionsGone());
  // A module has what it uses of a header.
  EXPECT_FALSE(
      compare({300, 0, 9, {}}, {Was}, /*InFile=*/8).areFunctionsGone());
}

} // namespace
