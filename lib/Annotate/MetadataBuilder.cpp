//===- Annotate/MetadataBuilder.cpp - !memprof and !callsite --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/MetadataBuilder.h"
#include "thermocline/Annotate/Metadata/Basis.h"
#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/MemoryProfileInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

/// The call attribute by which LLVM marks an allocation as cold or not.
static constexpr char AttributeName[] = "memprof";

/// LLVM trims by native recursion. No runtime records stacks near this depth.
static constexpr size_t MaxFramesToTrim = 4096;

static Metadata *integer(LLVMContext &Context, uint64_t Value) {
  return ConstantAsMetadata::get(
      ConstantInt::get(Type::getInt64Ty(Context), Value));
}

MDNode *MetadataBuilder::fullContext(const ContextTotalSize &Full) {
  return MDNode::get(Context, {integer(Context, Full.FullStackId),
                               integer(Context, Full.TotalSize)});
}

AttachedContexts
MetadataBuilder::attachWhole(CallBase &Call, ArrayRef<uint64_t> Callsite,
                             ArrayRef<ProfiledContext> Contexts,
                             CalledAllocator Calls, bool AreAll) {
  AttachedContexts Result;
  SmallVector<Metadata *, 16> MIBs;
  for (const ProfiledContext &C : Contexts) {
    assert(C.Stack.take_front(Callsite.size()) == Callsite &&
           "a context of this call starts with its inlined frames");
    SmallVector<Metadata *, 4> Parts = {
        memprof::buildCallstackMetadata(C.Stack, Context),
        MDString::get(Context, memprof::getAllocTypeAttributeString(C.Type)),
        fullContext({C.FullStackId, C.TotalSize.count()})};
    ContextMark Mark{AreAll ? ContextMark::Kind::Whole
                            : ContextMark::Kind::Part};
    Mark.Calls = Calls;
    if (C.Type == AllocationType::Cold)
      Mark.Weight = C.Weight;
    Parts.push_back(fullContext(Mark.encode()));
    MIBs.push_back(MDNode::get(Context, Parts));
    Result.StackIds += C.Stack.size();
  }
  Result.MIBs = MIBs.size();
  Result.IsMarked = true;
  Call.setMetadata(LLVMContext::MD_memprof, MDNode::get(Context, MIBs));
  attachCallsite(Call, Callsite);
  return Result;
}

AttachedContexts
MetadataBuilder::attachPacked(CallBase &Call, ArrayRef<uint64_t> Callsite,
                              ArrayRef<ProfiledContext> Contexts,
                              CalledAllocator Calls) {
  [[maybe_unused]] const uint32_t Number =
      Packer.add(Contexts, Callsite.size());
  assert(Number == Packed.size() && "allocations are numbered in turn");
  Packed.push_back(&Call);
  ArrayRef<uint64_t> First = Contexts.front().Stack;
  ArrayRef<uint64_t> Last = Contexts.back().Stack;
  // All contexts between them share what they share.
  const size_t Shared =
      std::mismatch(First.begin(), First.end(), Last.begin(), Last.end())
          .first -
      First.begin();
  const bool IsCold = all_of(Contexts, [](const ProfiledContext &C) {
    return C.Type == AllocationType::Cold;
  });
  ContextMark Mark{ContextMark::Kind::Packed};
  Mark.Calls = Calls;
  MDNode *MIB = MDNode::get(
      Context,
      {memprof::buildCallstackMetadata(First.take_front(Shared), Context),
       MDString::get(Context, memprof::getAllocTypeAttributeString(
                                  IsCold ? AllocationType::Cold
                                         : AllocationType::NotCold)),
       fullContext(Mark.encode())});
  AttachedContexts Result;
  Result.StackIds = Shared;
  Result.MIBs = 1;
  Result.IsMarked = true;
  Result.PackedContexts = Contexts.size();
  Call.setMetadata(LLVMContext::MD_memprof, MDNode::get(Context, {MIB}));
  attachCallsite(Call, Callsite);
  return Result;
}

