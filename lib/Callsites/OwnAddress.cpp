//===- Callsites/OwnAddress.cpp - Functions that stay apart ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/OwnAddress.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

void thermocline::callsites::keepAddressOwn(Function &F) {
  MD5 Hash;
  if (F.hasLocalLinkage())
    Hash.update(F.getParent()->getSourceFileName());
  Hash.update(F.getName());
  auto [High, Low] = Hash.final().words();
  // Of 16 bytes, so that the function behind it stays aligned.
  Type *Word = Type::getInt64Ty(F.getContext());
  Constant *Own = ConstantStruct::getAnon(
      {ConstantInt::get(Word, High), ConstantInt::get(Word, Low)});
  if (F.hasPrefixData()) {
    Constant *Before = F.getPrefixData();
    if (Before == Own || Before->getAggregateElement(0u) == Own)
      return;
    Own = ConstantStruct::getAnon({Own, Before}, /*Packed=*/true);
  }
  F.setPrefixData(Own);
}
