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

/// Adds a function of module \p Path with so many records of allocations.
FunctionSummary &addFunction(ModuleSummaryIndex &Index, StringRef Path,
                             StringRef Name, unsigned Allocations = 0) {
  FunctionSummary Blank = FunctionSummary::makeDummyFunctionSummary(
      SmallVector<FunctionSummary::EdgeTy, 0>());
  std::vector<AllocInfo> Allocs;
  while (Allocs.size() != Allocations)
    Allocs.emplace_back(std::vector<MIBInfo>());
  auto Summary = std::make_unique<FunctionSummary>(
      Blank.flags(), 0, Blank.fflags(), SmallVector<ValueInfo, 0>(),
      SmallVector<FunctionSummary::EdgeTy, 0>(),
      std::vector<GlobalValue::GUID>(), std::vector<FunctionSummary::VFuncId>(),
      std::vector<FunctionSummary::VFuncId>(),
      std::vector<FunctionSummary::ConstVCall>(),
      std::vector<FunctionSummary::ConstVCall>(),
      std::vector<FunctionSummary::ParamAccess>(), std::vector<CallsiteInfo>(),
      std::move(Allocs));
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
  EXPECT_EQ(notedSettings(ModuleSummaryIndex(/*HaveGVs=*/false)), std::nullopt);
}

TEST(IndexNotes, MissedHintsByAllocation) {
  ModuleSummaryIndex Index(/*HaveGVs=*/false);
  FunctionSummary &Owner = addFunction(Index, "a.o", "owner", 2);
  noteMissed(Index, Owner,
             {{},
              {{"over budget", 2, thermocline::Bytes(1 << 20)},
               {"worth too little", 1, thermocline::Bytes(0)}}});
  auto Read = writtenFor("a.o", Index);
  ASSERT_TRUE(Read);
  std::vector<MissedHints> Noted = notedMissed(*Read, only(*Read, "owner"));
  ASSERT_EQ(Noted.size(), 2u);
  EXPECT_TRUE(Noted[0].empty());
  ASSERT_EQ(Noted[1].size(), 2u);
  // In the order of the notes' hashes.
  const MissedHint &Large = Noted[1][Noted[1][0].Contexts != 2];
  EXPECT_EQ(Large.Reason, "over budget");
  EXPECT_EQ(Large.Contexts, 2u);
  EXPECT_EQ(Large.Size.count(), uint64_t(1) << 20);
  EXPECT_TRUE(notedMissed(Index, addFunction(Index, "b.o", "other")).empty());
}

} // namespace
