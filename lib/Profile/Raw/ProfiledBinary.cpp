//===- Profile/Raw/ProfiledBinary.cpp - From addresses to frames ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/ProfiledBinary.h"
#include "thermocline/Format/AllocationKinds.h"
#include "thermocline/Format/CallTable.h"
#include "thermocline/Format/DataTypes.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableObjectFile.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;
using namespace llvm::object;
using namespace thermocline;
using namespace thermocline::profile;

/// Segments are mapped by pages.
static constexpr uint64_t PageMask = 0xfff;

template <class ELFT>
static Error collectExecutableSegments(const ELFObjectFile<ELFT> &Object,
                                       std::vector<uint64_t> &Result) {
  auto Headers = Object.getELFFile().program_headers();
  if (!Headers)
    return Headers.takeError();
  for (const auto &Header : *Headers)
    if (Header.p_type == ELF::PT_LOAD && (Header.p_flags & ELF::PF_X))
      Result.push_back(Header.p_vaddr);
  return Error::success();
}

static Error executableSegments(const ObjectFile &Object,
                                std::vector<uint64_t> &Result) {
  if (auto *ELF = dyn_cast<ELF64LEObjectFile>(&Object))
    return collectExecutableSegments(*ELF, Result);
  if (auto *ELF = dyn_cast<ELF32LEObjectFile>(&Object))
    return collectExecutableSegments(*ELF, Result);
  if (auto *ELF = dyn_cast<ELF64BEObjectFile>(&Object))
    return collectExecutableSegments(*ELF, Result);
  return createStringError(inconvertibleErrorCode(), "not an ELF file");
}

namespace {
/// For a symbolizer that looks at symbols only.
struct NoDebugInfo : DWARFObject {
  StringRef getFileName() const override { return ""; }
  bool isLittleEndian() const override { return true; }
  uint8_t getAddressSize() const override { return sizeof(uint64_t); }
  std::optional<RelocAddrEntry> find(const DWARFSection &,
                                     uint64_t) const override {
    return std::nullopt;
  }
};
} // namespace

Expected<std::unique_ptr<ProfiledBinary>>
ProfiledBinary::open(const ChosenBinary &File,
                     ArrayRef<std::string> DebugDirectories) {
  const StringRef Path = File.Path;
  Expected<ProgramFile> Opened =
      ProgramFile::open(Path, DebugDirectories, File.DebugFiles);
  if (!Opened)
    return Opened.takeError();
  std::unique_ptr<ProfiledBinary> Result(new ProfiledBinary);
  Result->Path = Path.str();
  SmallString<256> Real;
  if (sys::fs::real_path(Path, Real))
    Real = Path;
  Result->Name = sys::path::filename(Real).str();
  Result->File.emplace(std::move(*Opened));
  const ELFObjectFileBase &Program = Result->File->program();
  if (Error E = executableSegments(Program, Result->ExecutableSegments))
    return inFile(Path, std::move(E));
  if (Result->ExecutableSegments.empty())
    return fileError(Path,
                     "not a linked program: it has no executable segment");
  append_range(Result->Id, getBuildID(&Program));
  std::unique_ptr<DWARFContext> Context = Result->File->createContext();
  Result->Source = std::make_unique<SourceFrames>(*Context);
  auto Symbolizer = symbolize::SymbolizableObjectFile::create(
      &Result->File->symbols(), std::move(Context),
      /*UntagAddresses=*/false);
  if (!Symbolizer)
    return inFile(Path, Symbolizer.takeError());
  Result->Symbolizer = std::move(*Symbolizer);
  auto Symbols = symbolize::SymbolizableObjectFile::create(
      &Result->File->symbols(),
      std::make_unique<DWARFContext>(std::make_unique<NoDebugInfo>()),
      /*UntagAddresses=*/false);
  if (!Symbols)
    return inFile(Path, Symbols.takeError());
  Result->Symbols = std::move(*Symbols);
  Result->Imported = std::make_unique<ImportedCalls>(Program);
  return Result;
}

