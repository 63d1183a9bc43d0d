//===- lto/inspect/ObjectInspector.cpp - Versions and hints in a file -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions are decoded one after the other from the start of each function.
// What a call or jump calls is told by the relocation that it has, else by the
// symbol, procedure linkage entry or global offset entry at its target. Cost:
// linear in the code.
//
//===----------------------------------------------------------------------===//

#include "ObjectInspector.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;
using report::CodeFunction;
using report::CodeList;

namespace {

/// Whether calls of \p Symbol are listed.
bool isOfInterest(StringRef Symbol) {
  static const StringSet<> HintFunctions = [] {
    StringSet<> Result;
    for (const annotate::AllocationFunction &Row :
         annotate::allocationFunctions())
      Result.insert(Row.ColdName);
    return Result;
  }();
  return HintFunctions.contains(Symbol) ||
         report::VersionSymbol::parse(Symbol).Version;
}

/// Everything that decodes instructions of one machine.
struct Decoder {
  std::unique_ptr<MCRegisterInfo> Registers;
  std::unique_ptr<MCAsmInfo> Assembly;
  std::unique_ptr<MCSubtargetInfo> Subtarget;
  std::unique_ptr<MCInstrInfo> Instructions;
  std::unique_ptr<MCContext> Context;
  std::unique_ptr<MCDisassembler> Disassembler;
  std::unique_ptr<MCInstrAnalysis> Analysis;

  static Expected<Decoder> create(const object::ObjectFile &File) {
    Triple TT = File.makeTriple();
    std::string Message;
    const Target *Machine = TargetRegistry::lookupTarget(TT, Message);
    auto Unknown = [&] {
      return fileError(File.getFileName(), "instructions of " +
                                               TT.getArchName() +
                                               " are not known here");
    };
    if (!Machine)
      return Unknown();
    auto Features = File.getFeatures();
    if (!Features)
      return inFile(File.getFileName(), Features.takeError());
    Decoder D;
    D.Registers.reset(Machine->createMCRegInfo(TT));
    D.Assembly.reset(
        Machine->createMCAsmInfo(*D.Registers, TT, MCTargetOptions()));
    D.Subtarget.reset(
        Machine->createMCSubtargetInfo(TT, "", Features->getString()));
    D.Instructions.reset(Machine->createMCInstrInfo());
    D.Context = std::make_unique<MCContext>(
        TT, D.Assembly.get(), D.Registers.get(), D.Subtarget.get());
    D.Disassembler.reset(
        Machine->createMCDisassembler(*D.Subtarget, *D.Context));
    if (!D.Disassembler)
      return Unknown();
    D.Analysis.reset(Machine->createMCInstrAnalysis(D.Instructions.get()));
    return std::move(D);
  }
};

class ObjectReader {
public:
  ObjectReader(const object::ELFObjectFileBase &File, Decoder Machine)
      : File(File), Machine(std::move(Machine)) {}

  Expected<CodeList> read() {
    if (Error E = readSymbols())
      return inFile(File.getFileName(), std::move(E));
    if (Functions.empty())
      return fileError(File.getFileName(),
                       "no symbols of functions; was it stripped?");
    readTargets();
    if (Error E = readRelocatedSections())
      return inFile(File.getFileName(), std::move(E));
    for (const object::SectionRef &Section : File.sections())
      if (Section.isText())
        if (Error E = readSection(Section))
          return inFile(File.getFileName(), std::move(E));
    CodeList Result;
    Result.File = File.getFileName().str();
    for (auto &[Place, F] : Functions)
      Result.Functions.push_back(std::move(F));
    return Result;
  }

private:
  /// Section number (objects have addresses in sections only) and address.
  using Place = std::pair<uint64_t, uint64_t>;

  Place placeOf(const object::SectionRef &Section, uint64_t Address) const {
    return {File.isRelocatableObject() ? Section.getIndex() : 0, Address};
  }

