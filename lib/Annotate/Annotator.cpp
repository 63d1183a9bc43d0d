//===- Annotate/Annotator.cpp - Annotates one module ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Annotator.h"
#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Annotate/NamedAllocators.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include "thermocline/Profile/StackIds.h"
#include <map>
#include <set>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

/// Whether \p Callee becomes a call when a coroutine is split, in ThinLTO only
/// after the link: of what co_await calls with the coroutine's handle. There is
/// no record of it, so that it reaches version 0.
static bool becomesCall(const Function &Callee) {
  switch (Callee.getIntrinsicID()) {
  case Intrinsic::coro_await_suspend_void:
  case Intrinsic::coro_await_suspend_bool:
  case Intrinsic::coro_await_suspend_handle:
    return true;
  default:
    return false;
  }
}

/// The set of \p Functions, as CalledAllocator has it.
static uint32_t setOf(ArrayRef<const AllocationFunction *> Functions) {
  static_assert(static_cast<unsigned>(AllocationKind::Strndup) < 32);
  uint32_t Result = 0;
  for (const AllocationFunction *Row : Functions)
    Result |= uint32_t(1) << static_cast<unsigned>(Row->Kind);
  return Result;
}

/// What \p Call, an allocation by name, is of.
static CalledAllocator calledBy(const CallBase &Call) {
  const AllocationCall Is = classifyAllocationCall(Call);
  if (Is.isNamed())
    return CalledAllocator::own(
        Call.getCalledOperand()->stripPointerCasts()->getName(),
        Is.ColdVariant);
  return {Is.Verdict == AllocationVerdict::OwnHint
              ? CalledAllocator::Way::OwnHint
              : CalledAllocator::Way::ByName,
          setOf(Is.Function)};
}

/// The name under which LLVM's own remarks about heap profiles go.
static constexpr char RemarkPass[] = "memory-profile-info";

Annotator::Annotator(Module &M, ProfileSource Source,
                     const AnnotateOptions &Options, bool RegularLTO,
                     BasisOf ClassifiedBy, RemarksOf Remarks)
    : M(M), Options(Options), RegularLTO(RegularLTO),
      ClassifiedBy(std::move(ClassifiedBy)), Remarks(std::move(Remarks)),
      Stacks(M), Matcher(std::move(Source)), Builder(M.getContext()),
      Targets(M) {}

/// The keys by which calls of the source name functions of the module.
class Annotator::FunctionKeys {
public:
  explicit FunctionKeys(const callsites::ModuleCalls &Calls) {
    for (const profile::SourceFunction &F : Calls.Functions) {
      Keys[F.Function] = F.calledBy();
      ByKey[F.calledBy()] = F.Function;
    }
  }

  /// Both give what they are given if it is another module's.
  uint64_t keyOf(GlobalValue::GUID Function) const {
    auto Found = Keys.find(Function);
    return Found == Keys.end() ? Function : Found->second;
  }
  GlobalValue::GUID functionOf(uint64_t Key) const {
    auto Found = ByKey.find(Key);
    return Found == ByKey.end() ? Key : Found->second;
  }

private:
  std::map<GlobalValue::GUID, uint64_t> Keys;
  std::map<uint64_t, GlobalValue::GUID> ByKey;
};

Error Annotator::compareSource(const callsites::ModuleCalls &Now,
                               const profile::CallTable &Then) {
  Error Unread = Error::success();
  auto ProfileOf = [&](const SourceFrame &Frame) -> FunctionProfile * {
    Expected<FunctionProfile *> Profile = Matcher.lookup(Frame.Function);
    if (Profile)
      return *Profile;
    Unread = joinErrors(std::move(Unread), Profile.takeError());
    return nullptr;
  };
  Edits = EditedSource(
      Now, Then,
      [&](const SourceFrame &Frame) {
        const FunctionProfile *Profile = ProfileOf(Frame);
        return Profile && Profile->knows(Profile->stackId(Frame));
      },
      [&](const SourceFrame &Frame) {
        const FunctionProfile *Profile = ProfileOf(Frame);
        return Profile ? Profile->callees(Profile->stackId(Frame))
                       : ArrayRef<GlobalValue::GUID>();
      });
  if (Unread)
    return Unread;
  if (Error E = countUnread(Now, Then))
    return E;
  const FunctionKeys Keys(Now);
  if (Error E = comparePlaces(Now, Then, Keys))
    return E;
  if (Error E = noteEntered(Now, Keys))
    return E;
  for (const SourceFrame &Frame : Edits.ofOtherVersions()) {
    Expected<FunctionProfile *> Profile = Matcher.lookup(Frame.Function);
    if (!Profile)
      return Profile.takeError();
    if (*Profile)
      (*Profile)->noteOtherVersion((*Profile)->stackId(Frame));
  }
  return Error::success();
}

