//===- Annotate/Metadata/PackedContexts.cpp - Many contexts in few bytes --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include <limits>
#include <numeric>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

/// The streams, in their order.
enum Stream : unsigned {
  Heads,
  GroupSizes,
  LinkKinds,
  LinksLow,
  LinksHigh,
  StackIds,
  Dropped,
  Added,
  Steps,
  Sizes,
  Cold,
  Weights
};
constexpr unsigned NumStreams = PackedContexts::NumStreams;
static_assert(Weights + 1 == NumStreams);
/// From here on each allocation has a share of the stream.
constexpr Stream FirstShared = Dropped;

/// What a link says.
enum LinkKind : uint8_t { NoLink, NextGroup, OtherGroup };

constexpr uint32_t None = std::numeric_limits<uint32_t>::max();

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

/// Frames of \p A and \p B from the leaf on that are the same.
size_t commonFrames(ArrayRef<uint64_t> A, ArrayRef<uint64_t> B) {
  size_t Length = std::min(A.size(), B.size());
  return std::mismatch(A.begin(), A.begin() + Length, B.begin()).first -
         A.begin();
}

Error damaged(const Twine &What) {
  return createStringError("packed contexts: " + What);
}
Error damaged() { return damaged("they are damaged"); }

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
    // With more bytes than a number takes, LLVM shifts too far.
    constexpr ptrdiff_t MaxSize = 10;
    uint64_t Value = decodeULEB128(
        Next, &Length, Next + std::min(End - Next, MaxSize), &Problem);
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
  uint64_t fixed() {
    ArrayRef<uint8_t> Bytes = bytes(sizeof(uint64_t));
    return Bytes.empty() ? 0 : support::endian::read64le(Bytes.data());
  }
  /// Whether all that was asked for was there.
  bool ok() const { return !Failed; }
  bool atEnd() const { return Next == End; }

private:
  const uint8_t *Next = nullptr;
  const uint8_t *End = nullptr;
  bool Failed = false;
};

/// Puts frames into groups: those above the same frame into the same group.
class Grouping {
public:
  Grouping(size_t NumFrames, size_t NumAllocations)
      : Parent(NumFrames), Count(NumFrames, 0),
        Above(NumFrames + NumAllocations, None) {
    std::iota(Parent.begin(), Parent.end(), 0);
  }

  void add(uint32_t Below, uint32_t Frame) {
    ++Count[Frame];
    uint32_t &Known = Above[Below];
    if (Known == None)
      Known = Frame;
    else if (uint32_t A = find(Known), B = find(Frame); A != B)
      Parent[std::max(A, B)] = std::min(A, B);
  }

  /// Numbers groups and frames anew, and writes streams about them.
  void number(std::array<Buffer, NumStreams> &Streams) {
    const size_t NumFrames = Parent.size();
    std::vector<std::vector<uint32_t>> Members(NumFrames);
    for (uint32_t F = 0; F != NumFrames; ++F)
      Members[find(F)].push_back(F);
    GroupOf.assign(NumFrames, None);
    Place.assign(NumFrames, None);
    std::vector<uint32_t> Roots;
    // The group of the frames above \p Below, and whether it is a new one.
    auto Reach = [&](uint32_t Below) {
      const uint32_t Root = find(Above[Below]);
      const bool IsNew = GroupOf[Root] == None;
      if (IsNew) {
        GroupOf[Root] = Roots.size();
        Roots.push_back(Root);
      }
      return std::pair(GroupOf[Root], IsNew);
    };
    for (size_t A = NumFrames; A != Above.size(); ++A)
      if (Above[A] != None)
        Reach(A);
    for (size_t G = 0; G != Roots.size(); ++G) {
      std::vector<uint32_t> &Group = Members[Roots[G]];
      llvm::sort(Group, [&](uint32_t A, uint32_t B) {
        return std::pair(Count[B], A) < std::pair(Count[A], B);
      });
      append(Streams[GroupSizes], Group.size());
      for (auto [I, Frame] : enumerate(Group)) {
        Place[Frame] = I;
        Order.push_back(Frame);
        if (Above[Frame] == None) {
          Streams[LinkKinds].push_back(NoLink);
          continue;
        }
        auto [Number, IsNew] = Reach(Frame);
        Streams[LinkKinds].push_back(IsNew ? NextGroup : OtherGroup);
        if (IsNew)
          continue;
        Streams[LinksLow].push_back(Number & 0xff);
        append(Streams[LinksHigh], Number >> 8);
      }
    }
  }

