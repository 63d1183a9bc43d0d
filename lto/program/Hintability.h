//===- program/Hintability.h - Which allocations take a hint ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a link can hint at all. A decision on an allocation whose call keeps its
// function promises what the program does not do.
//
// Cold variants that the program names may be missing. Modules that were
// compiled with allocation functions of the program's own list the variants of
// these in llvm.compiler.used. Everything else that is listed there is also
// defined in the module (Annotate/NamedAllocators.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_HINTABILITY_H
#define THERMOCLINE_LTO_PROGRAM_HINTABILITY_H

#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Context/ContextProgram.h"
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Module;
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

struct ColdVariants {
  /// Linkage names of those that are not defined here; sorted, each once.
  std::vector<std::string> Undefined;
  /// Whether there may be any, defined or not.
  bool Any = false;
  /// Whether the modules define an allocator of a Rust program's own. Cold
  /// memory must not be given back to such an allocator.
  bool HasOwnAllocator = false;
  /// What machine code may define instead; sorted, each once.
  std::vector<std::string> OwnAllocators;
};

/// The cold variants of all modules of a thin link. A variant that a module
/// defines cannot be told from other functions in llvm.compiler.used.
ColdVariants coldVariants(const llvm::ModuleSummaryIndex &Index);

/// The cold variants of the merged module of regular LTO.
ColdVariants coldVariants(const llvm::Module &M);

/// Whether a link with \p Options hints the calls that \p Calls stands for.
context::Hintable hintable(annotate::CalledAllocator Calls,
                           const apply::HintOptions &Options);

/// Whether a link with \p Options hints \p Call, an allocation of the merged
/// module; \p Calls is what its metadata says that it calls.
context::Hintable hintable(const llvm::CallBase &Call,
                           annotate::CalledAllocator Calls,
                           const apply::HintOptions &Options);

} // namespace thermocline::lto

#endif
