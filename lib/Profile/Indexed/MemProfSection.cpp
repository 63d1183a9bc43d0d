//===- Profile/Indexed/MemProfSection.cpp - The memory profile in a file --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemProfSection.h"
#include "thermocline/Support/SequenceHash.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

static Error malformed(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(),
                           "memory profile: " + Message);
}

/// The key that hash tables of LLVM cannot hold; no function has it.
static bool isReservedKey(uint64_t Key) { return Key >= UINT64_MAX - 1; }

static Error readSchema(const DataExtractor &Data,
                        DataExtractor::Cursor &Cursor, MemProfSchema &Schema) {
  const uint64_t NumFields = Data.getU64(Cursor);
  if (!Cursor)
    return Cursor.takeError();
  if (NumFields > to_underlying(Meta::Size))
    return malformed("schema of " + Twine(NumFields) + " fields");
  for (uint64_t I = 0; I != NumFields; ++I) {
    const uint64_t Field = Data.getU64(Cursor);
    if (!Cursor)
      return Cursor.takeError();
    if (Field == to_underlying(Meta::Start) ||
        Field >= to_underlying(Meta::Size) ||
        is_contained(Schema, static_cast<Meta>(Field)))
      return malformed("unknown or repeated field " + Twine(Field) +
                       " in the schema");
    Schema.push_back(static_cast<Meta>(Field));
  }
  return Error::success();
}

Expected<std::unique_ptr<MemProfSection>>
MemProfSection::open(StringRef Contents, uint64_t Offset) {
  auto Result = std::make_unique<MemProfSection>();
  Result->Contents = Contents;
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(Offset);

  Result->Version = Data.getU64(Cursor);
  if (!Cursor)
    return Cursor.takeError();
  if (Result->Version < MinimumSupportedVersion ||
      Result->Version > MaximumSupportedVersion)
    return malformed("version " + Twine(Result->Version) +
                     " is not supported (" + Twine(MinimumSupportedVersion) +
                     " to " + Twine(MaximumSupportedVersion) + " are)");
  const bool Arrays = Result->Version >= Version3;
  uint64_t RecordsOffset, FramesOffset = 0, StacksOffset = 0;
  uint64_t ArrayBegin = 0, ArrayEnd = 0;
  if (Arrays) {
    ArrayBegin = Data.getU64(Cursor);
    ArrayEnd = Data.getU64(Cursor);
    RecordsOffset = Data.getU64(Cursor);
  } else {
    RecordsOffset = Data.getU64(Cursor);
    Data.getU64(Cursor);
    FramesOffset = Data.getU64(Cursor);
    Data.getU64(Cursor);
    StacksOffset = Data.getU64(Cursor);
  }
  if (Result->Version >= Version4) {
    Result->DataAccessOffset = Data.getU64(Cursor);
    const uint64_t NumSummaryFields = Data.getU32(Cursor);
    Data.skip(Cursor, NumSummaryFields * sizeof(uint64_t));
  }
  if (!Cursor)
    return Cursor.takeError();
  if (Error E = readSchema(Data, Cursor, Result->Schema)) {
    consumeError(Cursor.takeError());
    return std::move(E);
  }
  const uint64_t FramesBegin = Cursor.tell();
  if (Error E = Cursor.takeError())
    return std::move(E);

  auto Table = [&](uint64_t TableOffset, StringRef What,
                   DiskTable::KeySize Keys, DiskTable &Destination) -> Error {
    Expected<DiskTable> Opened =
        DiskTable::open(Contents, TableOffset, What, Keys);
    if (!Opened)
      return Opened.takeError();
    Destination = std::move(*Opened);
    return Error::success();
  };
  if (Error E = Table(RecordsOffset, "memory profile, records",
                      DiskTable::KeySize::Stored, Result->Records))
    return std::move(E);
  if (!Arrays) {
    if (Error E = Table(FramesOffset, "memory profile, frames",
                        DiskTable::KeySize::Stored, Result->Frames))
      return std::move(E);
    if (Error E = Table(StacksOffset, "memory profile, call stacks",
                        DiskTable::KeySize::Always8, Result->CallStacks))
      return std::move(E);
    return Result;
  }
  if (ArrayBegin < FramesBegin || ArrayEnd < ArrayBegin ||
      Contents.size() < ArrayEnd)
    return malformed("offsets of frames and call stacks are not in order");
  Result->Payload = Contents.slice(FramesBegin, RecordsOffset);
  Result->FrameArray = Contents.slice(FramesBegin, ArrayBegin);
  Result->RadixArray = Contents.slice(ArrayBegin, ArrayEnd);
  return Result;
}

