//===- program/NamedTwins.h - Cold twins that the program names -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules that were compiled with allocation functions of the program's own
// name the cold twins of these in llvm.compiler.used, and nothing but twins is
// there that is not defined as well (Annotate/NamedAllocators.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_NAMEDTWINS_H
#define THERMOCLINE_LTO_PROGRAM_NAMEDTWINS_H

#include <string>
#include <vector>

namespace llvm {
class Module;
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

struct NamedTwins {
  /// Linkage names of those that are not defined here; sorted, each once.
  std::vector<std::string> Undefined;
  /// Whether there may be any, defined or not.
  bool Any = false;
};

/// Of all modules of a thin link. A twin is not known from other functions in
/// llvm.compiler.used if a module defines it.
NamedTwins namedTwins(const llvm::ModuleSummaryIndex &Index);

/// Of the merged module of regular LTO.
NamedTwins namedTwins(const llvm::Module &M);

} // namespace thermocline::lto

#endif
