//===- lto/program/SummaryReader.cpp - Index to context program -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryReader.h"
#include "Hintability.h"
#include "PackedTables.h"
#include "TailCalls.h"
#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

namespace {

/// Whether a version of the function may be made and called instead of it.
bool isClonable(const FunctionSummary &S, StringRef Name,
                const annotate::CallMarks &Marks, bool IsRelocatable) {
  // A later link keeps one of several versions of that name, and another link
  // decided what the others mean.
  if (IsRelocatable && GlobalValue::isWeakForLinker(S.linkage()))
    return false;
  if (Marks.isUnclonable(Name))
    return false;
  // Unless the module says otherwise, what cannot be imported is taken for what
  // cannot be repeated.
  if (S.notEligibleToImport() && !Marks.isClonable(Name))
    return false;
  // Callers reach whatever the program or a wrapper puts in its place.
  return !GlobalValue::isInterposableLinkage(S.linkage());
}

/// Whether code that is not in the link may have the body of the function
/// inlined, as its source is in a header.
bool mayBeInlinedAnywhere(const FunctionSummary &S) {
  return GlobalValue::isWeakForLinker(S.linkage()) && !S.fflags().NoInline;
}

class Reader {
public:
  Reader(const ModuleSummaryIndex &Index, IsPrevailing Prevailing,
         const ReaderOptions &Options)
      : Index(Index), Prevailing(Prevailing), Options(Options) {}

  SummaryProgram read() {
    Result.Program.setFoldsRecursion();
    Result.Bases = basesIn(Index);
    SummarySet WithRecords;
    for (const auto &[GUID, Info] : Index) {
      const StringRef Name = Index.getValueInfo(GUID).name();
      if (!annotate::isCarrierName(Name))
        continue;
      if (Error E = addNote(Name))
        Result.Damaged.push_back(
            toString(inFile(Info.getSummaryList().empty()
                                ? "index"
                                : Info.getSummaryList().front()->modulePath(),
                            std::move(E))));
    }
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList())
        if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
          if (!FS->callsites().empty() || !FS->allocs().empty())
            if (counts(Index, GUID, *FS, Prevailing)) {
              WithRecords.insert(FS);
              addFunction(Index.getValueInfo(GUID), *FS, /*HasRecords=*/true);
            }
    // Tail calls have records of their own, if they need any.
    std::vector<TailCall> TailCalls =
        findTailCalls(Index, Prevailing, calleesOf(WithRecords), WithRecords);
    for (const TailCall &C : TailCalls)
      if (!Ids.count(C.Caller))
        addFunction(C.CallerInfo, *C.Caller, /*HasRecords=*/true);
    // Callees without records join the table while the callsites are read.
    for (size_t I = 0, E = Result.Functions.size(); I != E; ++I) {
      addCallsites(FunctionId(I), *Result.Functions[I]);
      addAllocations(FunctionId(I), *Result.Functions[I]);
    }
    for (const TailCall &C : TailCalls) {
      // A chain ends at records, so that its functions are all known.
      CallsiteId Added = Result.Program.addCallsite(
          Ids.at(C.Caller), Ids.at(C.Callee), Redirect::Yes, {});
      Result.TailCallees[Added] = C.CalleeInfo;
      if (Marks.endsInCallOf(C.CallerInfo.name(), C.CalleeInfo.name()))
        Result.Program.setMayLeaveNoFrame(Added);
      MayBeFollowed.insert({C.Caller, C.Callee});
    }
    markTailCalls();
    if (Marks.hasTailCallsThroughPointers())
      markLeft();
    Result.Program.completeWeights();
    Result.Bases.markEntered(Result.Program, calleesWithoutContexts(),
                             Result.Chosen);
    if (Result.Bases.areSavingsKnown())
      Result.Program.setSavings();
    return std::move(Result);
  }

private:
  /// Takes what \p Name, that of a variable, tells the link.
  Error addNote(StringRef Name) {
    Result.Notes.insert(xxh3_64bits(Name));
    Packed.add(Name);
    if (Error E = Marks.addIn(Name))
      return E;
    if (Error E = Result.Chosen.addIn(Name))
      return E;
    return Result.Bases.addNotes(Name);
  }

