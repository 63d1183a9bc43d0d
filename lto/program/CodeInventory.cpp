//===- lto/program/CodeInventory.cpp - Which functions a link has ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeInventory.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "thermocline/Annotate/Metadata/ModuleFlag.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/MemProf.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

uint32_t CodeInventory::moduleOf(StringRef Name) {
  auto [Known, IsNew] = ModuleNumbers.try_emplace(Name.str(), Modules.size());
  if (IsNew)
    Modules.emplace_back();
  return Known->second;
}

void CodeInventory::note(StringRef Name, Status Is, uint32_t Module) {
  Function &F = Functions[profile::sourceGUID(Name)];
  if (Is > F.Is)
    F = {Is, Module};
}

CodeInventory::Found CodeInventory::find(GlobalValue::GUID Name) const {
  auto Known = Functions.find(Name);
  if (Known == Functions.end())
    return {};
  Found Result;
  Result.Is = Known->second.Is;
  if (Result.Is != Status::Linked)
    return Result;
  const ModuleState &State = Modules[Known->second.Module];
  Result.HasProfile = State.HasProfile;
  Result.IsSeen = State.IsSeen;
  return Result;
}

void CodeInventory::noteCalledOutside(uint64_t StackId, StringRef Name) {
  if (!Name.empty() && !annotate::findAllocationFunction(Name))
    CalledOutside.try_emplace(StackId, profile::sourceGUID(Name));
}

GlobalValue::GUID CodeInventory::calledOutside(uint64_t StackId) const {
  auto Known = CalledOutside.find(StackId);
  return Known == CalledOutside.end() ? 0 : Known->second;
}

void CodeInventory::addIndex(const ModuleSummaryIndex &Index,
                             IsPrevailing Prevailing,
                             profile::FunctionNames &Names) {
  for (const auto &Entry : Index) {
    ValueInfo VI = Index.getValueInfo(Entry);
    if (VI.name().empty())
      continue;
    bool IsFunction = VI.getSummaryList().empty();
    if (IsFunction)
      note(VI.name(), Status::Outside, 0);
    for (const auto &S : VI.getSummaryList()) {
      auto *FS = dyn_cast_or_null<FunctionSummary>(
          !isa<AliasSummary>(*S) || cast<AliasSummary>(*S).hasAliasee()
              ? S->getBaseObject()
              : nullptr);
      if (!FS)
        continue;
      IsFunction = true;
      uint32_t Number = moduleOf(S->modulePath());
      Modules[Number].HasProfile |=
          !FS->callsites().empty() || !FS->allocs().empty();
      for (const CallsiteInfo &Call : FS->callsites())
        if (Call.Callee && Call.Callee.getSummaryList().empty() &&
            !Call.StackIdIndices.empty())
          noteCalledOutside(
              Index.getStackIdAtIndex(Call.StackIdIndices.front()),
              Call.Callee.name());
      bool IsLocal = GlobalValue::isLocalLinkage(S->linkage());
      if (IsLocal || Prevailing(VI.getGUID(), S.get()))
        note(VI.name(),
             Index.isGlobalValueLive(S.get()) ? Status::Linked : Status::Dead,
             Number);
      else
        note(VI.name(), Status::Outside, Number);
    }
    if (IsFunction)
      Names.add(VI.name());
  }
}

bool CodeInventory::addCalls(const Module &M) {
  annotate::InlinedStackReader Stacks(M);
  DenseSet<const DISubprogram *> Inlined;
  bool AnyProfile = false;
  for (const llvm::Function &F : M)
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      for (const DILocation *Location = I.getDebugLoc();
           Location && Location->getInlinedAt();
           Location = Location->getInlinedAt()) {
        const DISubprogram *Subprogram = Location->getScope()->getSubprogram();
        if (Inlined.insert(Subprogram).second)
          note(Stacks.nameOf(*Subprogram), Status::Inlined, 0);
      }
      bool IsMarked = Call->hasFnAttr("memprof");
      AnyProfile |= IsMarked || I.hasMetadata(LLVMContext::MD_callsite) ||
                    I.hasMetadata(LLVMContext::MD_memprof);
      if (!IsMarked)
        continue;
      SequenceHash Frames(MarkSeed);
      for (const annotate::SourceFrame &Frame : Stacks.read(I))
        Frames.add(raw(profile::computeStackId(Frame.Function, Frame.LineOffset,
                                               Frame.Column)));
      Marks.insert(Frames.value());
    }
  return AnyProfile;
}

void CodeInventory::addCode(const Module &M) {
  bool AnyProfile = addCalls(M);
  ModuleState &State = Modules[moduleOf(M.getModuleIdentifier())];
  State.HasProfile |= AnyProfile || annotate::matchedProfile(M).has_value();
  State.IsSeen = true;
}

void CodeInventory::addMergedModule(const Module &M) {
  addCalls(M);
  for (const llvm::Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const MDNode *Frames = I.getMetadata(LLVMContext::MD_callsite);
      const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Frames && Frames->getNumOperands() && Callee &&
          Callee->isDeclaration())
        noteCalledOutside(mdconst::extract<ConstantInt>(Frames->getOperand(0))
                              ->getZExtValue(),
                          Callee->getName());
    }
  // What was compiled together has one compile unit, if it has any.
  for (const llvm::Function &F : M) {
    if (F.isDeclaration()) {
      note(F.getName(), Status::Outside, 0);
      continue;
    }
    const DISubprogram *Subprogram = F.getSubprogram();
    uint32_t Number = moduleOf(Subprogram && Subprogram->getUnit()
                                   ? Subprogram->getUnit()->getFilename()
                                   : StringRef());
    Modules[Number].IsSeen = true;
    if (!Modules[Number].HasProfile)
      Modules[Number].HasProfile = llvm::any_of(instructions(F), [](auto &I) {
        auto *Call = dyn_cast<CallBase>(&I);
        return I.hasMetadata(LLVMContext::MD_callsite) ||
               I.hasMetadata(LLVMContext::MD_memprof) ||
               (Call && Call->hasFnAttr("memprof"));
      });
    note(F.getName(), Status::Linked, Number);
  }
}
