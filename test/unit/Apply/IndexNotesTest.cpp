//===- unit/Apply/IndexNotesTest.cpp - Notes survive writing --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/IndexNotes.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::apply;

namespace {

GlobalValue::GUID guidOf(StringRef Name) {
  return GlobalValue::getGUIDAssumingExternalLinkage(Name);
}

/// Adds a function of module \p Path.
FunctionSummary &addFunction(ModuleSummaryIndex &Index, StringRef Path,
                             StringRef Name) {
  auto Summary = std::make_unique<FunctionSummary>(
      FunctionSummary::makeDummyFunctionSummary(
          SmallVector<FunctionSummary::EdgeTy, 0>()));
  FunctionSummary &Result = *Summary;
  Summary->setModulePath(Index.addModule(Path)->first());
  Index.addGlobalValueSummary(Index.getOrInsertValueInfo(guidOf(Name)),
                              std::move(Summary));
  return Result;
}

/// What the backend of \p Path reads of \p Index.
std::unique_ptr<ModuleSummaryIndex> writtenFor(StringRef Path,
                                               ModuleSummaryIndex &Index) {
  ModuleToSummariesForIndexTy Summaries;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (S->modulePath() == Path)
        Summaries[Path.str()][GUID] = S.get();
  SmallVector<char, 0> Buffer;
  raw_svector_ostream OS(Buffer);
  writeIndexToFile(Index, OS, &Summaries);
  auto Read = getModuleSummaryIndex(
      MemoryBufferRef(StringRef(Buffer.data(), Buffer.size()), "index"));
  if (!Read) {
    ADD_FAILURE() << toString(Read.takeError());
    return nullptr;
  }
  return std::move(*Read);
}

const FunctionSummary &only(const ModuleSummaryIndex &Index, StringRef Name) {
  return *cast<FunctionSummary>(
      Index.getValueInfo(guidOf(Name)).getSummaryList().front().get());
}

TEST(IndexNotes, GoWithTheFunctionsThatTheyAreOf) {
  ModuleSummaryIndex Index(/*HaveGVs=*/false);
  FunctionSummary &Caller = addFunction(Index, "a.o", "caller");
  FunctionSummary &Target = addFunction(Index, "b.o", "target");
  addFunction(Index, "c.o", "bystander");
  ValueInfo Named = Index.getOrInsertValueInfo(guidOf("target"), "target");
  noteName(Index, Caller, Named);
  noteName(Index, Caller, Named);
  EXPECT_EQ(Caller.type_tests().size(), 1u);
  noteExport(Target, guidOf("target"));

  auto A = writtenFor("a.o", Index), B = writtenFor("b.o", Index),
       C = writtenFor("c.o", Index);
  ASSERT_TRUE(A && B && C);
  EXPECT_EQ(notedName(*A, guidOf("target")), "target");
  EXPECT_EQ(notedName(*A, guidOf("caller")), "");
  EXPECT_FALSE(isNotedExport(only(*A, "caller"), guidOf("caller")));
  EXPECT_TRUE(isNotedExport(only(*B, "target"), guidOf("target")));
  EXPECT_EQ(notedName(*C, guidOf("target")), "");
  EXPECT_TRUE(C->typeIds().empty());
}

TEST(IndexNotes, LocalFunctionsHaveNoName) {
  ModuleSummaryIndex Index(/*HaveGVs=*/false);
  FunctionSummary &Caller = addFunction(Index, "a.o", "caller");
  noteName(Index, Caller,
           Index.getOrInsertValueInfo(guidOf("a.cpp;local"), "local"));
  EXPECT_TRUE(Index.typeIds().empty());
  EXPECT_TRUE(Caller.type_tests().empty());
}

TEST(IndexNotes, CopiesAndSettings) {
  ModuleSummaryIndex Index(/*HaveGVs=*/false);
  FunctionSummary &Copy = addFunction(Index, "a.o", "copy");
  addFunction(Index, "a.o", "other");
  noteCopy(Copy);
  noteSettings(Index, "cold-hint=7 redefined=malloc");
  auto Read = writtenFor("a.o", Index);
  ASSERT_TRUE(Read);
  EXPECT_TRUE(isNotedCopy(only(*Read, "copy")));
  EXPECT_FALSE(isNotedCopy(only(*Read, "other")));
  EXPECT_EQ(notedSettings(*Read), "cold-hint=7 redefined=malloc");
  EXPECT_EQ(notedSettings(ModuleSummaryIndex(/*HaveGVs=*/false)), "");
}

} // namespace
