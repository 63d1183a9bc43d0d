//===- lto/ProfileMeasures.cpp - What a profile adds ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileMeasures.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/StackIds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
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

/// \p Value * \p To / \p From, as far as it fits.
uint64_t scaled(uint64_t Value, uint64_t To, uint64_t From) {
  auto Result = static_cast<unsigned __int128>(Value) * To / From;
  return Result > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(Result);
}

class Measuring {
public:
  Measuring(ContextProgram &Program) : Program(Program) {
    for (size_t I = 0; I != Program.numContexts(); ++I) {
      const Context &C = Program[ContextId(I)];
      if (C.FullStackId)
        ById[C.FullStackId].push_back(ContextId(I));
      else
        ByOwner[memprof::getGUID(Program[Program[C.Allocation].Owner].Name)]
            .push_back(ContextId(I));
    }
    Known.resize(Program.numContexts());
  }

  void take(const profile::IndexedContext &Context) {
    Sums Added = sumsOf(profile::toMemInfoBlock(Context.Info));
    if (auto Found = ById.find(Context.FullStackId); Found != ById.end())
      for (ContextId C : Found->second)
        Known[C.index()].add(Added);
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
        if (ArrayRef<StackId> Ids = Program.stackIds(C);
            ArrayRef(Callers).take_front(Ids.size()) == Ids)
          Known[C.index()].add(Added);
      // Frames further out are of callers of the owner, by recursion at most.
      return;
    }
  }

  lto::MeasuredContexts finish() {
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
  ContextProgram &Program;
  // Ids come from files, so no DenseMap: it reserves keys.
  std::unordered_map<uint64_t, SmallVector<ContextId, 1>> ById;
  std::unordered_map<GlobalValue::GUID, std::vector<ContextId>> ByOwner;
  std::vector<Sums> Known;
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