  /// The place of a frame in its group.
  uint32_t place(uint32_t Frame) const { return Place[Frame]; }
  /// Frames by their new numbers.
  ArrayRef<uint32_t> order() const { return Order; }
  /// The group above \p Below plus 1, or 0.
  uint32_t groupAbove(uint32_t Below) {
    return Above[Below] == None ? 0 : GroupOf[find(Above[Below])] + 1;
  }

private:
  uint32_t find(uint32_t Frame) {
    while (Parent[Frame] != Frame)
      Frame = Parent[Frame] = Parent[Parent[Frame]];
    return Frame;
  }

  std::vector<uint32_t> Parent, Count;
  /// Some frame above each, and above each allocation.
  std::vector<uint32_t> Above;
  /// By the root of a group.
  std::vector<uint32_t> GroupOf;
  std::vector<uint32_t> Place, Order;
};

} // namespace

uint32_t ContextPacker::add(ArrayRef<ProfiledContext> Contexts,
                            size_t NumCovered) {
  assert(!Contexts.empty() && "an allocation with a profile has a context");
  Allocation &A = Allocations.emplace_back();
  ArrayRef<uint64_t> Before = Contexts.front().Stack.take_front(NumCovered);
  A.Covered.assign(Before.begin(), Before.end());
  for (auto [I, C] : enumerate(Contexts)) {
    const size_t Shared = std::max(commonFrames(Before, C.Stack), NumCovered);
    A.Shapes.push_back({Before.size() - Shared, C.Stack.size() - Shared});
    for (uint64_t Id : C.Stack.drop_front(Shared)) {
      auto [Number, IsNew] = Numbers.try_emplace(Id, Ids.size());
      if (IsNew)
        Ids.push_back(Id);
      A.Frames.push_back(Number->second);
    }
    append(A.Sizes, C.TotalSize.count());
    if (I % 8 == 0)
      A.Cold.push_back(0);
    A.Cold.back() |= (C.Type == AllocationType::Cold) << (I % 8);
    if (C.Type == AllocationType::Cold)
      A.Weights.push_back(C.Weight.code());
    Before = C.Stack;
  }
  return Allocations.size() - 1;
}

void ContextPacker::forEachStep(
    function_ref<void(uint32_t, uint32_t)> Visit) const {
  for (auto [I, A] : enumerate(Allocations)) {
    std::vector<uint32_t> Stack;
    const uint32_t *Next = A.Frames.data();
    for (auto [NumDropped, NumAdded] : A.Shapes) {
      Stack.resize(Stack.size() - NumDropped);
      for (const uint32_t *End = Next + NumAdded; Next != End; ++Next) {
        Visit(Stack.empty() ? Ids.size() + I : Stack.back(), *Next);
        Stack.push_back(*Next);
      }
    }
  }
}

