//===- Metadata/ChosenFunctions.cpp - Chosen when the program starts ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static constexpr NoteForm Form = {"chosen", 1};

ChosenFunctions::ChosenFunctions(const Module &M) {
  auto Add = [&](const Value *Is) {
    if (const auto *F = dyn_cast<Function>(Is->stripPointerCastsAndAliases());
        F && !F->isIntrinsic())
      GUIDs.insert(GlobalValue::getGUIDAssumingExternalLinkage(
          GlobalValue::dropLLVMManglingEscape(F->getName())));
  };
  for (const GlobalIFunc &IFunc : M.ifuncs())
    if (const Function *Resolver = IFunc.getResolverFunction())
      for (const Instruction &I : instructions(Resolver))
        for (const Use &U : I.operands())
          if (const auto *Call = dyn_cast<CallBase>(&I);
              !Call || !Call->isCallee(&U))
            Add(U.get());
}

Error ChosenFunctions::addIn(StringRef Name) {
  return addNumbersIn(Name, Form, GUIDs);
}

void ChosenFunctions::note(Module &M) const { noteNumbers(M, Form, GUIDs); }
