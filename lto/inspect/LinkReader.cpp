//===- lto/inspect/LinkReader.cpp - A link read back from its files -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkReader.h"
#include "ArchiveMember.h"
#include "program/FrameNames.h"
#include "program/IndexChecksum.h"
#include "program/IndexDecisions.h"
#include "program/ModuleReader.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

namespace {

/// Whether \p File is an ELF object, executable or shared library.
bool isMachineCode(MemoryBufferRef File) {
  switch (identify_magic(File.getBuffer())) {
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    return true;
  default:
    return false;
  }
}

/// The records of one function in an index with decisions.
using RecordKey = std::pair<std::string, GlobalValue::GUID>;

/// The modules of regular LTO, merged as the link merges them.
class MergedModule {
public:
  LLVMContext &context() { return Context; }
  /// Null if there are none.
  Module *module() { return Whole.get(); }

  Error add(std::unique_ptr<Module> M) {
    if (!Whole) {
      Whole = std::make_unique<Module>("regular LTO", Context);
      Whole->setDataLayout(M->getDataLayout());
      Whole->setTargetTriple(M->getTargetTriple());
    }
    std::string Message;
    Context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *Info, void *Text) {
          if (Info->getSeverity() != DS_Error)
            return;
          raw_string_ostream OS(*static_cast<std::string *>(Text));
          DiagnosticPrinterRawOStream Printer(OS);
          Info->print(Printer);
        },
        &Message);
    bool Failed = Linker::linkModules(*Whole, std::move(M));
    Context.setDiagnosticHandlerCallBack(nullptr);
    if (Failed)
      return createStringError(Message.empty() ? "cannot be merged" : Message);
    return Error::success();
  }

private:
  LLVMContext Context;
  std::unique_ptr<Module> Whole;
};

class Loader {
public:
  explicit Loader(bool FrameNames) : FrameNames(FrameNames) {}

  Expected<LinkContents> load(ArrayRef<std::string> Files) {
    for (const std::string &File : Files)
      if (Error E = addFile(File))
        return std::move(E);
    if (!DecidedIndexes.empty() && Index.modulePaths().empty())
      for (const std::string &Path : DecidedModules)
        if (Error E = addNamedModule(Path))
          return std::move(E);
    if (Error E = checkModules())
      return std::move(E);
    if (Error E = checkDecided())
      return std::move(E);
    if (Merged.module())
      if (Error E = loadRegularPart(*Merged.module()))
        return std::move(E);
    if (!Index.modulePaths().empty())
      if (Error E = loadThinPart())
        return std::move(E);
    return std::move(Link);
  }

private:
  Error loadRegularPart(Module &M) {
    Expected<ModuleProgram> Read = readModule(M);
    if (!Read)
      return Read.takeError();
    PartContents &Part = Link.Parts.emplace_back();
    Part.Program = std::move(Read->Program);
    Link.Bases.add(Read->Bases);
    Part.Instructions = M.getInstructionCount();
    for (const Function &F : M)
      Link.Names.add(F.getName());
    if (FrameNames)
      Link.Code.addMergedModule(M);
    return Error::success();
  }

  Error loadThinPart() {
    choosePrevailing();
    takeLiveness();
    noteNamesBeforeSplit(Index);
    auto Prevails = [&](GlobalValue::GUID, const GlobalValueSummary *S) {
      return Prevailing.contains(S);
    };
    SummaryProgram Read = readSummary(Index, Prevails);
    if (!Read.Damaged.empty())
      return createStringError(Read.Damaged.front());
    Link.LostNotes = count_if(
        Notes, [&](uint64_t Hash) { return !Read.Notes.contains(Hash); });
    PartContents &Part = Link.Parts.emplace_back();
    Link.Bases.add(Read.Bases);
    Part.Instructions = countInstructions(Index, Prevails);
    if (!DecidedIndexes.empty()) {
      if (Error E = checkIndexes(Read))
        return E;
      takeDecisions(Read, Part.Malformed);
      Part.Decided = readDecisions(Read, Part.Malformed);
    }
    Part.Program = std::move(Read.Program);
    if (FrameNames)
      Link.Code.addIndex(Index, Prevails, Link.Names);
    for (const auto &Entry : Index)
      if (StringRef Name = Index.getValueInfo(Entry).name(); !Name.empty())
        Link.Names.add(Name);
    return Error::success();
  }

  Error addFile(const std::string &File) {
    auto Buffer = openInput(File);
    if (!Buffer)
      return Buffer.takeError();
    if (Error E = verifyChecksum((*Buffer)->getBuffer()))
      return inFile(File, std::move(E));
    return addBuffer(File, std::move(*Buffer));
  }

