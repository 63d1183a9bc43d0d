//===- Profile/Indexed/MemProfWriter.cpp - Writes the memory profile ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemProfWriter.h"
#include "MemProfSection.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/ProfileData/MemProfCommon.h"
#include "llvm/ProfileData/MemProfSummary.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/OnDiskHashTable.h"
#include <algorithm>
#include <cstddef>
#include <tuple>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

using Node = StackTrie::Node;

namespace {

template <class T> void put(std::string &Buffer, T Value) {
  Value = support::endian::byte_swap<T>(Value, endianness::little);
  Buffer.append(reinterpret_cast<const char *>(&Value), sizeof(T));
}

/// Bytes of a MemInfoBlock that follow each other in the file, too.
struct FieldRange {
  size_t Begin;
  size_t Size;
};

/// A MIB in the file has the fields of the schema, without padding; so has the
/// block in memory, but for those that the schema leaves out.
std::vector<FieldRange> fieldRanges(const MemProfSchema &Schema) {
  static_assert(endianness::native == endianness::little,
                "fields are copied as they are");
  std::vector<FieldRange> Result;
  for (Meta Field : Schema) {
    FieldRange Added = {};
    switch (Field) {
#define MIBEntryDef(NameTag, Name, Type)                                       \
  case Meta::Name:                                                             \
    Added = {offsetof(MemInfoBlock, Name), sizeof(Type)};                      \
    break;
#include "llvm/ProfileData/MIBEntryDef.inc"
#undef MIBEntryDef
    default:
      break;
    }
    if (!Result.empty() &&
        Result.back().Begin + Result.back().Size == Added.Begin)
      Result.back().Size += Added.Size;
    else
      Result.push_back(Added);
  }
  return Result;
}

/// The nodes of a trie whose frames are numbered anew, as those of the output.
/// Callers come before what they called.
class Layout {
public:
  explicit Layout(const HeapProfile &Heap);

  /// The frames of the output, those that most stacks have first.
  std::vector<uint32_t> Frames;
  /// The new number of each frame.
  std::vector<uint32_t> Rank;
  /// All nodes but the root, in an order that does not depend on that in which
  /// they were added.
  std::vector<Node> Order;
};

Layout::Layout(const HeapProfile &Heap) : Rank(Heap.numFrames()) {
  const StackTrie &Stacks = Heap.stacks();
  std::vector<uint32_t> Uses(Heap.numFrames());
  for (Node N = 1; N != Stacks.size(); ++N)
    ++Uses[Stacks.frame(N)];
  for (uint32_t F = 0; F != Uses.size(); ++F)
    if (Uses[F])
      Frames.push_back(F);
  llvm::sort(Frames, [&](uint32_t A, uint32_t B) {
    const Frame FA = Heap.frame(A), FB = Heap.frame(B);
    return std::tuple(Uses[B], FA.Function, FA.LineOffset, FA.Column,
                      FA.IsInlineFrame) < std::tuple(Uses[A], FB.Function,
                                                     FB.LineOffset, FB.Column,
                                                     FB.IsInlineFrame);
  });
  for (auto [I, F] : enumerate(Frames))
    Rank[F] = static_cast<uint32_t>(I);

  // By rank, and then, which keeps that order, by parent: two counting sorts.
  auto CountingSort = [](ArrayRef<Node> Nodes, size_t NumKeys, auto &&KeyOf) {
    std::vector<uint32_t> Begin(NumKeys + 1);
    for (Node N : Nodes)
      ++Begin[KeyOf(N) + 1];
    for (size_t I = 0; I != NumKeys; ++I)
      Begin[I + 1] += Begin[I];
    std::vector<Node> Sorted(Nodes.size());
    std::vector<uint32_t> Next(Begin);
    for (Node N : Nodes)
      Sorted[Next[KeyOf(N)]++] = N;
    return std::pair(std::move(Sorted), std::move(Begin));
  };
  std::vector<Node> All(Stacks.size() - 1);
  for (size_t I = 0; I != All.size(); ++I)
    All[I] = static_cast<Node>(I + 1);
  All = CountingSort(All, Frames.size(), [&](Node N) {
          return Rank[Stacks.frame(N)];
        }).first;
  const auto [Children, Begin] = CountingSort(
      All, Stacks.size(), [&](Node N) { return Stacks.parent(N); });
  All = {};
  Order.reserve(Children.size());
  std::vector<Node> Left;
  auto Push = [&, &Children = Children, &Begin = Begin](Node N) {
    for (uint32_t I = Begin[N + 1]; I != Begin[N]; --I)
      Left.push_back(Children[I - 1]);
  };
  Push(StackTrie::Root);
  while (!Left.empty()) {
    Order.push_back(Left.back());
    Left.pop_back();
    Push(Order.back());
  }
}

/// What a function has.
struct Record {
  std::vector<const HeapProfile::Context *> Contexts;
  std::vector<std::pair<Node, HeapProfile::Callees>> Calls;
};

/// The section, laid out before anything is written, so that its size is known.
class Section {
public:
  Section(const HeapProfile &Heap, const MemProfSchema &Schema,
          IndexedVersion Version);

