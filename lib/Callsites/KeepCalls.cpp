//===- Callsites/KeepCalls.cpp - Each call where the source has it --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Callsites/KeepCalls.h"
#include "thermocline/Callsites/OwnAddress.h"
#include "thermocline/Callsites/PGOOptions.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/HotColdSplitting.h"
#include "llvm/Transforms/IPO/IROutliner.h"
#include "llvm/Transforms/IPO/PartialInlining.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace thermocline::callsites;

/// Marks modules between KeepCallsPass and ReleaseCallsPass.
static constexpr char KeptModule[] = "thermocline.keep-calls";
/// Marks calls that only Thermocline does not want to be merged.
static constexpr char KeptCall[] = "thermocline-keep-call";
/// An attribute of functions with their name, so that none is taken for
/// another.
static constexpr char KeptFunction[] = "thermocline-keep-function";
/// An attribute of functions and calls with the memory effects that they say
/// they have.
static constexpr char OwnEffects[] = "thermocline-memory";

/// Whether \p F is a function of the language's implementation. Those that say
/// they are pure do not allocate, and it costs to disbelieve them:
/// __errno_location, __ctype_b_loc, std::_Rb_tree_increment.
static bool isOfImplementation(const Function &F,
                               const TargetLibraryInfo &Library) {
  LibFunc Known;
  StringRef Name = F.getName();
  return F.isIntrinsic() || Library.getLibFunc(F, Known) ||
         Name.starts_with("__") || Name.starts_with("_ZSt") ||
         Name.starts_with("_ZNSt") || Name.starts_with("_ZNKSt");
}

/// What stands at \p F or \p Call itself.
static AttributeSet attributesOf(const Function &F) {
  return F.getAttributes().getFnAttrs();
}
static AttributeSet attributesOf(const CallBase &Call) {
  return Call.getAttributes().getFnAttrs();
}

/// Has \p Callable, a function or call that says it is pure, say so to us
/// alone.
template <class T> static void forgetPurity(T &Callable) {
  AttributeSet Attributes = attributesOf(Callable);
  if (!Attributes.hasAttribute(Attribute::Memory) ||
      !Attributes.getMemoryEffects().onlyReadsMemory())
    return;
  Callable.addFnAttr(
      Attribute::get(Callable.getContext(), OwnEffects,
                     utostr(Attributes.getMemoryEffects().toIntValue())));
  Callable.removeFnAttr(Attribute::Memory);
}

/// Undoes that; what was found out since holds, too.
template <class T> static void recallPurity(T &Callable) {
  AttributeSet Attributes = attributesOf(Callable);
  uint32_t Effects;
  Attribute Own = Attributes.getAttribute(OwnEffects);
  if (!Own.isValid() || Own.getValueAsString().getAsInteger(10, Effects))
    return;
  Callable.removeFnAttr(OwnEffects);
  Callable.setMemoryEffects(Attributes.getMemoryEffects() &
                            MemoryEffects::createFromIntValue(Effects));
}

/// Which calls are to stay apart.
using CallFilter = function_ref<bool(const CallBase &)>;
static bool keepsAny(const CallBase &) { return true; }

/// Only in functions that are optimized: nothing else is merged. LLVM makes one
/// of two invokes that are the same whether or not they are `nomerge`, so those
/// of different places are made different by a number. It has to be renewed
/// when they have been inlined somewhere.
static void keepCallsOf(Function &F, CallFilter Keeps = keepsAny) {
  if (F.hasOptNone())
    return;
  LLVMContext &Context = F.getContext();
  DenseMap<const DILocation *, unsigned> Places;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(I) || !Keeps(*Call))
      continue;
    const bool IsKept = attributesOf(*Call).hasAttribute(KeptCall);
    if (!IsKept && Call->cannotMerge())
      continue;
    Call->setCannotMerge();
    std::string Number;
    if (isa<InvokeInst>(I))
      Number = utostr(Places.try_emplace(I.getDebugLoc().get(), Places.size())
                          .first->second);
    if (!IsKept || !Number.empty())
      Call->addFnAttr(Attribute::get(Context, KeptCall, Number));
  }
}

static void keepCallsOf(Module &M) {
  TargetLibraryInfoImpl AllTargets(M.getTargetTriple());
  const TargetLibraryInfo Library(AllTargets);
  M.getOrInsertNamedMetadata(KeptModule);
  for (Function &F : M) {
    keepCallsOf(F);
    if (!isOfImplementation(F, Library)) {
      forgetPurity(F);
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && Call->getCalledOperand() == &F)
          forgetPurity(*Call);
    }
    if (!F.isDeclaration())
      F.addFnAttr(KeptFunction, F.getName());
  }
}

