//===- lto/program/ProfileCoverage.cpp - What of a profile a link has -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileCoverage.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/StackIds.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;
using report::LossReason;

namespace {

/// A lost cold context as the profile has it, and what has to wait for the
/// other contexts.
struct Lost {
  uint64_t FullStackId;
  Bytes Size;
  LossReason Reason;
  std::vector<memprof::Frame> Frames;
};

/// How contexts of one or several allocations are in the link.
enum class Carried : uint8_t { No, NotCold, Cold };

class Comparison {
public:
  Comparison(const profile::IndexedProfile &Profile,
             ArrayRef<const ContextProgram *> Parts, const CodeInventory &Code,
             const LinkedBinaries &Own, const annotate::Basis *Common,
             FindMachineCode MachineCode)
      : Profile(Profile), Code(Code), Own(Own),
        MachineCode(std::move(MachineCode)) {
    if (Common)
      Thresholds = Common->Thresholds;
    Result.ColdBy = describeRule(Profile.rule(Thresholds), Thresholds);
    for (const ContextProgram *Part : Parts)
      addPart(*Part);
    Result.Profile = Profile.path().str();
  }

  void take(const profile::IndexedContext &C) {
    const Bytes Size(C.Info.getTotalSize());
    const bool IsCold =
        Profile.classify(C.FullStackId, C.Info, Thresholds).isCold();
    Carried How = find(C, IsCold);
    // Contexts that differ only in what was inlined are one.
    const AuditCell Cell{Seen.insert(C.FullStackId).second, Size};
    if (How == Carried::No && takeElsewhere(C.FullStackId, Cell, IsCold))
      return;
    (IsCold ? Result.Cold : Result.NotCold) += Cell;
    if (How != Carried::No)
      PlacesCarried.insert(placeOf(C.Frames.front()));
    if (How == Carried::NotCold && IsCold)
      Result.ColdAsNotCold += Cell;
    // Nothing is known of what was trimmed but that it begins like the context.
    if (auto Known = ById.find(C.FullStackId);
        !IsCold && Known != ById.end() && Known->second == Carried::Cold)
      Result.NotColdAsCold += Cell;
    if (How != Carried::No)
      return;
    if (IsCold)
      addLost(C, Cell);
    else
      Result.NotColdLost += Cell;
  }

  report::ProfileCoverage finish(const profile::FunctionNames &Names) {
    std::array<AuditCell, report::NumLossReasons> Counts;
    auto Count = [&](LossReason Reason, const AuditCell &Cell) {
      Counts[static_cast<unsigned>(Reason)] += Cell;
    };
    // The other contexts of a place have been seen only now.
    for (const auto &[Place, ByReason] : LostByPlace)
      for (auto [I, Cell] : enumerate(ByReason)) {
        auto Reason = static_cast<LossReason>(I);
        Count(refined(Reason, Place), Cell);
      }
    Result.PlacesOfColdLost = LostByPlace.size();
    for (unsigned I = 0; I != report::NumLossReasons; ++I) {
      if (!Counts[I].Contexts)
        continue;
      Result.Reasons.push_back({static_cast<LossReason>(I), Counts[I]});
      Result.ColdLost += Counts[I];
    }
    llvm::sort(Result.Reasons, [](const auto &A, const auto &B) {
      return std::tie(B.Count.Size, A.Reason) <
             std::tie(A.Count.Size, B.Reason);
    });
    for (auto &[Name, Share] : Elsewhere)
      Result.Elsewhere.push_back(std::move(Share));
    llvm::sort(Result.Elsewhere, [](const auto &A, const auto &B) {
      return std::tie(B.Cold.Size, A.Name) < std::tie(A.Cold.Size, B.Name);
    });
    Result.SavedElsewhere = Bytes(truncated(SavedElsewhere));
    listMachineCode(Names);
    keepBiggest();
    llvm::sort(Biggest, isBigger);
    for (const Lost &L : Biggest) {
      report::LostContext &Added = Result.Biggest.emplace_back();
      Added.FullStackId = L.FullStackId;
      Added.Size = L.Size;
      Added.Reason = refined(L.Reason, placeOf(L.Frames.front()));
      for (const memprof::Frame &F : L.Frames)
        Added.Frames.push_back({profile::computeStackId(F),
                                display(F.Function, Names), F.LineOffset,
                                F.Column});
    }
    return std::move(Result);
  }

private:
  void addPart(const ContextProgram &Part) {
    for (size_t I = 0; I != Part.numContexts(); ++I) {
      const ContextId Id(static_cast<uint32_t>(I));
      const Context &C = Part[Id];
      const Carried How =
          C.Profiled == Temperature::Cold ? Carried::Cold : Carried::NotCold;
      const Allocation &A = Part[C.Allocation];
      if (C.FullStackId)
        raise(ById[C.FullStackId], How);
      if (C.FullStackId && !A.OmitsNotCold)
        continue;
      const auto Owner = profile::sourceGUID(Part[A.Owner].Name);
      bool &OmitsNotCold = Owners[Owner];
      OmitsNotCold |= A.OmitsNotCold;
      SequenceHash Frames(Owner);
      for (StackId Frame : Part.stackIds(Id))
        Frames.add(raw(Frame));
      raise(Beginnings[Frames.value()], How);
    }
    for (size_t I = 0; I != Part.numCallsites(); ++I)
      if (ArrayRef<StackId> Ids = Part.stackIds(CallsiteId(I)); !Ids.empty())
        Called.insert(raw(Ids.front()));
  }

