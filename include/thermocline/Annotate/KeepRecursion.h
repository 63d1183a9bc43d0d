//===- Annotate/KeepRecursion.h - No loops from recursion -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiled program makes the calls that its source has. In the build for
// use, however, LLVM turns a function that ends by calling itself into a loop.
// The call is gone then, and with it the contexts that came through it. An
// allocation in the loop, inlined somewhere, looks as if only the contexts
// without recursion led to it. It may be hinted cold for their sake although it
// is hot in the others.
//
// So functions on cycles of the call graph keep their calls until they are
// annotated. The optimizer makes the loops after the link, for each version
// separately.
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

/// Undoes what KeepRecursionPass did. It always runs after that pass, and
/// before bitcode is written.
class ReleaseRecursionPass : public llvm::PassInfoMixin<ReleaseRecursionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::annotate

#endif
