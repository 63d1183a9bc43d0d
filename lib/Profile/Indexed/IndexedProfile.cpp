//===- Profile/Indexed/IndexedProfile.cpp - Indexed profiles for consumers ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "BinaryPart.h"
#include "MemProfSection.h"
#include "OrderPart.h"
#include "SamplePart.h"
#include "TouchPart.h"
#include "YamlProfile.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/DataExtractor.h"
#include <algorithm>
#include <unordered_set>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

/// The header of the container, as far as its version has fields.
struct IndexedProfile::Header {
  uint64_t Version = 0;
  uint64_t Variant = 0;
  uint64_t HashOffset = 0;
  uint64_t MemProfOffset = 0;
  uint64_t BinaryIdOffset = 0;
  uint64_t TemporalOffset = 0;
  uint64_t VTableOffset = 0;
  /// The offset where the header ends and the summary begins.
  uint64_t End = 0;
};

void FrameTable::add(const Frame &F) {
  Frames.try_emplace(raw(computeStackId(F)),
                     FrameInfo{F.Function, F.LineOffset, F.Column});
}

const FrameInfo *FrameTable::lookup(StackId Id) const {
  auto Known = Frames.find(raw(Id));
  return Known == Frames.end() ? nullptr : &Known->second;
}

IndexedProfile::IndexedProfile() = default;
IndexedProfile::~IndexedProfile() = default;

Expected<std::unique_ptr<IndexedProfile>> IndexedProfile::open(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openInput(Path);
  if (!Buffer)
    return Buffer.takeError();
  return parse(Path, std::move(*Buffer));
}

Expected<std::unique_ptr<IndexedProfile>>
IndexedProfile::parse(StringRef Path, std::unique_ptr<MemoryBuffer> File) {
  if (File->getBufferSize() == 0)
    return fileError(Path, "the file is empty");
  std::unique_ptr<IndexedProfile> Result(new IndexedProfile);
  Result->Path = Path.str();
  Result->Contents = std::move(File);
  Result->Container = std::make_unique<Header>();

  StringRef Bytes = Result->Contents->getBuffer();
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  if (Data.getU64(Cursor) != IndexedInstrProf::Magic) {
    consumeError(Cursor.takeError());
    return fileError(Path, RawProfile::hasMagic(Bytes)
                               ? "is a raw memory profile; merge it first "
                                 "(thermo-profdata merge --binary=PROGRAM)"
                           : isYaml(Bytes)
                               ? "is a YAML profile; merge it first "
                                 "(thermo-profdata merge)"
                               : "not an indexed profile: wrong magic number");
  }
  Header &H = *Result->Container;
  const uint64_t Version = Data.getU64(Cursor);
  H.Version = GET_VERSION(Version);
  H.Variant = Version & VARIANT_MASKS_ALL;
  if (Cursor && H.Version > IndexedInstrProf::Version) {
    consumeError(Cursor.takeError());
    return fileError(Path, "indexed profile version " + Twine(H.Version) +
                               " is newer than LLVM " LLVM_VERSION_STRING
                               " can read");
  }
  Data.skip(Cursor, 2 * sizeof(uint64_t));
  H.HashOffset = Data.getU64(Cursor);
  auto Offset = [&](uint64_t Since, uint64_t &Field) {
    if (H.Version >= Since)
      Field = Data.getU64(Cursor);
  };
  Offset(8, H.MemProfOffset);
  Offset(9, H.BinaryIdOffset);
  Offset(10, H.TemporalOffset);
  Offset(12, H.VTableOffset);
  H.End = Cursor.tell();
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return fileError(Path, "truncated: the header of an indexed profile is "
                           "longer than the file");
  }
  for (uint64_t Field : {H.HashOffset, H.MemProfOffset, H.BinaryIdOffset,
                         H.TemporalOffset, H.VTableOffset})
    if (Field > Bytes.size())
      return fileError(Path, "truncated: a section begins at byte " +
                                 Twine(Field) + ", but the file has " +
                                 Twine(Bytes.size()));
  if (!(H.Variant & VARIANT_MASK_MEMPROF))
    return Result;
  Expected<std::unique_ptr<MemProfSection>> Section =
      MemProfSection::open(Bytes, H.MemProfOffset);
  if (!Section)
    return inFile(Path, Section.takeError());
  Result->Section = std::move(*Section);
  Result->Schema = Result->Section->schema();
  if (Error E = Result->findRuns())
    return inFile(Path, std::move(E));
  if (Error E = Result->findTouches())
    return inFile(Path, std::move(E));
  return Result;
}

uint64_t IndexedProfile::memProfVersion() const {
  return Section ? Section->version() : 0;
}