Bytes MetadataBuilder::finishPacked(Module &M, bool RegularLTO) {
  if (Packer.empty())
    return Bytes();
  const std::string Name = nameOfPacked(Packer.pack());
  addPackedVariable(M, Name);
  for (auto [Number, Call] : enumerate(Packed)) {
    auto *MIB =
        cast<MDNode>(Call->getMetadata(LLVMContext::MD_memprof)->getOperand(0));
    SmallVector<Metadata *, 16> Parts(MIB->op_begin(), MIB->op_end());
    // After stack and temperature.
    size_t Index = 2;
    const PackedReference To{*packedIdOf(Name), static_cast<uint32_t>(Number)};
    for (const ContextTotalSize &Word : To.encode())
      Parts.insert(Parts.begin() + Index++, fullContext(Word));
    Call->setMetadata(LLVMContext::MD_memprof,
                      MDNode::get(Context, {MDNode::get(Context, Parts)}));
    if (RegularLTO)
      attachPackedName(*Call, Name);
  }
  Packer = ContextPacker();
  Packed.clear();
  return Bytes(Name.size());
}

AttachedContexts
MetadataBuilder::attachTrimmed(CallBase &Call, ArrayRef<uint64_t> Callsite,
                               ArrayRef<ProfiledContext> Contexts,
                               OptimizationRemarkEmitter *Remarks) {
  if (any_of(Contexts, [](const ProfiledContext &C) {
        return C.Stack.size() > MaxFramesToTrim;
      }))
    return attachWhole(Call, Callsite, Contexts);
  memprof::CallStackTrie Trie(Remarks);
  for (const ProfiledContext &C : Contexts)
    Trie.addCallStack(C.Type, C.Stack,
                      {ContextTotalSize{C.FullStackId, C.TotalSize.count()}});
  AttachedContexts Result;
  if (!Trie.buildAndAttachMIBMetadata(&Call)) {
    Result.AsAttribute = true;
    return Result;
  }
  const MDNode *Node = Call.getMetadata(LLVMContext::MD_memprof);
  Result.MIBs = Node->getNumOperands();
  for (const MDOperand &MIB : Node->operands())
    Result.StackIds +=
        memprof::getMIBStackNode(cast<MDNode>(MIB))->getNumOperands();
  attachCallsite(Call, Callsite);
  return Result;
}

void MetadataBuilder::attachBasis(CallBase &Call, const Basis &ClassifiedBy) {
  const MDNode *MIBs = Call.getMetadata(LLVMContext::MD_memprof);
  auto *First = cast<MDNode>(MIBs->getOperand(0));
  SmallVector<Metadata *, 16> Parts(First->op_begin(), First->op_end());
  auto *Last = cast<MDNode>(Parts.pop_back_val());
  auto Number = [&](unsigned I) {
    return mdconst::extract<ConstantInt>(Last->getOperand(I))->getZExtValue();
  };
  ContextMark Mark = *ContextMark::of({{1, 0}, {Number(0), Number(1)}});
  for (uint64_t Word : ClassifiedBy.encode()) {
    Parts.push_back(fullContext({Word, 0}));
    ++Mark.NumBasisWords;
  }
  Parts.push_back(fullContext(Mark.encode()));
  SmallVector<Metadata *, 16> All(MIBs->op_begin(), MIBs->op_end());
  All.front() = MDNode::get(Context, Parts);
  Call.setMetadata(LLVMContext::MD_memprof, MDNode::get(Context, All));
}

void MetadataBuilder::attachCallsite(CallBase &Call, ArrayRef<uint64_t> Ids) {
  Call.setMetadata(LLVMContext::MD_callsite,
                   memprof::buildCallstackMetadata(Ids, Context));
}

bool thermocline::annotate::hasAnnotation(const Instruction &I) {
  if (I.hasMetadata(LLVMContext::MD_memprof) ||
      I.hasMetadata(LLVMContext::MD_callsite))
    return true;
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getAttributes().hasFnAttr(AttributeName);
}

bool thermocline::annotate::stripAnnotation(Instruction &I) {
  if (!hasAnnotation(I))
    return false;
  I.setMetadata(LLVMContext::MD_memprof, nullptr);
  I.setMetadata(LLVMContext::MD_callsite, nullptr);
  removePackedName(I);
  if (auto *Call = dyn_cast<CallBase>(&I))
    Call->removeFnAttr(AttributeName);
  return true;
}