  Error addBuffer(const std::string &File,
                  std::unique_ptr<MemoryBuffer> Buffer) {
    MemoryBufferRef Ref = *Buffer;
    Buffers.push_back(std::move(Buffer));
    Expected<MemoryBufferRef> Bitcode =
        object::IRObjectFile::findBitcodeInMemBuffer(Ref);
    if (!Bitcode) {
      consumeError(Bitcode.takeError());
      return fileError(File,
                       isMachineCode(Ref)
                           ? "machine code, which holds no contexts; give "
                             "the bitcode modules or *.thinlto.bc of the "
                             "link (llvm-objdump -dr shows the versions and "
                             "hints in machine code)"
                           : "neither a bitcode module nor a summary "
                             "index");
    }
    auto Contents = getBitcodeFileContents(*Bitcode);
    if (!Contents)
      return inFile(File, Contents.takeError());
    // What a file is of which only the beginning was written.
    if (Contents->Mods.empty())
      return fileError(File, "bitcode without a module");
    if (Contents->Mods.size() == 1) {
      auto Info = Contents->Mods.front().getLTOInfo();
      if (!Info)
        return inFile(File, Info.takeError());
      // The summary of a module is of that module; the index of a link names
      // the modules that it is of.
      ModuleSummaryIndex Probe(/*HaveGVs=*/false);
      if (Info->HasSummary) {
        if (Error E = Contents->Mods.front().readSummary(Probe, File))
          return inFile(File, std::move(E));
        if (!Probe.modulePaths().contains(File))
          return addIndex(File, *Bitcode);
      }
    }
    return addModules(File, Contents->Mods);
  }

  Error addModules(const std::string &Path,
                   MutableArrayRef<BitcodeModule> Mods) {
    for (BitcodeModule &Module : Mods) {
      auto Info = Module.getLTOInfo();
      if (!Info)
        return inFile(Path, Info.takeError());
      bool IsThin = Info->HasSummary && Info->IsThinLTO;
      if (IsThin) {
        if (Error E = Module.readSummary(Index, Path))
          return inFile(Path, std::move(E));
        // A summary alone, for thin links, has no code to read them in.
        if (Error E = forEachNoteIn(Module,
                                    [&](uint64_t Hash) { Notes.insert(Hash); }))
          consumeError(std::move(E));
        if (!FrameNames)
          continue;
      }
      LLVMContext Own;
      auto Parsed = Module.parseModule(IsThin ? Own : Merged.context());
      if (!Parsed)
        return inFile(Path, Parsed.takeError());
      if (FrameNames) {
        addFrameNames(**Parsed, Link.Names, &Link.Frames);
        if (IsThin) {
          (*Parsed)->setModuleIdentifier(Path);
          Link.Code.addCode(**Parsed);
        }
      }
      if (!IsThin)
        if (Error E = Merged.add(std::move(*Parsed)))
          return inFile(Path, std::move(E));
    }
    return Error::success();
  }

  Error addIndex(const std::string &File, MemoryBufferRef Bitcode) {
    auto Read = std::make_unique<ModuleSummaryIndex>(/*HaveGVs=*/false);
    if (Error E = readModuleSummaryIndex(Bitcode, *Read))
      return inFile(File, std::move(E));
    if (Error E = verifyHasChecksum(Bitcode.getBuffer(), *Read))
      return inFile(File, std::move(E));
    for (const auto &Module : Read->modulePaths())
      DecidedModules.insert(Module.first().str());
    for (const auto &[GUID, Info] : *Read)
      for (const auto &S : Info.getSummaryList()) {
        if (!Read->isGlobalValueLive(S.get())) {
          Dead.insert({S->modulePath().str(), GUID});
          continue;
        }
        auto *FS = dyn_cast<FunctionSummary>(S.get());
        if (FS && (!FS->callsites().empty() || !FS->allocs().empty()))
          Records.try_emplace({S->modulePath().str(), GUID}, FS);
      }
    DecidedIndexes.push_back(std::move(Read));
    IndexFiles.push_back(File);
    return Error::success();
  }

  /// Reads a module that an index names: a file, or a member of an archive.
  Error addNamedModule(const std::string &Path) {
    auto Buffer = openModule(Path, &Link.NamedFiles);
    if (!Buffer)
      return fileError(IndexFiles.front(),
                       "the modules of this index cannot be read: " +
                           toString(Buffer.takeError()) +
                           "; indexes name modules as the link found them: run "
                           "this in the directory of the link");
    return addBuffer(Path, std::move(*Buffer));
  }

