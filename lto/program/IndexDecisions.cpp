//===- lto/program/IndexDecisions.cpp - Decisions in a summary index ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexDecisions.h"
#include "Prevailing.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

/// The callsites of \p F that have records, which come first.
static ArrayRef<CallsiteId> withRecord(const context::Function &F,
                                       const ContextProgram &Program) {
  return ArrayRef(F.Callsites).take_while([&](CallsiteId Id) {
    return Program[Id].NumStackIds != 0;
  });
}

void thermocline::lto::writeDecisions(const SummaryProgram &Program,
                                      const Decisions &Decided) {
  for (size_t I = 0, E = Program.Functions.size(); I != E; ++I) {
    const context::Function &F = Program.Program[FunctionId(I)];
    FunctionSummary &FS = *Program.Functions[I];
    auto ClonesOf = [&](CallsiteId Id) -> const auto & {
      return Decided.Clones[Id.index()];
    };
    // The lists may not be asked for where there are none.
    ArrayRef<CallsiteId> WithRecord = withRecord(F, Program.Program);
    if (!WithRecord.empty())
      for (auto [Id, Record] : zip_equal(WithRecord, FS.mutableCallsites()))
        Record.Clones.assign(ClonesOf(Id).begin(), ClonesOf(Id).end());
    // Tail calls have a record only where another version is wanted.
    for (CallsiteId Id : ArrayRef(F.Callsites).drop_front(WithRecord.size()))
      if (any_of(ClonesOf(Id), [](uint32_t V) { return V != 0; })) {
        CallsiteInfo Record(
            Program.TailCallees.at(Id),
            SmallVector<unsigned>(ClonesOf(Id).begin(), ClonesOf(Id).end()),
            {});
        FS.addCallsite(Record);
      }
    if (!F.Allocations.empty())
      for (auto [Id, Record] : zip_equal(F.Allocations, FS.mutableAllocs())) {
        Record.Versions.clear();
        for (Temperature T : Decided.Hints[Id.index()])
          Record.Versions.push_back(static_cast<uint8_t>(
              T == Temperature::Cold ? AllocationType::Cold
                                     : AllocationType::NotCold));
      }
  }
}

Decisions thermocline::lto::readDecisions(const SummaryProgram &Program,
                                          std::vector<std::string> &Malformed) {
  Decisions Result;
  Result.NumVersions.assign(Program.Program.numFunctions(), 1);
  Result.Clones.resize(Program.Program.numCallsites());
  Result.Hints.resize(Program.Program.numAllocations());
  for (size_t I = 0, E = Program.Functions.size(); I != E; ++I) {
    const context::Function &F = Program.Program[FunctionId(I)];
    const FunctionSummary &FS = *Program.Functions[I];
    size_t NumVersions = 1;
    for (const CallsiteInfo &Record : FS.callsites())
      NumVersions = std::max(NumVersions, Record.Clones.size());
    for (const AllocInfo &Record : FS.allocs())
      NumVersions = std::max(NumVersions, Record.Versions.size());
    Result.NumVersions[I] = NumVersions;

    auto Check = [&](StringRef Kind, size_t Position, size_t Size) {
      if (Size != NumVersions)
        Malformed.push_back((Twine(F.Name) + ": " + Kind + " record " +
                             Twine(Position) + " is for " + Twine(Size) +
                             " versions, but the function has " +
                             Twine(NumVersions))
                                .str());
    };
    ArrayRef<CallsiteId> WithRecord = withRecord(F, Program.Program);
    for (auto [Position, Id] : enumerate(WithRecord)) {
      const CallsiteInfo &Record = FS.callsites()[Position];
      Check("callsite", Position, Record.Clones.size());
      auto &Clones = Result.Clones[Id.index()];
      Clones.assign(Record.Clones.begin(), Record.Clones.end());
      Clones.resize(NumVersions, 0);
    }
    // Without a record they call the original.
    for (CallsiteId Id : ArrayRef(F.Callsites).drop_front(WithRecord.size())) {
      auto &Clones = Result.Clones[Id.index()];
      for (const CallsiteInfo &Record : apply::recordsOfTailCalls(FS))
        if (Record.Callee.getGUID() == Program.TailCallees.at(Id).getGUID())
          Clones.assign(Record.Clones.begin(), Record.Clones.end());
      Clones.resize(NumVersions, 0);
    }
    for (auto [Position, Id] : enumerate(F.Allocations)) {
      const AllocInfo &Record = FS.allocs()[Position];
      Check("allocation", Position, Record.Versions.size());
      auto &Hints = Result.Hints[Id.index()];
      // Any type but cold alone (none, hot, several) gets no cold hint.
      for (uint8_t Type : Record.Versions)
        Hints.push_back(Type == static_cast<uint8_t>(AllocationType::Cold)
                            ? Temperature::Cold
                            : Temperature::NotCold);
      Hints.resize(NumVersions, Temperature::NotCold);
    }
  }
  return Result;
}

