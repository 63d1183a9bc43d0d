//===- Instrument/InstrumentPass.cpp - The access-counting pass -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/InstrumentPass.h"
#include "thermocline/Annotate/PointersToAllocators.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Format/Symbols.h"
#include "thermocline/Instrument/CounterEmitter.h"
#include "thermocline/Instrument/UpdatePlanner.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::instrument;
namespace symbol = thermocline::format::symbol;

void InstrumentStatistics::add(const FunctionAccesses &Accesses) {
  ++Functions;
  Reads += Accesses.Reads;
  Writes += Accesses.Writes;
  Ranges += Accesses.copiesAndFills();
  InlineRanges += Accesses.InlineRanges.size();
  for (unsigned I = 0; I != NumSkipReasons; ++I)
    Skipped[I] += Accesses.Skipped[I];
}

void InstrumentStatistics::add(const PlanStatistics &Plan,
                               uint64_t UpdatesLeft) {
  Planned.add(Plan);
  Updates += UpdatesLeft;
}

void InstrumentStatistics::print(raw_ostream &OS, StringRef Module) const {
  OS << Module << ": counted " << Reads << " reads, " << Writes
     << " writes and " << Ranges << " copies or fills in " << Functions
     << " functions\n";
  OS << Module << ": by " << Updates << " updates; merged in a block "
     << Planned.MergedInBlock << ", across blocks "
     << Planned.MergedAcrossBlocks << ", hoisted out of loops "
     << Planned.Hoisted << ", counted in registers " << Planned.InRegister
     << ", by later updates " << Planned.Sunk << "\n";
  if (InlineRanges)
    OS << Module << ": copies or fills of small constant size, counted by"
       << " updates: " << InlineRanges << "\n";
  auto PrintLeft = [&](StringRef Why, uint64_t Number) {
    if (Number)
      OS << Module << ": left in loops, " << Why << ": " << Number << "\n";
  };
  PrintLeft("object changes", Planned.LeftChangingObject);
  PrintLeft("calls that may not return", Planned.LeftNoReturn);
  PrintLeft("calls or atomics that may end its life", Planned.LeftEndOfLife);
  PrintLeft("form of the loop", Planned.LeftForm);
  PrintLeft("no register left", Planned.LeftRegisters);
  for (unsigned I = 0; I != NumSkipReasons; ++I)
    if (Skipped[I])
      OS << Module << ": not counted, " << toString(static_cast<SkipReason>(I))
         << ": " << Skipped[I] << "\n";
  if (UntouchedFunctions)
    OS << Module << ": functions left alone (naked, resolver or runtime): "
       << UntouchedFunctions << "\n";
}

/// Adds a constant that the linker merges with those of other modules, as
/// clang's -fmemory-profile does. A linker that compiles modules takes COMDATs
/// for chosen before, and so goes by weak symbols alone.
static GlobalVariable *addSharedConstant(Module &M, StringRef Name,
                                         Constant *Value, bool IsInLink) {
  auto *Variable = new GlobalVariable(M, Value->getType(), /*isConstant=*/true,
                                      GlobalValue::WeakAnyLinkage, Value, Name);
  if (M.getTargetTriple().supportsCOMDAT() && !IsInLink) {
    Variable->setLinkage(GlobalValue::ExternalLinkage);
    Variable->setComdat(M.getOrInsertComdat(Name));
  }
  return Variable;
}

/// Lets \p Constructor say which counters the module has, if the runtime asks.
static void addCounterCheck(Function &Constructor, bool Histogram) {
  Instruction *End = Constructor.getEntryBlock().getTerminator();
  IRBuilder<> Builder(End);
  auto *Type = FunctionType::get(Builder.getVoidTy(), {Builder.getInt32Ty()},
                                 /*isVarArg=*/false);
  auto *Check =
      cast<Function>(Constructor.getParent()
                         ->getOrInsertFunction(symbol::CountersOfBytes, Type)
                         .getCallee());
  Check->setLinkage(GlobalValue::ExternalWeakLinkage);
  Builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      Builder.CreateIsNotNull(Check), End, /*Unreachable=*/false));
  Builder.CreateCall(Check, {Builder.getInt32(Histogram ? 1 : 8)});
}

