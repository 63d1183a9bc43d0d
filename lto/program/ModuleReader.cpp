//===- lto/program/ModuleReader.cpp - Merged module to context program ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleReader.h"
#include "Hintability.h"
#include "PackedTables.h"
#include "TailCalls.h"
#include "thermocline/Annotate/CallTargets.h"
#include "thermocline/Annotate/Metadata/Clonability.h"
#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include <limits>
#include <optional>
#include <set>
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

using Stack = SmallVector<StackId, 16>;

/// A `!memprof` or `!callsite` operand as an integer.
std::optional<uint64_t> integerOf(const MDOperand &Operand) {
  auto *Constant = mdconst::dyn_extract_or_null<ConstantInt>(Operand);
  if (!Constant || Constant->getBitWidth() > 64)
    return std::nullopt;
  return Constant->getZExtValue();
}

std::optional<Stack> stackOf(const MDNode *Node) {
  if (!Node || Node->getNumOperands() == 0)
    return std::nullopt;
  Stack Result;
  for (const MDOperand &Operand : Node->operands()) {
    std::optional<uint64_t> Id = integerOf(Operand);
    if (!Id)
      return std::nullopt;
    Result.push_back(StackId(*Id));
  }
  return Result;
}

/// One context of a `!memprof` list.
struct MIB {
  Stack Frames;
  Temperature Profiled = Temperature::NotCold;
  Bytes Size;
  uint64_t FullStackId = 0;
  /// The full contexts that are named, with their bytes.
  SmallVector<ContextTotalSize, 2> Named;
};

std::optional<MIB> mibOf(const Metadata *Operand) {
  auto *Node = dyn_cast_or_null<MDNode>(Operand);
  if (!Node || Node->getNumOperands() < 2)
    return std::nullopt;
  auto Frames = stackOf(dyn_cast_or_null<MDNode>(Node->getOperand(0).get()));
  auto *Type = dyn_cast_or_null<MDString>(Node->getOperand(1).get());
  if (!Frames || !Type)
    return std::nullopt;
  MIB Result;
  Result.Frames = std::move(*Frames);
  if (Type->getString() == "cold")
    Result.Profiled = Temperature::Cold;
  // Further tags, then for each full context that it stands for its id and
  // bytes.
  for (const MDOperand &Further : drop_begin(Node->operands(), 2)) {
    if (isa_and_nonnull<MDString>(Further.get()))
      continue;
    auto *Pair = dyn_cast_or_null<MDNode>(Further.get());
    if (!Pair || Pair->getNumOperands() != 2)
      return std::nullopt;
    std::optional<uint64_t> Id = integerOf(Pair->getOperand(0));
    std::optional<uint64_t> Size = integerOf(Pair->getOperand(1));
    if (!Id || !Size)
      return std::nullopt;
    if (!Result.FullStackId)
      Result.FullStackId = *Id;
    Result.Size += Bytes(*Size);
    Result.Named.push_back({*Id, *Size});
  }
  return Result;
}

uint64_t countInstructions(const llvm::Function &F) {
  return count_if(instructions(F), [](const Instruction &I) {
    return !I.isDebugOrPseudoInst();
  });
}

/// The function whose code a call of \p Callee surely runs; null where it has
/// no definition here, or something else may take its place.
llvm::Function *definitionOf(Value *Callee) {
  auto *Named = dyn_cast<GlobalValue>(Callee->stripPointerCasts());
  if (!Named || Named->isInterposable())
    return nullptr;
  auto *F = dyn_cast<llvm::Function>(Named->stripPointerCastsAndAliases());
  return F && !F->isDeclarationForLinker() ? F : nullptr;
}

class Reader {
public:
  Reader(Module &M, const apply::HintOptions &Hints, bool IsRelocatable)
      : M(M), Hints(Hints), IsRelocatable(IsRelocatable) {}