/// Compares functions of which the profile does not have the source by the
/// places of their calls.
Error Annotator::comparePlaces(const callsites::ModuleCalls &Now,
                               const profile::CallTable &Then,
                               const FunctionKeys &Keys) {
  std::set<uint64_t> Allocating;
  for (const AllocationFunction &Row : allocationFunctions())
    Allocating.insert(profile::calleeKey(Row.Name));
  for (const Function &F : M)
    if (familyMember(F))
      Allocating.insert(profile::calleeKey(F.getName()));
  for (const profile::SourceFunction &F : Now.Functions) {
    if (!Then.versions(F.Function).empty())
      continue;
    Expected<FunctionProfile *> Profile = Matcher.lookup(F.Function);
    if (!Profile)
      return Profile.takeError();
    if (!*Profile)
      continue;
    Error Failed = Error::success();
    Edits.comparePlaces(
        F, (*Profile)->places([&](GlobalValue::GUID Function) {
          return Keys.keyOf(Function);
        }),
        [&](uint64_t Callee) { return Allocating.contains(Callee); },
        [&](uint64_t Callee) {
          Expected<FunctionProfile *> OfCallee =
              Matcher.lookup(Keys.functionOf(Callee));
          if (OfCallee)
            return *OfCallee != nullptr;
          Failed = joinErrors(std::move(Failed), OfCallee.takeError());
          return false;
        });
    if (Failed)
      return Failed;
  }
  return Error::success();
}

/// Optimization may have found out what such a call leads to, and inlined it.
/// Where it has not, that may be any function of its type whose address the
/// module takes.
std::vector<GlobalValue::GUID> Annotator::enteredThroughPointers() {
  std::vector<GlobalValue::GUID> Result;
  const std::set<SourceFrame> &New = Edits.newThroughPointers();
  if (New.empty())
    return Result;
  auto Add = [&](const Function &F) {
    Result.push_back(
        profile::sourceGUID(GlobalValue::dropLLVMManglingEscape(F.getName())));
  };
  SmallVector<const Function *, 16> Pointees;
  for (const Function &F : M)
    if (!F.isIntrinsic() && F.hasAddressTaken())
      Pointees.push_back(&F);
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      const InlinedStack Stack = Stacks.read(*Call);
      for (size_t Depth = 0; Depth != Stack.size(); ++Depth) {
        if (!New.contains(Stack[Depth]))
          continue;
        if (Depth)
          Result.push_back(Stack[Depth - 1].Function);
        else if (const Function *Callee = Call->getCalledFunction())
          Add(*Callee);
        else
          for (const Function *Pointee : Pointees)
            if (mayCall(*Call, *Pointee))
              Add(*Pointee);
      }
    }
  return Result;
}