void MemProfChecksum::setPayload(StringRef Bytes) {
  // How far the table is aligned depends on where it is.
  Contents = xxh3_64bits(Bytes.rtrim(StringRef("\0", 1)));
}

void MemProfChecksum::addEntry(StringRef Key, StringRef Data) {
  SequenceHash Entry;
  Entry.add(xxh3_64bits(Key));
  Entry.add(xxh3_64bits(Data));
  Contents += Entry.value();
}

uint64_t MemProfChecksum::value() const {
  std::vector<uint64_t> Parts = {Version, Contents};
  for (Meta Field : Schema)
    Parts.push_back(to_underlying(Field));
  return xxh3_64bits(ArrayRef(reinterpret_cast<const uint8_t *>(Parts.data()),
                              Parts.size() * sizeof(uint64_t)));
}

Expected<uint64_t> MemProfSection::checksum() const {
  MemProfChecksum Result(Version, Schema);
  if (Version >= Version3) {
    Result.setPayload(Payload);
    return Result.value();
  }
  for (const DiskTable *Table : {&Records, &Frames, &CallStacks})
    if (Error E = Table->forEach([&](const DiskTable::Item &Found) {
          Result.addEntry(Found.Key, Found.Data);
          return Error::success();
        }))
      return std::move(E);
  return Result.value();
}

Expected<std::vector<GlobalValue::GUID>> MemProfSection::functions() const {
  std::vector<GlobalValue::GUID> Result;
  Error E = Records.forEach([&](const DiskTable::Item &Found) -> Error {
    if (Found.Key.size() != sizeof(uint64_t))
      return malformed("key of " + Twine(Found.Key.size()) + " bytes");
    uint64_t Function = support::endian::read64le(Found.Key.data());
    if (isReservedKey(Function))
      return malformed("impossible function 0x" + utohexstr(Function));
    Result.push_back(Function);
    return Error::success();
  });
  if (E)
    return std::move(E);
  llvm::sort(Result);
  return Result;
}

Expected<MemProfSection::Record>
MemProfSection::record(GlobalValue::GUID Function) const {
  Expected<std::optional<StringRef>> Data = Records.find(Function);
  if (!Data)
    return Data.takeError();
  if (!*Data)
    return Record();
  return parseRecord(Function, **Data);
}

