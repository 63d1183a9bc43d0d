//===- Annotate/KeepRecursion.cpp - No loops from recursion ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/KeepRecursion.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace thermocline;

/// The pass that makes the loops, as it finds the calls.
static constexpr StringRef MakesLoops = "TailCallElimPass";

static bool callsItself(const Function &F) {
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->getCalledFunction() == &F;
  });
}

void annotate::keepRecursion(PassBuilder &PB,
                             std::shared_ptr<const bool> Keeps) {
  if (PassInstrumentationCallbacks *Instrumentation =
          PB.getPassInstrumentationCallbacks())
    Instrumentation->registerShouldRunOptionalPassCallback(
        [Keeps](StringRef Pass, Any IR) {
          const auto *F = any_cast<const Function *>(&IR);
          return Pass != MakesLoops || !F || !*Keeps || !callsItself(**F);
        });
}
