//===- lto/program/FrameNames.cpp - Names of inlined functions ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FrameNames.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;

void thermocline::lto::addFrameNames(const Module &M,
                                     profile::FunctionNames &Names) {
  for (const Function &F : M) {
    Names.add(F.getName());
    for (const Instruction &I : instructions(F)) {
      if (!I.hasMetadata(LLVMContext::MD_callsite) &&
          !I.hasMetadata(LLVMContext::MD_memprof))
        continue;
      for (const DILocation *At = I.getDebugLoc(); At; At = At->getInlinedAt())
        if (const DISubprogram *In = At->getScope()->getSubprogram())
          Names.add(In->getLinkageName().empty() ? In->getName()
                                                 : In->getLinkageName());
    }
  }
}