  Expected<ModuleProgram> read() {
    Result.Chosen = annotate::ChosenFunctions(M);
    std::vector<llvm::Function *> WithContexts;
    for (llvm::Function &F : M)
      // The linker takes another copy of what is available externally.
      if (!F.isDeclarationForLinker() && !F.isDefTriviallyDead() &&
          apply::hasContexts(F))
        WithContexts.push_back(&F);
    if (WithContexts.empty())
      return std::move(Result);
    for (llvm::Function *F : WithContexts)
      idOf(*F);
    for (llvm::Function *F : WithContexts)
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Error E = addCall(*F, *Call))
            return std::move(E);
    addTailCalls(WithContexts);
    markLeft();
    if (Error E = Result.Bases.addNotes(M))
      return inFile(M.getModuleIdentifier(), std::move(E));
    Result.Bases.markEntered(Result.Program, calleesWithoutContexts(),
                             Result.Chosen);
    Result.Program.completeWeights();
    if (Result.Bases.areSavingsKnown())
      Result.Program.setSavings();
    return std::move(Result);
  }

private:
  FunctionId idOf(llvm::Function &F) {
    auto [Found, New] = Ids.try_emplace(&F);
    if (New) {
      // As SummaryReader.cpp says it.
      const bool IsShared = IsRelocatable && F.isWeakForLinker();
      Found->second =
          Result.Program.addFunction(F.getName(), countInstructions(F),
                                     !IsShared && annotate::isClonable(F));
      if (F.isPresplitCoroutine())
        Result.Program.setEnteredInAnyVersion(Found->second);
      // LTO makes an inline function local, and leaves it its COMDAT.
      if ((F.isWeakForLinker() || F.hasComdat()) &&
          !F.hasFnAttribute(Attribute::NoInline))
        Result.Program.setMayBeInlinedAnywhere(Found->second);
      Result.Functions.push_back(&F);
    }
    return Found->second;
  }

  Error addCall(llvm::Function &F, CallBase &Call) {
    MDNode *Contexts = Call.getMetadata(LLVMContext::MD_memprof);
    MDNode *Site = Call.getMetadata(LLVMContext::MD_callsite);
    if (!Contexts && !Site)
      return Error::success();
    Stack Inlined;
    if (Site) {
      std::optional<Stack> Ids = stackOf(Site);
      if (!Ids)
        return error(Call, "callsite");
      Inlined = std::move(*Ids);
    }
    if (Contexts)
      return addAllocation(F, Call, *Contexts, Inlined);
    addCallsites(F, Call, Inlined);
    return Error::success();
  }

  void addCallsites(llvm::Function &F, CallBase &Call,
                    ArrayRef<StackId> Inlined) {
    auto Add = [&](llvm::Function *Callee, Redirect Redirectable,
                   const ModuleCallsite &Record) {
      FunctionId Id = Callee ? idOf(*Callee) : FunctionId::none();
      CallsiteId Added =
          Result.Program.addCallsite(idOf(F), Id, Redirectable, Inlined);
      if (Call.isIndirectCall())
        Result.Program.setThroughPointer(Added);
      if (Call.isMustTailCall())
        Result.Program.setMayLeaveNoFrame(Added);
      Result.Callsites.push_back(Record);
    };
    Value *Called = Call.getCalledOperand()->stripPointerCasts();
    if (Call.isInlineAsm() || isa<IntrinsicInst>(Call))
      return;
    if (isa<GlobalValue>(Called)) {
      llvm::Function *Callee = definitionOf(Called);
      Add(Callee, Callee ? Redirect::Yes : Redirect::OutsideLink, {&Call});
      return;
    }
    SmallPtrSet<llvm::Function *, 4> Known;
    uint64_t Total = 0;
    // What was promoted before has a direct call of its own, and is not among
    // these.
    for (const InstrProfValueData &Profiled :
         getValueProfDataFromInst(Call, IPVK_IndirectCallTarget,
                                  std::numeric_limits<uint32_t>::max(), Total))
      for (llvm::Function *Target : targetsOf(Profiled.Value)) {
        // What a pointer to an ifunc leads to is no function that it could be
        // compared with, and no pointer that resumes a coroutine is that of the
        // coroutine.
        if (!definitionOf(Target) || Target->isPresplitCoroutine() ||
            !annotate::mayCall(Call, *Target) ||
            Result.Chosen.contains(Target->getName()) ||
            !Known.insert(Target).second)
          continue;
        Add(Target, Redirect::Yes, {&Call, Target, Profiled.Value});
      }
    if (Known.empty())
      Add(nullptr, Redirect::Indirect, {&Call});
  }

  /// The functions of this GUID in value profiles: several if they are what a
  /// coroutine was split into, where a module knew it by the whole.
  ArrayRef<llvm::Function *> targetsOf(uint64_t GUID) {
    if (!Targets) {
      Targets.emplace();
      for (llvm::Function &F : M) {
        if (F.isIntrinsic())
          continue;
        StringRef Name = GlobalValue::dropLLVMManglingEscape(F.getName());
        // PGO may know a local function by another name.
        std::set<uint64_t> GUIDs = {
            GlobalValue::getGUIDAssumingExternalLinkage(Name),
            profile::sourceGUID(Name)};
        if (MDNode *Own = getPGOFuncNameMetadata(F))
          GUIDs.insert(GlobalValue::getGUIDAssumingExternalLinkage(
              cast<MDString>(Own->getOperand(0))->getString()));
        for (uint64_t Mine : GUIDs)
          (*Targets)[Mine].push_back(&F);
      }
      // The order is the same whatever was linked first.
      for (auto &[Known, Functions] : *Targets)
        llvm::sort(Functions,
                   [](const llvm::Function *A, const llvm::Function *B) {
                     return A->getName() < B->getName();
                   });
    }
    auto Found = Targets->find(GUID);
    return Found == Targets->end() ? ArrayRef<llvm::Function *>()
                                   : Found->second;
  }

  /// Marks what tail calls through pointers may enter again.
  void markLeft() {
    DenseMap<llvm::Function *, SmallVector<llvm::Function *, 2>> Callers;
    SmallVector<llvm::Function *, 16> Left;
    SmallVector<CallBase *, 8> ThroughPointers;
    for (llvm::Function &F : M)
      for (Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!Call || !Call->isMustTailCall())
          continue;
        if (Call->isIndirectCall()) {
          Left.push_back(&F);
          ThroughPointers.push_back(Call);
        } else if (llvm::Function *Callee =
                       definitionOf(Call->getCalledOperand())) {
          Callers[Callee].push_back(&F);
        }
      }
    if (Left.empty())
      return;
    const auto AllLeft = reachedFrom<llvm::Function *>(Left, Callers);
    markEnteredAgain(
        Result.Program,
        [&](FunctionId F) {
          return AllLeft.contains(Result.Functions[F.index()]);
        },
        [&](CallsiteId C) {
          const llvm::Function &Callee =
              *Result.Functions[Result.Program[C].Callee.index()];
          return any_of(ThroughPointers, [&](const CallBase *Call) {
            return annotate::mayCall(*Call, Callee);
          });
        });
  }

  Error addAllocation(llvm::Function &F, CallBase &Call, const MDNode &Contexts,
                      ArrayRef<StackId> Inlined) {
    AllocationId A = Result.Program.addAllocation(idOf(F));
    Result.Allocations.push_back(&Call);
    if (Contexts.getNumOperands())
      if (std::optional<MIB> First = mibOf(Contexts.getOperand(0)); First) {
        Result.Bases.add(sourceOf(F), First->Named);
        const auto Mark = annotate::ContextMark::of(First->Named);
        Result.Program.setHintable(
            A, hintable(Call, Mark ? Mark->Calls : annotate::CalledAllocator(),
                        Hints));
        if (Mark && Mark->Is == annotate::ContextMark::Kind::Packed)
          return addPacked(Call, First->Named);
      }
    for (const MDOperand &Operand : Contexts.operands()) {
      std::optional<MIB> Context = mibOf(Operand.get());
      if (!Context)
        return error(Call, "memprof");
      ContextId Added = Result.Program.addContext(
          Context->Profiled, Context->Size, Context->FullStackId,
          callersIn(Context->Frames, Inlined));
      const auto Mark = annotate::ContextMark::of(Context->Named);
      if (Mark)
        Result.Program.setWeight(Added, Mark->Weight);
      if (!Mark || Mark->Is == annotate::ContextMark::Kind::Part)
        Result.Program.setOmitsNotCold(A);
    }
    return Error::success();
  }

  /// What was compiled to one module, as far as the merged one shows it.
  StringRef sourceOf(const llvm::Function &F) const {
    const DISubprogram *Subprogram = F.getSubprogram();
    return Subprogram && Subprogram->getUnit()
               ? Subprogram->getUnit()->getFilename()
               : StringRef(M.getModuleIdentifier());
  }

  /// Adds the packed contexts of the allocation that was opened last.
  Error addPacked(CallBase &Call, ArrayRef<ContextTotalSize> Named) {
    Packed.add(annotate::packedNameAt(Call));
    if (Error E = Packed.addContexts(Named, Result.Program))
      return recordError(M.getModuleIdentifier(), Call.getFunction()->getName(),
                         toString(std::move(E)));
    return Error::success();
  }

  /// \p Frames without those that the allocation itself covers.
  static ArrayRef<StackId> callersIn(ArrayRef<StackId> Frames,
                                     ArrayRef<StackId> Inlined) {
    for (StackId Covered : Inlined) {
      if (Frames.empty() || Frames.front() != Covered)
        break;
      Frames = Frames.drop_front();
    }
    return Frames;
  }

  /// What functions without contexts, and other names of functions, lead to.
  LinkBases::CalleesOf calleesWithoutContexts() const {
    LinkBases::CalleesOf Callees;
    if (!Result.Bases.hasEntered())
      return Callees;
    for (GlobalAlias &Alias : M.aliases())
      if (llvm::Function *F = definitionOf(Alias.getAliasee()))
        Callees[LinkBases::sourceOf(Alias.getName())].push_back(
            LinkBases::sourceOf(F->getName()));
    for (llvm::Function &F : M) {
      if (F.isDeclaration() || apply::hasContexts(F))
        continue;
      auto &Mine = Callees[LinkBases::sourceOf(F.getName())];
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (llvm::Function *Callee = definitionOf(Call->getCalledOperand()))
            Mine.push_back(LinkBases::sourceOf(Callee->getName()));
    }
    return Callees;
  }

  /// Direct calls that may leave no frame: marked as tail calls, and in no
  /// context. Only those are of interest that lead from a function that a
  /// context may enter to one that a context goes through.
  void addTailCalls(ArrayRef<llvm::Function *> WithContexts) {
    struct TailCall {
      llvm::Function *Caller, *Callee;
      CallBase *Call;
    };
    std::vector<TailCall> All;
    DenseMap<llvm::Function *, SmallVector<llvm::Function *, 2>> Callees,
        Callers;
    for (llvm::Function &F : M) {
      if (F.isDeclarationForLinker())
        continue;
      for (Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallInst>(&I);
        if (!Call || !Call->isTailCall() || isa<IntrinsicInst>(Call) ||
            Call->hasMetadata(LLVMContext::MD_memprof) ||
            Call->hasMetadata(LLVMContext::MD_callsite))
          continue;
        llvm::Function *Callee = definitionOf(Call->getCalledOperand());
        if (!Callee)
          continue;
        All.push_back({&F, Callee, Call});
        Callees[&F].push_back(Callee);
        Callers[Callee].push_back(&F);
      }
    }
    SmallVector<llvm::Function *, 16> Entered;
    for (size_t I = 0, E = Result.Program.numCallsites(); I != E; ++I)
      if (FunctionId Callee = Result.Program[CallsiteId(I)].Callee)
        Entered.push_back(Result.Functions[Callee.index()]);
    auto FromContexts = reachedFrom<llvm::Function *>(Entered, Callees);
    auto ToContexts = reachedFrom<llvm::Function *>(WithContexts, Callers);
    for (const TailCall &T : All) {
      if (!FromContexts.contains(T.Caller) || !ToContexts.contains(T.Callee))
        continue;
      FunctionId Caller = idOf(*T.Caller), Callee = idOf(*T.Callee);
      CallsiteId Added =
          Result.Program.addCallsite(Caller, Callee, Redirect::Yes, {});
      if (T.Call->isMustTailCall())
        Result.Program.setMayLeaveNoFrame(Added);
      Result.Callsites.push_back({T.Call});
    }
  }

  Error error(const CallBase &Call, StringRef Kind) const {
    std::string Line;
    if (const DebugLoc &Location = Call.getDebugLoc())
      Line = (" at line " + Twine(Location.getLine())).str();
    return recordError(M.getModuleIdentifier(), Call.getFunction()->getName(),
                       "the !" + Kind + " metadata of a call" + Line +
                           " is malformed");
  }

  Module &M;
  const apply::HintOptions &Hints;
  const bool IsRelocatable;
  ModuleProgram Result;
  DenseMap<const llvm::Function *, FunctionId> Ids;
  PackedTables Packed;
  /// The functions by their GUIDs in value profiles, once they are needed.
  /// GUIDs come from profiles, so no DenseMap: it reserves keys.
  std::optional<std::unordered_map<uint64_t, SmallVector<llvm::Function *, 1>>>
      Targets;
};

} // namespace

