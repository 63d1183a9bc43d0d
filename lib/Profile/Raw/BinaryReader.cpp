//===- Raw/BinaryReader.cpp - Reads a binary in this process --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BinaryReader.h"
#include "thermocline/Format/AllocationKinds.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Raw/SymbolizedAddress.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableObjectFile.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"
#include <map>
#include <utility>

using namespace llvm;
using namespace llvm::object;
using namespace thermocline;
using namespace thermocline::profile;

/// What is wrong with a binary may be wrong in each of its units. So many
/// warnings are enough.
static constexpr size_t MostWarnings = 10;

//===-- Opening -----------------------------------------------------------===//

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

std::unique_ptr<DWARFContext> BinaryReader::createContext() {
  return File->createContext([this](const std::string &What) {
    if (NumWarnings++ < MostWarnings)
      Warnings.push_back(debugInfoWarning(File->debugPath(), What));
  });
}

Error BinaryReader::open(const ChosenBinary &Chosen,
                         ArrayRef<std::string> DebugDirectories) {
  const StringRef Path = Chosen.Path;
  Expected<ProgramFile> Opened =
      ProgramFile::open(Path, DebugDirectories, Chosen.DebugFiles);
  if (!Opened)
    return Opened.takeError();
  File.emplace(std::move(*Opened));
  File->allowReading();
  const ELFObjectFileBase &Program = File->program();
  if (Error E = executableSegments(Program, ExecutableSegments))
    return inFile(Path, std::move(E));
  if (ExecutableSegments.empty())
    return fileError(Path,
                     "not a linked program: it has no executable segment");
  auto Create = [&](std::unique_ptr<DWARFContext> Context) {
    return symbolize::SymbolizableObjectFile::create(
        &File->symbols(), std::move(Context), /*UntagAddresses=*/false);
  };
  if (Wanted == BinaryDetail::DebugInfo) {
    std::unique_ptr<DWARFContext> Context = createContext();
    Source = std::make_unique<SourceFrames>(*Context);
    auto Created = Create(std::move(Context));
    if (!Created)
      return inFile(Path, Created.takeError());
    Symbolizer = std::move(*Created);
    Imported = std::make_unique<ImportedCalls>(Program);
  }
  auto Created =
      Create(std::make_unique<DWARFContext>(std::make_unique<NoDebugInfo>()));
  if (!Created)
    return inFile(Path, Created.takeError());
  Symbols = std::move(*Created);
  return Error::success();
}

void BinaryReader::open(MessageReader &Input, MessageWriter &Answer) {
  Wanted = static_cast<BinaryDetail>(Input.number<uint8_t>());
  ChosenBinary Chosen;
  Chosen.Path = Input.text().str();
  Input.texts(Chosen.DebugFiles);
  std::vector<std::string> Directories;
  Input.texts(Directories);
  if (Error E = open(Chosen, Directories)) {
    Answer.text(toString(std::move(E)));
    return;
  }
  Answer.text("");
  Answer.list(ExecutableSegments, [&](uint64_t Each) { Answer.number(Each); });
  const Triple::ArchType Architecture = File->program().getArch();
  Answer.text(Architecture == Triple::UnknownArch
                  ? ""
                  : Triple::getArchTypeName(Architecture));
  Answer.flag(Wanted == BinaryDetail::DebugInfo && File->hasDebugInfo());
  Answer.texts(File->problems());
}

//===-- Frames ------------------------------------------------------------===//

/// The sources of LLVM's runtime that allocate on behalf of the program.
static bool isRuntimeSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::filename(Path))
      .Cases({"memprof_malloc_linux.cpp", "memprof_interceptors.cpp",
              "memprof_new_delete.cpp"},
             true)
      .Default(false);
}

/// Functions of libthermocline_alloc, which a program with hints has in itself.
static bool isInAllocator(StringRef Name) {
  return Name.starts_with("thermocline_alloc_") ||
         Name.starts_with("thermocline_je_") ||
         Name.contains("N11thermocline5alloc");
}

/// Functions of a runtime or an allocator that was built without debug
/// information and linked into the program: the allocation functions that it
/// defines.
static bool isRuntimeSymbol(StringRef Name) {
  static constexpr StringLiteral Allocation[] = {
#define THERMOCLINE_NAME(Kind, Name, ...) Name,
      THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_NAME)
#undef THERMOCLINE_NAME
          "valloc",
      "pvalloc", "__strdup", "__strndup", "free"};
  return is_contained(Allocation, Name) || Name.starts_with("_Znw") ||
         Name.starts_with("_Zna") || isInAllocator(Name) ||
         Name.contains("__interceptor_") || Name.starts_with("__memprof") ||
         Name.starts_with("_ZN9__memprof") ||
         Name.starts_with("_ZN11__sanitizer");
}

