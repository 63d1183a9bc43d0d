//===- Profile/Program/ProgramFile.cpp - A program and its debug file -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/ReaderProcess.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;
using namespace llvm::object;
using namespace thermocline;
using namespace thermocline::profile;

static constexpr StringLiteral SystemDirectory = "/usr/lib/debug";

static std::optional<SectionRef> findSection(const ObjectFile &Object,
                                             ArrayRef<StringRef> Names) {
  for (const SectionRef &Section : Object.sections()) {
    Expected<StringRef> Name = Section.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (is_contained(Names, *Name))
      return Section;
  }
  return std::nullopt;
}

bool profile::hasDebugSection(const ObjectFile &Object) {
  return findSection(Object, {".debug_info", ".zdebug_info"}).has_value();
}

namespace {

struct DebugLink {
  std::string Name;
  uint32_t Checksum = 0;
};

/// A place where a debug file may be.
struct Candidate {
  std::string Path;
  /// What the file must have, if a section says it.
  std::optional<uint32_t> Checksum;
};

} // namespace

static std::optional<DebugLink> debugLinkOf(const ObjectFile &Object) {
  auto Section = findSection(Object, {".gnu_debuglink"});
  if (!Section)
    return std::nullopt;
  Expected<StringRef> Contents = Section->getContents();
  if (!Contents) {
    consumeError(Contents.takeError());
    return std::nullopt;
  }
  DataExtractor Reader(*Contents, Object.isLittleEndian(), 0);
  uint64_t Offset = 0;
  const char *Name = Reader.getCStr(&Offset);
  Offset = alignTo(Offset, 4);
  if (!Name || !*Name || !Reader.isValidOffsetForDataOfSize(Offset, 4))
    return std::nullopt;
  return DebugLink{Name, Reader.getU32(&Offset)};
}

/// The places to look at, in the order of trust: a build id identifies one
/// build.
static std::vector<Candidate> candidates(const ObjectFile &Program,
                                         StringRef Path,
                                         ArrayRef<std::string> Directories) {
  std::vector<std::string> Roots = Directories.vec();
  Roots.push_back(SystemDirectory.str());
  std::vector<Candidate> Result;
  auto Add = [&](ArrayRef<StringRef> Parts, std::optional<uint32_t> Checksum) {
    SmallString<256> File;
    for (StringRef Part : Parts)
      sys::path::append(File, Part);
    // Several of the names may lead to one file.
    if (sys::fs::exists(File) && !sys::fs::equivalent(File, Path) &&
        none_of(Result, [&](const Candidate &Other) {
          return Other.Checksum == Checksum &&
                 sys::fs::equivalent(File, Other.Path);
        }))
      Result.push_back({File.str().str(), Checksum});
  };
  const std::string BuildId = toHex(getBuildID(&Program), /*LowerCase=*/true);
  if (BuildId.size() > 2)
    for (const std::string &Root : Roots)
      Add({Root, ".build-id", StringRef(BuildId).take_front(2),
           BuildId.substr(2) + ".debug"},
          std::nullopt);
  std::optional<DebugLink> Link = debugLinkOf(Program);
  if (!Link)
    return Result;
  SmallString<256> Given(sys::path::parent_path(Path)), Real;
  if (!sys::fs::real_path(Path, Real))
    sys::path::remove_filename(Real);
  std::vector<StringRef> Beside = {Given};
  if (Real != Given)
    Beside.push_back(Real);
  for (StringRef Directory : Beside) {
    Add({Directory, Link->Name}, Link->Checksum);
    Add({Directory, ".debug", Link->Name}, Link->Checksum);
  }
  for (const std::string &Root : Roots) {
    Add({Root, Link->Name}, Link->Checksum);
    Add({Root, Real, Link->Name}, Link->Checksum);
  }
  return Result;
}

/// What is wrong with \p File as debug file of \p Program; empty if nothing.
static std::string problemWith(const Candidate &C, const Binary &File,
                               const ObjectFile &Program) {
  if (C.Checksum) {
    const uint32_t Is = crc32(arrayRefFromStringRef(File.getData()));
    if (Is != *C.Checksum)
      return "its checksum is " + hexText(Is) + ", but the program asks for " +
             hexText(*C.Checksum);
  }
  auto *Object = dyn_cast<ELFObjectFileBase>(&File);
  if (!Object)
    return "it is no ELF file";
  const BuildIDRef Has = getBuildID(Object), Wanted = getBuildID(&Program);
  // Without one in the file, the checksum has to do.
  if (Has != Wanted && !(Has.empty() && C.Checksum))
    return "its build id is " +
           (Has.empty() ? "missing" : toHex(Has, /*LowerCase=*/true)) +
           ", but the program's is " + toHex(Wanted, /*LowerCase=*/true);
  if (!hasDebugSection(*Object))
    return "it has no debug information";
  return "";
}

static uint64_t fileSize(StringRef Path) {
  uint64_t Size = 0;
  return sys::fs::file_size(Path, Size) ? 0 : Size;
}

static std::string packageOf(StringRef Path) { return (Path + ".dwp").str(); }

Expected<OwningBinary<Binary>> profile::openProgram(StringRef Path) {
  // LLVM would wait for a stream, and read it once too often.
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) && !sys::fs::is_regular_file(Status) &&
      !sys::fs::is_directory(Status))
    return fileError(Path, "a program must be a regular file");
  ReaderProcess::allowFor(Status.getSize());
  Expected<OwningBinary<Binary>> Opened = createBinary(Path);
  if (!Opened)
    return inFile(Path, Opened.takeError());
  if (!isa<ELFObjectFileBase>(Opened->getBinary()))
    return fileError(Path, "not an ELF file");
  return Opened;
}

