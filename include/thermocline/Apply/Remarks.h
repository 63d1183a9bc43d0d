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

} // namespace thermocline::apply

#endif
