//===- plugin/ClaimedFiles.cpp - The bitcode of a link --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClaimedFiles.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto::plugin;

namespace llto = llvm::lto;

/// Whether there is bitcode in it. What else may be wrong with a native object
/// is the linker's to say.
static bool hasBitcode(MemoryBufferRef Contents) {
  switch (identify_magic(Contents.getBuffer())) {
  case file_magic::bitcode:
    return true;
  case file_magic::elf_relocatable: {
    auto Section = object::IRObjectFile::findBitcodeInMemBuffer(Contents);
    if (Section)
      return true;
    consumeError(Section.takeError());
    return false;
  }
  default:
    return false;
  }
}

static char kindOf(const llto::InputFile::Symbol &Symbol) {
  if (Symbol.isUndefined())
    return Symbol.isWeak() ? LDPK_WEAKUNDEF : LDPK_UNDEF;
  if (Symbol.isCommon())
    return LDPK_COMMON;
  return Symbol.isWeak() ? LDPK_WEAKDEF : LDPK_DEF;
}

static ld_plugin_symbol_visibility
visibilityOf(const llto::InputFile::Symbol &Symbol) {
  switch (Symbol.getVisibility()) {
  case GlobalValue::DefaultVisibility:
    return LDPV_DEFAULT;
  case GlobalValue::HiddenVisibility:
    return LDPV_HIDDEN;
  case GlobalValue::ProtectedVisibility:
    return LDPV_PROTECTED;
  }
  llvm_unreachable("a visibility that ELF does not have");
}

ld_plugin_symbol ClaimedFiles::describe(const llto::InputFile &Input,
                                        const llto::InputFile::Symbol &Symbol,
                                        bool WithKinds) {
  // Old linkers read the bytes of the kinds as part of another field.
  ld_plugin_symbol Result = {};
  Result.name = const_cast<char *>(Strings.save(Symbol.getName()).data());
  Result.def = kindOf(Symbol);
  Result.visibility = visibilityOf(Symbol);
  Result.resolution = LDPR_UNKNOWN;
  if (Symbol.isCommon())
    Result.size = Symbol.getCommonSize();
  if (int Index = Symbol.getComdatIndex(); Index != -1) {
    auto [Key, Kind] = Input.getComdatTable()[Index];
    if (Kind != Comdat::NoDeduplicate)
      Result.comdat_key = const_cast<char *>(Strings.save(Key).data());
  }
  if (WithKinds) {
    // Nothing is known of what is neither executable nor named by the module
    // (symbols of module assembly).
    if (Symbol.isExecutable())
      Result.symbol_type = LDST_FUNCTION;
    else if (!Symbol.getIRName().empty() && !Symbol.isUndefined())
      Result.symbol_type = LDST_VARIABLE;
    if (Symbol.isCommon())
      Result.section_kind = LDSSK_BSS;
  }
  return Result;
}

Expected<bool> ClaimedFiles::claim(const ld_plugin_input_file &Shown,
                                   const PluginOptions &Options,
                                   const Linker &Host) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Contents =
      MemoryBuffer::getOpenFileSlice(sys::fs::convertFDToNativeFile(Shown.fd),
                                     Shown.name, Shown.filesize, Shown.offset);
  if (!Contents)
    return fileError(Shown.name, Contents.getError().message());
  if (!hasBitcode(**Contents))
    return false;

  auto Claimed = std::make_unique<File>();
  Claimed->Handle = Shown.handle;
  Claimed->Name = Members.moduleName(Shown.name, Shown.offset);
  StringRef Module = Claimed->Name;
  Claimed->Module = Module.consume_back(Options.ObjectSuffix.Old)
                        ? (Module + Options.ObjectSuffix.New).str()
                        : Claimed->Name;
  Claimed->Contents = std::move(*Contents);
  auto Input = llto::InputFile::create(
      MemoryBufferRef(Claimed->Contents->getBuffer(), Claimed->Module));
  if (!Input)
    return fileError(Claimed->Name, "bitcode that cannot be read: " +
                                        toString(Input.takeError()));
  for (const llto::InputFile::Symbol &Symbol : (*Input)->symbols()) {
    NameInfo &Info = Names[Symbol.getName()];
    Info.MayBeOmitted &= Symbol.canBeOmittedFromSymbolTable();
    Info.HasDefaultVisibility &=
        Symbol.getVisibility() == GlobalValue::DefaultVisibility;
    Claimed->Symbols.push_back(
        describe(**Input, Symbol, Host.takesSymbolKinds()));
  }
  if (Host.addSymbols(Claimed->Handle, Claimed->Symbols) != LDPS_OK)
    return fileError(Claimed->Name, "the linker does not take its symbols");
  Host.closeClaimed(Claimed->Handle);
  Claimed->Input = std::move(*Input);
  Files.push_back(std::move(Claimed));
  return true;
}

/// Linkers define __start_NAME and __stop_NAME for sections of such names,
/// which keeps what is in them.
static bool isSectionWithBounds(StringRef Section) {
  return !Section.empty() && !isDigit(Section.front()) &&
         all_of(Section, [](char C) { return isAlnum(C) || C == '_'; });
}

