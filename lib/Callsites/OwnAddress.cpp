//===- Callsites/OwnAddress.cpp - Functions that stay apart ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/OwnAddress.h"
#include "thermocline/Format/NativeCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

/// A hash that no other function has.
static std::pair<uint64_t, uint64_t> hashOf(const Function &F) {
  MD5 Hash;
  if (F.hasLocalLinkage())
    Hash.update(F.getParent()->getSourceFileName());
  Hash.update(F.getName());
  return Hash.final().words();
}

/// A prefix of 16 bytes, so that the function behind it stays aligned.
static Constant *prefixOf(const Function &F, uint64_t First, uint64_t Second) {
  Type *Word = Type::getInt64Ty(F.getContext());
  return ConstantStruct::getAnon(
      {ConstantInt::get(Word, First), ConstantInt::get(Word, Second)});
}

void thermocline::callsites::markProfiled(Function &F) {
  F.setPrefixData(prefixOf(F, format::ProfiledFunctionMark, hashOf(F).second));
}

void thermocline::callsites::keepAddressOwn(Function &F) {
  auto [High, Low] = hashOf(F);
  Constant *Own = prefixOf(F, High, Low);
  if (F.hasPrefixData()) {
    Constant *Before = F.getPrefixData();
    if (Before == Own || Before->getAggregateElement(0u) == Own)
      return;
    Own = ConstantStruct::getAnon({Own, Before}, /*Packed=*/true);
  }
  F.setPrefixData(Own);
}