Expected<ModuleProgram>
thermocline::lto::readModule(Module &M, const apply::HintOptions &Hints,
                             bool IsRelocatable) {
  return Reader(M, Hints, IsRelocatable).read();
}

std::vector<std::pair<uint64_t, Bytes>>
thermocline::lto::coldContextsOf(const llvm::Function &F) {
  std::vector<std::pair<uint64_t, Bytes>> Result;
  for (const Instruction &I : instructions(F)) {
    const MDNode *Contexts = I.getMetadata(LLVMContext::MD_memprof);
    if (!Contexts)
      continue;
    for (const MDOperand &Operand : Contexts->operands()) {
      const std::optional<MIB> Context = mibOf(Operand.get());
      if (!Context)
        break;
      const auto Mark = annotate::ContextMark::of(Context->Named);
      if (Mark && Mark->Is == annotate::ContextMark::Kind::Packed) {
        ContextProgram Apart;
        Apart.addAllocation(Apart.addFunction("", 0, /*Clonable=*/false));
        PackedTables Packed;
        Packed.add(annotate::packedNameAt(cast<CallBase>(I)));
        consumeError(Packed.addContexts(Context->Named, Apart));
        for (size_t C = 0; C != Apart.numContexts(); ++C)
          if (const auto &Each = Apart[ContextId(C)];
              Each.Profiled == Temperature::Cold)
            Result.push_back({Each.FullStackId, Each.Size});
        break;
      }
      if (Context->Profiled == Temperature::Cold)
        Result.push_back({Context->FullStackId, Context->Size});
    }
  }
  return Result;
}

