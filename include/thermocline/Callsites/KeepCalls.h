//===- KeepCalls.h - Each call where the source has it ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A frame of a context is the place of a call: function, line, column. Profile
// and annotation find each other only if both builds have a call at exactly
// that place for each executed call of the source. By default, LLVM
//
// * makes one call of two: in arms of an if or a switch (SimplifyCFG hoists and
//   sinks, the code generator merges tails), of equal invokes, of a function
//   that says it is pure (EarlyCSE, GVN). The new call has line 0 if the lines
//   differ, and what was inlined is forgotten;
// * moves calls of functions that say they are pure out of loops, without their
//   place (LICM). They may allocate all the same, when they are called first;
// * makes one function of two that do the same (MergeFunctions, the linker's
//   identical code folding): calls of the one are then found in the other.
//
// So calls are marked `nomerge` from the beginning. (LLVM merges invokes all
// the same, so these are made different.) Functions that say they are pure are
// treated like others, and the code of functions is made different. The build
// for profiling stays like this to its end. In the build for use, the marks are
// removed after annotation, so that the optimizations after the link work as
// usual. In a release that is to be profiled as it is, calls that may allocate
// stay `nomerge`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_KEEPCALLS_H
#define THERMOCLINE_CALLSITES_KEEPCALLS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace thermocline::callsites {

/// The first of all passes: marks \p M's calls and functions.
class KeepCallsPass : public llvm::PassInfoMixin<KeepCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &Analyses);
  static bool isRequired() { return true; }
};

/// Removes from \p M everything that KeepCallsPass added.
class ReleaseCallsPass : public llvm::PassInfoMixin<ReleaseCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// The last of all passes over a module that keeps its marks. It keeps the code
/// generator, the linker and the optimizer in a link from merging.
class KeepCodePass : public llvm::PassInfoMixin<KeepCodePass> {
public:
  /// \p BeforeLink: the link will optimize the module further.
  explicit KeepCodePass(bool BeforeLink) : BeforeLink(BeforeLink) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  bool BeforeLink;
};

/// The last of all passes over a module of a release that is to be profiled: it
/// keeps calls that may allocate from being merged by the code generator, and
/// by the optimizer in a link.
class KeepAllocatingCallsPass
    : public llvm::PassInfoMixin<KeepAllocatingCallsPass> {
public:
  /// \p BeforeLink: the link will optimize the module further.
  explicit KeepAllocatingCallsPass(bool BeforeLink) : BeforeLink(BeforeLink) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  bool BeforeLink;
};

/// Adds KeepCallsPass to \p PB's pipelines. Also marks calls that are created
/// later, until ReleaseCallsPass has run, if it does.
void keepCalls(llvm::PassBuilder &PB);

} // namespace thermocline::callsites

#endif