  /// Returns whether another binary allocated the context.
  bool takeElsewhere(uint64_t FullStackId, const AuditCell &Cell, bool IsCold) {
    std::optional<StringRef> Name = Own.allocatedElsewhere(FullStackId);
    if (!Name)
      return false;
    report::BinaryShare &Share = Elsewhere[Name->str()];
    Share.Name = Name->str();
    (IsCold ? Share.Cold : Share.NotCold) += Cell;
    if (auto Placed = Profile.decision(FullStackId); Placed && IsCold)
      SavedElsewhere += Placed->Benefit;
    return true;
  }

  static void raise(Carried &Known, Carried How) {
    Known = std::max(Known, How);
  }

  static uint64_t placeOf(const memprof::Frame &F) {
    SequenceHash Place(F.Function);
    Place.add((uint64_t(F.LineOffset & profile::LineOffsetMask) << 32) |
              F.Column);
    return Place.value();
  }

  Carried find(const profile::IndexedContext &C, bool IsCold) const {
    if (auto Known = ById.find(C.FullStackId); Known != ById.end())
      return Known->second;
    if (Owners.empty() && !Code.hasMarks())
      return Carried::No;
    SmallVector<uint64_t, 32> Ids;
    for (const memprof::Frame &F : C.Frames)
      Ids.push_back(raw(profile::computeStackId(F)));
    Carried Result = Carried::No;
    SequenceHash Marked(CodeInventory::MarkSeed);
    bool IsInlined = true;
    for (size_t I = 0; I != Ids.size(); ++I) {
      Marked.add(Ids[I]);
      if (Code.isMarked(Marked.value()))
        raise(Result, Carried::Cold);
      if (auto Owner = Owners.find(C.Frames[I].Function);
          Owner != Owners.end()) {
        raise(Result,
              findBeginning(Owner->first, ArrayRef(Ids).drop_front(I + 1),
                            IsInlined));
        // What it leaves out is not cold; a cold context may be so for clang.
        if (IsInlined && Owner->second &&
            (!IsCold || isNotColdForClang(C.Info)))
          raise(Result, Carried::NotCold);
      }
      IsInlined &= C.Frames[I].IsInlineFrame;
    }
    return Result;
  }

  /// A context of an allocation in \p Owner that \p Callers begin with. One
  /// without callers is of all, but of none below other functions.
  Carried findBeginning(GlobalValue::GUID Owner, ArrayRef<uint64_t> Callers,
                        bool IsInlined) const {
    Carried Result = Carried::No;
    auto Look = [&](const SequenceHash &Frames) {
      if (auto Known = Beginnings.find(Frames.value());
          Known != Beginnings.end())
        raise(Result, Known->second);
    };
    SequenceHash Frames(Owner);
    if (IsInlined)
      Look(Frames);
    for (size_t I = 0; I != Callers.size(); ++I) {
      // Summaries fold direct recursion.
      if (I && Callers[I] == Callers[I - 1])
        continue;
      Frames.add(Callers[I]);
      Look(Frames);
    }
    return Result;
  }

  static bool isNotColdForClang(const memprof::PortableMemInfoBlock &Info) {
    return profile::classify(Info, std::nullopt, profile::ColdThresholds()) !=
           AllocationType::Cold;
  }

  void addLost(const profile::IndexedContext &C, const AuditCell &Cell) {
    const auto [Reason, Outside] = reasonFor(C.Frames);
    if (Outside)
      LostOutside[Outside] += Cell;
    LostByPlace[placeOf(C.Frames.front())][static_cast<unsigned>(Reason)] +=
        Cell;
    Biggest.push_back({C.FullStackId, Cell.Size, Reason, C.Frames.vec()});
    if (Biggest.size() == 2 * report::MaxLostContexts)
      keepBiggest();
  }

