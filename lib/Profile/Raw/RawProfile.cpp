//===- Profile/Raw/RawProfile.cpp - Raw memory profiles, validated --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawProfile.h"
#include "RawChecksums.h"
#include "thermocline/Format/Counters.h"
#include "thermocline/Format/RawSections.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/InputFile.h"
#include "thermocline/Support/Part.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

namespace {
constexpr uint64_t HeaderSize = 6 * sizeof(uint64_t);
constexpr uint64_t OldestVersion = 3;
constexpr uint64_t FirstVersionWithHistogram = 4;
constexpr uint64_t FirstVersionWithShortHistogram = 5;
constexpr uint64_t BuildIdCapacity = MEMPROF_BUILDID_MAX_SIZE;
constexpr uint64_t SegmentSize = 4 * sizeof(uint64_t) + BuildIdCapacity;
constexpr uint64_t CallStackHeaderSize = 2 * sizeof(uint64_t);
constexpr uint64_t SampleSize = sizeof(format::SampleRecord);
/// 557 years: sums of lengths stay far from overflow.
constexpr uint64_t MaxRunMs = uint64_t(1) << 44;

/// What the header of one dump says, with every offset checked.
struct DumpHeader {
  uint64_t Version = 0;
  uint64_t TotalSize = 0;
  uint64_t SegmentOffset = 0;
  uint64_t MIBOffset = 0;
  uint64_t StackOffset = 0;
};

/// A call stack of the file.
struct StackEntry {
  uint64_t Id = 0;
  RawAddresses Calls;
  /// What number it has in the section of its dump.
  size_t Number = 0;
  /// Its context, and one more than the index; 0 if no MIB has it yet.
  size_t Context = 0;
};
} // namespace

namespace thermocline::profile {
/// Parses one file into a RawProfile. Offsets are those of the file throughout,
/// so that errors can name them.
class RawParser {
public:
  explicit RawParser(MemoryBufferRef Buffer)
      : Name(Buffer.getBufferIdentifier()), Contents(Buffer.getBuffer()) {}

  Expected<RawProfile> parse();

private:
  /// A section of a dump, read from front to back.
  struct Section {
    Section(StringRef File, StringRef What, uint64_t Begin, uint64_t End)
        : What(What), Data(File.take_front(End), /*IsLittleEndian=*/true,
                           /*AddressSize=*/8),
          Cursor(Begin), End(End) {}

    uint64_t remaining() const { return End - Cursor.tell(); }
    uint64_t u64() { return Data.getU64(Cursor); }
    StringRef What;
    DataExtractor Data;
    DataExtractor::Cursor Cursor;
    uint64_t End;
  };

  Error failure(uint64_t Offset, const Twine &Message) const;
  Error failure(Section &S, const Twine &Record, uint64_t Offset,
                const Twine &Message) const;
  Expected<uint64_t> readCount(Section &S, uint64_t ItemSize) const;
  Expected<uint64_t> readCount(Section &S, uint64_t ItemSize,
                               std::optional<uint64_t> Checked) const;
  Expected<DumpHeader> readHeader() const;
  Expected<std::optional<CheckedParts>> check() const;
  Error readDump();
  Error readSegments(Section S, std::optional<uint64_t> Checked);
  Error readStacks(Section S, std::optional<uint64_t> Checked);
  Error addStack(Section &S, const StackEntry &Stack);
  Error differs(Section &S, const StackEntry &Stack) const;
  Error orderStacks(Section &S);
  StackEntry *findStack(uint64_t Id);
  /// A MIB of the present dump.
  struct Mib {
    /// The index of a context of the result.
    size_t Context;
    uint32_t AllocCount;
    double Density;
  };
  Error readMibs(Section S, uint64_t Version);
  void noteAllMeasured();
  Error addMib(uint64_t Index, uint64_t Offset, uint64_t Id,
               const MemInfoBlock &Info, std::vector<uint64_t> &&Histogram);
  /// A part behind the MIBs.
  struct Part {
    const PartForm *Form;
    /// The offset in the file.
    uint64_t Begin;
    StringRef Payload;
    /// How many follow.
    uint64_t NumLeft;
  };
  Error readParts(Section &S);
  Expected<std::optional<Part>> readPart(Section &S) const;
  Error partFailure(Section &S, const Part &P, const Twine &Message) const;
  Error addSamples(Section &S, const Part &P);
  Expected<RawSampling> readSample(Section &S, uint64_t Index) const;
  void addSample(const Mib &M, const RawSampling &New);
  Error addRun(Section &S, const Part &P);
  Error addWindows(Section &S, const Part &P);
  Error addLayouts(Section &S, const Part &P, uint64_t NumBefore);