std::string ContextPacker::pack() const {
  Grouping Groups(Ids.size(), Allocations.size());
  forEachStep(
      [&](uint32_t Below, uint32_t Frame) { Groups.add(Below, Frame); });
  std::array<Buffer, NumStreams> Streams;
  Groups.number(Streams);
  for (uint32_t Frame : Groups.order())
    appendFixed(Streams[StackIds], Ids[Frame]);

  append(Streams[Heads], Allocations.size());
  for (auto [I, A] : enumerate(Allocations)) {
    std::array<Buffer, NumStreams> Own;
    for (auto [NumDropped, NumAdded] : A.Shapes) {
      append(Own[Dropped], NumDropped);
      append(Own[Added], NumAdded);
    }
    for (uint32_t Frame : A.Frames)
      append(Own[Steps], Groups.place(Frame));
    Own[Sizes] = A.Sizes;
    Own[Cold] = A.Cold;
    Own[Weights] = A.Weights;
    append(Streams[Heads], A.Shapes.size());
    append(Streams[Heads], A.Covered.size());
    for (uint64_t Id : A.Covered)
      appendFixed(Streams[Heads], Id);
    append(Streams[Heads], Groups.groupAbove(Ids.size() + I));
    for (unsigned S = FirstShared; S != NumStreams; ++S) {
      append(Streams[Heads], Own[S].size());
      Streams[S].append(Own[S].begin(), Own[S].end());
    }
  }

  Buffer Rest;
  for (const Buffer &S : Streams) {
    Buffer Packed;
    compression::zstd::compress(S, Packed);
    const bool IsSmaller = Packed.size() < S.size();
    append(Rest, S.size());
    append(Rest, IsSmaller ? Packed.size() : 0);
    Rest.append(IsSmaller ? Packed : S);
  }
  return toStringRef(Rest).str();
}

uint64_t PackedContexts::stackId(uint32_t Frame) const {
  return support::endian::read64le(Streams[StackIds].data() +
                                   Frame * sizeof(uint64_t));
}

Expected<PackedContexts> PackedContexts::read(StringRef Packed) {
  if (!compression::zstd::isAvailable())
    return damaged("LLVM was built without zstd");
  // What has the right checksum was written by ContextPacker, or by somebody
  // who wants the linker to read beyond its memory.
  Numbers Input(arrayRefFromStringRef(Packed));
  PackedContexts Result;
  for (Buffer &S : Result.Streams) {
    const uint64_t Size = Input.next();
    const uint64_t PackedSize = Input.next();
    ArrayRef<uint8_t> Bytes = Input.bytes(PackedSize ? PackedSize : Size);
    if (!Input.ok() || Size > std::numeric_limits<uint32_t>::max())
      return damaged();
    if (!PackedSize) {
      S.assign(Bytes.begin(), Bytes.end());
    } else if (Error E = compression::zstd::decompress(Bytes, S, Size)) {
      consumeError(std::move(E));
      return damaged();
    }
    if (S.size() != Size)
      return damaged();
  }
  if (!Input.atEnd())
    return damaged();
  Expected<std::vector<Group>> Groups = Result.readGroups();
  if (!Groups)
    return Groups.takeError();
  Expected<size_t> NumReached = Result.readAllocations(*Groups);
  if (!NumReached)
    return NumReached.takeError();
  if (Error E = Result.readLinks(*Groups, *NumReached))
    return std::move(E);
  return std::move(Result);
}

Expected<std::vector<PackedContexts::Group>> PackedContexts::readGroups() {
  const size_t NumFrames = Streams[LinkKinds].size();
  if (Streams[StackIds].size() != NumFrames * sizeof(uint64_t))
    return damaged();
  std::vector<Group> Result;
  size_t End = 0;
  for (Numbers Sizes(Streams[GroupSizes]); !Sizes.atEnd();) {
    const uint64_t Size = Sizes.next();
    if (!Sizes.ok() || Size > NumFrames - End)
      return damaged();
    Result.push_back({static_cast<uint32_t>(End), static_cast<uint32_t>(Size)});
    End += Size;
  }
  if (End != NumFrames)
    return damaged();
  return Result;
}

