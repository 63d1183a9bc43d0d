//===- Profile/Classification.cpp - Which contexts are cold ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Classification.h"
#include "thermocline/Format/RawSections.h"
#include "llvm/ADT/STLForwardCompat.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

namespace llvm {
extern cl::opt<float> MemProfLifetimeAccessDensityColdThreshold;
extern cl::opt<unsigned> MemProfAveLifetimeColdThreshold;
} // namespace llvm

void ColdThresholds::takeLLVMsOptions() {
  LLVMAccessDensity = MemProfLifetimeAccessDensityColdThreshold;
  LLVMLifetimeSeconds = MemProfAveLifetimeColdThreshold;
}

void ColdThresholds::forgetAllBut(ColdRule Rule) {
  const ColdThresholds Defaults;
  if (Rule == ColdRule::Pages) {
    *this = Defaults;
    return;
  }
  ByTotals = true;
  if (Rule != ColdRule::LLVM) {
    LLVMAccessDensity = Defaults.LLVMAccessDensity;
    LLVMLifetimeSeconds = Defaults.LLVMLifetimeSeconds;
    return;
  }
  MinLifetimeFraction = Defaults.MinLifetimeFraction;
  AccessesPerByte = Defaults.AccessesPerByte;
  AccessesPerBytePerSecond = Defaults.AccessesPerBytePerSecond;
}

static Error badThreshold(StringRef Option, const Twine &Range) {
  return createStringError(inconvertibleErrorCode(),
                           Option + " must be " + Range);
}

Error ColdThresholds::validate() const {
  if (!(MinLifetimeFraction >= 0 && MinLifetimeFraction <= 1))
    return badThreshold(ColdLifetimeOption, "from 0 to 1");
  if (!(AccessesPerByte >= 0 && std::isfinite(AccessesPerByte)))
    return badThreshold(ColdAccessesOption, "a number from 0 upwards");
  if (!(AccessesPerBytePerSecond >= 0 &&
        std::isfinite(AccessesPerBytePerSecond)))
    return badThreshold(ColdRateOption, "a number from 0 upwards");
  if (!(LLVMAccessDensity >= 0 && std::isfinite(LLVMAccessDensity)))
    return badThreshold("memprof-lifetime-access-density-cold-threshold",
                        "a number from 0 upwards");
  if (!(LLVMLifetimeSeconds >= 0 && std::isfinite(LLVMLifetimeSeconds)))
    return badThreshold("memprof-ave-lifetime-cold-threshold",
                        "a number from 0 upwards");
  return Error::success();
}

static bool has(const PortableMemInfoBlock &Block,
                std::initializer_list<Meta> Fields) {
  auto Schema = Block.getSchema();
  return std::all_of(Fields.begin(), Fields.end(),
                     [&](Meta Field) { return Schema[to_underlying(Field)]; });
}

ColdRule profile::ruleFor(const PortableMemInfoBlock &Block,
                          const std::optional<RunInfo> &Runs) {
  if (!Runs || Runs->Runs == 0 || !has(Block, {Meta::TotalLifetime}))
    return ColdRule::LLVM;
  if (has(Block, {Meta::TotalAccessCount, Meta::TotalAccessDensity}))
    return ColdRule::Relative;
  return ColdRule::RelativeApproximate;
}

/// What \p Density, the sum of a density over \p Allocations, says of who
/// counted. A counted density comes from accesses.
static AccessKind kindOf(uint64_t Allocations, uint64_t Accesses,
                         uint64_t Density) {
  if (!Allocations || Accesses)
    return AccessKind::Counted;
  if (Density == Allocations * format::UnknownAccessDensity)
    return AccessKind::Unknown;
  return Density == Allocations * format::WatchedAccessDensity
             ? AccessKind::Watched
             : AccessKind::Counted;
}

AccessKind profile::accessKind(const MemInfoBlock &Block) {
  return kindOf(Block.AllocCount, Block.TotalAccessCount,
                Block.TotalLifetimeAccessDensity);
}

AccessKind profile::accessKind(const PortableMemInfoBlock &Block) {
  if (!has(Block, {Meta::AllocCount, Meta::TotalLifetimeAccessDensity}))
    return AccessKind::Counted;
  return kindOf(
      Block.getAllocCount(),
      has(Block, {Meta::TotalAccessCount}) ? Block.getTotalAccessCount() : 0,
      Block.getTotalLifetimeAccessDensity());
}

void profile::forgetAccesses(MemInfoBlock &Block) {
  constexpr uint32_t Density = format::WatchedAccessDensity;
  Block.TotalAccessCount = 0;
  Block.MinAccessCount = Block.MaxAccessCount = 0;
  Block.TotalAccessDensity = Block.TotalLifetimeAccessDensity =
      uint64_t(Block.AllocCount) * Density;
  Block.MinAccessDensity = Block.MaxAccessDensity = Density;
  Block.MinLifetimeAccessDensity = Block.MaxLifetimeAccessDensity = Density;
}

