//===- AllocatedTypes.h - The types that a module allocates -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -fsanitize=alloc-token, clang says in metadata of each call that
// allocates what type it is for. The build for profiling asks for that, writes
// the types into the program (Format/DataTypes.h), and takes everything else of
// the sanitizer away before it does anything.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CALLSITES_ALLOCATEDTYPES_H
#define THERMOCLINE_CALLSITES_ALLOCATEDTYPES_H

#include "llvm/IR/PassManager.h"

namespace thermocline::callsites {

/// Has to come first of all passes. Afterwards the module is the one that clang
/// makes without the sanitizer, and inline assembly for a section that is not
/// loaded.
class TakeTypesPass : public llvm::PassInfoMixin<TakeTypesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace thermocline::callsites

#endif