bool IndexedProfile::hasFullSchema() const {
  return Schema.size() == getFullSchema().size();
}

bool IndexedProfile::pagesDecide() const {
  return Touched &&
         profile::pagesDecide(Touched->grid(), Touched->predicted(),
                              Touched->anyCold(), Touched->decidedFor());
}

ColdRule IndexedProfile::rule(const ColdThresholds &Thresholds) const {
  if (pagesDecide() && !Thresholds.ByTotals)
    return ColdRule::Pages;
  return ruleFor(PortableMemInfoBlock(MemInfoBlock(), Schema), Runs);
}

ContextClass IndexedProfile::classify(ArrayRef<uint64_t> FullStackIds,
                                      const PortableMemInfoBlock &Block,
                                      const ColdThresholds &Thresholds) const {
  std::optional<double> Saved = 0;
  for (uint64_t Id : FullStackIds) {
    std::optional<placement::PlacedContext> Decided = decision(Id);
    if (!Decided || !Decided->Cold) {
      Saved = std::nullopt;
      break;
    }
    *Saved += Decided->Benefit;
  }
  return classifyBy(rule(Thresholds), Block, Runs, Thresholds, Saved);
}

Expected<uint64_t> IndexedProfile::checksum() const {
  if (!Section)
    return 0;
  return inFile(Path, Section->checksum());
}

bool IndexedProfile::hasDataAccessProfile() const {
  return Section && Section->dataAccessOffset() != 0;
}

Expected<DataAccesses> IndexedProfile::dataAccesses() const {
  if (!hasDataAccessProfile())
    return DataAccesses();
  return inFile(Path, DataAccesses::parse(Contents->getBuffer(),
                                          Section->dataAccessOffset()));
}

Error IndexedProfile::findRuns() {
  Expected<MemProfSection::Record> Reserved = Section->record(runInfoGUID());
  if (!Reserved)
    return Reserved.takeError();
  for (const MemProfSection::AllocSite &Site : Reserved->AllocSites)
    if (std::optional<RunInfo> Added = decodeRunInfo(Site.Info)) {
      if (Runs)
        Runs->add(*Added);
      else
        Runs = Added;
    }
  if (Runs)
    return Error::success();

  for (Meta Field :
       {Meta::AllocTimestamp, Meta::DeallocTimestamp, Meta::MaxLifetime})
    if (!is_contained(Schema, Field))
      return Error::success();
  Expected<std::vector<GlobalValue::GUID>> Functions = Section->functions();
  if (!Functions)
    return Functions.takeError();
  TimeSpan Span;
  bool AnyContext = false;
  for (GlobalValue::GUID Function : *Functions) {
    Expected<MemProfSection::Record> Record = Section->record(Function);
    if (!Record)
      return Record.takeError();
    for (const MemProfSection::AllocSite &Site : Record->AllocSites)
      Span.add(Site.Info.getAllocTimestamp(), Site.Info.getDeallocTimestamp(),
               Site.Info.getMaxLifetime(), /*OfProgram=*/true);
    AnyContext |= !Record->AllocSites.empty();
  }
  if (!AnyContext)
    return Error::success();
  Runs = RunInfo::oneRun(Span.length());
  Runs->Origin = RunInfoOrigin::Timestamps;
  return Error::success();
}

/// Follows findRuns(), which tells whether there should be one.
Error IndexedProfile::findTouches() {
  StringRef Bytes = Contents->getBuffer();
  Expected<std::unique_ptr<TouchPart>> Found = TouchPart::open(Bytes);
  if (!Found)
    return Found.takeError();
  Touched = std::move(*Found);
  if (lostWindows() && TouchPart::isCutOff(Bytes))
    return createStringError(inconvertibleErrorCode(),
                             "part of windows: truncated");
  return Error::success();
}

const TouchGrid &IndexedProfile::touchGrid() const {
  static const TouchGrid None;
  return Touched ? Touched->grid() : None;
}

bool IndexedProfile::lostWindows() const {
  return !Touched && Runs && Runs->WithWindows;
}

std::optional<placement::Prediction> IndexedProfile::predicted() const {
  if (!Touched)
    return std::nullopt;
  return Touched->predicted();
}

placement::PlacementOptions IndexedProfile::decidedFor() const {
  return Touched ? Touched->decidedFor() : placement::PlacementOptions();
}

std::optional<placement::PlacedContext>
IndexedProfile::decision(uint64_t FullStackId) const {
  if (!Touched)
    return std::nullopt;
  return Touched->decision(FullStackId);
}

Expected<CallTable> IndexedProfile::calls() const {
  return inFile(Path, CallTable::readFrom(Contents->getBuffer()));
}