Expected<MemProfSection::Record>
MemProfSection::parseRecord(GlobalValue::GUID Function, StringRef Bytes) const {
  auto Bad = [&](const Twine &Message) {
    return malformed("record of function " + hexText(Function) + ": " +
                     Message);
  };
  DataExtractor Data(Bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DataExtractor::Cursor Cursor(0);
  const uint32_t KeySize =
      Version >= Version3 ? sizeof(LinearCallStackId) : sizeof(CallStackId);
  const uint64_t InfoSize = PortableMemInfoBlock::serializedSize(Schema);
  Record Result;

  const uint64_t NumAllocs = Data.getU64(Cursor);
  for (uint64_t I = 0; I < NumAllocs && Cursor; ++I) {
    AllocSite Site;
    Site.Stack = Data.getUnsigned(Cursor, KeySize);
    StringRef Info = Data.getBytes(Cursor, InfoSize);
    if (!Cursor)
      break;
    Site.Info.deserialize(Schema, Info.bytes_begin());
    if (Site.Info.getSchema()[to_underlying(Meta::AllocCount)] &&
        Site.Info.getAllocCount() == 0) {
      consumeError(Cursor.takeError());
      return Bad("allocation site " + Twine(I) + " counts no allocations");
    }
    Result.AllocSites.push_back(std::move(Site));
  }
  const uint64_t NumCalls = Data.getU64(Cursor);
  for (uint64_t I = 0; I < NumCalls && Cursor; ++I) {
    CallSite Site;
    Site.Stack = Data.getUnsigned(Cursor, KeySize);
    const uint64_t NumCallees = Version >= Version4 ? Data.getU64(Cursor) : 0;
    for (uint64_t J = 0; J < NumCallees && Cursor; ++J)
      Site.Callees.push_back(Data.getU64(Cursor));
    if (Cursor)
      Result.CallSites.push_back(std::move(Site));
  }
  if (Error E = Cursor.takeError()) {
    consumeError(std::move(E));
    return Bad("is truncated");
  }
  return Result;
}

/// Parses the bytes of a frame. Returns none if the last byte, a flag, is
/// neither 0 nor 1: LLVM's reader would take it for a bool.
static std::optional<Frame> parseFrame(StringRef Bytes) {
  const uint8_t Flag = Bytes[Frame::serializedSize() - 1];
  if (Flag > 1)
    return std::nullopt;
  return Frame::deserialize(Bytes.bytes_begin());
}

Expected<std::vector<Frame>> MemProfSection::callStack(StackKey Key) const {
  Expected<std::vector<Frame>> Result =
      Version >= Version3 ? callStackFromArray(Key) : callStackFromTable(Key);
  if (Result && Result->empty())
    return malformed("call stack 0x" + utohexstr(Key) + " is empty");
  return Result;
}

Expected<std::vector<Frame>>
MemProfSection::callStackFromTable(StackKey Key) const {
  Expected<std::optional<StringRef>> Ids = CallStacks.find(Key);
  if (!Ids)
    return Ids.takeError();
  if (!*Ids)
    return malformed("call stack 0x" + utohexstr(Key) + " is not in the file");
  std::vector<Frame> Result;
  for (StringRef Rest = **Ids; Rest.size() >= sizeof(FrameId);
       Rest = Rest.drop_front(sizeof(FrameId))) {
    const FrameId Id = support::endian::read64le(Rest.data());
    Expected<std::optional<StringRef>> Bytes = Frames.find(Id);
    if (!Bytes)
      return Bytes.takeError();
    if (!*Bytes || (*Bytes)->size() < Frame::serializedSize())
      return malformed("frame 0x" + utohexstr(Id) + " is not in the file");
    std::optional<Frame> Parsed = parseFrame(**Bytes);
    if (!Parsed)
      return malformed("frame 0x" + utohexstr(Id) + " has a flag that is none");
    Result.push_back(*Parsed);
  }
  return Result;
}

Expected<std::vector<Frame>>
MemProfSection::callStackFromArray(StackKey Key) const {
  const uint64_t NumElements = RadixArray.size() / sizeof(LinearFrameId);
  const uint64_t NumFrames = FrameArray.size() / Frame::serializedSize();
  auto Bad = [&] {
    return malformed("call stack at position " + Twine(Key) +
                     " leaves its array");
  };
  auto Element = [&](uint64_t Index) {
    return support::endian::read32le(RadixArray.data() +
                                     Index * sizeof(LinearFrameId));
  };
  if (Key >= NumElements)
    return Bad();
  const uint64_t Length = Element(Key);
  if (Length > NumElements)
    return Bad();
  std::vector<Frame> Result;
  Result.reserve(Length);
  uint64_t Position = Key + 1;
  for (uint64_t I = 0; I != Length; ++I, ++Position) {
    if (Position >= NumElements)
      return Bad();
    int32_t Value = static_cast<int32_t>(Element(Position));
    if (Value < 0) {
      Position += static_cast<uint64_t>(-static_cast<int64_t>(Value));
      if (Position >= NumElements)
        return Bad();
      Value = static_cast<int32_t>(Element(Position));
    }
    if (Value < 0 || static_cast<uint64_t>(Value) >= NumFrames)
      return malformed("call stack at position " + Twine(Key) +
                       " names a frame that is not in the file");
    std::optional<Frame> Parsed =
        parseFrame(FrameArray.substr(Value * Frame::serializedSize()));
    if (!Parsed)
      return malformed("frame " + Twine(Value) + " has a flag that is none");
    Result.push_back(*Parsed);
  }
  return Result;
}
