//===- bench/thinlink/ModuleWriter.cpp - A program as bitcode -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleWriter.h"
#include "thermocline/Annotate/MetadataBuilder.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::bench;

namespace {

SmallVector<uint64_t, 8> rawFrames(ArrayRef<StackId> Frames) {
  SmallVector<uint64_t, 8> Result;
  for (StackId F : Frames)
    Result.push_back(raw(F));
  return Result;
}

/// Writes one module.
class ModuleWriter {
public:
  ModuleWriter(const SourceProgram &P, const WriterOptions &O,
               WriterResult &Result, uint32_t Number)
      : P(P), O(O), Result(Result), Number(Number),
        M("m" + std::to_string(Number) + ".cpp", Context), IR(Context),
        Annotation(Context) {
    M.setTargetTriple(Triple("x86_64-unknown-linux-gnu"));
    M.setDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-"
                    "f80:128-n8:16:32:64-S128");
    Type *Pointer = IR.getPtrTy();
    // A size, and a table of functions for indirect calls.
    FunctionType =
        llvm::FunctionType::get(Pointer, {IR.getInt64Ty(), Pointer}, false);
    New = llvm::cast<llvm::Function>(
        M.getOrInsertFunction("_Znwm", Pointer, IR.getInt64Ty()).getCallee());
    New->addFnAttr(Attribute::NoBuiltin);
    New->addFnAttr(Attribute::getWithAllocSizeArgs(Context, 0, std::nullopt));
  }

  void add(SourceFunctionId F) {
    LoweredFunction Lowered = lower(P, F);
    llvm::Function *To = function(F);
    if (P[F].Local)
      To->setLinkage(GlobalValue::InternalLinkage);
    if (F == SourceProgram::Main || P[F].CalledFromOutside)
      IsCalledFromOutside.insert(To);
    IR.SetInsertPoint(BasicBlock::Create(Context, "", To));
    Size = To->getArg(0);
    Table = To->getArg(1);
    if (F == SourceProgram::Main)
      Size = IR.CreateSExt(Size, IR.getInt64Ty());
    for (uint32_t I = 0; I != Lowered.Filler; ++I)
      Size = I % 2 ? IR.CreateXor(Size, IR.getInt64(I))
                   : IR.CreateMul(Size, IR.getInt64(2 * I + 3));
    Value *Last = Table;
    for (const LoweredAllocation &A : Lowered.Allocations)
      Last = addAllocation(A);
    for (const LoweredCall &C : Lowered.Calls)
      Last = addCall(C);
    if (F == SourceProgram::Main)
      IR.CreateRet(IR.getInt32(0));
    else
      IR.CreateRet(Last);
    Result.Instructions[F.index()] = To->getInstructionCount();
  }

  Error write(StringRef File) {
    Annotation.finishPacked(M, O.RegularLTO);
    ProfileSummaryInfo Summary(M);
    ModuleSummaryIndex Index = buildModuleSummaryIndex(M, nullptr, &Summary);
    return writeFileAtomically(File, [&](raw_ostream &OS) {
      WriteBitcodeToFile(M, OS, /*ShouldPreserveUseListOrder=*/false, &Index,
                         /*GenerateHash=*/true);
      return Error::success();
    });
  }

  /// The arguments of `llvm-lto2 run` for the module.
  void resolve(raw_ostream &OS) const {
    std::string File = "m" + std::to_string(Number) + ".bc";
    OS << File << '\n';
    for (const llvm::Function &F : M)
      if (!F.isIntrinsic() && !F.hasLocalLinkage())
        OS << "-r=" << File << ',' << F.getName() << ','
           << (F.isDeclaration()               ? ""
               : IsCalledFromOutside.count(&F) ? "plx"
                                               : "pl")
           << '\n';
  }

private:
  llvm::Function *function(SourceFunctionId F) {
    auto *Type = F == SourceProgram::Main
                     ? llvm::FunctionType::get(IR.getInt32Ty(),
                                               {IR.getInt32Ty(), IR.getPtrTy()},
                                               /*isVarArg=*/false)
                     : FunctionType;
    return llvm::cast<llvm::Function>(
        M.getOrInsertFunction(symbolName(P, F), Type).getCallee());
  }

  /// As the profile has it: without the frames of tail calls.
  SmallVector<uint64_t, 32> profiledStack(const SourceContext &C) const {
    SmallVector<uint64_t, 32> Stack = {raw(P[C.Allocation].Frame)};
    for (SourceCallId Call : P.calls(C))
      if (!P[Call].Tail)
        Stack.push_back(raw(P[Call].Frame));
    return Stack;
  }

