//===- Annotate/NamedAllocators.h - The program's own allocators -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: calls of an allocation function of the program's own are to be there
// when hints are lowered, with the arguments that the source gives them. LLVM
// knows nothing of that: where it sees the function's body it inlines it, and
// passes poison for arguments that this body (but not the variant's) ignores.
//
// So from the first pass on
//
//   %p = call ptr @pool_alloc(i64 8)
//
// is, if the module defines pool_alloc, a call of something that it does not,
//
//   %p = call ptr @thermocline.pool_alloc(i64 8)
//            "alloc-variant-cold"="pool_alloc_cold"
//
// until the annotation is attached. The mark stays on calls that were profiled,
// and tells the link all it has to know: no stage after this one has an option
// for it. It is named after LLVM's "alloc-variant-zeroed", and may as well
// stand on the function, put there by a front end.
//
// The module that marks a call names the variant in llvm.compiler.used: for the
// linker that is a reference which takes the variant out of an archive, and for
// LTO one which keeps it, though nothing calls it yet.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_NAMEDALLOCATORS_H
#define THERMOCLINE_ANNOTATE_NAMEDALLOCATORS_H

#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Support/NamedAllocator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
class Function;
class GlobalValue;
} // namespace llvm

namespace thermocline::annotate {

/// Removes the mark of \p Call. Returns whether it had one.
bool removeColdVariant(llvm::CallBase &Call);

/// The variant that \p Call is marked with, declared if need be; null if
/// something of another type has its name.
llvm::GlobalValue *declareColdVariant(llvm::CallBase &Call);

/// Keeps the variant that the profiled \p Call is marked with alive through the
/// link.
void keepColdVariant(llvm::CallBase &Call);

/// The first of all passes: marks calls of \p Allocators, and of functions that
/// the module itself says are such, and hides the bodies of these. Warns of
/// variants that cannot take the place of their function.
class MarkNamedAllocatorsPass
    : public llvm::PassInfoMixin<MarkNamedAllocatorsPass> {
public:
  explicit MarkNamedAllocatorsPass(std::vector<NamedAllocator> Allocators)
      : Allocators(std::move(Allocators)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  std::vector<NamedAllocator> Allocators;
};

/// Shows the bodies again. Always run after the above, before annotation.
class UnhideNamedAllocatorsPass
    : public llvm::PassInfoMixin<UnhideNamedAllocatorsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::annotate

#endif