  StringRef Name;
  StringRef Contents;
  uint64_t DumpBegin = 0;
  RawProfile Result;
  /// The call stacks of all dumps so far, each once: first those of the first
  /// dump, ordered by id.
  std::vector<StackEntry> Stacks;
  size_t NumOrdered = 0;
  /// The places of the others. Ids come from the file, and a DenseMap reserves
  /// two keys: so keys have a second part, which is 0. It is never iterated
  /// over.
  DenseMap<std::pair<uint64_t, uint8_t>, size_t> OfLaterDumps;
  /// The stack that the next MIB has, as a guess: a runtime writes both in one
  /// order.
  size_t NextStack = 0;
  /// Whether the file ends with the present dump, which is the first.
  bool IsOnlyDump = false;
  std::vector<Mib> Mibs;
};
} // namespace thermocline::profile

/// An error at \p Offset of the file, for parts that have no section.
Error RawParser::failure(uint64_t Offset, const Twine &Message) const {
  return recordError(Name,
                     "dump " + Twine(Result.NumDumps + 1) + " (at byte " +
                         Twine(Offset) + ")",
                     Message);
}

Error RawParser::failure(Section &S, const Twine &Record, uint64_t Offset,
                         const Twine &Message) const {
  consumeError(S.Cursor.takeError());
  return recordError(Name,
                     "dump " + Twine(Result.NumDumps + 1) + ", " + S.What +
                         Record + " (at byte " + Twine(Offset) + ")",
                     Message);
}

/// The number of items that a section starts with, no more than fit into it.
Expected<uint64_t> RawParser::readCount(Section &S, uint64_t ItemSize) const {
  uint64_t Offset = S.Cursor.tell();
  uint64_t Count = S.u64();
  if (!S.Cursor)
    return failure(S, " section", Offset, "too short for its count");
  if (Count > S.remaining() / ItemSize)
    return failure(S, " section", Offset,
                   "has room for " + Twine(S.remaining() / ItemSize) +
                       " entries, but counts " + Twine(Count));
  return Count;
}

/// The number of items, of which the first \p Checked are the profile's: behind
/// them may be what a process that was killed had just begun to write.
Expected<uint64_t> RawParser::readCount(Section &S, uint64_t ItemSize,
                                        std::optional<uint64_t> Checked) const {
  const uint64_t Offset = S.Cursor.tell();
  Expected<uint64_t> Count = readCount(S, ItemSize);
  if (!Count || !Checked)
    return Count;
  if (*Count < *Checked)
    return failure(S, " section", Offset,
                   "damaged: counts " + Twine(*Count) + " entries, but has " +
                       Twine(*Checked));
  return *Checked;
}

Expected<std::optional<CheckedParts>> RawParser::check() const {
  return checkDump(Contents.substr(DumpBegin), [&](StringRef Section,
                                                   uint64_t Offset,
                                                   const Twine &Message) {
    return recordError(Name,
                       "dump " + Twine(Result.NumDumps + 1) + ", " + Section +
                           (Section == "header" ? "" : " section") +
                           " (at byte " + Twine(DumpBegin + Offset) + ")",
                       Message);
  });
}