  Error addSymbol(const object::ELFSymbolRef &Symbol) {
    if (Symbol.getELFType() != ELF::STT_FUNC)
      return Error::success();
    auto Section = Symbol.getSection();
    auto Address = Symbol.getAddress();
    auto Name = Symbol.getName();
    if (!Section || !Address || !Name)
      return joinErrors(
          joinErrors(Section ? Error::success() : Section.takeError(),
                     Address ? Error::success() : Address.takeError()),
          Name ? Error::success() : Name.takeError());
    if (*Section == File.section_end())
      return Error::success();
    // Aliases share a place: the name of a version, or one that takes a hint,
    // tells more than another.
    CodeFunction &F = Functions[placeOf(**Section, *Address)];
    auto Rank = [](StringRef Text) {
      return std::pair(!isOfInterest(Text), Text);
    };
    if (F.Name.empty() || Rank(*Name) < Rank(F.Name))
      F.Name = Name->str();
    return Error::success();
  }

  Error readSymbols() {
    for (const object::ELFSymbolRef Symbol : File.symbols())
      if (Error E = addSymbol(Symbol))
        return E;
    if (Functions.empty())
      for (const object::ELFSymbolRef Symbol : File.getDynamicSymbolIterators())
        if (Error E = addSymbol(Symbol))
          return E;
    return Error::success();
  }

  static std::string nameOf(const object::SymbolRef &Symbol) {
    auto Name = Symbol.getName();
    if (Name)
      return Name->str();
    consumeError(Name.takeError());
    return "";
  }

  /// Procedure linkage and global offset entries.
  void readTargets() {
    if (File.isRelocatableObject())
      return;
    for (const object::ELFPltEntry &Entry :
         File.getPltEntries(*Machine.Subtarget))
      if (Entry.Symbol)
        Targets[Entry.Address] =
            nameOf(object::SymbolRef(*Entry.Symbol, &File));
    for (const object::SectionRef &Section : File.dynamic_relocation_sections())
      for (const object::RelocationRef &Relocation : Section.relocations())
        if (auto Symbol = Relocation.getSymbol(); Symbol != File.symbol_end())
          Slots[Relocation.getOffset()] = nameOf(*Symbol);
  }

  /// Which sections hold the relocations of an object's sections.
  Error readRelocatedSections() {
    if (!File.isRelocatableObject())
      return Error::success();
    for (const object::SectionRef &Section : File.sections()) {
      auto Relocated = Section.getRelocatedSection();
      if (!Relocated)
        return Relocated.takeError();
      if (*Relocated != File.section_end())
        RelocationsOf[(*Relocated)->getIndex()].push_back(Section);
    }
    return Error::success();
  }

  /// Names by the offset of their relocation in \p Section.
  std::map<uint64_t, std::string>
  relocationsOf(const object::SectionRef &Section) {
    std::map<uint64_t, std::string> Result;
    for (const object::SectionRef &Of : RelocationsOf[Section.getIndex()])
      for (const object::RelocationRef &Relocation : Of.relocations())
        if (auto Symbol = Relocation.getSymbol(); Symbol != File.symbol_end())
          Result[Relocation.getOffset()] = nameOf(*Symbol);
    return Result;
  }

  Error readSection(const object::SectionRef &Section) {
    auto Contents = Section.getContents();
    if (!Contents)
      return Contents.takeError();
    ArrayRef<uint8_t> Code = arrayRefFromStringRef(*Contents);
    std::map<uint64_t, std::string> Relocations = relocationsOf(Section);
    uint64_t Begin = Section.getAddress(), End = Begin + Code.size();
    auto At = Functions.lower_bound(placeOf(Section, Begin));
    auto Last = Functions.lower_bound(placeOf(Section, End));
    for (; At != Last; ++At) {
      uint64_t Stop = std::next(At) == Last ? End : std::next(At)->first.second;
      for (uint64_t Address = At->first.second; Address < Stop;) {
        MCInst Instruction;
        uint64_t Size = 0;
        bool Decoded = Machine.Disassembler->getInstruction(
                           Instruction, Size, Code.drop_front(Address - Begin),
                           Address, nulls()) != MCDisassembler::Fail;
        Size = std::max<uint64_t>(Size, 1);
        if (Decoded && (Machine.Analysis->isCall(Instruction) ||
                        Machine.Analysis->isBranch(Instruction)))
          note(At->second, Section, Instruction, Address, Size, Relocations);
        Address += Size;
      }
    }
    return Error::success();
  }

