//===- unit/Annotate/MetadataBuilderTest.cpp ------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/MetadataBuilder.h"
#include "ParseIR.h"
#include "thermocline/Annotate/Metadata/Basis.h"
#include "llvm/Analysis/MemoryProfileInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

class MetadataBuilderTest : public testing::Test {
protected:
  void SetUp() override {
    M = parseIR(Context, "declare ptr @malloc(i64)\n"
                         "define ptr @f() {\n"
                         "  %p = call ptr @malloc(i64 8)\n"
                         "  ret ptr %p\n}");
    ASSERT_TRUE(M);
    Call = callsOf(*M, "f")[0];
  }

  /// The metadata as text: "cold 1 2 4 (77: 1000)" for each MIB.
  std::string mibs() const {
    std::string Text;
    raw_string_ostream OS(Text);
    const MDNode *Node = Call->getMetadata(LLVMContext::MD_memprof);
    for (const MDOperand &Operand : Node->operands()) {
      const auto *MIB = cast<MDNode>(Operand);
      OS << memprof::getAllocTypeAttributeString(memprof::getMIBAllocType(MIB));
      for (const MDOperand &Id : memprof::getMIBStackNode(MIB)->operands())
        OS << ' ' << mdconst::extract<ConstantInt>(Id)->getZExtValue();
      for (const MDOperand &Pair : drop_begin(MIB->operands(), 2)) {
        const auto *Measures = cast<MDNode>(Pair);
        OS << " ("
           << mdconst::extract<ConstantInt>(Measures->getOperand(0))
                  ->getZExtValue()
           << ": "
           << mdconst::extract<ConstantInt>(Measures->getOperand(1))
                  ->getZExtValue()
           << ')';
      }
      OS << '\n';
    }
    return Text;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  CallBase *Call = nullptr;

  const uint64_t Callsite[1] = {1};
  const uint64_t ViaTwo[3] = {1, 2, 4};
  const uint64_t ViaThree[4] = {1, 3, 4, 5};
  const ProfiledContext Mixed[2] = {
      {ViaTwo, 77, Bytes(1000), AllocationType::Cold},
      {ViaThree, 78, Bytes(20), AllocationType::NotCold}};
  const ProfiledContext AllCold[2] = {
      {ViaTwo, 77, Bytes(1000), AllocationType::Cold},
      {ViaThree, 78, Bytes(20), AllocationType::Cold}};
};

TEST_F(MetadataBuilderTest, WholeContextsKeepEveryFrameAndTheirSize) {
  MetadataBuilder Builder(Context);
  AttachedContexts Attached = Builder.attachWhole(*Call, Callsite, Mixed);
  EXPECT_EQ(mibs(), "cold 1 2 4 (77: 1000) (1: 0)\n"
                    "notcold 1 3 4 5 (78: 20) (1: 0)\n");
  EXPECT_TRUE(Call->hasMetadata(LLVMContext::MD_callsite));
  EXPECT_EQ(Attached.MIBs, 2u);
  EXPECT_EQ(Attached.StackIds, 7u);
  EXPECT_FALSE(Attached.AsAttribute);
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(MetadataBuilderTest, MarksTellThatContextsAreMissing) {
  MetadataBuilder(Context).attachWhole(*Call, Callsite, AllCold, {},
                                       /*AreAll=*/false);
  EXPECT_EQ(mibs(), "cold 1 2 4 (77: 1000) (3: 0)\n"
                    "cold 1 3 4 5 (78: 20) (3: 0)\n");
  EXPECT_FALSE(Call->hasFnAttr("memprof"));
}

TEST_F(MetadataBuilderTest, WeightsOfColdContextsAreInTheirMarks) {
  const CoarseWeight Weight = CoarseWeight::of(3);
  const ProfiledContext Contexts[] = {
      {ViaTwo, 77, Bytes(1000), AllocationType::Cold, Weight},
      {ViaThree, 78, Bytes(20), AllocationType::NotCold, Weight}};
  MetadataBuilder(Context).attachWhole(*Call, Callsite, Contexts);
  // 1 + 256 * (1 + 8 + 4), for (8 + 4) / 8 * 2 ms.
  EXPECT_EQ(mibs(), "cold 1 2 4 (77: 1000) (3329: 0)\n"
                    "notcold 1 3 4 5 (78: 20) (1: 0)\n");
}

TEST_F(MetadataBuilderTest, ABasisStandsBeforeTheFirstMark) {
  MetadataBuilder Builder(Context);
  Builder.attachWhole(*Call, Callsite, Mixed);
  Builder.attachBasis(*Call,
                      {profile::ColdRule::Relative, {.AccessesPerByte = 0}, 5});
  // 5 + (1 << 49) + (1 << 63), and 1 for the number 0.
  EXPECT_EQ(mibs(), "cold 1 2 4 (77: 1000) (9223934986808197125: 0) (1: 0) "
                    "(131073: 0)\n"
                    "notcold 1 3 4 5 (78: 20) (1: 0)\n");
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(MetadataBuilderTest, WholeContextsStayWhenAllAreCold) {
  MetadataBuilder(Context).attachWhole(*Call, Callsite, AllCold);
  EXPECT_EQ(mibs(), "cold 1 2 4 (77: 1000) (1: 0)\n"
                    "cold 1 3 4 5 (78: 20) (1: 0)\n");
  EXPECT_FALSE(Call->hasFnAttr("memprof"));
}

TEST_F(MetadataBuilderTest, TrimmedContextsEndWhereTheyDiffer) {
  AttachedContexts Attached =
      MetadataBuilder(Context).attachTrimmed(*Call, Callsite, Mixed, nullptr);
  EXPECT_EQ(Attached.MIBs, 2u);
  EXPECT_EQ(Attached.StackIds, 4u);
  EXPECT_TRUE(StringRef(mibs()).starts_with("cold 1 2"));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(MetadataBuilderTest, TrimmedContextsThatAreAlikeBecomeAnAttribute) {
  AttachedContexts Attached =
      MetadataBuilder(Context).attachTrimmed(*Call, Callsite, AllCold, nullptr);
  EXPECT_TRUE(Attached.AsAttribute);
  EXPECT_EQ(Call->getFnAttr("memprof").getValueAsString(), "cold");
  EXPECT_FALSE(Call->hasMetadata(LLVMContext::MD_memprof));
}

TEST_F(MetadataBuilderTest, ContextsTooDeepToTrimStayWhole) {
  std::vector<uint64_t> Deep(10'000, 1);
  const ProfiledContext Contexts[] = {
      {ViaTwo, 77, Bytes(1000), AllocationType::Cold},
      {Deep, 78, Bytes(20), AllocationType::NotCold}};
  AttachedContexts Attached = MetadataBuilder(Context).attachTrimmed(
      *Call, Callsite, Contexts, nullptr);
  EXPECT_EQ(Attached.StackIds, 10'003u);
}

TEST_F(MetadataBuilderTest, StrippingRemovesMetadataAndAttribute) {
  EXPECT_FALSE(hasAnnotation(*Call));
  EXPECT_FALSE(stripAnnotation(*Call));
  MetadataBuilder(Context).attachWhole(*Call, Callsite, Mixed);
  Call->addFnAttr(Attribute::get(Context, "memprof", "cold"));
  EXPECT_TRUE(hasAnnotation(*Call));
  EXPECT_TRUE(stripAnnotation(*Call));
  EXPECT_FALSE(hasAnnotation(*Call));
  EXPECT_FALSE(Call->hasFnAttr("memprof"));
}

} // namespace
