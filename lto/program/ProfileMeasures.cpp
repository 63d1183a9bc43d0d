//===- lto/program/ProfileMeasures.cpp - What a profile adds --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileMeasures.h"
#include "thermocline/Annotate/Metadata/PackedContexts.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <optional>
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

/// Sums of one context, or of all.
struct Sums {
  uint64_t Size = 0;
  uint64_t ByteMilliseconds = 0;
  uint64_t Accesses = 0;

  void add(const Sums &Other) {
    Size = SaturatingAdd(Size, Other.Size);
    ByteMilliseconds = SaturatingAdd(ByteMilliseconds, Other.ByteMilliseconds);
    Accesses = SaturatingAdd(Accesses, Other.Accesses);
  }
};

Sums sumsOf(const memprof::MemInfoBlock &Info) {
  Sums Result;
  Result.Size = Info.TotalSize;
  Result.Accesses = Info.TotalAccessCount;
  // The profile sums lifetimes, not their products with sizes: objects of one
  // context count with their mean size.
  if (Info.AllocCount)
    Result.ByteMilliseconds = SaturatingMultiply<uint64_t>(
        Info.TotalLifetime, divideCeil(Info.TotalSize, Info.AllocCount));
  return Result;
}

/// \p Value * \p Numerator / \p Denominator, as far as it fits.
uint64_t scaled(uint64_t Value, uint64_t Numerator, uint64_t Denominator) {
  auto Result = static_cast<unsigned __int128>(Value) * Numerator / Denominator;
  return Result > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(Result);
}

class Measuring {
public:
  Measuring(ContextProgram &Program) : Program(Program) {
    for (size_t I = 0; I != Program.numContexts(); ++I) {
      const Context &C = Program[ContextId(I)];
      if (C.IsKnownByKey)
        ByKey[C.FullStackId].push_back(ContextId(I));
      else if (C.FullStackId)
        ById[C.FullStackId].push_back(ContextId(I));
      else
        ByOwner[profile::sourceGUID(Program[Program[C.Allocation].Owner].Name)]
            .push_back(ContextId(I));
    }
    Known.resize(Program.numContexts());
  }

  void take(const profile::IndexedContext &Context) {
    Sums Added = sumsOf(profile::toMemInfoBlock(Context.Info));
    if (auto Found = ById.find(Context.FullStackId); Found != ById.end())
      for (ContextId C : Found->second) {
        Known[C.index()].add(Added);
        findPlace(C, Context.Frames);
      }
    if (!ByKey.empty())
      takeKnownByKey(Context, Added);
    if (ByOwner.empty())
      return;
    for (size_t Frame = 0; Frame != Context.Frames.size(); ++Frame) {
      auto Owner = ByOwner.find(Context.Frames[Frame].Function);
      if (Owner == ByOwner.end())
        continue;
      // Summaries fold direct recursion.
      SmallVector<StackId, 32> Callers;
      for (const memprof::Frame &F : Context.Frames.drop_front(Frame + 1))
        Callers.push_back(profile::computeStackId(F));
      Callers.erase(llvm::unique(Callers), Callers.end());
      for (ContextId C : Owner->second)
        if (ContextStack Ids = Program.stackIds(C);
            equal(ArrayRef(Callers).take_front(Ids.size()), Ids)) {
          Known[C.index()].add(Added);
          addPlace(Program[C].Allocation, Context.Frames.take_front(Frame + 1));
        }
      // Frames further out are of callers of the owner, by recursion at most.
      return;
    }
  }