  /// Every module with decisions must have been read.
  Error checkModules() const {
    for (const auto &[Key, FS] : Records)
      if (!Index.modulePaths().contains(Key.first))
        return fileError(
            Key.first,
            "an index decides on this module, which is not among the files "
            "given; give the indexes alone in the directory of the link, or "
            "all modules by the names that the link had for them");
    return Error::success();
  }

  /// How many summaries \p Index has of each module.
  static std::map<StringRef, size_t>
  countSummaries(const ModuleSummaryIndex &Index) {
    std::map<StringRef, size_t> Result;
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList())
        ++Result[S->modulePath()];
    return Result;
  }

  /// The modules whose own index was given: it has all of the module, while
  /// those of others have what they import.
  std::set<StringRef> modulesWithIndex() const {
    std::map<StringRef, size_t> InModules = countSummaries(Index);
    std::set<StringRef> Result;
    for (const auto &Read : DecidedIndexes)
      for (const auto &[Path, Count] : countSummaries(*Read))
        if (auto M = InModules.find(Path);
            M != InModules.end() && Count >= M->second)
          Result.insert(M->first);
    return Result;
  }

  /// Checks that the functions whose versions are called are in some module. An
  /// index of one module does not name them, but the records of the module do.
  Error checkCallees() const {
    auto Missing = [&](const CallsiteInfo &Known, const CallsiteInfo &Decided) {
      return Known.Callee &&
             namedByProfile(Index, Known.Callee).getSummaryList().empty() &&
             llvm::any_of(Decided.Clones, [](unsigned V) { return V != 0; });
    };
    for (const auto &[Key, Decided] : Records) {
      ValueInfo Caller = Index.getValueInfo(Key.second);
      const GlobalValueSummary *S =
          Caller ? Index.findSummaryInModule(Caller, Key.first) : nullptr;
      const auto *FS = dyn_cast_or_null<FunctionSummary>(S);
      if (!FS)
        continue;
      for (auto [Known, Record] : zip(FS->callsites(), Decided->callsites()))
        if (Missing(Known, Record))
          return fileError(IndexFiles.front(),
                           "this is not all of the link: " + Key.first +
                               " calls versions of " +
                               Known.Callee.name().str() +
                               ", which no module here defines; give all "
                               "*.thinlto.bc of the link");
    }
    return Error::success();
  }

  /// Checks that no function that needs decisions is in a module whose index is
  /// not among the files.
  Error checkIndexes(const SummaryProgram &Program) const {
    std::set<StringRef> Given = modulesWithIndex(), Missing;
    for (const FunctionSummary *FS : Program.Functions)
      if ((!FS->callsites().empty() || !FS->allocs().empty()) &&
          !Given.contains(FS->modulePath()))
        Missing.insert(FS->modulePath());
    if (Missing.empty())
      return checkCallees();
    std::string Names;
    constexpr size_t Shown = 5;
    for (auto [I, Path] : enumerate(Missing)) {
      if (I == Shown) {
        Names += " and " + formatCount(Missing.size() - I) + " more";
        break;
      }
      Names += (I ? ", " : "") + Path.str();
    }
    return fileError(IndexFiles.front(),
                     "this is not all of the link: the indexes of " +
                         formatCount(Missing.size(), "module") +
                         " are not among the files: " + Names +
                         "; give all *.thinlto.bc of the link");
  }

  /// Checks that there are decisions: allocations have a type in every version
  /// then.
  Error checkDecided() const {
    bool AnyAllocation = false;
    for (const auto &[Key, FS] : Records)
      for (const AllocInfo &Record : FS->allocs()) {
        AnyAllocation = true;
        for (uint8_t Type : Record.Versions)
          if (Type != static_cast<uint8_t>(AllocationType::None))
            return Error::success();
      }
    if (!AnyAllocation)
      return Error::success();
    // An index of one module has all of that and of others what it imports.
    std::string Why;
    if (modulesWithIndex().size() > DecidedIndexes.size() ||
        StringRef(IndexFiles.front()).ends_with(".index.bc"))
      Why =
          "--save-temps keeps it as it was before the link decided. Link with "
          "--thinlto-emit-index-files (thermo-lto and llvm-lto2: "
          "-thinlto-emit-indexes) and give the *.thinlto.bc files";
    else if (llvm::none_of(DecidedIndexes, [](const auto &Read) {
               return Read->withSupportsHotColdNew();
             }))
      Why = "the link made none: Thermocline's with --thinlto-memprof=off, or "
            "stock lld's without -Wl,-mllvm,-supports-hot-cold-new and "
            "-Wl,-mllvm,-enable-memprof-context-disambiguation";
    else
      Why = "stock lld makes some only with "
            "-Wl,-mllvm,-enable-memprof-context-disambiguation";
    return fileError(IndexFiles.front(),
                     "the index holds no decisions; " + Why);
  }

  /// Only the prevailing copy of a function has records in a link's index.
  bool hasDecision(GlobalValue::GUID GUID, const GlobalValueSummary &S) const {
    if (auto *Alias = dyn_cast<AliasSummary>(&S))
      if (Alias->hasAliasee())
        GUID = Alias->getAliaseeGUID();
    return Records.count({S.modulePath().str(), GUID});
  }

  void choosePrevailing() {
    for (const auto &[GUID, Info] : Index) {
      const GlobalValueSummary *Best = nullptr;
      auto Rank = [&, GUID = GUID](const GlobalValueSummary &S) {
        if (hasDecision(GUID, S))
          return 3;
        if (GlobalValue::isAvailableExternallyLinkage(S.linkage()))
          return 0;
        return GlobalValue::isWeakForLinker(S.linkage()) ? 1 : 2;
      };
      for (const auto &S : Info.getSummaryList())
        if (!Best || Rank(*S) > Rank(*Best))
          Best = S.get();
      if (Best)
        Prevailing.insert(Best);
    }
  }

  /// What the linker found dead does not run: its contexts do not count.
  void takeLiveness() {
    if (Dead.empty())
      return;
    Index.setWithGlobalValueDeadStripping();
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList())
        S->setLive(!Dead.count({S->modulePath().str(), GUID}));
  }

  /// Copies the decisions into the records of the modules.
  void takeDecisions(const SummaryProgram &Program,
                     std::vector<std::string> &Malformed) {
    std::map<const FunctionSummary *, GlobalValue::GUID> GUIDs;
    for (const auto &[GUID, Info] : Index)
      for (const auto &S : Info.getSummaryList())
        if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
          GUIDs[FS] = GUID;
    for (auto [I, FS] : enumerate(Program.Functions)) {
      StringRef Name = Program.Program[context::FunctionId(I)].Name;
      auto Found = Records.find({FS->modulePath().str(), GUIDs[FS]});
      bool HasRecords = !FS->callsites().empty() || !FS->allocs().empty();
      if (Found == Records.end() && !HasRecords)
        continue;
      if (Found == Records.end()) {
        Malformed.push_back(
            (Name + ": the index has no decisions for this function").str());
        continue;
      }
      const FunctionSummary &Decided = *Found->second;
      if (apply::recordsOfCalls(Decided).size() != FS->callsites().size() ||
          Decided.allocs().size() != FS->allocs().size()) {
        Malformed.push_back(
            (Name + ": the index has other records for this function than its "
                    "module")
                .str());
        continue;
      }
      for (auto [To, From] : zip(mutableCallsites(*FS), Decided.callsites()))
        To.Clones = From.Clones;
      for (auto [To, From] : zip(mutableAllocs(*FS), Decided.allocs()))
        To.Versions = From.Versions;
      for (CallsiteInfo Added : apply::recordsOfTailCalls(Decided))
        FS->addCallsite(Added);
    }
  }

  static MutableArrayRef<CallsiteInfo> mutableCallsites(FunctionSummary &FS) {
    if (FS.callsites().empty())
      return {};
    return FS.mutableCallsites();
  }
  static MutableArrayRef<AllocInfo> mutableAllocs(FunctionSummary &FS) {
    if (FS.allocs().empty())
      return {};
    return FS.mutableAllocs();
  }

  bool FrameNames;
  LinkContents Link;
  /// Hashes of the notes that ThinLTO modules have in their metadata.
  std::set<uint64_t> Notes;
  /// The files; names in the index refer to them.
  std::vector<std::unique_ptr<MemoryBuffer>> Buffers;
  /// The index of the ThinLTO modules.
  ModuleSummaryIndex Index{/*HaveGVs=*/false};
  MergedModule Merged;
  std::vector<std::unique_ptr<ModuleSummaryIndex>> DecidedIndexes;
  /// The file that each of them is from.
  std::vector<std::string> IndexFiles;
  /// Sorted, so that modules are read in the same order on every run.
  std::set<std::string> DecidedModules;
  /// Owned by DecidedIndexes.
  std::map<RecordKey, const FunctionSummary *> Records;
  std::set<RecordKey> Dead;
  DenseSet<const GlobalValueSummary *> Prevailing;
};

} // namespace

Expected<LinkContents> thermocline::lto::readLink(ArrayRef<std::string> Files,
                                                  bool FrameNames) {
  return Loader(FrameNames).load(Files);
}