  void note(CodeFunction &Caller, const object::SectionRef &Section,
            const MCInst &Instruction, uint64_t Address, uint64_t Size,
            const std::map<uint64_t, std::string> &Relocations) {
    std::string Callee;
    auto Relocation = Relocations.lower_bound(Address);
    uint64_t Target;
    if (Relocation != Relocations.end() && Relocation->first < Address + Size) {
      Callee = Relocation->second;
    } else if (Machine.Analysis->evaluateBranch(Instruction, Address, Size,
                                                Target)) {
      if (auto Found = Functions.find(placeOf(Section, Target));
          Found != Functions.end())
        Callee = Found->second.Name;
      else if (auto Entry = Targets.find(Target); Entry != Targets.end())
        Callee = Entry->second;
    } else if (auto Slot = Machine.Analysis->evaluateMemoryOperandAddress(
                   Instruction, Machine.Subtarget.get(), Address, Size)) {
      if (auto Entry = Slots.find(*Slot); Entry != Slots.end())
        Callee = Entry->second;
    }
    // A jump to the beginning of a function is a loop or a call of itself.
    if (isOfInterest(Callee) && Callee != Caller.Name)
      ++Caller.Calls[Callee];
  }

  const object::ELFObjectFileBase &File;
  Decoder Machine;
  std::map<Place, CodeFunction> Functions;
  /// By section number.
  std::map<uint64_t, std::vector<object::SectionRef>> RelocationsOf;
  /// By address.
  std::map<uint64_t, std::string> Targets, Slots;
};

/// The versions in \p M and what it calls; nothing if it has contexts still.
std::optional<CodeList> readModuleCode(const Module &M) {
  CodeList Result;
  Result.File = M.getModuleIdentifier();
  bool AnyOfInterest = false;
  for (const Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    CodeFunction &Added = Result.Functions.emplace_back();
    Added.Name = F.getName().str();
    AnyOfInterest |= isOfInterest(F.getName());
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (Call->hasMetadata(LLVMContext::MD_memprof) ||
          Call->hasMetadata(LLVMContext::MD_callsite))
        return std::nullopt;
      auto *Callee =
          dyn_cast<GlobalValue>(Call->getCalledOperand()->stripPointerCasts());
      if (Callee && isOfInterest(Callee->getName())) {
        AnyOfInterest = true;
        ++Added.Calls[Callee->getName().str()];
      }
    }
  }
  if (!AnyOfInterest)
    return std::nullopt;
  return Result;
}

} // namespace

bool thermocline::lto::isMachineCode(MemoryBufferRef File) {
  switch (identify_magic(File.getBuffer())) {
  case file_magic::elf_relocatable:
  case file_magic::elf_executable:
  case file_magic::elf_shared_object:
    return true;
  default:
    return false;
  }
}

Expected<std::optional<CodeList>>
thermocline::lto::readCode(MemoryBufferRef File) {
  if (!isMachineCode(File)) {
    auto Contents = getBitcodeFileContents(File);
    if (!Contents || Contents->Mods.size() != 1) {
      consumeError(Contents.takeError());
      return std::nullopt;
    }
    // What has a summary is for a link to come, or is an index.
    auto Info = Contents->Mods.front().getLTOInfo();
    if (!Info || Info->HasSummary) {
      consumeError(Info.takeError());
      return std::nullopt;
    }
    LLVMContext Context;
    auto Parsed = Contents->Mods.front().parseModule(Context);
    if (!Parsed) {
      consumeError(Parsed.takeError());
      return std::nullopt;
    }
    return readModuleCode(**Parsed);
  }
  auto Object = object::ObjectFile::createELFObjectFile(File);
  if (!Object)
    return inFile(File.getBufferIdentifier(), Object.takeError());
  Expected<Decoder> Machine = Decoder::create(**Object);
  if (!Machine)
    return Machine.takeError();
  auto Read = ObjectReader(*cast<object::ELFObjectFileBase>(Object->get()),
                           std::move(*Machine))
                  .read();
  if (!Read)
    return Read.takeError();
  return std::move(*Read);
}