/// Adds the function that stands for contexts beyond the limits, with debug
/// information, if the module has any.
static void addOverflowContext(Module &M) {
  if (M.debug_compile_units().empty() || M.getFunction(symbol::OverflowContext))
    return;
  DICompileUnit *Unit = *M.debug_compile_units_begin();
  DIBuilder Debug(M, /*AllowUnresolved=*/false, Unit);
  DISubprogram *Subprogram = Debug.createFunction(
      Unit->getFile(), symbol::OverflowContext, /*LinkageName=*/"",
      Unit->getFile(), /*LineNo=*/1,
      Debug.createSubroutineType(Debug.getOrCreateTypeArray({})),
      /*ScopeLine=*/1, DINode::FlagPrototyped,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/false);
  Function *F = Function::Create(Type, GlobalValue::LinkOnceODRLinkage,
                                 symbol::OverflowContext, M);
  if (M.getTargetTriple().supportsCOMDAT())
    F->setComdat(M.getOrInsertComdat(symbol::OverflowContext));
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  F->setSubprogram(Subprogram);
  IRBuilder<> Builder(BasicBlock::Create(Context, "", F));
  Builder.SetCurrentDebugLocation(
      DILocation::get(Context, /*Line=*/1, /*Column=*/1, Subprogram));
  // The function has more than one byte, so that there is a place within it.
  Builder.CreateCall(InlineAsm::get(Type, "nop", "", /*hasSideEffects=*/true));
  Builder.CreateRetVoid();
  Debug.finalizeSubprogram(Subprogram);
  appendToCompilerUsed(M, F);
}

static void addModuleInterface(Module &M, const InstrumentOptions &Options) {
  LLVMContext &Context = M.getContext();
  Function *Constructor =
      createSanitizerCtorAndInitFunctions(M, symbol::ModuleConstructor,
                                          symbol::Init, /*InitArgTypes=*/{},
                                          /*InitArgs=*/{}, symbol::VersionCheck)
          .first;
  if (Options.Sampling) {
    IRBuilder<> Builder(Constructor->getEntryBlock().getTerminator());
    Builder.CreateCall(
        M.getOrInsertFunction(symbol::SamplingCheck, Builder.getVoidTy()));
  }
  appendToGlobalCtors(M, Constructor, symbol::ConstructorPriority);
  addCounterCheck(*Constructor, Options.Histogram);
  StringRef File = Options.ProfileFileName.empty()
                       ? StringRef(format::DefaultProfileFileName)
                       : StringRef(Options.ProfileFileName);
  addSharedConstant(M, symbol::ProfileFileName,
                    ConstantDataArray::getString(Context, File),
                    Options.IsInLink);
  addSharedConstant(
      M, symbol::DefaultOptions,
      ConstantDataArray::getString(Context, Options.RuntimeOptions),
      Options.IsInLink);
  appendToCompilerUsed(
      M, addSharedConstant(M, symbol::Histogram,
                           ConstantInt::getBool(Context, Options.Histogram),
                           Options.IsInLink));
  addOverflowContext(M);
}

/// Functions that run before the runtime can, or whose code is not ours.
static bool
isInstrumentable(const Function &F,
                 const SmallPtrSetImpl<const Function *> &Resolvers) {
  return !F.hasFnAttribute(Attribute::Naked) &&
         !F.getName().starts_with(symbol::Prefix) && !Resolvers.contains(&F);
}

/// Takes back what was inferred of \p M's functions before they had counters. A
/// function that only reads now writes counters: were it still believed not to,
/// its caller might keep a counter in a register across the call and lose
/// updates. Intrinsics keep what they say.
static void forgetMemoryEffects(Module &M) {
  for (Function &F : M) {
    if (F.isIntrinsic())
      continue;
    F.removeFnAttr(Attribute::Memory);
    F.removeFnAttr(Attribute::Speculatable);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(I)) {
        Call->removeFnAttr(Attribute::Memory);
        Call->removeFnAttr(Attribute::Speculatable);
      }
  }
}

/// Keeps later optimizations (ThinLTO's second half) from making calls of
/// libc's functions of loops and stores whose counters have left: the runtime
/// would count what those access, again. All functions say so, as one that does
/// not could have none inlined that does.
static void keepLoopsAndStores(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration())
      for (StringRef Name : {"memset", "memcpy", "memmove"})
        F.addFnAttr(("no-builtin-" + Name).str());
}

/// \returns what clang calls a sanitizer that \p M is compiled for and that
/// cannot be in a program that is profiled; empty if there is none. Others are
/// found when the program starts.
static StringRef conflictingSanitizer(const Module &M) {
  static const std::pair<Attribute::AttrKind, StringRef> Sanitizers[] = {
      {Attribute::SanitizeAddress, "address"},
      {Attribute::SanitizeHWAddress, "hwaddress"},
      {Attribute::SanitizeMemTag, "memtag"},
      {Attribute::SanitizeMemory, "memory"},
      {Attribute::SanitizeThread, "thread"},
      {Attribute::SanitizeType, "type"},
      {Attribute::SanitizeRealtime, "realtime"},
      {Attribute::SanitizeNumericalStability, "numerical"},
  };
  for (const Function &F : M)
    for (auto [Kind, Name] : Sanitizers)
      if (F.hasFnAttribute(Kind))
        return Name;
  return "";
}