/// Notes what functions call that are entered otherwise than the profile knows.
Error Annotator::noteEntered(const callsites::ModuleCalls &Now,
                             const FunctionKeys &Keys) {
  // A function without contexts leads on to what it calls. The link knows that
  // of other modules' functions, but not of those that are inlined and gone.
  std::multimap<GlobalValue::GUID, const profile::SourceFunction *> Source;
  for (const profile::SourceFunction &F : Now.Functions)
    Source.insert({F.Function, &F});
  // So are other names of functions, as constructors have.
  std::map<GlobalValue::GUID, GlobalValue::GUID> AliaseeOf;
  for (const GlobalAlias &Alias : M.aliases())
    if (const GlobalObject *Is = Alias.getAliaseeObject())
      AliaseeOf[profile::sourceGUID(Alias.getName())] =
          profile::sourceGUID(Is->getName());
  std::vector<GlobalValue::GUID> Worklist(Edits.entered().begin(),
                                          Edits.entered().end());
  append_range(Worklist, enteredThroughPointers());
  while (!Worklist.empty()) {
    const GlobalValue::GUID Function = Worklist.back();
    Worklist.pop_back();
    if (!Notes.Entered.insert(Function).second)
      continue;
    if (auto Is = AliaseeOf.find(Function); Is != AliaseeOf.end())
      Worklist.push_back(Is->second);
    Expected<FunctionProfile *> Profile = Matcher.lookup(Function);
    if (!Profile)
      return Profile.takeError();
    if (*Profile) {
      (*Profile)->addCallIds(Notes.Entered);
      continue;
    }
    for (const auto &[GUID, F] : make_range(Source.equal_range(Function)))
      for (const profile::SourceCall &Call : F->Calls)
        if (Call.Callee)
          Worklist.push_back(Keys.functionOf(Call.Callee));
  }
  return Error::success();
}

Error Annotator::countUnread(const callsites::ModuleCalls &Now,
                             const profile::CallTable &Then) {
  for (const profile::SourceFunction &F : Now.Functions) {
    const ArrayRef<profile::SourceFunction> Versions =
        Then.versions(F.Function);
    if (Versions.empty())
      continue;
    Expected<FunctionProfile *> Profile = Matcher.lookup(F.Function);
    if (!Profile)
      return Profile.takeError();
    if (!*Profile)
      continue;
    if (Now.Unread.contains(F.Function))
      ++Stats.FunctionsUnread;
    else if (isAnyTextKnown(F.Calls) &&
             any_of(Versions, [](const profile::SourceFunction &Was) {
               return !Was.Calls.empty() && !isAnyTextKnown(Was.Calls);
             }))
      ++Stats.FunctionsUnreadThen;
  }
  return Error::success();
}

InlinedStack Annotator::stackThen(const InlinedStack &Now) {
  IsSalvaged = false;
  if (Edits.empty())
    return Now;
  InlinedStack Result;
  for (const SourceFrame &Frame : Now) {
    if (std::optional<EditedSource::Frames> Then = Edits.then(Frame)) {
      IsSalvaged |= Edits.isEdited(Frame);
      append_range(Result, *Then);
    } else {
      // No function has this GUID.
      Result.push_back({});
      ++Stats.FramesStale;
    }
  }
  return Result;
}

Error Annotator::run() {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    ++Stats.Functions;
    for (BasicBlock &Block : F)
      for (Instruction &I : Block) {
        if (!Options.KeepExisting && stripAnnotation(I))
          ++Stats.Replaced;
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Error E = annotate(*Call))
            return E;
      }
  }
  Stats.Packed.Size = Builder.finishPacked(M, RegularLTO);
  CallMarks(M).note(M);
  ChosenFunctions(M).note(M);
  if (Error E = attachBasis())
    return E;
  if (Error E = reportMismatches())
    return E;
  if (Error E = noteProfile())
    return E;
  Notes.writeTo(M);
  countContexts();
  return Error::success();
}