/// Accesses per byte of a block, by the worse of the measures it has.
static double accessesPerByte(const PortableMemInfoBlock &Block, ColdRule Rule,
                              double MeanLifetimeSeconds) {
  double Allocations = Block.getAllocCount();
  if (Rule == ColdRule::RelativeApproximate) {
    // Densities are stored times 100. A lifetime under 1 ms was taken for 1 ms
    // when the density was computed.
    double Rate = static_cast<double>(Block.getTotalLifetimeAccessDensity()) /
                  Allocations / 100;
    return Rate * std::max(MeanLifetimeSeconds, 0.001);
  }
  double ByBytes = static_cast<double>(Block.getTotalAccessCount()) /
                   static_cast<double>(Block.getTotalSize());
  double ByAllocations =
      static_cast<double>(Block.getTotalAccessDensity()) / Allocations / 100;
  return std::max(ByBytes, ByAllocations);
}

/// Does what LLVM's getAllocType does, to the bit, but with thresholds of the
/// caller's.
static bool isColdForLLVM(const PortableMemInfoBlock &Block,
                          const ColdThresholds &Thresholds) {
  float Density = static_cast<float>(Block.getTotalLifetimeAccessDensity()) /
                  Block.getAllocCount() / 100;
  float Lifetime =
      static_cast<float>(Block.getTotalLifetime()) / Block.getAllocCount();
  return Density < static_cast<float>(Thresholds.LLVMAccessDensity) &&
         Lifetime >= static_cast<float>(Thresholds.LLVMLifetimeSeconds * 1000);
}

AllocationType profile::classify(const PortableMemInfoBlock &Block,
                                 const std::optional<RunInfo> &Runs,
                                 const ColdThresholds &Thresholds) {
  if (!has(Block, {Meta::AllocCount, Meta::TotalSize}) ||
      Block.getAllocCount() == 0 || Block.getTotalSize() == 0 ||
      accessesAreUnknown(Block))
    return AllocationType::NotCold;
  ColdRule Rule = ruleFor(Block, Runs);
  if (Rule != ColdRule::Relative &&
      !has(Block, {Meta::TotalLifetime, Meta::TotalLifetimeAccessDensity}))
    return AllocationType::NotCold;
  if (Rule == ColdRule::LLVM)
    return isColdForLLVM(Block, Thresholds) ? AllocationType::Cold
                                            : AllocationType::NotCold;

  double MeanLifetimeMs = static_cast<double>(Block.getTotalLifetime()) /
                          static_cast<double>(Block.getAllocCount());
  // A run of under a millisecond tells nothing about lifetimes.
  if (Runs->comparedLengthMs() == 0 ||
      MeanLifetimeMs <
          Thresholds.MinLifetimeFraction * Runs->comparedLengthMs())
    return AllocationType::NotCold;
  double Seconds = MeanLifetimeMs / 1000;
  double Allowed = Thresholds.AccessesPerByte +
                   Thresholds.AccessesPerBytePerSecond * Seconds;
  return accessesPerByte(Block, Rule, Seconds) <= Allowed
             ? AllocationType::Cold
             : AllocationType::NotCold;
}

ContextClass profile::classifyBy(ColdRule Rule,
                                 const PortableMemInfoBlock &Block,
                                 const std::optional<RunInfo> &Runs,
                                 const ColdThresholds &Thresholds,
                                 std::optional<double> SavedBytes) {
  if (Rule != ColdRule::Pages)
    return {classify(Block, Runs, Thresholds), std::nullopt};
  if (!SavedBytes || touchesAreUnknown(Block))
    return {AllocationType::NotCold, 0.0};
  return {AllocationType::Cold, SavedBytes};
}

/// Two decimals, or as many as it takes.
static std::string formatThreshold(double Value) {
  std::string Result;
  raw_string_ostream(Result)
      << llvm::format(Value < 10 ? "%.2f" : "%.1f", Value);
  double Read;
  if (StringRef(Result).getAsDouble(Read) || Read != Value) {
    Result.clear();
    raw_string_ostream(Result) << llvm::format("%g", Value);
  }
  return Result;
}

std::string profile::describeRule(ColdRule Rule,
                                  const ColdThresholds &Thresholds) {
  const ColdThresholds Defaults;
  if (Rule == ColdRule::Pages)
    return "apart from it, the program touches fewer pages";
  if (Rule == ColdRule::LLVM) {
    std::string Result =
        "LLVM's absolute rule, because the length of the run is not known";
    if (Thresholds.LLVMLifetimeSeconds != Defaults.LLVMLifetimeSeconds ||
        Thresholds.LLVMAccessDensity != Defaults.LLVMAccessDensity)
      Result +=
          ": lifetime >= " + formatThreshold(Thresholds.LLVMLifetimeSeconds) +
          " s, accesses per byte and second < " +
          formatThreshold(Thresholds.LLVMAccessDensity);
    return Result;
  }
  std::string Result =
      "lifetime >= " + formatThreshold(Thresholds.MinLifetimeFraction) +
      " of the run, accesses per byte <= " +
      formatThreshold(Thresholds.AccessesPerByte) + " + " +
      formatThreshold(Thresholds.AccessesPerBytePerSecond) +
      " per second of lifetime";
  if (Rule == ColdRule::RelativeApproximate)
    Result += " (accesses estimated: the profile has four measures only)";
  return Result;
}