  /// Appends it to \p File, in which offsets are counted. Returns its checksum.
  uint64_t appendTo(std::string &File, StringRef DataAccesses);

  /// An upper bound of its size.
  size_t sizeLimit() const;

  size_t sizeOf(const Record &R) const;
  void append(const Record &R, std::string &Buffer) const;

private:
  void addStacks(const HeapProfile &Heap, const Layout &L);
  MemProfSummary summarize(const HeapProfile &Heap) const;

  const MemProfSchema &Schema;
  const IndexedVersion Version;
  const std::vector<FieldRange> Fields;
  const size_t InfoSize;
  std::string Frames;
  /// As LLVM's CallStackRadixTreeBuilder has it: a stack is its length and its
  /// frames, leaf first. A negative number says how far on it continues, with
  /// callers that are there already.
  std::vector<uint32_t> Array;
  /// Where stacks begin in it, by node.
  std::vector<uint32_t> Position;
  std::vector<std::pair<GlobalValue::GUID, Record>> Records;
  /// The record of the runs is a context, too.
  std::optional<HeapProfile::Context> Runs;
  MemProfSummary Summary;
};

/// For LLVM's generator of hash tables.
class RecordTrait {
public:
  using key_type = uint64_t;
  using key_type_ref = uint64_t;
  using data_type = const Record *;
  using data_type_ref = const Record *;
  using hash_value_type = uint64_t;
  using offset_type = uint64_t;

  explicit RecordTrait(const Section &Whole) : Whole(Whole) {}

  static hash_value_type ComputeHash(key_type_ref Key) { return Key; }

  std::pair<offset_type, offset_type>
  EmitKeyDataLength(raw_ostream &OS, key_type_ref Key, data_type_ref Data) {
    const std::pair<offset_type, offset_type> Sizes(sizeof(Key),
                                                    Whole.sizeOf(*Data));
    support::endian::Writer Out(OS, endianness::little);
    Out.write(Sizes.first);
    Out.write(Sizes.second);
    return Sizes;
  }
  void EmitKey(raw_ostream &OS, key_type_ref Key, offset_type) {
    support::endian::Writer(OS, endianness::little).write(Key);
  }
  void EmitData(raw_ostream &OS, key_type_ref, data_type_ref Data,
                offset_type) {
    Buffer.clear();
    Whole.append(*Data, Buffer);
    OS << Buffer;
  }

private:
  const Section &Whole;
  std::string Buffer;
};

} // namespace