/// The cold variants of allocation functions.
static bool isColdFunction(StringRef Name) {
  static constexpr StringLiteral Variants[] = {
#define THERMOCLINE_COLD_NAME(Kind, Name, ...) Name "_cold",
      THERMOCLINE_C_ALLOCATION_FUNCTIONS(THERMOCLINE_COLD_NAME)
#undef THERMOCLINE_COLD_NAME
  };
  return is_contained(Variants, Name) || isRustColdVariant(Name) ||
         Name.ends_with("12__hot_cold_t") ||
         (Name.starts_with("__size_returning_new") &&
          Name.ends_with("_hot_cold")) ||
         (isInAllocator(Name) && Name.contains("_cold"));
}

uint32_t BinaryReader::functionIndex(const char *Name) {
  auto [Known, New] = Functions.try_emplace(Name, Functions.size());
  if (New)
    NewFunctions.push_back(Name);
  return Known->second;
}

void BinaryReader::symbolize(uint64_t Address, MessageWriter &Answer) {
  SourcePlace Place;
  SmallVector<SourceFrame, 4> Frames;
  if (Source)
    Frames = Source->at(Address, Place);
  auto Begin = [&](AddressKind Kind, bool CallsOtherObject = false,
                   bool CallsByName = false, bool CallsNative = false,
                   bool IsMerged = false) {
    Answer.number(static_cast<uint8_t>(Kind));
    Answer.flag(CallsOtherObject);
    Answer.flag(CallsByName);
    Answer.flag(CallsNative);
    Answer.flag(IsMerged);
  };
  auto Add = [&](StringRef Symbol, ArrayRef<SourceFrame> Inlined) {
    Answer.text(Symbol);
    Answer.list(Inlined, [&](const SourceFrame &F) {
      Answer.number(functionIndex(F.Function));
      Answer.number(F.Line - F.StartLine);
      Answer.number(F.Column);
    });
  };
  if (Frames.empty() || Frames.front().Function == DILineInfo::BadString) {
    const DILineInfo Symbol = Symbols->symbolizeCode(
        {Address},
        {DILineInfoSpecifier::FileLineInfoKind::RawValue,
         DILineInfoSpecifier::FunctionNameKind::LinkageName},
        /*UseSymbolTable=*/true);
    const AddressKind Kind = isColdFunction(Symbol.FunctionName)
                                 ? AddressKind::ColdFunction
                             : isRuntimeSymbol(Symbol.FunctionName) ||
                                     isRustAllocator(Symbol.FunctionName) ||
                                     isRustDefaultAllocator(Symbol.FunctionName)
                                 ? AddressKind::Runtime
                                 : AddressKind::NoDebugInfo;
    Begin(Kind);
    Add(Kind == AddressKind::NoDebugInfo &&
                Symbol.FunctionName != DILineInfo::BadString
            ? StringRef(Symbol.FunctionName)
            : StringRef(),
        {});
    return;
  }
  // A Rust program asks for memory where it calls its allocator, and not where
  // that calls malloc.
  const auto Asking = find_if(reverse(Frames), [](const SourceFrame &F) {
    return isRustDefaultAllocator(F.Function);
  });
  Frames.erase(Frames.begin(), Asking.base());
  if (Frames.empty() || isRuntimeSource(Place.File)) {
    Begin(AddressKind::Runtime);
    Add("", {});
    return;
  }
  // The instruction before the call's return address was looked up.
  const StringRef Called = Imported->calledBefore(Address + 1);
  Begin(AddressKind::Program,
        !Called.empty() && !isRuntimeSymbol(Called) && !isColdFunction(Called),
        Imported->isByName(Address + 1), Place.CallsNative,
        any_of(Frames, [](const SourceFrame &F) { return F.IsMerged; }));
  Add("", Frames);
}