  static bool isBigger(const Lost &A, const Lost &B) {
    return std::tie(B.Size, A.FullStackId) < std::tie(A.Size, B.FullStackId);
  }

  void keepBiggest() {
    if (Biggest.size() <= report::MaxLostContexts)
      return;
    std::nth_element(Biggest.begin(), Biggest.begin() + report::MaxLostContexts,
                     Biggest.end(), isBigger);
    Biggest.resize(report::MaxLostContexts);
  }

  /// What is to be said of the function that holds the allocation: the
  /// innermost one that the link knows, of those that may have been inlined.
  /// Also the function that is machine code there, if it is known, or 0.
  std::pair<LossReason, GlobalValue::GUID>
  reasonFor(ArrayRef<memprof::Frame> Frames) const {
    bool AnyDead = false;
    for (const memprof::Frame &F : Frames) {
      CodeInventory::Found Function = Code.find(F.Function);
      switch (Function.Is) {
      case CodeInventory::Status::Linked: {
        if (!Function.HasProfile)
          return {LossReason::NoProfile, 0};
        const uint64_t Leaf = raw(profile::computeStackId(Frames.front()));
        if (Called.contains(Leaf))
          return {LossReason::InsideCallee, Code.calledOutside(Leaf)};
        return {Function.IsSeen ? LossReason::NoSuchAllocation
                                : LossReason::PerhapsMarked,
                0};
      }
      case CodeInventory::Status::Outside:
        return {LossReason::NotLTO, F.Function};
      case CodeInventory::Status::Dead:
        AnyDead = true;
        break;
      case CodeInventory::Status::Inlined:
        break;
      case CodeInventory::Status::Unknown:
        if (F.IsInlineFrame)
          break;
        // Machine code may call what no bitcode knows, such as local functions.
        if (!AnyDead && !machineCode(F.Function).File.empty())
          return {LossReason::NotLTO, F.Function};
        return {AnyDead ? LossReason::Dead : LossReason::NotInLink, 0};
      }
    }
    return {AnyDead ? LossReason::Dead : LossReason::NotInLink, 0};
  }

  FunctionInFile machineCode(GlobalValue::GUID Function) const {
    return MachineCode ? MachineCode(Function) : FunctionInFile();
  }

  /// The name to show to users. Machine code has names that bitcode lacks.
  std::string display(GlobalValue::GUID Function,
                      const profile::FunctionNames &Names) const {
    profile::FunctionNames Known;
    if (Names.lookup(Function).empty())
      Known.add(machineCode(Function).Name);
    return (Known.lookup(Function).empty() ? Names : Known).display(Function);
  }

  void listMachineCode(const profile::FunctionNames &Names) {
    struct OneFile {
      AuditCell Count;
      uint64_t Functions = 0;
      /// The largest function: its bytes, then the name.
      std::pair<Bytes, std::string> Largest;
    };
    std::map<std::string, OneFile> Files;
    for (const auto &[Function, Count] : LostOutside) {
      OneFile &File = Files[machineCode(Function).File];
      File.Count += Count;
      ++File.Functions;
      std::string Name = display(Function, Names);
      if (File.Functions == 1 || Count.Size > File.Largest.first ||
          (Count.Size == File.Largest.first && Name < File.Largest.second))
        File.Largest = {Count.Size, std::move(Name)};
    }
    for (auto &[Path, File] : Files)
      Result.MachineCode.push_back(
          {Path, std::move(File.Largest.second), File.Functions, File.Count});
    llvm::sort(Result.MachineCode, [](const auto &A, const auto &B) {
      return std::tie(B.Count.Size, A.File) < std::tie(A.Count.Size, B.File);
    });
  }

  /// Other contexts of the place may be in the link.
  LossReason refined(LossReason Reason, uint64_t Place) const {
    if (Reason != LossReason::NoSuchAllocation &&
        Reason != LossReason::PerhapsMarked)
      return Reason;
    if (PlacesCarried.contains(Place))
      return LossReason::OtherCallers;
    // Annotations of whole contexts mark nothing in the code.
    return Owners.empty() ? LossReason::NoSuchAllocation : Reason;
  }