Expected<DataTypes> IndexedProfile::types() const {
  return inFile(Path, DataTypes::readFrom(Contents->getBuffer()));
}

Expected<Architectures> IndexedProfile::architectures() const {
  return inFile(Path, Architectures::readFrom(Contents->getBuffer()));
}

Expected<RecordedRuns> IndexedProfile::recordedRuns() const {
  return inFile(Path, RecordedRuns::readFrom(Contents->getBuffer()));
}

Expected<uint64_t>
IndexedProfile::coldBytes(const ColdThresholds &Thresholds) const {
  Expected<CallTable> Calls = calls();
  if (!Calls)
    return Calls.takeError();
  Expected<BinaryMap> Binaries = binaries();
  if (!Binaries)
    return Binaries.takeError();
  // A link has only its own part.
  if (Binaries->hasSeveral())
    return 0;
  if (!Calls->empty() && Thresholds == ColdThresholds())
    return Calls->ColdBytes;
  uint64_t Result = 0;
  if (Error E = forEachContext([&](const IndexedContext &C) {
        if (is_contained(Schema, Meta::TotalSize) &&
            classify(C.FullStackId, C.Info, Thresholds).isCold())
          Result += C.Info.getTotalSize();
      }))
    return std::move(E);
  return Result;
}

Expected<TouchesById> IndexedProfile::touches() const {
  if (!Touched)
    return TouchesById();
  Expected<uint64_t> Checksum = checksum();
  if (!Checksum)
    return Checksum.takeError();
  return inFile(Path, Touched->touches(*Checksum));
}

Expected<SamplesById> IndexedProfile::samples() const {
  Expected<uint64_t> Checksum = checksum();
  if (!Checksum)
    return Checksum.takeError();
  return inFile(Path, readSamples(Contents->getBuffer(), *Checksum));
}

Expected<std::vector<BurstLayout>> IndexedProfile::layouts() const {
  if (!Touched)
    return std::vector<BurstLayout>();
  Expected<OrderData> Order =
      readOrder(Contents->getBuffer(), /*WithBursts=*/true);
  if (!Order)
    return inFile(Path, Order.takeError());
  return std::move(Order->Bursts);
}

Expected<placement::OrderVerdict> IndexedProfile::orderVerdict() const {
  if (!Touched)
    return placement::OrderVerdict();
  Expected<OrderData> Order =
      readOrder(Contents->getBuffer(), /*WithBursts=*/false);
  if (!Order)
    return inFile(Path, Order.takeError());
  return placement::chooseOrder(Order->Counts, decidedFor().Phase,
                                Touched->anyCold());
}

Expected<BinaryMap> IndexedProfile::binaries() const {
  Expected<uint64_t> Checksum = checksum();
  if (!Checksum)
    return Checksum.takeError();
  return inFile(Path, readBinaries(Contents->getBuffer(), *Checksum));
}

/// How often the record of \p Function lists one MIB of the context \p Frames:
/// once for every frame of it that the allocation call was inlined through.
static size_t multiplicity(ArrayRef<Frame> Frames, GlobalValue::GUID Function) {
  size_t Result = 0;
  for (const Frame &F : Frames) {
    Result += F.Function == Function;
    if (!F.IsInlineFrame)
      break;
  }
  return std::max<size_t>(Result, 1);
}

/// The record, with those allocation sites whose call stack is wanted. Errors
/// do not name the file.
Expected<MemProfRecord>
IndexedProfile::readRecord(GlobalValue::GUID Function,
                           function_ref<bool(uint64_t StackKey)> Wanted) const {
  MemProfRecord Result;
  if (!Section)
    return Result;
  Expected<MemProfSection::Record> Read = Section->record(Function);
  if (!Read)
    return Read.takeError();

  struct Known {
    size_t Index;
    size_t Multiplicity;
    size_t Seen;
  };
  std::unordered_map<MemProfSection::StackKey, Known> ByStack;
  ByStack.reserve(Read->AllocSites.size());
  for (const MemProfSection::AllocSite &Site : Read->AllocSites) {
    auto It = ByStack.find(Site.Stack);
    if (It == ByStack.end()) {
      if (!Wanted(Site.Stack))
        continue;
      Expected<std::vector<Frame>> Frames = Section->callStack(Site.Stack);
      if (!Frames)
        return Frames.takeError();
      ByStack.insert(
          {Site.Stack,
           {Result.AllocSites.size(), multiplicity(*Frames, Function), 1}});
      AllocationInfo &Added = Result.AllocSites.emplace_back();
      Added.CallStack = std::move(*Frames);
      Added.Info = Site.Info;
      continue;
    }
    Known &First = It->second;
    if (First.Seen++ % First.Multiplicity != 0)
      continue;
    PortableMemInfoBlock &Sum = Result.AllocSites[First.Index].Info;
    MemInfoBlock Merged = toMemInfoBlock(Sum);
    mergeBlocks(Merged, toMemInfoBlock(Site.Info));
    Sum = PortableMemInfoBlock(Merged, Schema);
  }
  for (const MemProfSection::CallSite &Site : Read->CallSites) {
    Expected<std::vector<Frame>> Frames = Section->callStack(Site.Stack);
    if (!Frames)
      return Frames.takeError();
    Result.CallSites.emplace_back(std::move(*Frames), Site.Callees);
  }
  return Result;
}

