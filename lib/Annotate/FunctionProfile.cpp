//===- Annotate/FunctionProfile.cpp - One function's contexts -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/FunctionProfile.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

/// \p Sum and \p Other as one. Both come from one profile and have one schema.
memprof::PortableMemInfoBlock
merge(const memprof::PortableMemInfoBlock &Sum,
      const memprof::PortableMemInfoBlock &Other) {
  memprof::MemInfoBlock Merged = profile::toMemInfoBlock(Sum);
  profile::mergeBlocks(Merged, profile::toMemInfoBlock(Other));
  memprof::MemProfSchema Schema;
  for (memprof::Meta Field : memprof::getFullSchema())
    if (Sum.getSchema()[to_underlying(Field)])
      Schema.push_back(Field);
  return memprof::PortableMemInfoBlock(Merged, Schema);
}

Bytes totalSize(const memprof::PortableMemInfoBlock &Block) {
  if (!Block.getSchema()[to_underlying(memprof::Meta::TotalSize)])
    return Bytes();
  return Bytes(Block.getTotalSize());
}

CoarseWeight weightOf(const profile::ContextClass &Class,
                      const memprof::PortableMemInfoBlock &Block) {
  if (Class.SavedBytes)
    return CoarseWeight::of(truncated(
        *Class.SavedBytes * WeightUnit /
        static_cast<double>(std::max<uint64_t>(totalSize(Block).count(), 1))));
  const auto Schema = Block.getSchema();
  if (!Schema[to_underlying(memprof::Meta::TotalLifetime)] ||
      !Schema[to_underlying(memprof::Meta::AllocCount)] ||
      !Block.getAllocCount())
    return CoarseWeight();
  return CoarseWeight::of(Block.getTotalLifetime() / Block.getAllocCount());
}

} // namespace

/// Fills in a profile from the record of its function.
class FunctionProfile::Builder {
public:
  explicit Builder(FunctionProfile &Profile) : Profile(Profile) {}

  void read(const memprof::MemProfRecord &Record);
  /// Makes contexts of the allocations that were read, one of each stack.
  void classify(Classifier Classify);
  /// Gives those contexts that are not packed their ids.
  void identify(size_t LeastToPack);

private:
  struct Site {
    ArrayRef<uint64_t> Stack;
    const memprof::AllocationInfo *Info;
  };

  uint64_t idOf(const memprof::Frame &F);
  void noteCall(const memprof::Frame &F, ArrayRef<GlobalValue::GUID> Callees);
  void noteCalls(ArrayRef<memprof::Frame> Frames,
                 ArrayRef<GlobalValue::GUID> Callees);

  FunctionProfile &Profile;
  /// The ids of frames. A frame is hashed once, not once for each context that
  /// it is in.
  DenseMap<std::pair<uint64_t, uint64_t>, uint64_t> Ids;
  /// The allocations of the function itself.
  std::vector<Site> Sites;
  /// For each context, an allocation that has its stack.
  std::vector<const memprof::AllocationInfo *> Infos;
};

FunctionProfile::FunctionProfile(GlobalValue::GUID Function,
                                 const memprof::MemProfRecord &Record,
                                 Classifier Classify, size_t LeastToPack)
    : Function(Function) {
  Builder Build(*this);
  Build.read(Record);
  sortOutInterrupted();
  Build.classify(Classify);
  Build.identify(LeastToPack);
  Attached.resize(Contexts.size());
}

uint64_t FunctionProfile::Builder::idOf(const memprof::Frame &F) {
  uint64_t Place =
      uint64_t(F.LineOffset & profile::LineOffsetMask) << 32 | F.Column;
  auto [Entry, Inserted] = Ids.try_emplace({F.Function, Place});
  if (Inserted)
    Entry->second = raw(profile::computeStackId(F));
  return Entry->second;
}

void FunctionProfile::Builder::noteCall(const memprof::Frame &F,
                                        ArrayRef<GlobalValue::GUID> Callees) {
  if (F.Function != Profile.Function)
    return;
  KnownCall &Known =
      Profile.KnownCalls
          .try_emplace(idOf(F), KnownCall{{F.LineOffset, F.Column}})
          .first->second;
  for (GlobalValue::GUID Callee : Callees)
    if (Callee == profile::anythingGUID())
      Known.CallsAnything = true;
    else if (Callee == profile::allocatorGUID())
      Known.CallsAllocator = true;
    else if (!is_contained(Known.Callees, Callee))
      Known.Callees.push_back(Callee);
  Profile.UsesColumns |= F.Column != 0;
}