namespace {

/// The decisions of one module as bytes, each number as eight of them.
class DecisionHasher {
public:
  void add(uint64_t Value) {
    uint8_t Bytes[8];
    support::endian::write64le(Bytes, Value);
    Hash.update(ArrayRef(Bytes));
  }
  void add(StringRef Text) {
    add(Text.size());
    Hash.update(Text);
  }
  void add(GlobalValue::GUID GUID, const FunctionSummary &FS) {
    add(GUID);
    add(FS.callsites().size());
    for (const CallsiteInfo &Record : FS.callsites()) {
      // Others are told by their place in the module.
      if (Record.StackIdIndices.empty())
        add(Record.Callee.getGUID());
      add(Record.Clones.size());
      for (unsigned Clone : Record.Clones)
        add(Clone);
    }
    // What is noted for the backends goes there.
    add(FS.type_tests().size());
    for (GlobalValue::GUID Noted : FS.type_tests())
      add(Noted);
    add(FS.allocs().size());
    for (const AllocInfo &Record : FS.allocs()) {
      add(Record.Versions.size());
      for (uint8_t Version : Record.Versions)
        add(Version);
    }
  }
  std::array<uint8_t, 20> final() { return Hash.final(); }

private:
  SHA1 Hash;
};

} // namespace

/// A name by which other modules may call the local function \p Target. Its
/// module's hash is part of it, as it is in the names that ThinLTO's own
/// imports give to local functions, and tools know the form of these.
static std::string exportedName(const ModuleSummaryIndex &Index,
                                ValueInfo Target, StringRef Module) {
  MD5 Hash;
  auto Add = [&](uint64_t Value) {
    uint8_t Bytes[8];
    support::endian::write64le(Bytes, Value);
    Hash.update(ArrayRef(Bytes));
  };
  Add(Target.getGUID());
  for (uint32_t Word : Index.getModuleHash(Module))
    Add(Word);
  MD5::MD5Result Result = Hash.result();
  return (Target.name() + ".llvm." + Twine(Result.low())).str();
}

void thermocline::lto::noteTargets(ModuleSummaryIndex &Index,
                                   const SummaryProgram &Program) {
  for (size_t I = 0, E = Program.Functions.size(); I != E; ++I) {
    FunctionSummary &FS = *Program.Functions[I];
    // Only in such a function a record may be of an indirect call.
    if (!FS.fflags().HasUnknownCall)
      continue;
    for (auto [Id, Record] :
         zip_equal(withRecord(Program.Program[FunctionId(I)], Program.Program),
                   apply::recordsOfCalls(FS))) {
      const Callsite &C = Program.Program[Id];
      if (C.Redirectable != Redirect::Yes ||
          all_of(Record.Clones, [](unsigned V) { return V == 0; }))
        continue;
      FunctionSummary &Target = *Program.Functions[C.Callee.index()];
      apply::noteCompared(Target);
      const bool IsOwn = Target.modulePath() == FS.modulePath();
      ValueInfo Named = namedByProfile(Index, Record.Callee);
      if (Named != Record.Callee && !isLocalElsewhere(Index, Named)) {
        // It was made global to split its module. In the same module as well:
        // the call may be imported by others.
        apply::noteLocalTarget(Index, FS, Record.Callee.getGUID(),
                               Named.name());
        apply::noteExport(Target, Named.getGUID());
        continue;
      }
      if (IsOwn && Named != Record.Callee)
        continue;
      if (!IsOwn && isLocalElsewhere(Index, Named)) {
        std::string Name = exportedName(Index, Named, Target.modulePath());
        apply::noteLocalTarget(Index, FS, Record.Callee.getGUID(), Name);
        apply::noteLocalExport(Index, Target, Name);
        continue;
      }
      // In the same module as well: the call may be imported by others.
      apply::noteName(Index, FS, Record.Callee);
      if (!IsOwn)
        apply::noteExport(Target, Record.Callee.getGUID());
    }
  }
}

/// The summary of the function that has records among all that are linked as
/// one; null without.
static const FunctionSummary *findDecided(const GlobalValueSummaryInfo &Info) {
  for (const auto &S : Info.getSummaryList())
    if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
      if (!GlobalValue::isLocalLinkage(FS->linkage()) &&
          (!FS->callsites().empty() || !FS->allocs().empty()))
        return FS;
  return nullptr;
}

/// Whether \p S is a copy of the function that \p Decided is of.
static bool isOtherCopy(const GlobalValueSummary &S,
                        const FunctionSummary &Decided) {
  auto *FS = dyn_cast<FunctionSummary>(&S);
  return FS && FS != &Decided && !GlobalValue::isLocalLinkage(FS->linkage()) &&
         FS->callsites().empty() && FS->allocs().empty();
}

