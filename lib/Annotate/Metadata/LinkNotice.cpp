//===- Annotate/Metadata/LinkNotice.cpp - Other linkers speak -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/LinkNotice.h"
#include "thermocline/Format/ProgramNotes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace thermocline;

static constexpr char Name[] = "__thermocline_linked_by_another_linker";
static constexpr char NoteName[] =
    "__thermocline_linked_by_another_linker_note";
static constexpr char NativeName[] = "__thermocline_native_code_note";
static constexpr char Text[] =
    "this link is not Thermocline's, and loses hints of the heap profile; "
    "link with thermocline-use.cfg, and without another --ld-path=";

/// Adds an ELF note of \p Type. Returns the variable \p Name, which is it.
static GlobalVariable *addNote(Module &M, StringRef Name, unsigned Type) {
  LLVMContext &Context = M.getContext();
  auto *Int = llvm::Type::getInt32Ty(Context);
  Constant *Owner =
      ConstantDataArray::getString(Context, THERMOCLINE_NOTE_OWNER);
  Constant *Fields[] = {ConstantInt::get(Int, sizeof(THERMOCLINE_NOTE_OWNER)),
                        ConstantInt::get(Int, /*Size=*/0),
                        ConstantInt::get(Int, Type), Owner};
  Constant *Note = ConstantStruct::getAnon(Fields);
  // Not a local one: functions with inline assembly in a module that keeps one
  // are not cloned, as they might name it.
  auto *Result =
      new GlobalVariable(M, Note->getType(), /*isConstant=*/true,
                         GlobalValue::LinkOnceODRLinkage, Note, Name);
  Result->setVisibility(GlobalValue::HiddenVisibility);
  Result->setSection(".note.thermocline");
  Result->setAlignment(Align(4));
  return Result;
}

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
  appendToCompilerUsed(
      M, {F, addNote(M, NoteName, THERMOCLINE_NOTE_OTHER_LINKER)});
}

bool annotate::removeLinkNotice(Module &M) {
  SmallPtrSet<Constant *, 4> Found;
  if (Function *F = M.getFunction(Name)) {
    F->deleteBody();
    F->setComdat(nullptr);
    Found.insert(F);
  }
  if (GlobalVariable *Note = M.getGlobalVariable(NoteName))
    Found.insert(Note);
  removeFromUsedLists(M, [&](Constant *C) { return Found.contains(C); });
  for (Constant *C : Found) {
    C->removeDeadConstantUsers();
    if (C->use_empty())
      cast<GlobalValue>(C)->eraseFromParent();
  }
  return !Found.empty();
}

bool annotate::noteNativeCode(Module &M) {
  if (!removeLinkNotice(M))
    return false;
  appendToCompilerUsed(M, addNote(M, NativeName, THERMOCLINE_NOTE_NATIVE_CODE));
  return true;
}
