//===- Profile/RunInfo.cpp - How long the profiled runs were --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/RunInfo.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

RunInfo RunInfo::oneRun(Milliseconds Length) {
  RunInfo Result;
  Result.Runs = 1;
  Result.TotalLength = Result.Shortest = Result.Longest = Length;
  Result.TotalSquare = SaturatingMultiply(Length.count(), Length.count());
  return Result;
}

RunInfo RunInfo::oneEstimatedRun(Milliseconds Length) {
  RunInfo Result = oneRun(Length);
  Result.Estimated = 1;
  return Result;
}

void RunInfo::add(const RunInfo &Other) {
  if (Other.Runs == 0)
    return;
  if (Runs == 0) {
    *this = Other;
    return;
  }
  Runs += Other.Runs;
  TotalLength += Other.TotalLength;
  TotalSquare = SaturatingAdd(TotalSquare, Other.TotalSquare);
  Estimated += Other.Estimated;
  WithWindows += Other.WithWindows;
  Shortest = std::min(Shortest, Other.Shortest);
  Longest = std::max(Longest, Other.Longest);
  if (Other.Origin != RunInfoOrigin::Recorded)
    Origin = Other.Origin;
}

void TimeSpan::add(uint32_t AllocTimestamp, uint32_t DeallocTimestamp,
                   uint32_t MaxLifetime, bool OfProgram) {
  Last = std::max<uint64_t>(Last, DeallocTimestamp);
  if (!OfProgram)
    return;
  const uint32_t Longest = std::min(MaxLifetime, DeallocTimestamp);
  First =
      std::min<uint64_t>({First, AllocTimestamp, DeallocTimestamp - Longest});
}

StringRef profile::runInfoFunctionName() { return "__thermocline_run_info"; }

GlobalValue::GUID profile::runInfoGUID() {
  return memprof::getGUID(runInfoFunctionName());
}

Frame profile::runInfoFrame() {
  return Frame(runInfoGUID(), /*Off=*/0, /*Col=*/0, /*Inline=*/false);
}

static uint32_t clampMs(Milliseconds Length) {
  return static_cast<uint32_t>(std::min<uint64_t>(Length.count(), UINT32_MAX));
}

MemInfoBlock profile::encodeRunInfo(const RunInfo &Runs) {
  MemInfoBlock Block;
  Block.AllocCount =
      static_cast<uint32_t>(std::min<uint64_t>(Runs.Runs, UINT32_MAX));
  Block.TotalLifetime = Runs.TotalLength.count();
  Block.TotalLifetimeAccessDensity = Runs.TotalSquare;
  Block.TotalAccessCount = Runs.Estimated;
  Block.TotalSize = Runs.WithWindows;
  Block.MinLifetime = clampMs(Runs.Shortest);
  Block.MaxLifetime = clampMs(Runs.Longest);
  return Block;
}

std::optional<RunInfo>
profile::decodeRunInfo(const PortableMemInfoBlock &Block) {
  auto Fields = Block.getSchema();
  auto Has = [&](Meta Field) { return Fields[to_underlying(Field)]; };
  if (!Has(Meta::AllocCount) || !Has(Meta::TotalLifetime) ||
      Block.getAllocCount() == 0)
    return std::nullopt;
  RunInfo Result;
  Result.Runs = Block.getAllocCount();
  Result.TotalLength = Milliseconds(Block.getTotalLifetime());
  if (Has(Meta::TotalAccessCount))
    Result.Estimated = Block.getTotalAccessCount();
  if (Has(Meta::TotalSize))
    Result.WithWindows = std::min<uint64_t>(Block.getTotalSize(), Result.Runs);
  if (Has(Meta::TotalLifetimeAccessDensity))
    Result.TotalSquare = Block.getTotalLifetimeAccessDensity();
  if (Result.TotalSquare == 0 && Block.getTotalLifetime() != 0) {
    // An older profile: as if all runs had been of one length.
    Result.TotalSquare =
        SaturatingMultiply(Block.getTotalLifetime(), Block.getTotalLifetime()) /
        Result.Runs;
    Result.Estimated = Result.Runs;
  }
  Milliseconds Mean(Block.getTotalLifetime() / Block.getAllocCount());
  Result.Shortest =
      Has(Meta::MinLifetime) ? Milliseconds(Block.getMinLifetime()) : Mean;
  Result.Longest =
      Has(Meta::MaxLifetime) ? Milliseconds(Block.getMaxLifetime()) : Mean;
  return Result;
}
