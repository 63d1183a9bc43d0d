//===- Profile/Indexed/YamlProfile.cpp - LLVM's YAML of memory profiles ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "YamlProfile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "llvm/ProfileData/MemProfYAML.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

bool profile::isYaml(StringRef Contents) { return Contents.starts_with("---"); }

//===-- Errors of the parser ----------------------------------------------===//

namespace {

/// The first thing that LLVM's parser found wrong.
struct Problem {
  std::string Message;
  /// Both from 1 on.
  unsigned Line = 0;
  unsigned Column = 0;
};

} // namespace

static void noteProblem(const SMDiagnostic &Found, void *Context) {
  auto &First = *static_cast<std::optional<Problem> *>(Context);
  if (First || Found.getKind() != SourceMgr::DK_Error)
    return;
  First = {Found.getMessage().str(), static_cast<unsigned>(Found.getLineNo()),
           static_cast<unsigned>(Found.getColumnNo() + 1)};
  // What LLVM says of any unknown key there.
  if (First->Message == "Key is not a valid validation event")
    First->Message = "an unknown measure in this MemInfoBlock";
}

/// The last line up to \p Line that names a record; empty if there is none.
static StringRef recordBefore(StringRef Contents, unsigned Line) {
  StringRef Result;
  for (unsigned I = 0; I != Line && !Contents.empty(); ++I) {
    StringRef Text;
    std::tie(Text, Contents) = Contents.split('\n');
    StringRef Key = Text.trim();
    Key.consume_front("- ");
    Key = Key.trim();
    for (StringRef Name : {"GUID:", "Symbol:", "Hash:"})
      if (Key.starts_with(Name))
        Result = Key;
    // A key of the whole profile.
    if (!Text.empty() && isAlpha(Text.front()))
      Result = "";
  }
  return Result;
}

static Error describe(StringRef Path, StringRef Contents,
                      const Problem &Found) {
  std::string Place =
      ("line " + Twine(Found.Line) + ", column " + Twine(Found.Column)).str();
  if (StringRef Record = recordBefore(Contents, Found.Line); !Record.empty())
    Place += (" (after " + Record + ")").str();
  return recordError(Path, Place, Found.Message);
}

/// Whether \p Contents is nested deeper than any profile. LLVM's parser goes
/// down by recursion.
static bool isNestedTooDeep(StringRef Contents) {
  constexpr int MaxBrackets = 500;
  constexpr size_t MaxIndentation = 1000;
  int Brackets = 0;
  for (char C : Contents) {
    Brackets += (C == '[' || C == '{') - (C == ']' || C == '}');
    if (Brackets > MaxBrackets)
      return true;
  }
  while (!Contents.empty()) {
    StringRef Line;
    std::tie(Line, Contents) = Contents.split('\n');
    // Items in items begin in one line.
    if (std::min(Line.find_first_not_of(" -?\t"), Line.size()) > MaxIndentation)
      return true;
  }
  return false;
}

/// Reads the one document of \p Contents.
static Expected<AllMemProfData> read(StringRef Path, StringRef Contents) {
  if (isNestedTooDeep(Contents))
    return fileError(Path, "is nested too deeply for a profile");
  std::optional<Problem> First;
  yaml::Input Reader(Contents, /*Ctxt=*/nullptr, noteProblem, &First);
  AllMemProfData Result;
  Reader >> Result;
  if (!First && !Reader.error()) {
    if (!Reader.getCurrentNode())
      return fileError(Path, "has no YAML document");
    Reader.nextDocument();
    if (Reader.setCurrentDocument())
      return fileError(Path, "has several YAML documents; give each as a file "
                             "of its own");
  }
  if (First)
    return describe(Path, Contents, *First);
  if (Reader.error())
    return fileError(Path, Reader.error().message());
  return Result;
}

//===-- Reading -----------------------------------------------------------===//

/// Hash tables of LLVM cannot hold these; no function has them.
static bool isReservedKey(uint64_t Key) { return Key >= UINT64_MAX - 1; }

