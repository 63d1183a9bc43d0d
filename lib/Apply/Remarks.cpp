//===- Apply/Remarks.cpp - Remarks with LLVM's names ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/Remarks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace thermocline::apply;

namespace {
constexpr const char *PassName = "memprof-context-disambiguation";
using NV = DiagnosticInfoOptimizationBase::Argument;
} // namespace

OptimizationRemark thermocline::apply::remarkClone(Function &Original,
                                                   Function &Version) {
  OptimizationRemark R(PassName, "MemprofClone", &Original);
  R << "created clone " << NV("NewFunction", &Version);
  return R;
}

OptimizationRemark thermocline::apply::remarkCall(CallBase &Call,
                                                  GlobalValue &Callee) {
  OptimizationRemark R(PassName, "MemprofCall", &Call);
  R << NV("Call", &Call) << " in clone " << NV("Caller", Call.getFunction())
    << " assigned to call function clone " << NV("Callee", &Callee);
  return R;
}

OptimizationRemark thermocline::apply::remarkAllocation(CallBase &Call,
                                                        StringRef Mark) {
  OptimizationRemark R(PassName, "MemprofAttribute", &Call);
  R << NV("AllocationCall", &Call) << " in clone "
    << NV("Caller", Call.getFunction())
    << " marked with memprof allocation attribute " << NV("Attribute", Mark);
  return R;
}

OptimizationRemarkMissed
thermocline::apply::remarkMissed(CallBase &Call, const MissedHint &Missed) {
  OptimizationRemarkMissed R(PassName, "MemprofMissed", &Call);
  R << NV("AllocationCall", &Call) << " in " << NV("Caller", Call.getFunction())
    << " is not hinted for " << NV("Contexts", Missed.Contexts)
    << (Missed.Contexts == 1 ? " cold context, " : " cold contexts, ")
    << NV("Bytes", Missed.Size.count())
    << " bytes: " << NV("Reason", Missed.Reason);
  return R;
}

OptimizationRemark thermocline::apply::remarkLowered(CallBase &Call,
                                                     Function &Cold) {
  OptimizationRemark R(PassName, "MemprofHint", &Call);
  R << NV("AllocationCall", &Call) << " in clone "
    << NV("Caller", Call.getFunction()) << " calls "
    << NV("ColdFunction", &Cold);
  return R;
}

OptimizationRemarkMissed
thermocline::apply::remarkNotLowered(CallBase &Call, StringRef Reason) {
  OptimizationRemarkMissed R(PassName, "MemprofNoHint", &Call);
  R << NV("AllocationCall", &Call) << " in clone "
    << NV("Caller", Call.getFunction())
    << ", marked cold, keeps its function: " << NV("Reason", Reason);
  return R;
}
