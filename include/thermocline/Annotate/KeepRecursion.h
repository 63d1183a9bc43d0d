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
// So what calls itself keeps its calls until it is annotated, also where these
// become direct only by inlining, or when constants and aliases are resolved.
// The optimizer makes the loops after the link, for each version separately.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_KEEPRECURSION_H
#define THERMOCLINE_ANNOTATE_KEEPRECURSION_H

#include "llvm/IR/PassManager.h"
#include <memory>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace thermocline::annotate {

/// Lets LLVM make no loop of a function that calls itself while \p Keeps is
/// true.
void keepRecursion(llvm::PassBuilder &PB, std::shared_ptr<const bool> Keeps);

/// Says whether recursion is kept from here on: it is set by the first of all
/// passes, and ends before bitcode is written.
class SetKeepsRecursionPass
    : public llvm::PassInfoMixin<SetKeepsRecursionPass> {
public:
  SetKeepsRecursionPass(std::shared_ptr<bool> Keeps, bool To)
      : Keeps(std::move(Keeps)), To(To) {}
  llvm::PreservedAnalyses run(llvm::Module &, llvm::ModuleAnalysisManager &) {
    *Keeps = To;
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::shared_ptr<bool> Keeps;
  bool To;
};

} // namespace thermocline::annotate

#endif
