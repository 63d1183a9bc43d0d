//===- Instrument/CounterEmitterTest.cpp - Counter updates as IR ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/CounterEmitter.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::instrument;

namespace {

// Values are used at once, after the next access, and after the last.
constexpr char TwoAccesses[] = R"(
define i64 @f(ptr %p, ptr %q, i64 %i) {
  %early = icmp ult i64 %i, 5
  %wide = zext i1 %early to i64
  %late = icmp ult i64 %i, 9
  %x = load i64, ptr %p
  %middle = add i64 %x, %wide
  %y = load i64, ptr %q
  %last = select i1 %late, i64 %y, i64 %middle
  ret i64 %last
}
)";

/// Emits an update of each load for sampling, in their order or from the last.
void emitUpdates(Function &F, bool FromLast) {
  SmallVector<CounterUpdate, 2> Updates;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Updates.push_back({Load, Load->getPointerOperand()});
  if (FromLast)
    std::reverse(Updates.begin(), Updates.end());
  InstrumentOptions Options;
  Options.Sampling = true;
  CounterEmitter Emitter(F, Options);
  for (const CounterUpdate &Update : Updates)
    Emitter.emit(Update);
  Emitter.finish();
}

TEST(CounterEmitterTest, ValuesSinkToTheirUsesInAnyOrderOfUpdates) {
  for (bool FromLast : {false, true}) {
    LLVMContext Context;
    SMDiagnostic Error;
    auto M = parseAssemblyString(TwoAccesses, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    Function &F = *M->getFunction("f");
    emitUpdates(F, FromLast);
    EXPECT_FALSE(verifyFunction(F, &errs())) << FromLast;
    StringMap<const BasicBlock *> BlockOf;
    for (Instruction &I : instructions(F))
      BlockOf[I.getName()] = I.getParent();
    EXPECT_EQ(BlockOf["early"], BlockOf["x"]) << FromLast;
    EXPECT_EQ(BlockOf["wide"], BlockOf["x"]) << FromLast;
    EXPECT_EQ(BlockOf["late"], BlockOf["y"]) << FromLast;
  }
}

} // namespace