  lto::MeasuredContexts finish() {
    for (const auto &[A, Place] : Places)
      if (Place)
        Program.setPlace(A, *Place);
    lto::MeasuredContexts Result;
    Sums All;
    for (const Sums &S : Known) {
      ++Result.Asked;
      Result.Found += S.Size != 0;
      All.add(S);
    }
    if (!Result.Found)
      return Result;
    for (size_t I = 0; I != Known.size(); ++I) {
      const Context &C = Program[ContextId(I)];
      Sums S = Known[I];
      if (!S.Size) {
        // One byte stands for an unknown number, as it does without measures.
        uint64_t Size = std::max<uint64_t>(C.Size.count(), 1);
        S.ByteMilliseconds = scaled(All.ByteMilliseconds, Size, All.Size);
        S.Accesses = scaled(All.Accesses, Size, All.Size);
      } else if (S.Size < C.Size.count()) {
        S.ByteMilliseconds = scaled(S.ByteMilliseconds, C.Size.count(), S.Size);
        S.Accesses = scaled(S.Accesses, C.Size.count(), S.Size);
      }
      // 0 means that nothing was measured; objects may live less than 1 ms.
      Program.setMeasures(
          ContextId(I),
          {std::max<uint64_t>(S.ByteMilliseconds, 1), S.Accesses});
    }
    return Result;
  }

private:
  void takeKnownByKey(const profile::IndexedContext &Context,
                      const Sums &Added) {
    annotate::ContextKey Key;
    for (const memprof::Frame &F : Context.Frames)
      Key.add(raw(profile::computeStackId(F)));
    auto Found = ByKey.find(Key.get());
    if (Found == ByKey.end())
      return;
    for (ContextId C : Found->second) {
      Known[C.index()].add(Added);
      Program.setProfileId(C, Context.FullStackId);
      findPlace(C, Context.Frames);
    }
  }

  /// The place of the allocation of \p C, which is the context \p Frames of the
  /// profile: the frames that its list of callers does not have.
  void findPlace(ContextId C, ArrayRef<memprof::Frame> Frames) {
    const AllocationId A = Program[C].Allocation;
    // An id is exact: one context of the allocation tells for all.
    if (Places.count(A))
      return;
    const ContextStack Callers = Program.stackIds(C);
    const auto Owner = profile::sourceGUID(Program[Program[A].Owner].Name);
    std::vector<StackId> Ids;
    for (const memprof::Frame &F : Frames)
      Ids.push_back(profile::computeStackId(F));
    for (size_t Covered = 1; Covered <= Ids.size(); ++Covered) {
      // Whole contexts go on to the end, trimmed ones begin below their owner.
      // Summaries fold direct recursion.
      size_t Matched = 0, I = Covered;
      for (; I != Ids.size(); ++I) {
        if (I != Covered && Ids[I] == Ids[I - 1])
          continue;
        if (Matched == Callers.size() || Ids[I] != Callers[Matched])
          break;
        ++Matched;
      }
      if (Matched != Callers.size() ||
          (I != Ids.size() && Frames[Covered - 1].Function != Owner))
        continue;
      Places[A] = std::vector(Ids.begin(), Ids.begin() + Covered);
      return;
    }
  }

  /// Adds the place of an allocation. Without ids, two allocations of one owner
  /// look alike.
  void addPlace(AllocationId A, ArrayRef<memprof::Frame> Covered) {
    auto [Known, IsNew] = Places.try_emplace(A);
    if (!IsNew && !Known->second)
      return;
    std::vector<StackId> Ids;
    for (const memprof::Frame &F : Covered)
      Ids.push_back(profile::computeStackId(F));
    if (IsNew)
      Known->second = std::move(Ids);
    else if (*Known->second != Ids)
      Known->second.reset();
  }

  ContextProgram &Program;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, SmallVector<ContextId, 1>> ById, ByKey;
  std::unordered_map<GlobalValue::GUID, std::vector<ContextId>> ByOwner;
  std::vector<Sums> Known;
  /// Nothing where there is more than one that it may be.
  std::map<AllocationId, std::optional<std::vector<StackId>>> Places;
};

} // namespace

Expected<lto::MeasuredContexts>
thermocline::lto::setMeasures(ContextProgram &Program,
                              const profile::IndexedProfile &Profile) {
  Measuring Measured(Program);
  if (Error E = Profile.forEachContext(
          [&](const profile::IndexedContext &C) { Measured.take(C); }))
    return std::move(E);
  return Measured.finish();
}
