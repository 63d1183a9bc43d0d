//===- unit/Annotate/CallTargetsTest.cpp - What indirect calls led to -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/CallTargets.h"
#include "ParseIR.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ProfileData/InstrProf.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

using Counts = std::vector<std::pair<uint64_t, uint64_t>>;

/// The targets of \p Call with their counts, and the total in \p Total.
Counts countsOf(const CallBase &Call, uint64_t &Total) {
  Counts Result;
  for (const InstrProfValueData &Target : getValueProfDataFromInst(
           Call, IPVK_IndirectCallTarget, 100, Total, /*GetNoICPValue=*/true))
    Result.push_back({Target.Value, Target.Count});
  return Result;
}

uint64_t guid(StringRef Name) {
  return GlobalValue::getGUIDAssumingExternalLinkage(Name);
}

class CallTargetsTest : public testing::Test {
protected:
  CallBase &parse(StringRef Text) {
    M = parseIR(Context,
                ("define ptr @f(ptr %p) {\n"
                 "  %r = call ptr %p(i64 1), !prof !0\n  ret ptr %r\n}\n" +
                 Text)
                    .str());
    return *callsOf(*M, "f").front();
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  uint64_t Total = 0;
};

TEST_F(CallTargetsTest, TargetsHaveNoCountButATotal) {
  CallBase &Call = parse("!0 = !{}\n");
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  CallTargets Targets(*M);
  EXPECT_EQ(Targets.attach(Call, {}), 0u);
  EXPECT_FALSE(Call.hasMetadata(LLVMContext::MD_prof));
  EXPECT_EQ(Targets.attach(Call, {11, 12}), 2u);
  EXPECT_EQ(countsOf(Call, Total), (Counts{{11, 0}, {12, 0}}));
  EXPECT_EQ(Total, 1u);
  EXPECT_EQ(Targets.attach(Call, {12}), 0u);
}

TEST_F(CallTargetsTest, WhatWasCountedStaysAhead) {
  CallBase &Call = parse("!0 = !{!\"VP\", i32 0, i64 100, i64 7, i64 60, i64 "
                         "8, i64 -1, i64 9, i64 10}\n");
  EXPECT_EQ(CallTargets(*M).attach(Call, {9, 11, 8}), 1u);
  EXPECT_EQ(countsOf(Call, Total),
            (Counts{{7, 60}, {8, ~uint64_t(0)}, {9, 10}, {11, 0}}));
  EXPECT_EQ(Total, 100u);
}

TEST_F(CallTargetsTest, CountersKnowLocalFunctionsByAnotherName) {
  CallBase &Call =
      parse("define internal ptr @t.__uniq.5(i64) {\n  ret ptr null\n}\n"
            "define internal ptr @u(i64) {\n  ret ptr null\n}\n"
            "!0 = !{!\"VP\", i32 0, i64 1, i64 7, i64 1}\n");
  const uint64_t T = profile::sourceGUID("t.__uniq.5"),
                 U = profile::sourceGUID("u");
  const uint64_t CountedT = M->getFunction("t.__uniq.5")->getGUID();
  ASSERT_NE(T, CountedT);
  CallTargets Targets(*M);
  // A name that is unique in the link is known in all of it.
  EXPECT_EQ(Targets.attach(Call, {T, U}), 2u);
  EXPECT_EQ(countsOf(Call, Total),
            (Counts{{7, 1},
                    {guid("t.__uniq.5"), 0},
                    {M->getFunction("u")->getGUID(), 0}}));

  InstrProfValueData Counted = {CountedT, 20};
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  annotateValueSite(*M, Call, Counted, 20, IPVK_IndirectCallTarget, 1);
  EXPECT_EQ(Targets.attach(Call, {T}), 0u);
}

TEST_F(CallTargetsTest, PartsOfACoroutineAreAllTargets) {
  CallBase &Call = parse("define ptr @c(i64) {\n  ret ptr null\n}\n"
                         "define ptr @c.resume(i64) {\n  ret ptr null\n}\n"
                         "!0 = !{}\n");
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  EXPECT_EQ(CallTargets(*M).attach(Call, {profile::sourceGUID("c")}), 2u);
  Counts Known = countsOf(Call, Total);
  llvm::sort(Known);
  Counts Wanted = {{guid("c"), 0}, {guid("c.resume"), 0}};
  llvm::sort(Wanted);
  EXPECT_EQ(Known, Wanted);
}

// What resumes a coroutine that is not split calls none of its function; and a
// function of another type was reached by one without a frame.
TEST_F(CallTargetsTest, WhatCannotBeCalledIsNoTarget) {
  CallBase &Call =
      parse("define ptr @whole(i64) presplitcoroutine {\n  ret ptr null\n}\n"
            "define void @other(i64) {\n  ret void\n}\n"
            "declare void @elsewhere(ptr, i64)\n"
            "declare ptr @fits(i64)\n!0 = !{}\n");
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  EXPECT_EQ(CallTargets(*M).attach(Call, {guid("whole"), guid("other"),
                                          guid("elsewhere"), guid("fits"),
                                          guid("unknown")}),
            2u);
  EXPECT_EQ(countsOf(Call, Total),
            (Counts{{guid("fits"), 0}, {guid("unknown"), 0}}));
}

TEST_F(CallTargetsTest, OtherProfilesOfACallStay) {
  CallBase &Call = parse("!0 = !{!\"branch_weights\", i32 5}\n");
  EXPECT_EQ(CallTargets(*M).attach(Call, {11}), 0u);
  EXPECT_EQ(Call.getMetadata(LLVMContext::MD_prof)->getNumOperands(), 2u);
}

} // namespace
