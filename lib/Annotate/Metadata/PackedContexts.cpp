//===- Annotate/Metadata/PackedContexts.cpp - Many contexts in few bytes --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/xxhash.h"
#include <array>
#include <limits>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

constexpr uint8_t Format = 1;
/// Bytes of the string before the numbers of bytes.
constexpr size_t HeaderSize = 1 + sizeof(uint64_t);
/// Bytes of the string in one word. The topmost byte of the word is set,
/// because LLVM drops zeros.
constexpr size_t BytesInWord = 7;
constexpr uint64_t WordTag = uint64_t(0x80) << 56;

/// The streams, in their order.
enum Stream : unsigned { Dropped, Added, Steps, Fresh, Sizes, Cold, Weights };
constexpr unsigned NumStreams = 7;

using Buffer = SmallVector<uint8_t, 0>;

void append(Buffer &To, uint64_t Value) {
  uint8_t Bytes[10];
  To.append(Bytes, Bytes + encodeULEB128(Value, Bytes));
}

void appendFixed(Buffer &To, uint64_t Value) {
  uint8_t Bytes[8];
  support::endian::write64le(Bytes, Value);
  To.append(Bytes, Bytes + sizeof(Bytes));
}

/// The checksum of what follows it in the string, and of the frames.
uint64_t checksum(ArrayRef<uint8_t> Rest, ArrayRef<uint64_t> Frames) {
  Buffer All(Rest);
  for (uint64_t Id : Frames)
    appendFixed(All, Id);
  return xxh3_64bits(All);
}

/// Frames of \p A and \p B from the leaf on that are the same.
size_t commonFrames(ArrayRef<uint64_t> A, ArrayRef<uint64_t> B) {
  size_t Length = std::min(A.size(), B.size());
  return std::mismatch(A.begin(), A.begin() + Length, B.begin()).first -
         A.begin();
}

/// Numbers frames in the order in which MIBs list them, and chooses those.
class Listing {
public:
  Listing(ArrayRef<ProfiledContext> Contexts, size_t NumCovered) {
    ArrayRef<uint64_t> Before;
    bool AnyNotCold = false;
    for (auto [I, C] : enumerate(Contexts)) {
      AnyNotCold |= C.Type != AllocationType::Cold;
      // What it shares with the one before is listed.
      size_t Listed = std::max(commonFrames(Before, C.Stack), NumCovered);
      size_t End = 0;
      for (size_t F = Listed; F != C.Stack.size(); ++F)
        if (number(C.Stack[F]))
          End = F + 1;
      if (End)
        Result.push_back(
            {C.Stack.take_front(End), typeOf(Contexts.drop_front(I), End)});
      Before = C.Stack;
    }
    ArrayRef<uint64_t> First = Contexts.front().Stack;
    size_t Shared = commonFrames(First, Contexts.back().Stack);
    if (AnyNotCold || Result.empty())
      Result.push_back({First.take_front(Shared), AnyNotCold
                                                      ? AllocationType::NotCold
                                                      : AllocationType::Cold});
  }

  std::vector<ListedContext> Result;
  DenseMap<uint64_t, uint32_t> Numbers;
  std::vector<uint64_t> Ids;

private:
  /// Whether \p Id is a new one.
  bool number(uint64_t Id) {
    bool IsNew = Numbers.try_emplace(Id, Ids.size()).second;
    if (IsNew)
      Ids.push_back(Id);
    return IsNew;
  }

  /// The temperature of all contexts that share \p Length frames with the
  /// first. These are at the beginning.
  static AllocationType typeOf(ArrayRef<ProfiledContext> Contexts,
                               size_t Length) {
    ArrayRef<uint64_t> Prefix = Contexts.front().Stack.take_front(Length);
    for (const ProfiledContext &C : Contexts) {
      if (C.Stack.take_front(Length) != Prefix)
        break;
      if (C.Type != AllocationType::Cold)
        return AllocationType::NotCold;
    }
    return AllocationType::Cold;
  }
};

std::vector<uint64_t> toWords(ArrayRef<uint8_t> String) {
  std::vector<uint64_t> Result;
  for (; !String.empty();
       String = String.drop_front(std::min(BytesInWord, String.size()))) {
    uint64_t Word = WordTag;
    for (auto [I, Byte] : enumerate(String.take_front(BytesInWord)))
      Word |= uint64_t(Byte) << (8 * I);
    Result.push_back(Word);
  }
  return Result;
}

Error damaged(const Twine &What) {
  return createStringError("packed contexts: " + What);
}

/// Reads numbers; 0 where there are none left, which is remembered.
class Numbers {
public:
  Numbers() = default;
  explicit Numbers(ArrayRef<uint8_t> Bytes)
      : Next(Bytes.begin()), End(Bytes.end()) {}

