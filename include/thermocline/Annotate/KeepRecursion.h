//===- Annotate/KeepRecursion.h - No loops from recursion -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiled program calls where its source does, but LLVM makes a loop of a
// function that ends by calling itself. Of contexts that came through the call
// nothing is left then: an allocation in the loop, inlined somewhere, looks as
// if only those without recursion led to it, and may be hinted cold for their
// sake though it is hot in the others.
//
// So functions on cycles of the call graph keep their calls until they are
// annotated. What optimizes the module after the link makes the loops, and it
// does so for each version by itself.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_KEEPRECURSION_H
#define THERMOCLINE_ANNOTATE_KEEPRECURSION_H

#include "llvm/IR/PassManager.h"

namespace thermocline::annotate {

/// The first of all passes: makes LLVM keep the recursion that \p M has.
class KeepRecursionPass : public llvm::PassInfoMixin<KeepRecursionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Undoes the above; always run after it, before bitcode is written.
class ReleaseRecursionPass : public llvm::PassInfoMixin<ReleaseRecursionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::annotate

#endif
