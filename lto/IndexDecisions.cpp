//===- lto/IndexDecisions.cpp - Decisions in a summary index --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexDecisions.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
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

ExportsByModule thermocline::lto::findExports(const SummaryProgram &Program) {
  ExportsByModule Result;
  for (size_t I = 0, E = Program.Functions.size(); I != E; ++I) {
    const FunctionSummary &FS = *Program.Functions[I];
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
      StringRef Home = Program.Functions[C.Callee.index()]->modulePath();
      if (Home != FS.modulePath())
        Result[Home.str()].insert(Record.Callee.getGUID());
    }
  }
  return Result;
}

void thermocline::lto::hashDecisions(ModuleSummaryIndex &Index,
                                     StringRef Settings,
                                     const ExportsByModule &Exports) {
  StringMap<DecisionHasher> ByModule;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
        if (!FS->callsites().empty() || !FS->allocs().empty())
          ByModule[FS->modulePath()].add(GUID, *FS);

  for (auto &[Path, ModuleHash] : Index.modulePaths()) {
    auto Found = ByModule.find(Path);
    bool HasRecords = Found != ByModule.end();
    auto Exported = Exports.find(Path.str());
    if (all_of(ModuleHash, [](uint32_t Word) { return Word == 0; }) ||
        (!HasRecords && Settings.empty() && Exported == Exports.end()))
      continue;
    DecisionHasher Hasher;
    if (HasRecords)
      Hasher = Found->second;
    Hasher.add(Settings);
    if (Exported != Exports.end())
      for (GlobalValue::GUID GUID : Exported->second)
        Hasher.add(GUID);
    for (uint32_t Word : ModuleHash)
      Hasher.add(Word);
    std::array<uint8_t, 20> Bytes = Hasher.final();
    for (auto [I, Word] : enumerate(ModuleHash))
      Word = support::endian::read32le(&Bytes[I * 4]);
  }
}