  Value *addAllocation(const LoweredAllocation &A) {
    CallInst *Call = IR.CreateCall(New, {Size});
    Call->addFnAttr(Attribute::Builtin);
    if (A.Contexts.empty())
      return Call;
    std::vector<SmallVector<uint64_t, 32>> Stacks;
    for (const SourceContext &C : A.Contexts)
      Stacks.push_back(profiledStack(C));
    std::vector<annotate::ProfiledContext> Contexts;
    for (auto [C, Stack] : zip_equal(A.Contexts, Stacks)) {
      uint64_t Id =
          xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Stack.data()),
                               Stack.size() * sizeof(uint64_t)));
      Contexts.push_back(
          {Stack, Id, C.Size,
           C.Cold ? AllocationType::Cold : AllocationType::NotCold});
    }
    auto Ids = rawFrames(A.Frames);
    // As profiles have them.
    llvm::sort(Contexts, [](const auto &A, const auto &B) {
      return std::lexicographical_compare(A.Stack.begin(), A.Stack.end(),
                                          B.Stack.begin(), B.Stack.end());
    });
    const bool Pack = O.LeastToPack && Contexts.size() >= O.LeastToPack;
    annotate::AttachedContexts Attached =
        O.Trim ? Annotation.attachTrimmed(*Call, Ids, Contexts, nullptr)
        : Pack ? Annotation.attachPacked(*Call, Ids, Contexts)
               : Annotation.attachWhole(*Call, Ids, Contexts);
    Result.MIBs += Pack ? Attached.PackedContexts : Attached.MIBs;
    if (!Pack)
      Result.Frames += Attached.StackIds;
    else
      for (const annotate::ProfiledContext &C : Contexts)
        Result.Frames += C.Stack.size();
    return Call;
  }

  Value *addCall(const LoweredCall &C) {
    const SourceCall &Source = P[C.Call];
    CallInst *Call;
    if (Source.Indirect) {
      Value *Slot =
          IR.CreateConstGEP1_64(IR.getPtrTy(), Table, C.Call.index() % 4096);
      Call = IR.CreateCall(FunctionType, IR.CreateLoad(IR.getPtrTy(), Slot),
                           {Size, Table});
      SmallVector<InstrProfValueData, 3> Targets;
      for (SourceFunctionId T : Source.Targets)
        if (T != Source.Unnamed)
          Targets.push_back(
              {GlobalValue::getGUIDAssumingExternalLinkage(symbolName(P, T)),
               O.Uncounted ? 0u : 100u});
      if (!Source.Virtual)
        annotateValueSite(M, *Call, Targets,
                          O.Uncounted ? 1 : 100 * Targets.size(),
                          IPVK_IndirectCallTarget, Targets.size());
    } else {
      Call = IR.CreateCall(FunctionType, function(Source.Targets.front()),
                           {Size, Table});
    }
    if (Source.Tail)
      Call->setTailCallKind(CallInst::TCK_Tail);
    if (C.Profiled)
      Annotation.attachCallsite(*Call, rawFrames(C.Frames));
    return Call;
  }

  const SourceProgram &P;
  const WriterOptions &O;
  WriterResult &Result;
  uint32_t Number;
  LLVMContext Context;
  Module M;
  IRBuilder<> IR;
  annotate::MetadataBuilder Annotation;
  llvm::FunctionType *FunctionType;
  llvm::Function *New;
  SmallPtrSet<llvm::Function *, 16> IsCalledFromOutside;
  /// Of the function being written.
  Value *Size = nullptr, *Table = nullptr;
};

} // namespace

Expected<WriterResult> thermocline::bench::writeModules(const SourceProgram &P,
                                                        const WriterOptions &O,
                                                        StringRef Directory) {
  WriterResult Result;
  Result.Instructions.resize(P.functions().size());
  std::vector<std::vector<SourceFunctionId>> ByModule(P.options().Modules);
  for (uint32_t I = 0; I != P.functions().size(); ++I)
    if (const SourceFunction &F = P.functions()[I];
        !F.AlwaysInlined && !F.Native)
      ByModule[F.Module].push_back(SourceFunctionId(I));

  Error Failed = writeFileAtomically(
      (Directory + "/link.rsp").str(), [&](raw_ostream &Response) -> Error {
        for (uint32_t I = 0; I != ByModule.size(); ++I) {
          ModuleWriter Writer(P, O, Result, I);
          for (SourceFunctionId F : ByModule[I])
            Writer.add(F);
          if (Error E =
                  Writer.write((Directory + "/m" + Twine(I) + ".bc").str()))
            return E;
          Writer.resolve(Response);
        }
        return Error::success();
      });
  if (Failed)
    return std::move(Failed);
  return Result;
}