std::vector<std::string> ProfiledBinary::missingDwoFiles() const {
  std::vector<std::string> Missing;
  std::unique_ptr<DWARFContext> Context = File->createContext();
  forEachSplitUnit(*Context, [&](DWARFUnit &Unit, const char *Name) {
    const DWARFUnit *Read = Unit.getNonSkeletonUnitDIE().getDwarfUnit();
    if (!Read || Read == &Unit)
      Missing.push_back(Name);
  });
  return Missing;
}

/// Which of the file's \p Segments was loaded as \p Loaded: the one at the same
/// distance from where the object was loaded, or, in a program that is not
/// position independent, at the same address. A runtime that reports mappings
/// rather than segments is off by less than a page.
static std::optional<uint64_t> segmentAt(ArrayRef<uint64_t> Segments,
                                         const RawSegment &Loaded) {
  const uint64_t Distance = Loaded.Start - Loaded.Base;
  for (uint64_t Mask : {uint64_t(0), PageMask})
    for (uint64_t Address : Segments)
      if ((Address & ~Mask) == (Distance & ~Mask) ||
          (Address & ~Mask) == (Loaded.Start & ~Mask))
        return Address;
  if (Segments.size() == 1)
    return Segments.front();
  return std::nullopt;
}

Expected<bool> ProfiledBinary::locate(const RawProfile &Raw) {
  Ranges.clear();
  for (const RawSegment &Segment : Raw.segments()) {
    if (Segment.BuildId != Id)
      continue;
    std::optional<uint64_t> Match = segmentAt(ExecutableSegments, Segment);
    if (!Match)
      return fileError(Raw.file(), "the segment at 0x" +
                                       utohexstr(Segment.Start) +
                                       " is none of " + Path);
    // A mapping starts at the page of its segment.
    uint64_t FileAddress = *Match;
    if ((Segment.Start & PageMask) == 0)
      FileAddress &= ~PageMask;
    Ranges.push_back({Segment.Start, Segment.End, FileAddress - Segment.Start});
  }
  return !Ranges.empty();
}

/// The sources of LLVM's runtime that allocate on behalf of the program.
static bool isRuntimeSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::filename(Path))
      .Cases({"memprof_malloc_linux.cpp", "memprof_interceptors.cpp",
              "memprof_new_delete.cpp"},
             true)
      .Default(false);
}

/// Functions of a runtime that was built without debug information and linked
/// into the program: the allocation functions that it defines.
static bool isRuntimeSymbol(StringRef Name) {
  static constexpr StringLiteral Allocation[] = {
#define THERMOCLINE_NAME(Kind, Name, ...) Name,
      THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_NAME)
#undef THERMOCLINE_NAME
          "valloc",
      "pvalloc", "__strdup", "__strndup", "free"};
  return is_contained(Allocation, Name) || Name.starts_with("_Znw") ||
         Name.starts_with("_Zna") || Name.contains("__interceptor_") ||
         Name.starts_with("__memprof") || Name.starts_with("_ZN9__memprof") ||
         Name.starts_with("_ZN11__sanitizer");
}

/// The cold variants of allocation functions.
static bool isColdFunction(StringRef Name) {
  static constexpr StringLiteral Variants[] = {
#define THERMOCLINE_COLD_NAME(Kind, Name, ...) Name "_cold",
      THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_COLD_NAME)
#undef THERMOCLINE_COLD_NAME
  };
  return is_contained(Variants, Name) || Name.ends_with("12__hot_cold_t") ||
         (Name.starts_with("__size_returning_new") &&
          Name.ends_with("_hot_cold"));
}

const ProfiledBinary::Range *ProfiledBinary::rangeOf(uint64_t Address) const {
  auto In = find_if(Ranges, [&](const Range &R) {
    return Address > R.Begin && Address <= R.End;
  });
  return In == Ranges.end() ? nullptr : &*In;
}