Error Annotator::annotate(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Call.isInlineAsm())
    return Error::success();
  if (Callee && Callee->isIntrinsic())
    return becomesCall(*Callee)
               ? Matcher.matchCall(stackThen(Stacks.read(Call))).takeError()
               : Error::success();
  const InlinedStack Now = Stacks.read(Call);
  const InlinedStack Stack = stackThen(Now);
  AllocationCall Allocation = classifyAllocationCall(Call);
  if (Allocation.isKnown())
    ++Stats.Allocations;
  if (Options.KeepExisting && hasAnnotation(Call)) {
    if (Allocation.isKnown())
      ++Stats.KeptAnnotation;
    return Matcher.noteOther(Stack, LeafFate::Kept);
  }
  if (Now.empty()) {
    ++(Allocation.isKnown() ? Stats.WithoutLocation
                            : Stats.CallsWithoutLocation);
    removeColdVariant(Call);
    return Error::success();
  }

  // The link takes calls marked tail for such as leave no frame.
  if (auto *Plain = dyn_cast<CallInst>(&Call);
      Plain && !Plain->isMustTailCall() && Edits.isKeptThere(Now.front()))
    Plain->setTailCallKind(CallInst::TCK_NoTail);

  if (Call.getFunction()->hasOptNone() && !Options.AtO0)
    return passOver(Call, Stack, Allocation.isKnown());
  const bool HasOwnHint = Allocation.Verdict == AllocationVerdict::OwnHint;
  Stats.OwnHint += HasOwnHint;
  // The link is told what to make of the program's own hints.
  if (Allocation.isAllocation() || HasOwnHint) {
    Expected<bool> Attached = Stack.empty() ? annotateWrapped(Call, Now.back())
                                            : annotateAllocation(Call, Stack);
    if (Attached && *Attached && Allocation.isNamed())
      keepColdVariant(Call);
    if (!Attached || *Attached)
      return Attached.takeError();
    removeColdVariant(Call);
  } else if (!allocationsOfType(Call).empty()) {
    Expected<bool> Attached = annotatePointerToAllocation(Call, Stack);
    if (!Attached || *Attached)
      return Attached.takeError();
    if (Error E = Matcher.noteOther(Stack, LeafFate::OtherCallee))
      return E;
  } else {
    if (Allocation.isKnown())
      countNotHintable(Allocation.Verdict);
    if (Allocation.Verdict == AllocationVerdict::UnknownFamily)
      if (Error E = noteUnknownFamily(*Callee, Stack))
        return E;
    if (Error E = Matcher.noteOther(Stack, Allocation.isKnown()
                                               ? LeafFate::NotHintable
                                               : LeafFate::OtherCallee))
      return E;
  }
  // An allocation without contexts of its own may still be part of others:
  // operator new of the program's own that calls malloc.
  return annotateCallsite(Call, Stack);
}

Error Annotator::passOver(CallBase &Call, const InlinedStack &Stack,
                          bool IsAllocation) {
  if (IsAllocation) {
    ++Stats.NotOptimized;
    removeColdVariant(Call);
  }
  if (Error E = Matcher.noteOther(Stack, IsAllocation ? LeafFate::NotHintable
                                                      : LeafFate::OtherCallee))
    return E;
  // That the function is as it was profiled is known all the same.
  return Matcher.matchCall(Stack).takeError();
}

Expected<bool> Annotator::annotateAllocation(CallBase &Call,
                                             const InlinedStack &Stack) {
  Expected<AllocationMatch> Match = Matcher.matchAllocation(Stack);
  if (!Match)
    return Match.takeError();
  if (Match->Leaf)
    Match->Leaf->noteFate(Match->Callsite.front(), LeafFate::OtherInlining);
  switch (Match->Outcome) {
  case MatchOutcome::FunctionNotProfiled:
    // A stale frame is of a function that was profiled.
    ++(is_contained(Stack, SourceFrame()) ? Stats.PlaceNotProfiled
                                          : Stats.FunctionNotProfiled);
    return false;
  case MatchOutcome::PlaceNotProfiled:
    ++Stats.PlaceNotProfiled;
    return false;
  case MatchOutcome::OtherCallers:
    ++Stats.OtherCallers;
    return false;
  case MatchOutcome::Matched:
    break;
  }
  attachContexts(Call, *Match, calledBy(Call));
  return true;
}

Error Annotator::noteUnknownFamily(const Function &Callee,
                                   const InlinedStack &Stack) {
  Expected<AllocationMatch> Match = Matcher.matchAllocation(Stack);
  if (Match && Match->Outcome == MatchOutcome::Matched)
    Stats.WithoutVariant.insert(
        {Callee.getName().str(), familyMember(Callee)->Family.str()});
  return Match.takeError();
}