  uint64_t next() {
    // Most take one byte.
    if (Next != End && *Next < 0x80)
      return *Next++;
    const char *Problem = nullptr;
    unsigned Length = 0;
    uint64_t Value = decodeULEB128(Next, &Length, End, &Problem);
    if (Problem) {
      Failed = true;
      return 0;
    }
    Next += Length;
    return Value;
  }
  ArrayRef<uint8_t> bytes(uint64_t Number) {
    if (Number > static_cast<size_t>(End - Next)) {
      Failed = true;
      return {};
    }
    ArrayRef<uint8_t> Result(Next, Number);
    Next += Number;
    return Result;
  }
  /// Whether all that was asked for was there.
  bool ok() const { return !Failed; }
  bool atEnd() const { return Next == End; }

private:
  const uint8_t *Next = nullptr;
  const uint8_t *End = nullptr;
  bool Failed = false;
};

/// The unpacked bytes of the string in \p Named.
Expected<Buffer> unpack(ArrayRef<ContextTotalSize> Named,
                        ArrayRef<uint64_t> Frames) {
  Buffer String;
  String.reserve(Named.size() * BytesInWord);
  for (const ContextTotalSize &Word : Named.drop_back())
    for (size_t I = 0; I != BytesInWord; ++I)
      String.push_back(Word.FullStackId >> (8 * I));
  if (String.size() < HeaderSize)
    return damaged("there are none");
  if (String.front() != Format)
    return damaged("format " + Twine(unsigned(String.front())) +
                   " is not known; was the module compiled by another "
                   "version?");
  const uint64_t Checksum = support::endian::read64le(String.data() + 1);
  Numbers Header(ArrayRef(String).drop_front(HeaderSize));
  const uint64_t Size = Header.next();
  ArrayRef<uint8_t> Packed = Header.bytes(Header.next());
  if (!Header.ok() || Size > std::numeric_limits<uint32_t>::max() ||
      checksum(ArrayRef(String.data() + HeaderSize, Packed.end()), Frames) !=
          Checksum)
    return damaged("they are damaged");
  if (!compression::zstd::isAvailable())
    return damaged("LLVM was built without zstd");
  Buffer Result;
  if (Error E = compression::zstd::decompress(Packed, Result, Size)) {
    consumeError(std::move(E));
    return damaged("they are damaged");
  }
  return std::move(Result);
}

} // namespace

PackedContexts
thermocline::annotate::packContexts(ArrayRef<ProfiledContext> Contexts,
                                    size_t NumCovered) {
  assert(!Contexts.empty() && "an allocation with a profile has a context");
  Listing Listed(Contexts, NumCovered);
  std::array<Buffer, NumStreams> Streams;
  // By the frame before and the frame: its place in the list of those seen
  // above the one before; below the first frame is none.
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> Places;
  std::vector<uint32_t> NumAbove(Listed.Ids.size() + 1, 0);
  const uint32_t Bottom = Listed.Ids.size();

  ArrayRef<uint64_t> Before = Contexts.front().Stack.take_front(NumCovered);
  for (auto [I, C] : enumerate(Contexts)) {
    size_t Shared = std::max(commonFrames(Before, C.Stack), NumCovered);
    append(Streams[Dropped], Before.size() - Shared);
    append(Streams[Added], C.Stack.size() - Shared);
    uint32_t Below = Shared == NumCovered
                         ? Bottom
                         : Listed.Numbers.find(C.Stack[Shared - 1])->second;
    for (uint64_t Id : C.Stack.drop_front(Shared)) {
      uint32_t Frame = Listed.Numbers.find(Id)->second;
      auto [Place, IsNew] = Places.try_emplace({Below, Frame}, NumAbove[Below]);
      append(Streams[Steps], Place->second);
      if (IsNew) {
        append(Streams[Fresh], Frame);
        ++NumAbove[Below];
      }
      Below = Frame;
    }
    append(Streams[Sizes], C.TotalSize.count());
    if (I % 8 == 0)
      Streams[Cold].push_back(0);
    Streams[Cold].back() |= (C.Type == AllocationType::Cold) << (I % 8);
    if (C.Type == AllocationType::Cold)
      Streams[Weights].push_back(C.Weight.code());
    Before = C.Stack;
  }

  Buffer All;
  append(All, Contexts.size());
  append(All, NumCovered);
  for (uint64_t Id : Contexts.front().Stack.take_front(NumCovered))
    appendFixed(All, Id);
  append(All, Listed.Ids.size());
  for (const Buffer &S : Streams) {
    append(All, S.size());
    All.append(S.begin(), S.end());
  }
  Buffer Packed;
  compression::zstd::compress(All, Packed);
  Buffer Rest;
  append(Rest, All.size());
  append(Rest, Packed.size());
  Rest.append(Packed.begin(), Packed.end());
  Buffer String = {Format};
  appendFixed(String, checksum(Rest, Listed.Ids));
  String.append(Rest.begin(), Rest.end());
  return {std::move(Listed.Result), toWords(String)};
}

