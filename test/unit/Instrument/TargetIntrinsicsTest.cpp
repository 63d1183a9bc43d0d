//===- Instrument/TargetIntrinsicsTest.cpp - A target's own accesses ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through all intrinsics of x86 that take a pointer, of which LLVM has
// more with each version.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/AccessAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace llvm;
using namespace thermocline::instrument;

namespace {

struct Fate {
  Intrinsic::ID ID;
  std::string Name;
  /// What its first use did.
  FunctionAccesses Accesses;
  bool isCounted() const { return Accesses.Reads + Accesses.Writes != 0; }
  uint64_t skipped(SkipReason Reason) const {
    return Accesses.Skipped[static_cast<unsigned>(Reason)];
  }
};

class TargetIntrinsicsTest : public testing::Test {
protected:
  /// Makes a function that calls \p ID with its own arguments, and analyzes it.
  Function *makeCaller(Intrinsic::ID ID) {
    Function *Callee = Intrinsic::getOrInsertDeclaration(&M, ID);
    SmallVector<Type *, 8> Parameters;
    for (Type *Ty : Callee->getFunctionType()->params())
      Parameters.push_back(Ty->isX86_AMXTy() ? Type::getInt64Ty(Context) : Ty);
    auto *F = Function::Create(
        FunctionType::get(Type::getVoidTy(Context), Parameters, false),
        GlobalValue::ExternalLinkage, "f", M);
    IRBuilder<> Builder(BasicBlock::Create(Context, "", F));
    SmallVector<Value *, 8> Arguments;
    for (Argument &A : F->args()) {
      Type *Ty = Callee->getArg(A.getArgNo())->getType();
      if (Callee->hasParamAttribute(A.getArgNo(), Attribute::ImmArg))
        Arguments.push_back(ConstantInt::get(Ty, 2));
      else if (Ty->isX86_AMXTy())
        Arguments.push_back(Builder.CreateIntrinsic(
            Intrinsic::x86_tilezero_internal, {},
            {Builder.getInt16(1), Builder.getInt16(8)}));
      else
        Arguments.push_back(&A);
    }
    Builder.CreateCall(Callee, Arguments);
    Builder.CreateRetVoid();
    return F;
  }

  /// What becomes of all intrinsics that take a pointer, each called once.
  std::vector<Fate> analyzeAll(AnalysisOptions How) {
    std::vector<Fate> Result;
    for (Intrinsic::ID ID = 1; ID != Intrinsic::num_intrinsics; ++ID) {
      StringRef Name = Intrinsic::getBaseName(ID);
      if (!Name.starts_with("llvm.x86.") || Intrinsic::isOverloaded(ID))
        continue;
      if (!any_of(Intrinsic::getType(Context, ID)->params(),
                  [](const Type *Ty) { return Ty->isPointerTy(); }))
        continue;
      Function *F = makeCaller(ID);
      Result.push_back({ID, Name.str(), AccessAnalysis(How).analyze(*F)});
      std::string Wrong;
      raw_string_ostream OS(Wrong);
      EXPECT_FALSE(verifyFunction(*F, &OS)) << Name.str() << ": " << Wrong;
      F->eraseFromParent();
    }
    return Result;
  }

  LLVMContext Context;
  Module M{"m", Context};
};

} // namespace

TEST_F(TargetIntrinsicsTest, AreCountedOrReported) {
  // Caches and monitors; where a table is.
  const char *NoData[] = {
      "llvm.x86.cldemote",     "llvm.x86.clflushopt",   "llvm.x86.clwb",
      "llvm.x86.monitorx",     "llvm.x86.prefetchrs",   "llvm.x86.seh.lsda",
      "llvm.x86.sse2.clflush", "llvm.x86.sse3.monitor", "llvm.x86.umonitor"};
  unsigned Counted = 0;
  for (const Fate &It : analyzeAll({})) {
    uint64_t All = It.Accesses.Reads + It.Accesses.Writes;
    for (uint64_t Skipped : It.Accesses.Skipped)
      All += Skipped;
    const bool Expected = !is_contained(NoData, It.Name);
    EXPECT_EQ(All, Expected ? 1u : 0u) << It.Name;
    EXPECT_EQ(All, It.isCounted() + It.skipped(SkipReason::TargetIntrinsic))
        << It.Name;
    Counted += It.isCounted();
  }
  EXPECT_GE(Counted, 228u);
}

TEST_F(TargetIntrinsicsTest, OfOneFamilyAreAllCounted) {
  AnalysisOptions OneByOne;
  OneByOne.LanesOneByOne = true;
  unsigned Found = 0;
  for (const Fate &It : analyzeAll(OneByOne)) {
    StringRef Name = It.Name;
    const bool Reads = Name.contains("maskload") || Name.contains(".gather");
    const bool Writes = Name.contains("maskstore") ||
                        Name.contains(".scatter") || Name.contains("pmov");
    if (!(Reads || Writes) || Name.contains("pmovmskb"))
      continue;
    ++Found;
    EXPECT_EQ(It.Accesses.Reads, Reads) << It.Name;
    EXPECT_EQ(It.Accesses.Writes, Writes) << It.Name;
  }
  EXPECT_GE(Found, 150u);
}

TEST_F(TargetIntrinsicsTest, AreLeftOutLikeClangLeavesThemOut) {
  AnalysisOptions LikeLlvm;
  LikeLlvm.LikeLlvm = true;
  for (const Fate &It : analyzeAll(LikeLlvm))
    EXPECT_FALSE(It.isCounted()) << It.Name;
}

/// The number of lanes is that of the narrower one of data and indices.
TEST_F(TargetIntrinsicsTest, HaveTheirNumberOfLanes) {
  const std::pair<Intrinsic::ID, unsigned> Lanes[] = {
      {Intrinsic::x86_avx_maskload_ps_256, 8},
      {Intrinsic::x86_avx2_maskstore_q, 2},
      {Intrinsic::x86_sse2_maskmov_dqu, 16},
      {Intrinsic::x86_avx2_gather_d_pd, 2},
      {Intrinsic::x86_avx2_gather_q_ps, 2},
      {Intrinsic::x86_avx2_gather_d_ps_256, 8},
      {Intrinsic::x86_avx512_mask_gather3siv2_df, 2},
      {Intrinsic::x86_avx512_mask_gather3div8_sf, 4},
      {Intrinsic::x86_avx512_mask_scatter_qps_512, 8},
      {Intrinsic::x86_avx512_gather_dps_512, 16},
      {Intrinsic::x86_avx512_mask_pmov_qb_mem_128, 2},
      {Intrinsic::x86_avx512_mask_pmovs_wb_mem_512, 32},
  };
  AnalysisOptions OneByOne;
  OneByOne.LanesOneByOne = true;
  for (auto [ID, Expected] : Lanes) {
    Function *F = makeCaller(ID);
    EXPECT_EQ(AccessAnalysis(OneByOne).analyze(*F).Updates.size(), Expected)
        << Intrinsic::getBaseName(ID).str();
    F->eraseFromParent();
  }
}
