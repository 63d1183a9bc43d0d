//===- Apply/FunctionCloner.cpp - Makes the versions of a function --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/FunctionCloner.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Errors.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

namespace {

/// Debuggers and symbolizers must see the version's own linkage name. The
/// declaration of a member function is shared by all versions and stays.
void renameSubprogram(Function &F) {
  if (DISubprogram *Subprogram = F.getSubprogram())
    Subprogram->replaceLinkageName(MDString::get(F.getContext(), F.getName()));
}

/// A coroutine that is not split names itself, by which LLVM knows it from one
/// that was inlined.
void renameCoroutine(Function &Version, const Function &Original) {
  if (!Version.isPresplitCoroutine())
    return;
  constexpr unsigned Self = 2;
  for (Instruction &I : instructions(Version))
    if (auto *Id = dyn_cast<IntrinsicInst>(&I);
        Id && Id->getIntrinsicID() == Intrinsic::coro_id &&
        Id->getArgOperand(Self)->stripPointerCasts() == &Original)
      Id->setArgOperand(Self, &Version);
}

void hide(GlobalValue &GV) {
  if (GV.hasLocalLinkage())
    return;
  GV.setVisibility(GlobalValue::HiddenVisibility);
  GV.setDSOLocal(true);
}

/// Contexts are for deciding; a version has none.
void stripContexts(Function &F) {
  for (Instruction &I : instructions(F))
    if (isa<CallBase>(I)) {
      if (I.hasMetadata(LLVMContext::MD_memprof))
        annotate::removePackedName(I);
      I.setMetadata(LLVMContext::MD_memprof, nullptr);
      I.setMetadata(LLVMContext::MD_callsite, nullptr);
    }
}

} // namespace

std::string thermocline::apply::versionName(StringRef Base, unsigned Version) {
  if (!Version)
    return Base.str();
  return (Base + ".memprof." + Twine(Version)).str();
}

CallBase &FunctionVersions::callIn(unsigned Version, CallBase &Call) const {
  if (!Version)
    return Call;
  return *cast<CallBase>(Maps[Version - 1]->lookup(&Call));
}

FunctionCloner::FunctionCloner(Module &M) : M(M) {
  for (GlobalAlias &A : M.aliases())
    if (auto *F =
            dyn_cast<Function>(A.getAliasee()->stripPointerCastsAndAliases()))
      Aliases[F].push_back(&A);
}

Expected<FunctionVersions> FunctionCloner::clone(Function &F,
                                                 unsigned NumVersions) {
  ArrayRef<GlobalAlias *> FAliases;
  if (auto Found = Aliases.find(&F); Found != Aliases.end())
    FAliases = Found->second;

  SmallVector<GlobalValue *, 2> Named(FAliases);
  Named.push_back(&F);
  for (GlobalValue *GV : Named)
    for (unsigned V = 1; V < NumVersions; ++V)
      if (std::string Name = versionName(GV->getName(), V);
          M.getNamedValue(Name))
        return recordError(M.getModuleIdentifier(), Name,
                           "a symbol of this name is there already, and a "
                           "version of " +
                               GV->getName() + " must take it");

  FunctionVersions Result(F);
  for (unsigned V = 1; V < NumVersions; ++V) {
    auto &Map =
        *Result.Maps.emplace_back(std::make_unique<ValueToValueMapTy>());
    Function *Version = CloneFunction(&F, Map);
    Version->setName(versionName(F.getName(), V));
    hide(*Version);
    if (const Comdat *Group = F.getComdat()) {
      const Comdat *Own = Group;
      if (!F.hasLocalLinkage()) {
        Comdat *New = M.getOrInsertComdat(Version->getName());
        New->setSelectionKind(Group->getSelectionKind());
        Own = New;
      }
      Version->setComdat(const_cast<Comdat *>(Own));
    }
    renameSubprogram(*Version);
    renameCoroutine(*Version, F);
    stripContexts(*Version);
    for (GlobalAlias *A : FAliases) {
      auto *NewAlias = GlobalAlias::create(
          A->getValueType(), A->getAddressSpace(), A->getLinkage(),
          versionName(A->getName(), V), Version, &M);
      NewAlias->copyAttributesFrom(A);
      hide(*NewAlias);
    }
    Result.Functions.push_back(Version);
  }
  return std::move(Result);
}
