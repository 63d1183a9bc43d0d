//===- Annotate/Metadata/LinkNotice.cpp - Other linkers speak -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/LinkNotice.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace thermocline;

static constexpr char Name[] = "__thermocline_linked_by_another_linker";
static constexpr char Text[] =
    "this link is not Thermocline's, and loses hints of the heap profile; "
    "link with thermocline-use.cfg, and without another --ld-path=";

void annotate::addLinkNotice(Module &M) {
  if (M.getFunction(Name))
    return;
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/false);
  Function *F =
      Function::Create(Type, GlobalValue::LinkOnceODRLinkage, Name, M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  if (M.getTargetTriple().supportsCOMDAT())
    F->setComdat(M.getOrInsertComdat(Name));
  // Or the call would become a loop.
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::OptimizeNone);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr("dontcall-warn", Text);
  IRBuilder<> Builder(BasicBlock::Create(Context, "", F));
  Builder.CreateCall(F);
  Builder.CreateRetVoid();
  appendToCompilerUsed(M, F);
}

bool annotate::removeLinkNotice(Module &M) {
  Function *F = M.getFunction(Name);
  if (!F)
    return false;
  removeFromUsedLists(M, [F](Constant *C) { return C == F; });
  F->deleteBody();
  F->setComdat(nullptr);
  F->removeDeadConstantUsers();
  if (F->use_empty())
    F->eraseFromParent();
  return true;
}