Expected<bool> Annotator::annotateWrapped(CallBase &Call,
                                          const SourceFrame &Frame) {
  std::vector<ProfiledContext> Contexts;
  AllocationMatch Match;
  Match.Callsite.push_back(raw(
      profile::computeStackId(Frame.Function, Frame.LineOffset, Frame.Column)));
  for (const SourceFrame &Was : Edits.wrappedAt(Frame)) {
    Expected<FunctionProfile *> Profile = Matcher.lookup(Was.Function);
    if (!Profile)
      return Profile.takeError();
    if (!*Profile)
      continue;
    const uint64_t Id = (*Profile)->stackId(Was);
    if ((*Profile)->isPacked(Id))
      continue;
    const ArrayRef<ProfiledContext> Attached =
        (*Profile)->contextsWithPrefix(Id);
    (*Profile)->noteAttached(Attached);
    for (const ProfiledContext &C : Attached) {
      MutableArrayRef<uint64_t> Stack(
          MadeStacks.Allocate<uint64_t>(C.Stack.size() + 1),
          C.Stack.size() + 1);
      Stack.front() = Match.Callsite.front();
      copy(C.Stack, Stack.begin() + 1);
      Contexts.push_back(C);
      Contexts.back().Stack = Stack;
    }
  }
  if (Contexts.empty()) {
    ++Stats.PlaceNotProfiled;
    return false;
  }
  Match.Contexts = Contexts;
  attachContexts(Call, Match, calledBy(Call));
  return true;
}

Expected<bool>
Annotator::annotatePointerToAllocation(CallBase &Call,
                                       const InlinedStack &Stack) {
  Expected<AllocationMatch> Match = Matcher.matchAllocation(Stack);
  if (!Match)
    return Match.takeError();
  if (Match->Outcome != MatchOutcome::Matched || Match->SkippedFrames)
    return false;
  Expected<AllocatedBy> Kind = Matcher.allocatedBy(Stack);
  if (!Kind)
    return Kind.takeError();
  if (*Kind == AllocatedBy::Others)
    return false;
  // The pointer may also have led to functions that allocate. A call has either
  // contexts or a place in those of others.
  Expected<ArrayRef<GlobalValue::GUID>> Callees = Matcher.calleesOf(Stack);
  if (!Callees)
    return Callees.takeError();
  if (!Callees->empty() && none_of(Match->Contexts, [](const auto &C) {
        return C.Type == AllocationType::Cold;
      }))
    return false;
  ++Stats.Allocations;
  ++Stats.ThroughPointers;
  const auto Functions = allocationsOfType(Call);
  markBehindPointer(Call, Functions);
  attachContexts(Call, *Match,
                 {*Kind == AllocatedBy::Allocators
                      ? CalledAllocator::Way::ByPointer
                      : CalledAllocator::Way::ByAnyPointer,
                  setOf(Functions)});
  return true;
}

void Annotator::attachContexts(CallBase &Call, const AllocationMatch &Match,
                               CalledAllocator Calls) {
  ++Stats.Matched;
  Stats.MatchedFurtherUp += Match.SkippedFrames != 0;
  OptimizationRemarkEmitter &Emitter = Remarks(*Call.getFunction());
  // What is known by its calls alone may be called by others, too.
  if (!Match.Leaf || Edits.isByShape(Match.Leaf->function()))
    Notes.Entered.insert(profile::sourceGUID(
        GlobalValue::dropLLVMManglingEscape(Call.getFunction()->getName())));
  // Where contexts are missing, what is not listed must be taken for not cold.
  AttachedContexts Attached =
      OmitsContexts ? Builder.attachWhole(Call, Match.Callsite, Match.Contexts,
                                          Calls, /*AreAll=*/false)
      : Options.TrimContexts ? Builder.attachTrimmed(Call, Match.Callsite,
                                                     Match.Contexts, &Emitter)
      : Match.Leaf && Match.Leaf->isPacked(Match.Callsite.front())
          ? Builder.attachPacked(Call, Match.Callsite, Match.Contexts, Calls)
          : Builder.attachWhole(Call, Match.Callsite, Match.Contexts, Calls);
  Stats.MIBs += Attached.MIBs;
  Stats.Packed.Contexts += Attached.PackedContexts;
  Stats.StackIds += Attached.StackIds;
  Stats.Attributes += Attached.AsAttribute;
  if (Match.Leaf)
    Match.Leaf->noteAttached(Match.Contexts);
  if (NotesCold)
    for (const ProfiledContext &C : Match.Contexts)
      if (C.Type == AllocationType::Cold) {
        Cold.Ids.insert(C.FullStackId);
        Cold.Frames.insert(C.Stack.begin(), C.Stack.end());
      }
  if (IsSalvaged) {
    Stats.Salvaged += Match.Contexts.size();
    for (const ProfiledContext &C : Match.Contexts)
      if (C.FullStackId)
        Notes.Salvaged.insert(C.FullStackId);
  }
  if (Attached.IsMarked &&
      (WithContexts.empty() ||
       WithContexts.back()->getFunction() != Call.getFunction()))
    WithContexts.push_back(&Call);
  Emitter.emit([&] {
    uint64_t Cold = count_if(Match.Contexts, [](const ProfiledContext &C) {
      return C.Type == AllocationType::Cold;
    });
    return OptimizationRemark(RemarkPass, "ContextsAttached", &Call)
           << "attached " << ore::NV("Contexts", Match.Contexts.size())
           << (Match.Contexts.size() == 1 ? " heap profile context, "
                                          : " heap profile contexts, ")
           << ore::NV("Cold", Cold) << " cold";
  });
}