/// \p Copy with the records of \p Decided.
static FunctionSummary withRecordsOf(const FunctionSummary &Copy,
                                     const FunctionSummary &Decided) {
  std::vector<AllocInfo> Allocs;
  for (const AllocInfo &Record : Decided.allocs()) {
    AllocInfo &Added = Allocs.emplace_back(std::vector<MIBInfo>());
    Added.Versions = Record.Versions;
  }
  FunctionSummary Result(
      Copy.flags(), Copy.instCount(), Copy.fflags(),
      SmallVector<ValueInfo, 0>(Copy.refs()),
      SmallVector<FunctionSummary::EdgeTy, 0>(Copy.calls()),
      Copy.type_tests().vec(), Copy.type_test_assume_vcalls().vec(),
      Copy.type_checked_load_vcalls().vec(),
      Copy.type_test_assume_const_vcalls().vec(),
      Copy.type_checked_load_const_vcalls().vec(), Copy.paramAccesses().vec(),
      Decided.callsites().vec(), std::move(Allocs));
  Result.setModulePath(Copy.modulePath());
  Result.setOriginalName(Copy.getOriginalName());
  return Result;
}

void thermocline::lto::copyToOtherCopies(ModuleSummaryIndex &Index,
                                         const SummaryProgram &Program) {
  DenseSet<const FunctionSummary *> Decisive(Program.Functions.begin(),
                                             Program.Functions.end());
  for (auto &[GUID, Info] : Index) {
    const FunctionSummary *Decided = findDecided(Info);
    if (!Decided || !Decisive.contains(Decided))
      continue;
    for (const auto &S : Info.getSummaryList()) {
      if (!isOtherCopy(*S, *Decided))
        continue;
      auto &Copy = cast<FunctionSummary>(*S);
      Copy = withRecordsOf(Copy, *Decided);
      for (GlobalValue::GUID Named : Decided->type_tests())
        if (!apply::notedName(Index, Named).empty())
          Copy.addTypeTest(Named);
      apply::noteCopy(Copy);
    }
  }
}

/// What LLVM puts behind the names of locals of a module that others refer to.
static std::string suffixOfPromoted(const ModuleHash &Hash) {
  return ModuleSummaryIndex::getGlobalNameForLocal("", Hash);
}

/// Renames the targets by which LLVM has devirtualized calls in the index:
/// those that were local have the old hashes of their modules in their names.
static void renamePromoted(ModuleSummaryIndex &Index,
                           const StringMap<std::string> &NewSuffixes) {
  for (const auto &[GUID, Type] : Index.typeIds())
    for (auto &[Offset, Resolution] :
         Index.getTypeIdSummary(Type.first)->WPDRes) {
      std::string &Name = Resolution.SingleImplName;
      const size_t Begin = Name.rfind(".llvm.");
      if (Begin == std::string::npos)
        continue;
      const auto Found = NewSuffixes.find(StringRef(Name).substr(Begin));
      if (Found != NewSuffixes.end())
        Name.replace(Begin, std::string::npos, Found->second);
    }
}

void thermocline::lto::hashDecisions(ModuleSummaryIndex &Index,
                                     StringRef Settings) {
  StringMap<DecisionHasher> ByModule;
  for (const auto &[GUID, Info] : Index) {
    const FunctionSummary *Decided = findDecided(Info);
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get())) {
        if (!FS->callsites().empty() || !FS->allocs().empty())
          ByModule[FS->modulePath()].add(GUID, *FS);
        else if (Decided && isOtherCopy(*FS, *Decided))
          ByModule[FS->modulePath()].add(GUID, *Decided);
      }
  }

  StringMap<std::string> NewSuffixes;
  for (auto &[Path, ModuleHash] : Index.modulePaths()) {
    auto Found = ByModule.find(Path);
    bool HasRecords = Found != ByModule.end();
    if (all_of(ModuleHash, [](uint32_t Word) { return Word == 0; }) ||
        (!HasRecords && Settings.empty()))
      continue;
    DecisionHasher Hasher;
    if (HasRecords)
      Hasher = Found->second;
    Hasher.add(Settings);
    for (uint32_t Word : ModuleHash)
      Hasher.add(Word);
    std::array<uint8_t, 20> Bytes = Hasher.final();
    std::string OldSuffix = suffixOfPromoted(ModuleHash);
    for (auto [I, Word] : enumerate(ModuleHash))
      Word = support::endian::read32le(&Bytes[I * 4]);
    NewSuffixes[OldSuffix] = suffixOfPromoted(ModuleHash);
  }
  renamePromoted(Index, NewSuffixes);
}
