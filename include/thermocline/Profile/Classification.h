//===- Profile/Classification.h - Which contexts are cold -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By what a context is called cold, for every stage that asks: the annotate
// pass, thermo-profdata, reports. docs/classification.md gives the reasoning.
//
// If the profile tells when memory was touched, the model of touched pages
// (Placement/Placement.h) has decided when it was merged. Otherwise, or on
// request, totals decide: a context is cold iff, over all its allocations,
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

/// The rule that decided.
enum class ColdRule : uint8_t {
  /// The rule above, on exact accesses.
  Relative,
  /// The rule above, but the profile has the hot/cold schema only: accesses per
  /// byte are taken as mean lifetime access density * mean lifetime.
  RelativeApproximate,
  /// LLVM's absolute rule, used if the length of the run is unknown.
  LLVM,
  /// The model of touched pages.
  Pages,
};

/// What a context was classified as.
struct ContextClass {
  /// Cold or NotCold; never Hot or None.
  llvm::AllocationType Type = llvm::AllocationType::NotCold;
  /// The bytes of working set that a hint for the context saves, if the model
  /// of touched pages decided.
  std::optional<double> SavedBytes;

  bool isCold() const { return Type == llvm::AllocationType::Cold; }
};

struct ColdThresholds {
  /// The least mean lifetime of a cold context, as a fraction of the mean
  /// length of a run; 0 to 1.
  double MinLifetimeFraction = 0.25;
  /// Accesses per byte that a cold context may have whatever its lifetime, for
  /// building, copying and destroying objects; not negative.
  double AccessesPerByte = 1.0;
  /// Further accesses per byte that it may have for each second of its mean
  /// lifetime. The default is LLVM's own rate. Not negative.
  double AccessesPerBytePerSecond = 0.05;

  /// Thresholds of LLVM's own rule, which decides if the length of the run is
  /// unknown. Accesses per byte and second must be below the first, and the
  /// mean lifetime in seconds must be at least the second.
  double LLVMAccessDensity = 0.05F;
  double LLVMLifetimeSeconds = 200;

  /// Whether totals decide even if the profile tells when memory was touched.
  bool ByTotals = false;

  auto operator<=>(const ColdThresholds &) const = default;

  /// The thresholds of the options below, each an llvm::cl::opt<double>, as
  /// they were parsed in this process. Those of LLVM's rule are from LLVM's own
  /// options.
  template <typename Option>
  static ColdThresholds of(const Option &Lifetime, const Option &Accesses,
                           const Option &Rate, bool ByTotals) {
    ColdThresholds Result;
    Result.MinLifetimeFraction = Lifetime;
    Result.AccessesPerByte = Accesses;
    Result.AccessesPerBytePerSecond = Rate;
    Result.ByTotals = ByTotals || Lifetime.getNumOccurrences() ||
                      Accesses.getNumOccurrences() || Rate.getNumOccurrences();
    Result.takeLLVMsOptions();
    return Result;
  }
  /// Sets thresholds that \p Rule does not use to their defaults.
  void forgetAllBut(ColdRule Rule);

  /// An error that names the option at fault if a value is out of its range.
  llvm::Error validate() const;

private:
  void takeLLVMsOptions();
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

/// The option of the same kind by which totals decide. An option that sets one
/// of their thresholds implies it.
inline constexpr char ColdByTotalsOption[] = "cold-by-totals";
inline constexpr char ColdByTotalsHelp[] =
    "Decide by lifetimes and numbers of accesses even if the profile tells "
    "when memory was touched; thresholds imply this";

/// The rule that classify follows for \p Block and \p Runs.
ColdRule ruleFor(const llvm::memprof::PortableMemInfoBlock &Block,
                 const std::optional<RunInfo> &Runs);

/// Who knows what was accessed.
enum class AccessKind : uint8_t {
  /// Code counted.
  Counted,
  /// Nobody counted, but the page table told in which windows objects were
  /// touched (format::WatchedAccessDensity). By totals nothing is cold then.
  Watched,
  /// Nobody (format::UnknownAccessDensity). Nothing can be said then, and
  /// nothing is ever cold.
  Unknown,
};
AccessKind accessKind(const llvm::memprof::PortableMemInfoBlock &Block);
AccessKind accessKind(const llvm::memprof::MemInfoBlock &Block);

/// Whether the number of accesses of \p Block means nothing.
template <typename MIB> bool accessesAreUnknown(const MIB &Block) {
  return accessKind(Block) != AccessKind::Counted;
}
/// Says that nobody counted the accesses of \p Block, though windows may tell
/// of them.
void forgetAccesses(llvm::memprof::MemInfoBlock &Block);
/// Whether windows say nothing of \p Block either.
template <typename MIB> bool touchesAreUnknown(const MIB &Block) {
  return accessKind(Block) == AccessKind::Unknown;
}

/// Classifies a context with the measures \p Block by totals as Cold or
/// NotCold; never Hot or None. \p Runs are those of the profile that \p Block
/// comes from. Without them LLVM's own rule decides. A block without
/// allocations or bytes is NotCold, and so is everything in runs of less than 1
/// ms.
llvm::AllocationType classify(const llvm::memprof::PortableMemInfoBlock &Block,
                              const std::optional<RunInfo> &Runs,
                              const ColdThresholds &Thresholds);

/// Classifies a context with the measures \p Block by \p Rule, as classify()
/// does unless that is the model of touched pages. \p SavedBytes is what this
/// says that hints for all contexts save that \p Block sums up, or nothing if
/// it calls one of them not cold.
ContextClass classifyBy(ColdRule Rule,
                        const llvm::memprof::PortableMemInfoBlock &Block,
                        const std::optional<RunInfo> &Runs,
                        const ColdThresholds &Thresholds,
                        std::optional<double> SavedBytes);

/// Describes the rule in words: "lifetime >= 0.25 of the run, …".
std::string describeRule(ColdRule Rule, const ColdThresholds &Thresholds);

} // namespace thermocline::profile

#endif