Section::Section(const HeapProfile &Heap, const MemProfSchema &Schema,
                 IndexedVersion Version)
    : Schema(Schema), Version(Version), Fields(fieldRanges(Schema)),
      InfoSize(PortableMemInfoBlock::serializedSize(Schema)),
      Summary(summarize(Heap)) {
  const Layout L(Heap);
  raw_string_ostream FramesOS(Frames);
  for (uint32_t F : L.Frames)
    Heap.frame(F).serialize(FramesOS);
  if (Heap.runs())
    runInfoFrame().serialize(FramesOS);

  std::unordered_map<GlobalValue::GUID, Record> ByFunction;
  std::vector<uint32_t> ContextAt(Heap.stacks().size()), Place(ContextAt);
  for (auto [I, C] : enumerate(Heap.contexts()))
    ContextAt[C.Stack] = static_cast<uint32_t>(I + 1);
  for (auto [I, N] : enumerate(L.Order)) {
    Place[N] = static_cast<uint32_t>(I);
    const uint32_t Context = ContextAt[N];
    if (!Context)
      continue;
    // The functions that the allocation was inlined through.
    for (Node Outer = N; Outer != StackTrie::Root;
         Outer = Heap.stacks().parent(Outer)) {
      const Frame F = Heap.frame(Heap.stacks().frame(Outer));
      ByFunction[F.Function].Contexts.push_back(&Heap.contexts()[Context - 1]);
      if (!F.IsInlineFrame)
        break;
    }
  }
  Position.resize(Heap.stacks().size());
  for (const HeapProfile::Context &C : Heap.contexts())
    Position[C.Stack] = 1;
  auto Sites = Heap.callsites();
  llvm::sort(Sites, [&](const auto &A, const auto &B) {
    return std::pair(Place[A.first.first], A.first.second) <
           std::pair(Place[B.first.first], B.first.second);
  });
  for (auto &[Site, Callees] : Sites) {
    Position[Site.first] = 1;
    ByFunction[Site.second].Calls.emplace_back(Site.first, std::move(Callees));
  }
  addStacks(Heap, L);
  if (Heap.runs())
    ByFunction[runInfoGUID()].Contexts.push_back(&*Runs);
  Records.reserve(ByFunction.size());
  for (auto &[Function, R] : ByFunction)
    Records.emplace_back(Function, std::move(R));
  llvm::sort(Records,
             [](const auto &A, const auto &B) { return A.first < B.first; });
}

void Section::addStacks(const HeapProfile &Heap, const Layout &L) {
  const StackTrie &Stacks = Heap.stacks();
  // Back to front, so that callers are there before what they called. One more
  // than the index of each node's frame; 0 if it has none yet.
  std::vector<uint32_t> Index(Stacks.size()), Depth(Stacks.size());
  SmallVector<Node, 64> New;
  auto Append = [&](Node Stack) {
    New.clear();
    Node Known = Stack;
    for (; Known != StackTrie::Root && !Index[Known];
         Known = Stacks.parent(Known))
      New.push_back(Known);
    if (Known != StackTrie::Root)
      Array.push_back(Index[Known] - 1 - static_cast<uint32_t>(Array.size()));
    for (Node N : reverse(New)) {
      Index[N] = static_cast<uint32_t>(Array.size() + 1);
      Array.push_back(L.Rank[Stacks.frame(N)]);
    }
    Array.push_back(Depth[Stack]);
  };
  size_t Size = 0;
  for (Node N : L.Order) {
    Depth[N] = Depth[Stacks.parent(N)] + 1;
    Size += Position[N] ? 3 : 1;
  }
  Array.reserve(Size + 2);
  for (Node N : L.Order)
    if (Position[N]) {
      Append(N);
      Position[N] = static_cast<uint32_t>(Array.size());
    }
  uint32_t RunsPosition = 0;
  if (Heap.runs()) {
    Array.push_back(static_cast<uint32_t>(L.Frames.size()));
    Array.push_back(1);
    RunsPosition = static_cast<uint32_t>(Array.size());
  }
  std::reverse(Array.begin(), Array.end());
  const auto End = static_cast<uint32_t>(Array.size());
  for (uint32_t &Each : Position)
    Each = End - Each;
  if (Heap.runs()) {
    // Its stack is none of the trie's.
    Runs.emplace();
    Runs->Stack = static_cast<Node>(Position.size());
    Position.push_back(End - RunsPosition);
    Runs->Info = encodeRunInfo(*Heap.runs());
  }
}