Expected<DumpHeader> RawParser::readHeader() const {
  uint64_t Available = Contents.size() - DumpBegin;
  if (Available < HeaderSize)
    return failure(DumpBegin, "truncated: a header has " + Twine(HeaderSize) +
                                  " bytes, but only " + Twine(Available) +
                                  " are left");
  DataExtractor Data(Contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
  uint64_t Offset = DumpBegin;
  uint64_t Magic = Data.getU64(&Offset);
  if (Magic != MEMPROF_RAW_MAGIC_64)
    return failure(DumpBegin,
                   "not a raw memory profile: wrong magic number 0x" +
                       utohexstr(Magic));
  DumpHeader H;
  H.Version = Data.getU64(&Offset);
  if (H.Version < OldestVersion || H.Version > MEMPROF_RAW_VERSION)
    return failure(DumpBegin, "raw format version " + Twine(H.Version) +
                                  " is not supported (" + Twine(OldestVersion) +
                                  " to " + Twine(MEMPROF_RAW_VERSION) +
                                  " are)");
  H.TotalSize = Data.getU64(&Offset);
  H.SegmentOffset = Data.getU64(&Offset);
  H.MIBOffset = Data.getU64(&Offset);
  H.StackOffset = Data.getU64(&Offset);
  if (H.TotalSize > Available)
    return failure(DumpBegin, "truncated: the dump has " + Twine(H.TotalSize) +
                                  " bytes, but only " + Twine(Available) +
                                  " are left");
  if (H.SegmentOffset < HeaderSize || H.MIBOffset < H.SegmentOffset ||
      H.StackOffset < H.MIBOffset || H.TotalSize < H.StackOffset)
    return failure(DumpBegin,
                   "section offsets " + Twine(H.SegmentOffset) + ", " +
                       Twine(H.MIBOffset) + ", " + Twine(H.StackOffset) +
                       " are not in order between the header and the end at " +
                       Twine(H.TotalSize));
  return H;
}

Error RawParser::readSegments(Section S, std::optional<uint64_t> Checked) {
  Expected<uint64_t> Count = readCount(S, SegmentSize, Checked);
  if (!Count)
    return Count.takeError();
  for (uint64_t I = 0; I != *Count; ++I) {
    uint64_t Offset = S.Cursor.tell();
    RawSegment Segment;
    Segment.Start = S.u64();
    Segment.End = S.u64();
    Segment.Base = S.u64();
    uint64_t BuildIdSize = S.u64();
    StringRef BuildId = S.Data.getBytes(S.Cursor, BuildIdCapacity);
    if (BuildIdSize > BuildIdCapacity)
      return failure(S, " " + Twine(I), Offset,
                     "build id of " + Twine(BuildIdSize) + " bytes");
    if (Segment.End < Segment.Start)
      return failure(S, " " + Twine(I), Offset, "ends before it starts");
    append_range(Segment.BuildId, BuildId.take_front(BuildIdSize).bytes());
    if (!is_contained(Result.Segments, Segment))
      Result.Segments.push_back(std::move(Segment));
  }
  return S.Cursor.takeError();
}

Error RawParser::readStacks(Section S, std::optional<uint64_t> Checked) {
  Expected<uint64_t> Count = readCount(S, CallStackHeaderSize, Checked);
  if (!Count)
    return Count.takeError();
  const bool IsFirst = Result.NumDumps == 0;
  if (IsFirst)
    Stacks.reserve(*Count);
  for (uint64_t I = 0; I != *Count; ++I) {
    uint64_t Offset = S.Cursor.tell();
    StackEntry Stack;
    Stack.Id = S.u64();
    Stack.Number = I;
    uint64_t NumAddresses = S.u64();
    if (!S.Cursor || NumAddresses > S.remaining() / sizeof(uint64_t))
      return failure(S, " " + Twine(I), Offset,
                     "reaches past the end of the dump");
    if (NumAddresses == 0)
      return failure(S, " " + Twine(I), Offset, "has no addresses");
    const auto *First = reinterpret_cast<const support::ulittle64_t *>(
        Contents.data() + S.Cursor.tell());
    Stack.Calls = RawAddresses(First, NumAddresses);
    S.Data.skip(S.Cursor, NumAddresses * sizeof(uint64_t));
    if (IsFirst)
      Stacks.push_back(Stack);
    else if (Error E = addStack(S, Stack))
      return E;
  }
  if (IsFirst)
    if (Error E = orderStacks(S))
      return E;
  return S.Cursor.takeError();
}

/// The error of \p Stack, whose id an earlier one has.
Error RawParser::differs(Section &S, const StackEntry &Stack) const {
  return failure(S, " " + Twine(Stack.Number),
                 reinterpret_cast<const char *>(Stack.Calls.data()) -
                     Contents.data() - CallStackHeaderSize,
                 "call stack 0x" + utohexstr(Stack.Id) +
                     " differs from an earlier one with the same id; are "
                     "these dumps of different processes?");
}

/// Adds a stack of a later dump.
Error RawParser::addStack(Section &S, const StackEntry &Stack) {
  const StackEntry *Known = findStack(Stack.Id);
  if (Known)
    return Known->Calls == Stack.Calls ? Error::success() : differs(S, Stack);
  OfLaterDumps[{Stack.Id, 0}] = Stacks.size();
  Stacks.push_back(Stack);
  return Error::success();
}

/// Orders the stacks of the first dump, and drops those that are there again.
Error RawParser::orderStacks(Section &S) {
  auto IsBefore = [](const StackEntry &A, const StackEntry &B) {
    return std::tie(A.Id, A.Number) < std::tie(B.Id, B.Number);
  };
  // They are in order as our runtime writes them.
  if (!is_sorted(Stacks, IsBefore))
    llvm::sort(Stacks, IsBefore);
  size_t NumKept = 0;
  for (const StackEntry &Stack : Stacks) {
    if (NumKept == 0 || Stacks[NumKept - 1].Id != Stack.Id)
      Stacks[NumKept++] = Stack;
    else if (Stacks[NumKept - 1].Calls != Stack.Calls)
      return differs(S, Stack);
  }
  Stacks.resize(NumKept);
  NumOrdered = NumKept;
  return Error::success();
}

/// The call stack \p Id, or null.
StackEntry *RawParser::findStack(uint64_t Id) {
  if (NextStack < Stacks.size() && Stacks[NextStack].Id == Id)
    return &Stacks[NextStack++];
  const auto Ordered = ArrayRef(Stacks).take_front(NumOrdered);
  size_t Place =
      partition_point(Ordered, [&](const StackEntry &K) { return K.Id < Id; }) -
      Ordered.begin();
  if (Place == NumOrdered || Stacks[Place].Id != Id) {
    const auto Known = OfLaterDumps.find({Id, 0});
    if (Known == OfLaterDumps.end())
      return nullptr;
    Place = Known->second;
  }
  NextStack = Place + 1;
  return &Stacks[Place];
}

Error RawParser::addMib(uint64_t Index, uint64_t Offset, uint64_t Id,
                        const MemInfoBlock &Info,
                        std::vector<uint64_t> &&Histogram) {
  auto Failed = [&](const Twine &Message) {
    return recordError(Name,
                       "dump " + Twine(Result.NumDumps + 1) + ", MIB " +
                           Twine(Index) + " (at byte " + Twine(Offset) + ")",
                       Message);
  };
  if (Info.AllocCount == 0)
    return Failed("counts no allocations");
  if (Info.MinSize > Info.MaxSize || Info.MinLifetime > Info.MaxLifetime ||
      Info.MinAccessCount > Info.MaxAccessCount)
    return Failed("has a minimum above its maximum");
  StackEntry *Stack = findStack(Id);
  if (!Stack)
    return Failed("call stack 0x" + utohexstr(Id) + " is not in the file");
  if (!Stack->Context) {
    RawContext &New = Result.Contexts.emplace_back();
    New.CallStackId = Id;
    New.Info = Info;
    New.Calls = Stack->Calls;
    New.Histogram = std::move(Histogram);
    Stack->Context = Result.Contexts.size();
  } else {
    RawContext &Merged = Result.Contexts[Stack->Context - 1];
    mergeLaterBlock(Merged.Info, Info);
    if (Histogram.size() > Merged.Histogram.size())
      Histogram.swap(Merged.Histogram);
    for (auto [Sum, Added] : zip(Merged.Histogram, Histogram))
      Sum = SaturatingAdd(Sum, Added);
  }
  Mibs.push_back({Stack->Context - 1, Info.AllocCount,
                  static_cast<double>(+Info.TotalLifetimeAccessDensity) / 100 /
                      Info.AllocCount});
  return Error::success();
}

Expected<RawSampling> RawParser::readSample(Section &S, uint64_t Index) const {
  const uint64_t Offset = S.Cursor.tell();
  RawSampling Result;
  Result.Measured = S.u64();
  const uint64_t Flags = S.u64();
  double *Fields[] = {&Result.AllocCountVariance,
                      &Result.SizeVariance,
                      &Result.AccessesVariance,
                      &Result.LifetimeVariance,
                      &Result.Density,
                      &Result.DensityVariance};
  for (double *Field : Fields) {
    *Field = bit_cast<double>(S.u64());
    if (!std::isfinite(*Field) || *Field < 0)
      return failure(S, " sample " + Twine(Index), Offset,
                     "has a variance or density that is negative or no number");
  }
  if (Result.Measured == 0)
    return failure(S, " sample " + Twine(Index), Offset,
                   "counts no allocations");
  if (Flags & ~format::AllSampleFlags)
    return failure(S, " sample " + Twine(Index), Offset, "has unknown flags");
  Result.HasGaps = (Flags & format::HasGaps) != 0;
  Result.PlaceTouched = (Flags & format::PlaceTouched) != 0;
  return Result;
}

/// Samples of several dumps add up as their MIBs do.
void RawParser::addSample(const Mib &M, const RawSampling &New) {
  RawContext &C = Result.Contexts[M.Context];
  RawSampling &Sum = Result.Samplings[M.Context];
  // The context counts this MIB's allocations already.
  const double Share = static_cast<double>(M.AllocCount) /
                       std::max<double>(C.Info.AllocCount, 1);
  Sum.Density = Sum.Density * (1 - Share) + New.Density * Share;
  Sum.DensityVariance = Sum.DensityVariance * (1 - Share) * (1 - Share) +
                        New.DensityVariance * Share * Share;
  Sum.Measured = SaturatingAdd(Sum.Measured, New.Measured);
  Sum.HasGaps |= New.HasGaps;
  Sum.PlaceTouched |= New.PlaceTouched;
  Sum.AllocCountVariance += New.AllocCountVariance;
  Sum.SizeVariance += New.SizeVariance;
  Sum.AccessesVariance += New.AccessesVariance;
  Sum.LifetimeVariance += New.LifetimeVariance;
}

/// Adds samples of the MIBs of a dump that has none, in case that another one
/// has.
void RawParser::noteAllMeasured() {
  if (IsOnlyDump)
    return;
  Result.Samplings.resize(Result.Contexts.size());
  for (const Mib &M : Mibs) {
    RawSampling All;
    All.Measured = M.AllocCount;
    All.Density = M.Density;
    addSample(M, All);
  }
}

/// What we add to a dump, in this order.
static constexpr PartForm Forms[] = {
    {format::RawSamplePart, format::RawPartVersion, "part of samples"},
    {format::RawRunPart, format::RawPartVersion, "part of the run"},
    {format::RawWindowPart, format::RawPartVersion, "part of windows"},
    {format::RawLayoutPart, format::RawPartVersion, "part of layouts"},
};

Error RawParser::partFailure(Section &S, const Part &P,
                             const Twine &Message) const {
  return failure(S, " section", P.Begin, P.Form->Name + ": " + Message);
}

/// Nothing if there is none that we write.
Expected<std::optional<RawParser::Part>> RawParser::readPart(Section &S) const {
  const uint64_t Begin = S.Cursor.tell();
  const StringRef Left = Contents.slice(Begin, S.End);
  if (Left.size() < sizeof(format::PartHeader))
    return std::nullopt;
  auto WordOf = [&](size_t Field) { return wordAt(Left, Field); };
  const auto *Form = find_if(Forms, [&](const PartForm &Each) {
    return Each.Kind == WordOf(offsetof(format::PartHeader, Kind));
  });
  if (Form == std::end(Forms))
    return std::nullopt;
  const uint64_t Bytes = WordOf(offsetof(format::PartHeader, PackedBytes));
  Part Result{Form, Begin, "", WordOf(offsetof(format::PartHeader, NumLeft))};
  if (Bytes > Left.size() || format::partBytes(Bytes) > Left.size())
    return partFailure(S, Result, "reaches past the end of the section");
  const StringRef Whole = Left.take_front(format::partBytes(Bytes));
  Expected<PartPayload> Payload = parsePart(Whole, *Form);
  if (!Payload)
    return failure(S, " section", Begin, toString(Payload.takeError()));
  Result.Payload = Whole.substr(sizeof(format::PartHeader), Bytes);
  if (Payload->bytes().data() != Result.Payload.data())
    return partFailure(S, Result, "is compressed");
  S.Data.skip(S.Cursor, Whole.size());
  return Result;
}

/// \p S stands behind the MIBs, where there need not be parts.
Error RawParser::readParts(Section &S) {
  std::optional<Part> Parts[std::size(Forms)];
  const Part *Before = nullptr;
  while (!Before || Before->NumLeft) {
    Expected<std::optional<Part>> Read = readPart(S);
    if (!Read)
      return Read.takeError();
    const std::optional<Part> &Next = *Read;
    if (!Next && !Before)
      break;
    if (!Next)
      return failure(S, " section", S.Cursor.tell(),
                     "lacks a part that is said to follow");
    if (Before &&
        (Next->NumLeft + 1 != Before->NumLeft || Next->Form <= Before->Form))
      return partFailure(S, *Next, "is not in its place");
    Before = &Parts[Next->Form - Forms].emplace(*Next);
  }
  const auto &[Samples, Run, Windows, Layouts] = Parts;
  const size_t NumBefore = Result.Windows.size();
  if (!Samples)
    noteAllMeasured();
  else if (Error E = addSamples(S, *Samples))
    return E;
  if (!Run)
    Result.Run = std::nullopt;
  else if (Error E = addRun(S, *Run))
    return E;
  if (Windows)
    if (Error E = addWindows(S, *Windows))
      return E;
  if (Layouts)
    if (Error E = addLayouts(S, *Layouts, NumBefore))
      return E;
  return S.Cursor.takeError();
}

Error RawParser::addSamples(Section &S, const Part &P) {
  Section Samples(Contents, "MIB", P.Begin + sizeof(format::PartHeader),
                  P.Begin + sizeof(format::PartHeader) + P.Payload.size());
  const uint64_t Interval = Samples.u64();
  if (!Samples.Cursor || Samples.remaining() != Mibs.size() * SampleSize) {
    consumeError(Samples.Cursor.takeError());
    return partFailure(
        S, P, "does not have one for each of " + Twine(Mibs.size()) + " MIBs");
  }
  if (Interval < 2 || Interval > format::MaxSampleInterval) {
    consumeError(Samples.Cursor.takeError());
    return partFailure(S, P,
                       "one allocation of " + Twine(Interval) +
                           " cannot have been recorded");
  }
  Result.Samplings.resize(Result.Contexts.size());
  Result.SampleInterval = std::max(Result.SampleInterval, Interval);
  for (auto [I, M] : enumerate(Mibs)) {
    Expected<RawSampling> Sample = readSample(Samples, I);
    if (!Sample)
      return Sample.takeError();
    addSample(M, *Sample);
  }
  return Samples.Cursor.takeError();
}

Error RawParser::addRun(Section &S, const Part &P) {
  if (P.Payload.size() != sizeof(format::RunRecord))
    return partFailure(S, P, "its size is damaged");
  const RawRun Run = {wordAt(P.Payload, 0), wordAt(P.Payload, WordSize)};
  if (Run.BeginMs > Run.EndMs || Run.EndMs > MaxRunMs)
    return partFailure(S, P,
                       "a run cannot have taken from " + Twine(Run.BeginMs) +
                           " to " + Twine(Run.EndMs) + " ms");
  if (Result.NumDumps == 0)
    Result.Run = Run;
  else if (Result.Run)
    Result.Run = {std::min(Result.Run->BeginMs, Run.BeginMs),
                  std::max(Result.Run->EndMs, Run.EndMs)};
  return Error::success();
}

Error RawParser::addWindows(Section &S, const Part &P) {
  const size_t Before = Result.Windows.size();
  return decodeRawWindows(
      P.Payload, Mibs.size(), Result.Windows, Result.PageBytes,
      [&](size_t I, ContextTouches &&Touches) {
        ContextTouches &Merged = Result.Contexts[Mibs[I].Context].Touches;
        return Merged.Objects.append(std::move(Touches.Objects), Before) &&
               Merged.Pages.append(std::move(Touches.Pages), Before);
      },
      [&](const Twine &What) { return partFailure(S, P, What); });
}

/// The windows of the dump are those behind \p NumBefore.
Error RawParser::addLayouts(Section &S, const Part &P, uint64_t NumBefore) {
  std::vector<std::string> Phases;
  for (const RawWindow &W : ArrayRef(Result.Windows).drop_front(NumBefore))
    Phases.push_back(W.Phase);
  std::vector<BurstLayout> Read;
  if (Error E =
          decodeRawLayouts(P.Payload, Phases, Read, [&](const Twine &What) {
            return partFailure(S, P, What);
          }))
    return E;
  for (BurstLayout &Burst : Read) {
    for (LayoutStretch &Stretch : Burst.Stretches) {
      // What began and ended beside a fork may have no record.
      erase_if(Stretch.Runs, [&](LayoutRun &Run) {
        const StackEntry *Stack = findStack(Run.Context);
        if (Stack && Stack->Context)
          Run.Context = Stack->Context - 1;
        return !Stack || !Stack->Context;
      });
    }
    Result.Layouts.push_back(std::move(Burst));
  }
  return Error::success();
}

Error RawParser::readMibs(Section S, uint64_t Version) {
  const uint64_t Begin = S.Cursor.tell();
  Mibs.clear();
  uint64_t Size = sizeof(uint64_t) + MEMPROF_V3_MIB_SIZE;
  if (Version >= FirstVersionWithHistogram)
    Size = sizeof(uint64_t) + sizeof(MemInfoBlock);
  const uint64_t CounterSize = Version >= FirstVersionWithShortHistogram
                                   ? sizeof(uint16_t)
                                   : sizeof(uint64_t);
  Expected<uint64_t> Count = readCount(S, Size);
  if (!Count)
    return Count.takeError();
  Mibs.reserve(*Count);
  if (Result.NumDumps == 0)
    Result.Contexts.reserve(*Count);
  for (uint64_t I = 0; I != *Count; ++I) {
    uint64_t Offset = S.Cursor.tell();
    if (S.remaining() < Size)
      return failure(S, " " + Twine(I), Offset,
                     "reaches past the end of the section");
    uint64_t Id = S.u64();
    // The block has the fields of the file, in their order and without padding;
    // those of later versions come last.
    MemInfoBlock Info;
    static_assert(endianness::native == endianness::little);
    std::memcpy(&Info, Contents.data() + S.Cursor.tell(), Size - sizeof(Id));
    S.Data.skip(S.Cursor, Size - sizeof(Id));
    std::vector<uint64_t> Histogram;
    if (Info.AccessHistogramSize) {
      if (Info.AccessHistogramSize > S.remaining() / CounterSize)
        return failure(S, " " + Twine(I), Offset,
                       "histogram of " + Twine(Info.AccessHistogramSize) +
                           " counters reaches past the end of the section");
      Histogram.resize(Info.AccessHistogramSize);
      for (uint64_t &Counter : Histogram)
        Counter = Version >= FirstVersionWithShortHistogram
                      ? decodeHistogramCount(S.Data.getU16(S.Cursor))
                      : S.u64();
      ++Result.NumHistograms;
    }
    // A pointer of the profiled process, and what it pointed to.
    Info.AccessHistogramSize = 0;
    Info.AccessHistogram = 0;
    if (Error E = addMib(I, Offset, Id, Info, std::move(Histogram))) {
      consumeError(S.Cursor.takeError());
      return E;
    }
  }
  const uint64_t Over = (S.Cursor.tell() - Begin) % sizeof(uint64_t);
  const uint64_t Padding = Over ? sizeof(uint64_t) - Over : 0;
  if (!S.Cursor || S.remaining() < Padding) {
    noteAllMeasured();
    Result.Run = std::nullopt;
    return S.Cursor.takeError();
  }
  S.Data.skip(S.Cursor, Padding);
  return readParts(S);
}

Error RawParser::readDump() {
  Expected<std::optional<CheckedParts>> Checked = check();
  if (!Checked)
    return Checked.takeError();
  Expected<DumpHeader> H = readHeader();
  if (!H)
    return H.takeError();
  IsOnlyDump = DumpBegin == 0 && H->TotalSize == Contents.size();
  std::optional<uint64_t> NumSegments, NumStacks;
  uint64_t MIBEnd = H->StackOffset;
  if (const std::optional<CheckedParts> &C = *Checked) {
    NumSegments = C->NumSegments;
    NumStacks = C->NumStacks;
    MIBEnd = std::min(MIBEnd, H->MIBOffset + C->RecordBytes);
  } else if (H->SegmentOffset != HeaderSize) {
    return failure(DumpBegin, "damaged: behind the header is neither a segment "
                              "section nor one of checksums");
  }
  auto Part = [&](StringRef What, uint64_t Begin, uint64_t End) {
    return Section(Contents, What, DumpBegin + Begin, DumpBegin + End);
  };
  if (Error E = readSegments(Part("segment", H->SegmentOffset, H->MIBOffset),
                             NumSegments))
    return E;
  // Call stacks before the MIBs that name them.
  if (Error E = readStacks(Part("call stack", H->StackOffset, H->TotalSize),
                           NumStacks))
    return E;
  if (Error E = readMibs(Part("MIB", H->MIBOffset, MIBEnd), H->Version))
    return E;
  DumpBegin += H->TotalSize;
  ++Result.NumDumps;
  return Error::success();
}

Expected<RawProfile> RawParser::parse() {
  Result.File = Name.str();
  if (Contents.empty())
    return fileError(Name, "the file is empty");
  while (DumpBegin != Contents.size())
    if (Error E = readDump())
      return std::move(E);
  return std::move(Result);
}

bool RawProfile::hasMagic(StringRef Contents) {
  return Contents.size() >= sizeof(uint64_t) &&
         support::endian::read64le(Contents.data()) == MEMPROF_RAW_MAGIC_64;
}

bool RawProfile::isRaw(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openInput(Path);
  if (Buffer)
    return hasMagic((*Buffer)->getBuffer());
  consumeError(Buffer.takeError());
  return false;
}

AccessKind RawProfile::accesses() const {
  AccessKind Result = AccessKind::Unknown;
  for (const RawContext &C : Contexts)
    Result = std::min(Result, accessKind(C.Info));
  return Result;
}

std::vector<uint64_t> RawProfile::addresses() const {
  std::vector<uint64_t> Result;
  // A DenseMap reserves two keys: so keys have a second part, which is 0.
  DenseSet<std::pair<uint64_t, uint8_t>> Seen;
  for (const RawContext &C : Contexts)
    for (uint64_t Address : C.Calls)
      if (Seen.insert({Address, 0}).second)
        Result.push_back(Address);
  return Result;
}

Expected<RawProfile> RawProfile::read(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = openInput(Path);
  if (!Buffer)
    return Buffer.takeError();
  Expected<RawProfile> Result = parse(**Buffer);
  if (Result)
    Result->Buffer = std::move(*Buffer);
  return Result;
}

Expected<RawProfile> RawProfile::parse(MemoryBufferRef File) {
  return RawParser(File).parse();
}