Expected<size_t> PackedContexts::readAllocations(ArrayRef<Group> Groups) {
  size_t NumReached = 0;
  std::array<Numbers, NumStreams> Left;
  for (unsigned S = FirstShared; S != NumStreams; ++S)
    Left[S] = Numbers(Streams[S]);
  Numbers Input(Streams[Heads]);
  for (uint64_t Number = Input.next(); Number != 0 && Input.ok(); --Number) {
    Allocation &A = Allocations.emplace_back();
    A.NumContexts = Input.next();
    for (uint64_t I = Input.next(); I != 0 && Input.ok(); --I)
      A.Covered.push_back(Input.fixed());
    const uint64_t Above = Input.next();
    if (Above > Groups.size())
      return damaged();
    if (Above)
      A.Above = Groups[Above - 1];
    NumReached = std::max<size_t>(NumReached, Above);
    for (unsigned S = FirstShared; S != NumStreams; ++S) {
      A.Streams[S] = Left[S].bytes(Input.next());
      if (!Left[S].ok())
        return damaged();
    }
    if (A.NumContexts > 8 * A.Streams[Cold].size())
      return damaged();
  }
  if (!Input.ok() || !Input.atEnd())
    return damaged();
  return NumReached;
}

Error PackedContexts::readLinks(ArrayRef<Group> Groups, size_t NumReached) {
  Numbers Low(Streams[LinksLow]), High(Streams[LinksHigh]);
  Links.reserve(Streams[LinkKinds].size());
  for (uint8_t Kind : Streams[LinkKinds]) {
    Group &Above = Links.emplace_back();
    if (Kind == NoLink)
      continue;
    uint64_t Number = NumReached;
    if (Kind == NextGroup) {
      ++NumReached;
    } else {
      ArrayRef<uint8_t> Byte = Low.bytes(1);
      Number = High.next() << 8 | (Byte.empty() ? 0 : Byte.front());
    }
    if (!Low.ok() || !High.ok() || Kind > OtherGroup || Number >= Groups.size())
      return damaged();
    Above = Groups[Number];
  }
  return Error::success();
}

Error PackedContexts::unpack(
    uint32_t Number, function_ref<void(const UnpackedContext &)> Visit) const {
  if (Number >= Allocations.size())
    return damaged("there are none of the allocation");
  const Allocation &A = Allocations[Number];
  Numbers NumsDropped(A.Streams[Dropped]), NumsAdded(A.Streams[Added]),
      Places(A.Streams[Steps]), AllSizes(A.Streams[Sizes]);
  ArrayRef<uint8_t> WeightsLeft = A.Streams[Weights];
  // One hash for each frame of the stack, below them that of covered ones.
  std::vector<ContextKey> Keys(1);
  for (uint64_t Id : A.Covered)
    Keys.front().add(Id);
  std::vector<uint32_t> Stack;
  for (uint64_t I = 0; I != A.NumContexts; ++I) {
    const uint64_t NumDropped = NumsDropped.next();
    const uint64_t NumAdded = NumsAdded.next();
    if (NumDropped > Stack.size())
      return damaged();
    const size_t NumShared = Stack.size() - NumDropped;
    Stack.resize(NumShared);
    Keys.resize(NumShared + 1);
    Group Above = Stack.empty() ? A.Above : Links[Stack.back()];
    for (uint64_t Step = 0; Step != NumAdded; ++Step) {
      const uint64_t Place = Places.next();
      if (Place >= Above.Size || !Places.ok())
        return damaged();
      const uint32_t Frame = Above.First + static_cast<uint32_t>(Place);
      Stack.push_back(Frame);
      ContextKey Key = Keys.back();
      Key.add(stackId(Frame));
      Keys.push_back(Key);
      Above = Links[Frame];
    }
    Bytes Size(AllSizes.next());
    if (!NumsDropped.ok() || !NumsAdded.ok() || !AllSizes.ok())
      return damaged();
    const bool IsCold = (A.Streams[Cold][I / 8] >> (I % 8) & 1) != 0;
    CoarseWeight Weight;
    if (IsCold) {
      if (WeightsLeft.empty())
        return damaged();
      Weight = CoarseWeight::fromCode(WeightsLeft.consume_front());
    }
    Visit({.IsCold = IsCold,
           .Size = Size,
           .Weight = Weight,
           .Key = Keys.back().get(),
           .Callers = Stack,
           .NumShared = NumShared});
  }
  return Error::success();
}