Error Annotator::annotateCallsite(CallBase &Call, const InlinedStack &Stack) {
  auto Ids = Matcher.matchCall(Stack);
  if (!Ids || Ids->empty())
    return Ids.takeError();
  Builder.attachCallsite(Call, *Ids);
  if (IsSalvaged)
    Notes.Salvaged.insert(Ids->begin(), Ids->end());
  ++Stats.Callsites;
  Stats.TailCallsites += Call.isTailCall();
  if (!Call.isIndirectCall())
    return Error::success();
  ++Stats.IndirectCallsites;
  Expected<ArrayRef<GlobalValue::GUID>> Callees = Matcher.calleesOf(Stack);
  if (!Callees)
    return Callees.takeError();
  Stats.IndirectTargets += Targets.attach(Call, *Callees);
  return Error::success();
}

Error Annotator::attachBasis() {
  if (WithContexts.empty())
    return Error::success();
  Expected<Basis> Is = ClassifiedBy();
  if (!Is)
    return Is.takeError();
  auto Own = find_if(WithContexts, [](const CallBase *Call) {
    const Function &F = *Call->getFunction();
    return !F.isWeakForLinker() && !F.hasAvailableExternallyLinkage();
  });
  if (Own != WithContexts.end())
    WithContexts = {*Own};
  for (CallBase *Call : WithContexts)
    Builder.attachBasis(*Call, *Is);
  return Error::success();
}

Error Annotator::noteProfile() {
  bool IsOutdated = Edits.areFunctionsGone(), IsOfModule = false;
  Matcher.forEachProfile([&](const FunctionProfile &Profile) {
    IsOfModule = true;
    IsOutdated |= isOutdated(Profile);
  });
  Notes.IsOfOthers = !IsOfModule && !IsOutdated;
  Notes.IsWithoutDebugInfo =
      Stats.FunctionsWithProfile && !Stacks.numWithDebugInfo();
  Notes.IsNotOptimized = Stats.isNothingOptimized();
  if (Notes.IsOfOthers || (!IsOutdated && !WithContexts.empty()))
    return Error::success();
  Expected<Basis> Is = ClassifiedBy();
  if (!Is)
    return Is.takeError();
  (IsOutdated ? Notes.Outdated : Notes.Unmatched)[Is->ProfileChecksum] =
      static_cast<uint64_t>(Is->ColdBytes);
  return Error::success();
}

bool Annotator::isOutdated(const FunctionProfile &Profile) const {
  if (!Edits.differs(Profile.function()))
    return false;
  auto IsMissing = [&](const PlaceInFunction &Place) {
    return !isMixed(Profile, Place);
  };
  return any_of(Profile.unseenCalls(), IsMissing) ||
         any_of(Profile.coldCallsLost(LeafFate::OtherCallee), IsMissing) ||
         any_of(Profile.coldCallsLost(LeafFate::NotHintable), IsMissing);
}

bool Annotator::isMixed(const FunctionProfile &Profile,
                        const PlaceInFunction &Place) const {
  return Edits.isMixed({Profile.function(),
                        Place.first & profile::LineOffsetMask, Place.second});
}