Expected<ProgramFile> ProgramFile::open(StringRef Path,
                                        ArrayRef<std::string> DebugDirectories,
                                        ArrayRef<std::string> DebugFiles) {
  Expected<OwningBinary<Binary>> Opened = openProgram(Path);
  if (!Opened)
    return Opened.takeError();
  ProgramFile Result;
  Result.Path = Path.str();
  Result.Program = std::move(*Opened);
  if (!hasDebugSection(Result.program()))
    Result.findDebugFile(DebugDirectories, DebugFiles);
  return std::move(Result);
}

void ProgramFile::findDebugFile(ArrayRef<std::string> Directories,
                                ArrayRef<std::string> Files) {
  std::vector<Candidate> All;
  for (const std::string &File : Files)
    All.push_back({File, std::nullopt});
  append_range(All, candidates(program(), Path, Directories));
  for (const Candidate &C : All) {
    ReaderProcess::allowFor(fileSize(C.Path));
    Expected<OwningBinary<Binary>> Opened = createBinary(C.Path);
    std::string Problem = Opened
                              ? problemWith(C, *Opened->getBinary(), program())
                              : toString(Opened.takeError());
    if (Problem.empty()) {
      DebugPath = C.Path;
      Debug = std::move(*Opened);
      Problems.clear();
      return;
    }
    Problems.push_back(C.Path + ": not the debug file of " + Path + ": " +
                       Problem);
  }
}

const ELFObjectFileBase &ProgramFile::program() const {
  return *cast<ELFObjectFileBase>(Program.getBinary());
}

const ELFObjectFileBase &ProgramFile::debug() const {
  return DebugPath.empty() ? program()
                           : *cast<ELFObjectFileBase>(Debug.getBinary());
}

const ELFObjectFileBase &ProgramFile::symbols() const {
  return findSection(program(), {".symtab"}) ? program() : debug();
}

bool ProgramFile::hasDebugInfo() const { return hasDebugSection(debug()); }

std::unique_ptr<DWARFContext>
ProgramFile::createContext(DebugInfoWarning Warn) const {
  // LLVM looks for the package beside the file with the debug information.
  std::string Package = packageOf(Path);
  if (!sys::fs::exists(Package))
    Package.clear();
  auto OnError = [Warn = std::move(Warn)](Error E) {
    Warn(toString(std::move(E)));
  };
  return DWARFContext::create(debug(),
                              DWARFContext::ProcessDebugRelocations::Process,
                              /*L=*/nullptr, Package, OnError, OnError);
}

void ProgramFile::allowReading() const {
  uint64_t Size = fileSize(Path) + fileSize(packageOf(Path));
  if (!DebugPath.empty())
    Size += fileSize(DebugPath) + fileSize(packageOf(DebugPath));
  ReaderProcess::allowFor(Size);
}

std::vector<std::string>
profile::debugFilesOf(StringRef Path, ArrayRef<std::string> DebugDirectories) {
  std::vector<std::string> Result;
  if (!sys::fs::is_regular_file(Path))
    return Result;
  Expected<OwningBinary<Binary>> Opened = createBinary(Path);
  if (!Opened) {
    consumeError(Opened.takeError());
    return Result;
  }
  if (auto *Program = dyn_cast<ELFObjectFileBase>(Opened->getBinary()))
    for (Candidate &C : candidates(*Program, Path, DebugDirectories))
      Result.push_back(std::move(C.Path));
  for (size_t I = 0, E = Result.size(); I != E; ++I)
    Result.push_back(packageOf(Result[I]));
  Result.push_back(packageOf(Path));
  return Result;
}

DWARFUnit *profile::unitWithEntries(DWARFUnit &Unit) {
  return Unit.getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false)
      .getDwarfUnit();
}

std::string profile::debugInfoWarning(StringRef Path, StringRef What) {
  return (Path + ": debug information: " + What).str();
}

void profile::forEachSplitUnit(
    DWARFContext &Context,
    function_ref<void(DWARFUnit &Unit, const char *Name)> Visit) {
  for (const std::unique_ptr<DWARFUnit> &Unit : Context.compile_units()) {
    const DWARFDie Skeleton = Unit->getUnitDIE();
    if (const char *Name = dwarf::toString(
            Skeleton.find({dwarf::DW_AT_dwo_name, dwarf::DW_AT_GNU_dwo_name}),
            nullptr))
      Visit(*Unit, Name);
  }
}

std::vector<std::string>
profile::splitFilesOf(StringRef Path, ArrayRef<std::string> DebugDirectories) {
  std::vector<std::string> Result;
  if (!sys::fs::is_regular_file(Path))
    return Result;
  Expected<ProgramFile> File = ProgramFile::open(Path, DebugDirectories);
  if (!File) {
    consumeError(File.takeError());
    return Result;
  }
  File->allowReading();
  std::unique_ptr<DWARFContext> Context =
      File->createContext([](const std::string &) {});
  forEachSplitUnit(*Context, [&](DWARFUnit &Unit, const char *Name) {
    // As LLVM looks for it.
    SmallString<256> Whole;
    if (const char *Directory = Unit.getCompilationDir();
        Directory && sys::path::is_relative(Name))
      Whole = Directory;
    sys::path::append(Whole, Name);
    Result.push_back(Whole.str().str());
  });
  return Result;
}