SmallVector<SourceLine, 2> ProfiledBinary::linesAt(uint64_t Address) const {
  const DILineInfoSpecifier Specifier(
      DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
      DILineInfoSpecifier::FunctionNameKind::LinkageName);
  const uint64_t InFile = Address + rangeOf(Address)->ToFile;
  const DIInliningInfo Inlined =
      (Source->isDamagedAt(InFile) ? Symbols : Symbolizer)
          ->symbolizeInlinedCode({InFile}, Specifier, /*UseSymbolTable=*/true);
  SmallVector<SourceLine, 2> Result;
  for (uint32_t I = 0; I != Inlined.getNumberOfFrames(); ++I) {
    const DILineInfo &Line = Inlined.getFrame(I);
    if (Line.FunctionName == DILineInfo::BadString)
      continue;
    SourceLine &Into = Result.emplace_back();
    Into.Function = Line.FunctionName;
    if (Line.FileName == DILineInfo::BadString)
      continue;
    Into.File = displayPath(Line.FileName);
    Into.Line = Line.Line;
    Into.Column = Line.Column;
    Into.StartLine = Line.StartLine;
  }
  return Result;
}

Error ProfiledBinary::forEachSection(StringRef Wanted,
                                     function_ref<Error(StringRef)> Add) const {
  // Stripping may leave the section in either file.
  for (const ELFObjectFileBase *In : {&File->program(), &File->debug()}) {
    bool Found = false;
    for (const SectionRef &Section : In->sections()) {
      Expected<StringRef> Name = Section.getName();
      if (!Name || *Name != Wanted) {
        consumeError(Name.takeError());
        continue;
      }
      Expected<StringRef> Contents = Section.getContents();
      if (!Contents)
        return inFile(Path, Contents.takeError());
      if (Error E = Add(*Contents))
        return inFile(Path, std::move(E));
      Found |= !Contents->empty();
    }
    if (Found)
      return Error::success();
  }
  return Error::success();
}

Error ProfiledBinary::addCalls(CallTable &Calls) const {
  return forEachSection(format::CallTableSection, [&](StringRef Contents) {
    return Calls.addSection(Contents);
  });
}

Error ProfiledBinary::addTypes(DataTypes &Types) const {
  return forEachSection(format::TypeTableSection, [&](StringRef Contents) {
    return Types.addSection(Contents);
  });
}

const SymbolizedAddress &ProfiledBinary::symbolize(uint64_t Address) {
  static const SymbolizedAddress Other;
  const Range *In = rangeOf(Address);
  if (!In)
    return Other;
  auto [Known, New] = Cache.try_emplace({Address + In->ToFile, 0});
  if (!New)
    return *Known->second;
  Known->second = std::make_unique<SymbolizedAddress>();
  SymbolizedAddress &Result = *Known->second;

  std::string File;
  const auto Frames = Source->at(Address + In->ToFile, File);
  if (Frames.empty() || Frames.front().Function == DILineInfo::BadString) {
    const DILineInfo Symbol = Symbols->symbolizeCode(
        {Address + In->ToFile},
        {DILineInfoSpecifier::FileLineInfoKind::RawValue,
         DILineInfoSpecifier::FunctionNameKind::LinkageName},
        /*UseSymbolTable=*/true);
    Result.Kind =
        isColdFunction(Symbol.FunctionName)    ? AddressKind::ColdFunction
        : isRuntimeSymbol(Symbol.FunctionName) ? AddressKind::Runtime
                                               : AddressKind::NoDebugInfo;
    if (Result.Kind == AddressKind::NoDebugInfo &&
        Symbol.FunctionName != DILineInfo::BadString)
      Result.Symbol = Symbol.FunctionName;
    return Result;
  }
  if (isRuntimeSource(File)) {
    Result.Kind = AddressKind::Runtime;
    return Result;
  }
  Result.Kind = AddressKind::Program;
  const StringRef Called = Imported->calledBefore(Address + 1 + In->ToFile);
  Result.CallsOtherObject =
      !Called.empty() && !isRuntimeSymbol(Called) && !isColdFunction(Called);
  for (const SourceFrame &F : Frames)
    Result.Frames.emplace_back(functionGUID(F.Function), F.Line - F.StartLine,
                               F.Column, /*Inline=*/&F != &Frames.back());
  return Result;
}

GlobalValue::GUID ProfiledBinary::functionGUID(const char *Name) {
  auto [Known, New] = GUIDs.try_emplace(Name);
  if (New) {
    Names.add(Name);
    Known->second = sourceGUID(Name);
  }
  return Known->second;
}