static bool hasAllMeasures(const PortableMemInfoBlock &Info) {
  const auto Has = Info.getSchema();
  return all_of(getFullSchema(),
                [&](Meta Field) { return Has[to_underlying(Field)]; });
}

/// Whether the allocation in \p CallStack is of \p Function or inlined into it.
static bool allocatesIn(ArrayRef<Frame> CallStack, GlobalValue::GUID Function) {
  for (const Frame &F : CallStack) {
    if (F.Function == Function)
      return true;
    if (!F.IsInlineFrame)
      break;
  }
  return false;
}

namespace {

/// Makes LLVM's tables of what was read.
class YamlIndexer {
public:
  explicit YamlIndexer(StringRef Path) : Path(Path) {}

  Error add(const GUIDMemProfRecordPair &Added);
  Error add(const YamlDataAccessProfData &Accesses);
  Expected<std::string> write();

  /// The number of allocation sites that their record does not have.
  uint64_t NumElsewhere = 0;

private:
  CallStackId addStack(ArrayRef<Frame> Frames);

  StringRef Path;
  uint64_t NumRecords = 0;
  bool HasAllMeasures = true;
  IndexedMemProfData Heap;
  std::unique_ptr<DataAccessProfData> StaticData;
};

} // namespace

CallStackId YamlIndexer::addStack(ArrayRef<Frame> Frames) {
  SmallVector<FrameId> Ids;
  for (const Frame &F : Frames)
    Ids.push_back(Heap.addFrame(F));
  return Heap.addCallStack(std::move(Ids));
}

Error YamlIndexer::add(const GUIDMemProfRecordPair &Added) {
  const GlobalValue::GUID Function = Added.GUID;
  const std::string Name = ("record " + Twine(++NumRecords) +
                            ", of the function " + hexText(Function))
                               .str();
  auto Bad = [&](StringRef Site, size_t I, const Twine &Message) {
    return recordError(Path, Name, Site + " " + Twine(I + 1) + " " + Message);
  };
  if (isReservedKey(Function))
    return recordError(Path, Name, "no function can have this GUID");
  IndexedMemProfRecord &Record = Heap.Records[Function];
  for (const auto &[I, Site] : enumerate(Added.Record.AllocSites)) {
    if (Site.CallStack.empty())
      return Bad("allocation site", I, "has no call stack");
    if (!Site.Info.getSchema()[to_underlying(Meta::AllocCount)] ||
        Site.Info.getAllocCount() == 0)
      return Bad("allocation site", I, "counts no allocations");
    HasAllMeasures &= hasAllMeasures(Site.Info);
    NumElsewhere += !allocatesIn(Site.CallStack, Function);
    Record.AllocSites.emplace_back(addStack(Site.CallStack), Site.Info);
  }
  for (const auto &[I, Site] : enumerate(Added.Record.CallSites)) {
    if (Site.Frames.empty())
      return Bad("call site", I, "has no frames");
    Record.CallSites.emplace_back(addStack(Site.Frames), Site.CalleeGuids);
  }
  return Error::success();
}