/// As LLVM's MemProfSummaryBuilder counts.
MemProfSummary Section::summarize(const HeapProfile &Heap) const {
  uint64_t Cold = 0, Hot = 0, MaxCold = 0, MaxWarm = 0, MaxHot = 0;
  auto Has = [&](Meta Field, uint64_t Value) {
    return is_contained(Schema, Field) ? Value : 0;
  };
  auto Add = [&](const MemInfoBlock &Info) {
    const uint64_t Size = Has(Meta::TotalSize, Info.TotalSize);
    switch (getAllocType(
        Has(Meta::TotalLifetimeAccessDensity, Info.TotalLifetimeAccessDensity),
        Has(Meta::AllocCount, Info.AllocCount),
        Has(Meta::TotalLifetime, Info.TotalLifetime))) {
    case AllocationType::Cold:
      ++Cold;
      MaxCold = std::max(MaxCold, Size);
      break;
    case AllocationType::Hot:
      ++Hot;
      MaxHot = std::max(MaxHot, Size);
      break;
    default:
      MaxWarm = std::max(MaxWarm, Size);
    }
  };
  for (const HeapProfile::Context &C : Heap.contexts())
    Add(C.Info);
  if (Heap.runs())
    Add(encodeRunInfo(*Heap.runs()));
  return {Heap.numContexts() + (Heap.runs() ? 1 : 0),
          Cold,
          Hot,
          MaxCold,
          MaxWarm,
          MaxHot};
}

size_t Section::sizeOf(const Record &R) const {
  size_t Result = 2 * sizeof(uint64_t) +
                  R.Contexts.size() * (sizeof(LinearCallStackId) + InfoSize) +
                  R.Calls.size() * sizeof(LinearCallStackId);
  if (Version >= Version4)
    for (const auto &[Stack, Callees] : R.Calls)
      Result += (1 + Callees.size()) * sizeof(uint64_t);
  return Result;
}

void Section::append(const Record &R, std::string &Buffer) const {
  put<uint64_t>(Buffer, R.Contexts.size());
  for (const HeapProfile::Context *C : R.Contexts) {
    put<LinearCallStackId>(Buffer, Position[C->Stack]);
    for (const FieldRange &Range : Fields)
      Buffer.append(reinterpret_cast<const char *>(&C->Info) + Range.Begin,
                    Range.Size);
  }
  put<uint64_t>(Buffer, R.Calls.size());
  for (const auto &[Stack, Callees] : R.Calls) {
    put<LinearCallStackId>(Buffer, Position[Stack]);
    if (Version < Version4)
      continue;
    put<uint64_t>(Buffer, Callees.size());
    for (GlobalValue::GUID Callee : Callees)
      put<uint64_t>(Buffer, Callee);
  }
}

size_t Section::sizeLimit() const {
  // The size of the head; and of a record beside its data, with its share of
  // buckets.
  constexpr size_t HeadSize = 1024, RecordSize = 64;
  size_t Result = HeadSize + Frames.size() + Array.size() * sizeof(uint32_t);
  for (const auto &[Function, R] : Records)
    Result += RecordSize + sizeOf(R);
  return Result;
}