llto::SymbolResolution
thermocline::lto::plugin::resolve(ld_plugin_symbol_resolution Resolution,
                                  bool IsDefined,
                                  const llto::InputFile::Symbol &Symbol,
                                  const NameInfo &Info, const Linker &Host) {
  llto::SymbolResolution Result;
  switch (Resolution) {
  case LDPR_PREVAILING_DEF:
    Result.Prevailing = IsDefined;
    Result.VisibleToRegularObj = true;
    break;
  case LDPR_PREVAILING_DEF_IRONLY:
    Result.Prevailing = IsDefined;
    break;
  case LDPR_PREVAILING_DEF_IRONLY_EXP:
    // A shared library may refer to it that the linker does not see.
    Result.Prevailing = IsDefined;
    Result.ExportDynamic = true;
    Result.VisibleToRegularObj = !Info.MayBeOmitted;
    break;
  case LDPR_RESOLVED_DYN:
    Result.ExportDynamic = true;
    break;
  case LDPR_UNKNOWN:
  case LDPR_UNDEF:
  case LDPR_PREEMPTED_REG:
  case LDPR_PREEMPTED_IR:
  case LDPR_RESOLVED_IR:
  case LDPR_RESOLVED_EXEC:
    break;
  }
  bool IsInThisUnit = Resolution != LDPR_UNKNOWN && Resolution != LDPR_UNDEF &&
                      Resolution != LDPR_RESOLVED_DYN;
  Result.FinalDefinitionInLinkageUnit =
      IsInThisUnit && (Host.isExecutable() || !Info.HasDefaultVisibility);
  // Whoever links a relocatable output refers to what he likes.
  Result.VisibleToRegularObj |= Host.outputKind() == OutputKind::Relocatable ||
                                isSectionWithBounds(Symbol.getSectionName()) ||
                                Host.referred().contains(Symbol.getName());
  if (Host.redefined().contains(Symbol.getName())) {
    Result.LinkerRedefined = true;
    Result.VisibleToRegularObj = true;
  }
  return Result;
}

/// InputFile::isThinLTO answers only once the file was added.
static bool isThinLTO(llto::InputFile &Input) {
  Expected<BitcodeLTOInfo> Info = Input.getPrimaryBitcodeModule().getLTOInfo();
  if (Info)
    return Info->IsThinLTO;
  // Adding the file fails with it.
  consumeError(Info.takeError());
  return false;
}

/// LTO would compile a module of another machine for that of the first.
static Error checkMachine(StringRef Name, Triple Given, Triple &First) {
  if (First.getArch() == Triple::UnknownArch)
    First = Given;
  if (Given.getArch() == Triple::UnknownArch ||
      Given.getArch() == First.getArch())
    return Error::success();
  return fileError(Name, "bitcode for " + Given.getArchName() +
                             " in a link for " + First.getArchName());
}

Expected<ClaimedFiles::Modules> ClaimedFiles::addTo(llto::LTO &Link,
                                                    const Linker &Host) {
  Modules Result;
  Triple Machine;
  for (std::unique_ptr<File> &F : Files) {
    ld_plugin_status Status = Host.getSymbols(F->Handle, F->Symbols);
    // This says nothing about a file without symbols.
    if (Status == LDPS_NO_SYMS && !F->Symbols.empty()) {
      Result.Skipped.push_back(F->Module);
      continue;
    }
    if (Status != LDPS_OK && Status != LDPS_NO_SYMS)
      return fileError(F->Name, "the linker tells no symbol resolutions");
    if (Error E =
            checkMachine(F->Name, Triple(F->Input->getTargetTriple()), Machine))
      return std::move(E);
    std::vector<llto::SymbolResolution> Resolutions;
    for (auto [Told, Symbol] : zip_equal(F->Symbols, F->Input->symbols())) {
      llto::SymbolResolution Resolution =
          resolve(static_cast<ld_plugin_symbol_resolution>(Told.resolution),
                  !Symbol.isUndefined(), Symbol, Names[Symbol.getName()], Host);
      // These linkers wrap what is undefined where it is called. Regular LTO
      // makes one object, in which nothing of its modules is.
      if (Resolution.Prevailing && Resolution.LinkerRedefined &&
          !isThinLTO(*F->Input))
        Host.warn(F->Name + ": " + Symbol.getName() +
                  ": --wrap does not reach calls of this function from modules "
                  "of regular LTO, since it is defined in one; compile one of "
                  "them with -flto=thin");
      if (Told.resolution == LDPR_UNKNOWN || Told.resolution == LDPR_UNDEF)
        Result.Undefined.insert(Symbol.getName());
      Resolutions.push_back(Resolution);
    }
    if (Error E = Link.add(std::move(F->Input), Resolutions))
      return inFile(F->Name, std::move(E));
    Result.Linked.push_back(F->Module);
  }
  return std::move(Result);
}
