//===- Apply/CallRewriter.h - Versions call versions ---------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Redirects the calls of each version of a function to the versions that were
// decided, and marks its allocations with the types that were decided, as LLVM
// does: `"memprof"="cold"` or "notcold". All versions of the functions of the
// module must have been made before.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_CALLREWRITER_H
#define THERMOCLINE_APPLY_CALLREWRITER_H

#include "thermocline/Apply/FunctionCloner.h"
#include "thermocline/Apply/MatchedFunction.h"
#include "thermocline/Apply/Statistics.h"

namespace llvm {
class GlobalValue;
class OptimizationRemarkEmitter;
} // namespace llvm

namespace thermocline::apply {

class CallRewriter {
public:
  /// \p MadeElsewhere lists functions whose versions another module makes,
  /// although this module has bodies of them. All arguments must outlive the
  /// object.
  CallRewriter(llvm::Module &M, ApplyStatistics &Statistics,
               llvm::ArrayRef<llvm::Function *> MadeElsewhere = {})
      : M(M), Statistics(Statistics), MadeElsewhere(MadeElsewhere) {}

  /// Rewrites all versions of one function. The error names a version that the
  /// decisions call but that is not made in its module.
  llvm::Error rewrite(const MatchedFunction &Matched,
                      const FunctionVersions &Versions,
                      llvm::OptimizationRemarkEmitter &Remarks);

private:
  /// Version \p Version of \p Callee: the one that this module made, else a
  /// declaration of the one that another module makes.
  llvm::Expected<llvm::GlobalValue *> versionOf(llvm::GlobalValue &Callee,
                                                unsigned Version);

  llvm::Module &M;
  ApplyStatistics &Statistics;
  llvm::ArrayRef<llvm::Function *> MadeElsewhere;
};

} // namespace thermocline::apply

#endif