  static bool isPacked(annotate::NamedContexts Named) {
    auto Mark = annotate::ContextMark::of(Named);
    return Mark && Mark->Is == annotate::ContextMark::Kind::Packed;
  }

  /// What functions without contexts, and other names of functions, lead to.
  LinkBases::CalleesOf calleesWithoutContexts() const {
    LinkBases::CalleesOf Callees;
    if (!Result.Bases.hasEntered())
      return Callees;
    auto SourceOf = [](ValueInfo VI) { return LinkBases::sourceOf(VI.name()); };
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList()) {
        const uint64_t Source = SourceOf(Index.getValueInfo(GUID));
        if (auto *Alias = dyn_cast<AliasSummary>(S.get()))
          Callees[Source].push_back(SourceOf(Alias->getAliaseeVI()));
        auto *FS = dyn_cast<FunctionSummary>(S.get());
        if (!FS || !FS->callsites().empty() || !FS->allocs().empty() ||
            !counts(Index, GUID, *FS, Prevailing))
          continue;
        for (const FunctionSummary::EdgeTy &Edge : FS->calls())
          Callees[Source].push_back(SourceOf(Edge.first));
      }
    return Callees;
  }

  SummarySet calleesOf(const SummarySet &WithRecords) const {
    SummarySet Callees;
    for (const FunctionSummary *FS : WithRecords)
      for (const CallsiteInfo &Record : FS->callsites())
        if (Record.Callee)
          if (FunctionSummary *Callee =
                  resolveTarget(Index, Record.Callee, *FS, Prevailing))
            Callees.insert(Callee);
    return Callees;
  }

  FunctionId addFunction(ValueInfo VI, FunctionSummary &FS, bool HasRecords) {
    std::string Name = VI.name().str();
    if (Name.empty())
      Name = "0x" + utohexstr(VI.getGUID());
    // Without a record there is nowhere to write the number of versions, and
    // nothing that a version could do differently.
    FunctionId Id = Result.Program.addFunction(
        Name, FS.instCount(),
        HasRecords && isClonable(FS, VI.name(), Marks, Options.IsRelocatable));
    if (Marks.isCoroutine(VI.name()))
      Result.Program.setEnteredInAnyVersion(Id);
    if (mayBeInlinedAnywhere(FS))
      Result.Program.setMayBeInlinedAnywhere(Id);
    Result.Functions.push_back(&FS);
    Ids[&FS] = Id;
    return Id;
  }

  void addCallsites(FunctionId Caller, const FunctionSummary &FS) {
    bool MayBeIndirect =
        !Options.PromotesIndirectCalls && FS.fflags().HasUnknownCall;
    ArrayRef<CallsiteInfo> Records = FS.callsites();
    DenseMap<GlobalValue::GUID, CalleeInfo::HotnessType> Hotness;
    if (MayBeIndirect)
      for (const FunctionSummary::EdgeTy &Edge : FS.calls())
        Hotness[Edge.first.getGUID()] = Edge.second.getHotness();

    SmallVector<StackId, 8> StackIds;
    SmallVector<uint64_t, 8> RawIds;
    for (const CallsiteInfo &Record : Records) {
      StackIds.clear();
      RawIds.clear();
      for (unsigned I : Record.StackIdIndices) {
        RawIds.push_back(Index.getStackIdAtIndex(I));
        StackIds.push_back(StackId(RawIds.back()));
      }
      const bool IsThroughPointer = Marks.isThroughPointer(RawIds);

      FunctionId Callee;
      Redirect Redirectable = Redirect::OutsideLink;
      if (!Record.Callee) {
        Redirectable = Redirect::Indirect;
      } else if (FunctionSummary *Target =
                     resolveTarget(Index, Record.Callee, FS, Prevailing)) {
        auto Known = Ids.find(Target);
        Callee = Known != Ids.end()
                     ? Known->second
                     : addFunction(namedByProfile(Index, Record.Callee),
                                   *Target, /*HasRecords=*/false);
        Redirectable = Redirect::Yes;
        // No pointer that resumes a coroutine is that of the coroutine; and
        // what a pointer to an ifunc leads to is no function that it could be
        // compared with.
        if (IsThroughPointer && Result.Program[Callee].EnteredInAnyVersion) {
          Callee = FunctionId();
          Redirectable = Redirect::Indirect;
        } else if (FS.fflags().HasUnknownCall &&
                   Result.Chosen.contains(
                       namedByProfile(Index, Record.Callee).name())) {
          Redirectable = Redirect::Indirect;
        }
      } else if (FS.fflags().HasUnknownCall &&
                 isLocalElsewhere(Index, Record.Callee)) {
        Redirectable = Redirect::Indirect;
      }
      // The edge of a promotion candidate has a known hotness. A direct call
      // alone has none unless the module has a profile of counters.
      if (MayBeIndirect && Record.Callee &&
          Hotness.lookup(Record.Callee.getGUID()) !=
              CalleeInfo::HotnessType::Unknown)
        Redirectable = Redirect::Indirect;
      CallsiteId Added =
          Result.Program.addCallsite(Caller, Callee, Redirectable, StackIds);
      if (IsThroughPointer) {
        Result.Program.setThroughPointer(Added);
        if (Marks.hasTailCallsLike(RawIds))
          Shared.insert(Added);
      }
      if (Callee && Marks.isMustTail(RawIds))
        MustTail.push_back(Added);
    }
  }

  /// Calls with a record that leave no frame in some contexts. Where such a
  /// call is on no chain of tail calls that is followed, nothing tells in which
  /// version its callee runs.
  void markTailCalls() {
    for (CallsiteId C : MustTail) {
      const Callsite &Call = Result.Program[C];
      if (MayBeFollowed.contains({Result.Functions[Call.Caller.index()],
                                  Result.Functions[Call.Callee.index()]}))
        Result.Program.setMayLeaveNoFrame(C);
      else
        Result.Program.setEnteredInAnyVersion(Call.Callee);
    }
  }

  /// Marks what tail calls through pointers may enter again.
  void markLeft() {
    DenseMap<const FunctionSummary *, SmallVector<const FunctionSummary *, 2>>
        Callers;
    SmallVector<const FunctionSummary *, 16> Left;
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList()) {
        auto *FS = dyn_cast<FunctionSummary>(S.get());
        if (!FS || !counts(Index, GUID, *FS, Prevailing))
          continue;
        const StringRef Name = Index.getValueInfo(GUID).name();
        if (Marks.leavesThroughPointer(Name))
          Left.push_back(FS);
        for (const FunctionSummary::EdgeTy &Edge : FS->calls())
          if (Marks.endsInCallOf(Name, Edge.first.name()))
            if (const FunctionSummary *Callee =
                    resolveCallee(Edge.first, FS->modulePath(), Prevailing))
              Callers[Callee].push_back(FS);
      }
    const auto AllLeft = reachedFrom<const FunctionSummary *>(Left, Callers);
    markEnteredAgain(
        Result.Program,
        [&](FunctionId F) {
          return AllLeft.contains(Result.Functions[F.index()]);
        },
        [&](CallsiteId C) { return Shared.contains(C); });
  }

  void addAllocations(FunctionId Owner, const FunctionSummary &FS) {
    SmallVector<ContextFrame, 32> Stack;
    for (const AllocInfo &Record : FS.allocs()) {
      AllocationId A = Result.Program.addAllocation(Owner);
      if (!Record.ContextSizeInfos.empty())
        if (auto Mark =
                annotate::ContextMark::of(Record.ContextSizeInfos.front()))
          Result.Program.setHintable(A, hintable(Mark->Calls, Options.Hints));
      if (!Record.ContextSizeInfos.empty() &&
          isPacked(Record.ContextSizeInfos.front())) {
        addPacked(Record.ContextSizeInfos.front(), FS,
                  Result.Program[Owner].Name);
        continue;
      }
      for (size_t I = 0; I != Record.MIBs.size(); ++I) {
        const MIBInfo &MIB = Record.MIBs[I];
        Stack.clear();
        for (unsigned I : MIB.StackIdIndices)
          Stack.push_back(frame(I));
        Bytes Size;
        uint64_t FullStackId = 0;
        ArrayRef<ContextTotalSize> Named;
        if (I < Record.ContextSizeInfos.size())
          Named = Record.ContextSizeInfos[I];
        for (const ContextTotalSize &Full : Named) {
          if (!FullStackId)
            FullStackId = Full.FullStackId;
          Size += Bytes(Full.TotalSize);
        }
        std::optional<annotate::ContextMark> Mark =
            annotate::ContextMark::of(Named);
        if (!Mark || Mark->Is == annotate::ContextMark::Kind::Part)
          Result.Program.setOmitsNotCold(A);
        ContextId C = Result.Program.addContextOf(
            MIB.AllocType == AllocationType::Cold ? Temperature::Cold
                                                  : Temperature::NotCold,
            Size, FullStackId, Stack);
        if (Mark)
          Result.Program.setWeight(C, Mark->Weight);
      }
    }
  }

  /// Adds the packed contexts of the allocation that was opened last.
  void addPacked(annotate::NamedContexts Named, const FunctionSummary &Owner,
                 StringRef OwnerName) {
    if (Error E = Packed.addContexts(Named, Result.Program))
      Result.Damaged.push_back(toString(
          recordError(Owner.modulePath(), OwnerName, toString(std::move(E)))));
  }

  /// The frame of the stack id that the index has at \p I.
  ContextFrame frame(unsigned I) {
    if (Frames.size() <= I)
      Frames.resize(I + 1);
    if (!Frames[I])
      Frames[I] = Result.Program.addFrame(StackId(Index.getStackIdAtIndex(I)));
    return Frames[I];
  }

  const ModuleSummaryIndex &Index;
  IsPrevailing Prevailing;
  const ReaderOptions &Options;
  SummaryProgram Result;
  DenseMap<const FunctionSummary *, FunctionId> Ids;
  PackedTables Packed;
  annotate::CallMarks Marks;
  std::vector<CallsiteId> MustTail;
  /// Calls through pointers of a type that tail calls through pointers have.
  DenseSet<CallsiteId> Shared;
  /// Caller and callee of the tail calls that are callsites.
  DenseSet<std::pair<const FunctionSummary *, const FunctionSummary *>>
      MayBeFollowed;
  /// Frames by the index of a stack id; none if no context that was read has
  /// it.
  std::vector<ContextFrame> Frames;
};

} // namespace

Error thermocline::lto::forEachNoteIn(BitcodeModule &Module,
                                      function_ref<void(uint64_t)> Visit) {
  LLVMContext Context;
  auto Read = Module.getLazyModule(Context, /*ShouldLazyLoadMetadata=*/true,
                                   /*IsImporting=*/false);
  if (!Read)
    return Read.takeError();
  if (Error E = (*Read)->materializeMetadata())
    return E;
  annotate::forEachNote(**Read,
                        [&](StringRef Name) { Visit(xxh3_64bits(Name)); });
  return Error::success();
}

std::string thermocline::lto::describeLostNotes(size_t Lost) {
  return formatCount(Lost, "note") + " of the compiler for the link" +
         (Lost == 1 ? " is" : " are") +
         " in no summary any more, as if other tools had changed modules since "
         "(llvm-extract, internalize with globaldce): memory in use may be "
         "hinted; link what the compiler wrote";
}

SummaryProgram thermocline::lto::readSummary(const ModuleSummaryIndex &Index,
                                             IsPrevailing Prevailing,
                                             const ReaderOptions &Options) {
  return Reader(Index, Prevailing, Options).read();
}
