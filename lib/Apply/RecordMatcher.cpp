//===- Apply/RecordMatcher.cpp - Summary records to calls -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/RecordMatcher.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/MemoryProfileInfo.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

// LLVM's: how many targets of an indirect call its summary records.
namespace llvm {
extern cl::opt<unsigned> MaxSummaryIndirectEdges;
}

namespace {

using Ids = SmallVector<uint64_t, 16>;

Ids idsOf(const MDNode *Stack) {
  Ids Result;
  if (Stack)
    for (const MDOperand &Operand : Stack->operands())
      Result.push_back(mdconst::extract<ConstantInt>(Operand)->getZExtValue());
  return Result;
}

/// One function's pairing.
class Matching {
public:
  Matching(Function &F, const FunctionSummary &Summary,
           const ModuleSummaryIndex &Index, ICallPromotionAnalysis &Indirect)
      : F(F), Summary(Summary), Index(Index), Indirect(Indirect) {
    Result.F = &F;
  }

  Expected<MatchedFunction> run() {
    unsigned Position = 0;
    for (BasicBlock &BB : F)
      for (Instruction &I : BB) {
        auto *Call = dyn_cast<CallBase>(&I);
        if (!mayHaveMemprofSummary(Call))
          continue;
        ++Position;
        if (Error E = matchCall(*Call, Position))
          return E;
      }
    // A record may match no call: the only tail call has its own record.
    for (const CallsiteInfo &Record : recordsOfTailCalls(Summary)) {
      if (!std::exchange(KnowsVersions, true))
        Result.NumVersions = Record.Clones.size();
      if (Record.Clones.size() != Result.NumVersions)
        return error("a tail call record is of " + Twine(Record.Clones.size()) +
                     " versions, others of " + Twine(Result.NumVersions));
    }
    if (size_t Records = recordsOfCalls(Summary).size();
        NextCallsite != Records)
      return error("the summary has " + Twine(Records) +
                   " callsite records, the function " + Twine(NextCallsite));
    if (NextAllocation != Summary.allocs().size())
      return error("the summary has " + Twine(Summary.allocs().size()) +
                   " allocation records, the function " +
                   Twine(NextAllocation));
    return std::move(Result);
  }

private:
  Error matchCall(CallBase &Call, unsigned Position) {
    Ids Inlined = idsOf(Call.getMetadata(LLVMContext::MD_callsite));
    if (MDNode *Contexts = Call.getMetadata(LLVMContext::MD_memprof))
      return matchAllocation(Call, Position, *Contexts, Inlined);
    if (Inlined.empty())
      return matchTailCall(Call, Position);
    bool IsDirect = isa<Function, GlobalAlias>(
        Call.getCalledOperand()->stripPointerCasts());
    if (IsDirect)
      return matchCallsite(Call, Position, Inlined, /*Target=*/nullptr);
    // One record for each target that the value profile names.
    uint64_t Total;
    uint32_t NumCandidates;
    for (const InstrProfValueData &Target :
         Indirect.getPromotionCandidatesForInstruction(
             &Call, Total, NumCandidates, MaxSummaryIndirectEdges))
      if (Error E = matchCallsite(Call, Position, Inlined, &Target))
        return E;
    return Error::success();
  }

  Error matchTailCall(CallBase &Call, unsigned Position) {
    ArrayRef<CallsiteInfo> Records = recordsOfTailCalls(Summary);
    auto *Callee =
        dyn_cast<GlobalValue>(Call.getCalledOperand()->stripPointerCasts());
    if (Records.empty() || !Call.isTailCall() || !Callee)
      return Error::success();
    ValueInfo Known =
        SummaryLookup(*F.getParent(), Index).findValue(*Callee, &F);
    for (const CallsiteInfo &Record : Records) {
      if (!Known || Known.getGUID() != Record.Callee.getGUID())
        continue;
      if (Error E = countVersions(Call, Position, Record.Clones.size()))
        return E;
      Result.Calls.push_back({&Call, Record.Clones});
      break;
    }
    return Error::success();
  }

  /// \p Target is null for a direct call.
  Error matchCallsite(CallBase &Call, unsigned Position, const Ids &Inlined,
                      const InstrProfValueData *Target) {
    if (NextCallsite == recordsOfCalls(Summary).size())
      return error(Call, Position, "has no callsite record");
    const CallsiteInfo &Record = Summary.callsites()[NextCallsite++];
    if (!isSame(Record.StackIdIndices, Inlined))
      return error(Call, Position,
                   "has other stack ids than its callsite record");
    if (Error E = countVersions(Call, Position, Record.Clones.size()))
      return E;
    if (!Target)
      Result.Calls.push_back({&Call, Record.Clones});
    else if (any_of(Record.Clones, [](unsigned V) { return V != 0; }))
      Result.Candidates.push_back(
          {&Call, Record.Callee, Target->Value, Record.Clones});
    return Error::success();
  }

