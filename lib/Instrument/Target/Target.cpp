//===- Target/Target.cpp - What the pass knows of a target ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target.h"
#include "llvm/IR/Module.h"

using namespace thermocline;

instrument::TargetLayout
thermocline::instrument::targetLayoutOf(const llvm::Module &M) {
  for (const Target *Each : Targets)
    if (Each->Architecture == M.getTargetTriple().getArch())
      return Each->Layout;
  return {};
}
