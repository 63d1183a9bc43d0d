//===- Annotate/Metadata/CallMarks.cpp - Calls as summaries do not --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static constexpr StringLiteral Prefix = "thermocline.calls.";
static constexpr StringLiteral NodeName = "thermocline.calls";
static constexpr size_t IdDigits = 16;
static constexpr char ThroughPointer = 'p', MustTailCall = 't', Coroutine = 'c';

static uint64_t keyOf(uint64_t Caller, ArrayRef<uint64_t> StackIds) {
  SequenceHash Hash(Caller);
  for (uint64_t Id : StackIds)
    Hash.add(Id);
  return Hash.value();
}

static SmallVector<uint64_t, 8> stackIdsOf(const MDNode &Callsite) {
  SmallVector<uint64_t, 8> Result;
  for (const MDOperand &Operand : Callsite.operands())
    Result.push_back(mdconst::extract<ConstantInt>(Operand)->getZExtValue());
  return Result;
}

void annotate::noteCallMarks(Module &M) {
  std::set<std::pair<char, uint64_t>> Marks;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.isPresplitCoroutine())
      Marks.insert({Coroutine, F.getGUID()});
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      MDNode *Callsite =
          Call ? Call->getMetadata(LLVMContext::MD_callsite) : nullptr;
      if (!Callsite)
        continue;
      const bool IsIndirect = Call->isIndirectCall();
      if (!IsIndirect && !Call->isMustTailCall())
        continue;
      const uint64_t Key = keyOf(F.getGUID(), stackIdsOf(*Callsite));
      if (IsIndirect)
        Marks.insert({ThroughPointer, Key});
      if (Call->isMustTailCall())
        Marks.insert({MustTailCall, Key});
    }
  }
  if (Marks.empty())
    return;
  std::string Name = Prefix.str();
  for (auto [Letter, Id] : Marks)
    Name += Letter + utohexstr(Id, /*LowerCase=*/true, IdDigits);
  addNote(M, NodeName, Name);
}

void CallMarks::addIn(StringRef Name) {
  if (!Name.consume_front(Prefix))
    return;
  for (; Name.size() > IdDigits; Name = Name.drop_front(1 + IdDigits)) {
    uint64_t Id;
    if (Name.substr(1, IdDigits).getAsInteger(16, Id))
      return;
    if (Name.front() == ThroughPointer)
      ThroughPointers.insert(Id);
    else if (Name.front() == MustTailCall)
      MustTail.insert(Id);
    else if (Name.front() == Coroutine)
      Coroutines.insert(Id);
  }
}

bool CallMarks::isThroughPointer(uint64_t Caller,
                                 ArrayRef<uint64_t> StackIds) const {
  return !ThroughPointers.empty() &&
         ThroughPointers.count(keyOf(Caller, StackIds));
}

bool CallMarks::isMustTail(uint64_t Caller, ArrayRef<uint64_t> StackIds) const {
  return !MustTail.empty() && MustTail.count(keyOf(Caller, StackIds));
}