/// Calls of \p F become calls of other functions than malloc and its kin.
static bool hasAllocTokens(const Function &F) {
  return F.hasFnAttribute(Attribute::SanitizeAllocToken);
}

/// \returns whether the module can be instrumented with these options. If not,
/// gives the error to its context.
static bool checkOptions(const Module &M, const InstrumentOptions &Options) {
  LLVMContext &Context = M.getContext();
  // clang's pass for this flag comes after this one.
  if (M.getModuleFlag("MemProfProfileFilename")) {
    Context.emitError("-thermocline-generate cannot be given with "
                      "-fmemory-profile, as both count accesses: "
                      "compile without one of them");
    return false;
  }
  StringRef Reason = "both replace malloc";
  StringRef Sanitizer = conflictingSanitizer(M);
  if (Sanitizer.empty() && llvm::any_of(M, hasAllocTokens)) {
    Sanitizer = "alloc-token";
    Reason = "each needs an allocator of its own";
  }
  if (!Sanitizer.empty()) {
    Context.emitError(
        "-thermocline-generate cannot be given with -fsanitize=" + Sanitizer +
        ", as " + Reason + ": compile without one of them");
    return false;
  }
  if (Options.Histogram && Options.Sampling) {
    Context.emitError("histograms cannot be sampled: "
                      "-thermocline-generate-histogram and "
                      "-thermocline-generate-sampling are given");
    return false;
  }
  return true;
}

/// \returns whether updates are merged that count for several accesses. In
/// histograms each access counts where it is.
static bool sumsCount(const InstrumentOptions &Options) {
  return Options.MergeUpdates && !Options.Histogram;
}

static void instrumentFunction(Function &F, FunctionAnalysisManager &Functions,
                               const InstrumentOptions &Options,
                               InstrumentStatistics &Statistics) {
  const bool SumsCount = sumsCount(Options);
  if (SumsCount)
    prepareLoops(F, Functions);
  AnalysisOptions How;
  How.LikeLlvm = Options.LikeLlvm;
  How.LanesOneByOne = !SumsCount;
  // What a target makes inline anyway.
  if (SumsCount)
    How.MostInlineBytes = Functions.getResult<TargetIRAnalysis>(F)
                              .getMaxMemIntrinsicInlineSizeThreshold();
  FunctionAccesses Accesses = AccessAnalysis(How).analyze(F);
  Statistics.add(Accesses);
  if (Accesses.empty())
    return;
  UpdatePlan Plan;
  if (Options.MergeUpdates)
    Plan = planUpdates(F, Functions, Accesses.Updates,
                       SumsCount ? MergeScope::Object : MergeScope::Address);
  Statistics.add(Plan.Statistics, Accesses.Updates.size());
  CounterEmitter Emitter(F, Options);
  for (const CounterUpdate &Update : Accesses.Updates)
    Emitter.emit(Update);
  for (AnyMemIntrinsic *Range : Accesses.Ranges)
    Emitter.emit(*Range);
  for (MemIntrinsic *Range : Accesses.InlineRanges)
    Emitter.makeInline(*Range);
  Emitter.finish();
  Plan.promoteRegisters();
}

/// \returns the functions that run while the program is being relocated, before
/// any constructor has set up the counters.
static SmallPtrSet<const Function *, 4> resolvers(const Module &M) {
  SmallPtrSet<const Function *, 4> Result;
  for (const GlobalIFunc &IFunc : M.ifuncs())
    if (const Function *Resolver = IFunc.getResolverFunction())
      Result.insert(Resolver);
  return Result;
}

PreservedAnalyses InstrumentPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (M.getFunction(symbol::ModuleConstructor) || !checkOptions(M, Options))
    return PreservedAnalyses::all();
  // A warning could be an error, and clang shows no notes without one.
  if (!Options.WithoutMeaning.empty())
    errs() << M.getSourceFileName()
           << ": note: without meaning here, as options of clang's "
              "-fmemory-profile: -"
           << join(Options.WithoutMeaning, ", -") << "\n";

  auto &Functions =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const SmallPtrSet<const Function *, 4> Resolvers = resolvers(M);
  InstrumentStatistics Statistics;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    if (isInstrumentable(F, Resolvers))
      instrumentFunction(F, Functions, Options, Statistics);
    else
      ++Statistics.UntouchedFunctions;
  }
  // Clang's contexts have the calls as they are.
  if (!Options.LikeLlvm) {
    annotate::nameAllocators(M);
    annotate::tellNativeCalls(M);
  }
  forgetMemoryEffects(M);
  if (sumsCount(Options))
    keepLoopsAndStores(M);
  addModuleInterface(M, Options);
  if (Options.PrintStats)
    Statistics.print(errs(), M.getSourceFileName());
  return PreservedAnalyses::none();
}