/// Notes the calls of inlined functions: all but the first led to the one
/// before.
void FunctionProfile::Builder::noteCalls(ArrayRef<memprof::Frame> Frames,
                                         ArrayRef<GlobalValue::GUID> Callees) {
  for (const memprof::Frame &F : Frames) {
    noteCall(F, Callees);
    Callees = F.Function;
  }
}

void FunctionProfile::Builder::read(const memprof::MemProfRecord &Record) {
  for (const memprof::AllocationInfo &Info : Record.AllocSites) {
    // The record of every function that was inlined around the allocation has
    // the context; here, calls of this function are wanted from all of them,
    // but contexts only where the allocation is its own.
    ArrayRef<memprof::Frame> Frames(Info.CallStack);
    const auto *Last =
        find_if(Frames, [](const auto &F) { return !F.IsInlineFrame; });
    noteCalls({Frames.begin(), Last == Frames.end() ? Last : Last + 1}, {});
    if (Frames.empty() || Frames.front().Function != Profile.Function)
      continue;
    MutableArrayRef<uint64_t> Stack(
        Profile.Stacks.Allocate<uint64_t>(Frames.size()), Frames.size());
    llvm::transform(Frames, Stack.begin(),
                    [&](const memprof::Frame &F) { return idOf(F); });
    Sites.push_back({Stack, &Info});
  }
  for (const memprof::CallSiteInfo &Call : Record.CallSites)
    noteCalls(Call.Frames, Call.CalleeGuids);
}

void FunctionProfile::Builder::classify(Classifier Classify) {
  llvm::sort(Sites, [](const Site &A, const Site &B) {
    return std::lexicographical_compare(A.Stack.begin(), A.Stack.end(),
                                        B.Stack.begin(), B.Stack.end());
  });
  for (size_t Begin = 0; Begin != Sites.size();) {
    const Site &First = Sites[Begin];
    memprof::PortableMemInfoBlock Measures = First.Info->Info;
    SmallVector<const memprof::AllocationInfo *, 1> Same = {First.Info};
    size_t End = Begin + 1;
    for (; End != Sites.size() && Sites[End].Stack == First.Stack; ++End) {
      Measures = merge(Measures, Sites[End].Info->Info);
      Same.push_back(Sites[End].Info);
    }
    const profile::ContextClass Class = Classify(Same, Measures);
    Profile.Contexts.push_back({First.Stack, /*FullStackId=*/0,
                                totalSize(Measures), Class.Type,
                                weightOf(Class, Measures)});
    Infos.push_back(First.Info);
    Begin = End;
  }
}

void FunctionProfile::Builder::identify(size_t LeastToPack) {
  std::vector<ProfiledContext> &Contexts = Profile.Contexts;
  for (size_t Begin = 0; Begin != Contexts.size();) {
    const uint64_t Leaf = Contexts[Begin].Stack.front();
    size_t End = Begin + 1;
    while (End != Contexts.size() && Contexts[End].Stack.front() == Leaf)
      ++End;
    // This is the same for all copies of the call, in all modules: the contexts
    // of copies are known by the same ids, or by the same keys.
    if (LeastToPack && End - Begin >= LeastToPack)
      Profile.PackedPlaces.insert(Leaf);
    else
      for (size_t I = Begin; I != End; ++I)
        Contexts[I].FullStackId =
            profile::computeFullStackId(Infos[I]->CallStack);
    Begin = End;
  }
}

/// Puts what calls led to by functions without a frame last, and removes the
/// marks of it.
void FunctionProfile::sortOutInterrupted() {
  for (auto &[Id, Call] : KnownCalls) {
    SmallVector<GlobalValue::GUID, 1> &All = Call.Callees;
    SmallVector<GlobalValue::GUID, 1> Called, LedTo;
    SmallVector<GlobalValue::GUID, 4> Marks;
    for (GlobalValue::GUID Callee : All)
      Marks.push_back(profile::interruptedMark(Callee));
    if (none_of(All, [&](auto Callee) { return is_contained(Marks, Callee); }))
      continue;
    for (GlobalValue::GUID Callee : All) {
      if (is_contained(Marks, Callee))
        continue;
      const bool IsMarked = is_contained(All, profile::interruptedMark(Callee));
      (IsMarked ? LedTo : Called).push_back(Callee);
    }
    Call.NumInterrupted = LedTo.size();
    All = std::move(Called);
    append_range(All, LedTo);
  }
}

