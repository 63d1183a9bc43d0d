//===- Annotate/Metadata/CallMarks.cpp - Calls as summaries do not --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/Clonability.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Part.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
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

static constexpr NoteForm Form = {"calls", 2};

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

/// A hash of \p Type that is the same in all modules.
static uint64_t hashOf(const FunctionType &Type) {
  SmallString<64> Text;
  raw_svector_ostream OS(Text);
  Type.print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return xxh3_64bits(OS.str());
}

/// Adds what tail calls through pointers need of \p Call, in \p F.
void CallMarks::addTailCall(const Function &F, const CallBase &Call) {
  if (Call.isIndirectCall()) {
    Marked[LeavingFunction].insert(notedNameOf(F.getName()));
    Marked[TailCallType].insert(hashOf(*Call.getFunctionType()));
  } else if (const Function *Callee = Call.getCalledFunction();
             Callee && !Callee->isIntrinsic()) {
    Marked[DirectMustTailCall].insert(
        keyOf({notedNameOf(F.getName()), notedNameOf(Callee->getName())}));
  }
}

void CallMarks::addCall(const CallBase &Call, const MDNode &Callsite) {
  const bool IsIndirect = Call.isIndirectCall();
  if (!IsIndirect && !Call.isMustTailCall())
    return;
  const uint64_t Key = keyOf(stackIdsOf(Callsite));
  if (IsIndirect) {
    Marked[ThroughPointer].insert(Key);
    Marked[TypedCall].insert(keyOf({Key, hashOf(*Call.getFunctionType())}));
  }
  if (Call.isMustTailCall())
    Marked[MustTailCall].insert(Key);
}

/// Adds the functions that refer to \p C.
static void addUsers(const Constant &C, std::set<const Function *> &Result) {
  for (const User *Each : C.users())
    if (const auto *I = dyn_cast<Instruction>(Each))
      Result.insert(I->getFunction());
    else if (const auto *Expression = dyn_cast<Constant>(Each);
             Expression && !isa<GlobalValue>(Expression))
      addUsers(*Expression, Result);
}

/// Of locals that cannot be renamed, LLVM imports neither them nor what refers
/// to them.
void CallMarks::addClonability(const Module &M) {
  SmallVector<GlobalValue *, 8> Used;
  collectUsedGlobalVariables(M, Used, /*CompilerUsed=*/false);
  collectUsedGlobalVariables(M, Used, /*CompilerUsed=*/true);
  const SmallPtrSet<const GlobalValue *, 8> IsUsed(Used.begin(), Used.end());
  std::set<const Function *> NotImported;
  for (const GlobalObject &O : M.global_objects())
    if (O.hasLocalLinkage() && (O.hasSection() || IsUsed.contains(&O))) {
      addUsers(O, NotImported);
      if (const auto *F = dyn_cast<Function>(&O))
        NotImported.insert(F);
    }
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    const bool HasAssembly = any_of(instructions(F), [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      return Call && Call->isInlineAsm();
    });
    if (!isClonableBeforeLink(F))
      Marked[Unclonable].insert(notedNameOf(F.getName()));
    else if (HasAssembly || NotImported.contains(&F))
      Marked[Clonable].insert(notedNameOf(F.getName()));
  }
}

CallMarks::CallMarks(const Module &M) {
  addClonability(M);
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (F.isPresplitCoroutine())
      Marked[Coroutine].insert(notedNameOf(F.getName()));
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        if (Call->isMustTailCall())
          addTailCall(F, *Call);
        if (const MDNode *Site = Call->getMetadata(LLVMContext::MD_callsite))
          addCall(*Call, *Site);
      }
  }
}

void CallMarks::note(Module &M) const {
  if (all_of(Marked, [](const auto &Ids) { return Ids.empty(); }))
    return;
  std::string Payload;
  for (const std::set<uint64_t> &Ids : Marked)
    putCounted(Payload, Ids);
  addNote(M, Form, Payload);
}

Error CallMarks::addIn(StringRef Name) {
  return readNote(Name, Form, [&](StringRef Payload) {
    WordReader Words(Payload);
    return all_of(Marked,
                  [&](std::set<uint64_t> &Ids) {
                    return Words.countedNumbers(Ids);
                  }) &&
           Words.empty();
  });
}

bool CallMarks::isThroughPointer(ArrayRef<uint64_t> StackIds) const {
  return !Marked[ThroughPointer].empty() &&
         Marked[ThroughPointer].contains(keyOf(StackIds));
}

bool CallMarks::isMustTail(ArrayRef<uint64_t> StackIds) const {
  return !Marked[MustTailCall].empty() &&
         Marked[MustTailCall].contains(keyOf(StackIds));
}

bool CallMarks::endsInCallOf(StringRef Caller, StringRef Callee) const {
  if (Marked[DirectMustTailCall].empty())
    return false;
  return isNameless(Caller) || isNameless(Callee) ||
         Marked[DirectMustTailCall].contains(
             keyOf({notedNameOf(Caller), notedNameOf(Callee)}));
}

bool CallMarks::hasTailCallsLike(ArrayRef<uint64_t> StackIds) const {
  const uint64_t Key = keyOf(StackIds);
  return any_of(Marked[TailCallType], [&](uint64_t Type) {
    return Marked[TypedCall].contains(keyOf({Key, Type}));
  });
}