PreservedAnalyses KeepCallsPass::run(Module &M, ModuleAnalysisManager &) {
  keepCallsOf(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses ReleaseCallsPass::run(Module &M, ModuleAnalysisManager &) {
  NamedMDNode *Kept = M.getNamedMetadata(KeptModule);
  if (!Kept)
    return PreservedAnalyses::all();
  M.eraseNamedMetadata(Kept);
  for (Function &F : M) {
    recallPurity(F);
    F.removeFnAttr(KeptFunction);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        recallPurity(*Call);
        if (!attributesOf(*Call).hasAttribute(KeptCall))
          continue;
        Call->removeFnAttr(KeptCall);
        Call->removeFnAttr(Attribute::NoMerge);
      }
  }
  return PreservedAnalyses::none();
}

/// Optional passes that move calls to other functions, or merge them whether or
/// not they may be. LLVM runs them only when a hidden option asks for it.
static bool movesCalls(StringRef Pass) {
  return Pass == HotColdSplittingPass::name() ||
         Pass == IROutlinerPass::name() || Pass == PartialInlinerPass::name() ||
         Pass == GVNHoistPass::name() || Pass == GVNSinkPass::name();
}

static bool isKept(const Any &IR) {
  if (const auto *M = any_cast<const Module *>(&IR))
    return (*M)->getNamedMetadata(KeptModule);
  if (const auto *F = any_cast<const Function *>(&IR))
    return (*F)->getParent()->getNamedMetadata(KeptModule);
  return false;
}

void thermocline::callsites::keepCalls(PassBuilder &PB) {
  PassInstrumentationCallbacks *Callbacks =
      PB.getPassInstrumentationCallbacks();
  // Inlining brings invokes with the same number, and optimization new calls
  // (realloc(0, n) becomes malloc(n)). All that merges is SimplifyCFG, which
  // runs often, and nothing else can be put between it and those before it.
  if (Callbacks) {
    Callbacks->registerBeforeNonSkippedPassCallback(
        [](StringRef Pass, const Any &Over) {
          const auto *F = any_cast<const Function *>(&Over);
          if (F && Pass == SimplifyCFGPass::name() && isKept(Over))
            keepCallsOf(const_cast<Function &>(**F));
        });
    Callbacks->registerShouldRunOptionalPassCallback(
        [](StringRef Pass, const Any &Over) {
          return !movesCalls(Pass) || !isKept(Over);
        });
  }
  if (!countsEdges(PB) || !Callbacks) {
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &Passes, OptimizationLevel) {
          Passes.addPass(KeepCallsPass());
        });
    return;
  }
  // Counters of PGO are of the shape that a build without us has. What was
  // merged before they are placed, or read, was merged in both builds.
  Callbacks->registerAfterPassCallback(
      [](StringRef Pass, const Any &Over, const PreservedAnalyses &) {
        const auto *M = any_cast<const Module *>(&Over);
        if (M && (Pass == PGOInstrumentationGen::name() ||
                  Pass == PGOInstrumentationUse::name()))
          keepCallsOf(const_cast<Module &>(**M));
      });
}

/// Puts in front of each call of \p F that may throw what is no code, but
/// cannot be merged: it keeps apart what become equal invokes when a link
/// inlines \p F, where nobody numbers them.
static void separateInvokes(Function &F, CallFilter Keeps = keepsAny) {
  if (F.hasOptNone())
    return;
  Function *NoCode =
      Intrinsic::getOrInsertDeclaration(F.getParent(), Intrinsic::sideeffect);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(I) ||
        (Call->doesNotThrow() && !isa<InvokeInst>(I)) || !Keeps(*Call))
      continue;
    CallInst *Separator = CallInst::Create(NoCode, "", I.getIterator());
    Separator->setDebugLoc(I.getDebugLoc());
    Separator->setCannotMerge();
  }
}

/// A call by way of the GOT is no longer `nomerge` when the code generator has
/// moved its load out of a loop. So calls of \p F go by way of the PLT.
static void bindLazily(Function &F, CallFilter Keeps = keepsAny) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !Keeps(*Call))
      continue;
    Call->removeFnAttr(Attribute::NonLazyBind);
    if (Function *Callee = Call->getCalledFunction())
      Callee->removeFnAttr(Attribute::NonLazyBind);
  }
}

/// Makes the code of \p F another one than that of any other function.
static void makeUnique(Function &F) {
  // In a section of its own choice it may have to fit with something.
  if (F.hasPrefixData() || F.hasSection() || F.hasFnAttribute(Attribute::Naked))
    return;
  markProfiled(F);
}

PreservedAnalyses KeepCodePass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    F.removeFnAttr(Attribute::NonLazyBind);
    bindLazily(F);
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    keepCallsOf(F);
    if (BeforeLink)
      separateInvokes(F);
    makeUnique(F);
  }
  return PreservedAnalyses::none();
}

/// Whether \p Call frees, ends the program, or changes no state but that which
/// it gets a pointer to.
static bool cannotAllocate(const CallBase &Call,
                           const TargetLibraryInfo &Library) {
  return getFreedOperand(&Call, &Library) ||
         (Call.doesNotReturn() && Call.doesNotThrow()) ||
         !isModSet(
             Call.getMemoryEffects().getModRef(IRMemLocation::InaccessibleMem));
}

PreservedAnalyses KeepAllocatingCallsPass::run(Module &M,
                                               ModuleAnalysisManager &) {
  TargetLibraryInfoImpl AllTargets(M.getTargetTriple());
  const TargetLibraryInfo Library(AllTargets);
  auto MayAllocate = [&](const CallBase &Call) {
    return !cannotAllocate(Call, Library);
  };
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    bindLazily(F, MayAllocate);
    keepCallsOf(F, MayAllocate);
    if (BeforeLink)
      separateInvokes(F, MayAllocate);
  }
  return PreservedAnalyses::none();
}