uint64_t FunctionProfile::stackId(const SourceFrame &Frame) const {
  assert(Frame.Function == Function && "frame of another function");
  return raw(profile::computeStackId(Function, Frame.LineOffset,
                                     UsesColumns ? Frame.Column : 0));
}

ArrayRef<ProfiledContext>
FunctionProfile::contextsWithPrefix(ArrayRef<uint64_t> Prefix) const {
  assert(!Prefix.empty() && "every context starts with nothing");
  // Compares no more of a stack than the length of the prefix.
  auto Head = [&](const ProfiledContext &C) {
    return C.Stack.take_front(Prefix.size());
  };
  auto Less = [](ArrayRef<uint64_t> A, ArrayRef<uint64_t> B) {
    return std::lexicographical_compare(A.begin(), A.end(), B.begin(), B.end());
  };
  ArrayRef<ProfiledContext> All(Contexts);
  const auto *Begin =
      std::partition_point(All.begin(), All.end(), [&](const auto &C) {
        return Less(Head(C), Prefix);
      });
  const auto *End = std::partition_point(
      Begin, All.end(), [&](const auto &C) { return !Less(Prefix, Head(C)); });
  return ArrayRef(Begin, End);
}

AllocatedBy FunctionProfile::allocatedBy(uint64_t Id) const {
  auto Known = KnownCalls.find(Id);
  if (Known == KnownCalls.end() || !Known->second.CallsAnything)
    return AllocatedBy::Allocators;
  return Known->second.CallsAllocator ? AllocatedBy::Several
                                      : AllocatedBy::Others;
}

std::vector<ProfiledPlace>
FunctionProfile::places(function_ref<uint64_t(GlobalValue::GUID)> KeyOf) const {
  std::vector<ProfiledPlace> Places;
  for (const auto &[Id, Call] : KnownCalls) {
    ProfiledPlace &Added = Places.emplace_back();
    Added.LineOffset = Call.Place.first & profile::LineOffsetMask;
    Added.Column = Call.Place.second;
    for (GlobalValue::GUID Callee : Call.Callees)
      Added.Callees.push_back(KeyOf(Callee));
    Added.Allocates = !contextsWithPrefix(Id).empty();
  }
  llvm::sort(Places, [](const ProfiledPlace &A, const ProfiledPlace &B) {
    auto Key = [](const ProfiledPlace &P) {
      return std::pair(static_cast<int16_t>(P.LineOffset), P.Column);
    };
    return Key(A) < Key(B);
  });
  return Places;
}

std::vector<PlaceInFunction> FunctionProfile::unseenCalls() const {
  std::vector<PlaceInFunction> Places;
  for (const auto &[Id, Call] : KnownCalls)
    if (!Call.Seen && !Call.IsOtherVersion)
      Places.push_back(Call.Place);
  llvm::sort(Places);
  return Places;
}

std::vector<PlaceInFunction>
FunctionProfile::coldCallsLost(LeafFate Fate) const {
  std::map<uint64_t, bool> Lost;
  for (const auto &[Index, C] : enumerate(Contexts))
    if (const uint64_t Leaf = C.Stack.front();
        C.Type == AllocationType::Cold && fate(Leaf) == Fate)
      Lost.try_emplace(Leaf, true).first->second &= !Attached[Index];
  std::vector<PlaceInFunction> Places;
  for (auto [Leaf, IsLost] : Lost)
    if (auto Known = KnownCalls.find(Leaf);
        IsLost && Known != KnownCalls.end() && !Known->second.IsOtherVersion)
      Places.push_back(Known->second.Place);
  llvm::sort(Places);
  return Places;
}

void FunctionProfile::noteAttached(ArrayRef<ProfiledContext> Interval) {
  for (const ProfiledContext &C : Interval)
    Attached[&C - Contexts.data()] = true;
}

void FunctionProfile::noteOtherVersion(uint64_t Id) {
  auto Known = KnownCalls.find(Id);
  if (Known == KnownCalls.end() || Known->second.IsOtherVersion)
    return;
  Known->second.IsOtherVersion = true;
  ++NumOfOtherVersions;
  noteFate(Id, LeafFate::OtherVersion);
}

void FunctionProfile::noteFate(uint64_t Leaf, LeafFate Fate) {
  LeafFate &Known = Fates[Leaf];
  Known = std::max(Known, Fate);
}
