//===- Target/TargetLayout.cpp - Addresses of a target's programs ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace thermocline;

instrument::TargetLayout
thermocline::instrument::targetLayoutOf(const llvm::Module &M) {
  if (M.getTargetTriple().isAArch64())
    return {format::AArch64Layout, /*TestsAgainstMemory=*/false,
            /*CopiesVariables=*/false};
  return {format::AMD64Layout, /*TestsAgainstMemory=*/true,
          /*CopiesVariables=*/true};
}