std::vector<apply::MatchedFunction>
thermocline::lto::matchDecisions(const ModuleProgram &Read,
                                 const Decisions &Decided,
                                 ArrayRef<apply::MissedHints> Missed) {
  std::vector<apply::MatchedFunction> Result;
  for (auto [I, F] : enumerate(Read.Functions)) {
    const context::Function &Known = Read.Program[FunctionId(I)];
    if (Known.Callsites.empty() && Known.Allocations.empty())
      continue;
    apply::MatchedFunction &Matched = Result.emplace_back();
    Matched.F = F;
    Matched.NumVersions = Decided.NumVersions[I];
    for (CallsiteId Id : Known.Callsites) {
      const ModuleCallsite &Record = Read.Callsites[Id.index()];
      ArrayRef<unsigned> Clones = Decided.Clones[Id.index()];
      if (all_of(Clones, [](unsigned V) { return V == 0; }))
        continue;
      if (!Record.Target)
        Matched.Calls.push_back({Record.Call, Clones});
      else
        Matched.Candidates.push_back(
            {Record.Call, ValueInfo(), Record.GUID, Clones, Record.Target});
    }
    for (AllocationId Id : Known.Allocations) {
      SmallVector<uint8_t, 2> Types;
      for (Temperature T : Decided.Hints[Id.index()])
        Types.push_back(static_cast<uint8_t>(T == Temperature::Cold
                                                 ? AllocationType::Cold
                                                 : AllocationType::NotCold));
      Matched.Allocations.push_back({Read.Allocations[Id.index()], Types});
      if (!Missed.empty())
        Matched.Allocations.back().Missed = Missed[Id.index()];
    }
  }
  return Result;
}