Expected<MemProfRecord>
IndexedProfile::record(GlobalValue::GUID Function) const {
  return inFile(Path, readRecord(Function, [](uint64_t) { return true; }));
}

Expected<std::vector<GlobalValue::GUID>> IndexedProfile::functions() const {
  if (!Section)
    return std::vector<GlobalValue::GUID>();
  auto Result = inFile(Path, Section->functions());
  if (Result)
    llvm::erase(*Result, runInfoGUID());
  return Result;
}

Error IndexedProfile::forEachContext(
    function_ref<void(const IndexedContext &)> Visit) const {
  Expected<std::vector<GlobalValue::GUID>> Functions = functions();
  if (!Functions)
    return Functions.takeError();
  // A context is listed by every function that its allocation call was inlined
  // through; the first stands for it.
  std::unordered_set<uint64_t> Visited;
  for (GlobalValue::GUID Function : *Functions) {
    Expected<MemProfRecord> Record =
        readRecord(Function, [&](uint64_t StackKey) {
          return Visited.insert(StackKey).second;
        });
    if (!Record)
      return inFile(Path, Record.takeError());
    std::vector<std::pair<uint64_t, const AllocationInfo *>> Sites;
    for (const AllocationInfo &Site : Record->AllocSites)
      Sites.emplace_back(computeFullStackId(Site.CallStack), &Site);
    // Pointers into one vector: equal ids stay in the order of the file.
    llvm::sort(Sites);
    for (const auto &[Id, Site] : Sites)
      Visit({Id, Site->CallStack, Site->Info});
  }
  return Error::success();
}

Expected<FrameTable> IndexedProfile::frames() const {
  FrameTable Result;
  if (Error E = forEachContext([&](const IndexedContext &C) {
        for (const Frame &F : C.Frames)
          Result.add(F);
      }))
    return std::move(E);
  return Result;
}

/// The end of the summary at \p Begin (in profiles with context-sensitive
/// counters, of the second one).
static uint64_t endOfSummary(const DataExtractor &Data,
                             DataExtractor::Cursor &Cursor) {
  const uint64_t NumFields = Data.getU64(Cursor);
  const uint64_t NumEntries = Data.getU64(Cursor);
  const uint64_t Limit = Data.size() / sizeof(uint64_t);
  if (Cursor && (NumFields > Limit || NumEntries > Limit))
    return UINT64_MAX;
  // An entry has three fields.
  Data.skip(Cursor, (NumFields + 3 * NumEntries) * sizeof(uint64_t));
  return Cursor.tell();
}

Expected<std::unique_ptr<IndexedInstrProfReader>>
IndexedProfile::counters() const {
  StringRef Bytes = Contents->getBuffer();
  const Header &H = *Container;
  uint64_t PayloadBegin = H.End;
  if (H.Version >= 4) {
    DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
    DataExtractor::Cursor Cursor(H.End);
    PayloadBegin = endOfSummary(Data, Cursor);
    if (Cursor && PayloadBegin != UINT64_MAX &&
        (H.Variant & VARIANT_MASK_CSIR_PROF))
      PayloadBegin = endOfSummary(Data, Cursor);
    Error E = Cursor.takeError();
    if (E || PayloadBegin == UINT64_MAX) {
      consumeError(std::move(E));
      return fileError(Path, "summary: reaches past the end of the file");
    }
  }
  Expected<DiskTable> Table = DiskTable::open(Bytes, H.HashOffset, "functions",
                                              DiskTable::KeySize::Stored);
  if (!Table)
    return inFile(Path, Table.takeError());
  if (Error E = Table->checkContiguous(PayloadBegin))
    return inFile(Path, std::move(E));
  // A copy that says that there is no memory profile, because LLVM would parse
  // it and trusts it.
  std::string Copy = Bytes.str();
  support::endian::write64le(Copy.data() + sizeof(uint64_t),
                             H.Version | (H.Variant & ~VARIANT_MASK_MEMPROF));
  return inFile(Path, IndexedInstrProfReader::create(
                          MemoryBuffer::getMemBufferCopy(Copy, Path)));
}