uint64_t Section::appendTo(std::string &File, StringRef DataAccesses) {
  put<uint64_t>(File, Version);
  // Where call stacks begin, records do, and their table.
  const size_t Offsets = File.size();
  File.append(3 * sizeof(uint64_t), 0);
  if (Version >= Version4) {
    // Where accesses to static data begin, or 0.
    put<uint64_t>(File, 0);
    raw_string_ostream OS(File);
    ProfOStream Out(OS);
    Summary.write(Out);
  }
  put<uint64_t>(File, Schema.size());
  for (Meta Field : Schema)
    put<uint64_t>(File, to_underlying(Field));
  const uint64_t FramesBegin = File.size();
  File += Frames;
  const uint64_t StacksBegin = File.size();
  for (uint32_t Element : Array)
    put<uint32_t>(File, Element);
  const uint64_t RecordsBegin = File.size();
  uint64_t Table = 0;
  {
    OnDiskChainedHashTableGenerator<RecordTrait> Generator;
    RecordTrait Trait(*this);
    for (const auto &[Function, R] : Records)
      Generator.insert(Function, &R, Trait);
    raw_string_ostream OS(File);
    Table = Generator.Emit(OS, Trait);
  }
  MemProfChecksum Checksum(Version, Schema);
  Checksum.setPayload(StringRef(File).slice(FramesBegin, Table));
  uint64_t Slot = Offsets;
  for (uint64_t Offset : {StacksBegin, RecordsBegin, Table}) {
    support::endian::write64le(File.data() + Slot, Offset);
    Slot += sizeof(uint64_t);
  }
  if (Version >= Version4 && !DataAccesses.empty()) {
    support::endian::write64le(File.data() + Slot, File.size());
    File += DataAccesses;
  }
  return Checksum.value();
}

/// Where the header has the offset of the memory profile.
static constexpr size_t MemProfField = 5 * sizeof(uint64_t);

uint64_t profile::replaceMemProf(std::string &File, const HeapProfile &Heap,
                                 const MemProfSchema &Schema,
                                 IndexedVersion Version,
                                 StringRef DataAccesses) {
  // What follows is found by these offsets in the header; 0 is none.
  constexpr size_t NumLaterFields = 3;
  auto Field = [&](size_t I) { return File.data() + MemProfField + I * 8; };
  const uint64_t Begin = support::endian::read64le(Field(0));
  uint64_t End = File.size();
  for (size_t I = 1; I <= NumLaterFields; ++I)
    if (const uint64_t Offset = support::endian::read64le(Field(I)))
      End = std::min(End, Offset);
  const std::string Rest = File.substr(End);
  Section New(Heap, Schema, Version);
  File.resize(Begin);
  // Room for what else is appended, too.
  File.reserve(Begin + New.sizeLimit() + New.sizeLimit() / 4 +
               DataAccesses.size() + Rest.size());
  const uint64_t Checksum = New.appendTo(File, DataAccesses);
  const uint64_t NewEnd = File.size();
  File += Rest;
  for (size_t I = 1; I <= NumLaterFields; ++I)
    if (const uint64_t Offset = support::endian::read64le(Field(I)))
      support::endian::write64le(Field(I), Offset - End + NewEnd);
  return Checksum;
}

uint64_t profile::checksumOf(const IndexedMemProfData &Tables,
                             const MemProfSchema &Schema) {
  MemProfChecksum Result(Version2, Schema);
  auto Add = [&](uint64_t Id, auto Serialize) {
    std::string Key, Data;
    put<uint64_t>(Key, Id);
    raw_string_ostream OS(Data);
    Serialize(OS);
    Result.addEntry(Key, Data);
  };
  for (const auto &Entry : Tables.Records)
    Add(Entry.first,
        [&](raw_ostream &OS) { Entry.second.serialize(Schema, OS, Version2); });
  for (const auto &Entry : Tables.Frames)
    Add(Entry.first, [&](raw_ostream &OS) { Entry.second.serialize(OS); });
  for (const auto &Entry : Tables.CallStacks)
    Add(Entry.first, [&](raw_ostream &OS) {
      for (FrameId Id : Entry.second)
        support::endian::write<uint64_t>(OS, Id, endianness::little);
    });
  return Result.value();
}
