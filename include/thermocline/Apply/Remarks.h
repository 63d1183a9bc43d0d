//===- Apply/Remarks.h - Remarks with LLVM's names ------------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The remarks of LLVM's context disambiguation pass, by its pass name, remark
// names and arguments, so that scripts and viewers made for those keep working.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_REMARKS_H
#define THERMOCLINE_APPLY_REMARKS_H

#include "thermocline/Apply/MissedHint.h"
#include "llvm/IR/DiagnosticInfo.h"

namespace llvm {
class CallBase;
class Function;
class GlobalValue;
} // namespace llvm

namespace thermocline::apply {

/// "created clone f.memprof.1".
llvm::OptimizationRemark remarkClone(llvm::Function &Original,
                                     llvm::Function &Version);
/// "call in clone g assigned to call function clone f.memprof.1".
llvm::OptimizationRemark remarkCall(llvm::CallBase &Call,
                                    llvm::GlobalValue &Callee);
/// "call in clone f marked with memprof allocation attribute cold".
llvm::OptimizationRemark remarkAllocation(llvm::CallBase &Call,
                                          llvm::StringRef Mark);

// The following remarks have no counterpart in LLVM's pass.

/// "call in f is not hinted for 3 cold contexts, 4096 bytes: indirect call".
llvm::OptimizationRemarkMissed remarkMissed(llvm::CallBase &Call,
                                            const MissedHint &Missed);
/// "call in clone f.memprof.1 calls malloc_cold".
llvm::OptimizationRemark remarkLowered(llvm::CallBase &Call,
                                       llvm::GlobalValue &Cold);
/// "call in clone f.memprof.1, marked cold, keeps its function: redefined by
/// the link".
llvm::OptimizationRemarkMissed remarkNotLowered(llvm::CallBase &Call,
                                                llvm::StringRef Reason);

// The same remarks for a link that has no code at hand: \p F is a function
// with the name of the original.

llvm::OptimizationRemark remarkClone(llvm::Function &F,
                                     llvm::StringRef Version);
llvm::OptimizationRemark remarkCall(llvm::Function &F, llvm::StringRef Caller,
                                    llvm::StringRef Callee);
llvm::OptimizationRemark remarkAllocation(llvm::Function &F,
                                          llvm::StringRef Caller,
                                          llvm::StringRef Mark);
llvm::OptimizationRemarkMissed remarkMissed(llvm::Function &F,
                                            const MissedHint &Missed);
/// Adds ", at f +1:26": the place of the allocation, counted from the beginning
/// of a function.
void addPlace(llvm::DiagnosticInfoOptimizationBase &Remark,
              llvm::StringRef Function, unsigned LineOffset, unsigned Column);
/// "a.o was not compiled in this link, as if it came from the cache ...". \p
/// Module is a function that has a block, and the module's name.
llvm::OptimizationRemarkAnalysis remarkNotCompiled(llvm::Function &Module);

} // namespace thermocline::apply

#endif
