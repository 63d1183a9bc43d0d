//===- Annotate/KeepRecursion.cpp - No loops from recursion ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/KeepRecursion.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline::annotate;

/// LLVM's attribute, and ours beside it where the user did not ask for LLVM's.
static constexpr char NoTailCalls[] = "disable-tail-calls",
                      Mark[] = "thermocline-keep-recursion";

PreservedAnalyses KeepRecursionPass::run(Module &M, ModuleAnalysisManager &) {
  CallGraph Calls(M);
  for (auto Component = scc_begin(&Calls); !Component.isAtEnd(); ++Component) {
    if (!Component.hasCycle())
      continue;
    for (CallGraphNode *Node : *Component) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration() ||
          F->getFnAttribute(NoTailCalls).getValueAsBool())
        continue;
      F->addFnAttr(NoTailCalls, "true");
      F->addFnAttr(Mark);
    }
  }
  return PreservedAnalyses::all();
}

PreservedAnalyses ReleaseRecursionPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  for (Function &F : M)
    if (F.hasFnAttribute(Mark)) {
      F.removeFnAttr(Mark);
      F.removeFnAttr(NoTailCalls);
    }
  return PreservedAnalyses::all();
}