Error YamlIndexer::add(const YamlDataAccessProfData &Accesses) {
  if (Accesses.isEmpty())
    return Error::success();
  StaticData = std::make_unique<DataAccessProfData>();
  auto Bad = [&](const Twine &Record, Error E) {
    consumeError(std::move(E));
    return recordError(Path, Record, "is empty or was there before");
  };
  // Between names in the indexed format.
  auto HasSeparator = [](StringRef Name) {
    return Name.contains(getInstrProfNameSeparator());
  };
  auto BadName = [&](const Twine &Record) {
    return recordError(Path, Record,
                       "a name has the character 1, which separates names");
  };
  for (const auto &[I, Record] : enumerate(Accesses.Records)) {
    SymbolHandleRef Function;
    std::string Number = ("SampledRecords " + Twine(I + 1)).str(), Name;
    if (const auto *Symbol = std::get_if<std::string>(&Record.SymHandle)) {
      if (HasSeparator(*Symbol))
        return BadName(Number);
      Function = StringRef(*Symbol);
      Name = *Symbol;
    } else {
      Function = std::get<uint64_t>(Record.SymHandle);
      Name = "hash " + utostr(std::get<uint64_t>(Record.SymHandle));
    }
    Number += ", of " + Name;
    for (const SourceLocation &Place : Record.Locations)
      if (HasSeparator(Place.FileName))
        return BadName(Number);
    if (Error E = StaticData->setDataAccessProfile(Function, Record.AccessCount,
                                                   Record.Locations))
      return Bad(Number, std::move(E));
  }
  for (const auto &[I, Symbol] : enumerate(Accesses.KnownColdSymbols)) {
    const std::string Number = ("KnownColdSymbols " + Twine(I + 1)).str();
    if (HasSeparator(Symbol))
      return BadName(Number);
    if (Error E = StaticData->addKnownSymbolWithoutSamples(StringRef(Symbol)))
      return Bad(Number, std::move(E));
  }
  for (uint64_t Hash : Accesses.KnownColdStrHashes)
    if (Error E = StaticData->addKnownSymbolWithoutSamples(Hash))
      return E;
  return Error::success();
}

Expected<std::string> YamlIndexer::write() {
  if (Heap.Frames.empty() && !StaticData)
    return fileError(Path, "has neither contexts nor accesses to static data");
  InstrProfWriter Writer;
  if (Error E = Writer.mergeProfileKind(InstrProfKind::MemProf))
    return inFile(Path, std::move(E));
  Writer.setMemProfVersionRequested(Version4);
  Writer.setMemProfFullSchema(HasAllMeasures);
  Error Failed = Error::success();
  if (!Heap.Frames.empty())
    Writer.addMemProfData(std::move(Heap), [&](Error E) {
      Failed = joinErrors(std::move(Failed), std::move(E));
    });
  if (Failed)
    return inFile(Path, std::move(Failed));
  if (StaticData)
    Writer.addDataAccessProfData(std::move(StaticData));
  std::string Result;
  raw_string_ostream OS(Result);
  if (Error E = Writer.write(OS))
    return inFile(Path, std::move(E));
  return Result;
}

Expected<std::unique_ptr<MemoryBuffer>>
profile::indexYaml(StringRef Path, StringRef Contents,
                   function_ref<void(const Twine &)> Warn) {
  Expected<AllMemProfData> All = read(Path, Contents);
  if (!All)
    return All.takeError();
  YamlIndexer Indexer(Path);
  for (const GUIDMemProfRecordPair &Record : All->HeapProfileRecords)
    if (Error E = Indexer.add(Record))
      return std::move(E);
  if (Error E = Indexer.add(All->YamlifiedDataAccessProfiles))
    return std::move(E);
  Expected<std::string> Indexed = Indexer.write();
  if (!Indexed)
    return Indexed.takeError();
  if (!Contents.rtrim().ends_with("\n..."))
    Warn("does not end with \"...\", as what llvm-profdata and thermo-profdata "
         "write does; is it whole?");
  if (Indexer.NumElsewhere)
    Warn(formatCount(Indexer.NumElsewhere, "allocation site") +
         " listed by functions that do not allocate there: the frames count");
  return MemoryBuffer::getMemBufferCopy(*Indexed, Path);
}

//===-- Writing -----------------------------------------------------------===//

Expected<std::string> profile::toYaml(StringRef Contents) {
  Expected<std::unique_ptr<IndexedInstrProfReader>> Reader =
      IndexedInstrProfReader::create(MemoryBuffer::getMemBufferCopy(Contents));
  if (!Reader)
    return Reader.takeError();
  AllMemProfData All = (*Reader)->getAllMemProfData();
  std::string Result;
  raw_string_ostream OS(Result);
  // Lines are not broken, as those of llvm-profdata.
  yaml::Output Out(OS, /*Ctxt=*/nullptr, /*WrapColumn=*/0);
  Out << All;
  return Result;
}