void Annotator::countNotHintable(AllocationVerdict Verdict) {
  switch (Verdict) {
  case AllocationVerdict::NotByName:
  case AllocationVerdict::Allocation:
  case AllocationVerdict::OwnHint:
    return;
  case AllocationVerdict::DefinedHere:
    ++Stats.DefinedHere;
    return;
  case AllocationVerdict::OtherPrototype:
    ++Stats.OtherPrototype;
    return;
  case AllocationVerdict::MustTail:
    ++Stats.MustTail;
    return;
  case AllocationVerdict::UnknownFamily:
    ++Stats.UnknownFamily;
    return;
  }
}

Error Annotator::reportMismatches() {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Expected<FunctionProfile *> Profile = Matcher.lookup(
        profile::sourceGUID(GlobalValue::dropLLVMManglingEscape(F.getName())));
    if (!Profile)
      return Profile.takeError();
    if (!*Profile || !(*Profile)->numCalls())
      continue;
    ++Stats.FunctionsWithProfile;
    Stats.FunctionsNotOptimized += F.hasOptNone() && !Options.AtO0;
    reportMismatch(F, **Profile);
  }
  return Error::success();
}

void Annotator::reportMismatch(Function &F, const FunctionProfile &Profile) {
  const std::vector<PlaceInFunction> Unseen = Profile.unseenCalls();
  Stats.ProfiledCalls += Profile.numCalls();
  Stats.ProfiledCallsNotFound += Unseen.size();
  std::vector<PlaceInFunction> Missing, Mixed, Others;
  for (const PlaceInFunction &Place : Unseen)
    (isMixed(Profile, Place) ? Mixed : Missing).push_back(Place);
  if (Edits.differs(Profile.function()))
    Others = Profile.coldCallsLost(LeafFate::OtherCallee);
  const bool NoneSeen = !Missing.empty() && !Profile.wasSeen();
  Stats.FunctionsMismatched +=
      NoneSeen || (!Others.empty() && !Profile.wasAttached());
  Stats.FunctionsMixed += !Mixed.empty();
  if (Unseen.empty() && Others.empty())
    return;
  Remarks(F).emit([&] {
    OptimizationRemarkMissed Remark(RemarkPass, "ProfileMismatch",
                                    F.getSubprogram(), &F.getEntryBlock());
    auto Say = [&, Separator = ""](StringRef What) mutable {
      Remark << std::exchange(Separator, "; ") << What;
    };
    auto List = [&](StringRef What, ArrayRef<PlaceInFunction> Places) {
      if (!Places.empty())
        Say(What);
      for (auto [Line, Column] : Places)
        Remark << " " << ore::NV("Place", profile::describePlace(Line, Column));
    };
    Remark << "heap profile of " << ore::NV("Function", &F)
           << " does not match: ";
    if (NoneSeen)
      Say("none of its profiled calls is where the profile has it");
    else
      List("no call at", Missing);
    List("another function of its name has another call at", Mixed);
    List("no allocation any more at", Others);
    return Remark;
  });
}

void Annotator::countContexts() {
  auto Add = [](ContextCount &Count, const ProfiledContext &C) {
    ++Count.Contexts;
    Count.Size += C.TotalSize;
    if (C.Type != AllocationType::Cold)
      return;
    ++Count.ColdContexts;
    Count.ColdSize += C.TotalSize;
  };
  auto Lost = [&](LeafFate Fate) -> ContextCount & {
    switch (Fate) {
    case LeafFate::NotSeen:
      return Stats.NotSeen;
    case LeafFate::OtherVersion:
      return Stats.OtherVersion;
    case LeafFate::OtherCallee:
      return Stats.OtherCallee;
    case LeafFate::NotHintable:
      return Stats.NotHintable;
    case LeafFate::OtherInlining:
      return Stats.OtherInlining;
    case LeafFate::Kept:
      return Stats.Kept;
    }
    llvm_unreachable("all fates are counted");
  };
  Matcher.forEachProfile([&](const FunctionProfile &Profile) {
    for (const auto &[Index, C] : enumerate(Profile.contexts()))
      Add(Profile.wasAttached(Index) ? Stats.Attached
                                     : Lost(Profile.fate(C.Stack.front())),
          C);
  });
}
