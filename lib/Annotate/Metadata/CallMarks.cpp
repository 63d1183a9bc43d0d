//===- Annotate/Metadata/CallMarks.cpp - Calls as summaries do not --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

static constexpr StringLiteral Prefix = "thermocline.calls.";
static constexpr StringLiteral NodeName = "thermocline.calls";
static constexpr size_t IdDigits = 16;
static constexpr char ThroughPointer = 'p', MustTailCall = 't', Coroutine = 'c',
                      TailCallType = 'y', TypedCall = 'q',
                      LeavingFunction = 'i', DirectMustTailCall = 'm';

static uint64_t keyOf(ArrayRef<uint64_t> Hashes) {
  SequenceHash Result;
  for (uint64_t Hash : Hashes)
    Result.add(Hash);
  return Result.value();
}

static SmallVector<uint64_t, 8> stackIdsOf(const MDNode &Callsite) {
  SmallVector<uint64_t, 8> Result;
  for (const MDOperand &Operand : Callsite.operands())
    Result.push_back(mdconst::extract<ConstantInt>(Operand)->getZExtValue());
  return Result;
}

/// The same for a type in all modules. \p Text is a buffer.
static uint64_t hashOf(const FunctionType &Type, SmallVectorImpl<char> &Text) {
  Text.clear();
  raw_svector_ostream OS(Text);
  Type.print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return xxh3_64bits(OS.str());
}

/// The marks of \p Call, in \p F, which tail calls through pointers need.
static void noteTailCall(const Function &F, const CallBase &Call,
                         SmallVectorImpl<char> &Text,
                         std::set<std::pair<char, uint64_t>> &Marks) {
  if (Call.isIndirectCall()) {
    Marks.insert({LeavingFunction, notedNameOf(F.getName())});
    Marks.insert({TailCallType, hashOf(*Call.getFunctionType(), Text)});
  } else if (const Function *Callee = Call.getCalledFunction();
             Callee && !Callee->isIntrinsic()) {
    Marks.insert({DirectMustTailCall, keyOf({notedNameOf(F.getName()),
                                             notedNameOf(Callee->getName())})});
  }
}

void annotate::noteCallMarks(Module &M) {
  std::set<std::pair<char, uint64_t>> Marks;
  SmallString<64> Text;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.isPresplitCoroutine())
      Marks.insert({Coroutine, notedNameOf(F.getName())});
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isMustTailCall())
        noteTailCall(F, *Call, Text, Marks);
      MDNode *Callsite =
          Call ? Call->getMetadata(LLVMContext::MD_callsite) : nullptr;
      if (!Callsite)
        continue;
      const bool IsIndirect = Call->isIndirectCall();
      if (!IsIndirect && !Call->isMustTailCall())
        continue;
      const uint64_t Key = keyOf(stackIdsOf(*Callsite));
      if (IsIndirect) {
        Marks.insert({ThroughPointer, Key});
        Marks.insert(
            {TypedCall, keyOf({Key, hashOf(*Call->getFunctionType(), Text)})});
      }
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
    else if (Name.front() == TailCallType)
      TailCallTypes.insert(Id);
    else if (Name.front() == TypedCall)
      TypedCalls.insert(Id);
    else if (Name.front() == LeavingFunction)
      Leaving.insert(Id);
    else if (Name.front() == DirectMustTailCall)
      DirectMustTail.insert(Id);
  }
}

bool CallMarks::isThroughPointer(ArrayRef<uint64_t> StackIds) const {
  return !ThroughPointers.empty() && ThroughPointers.count(keyOf(StackIds));
}

bool CallMarks::isMustTail(ArrayRef<uint64_t> StackIds) const {
  return !MustTail.empty() && MustTail.count(keyOf(StackIds));
}

bool CallMarks::endsInCallOf(StringRef Caller, StringRef Callee) const {
  if (DirectMustTail.empty())
    return false;
  return isNameless(Caller) || isNameless(Callee) ||
         DirectMustTail.count(
             keyOf({notedNameOf(Caller), notedNameOf(Callee)}));
}

bool CallMarks::hasTailCallsLike(ArrayRef<uint64_t> StackIds) const {
  const uint64_t Key = keyOf(StackIds);
  return any_of(TailCallTypes, [&](uint64_t Type) {
    return TypedCalls.count(keyOf({Key, Type}));
  });
}
