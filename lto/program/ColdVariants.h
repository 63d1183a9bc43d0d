//===- program/ColdVariants.h - Those that the program names ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the cold variants that the program names. Modules that were compiled
// with allocation functions of the program's own list the variants of these in
// llvm.compiler.used. Everything else that is listed there is also defined in
// the module (Annotate/NamedAllocators.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_COLDVARIANTS_H
#define THERMOCLINE_LTO_PROGRAM_COLDVARIANTS_H

#include <string>
#include <vector>

namespace llvm {
class Module;
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

struct ColdVariants {
  /// Linkage names of those that are not defined here; sorted, each once.
  std::vector<std::string> Undefined;
  /// Whether there may be any, defined or not.
  bool Any = false;
};

/// The cold variants of all modules of a thin link. A variant that a module
/// defines cannot be told from other functions in llvm.compiler.used.
ColdVariants coldVariants(const llvm::ModuleSummaryIndex &Index);

/// The cold variants of the merged module of regular LTO.
ColdVariants coldVariants(const llvm::Module &M);

} // namespace thermocline::lto

#endif