bool thermocline::annotate::isSmallerPacked(
    ArrayRef<ProfiledContext> Contexts) {
  // As LLVM 22 writes metadata and summary together: a MIB with its node of
  // stack ids, and each of those; a full context, and one with an id and bytes
  // of its own beside that.
  constexpr size_t OfMIB = 25, OfFrame = 3, OfFull = 40, OfOwnFull = 50;
  auto Listed = [](const auto &MIBs) {
    size_t Result = 0;
    for (const auto &C : MIBs)
      Result += OfMIB + C.Stack.size() * OfFrame;
    return Result;
  };
  PackedContexts Packed = packContexts(Contexts, /*NumCovered=*/1);
  return Listed(Packed.Listed) + Packed.Words.size() * OfFull <
         Listed(Contexts) + Contexts.size() * OfOwnFull;
}

Error thermocline::annotate::unpackContexts(
    NamedContexts Named, ArrayRef<uint64_t> Frames,
    function_ref<void(const UnpackedContext &)> Visit) {
  Expected<Buffer> Unpacked = unpack(Named, Frames);
  if (!Unpacked)
    return Unpacked.takeError();
  // What has the right checksum was written by packContexts, or by somebody who
  // wants the linker to read beyond its memory.
  Numbers In(*Unpacked);
  const uint64_t NumContexts = In.next();
  const uint64_t NumCovered = In.next();
  // One hash for each frame of the stack, below them that of covered ones.
  std::vector<ContextKey> Keys(1);
  for (uint64_t I = 0; I != NumCovered && In.ok(); ++I)
    if (ArrayRef<uint8_t> Id = In.bytes(sizeof(uint64_t)); !Id.empty())
      Keys.front().add(support::endian::read64le(Id.data()));
  const uint64_t NumFrames = In.next();
  std::array<Numbers, NumStreams> Streams;
  ArrayRef<uint8_t> ColdBits, WeightsLeft;
  for (unsigned S = 0; S != NumStreams; ++S) {
    if (S == Weights && In.atEnd())
      break;
    ArrayRef<uint8_t> Bytes = In.bytes(In.next());
    Streams[S] = Numbers(Bytes);
    if (S == Cold)
      ColdBits = Bytes;
    if (S == Weights)
      WeightsLeft = Bytes;
  }
  if (!In.ok() || NumFrames != Frames.size() ||
      NumContexts > 8 * ColdBits.size())
    return damaged("they are damaged");

  std::vector<uint32_t> Stack;
  std::vector<SmallVector<uint32_t, 2>> Above(NumFrames + 1);
  for (uint64_t I = 0; I != NumContexts; ++I) {
    const uint64_t NumDropped = Streams[Dropped].next();
    const uint64_t NumAdded = Streams[Added].next();
    if (NumDropped > Stack.size())
      return damaged("they are damaged");
    Stack.resize(Stack.size() - NumDropped);
    const size_t NumShared = Stack.size();
    Keys.resize(Stack.size() + 1);
    for (uint64_t Step = 0; Step != NumAdded; ++Step) {
      auto &Known = Above[Stack.empty() ? NumFrames : Stack.back()];
      const uint64_t Place = Streams[Steps].next();
      if (Place == Known.size())
        Known.push_back(std::min(Streams[Fresh].next(), NumFrames));
      if (!Streams[Steps].ok() || !Streams[Fresh].ok() ||
          Place >= Known.size() || Known[Place] >= NumFrames)
        return damaged("they are damaged");
      Stack.push_back(Known[Place]);
      ContextKey Key = Keys.back();
      Key.add(Frames[Stack.back()]);
      Keys.push_back(Key);
    }
    Bytes Size(Streams[Sizes].next());
    if (!Streams[Dropped].ok() || !Streams[Added].ok() || !Streams[Sizes].ok())
      return damaged("they are damaged");
    const bool IsCold = (ColdBits[I / 8] >> (I % 8) & 1) != 0;
    CoarseWeight Weight;
    if (IsCold && !WeightsLeft.empty())
      Weight = CoarseWeight::fromCode(WeightsLeft.consume_front());
    Visit({.IsCold = IsCold,
           .Size = Size,
           .Weight = Weight,
           .Key = Keys.back().get(),
           .Callers = Stack,
           .NumShared = NumShared});
  }
  return Error::success();
}
