//===- Annotate/PointersToAllocators.cpp - Which pointer led to malloc ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/PointersToAllocators.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include <utility>

using namespace llvm;
using namespace thermocline;

bool thermocline::annotate::nameAllocators(Module &M) {
  using Row = annotate::AllocationFunction;
  // Promotion splits blocks.
  SmallVector<std::pair<CallBase *, SmallVector<const Row *, 4>>, 8> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call)
        if (auto Rows = annotate::allocationsOfType(*Call); !Rows.empty())
          Found.push_back({Call, std::move(Rows)});
  for (auto &[Call, Rows] : Found)
    for (const Row *Is : Rows) {
      FunctionCallee Plain = M.getOrInsertFunction(
          Is->Name, Is->type(M.getContext(), M.getDataLayout()));
      CallBase &Direct =
          promoteCallWithIfThenElse(*Call, cast<Function>(Plain.getCallee()));
      Direct.setMetadata(LLVMContext::MD_prof, nullptr);
    }
  return !Found.empty();
}
