//===- Annotate/Metadata/Clonability.cpp - May it have versions? ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/Clonability.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace thermocline;

bool annotate::definesSymbol(StringRef Text) {
  auto InName = [](char C) {
    return isAlnum(C) || C == '_' || C == '.' || C == '$';
  };
  while (!Text.empty()) {
    StringRef Statement;
    size_t End = Text.find_first_of("\n;");
    Statement = Text.take_front(End);
    Text = End == StringRef::npos ? "" : Text.drop_front(End + 1);
    // A statement may begin with several labels.
    while (true) {
      Statement = Statement.ltrim();
      StringRef Name = Statement.take_while(InName);
      StringRef Rest = Statement.drop_front(Name.size());
      if (Name.empty() || !Rest.ltrim().starts_with(":"))
        break;
      if (!all_of(Name, isDigit))
        return true;
      Statement = Rest.ltrim().drop_front();
    }
  }
  return false;
}

static bool hasRepeatableBody(const Function &F) {
  // It is assembly as a whole.
  if (F.hasFnAttribute(Attribute::Naked))
    return false;
  // A table of labels leads into the original.
  if (any_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); }))
    return false;
  return none_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return false;
    if (Call->cannotDuplicate() || Call->isConvergent())
      return true;
    auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand());
    return Assembly && annotate::definesSymbol(Assembly->getAsmString());
  });
}

bool annotate::isClonable(const Function &F) {
  // Versions are named after it.
  if (!F.hasName())
    return false;
  // Callers reach whatever the program or a wrapper puts in its place.
  if (F.isInterposable())
    return false;
  // Its body refers to itself by other means than calls.
  return !F.isPresplitCoroutine() && hasRepeatableBody(F);
}

bool annotate::isClonableBeforeLink(const Function &F) {
  // Semantic interposition is a flag of the module.
  const bool IsInterposable =
      F.isInterposable() && !GlobalValue::isInterposableLinkage(F.getLinkage());
  return !IsInterposable && hasRepeatableBody(F);
}
