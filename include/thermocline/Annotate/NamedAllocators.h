//===- NamedAllocators.h - The program's own allocators ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: when hints are lowered, the calls of the program's own allocation
// functions must still be there, with the arguments that the source gives them.
// LLVM does not know this. If it sees the body of such a function it may inline
// it, and it passes poison for arguments that the body ignores, though the cold
// variant may use them.
//
// So the first pass replaces, if the module defines pool_alloc, the call
//
//   %p = call ptr @pool_alloc(i64 8)
//
// by a call of a function without a body,
//
//   %p = call ptr @thermocline.pool_alloc(i64 8)
//            "alloc-variant-cold"="pool_alloc_cold"
//
// until the annotation is attached. Calls that were profiled keep the
// attribute. It tells the link all it has to know, so no later stage needs an
// option. Its name follows LLVM's "alloc-variant-zeroed". A front end may also
// put it on the function itself.
//
// The module that marks a call names the variant in llvm.compiler.used. The
// linker takes that for a reference and extracts the variant from an archive.
// LTO keeps the variant because of it, though nothing calls it yet.
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

/// Removes the attribute from \p Call. Returns whether it had one.
bool removeColdVariant(llvm::CallBase &Call);

/// The cold variant that \p Call is marked with, declared if need be. Returns
/// null if something of another type has its name.
llvm::GlobalValue *declareColdVariant(llvm::CallBase &Call);

/// Keeps the variant that the profiled \p Call is marked with alive through the
/// link.
void keepColdVariant(llvm::CallBase &Call);

/// The first of all passes. Marks calls of \p Allocators, and of functions that
/// the module itself marks as such, and hides the bodies of these functions.
/// Warns of variants that cannot take the place of their function.
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

/// Gives the functions their bodies again. It always runs after the pass above,
/// and before annotation.
class UnhideNamedAllocatorsPass
    : public llvm::PassInfoMixin<UnhideNamedAllocatorsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::annotate

#endif
