//===- Profile/Classification.h - Which contexts are cold -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one rule by which a context is called cold, for every stage that asks:
// the annotate pass, thermo-profdata, reports. docs/classification.md gives the
// reasoning.
//
// A context is cold iff, over all its allocations,
//
//   mean lifetime      >= MinLifetimeFraction * mean length of a run, and
//   accesses per byte  <= AccessesPerByte
//                         + AccessesPerBytePerSecond * mean lifetime in s.
//
// Accesses per byte is the greater of TotalAccessCount / TotalSize (every byte
// counts the same) and TotalAccessDensity / AllocCount / 100 (every allocation
// counts the same). An access is one counted load or store, whatever its width.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_CLASSIFICATION_H
#define THERMOCLINE_PROFILE_CLASSIFICATION_H

#include "thermocline/Profile/RunInfo.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <optional>
#include <string>

namespace thermocline::profile {

/// By what the decision was made.
enum class ColdRule : uint8_t {
  /// The rule above, on exact accesses.
  Relative,
  /// The rule above, but the profile has the hot/cold schema only: accesses per
  /// byte are taken as mean lifetime access density * mean lifetime.
  RelativeApproximate,
  /// LLVM's absolute rule, for want of the length of the run.
  LLVM,
};

struct ColdThresholds {
  /// Of the mean length of a run, 0 to 1.
  double MinLifetimeFraction = 0.25;
  /// What building, copying and destroying an object costs; not negative.
  double AccessesPerByte = 1.0;
  /// What an idle object may still be touched; LLVM's own rate. Not negative.
  double AccessesPerBytePerSecond = 0.05;

  /// Of LLVM's own rule, which decides for want of the length of the run:
  /// accesses per byte and second must be under, and the mean lifetime at
  /// least so many seconds.
  double LLVMAccessDensity = 0.05F;
  double LLVMLifetimeSeconds = 200;

  auto operator<=>(const ColdThresholds &) const = default;

  /// Those of LLVM's rule as LLVM's own options, parsed in this process, say.
  void takeLLVMsOptions();
  /// Default values for what \p Rule does not look at.
  void forgetAllBut(ColdRule Rule);

  /// An error that names the option at fault if a value is out of its range.
  llvm::Error validate() const;
};

/// Names and help texts of the options that set ColdThresholds, the same in
/// thermo-profdata (`--NAME`) and in the plugin (`-thermocline-NAME`).
inline constexpr char ColdLifetimeOption[] = "cold-min-lifetime";
inline constexpr char ColdLifetimeHelp[] =
    "A context is cold only if its mean lifetime is at least this fraction of "
    "the run (0 to 1)";
inline constexpr char ColdAccessesOption[] = "cold-accesses";
inline constexpr char ColdAccessesHelp[] =
    "Accesses per byte that a cold context may have whatever its lifetime";
inline constexpr char ColdRateOption[] = "cold-access-rate";
inline constexpr char ColdRateHelp[] =
    "Accesses per byte that a cold context may have further for each second of "
    "its lifetime";

/// The rule that classify follows for \p Block and \p Runs.
ColdRule ruleFor(const llvm::memprof::PortableMemInfoBlock &Block,
                 const std::optional<RunInfo> &Runs);

/// Whether nobody counted the accesses of \p Block
/// (format::UnknownAccessDensity). Nothing can be said of it then, and it is
/// never cold.
bool accessesAreUnknown(const llvm::memprof::PortableMemInfoBlock &Block);
bool accessesAreUnknown(const llvm::memprof::MemInfoBlock &Block);

/// Cold or NotCold; never Hot, never None. \p Runs of the profile that \p Block
/// comes from; without it, LLVM's own rule decides. A block without allocations
/// or without bytes is NotCold, and so is everything of runs under 1 ms.
llvm::AllocationType classify(const llvm::memprof::PortableMemInfoBlock &Block,
                              const std::optional<RunInfo> &Runs,
                              const ColdThresholds &Thresholds);

/// In words: "lifetime >= 0.25 of the run, …".
std::string describeRule(ColdRule Rule, const ColdThresholds &Thresholds);

} // namespace thermocline::profile

#endif
