//===- Program/ReadProgram.cpp - Reads a program in this process ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadProgram.h"
#include "thermocline/Format/ProgramNotes.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;
using namespace thermocline;
using namespace thermocline::profile;

//===-- Facts -------------------------------------------------------------===//

static bool hasCode(const ObjectFile &Object) {
  bool AnySection = false;
  for (const SectionRef &Section : Object.sections()) {
    AnySection = true;
    if (Section.isText() && !Section.isVirtual() && Section.getSize() &&
        ELFSectionRef(Section).getType() != ELF::SHT_NOBITS)
      return true;
  }
  // Programs run without a table of sections.
  return !AnySection;
}

static void readDynamic(const ELF64LEObjectFile &Object, ProgramFacts &Facts) {
  const ELF64LEFile &File = Object.getELFFile();
  auto Entries = File.dynamicEntries();
  if (!Entries) {
    consumeError(Entries.takeError());
    return;
  }
  uint64_t Address = 0, Size = 0;
  for (const auto &Entry : *Entries) {
    if (Entry.getTag() == ELF::DT_STRTAB)
      Address = Entry.getPtr();
    if (Entry.getTag() == ELF::DT_STRSZ)
      Size = Entry.getVal();
  }
  auto Strings = File.toMappedAddr(Address);
  if (!Strings) {
    consumeError(Strings.takeError());
    return;
  }
  const auto *Begin = reinterpret_cast<const char *>(*Strings);
  if (Size > static_cast<uint64_t>(Object.getData().end() - Begin))
    return;
  const StringRef Table(Begin, Size);
  for (const auto &Entry : *Entries) {
    const StringRef Text = Table.substr(Entry.getVal()).split('\0').first;
    if (Entry.getTag() == ELF::DT_NEEDED)
      Facts.Needed.push_back(Text.str());
    if (Entry.getTag() == ELF::DT_RUNPATH || Entry.getTag() == ELF::DT_RPATH)
      for (StringRef Path : split(Text, ':'))
        Facts.RunPaths.push_back(Path.str());
  }
}

using LookAtNote = function_ref<void(uint32_t Type, StringRef Content)>;

/// Calls \p Look with each note of Thermocline's that \p Header, that of a
/// section or segment, has.
template <typename HeaderT>
static void forEachNoteIn(const ELF64LEFile &File, const HeaderT &Header,
                          size_t Alignment, LookAtNote Look) {
  Error Problem = Error::success();
  for (const auto Note : File.notes(Header, Problem))
    if (Note.getName() == THERMOCLINE_NOTE_OWNER)
      Look(Note.getType(), Note.getDescAsStringRef(Alignment));
  consumeError(std::move(Problem));
}

/// Calls \p Look with each note of Thermocline's in \p File. mold makes one
/// segment of sections of several alignments, which cannot be walked. So
/// segments count only where there are no sections.
static void forEachNote(const ELF64LEFile &File, LookAtNote Look) {
  auto Sections = File.sections();
  if (Sections && !Sections->empty()) {
    for (const auto &Header : *Sections)
      if (Header.sh_type == ELF::SHT_NOTE)
        forEachNoteIn(File, Header, Header.sh_addralign, Look);
    return;
  }
  if (!Sections)
    consumeError(Sections.takeError());
  auto Headers = File.program_headers();
  if (!Headers)
    return consumeError(Headers.takeError());
  for (const auto &Header : *Headers) {
    if (Header.p_type != ELF::PT_NOTE)
      continue;
    // As ours are, which are not aligned as the strictest of the segment.
    auto Aligned = Header;
    Aligned.p_align = 4;
    forEachNoteIn(File, Aligned, Aligned.p_align, Look);
  }
}

/// Whether functions of \p Object have versions, as far as its symbols say. A
/// stock backend makes some by an index of Thermocline's.
static bool hasVersions(const ELF64LEObjectFile &Object) {
  return any_of(Object.symbols(), [](const SymbolRef &Symbol) {
    Expected<StringRef> Name = Symbol.getName();
    if (Name)
      return Name->contains(".memprof.");
    consumeError(Name.takeError());
    return false;
  });
}

bool ProgramFacts::hasAllocator() const {
  return HasAllocatorArchive || any_of(Needed, [](StringRef Library) {
           return sys::path::filename(Library).starts_with(
               "libthermocline_alloc.so");
         });
}

Expected<ProgramFacts> profile::readFacts(StringRef Path) {
  Expected<OwningBinary<Binary>> Opened = openProgram(Path);
  if (!Opened)
    return Opened.takeError();
  const auto &Object = *cast<ELFObjectFileBase>(Opened->getBinary());
  ProgramFacts Result;
  append_range(Result.Id, getBuildID(&Object));
  Result.HasCode = hasCode(Object);
  Result.HasDebugInfo = hasDebugSection(Object);
  if (const auto *Is64 = dyn_cast<ELF64LEObjectFile>(&Object)) {
    // Without them, it would only seem to have no build id.
    if (auto Headers = Is64->getELFFile().program_headers(); !Headers)
      return inFile(Path, Headers.takeError());
    readDynamic(*Is64, Result);
    forEachNote(Is64->getELFFile(), [&](uint32_t Type, StringRef Content) {
      if (Type == THERMOCLINE_NOTE_ALLOCATOR)
        Result.HasAllocatorArchive = true;
      else if (Type == THERMOCLINE_NOTE_HINT)
        Result.HintsWithoutHeap.push_back(Content.split('\0').first.str());
      else if (Type == THERMOCLINE_NOTE_OTHER_LINKER)
        Result.MayLackHints = !hasVersions(*Is64);
      else if (Type == THERMOCLINE_NOTE_NATIVE_CODE)
        Result.HasNativeCode = true;
    });
  }
  return Result;
}