void BinaryReader::symbolize(MessageReader &Input, MessageWriter &Answer) {
  MessageWriter Answers;
  Input.list([&] { symbolize(Input.number<uint64_t>(), Answers); });
  // What the source exports by name has no other.
  constexpr size_t MostExported = 8;
  if (Source && Source->numRustWithoutNames() > MostExported &&
      !std::exchange(SaidNamesAreMissing, true))
    Warnings.push_back(
        File->debugPath().str() +
        ": functions of Rust that were inlined are without linkage names in "
        "the debug information, so builds with hints will not know them; "
        "compile with -Cdebuginfo=1");
  Answer.texts(NewFunctions);
  NewFunctions.clear();
  Answer.text(Answers.take());
}

void BinaryReader::lines(uint64_t Address, MessageWriter &Answer) {
  const DILineInfoSpecifier Specifier(
      DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
      DILineInfoSpecifier::FunctionNameKind::LinkageName);
  const DIInliningInfo Inlined =
      (!Source || Source->isDamagedAt(Address) ? Symbols : Symbolizer)
          ->symbolizeInlinedCode({Address}, Specifier, /*UseSymbolTable=*/true);
  std::vector<DILineInfo> Known;
  for (uint32_t I = 0; I != Inlined.getNumberOfFrames(); ++I)
    if (Inlined.getFrame(I).FunctionName != DILineInfo::BadString)
      Known.push_back(Inlined.getFrame(I));
  Answer.list(Known, [&](const DILineInfo &Line) {
    Answer.text(Line.FunctionName);
    const bool HasFile = Line.FileName != DILineInfo::BadString;
    Answer.text(HasFile ? displayPath(Line.FileName) : "");
    for (uint32_t Each : {Line.Line, Line.Column, Line.StartLine})
      Answer.number(HasFile ? Each : 0u);
  });
}

//===-- The rest ----------------------------------------------------------===//

void BinaryReader::sections(StringRef Wanted, MessageWriter &Answer) const {
  std::vector<StringRef> Found;
  // Stripping may leave the section in either file.
  for (const ELFObjectFileBase *Object : {&File->program(), &File->debug()}) {
    for (const SectionRef &Section : Object->sections()) {
      Expected<StringRef> Name = Section.getName();
      if (!Name || *Name != Wanted) {
        consumeError(Name.takeError());
        continue;
      }
      Expected<StringRef> Contents = Section.getContents();
      if (!Contents) {
        Answer.text(toString(Contents.takeError()));
        return;
      }
      if (!Contents->empty())
        Found.push_back(*Contents);
    }
    if (!Found.empty())
      break;
  }
  Answer.text("");
  Answer.texts(Found);
}

void BinaryReader::missingDwoFiles(MessageWriter &Answer) const {
  std::vector<std::string> Missing;
  std::unique_ptr<DWARFContext> Context =
      File->createContext([](const std::string &) {});
  forEachSplitUnit(*Context, [&](DWARFUnit &Unit, const char *Name) {
    const DWARFUnit *Read = Unit.getNonSkeletonUnitDIE().getDwarfUnit();
    if (!Read || Read == &Unit)
      Missing.push_back(Name);
  });
  Answer.texts(Missing);
}

std::string BinaryReader::respond(BinaryRequest Kind, MessageReader &Input) {
  if (File)
    File->allowReading();
  MessageWriter Answer;
  switch (Kind) {
  case BinaryRequest::Open:
    open(Input, Answer);
    break;
  case BinaryRequest::Symbolize:
    symbolize(Input, Answer);
    break;
  case BinaryRequest::Lines:
    Input.list([&] { lines(Input.number<uint64_t>(), Answer); });
    break;
  case BinaryRequest::Sections:
    sections(Input.text(), Answer);
    break;
  case BinaryRequest::MissingDwoFiles:
    missingDwoFiles(Answer);
    break;
  }
  MessageWriter Result;
  Result.texts(Warnings);
  Warnings.clear();
  return Result.take() + Answer.take();
}

ReaderProcess::Answer profile::answerAboutBinaries() {
  using Readers = std::map<uint32_t, std::unique_ptr<BinaryReader>>;
  return [All = std::make_shared<Readers>()](StringRef Request) {
    MessageReader Input(Request);
    const auto Kind = Input.number<uint8_t>();
    if (Kind < ProgramReader::FirstOther)
      return ProgramReader::respond(Request);
    auto &Reader = (*All)[Input.number<uint32_t>()];
    const auto Asked = static_cast<BinaryRequest>(Kind);
    if (Asked == BinaryRequest::Open)
      Reader = std::make_unique<BinaryReader>();
    return Reader->respond(Asked, Input);
  };
}