  const profile::IndexedProfile &Profile;
  const CodeInventory &Code;
  const LinkedBinaries &Own;
  const FindMachineCode MachineCode;
  profile::ColdThresholds Thresholds;
  report::ProfileCoverage Result;
  std::map<std::string, report::BinaryShare> Elsewhere;
  double SavedElsewhere = 0;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, Carried> ById;
  /// Functions with allocations whose contexts are no whole ones, and whether
  /// they omit what is not cold.
  std::unordered_map<GlobalValue::GUID, bool> Owners;
  /// Hashes of such owners and the frames of their contexts.
  std::unordered_map<uint64_t, Carried> Beginnings;
  /// Innermost frames of calls that are no allocations.
  std::unordered_set<uint64_t> Called;
  /// The ids of contexts that were taken.
  std::unordered_set<uint64_t> Seen;
  /// Places of allocations that have any context in the link.
  std::unordered_set<uint64_t> PlacesCarried;
  std::unordered_map<uint64_t, std::array<AuditCell, report::NumLossReasons>>
      LostByPlace;
  /// Cold contexts that are lost in machine code, by its function.
  std::unordered_map<GlobalValue::GUID, AuditCell> LostOutside;
  std::vector<Lost> Biggest;
};

} // namespace

Expected<report::ProfileCoverage> thermocline::lto::coverageOf(
    const profile::IndexedProfile &Profile,
    ArrayRef<const ContextProgram *> Parts, const CodeInventory &Code,
    const LinkedBinaries &Own, const profile::FunctionNames &Names,
    const LinkBases &Bases, FindMachineCode MachineCode) {
  const annotate::Basis *Common = Bases.common();
  Comparison Compared(Profile, Parts, Code, Own, Common,
                      std::move(MachineCode));
  if (Error E = Profile.forEachContext(
          [&](const profile::IndexedContext &C) { Compared.take(C); }))
    return std::move(E);
  report::ProfileCoverage Result = Compared.finish(Names);
  Result.Modules = Bases.numModules();
  Result.ModulesSoCompiled = Common ? Bases.numWith(Common->Thresholds) : 0;
  if (Common && Bases.allAgree()) {
    Expected<annotate::Basis> AtHand =
        annotate::Basis::of(Profile, Common->Thresholds, Triple::UnknownArch);
    if (!AtHand)
      return AtHand.takeError();
    AtHand->OtherArchitectures = Common->OtherArchitectures;
    Result.IsAnotherProfile = *AtHand != *Common;
  }
  return std::move(Result);
}

std::optional<report::ProfileWorkingSet>
thermocline::lto::predictedBy(const LinkBases &Bases) {
  if (!Bases.areSavingsKnown())
    return std::nullopt;
  const annotate::Basis &Common = *Bases.common();
  report::ProfileWorkingSet Result{Bytes(truncated(Common.WorkingSetBefore)),
                                   Bytes(truncated(Common.WorkingSetAfter)),
                                   Common.Goal};
  if (Common.OtherBefore != 0)
    Result.Other.emplace(Bytes(truncated(Common.OtherBefore)),
                         Bytes(truncated(Common.OtherAfter)));
  return Result;
}

std::string
thermocline::lto::describeLoss(const report::ProfileCoverage &Coverage) {
  std::string Reasons;
  for (const report::LossCount &Loss : Coverage.Reasons)
    Reasons += (Reasons.empty() ? "" : "; ") + formatBytes(Loss.Count.Size) +
               " " + describe(Loss.Reason).str();
  // Only the largest: it is one line.
  constexpr size_t MaxFiles = 3;
  const ArrayRef<report::MachineCodeLoss> Files = Coverage.MachineCode;
  for (const report::MachineCodeLoss &Loss :
       Files.take_front(std::min(MaxFiles, Files.size())))
    Reasons += "; " + formatBytes(Loss.Count.Size) + " in " + describe(Loss);
  if (Files.size() > MaxFiles)
    Reasons +=
        "; the rest in " + formatCount(Files.size() - MaxFiles, "more file");
  return formatCount(Coverage.ColdLost.Contexts, "cold context") + " of " +
         Coverage.Profile + ", " + formatBytes(Coverage.ColdLost.Size) + " (" +
         formatPercent(Coverage.ColdLost.Size.count(),
                       Coverage.Cold.Size.count()) +
         (Coverage.Elsewhere.empty()
              ? " of its cold bytes), "
              : " of the cold bytes of the link's part of it), ") +
         (Coverage.ColdLost.Contexts == 1 ? "is" : "are") +
         " of no allocation in the link: " + Reasons +
         (Coverage.ModulesSoCompiled
              ? ""
              : "; cold by the default thresholds, as the bitcode tells none");
}

std::string thermocline::lto::describeContradiction(
    const report::ProfileCoverage &Coverage) {
  AuditCell Other = Coverage.ColdAsNotCold;
  Other += Coverage.NotColdAsCold;
  if (!Coverage.IsAnotherProfile || !Other.Contexts)
    return "";
  return Coverage.Profile + ": " + formatCount(Other.Contexts, "context") +
         " of the link, " + formatBytes(Other.Size) + ", " +
         (Other.Contexts == 1 ? "is" : "are") +
         " cold by this profile and not as compiled, or the other way round; "
         "the modules were compiled with another one";
}