//===-- What it was built for ---------------------------------------------===//

/// Whether it can be started, by itself or by the dynamic linker.
static bool isStartable(const ELF64LEFile &File) {
  if (File.getHeader().e_type == ELF::ET_EXEC)
    return true;
  auto Headers = File.program_headers();
  if (Headers)
    return any_of(*Headers, [](const auto &Header) {
      return Header.p_type == ELF::PT_INTERP;
    });
  consumeError(Headers.takeError());
  return false;
}

bool profile::readWhetherBuiltForProfiles(StringRef Path) {
  Expected<OwningBinary<Binary>> Opened = openProgram(Path);
  if (!Opened) {
    consumeError(Opened.takeError());
    return false;
  }
  const auto *Object = dyn_cast<ELF64LEObjectFile>(Opened->getBinary());
  if (!Object)
    return false;
  bool IsOurs = false;
  forEachNote(Object->getELFFile(), [&](uint32_t Type, StringRef) {
    IsOurs |= Type == THERMOCLINE_NOTE_PROFILED;
  });
  // Symbols of clang's -fmemory-profile tell what needs the runtime, or a
  // program that has it. The runtime itself asks for symbols of programs, but
  // can do without.
  const bool IsProgram = isStartable(Object->getELFFile());
  auto IsClangs = [&](const SymbolRef &Symbol) {
    Expected<StringRef> Name = Symbol.getName();
    Expected<uint32_t> Flags = Symbol.getFlags();
    if (Name && Flags)
      return Name->starts_with("__memprof_") &&
             (IsProgram || ((*Flags & BasicSymbolRef::SF_Undefined) &&
                            !(*Flags & BasicSymbolRef::SF_Weak)));
    consumeError(Name.takeError());
    consumeError(Flags.takeError());
    return false;
  };
  return IsOurs || any_of(Object->symbols(), IsClangs) ||
         any_of(Object->getDynamicSymbolIterators(), IsClangs);
}

//===-- Names -------------------------------------------------------------===//

/// Calls \p Add with each function that \p Unit has entries of.
static void
readUnit(DWARFUnit &Unit, bool WithPlaces,
         function_ref<void(StringRef Name, FunctionPlace Place)> Add) {
  for (const DWARFDebugInfoEntry &Entry : Unit.dies()) {
    DWARFDie Die(&Unit, &Entry);
    if (!Die.isSubprogramDIE())
      continue;
    const char *Name = Die.getSubroutineName(
        DILineInfoSpecifier::FunctionNameKind::LinkageName);
    if (!Name)
      continue;
    FunctionPlace Place;
    // A declaration may be anywhere.
    if (const uint64_t Line = WithPlaces ? Die.getDeclLine() : 0;
        Line && !Die.find(dwarf::DW_AT_declaration))
      Place = {displayPath(Die.getDeclFile(
                   DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath)),
               static_cast<uint32_t>(Line)};
    Add(Name, std::move(Place));
  }
}

Error profile::readNames(
    StringRef Path, ArrayRef<std::string> DebugDirectories, NameDetail Wanted,
    function_ref<void(StringRef Name, FunctionPlace Place)> Add,
    function_ref<void(const std::string &)> Problem) {
  Expected<ProgramFile> File = ProgramFile::open(Path, DebugDirectories);
  if (!File)
    return File.takeError();
  File->allowReading();
  for (const std::string &Each : File->problems())
    Problem(Each);
  for (const ELFSymbolRef &Symbol : File->symbols().symbols()) {
    if (Symbol.getELFType() != ELF::STT_FUNC)
      continue;
    Expected<StringRef> Name = Symbol.getName();
    if (!Name)
      return inFile(Path, Name.takeError());
    if (!Name->empty())
      Add(*Name, {});
  }
  if (Wanted == NameDetail::OfSymbols)
    return Error::success();
  const std::string DebugPath = File->debugPath().str();
  std::unique_ptr<DWARFContext> Context =
      File->createContext([&](const std::string &What) {
        Problem(debugInfoWarning(DebugPath, What));
      });
  for (const std::unique_ptr<DWARFUnit> &Skeleton : Context->compile_units())
    // With split DWARF, the unit is in another file.
    if (DWARFUnit *Unit = unitWithEntries(*Skeleton))
      readUnit(*Unit, Wanted == NameDetail::AllWithPlaces, Add);
  return Error::success();
}
