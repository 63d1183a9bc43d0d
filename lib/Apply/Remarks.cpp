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

void sayCall(OptimizationRemark &R, NV Call, NV Caller, NV Callee) {
  R << Call << " in clone " << Caller << " assigned to call function clone "
    << Callee;
}

void sayAllocation(OptimizationRemark &R, NV Call, NV Caller, StringRef Mark) {
  R << Call << " in clone " << Caller
    << " marked with memprof allocation attribute " << NV("Attribute", Mark);
}

void sayMissed(OptimizationRemarkMissed &R, NV Call, NV Caller,
               const MissedHint &Missed) {
  R << Call << " in " << Caller << " is not hinted for "
    << NV("Contexts", Missed.Contexts)
    << (Missed.Contexts == 1 ? " cold context, " : " cold contexts, ")
    << NV("Bytes", Missed.Size.count())
    << " bytes: " << NV("Reason", Missed.Reason);
}

} // namespace

OptimizationRemark thermocline::apply::remarkClone(Function &Original,
                                                   Function &Version) {
  OptimizationRemark R(PassName, "MemprofClone", &Original);
  R << "created clone " << NV("NewFunction", &Version);
  return R;
}

OptimizationRemark thermocline::apply::remarkClone(Function &F,
                                                   StringRef Version) {
  OptimizationRemark R(PassName, "MemprofClone", &F);
  R << "created clone " << NV("NewFunction", Version);
  return R;
}

OptimizationRemark thermocline::apply::remarkCall(CallBase &Call,
                                                  GlobalValue &Callee) {
  OptimizationRemark R(PassName, "MemprofCall", &Call);
  sayCall(R, NV("Call", &Call), NV("Caller", Call.getFunction()),
          NV("Callee", &Callee));
  return R;
}

OptimizationRemark thermocline::apply::remarkCall(Function &F, StringRef Caller,
                                                  StringRef Callee) {
  OptimizationRemark R(PassName, "MemprofCall", &F);
  sayCall(R, NV("Call", "call"), NV("Caller", Caller), NV("Callee", Callee));
  return R;
}

OptimizationRemark thermocline::apply::remarkAllocation(CallBase &Call,
                                                        StringRef Mark) {
  OptimizationRemark R(PassName, "MemprofAttribute", &Call);
  sayAllocation(R, NV("AllocationCall", &Call),
                NV("Caller", Call.getFunction()), Mark);
  return R;
}

OptimizationRemark thermocline::apply::remarkAllocation(Function &F,
                                                        StringRef Caller,
                                                        StringRef Mark) {
  OptimizationRemark R(PassName, "MemprofAttribute", &F);
  sayAllocation(R, NV("AllocationCall", "call"), NV("Caller", Caller), Mark);
  return R;
}

OptimizationRemarkMissed
thermocline::apply::remarkMissed(CallBase &Call, const MissedHint &Missed) {
  OptimizationRemarkMissed R(PassName, "MemprofMissed", &Call);
  sayMissed(R, NV("AllocationCall", &Call), NV("Caller", Call.getFunction()),
            Missed);
  return R;
}

OptimizationRemarkMissed
thermocline::apply::remarkMissed(Function &F, const MissedHint &Missed) {
  OptimizationRemarkMissed R(PassName, "MemprofMissed", &F);
  sayMissed(R, NV("AllocationCall", "call"), NV("Caller", F.getName()), Missed);
  return R;
}

void thermocline::apply::addPlace(DiagnosticInfoOptimizationBase &Remark,
                                  StringRef Function, unsigned LineOffset,
                                  unsigned Column) {
  const auto Line = static_cast<int>(LineOffset);
  Remark << ", at " << NV("AllocatedIn", Function) << (Line < 0 ? " " : " +")
         << NV("LineOffset", Line) << ":" << NV("Column", Column);
}

OptimizationRemarkAnalysis
thermocline::apply::remarkNotCompiled(Function &Module) {
  OptimizationRemarkAnalysis R(PassName, "MemprofNotCompiled",
                               DiagnosticLocation(), &Module.front());
  R << NV("Module", Module.getName())
    << " was not compiled in this link, as if it came from the cache: its "
       "backend made no remarks";
  return R;
}

OptimizationRemark thermocline::apply::remarkLowered(CallBase &Call,
                                                     GlobalValue &Cold) {
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