  Error matchAllocation(CallBase &Call, unsigned Position, MDNode &Contexts,
                        const Ids &Inlined) {
    if (NextAllocation == Summary.allocs().size())
      return error(Call, Position, "has no allocation record");
    const AllocInfo &Record = Summary.allocs()[NextAllocation++];
    // The written index of a distributed build may leave the contexts out.
    if (!Record.MIBs.empty()) {
      if (Record.MIBs.size() != Contexts.getNumOperands())
        return error(Call, Position,
                     "has another number of contexts than its allocation "
                     "record");
      // Behind stack and temperature.
      if (Record.ContextSizeInfos.empty() &&
          cast<MDNode>(Contexts.getOperand(0))->getNumOperands() > 2)
        Result.LacksSizes = true;
      for (auto [MIB, Operand] : zip_equal(Record.MIBs, Contexts.operands())) {
        if (MIB.StackIdIndices.empty())
          continue;
        Ids Stack = idsOf(memprof::getMIBStackNode(cast<MDNode>(Operand)));
        if (!isSame(MIB.StackIdIndices, callers(Stack, Inlined)))
          return error(Call, Position,
                       "has other contexts than its allocation record");
      }
    }
    if (Error E = countVersions(Call, Position, Record.Versions.size()))
      return E;
    Result.Allocations.push_back(
        {&Call, SmallVector<uint8_t, 2>(ArrayRef(Record.Versions))});
    return Error::success();
  }

  /// \p Stack without the frames that the allocation itself covers, and with
  /// direct recursion folded, as summaries have it.
  static Ids callers(ArrayRef<uint64_t> Stack, ArrayRef<uint64_t> Inlined) {
    size_t Shared = 0;
    while (Shared < Stack.size() && Shared < Inlined.size() &&
           Stack[Shared] == Inlined[Shared])
      ++Shared;
    Ids Result(Stack.drop_front(Shared));
    Result.erase(llvm::unique(Result), Result.end());
    return Result;
  }

  bool isSame(ArrayRef<unsigned> Indices, ArrayRef<uint64_t> Stack) const {
    return Indices.size() == Stack.size() &&
           all_of_zip(Indices, Stack, [&](unsigned I, uint64_t Id) {
             return Index.getStackIdAtIndex(I) == Id;
           });
  }

  Error countVersions(CallBase &Call, unsigned Position, size_t Number) {
    if (Number == 0)
      return error(Call, Position, "has a record of no version");
    if (!KnowsVersions)
      Result.NumVersions = Number;
    KnowsVersions = true;
    if (Number != Result.NumVersions)
      return error(Call, Position,
                   "has a record of " + Twine(Number) +
                       " versions, the calls before it of " +
                       Twine(Result.NumVersions));
    return Error::success();
  }

  Error error(const Twine &Text) const {
    return recordError(F.getParent()->getModuleIdentifier(), F.getName(),
                       Text + ". Was the bitcode changed after its summary was "
                              "made?");
  }
  Error error(const CallBase &Call, unsigned Position,
              const Twine &Text) const {
    std::string Name = "a function pointer";
    if (auto *Callee =
            dyn_cast<GlobalValue>(Call.getCalledOperand()->stripPointerCasts()))
      Name = Callee->getName().str();
    std::string Line;
    if (const DebugLoc &Loc = Call.getDebugLoc())
      Line = (" at line " + Twine(Loc.getLine())).str();
    return error("call " + Twine(Position) + " (of " + Name + Line + ") " +
                 Text);
  }

  Function &F;
  const FunctionSummary &Summary;
  const ModuleSummaryIndex &Index;
  ICallPromotionAnalysis &Indirect;
  MatchedFunction Result;
  size_t NextCallsite = 0;
  size_t NextAllocation = 0;
  bool KnowsVersions = false;
};

} // namespace

Expected<MatchedFunction> RecordMatcher::match(Function &F,
                                               const FunctionSummary &Summary) {
  return Matching(F, Summary, Index, IndirectCalls).run();
}

ArrayRef<CallsiteInfo>
thermocline::apply::recordsOfCalls(const FunctionSummary &Summary) {
  ArrayRef<CallsiteInfo> All = Summary.callsites();
  while (!All.empty() && All.back().StackIdIndices.empty())
    All = All.drop_back();
  return All;
}

ArrayRef<CallsiteInfo>
thermocline::apply::recordsOfTailCalls(const FunctionSummary &Summary) {
  return Summary.callsites().drop_front(recordsOfCalls(Summary).size());
}

bool thermocline::apply::hasContexts(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<CallBase>(I) && (I.hasMetadata(LLVMContext::MD_memprof) ||
                                I.hasMetadata(LLVMContext::MD_callsite));
  });
}
