//===- lto/options/LinkOptions.h - Options of a link ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All options that the linker and the LTO tools add to LLVM's, in one place:
// `--thinlto-memprof-…`, which ld.lld takes as its own, and `-mllvm
// -thermocline-…`. What LLVM's own options mean here is in StockOptions.h.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_OPTIONS_LINKOPTIONS_H
#define THERMOCLINE_LTO_OPTIONS_LINKOPTIONS_H

#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Support/NamedAllocator.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm::cl {
class Option;
class OptionCategory;
} // namespace llvm::cl

namespace thermocline::lto {

/// How much clones may add to a link, as --thinlto-memprof-max-growth says it.
struct GrowthLimit {
  static constexpr double DefaultPercent = 5;
  /// What the default never goes below: a few percent of a small program are
  /// less than one clone, and cost nothing.
  static constexpr uint64_t DefaultFloor = 5000;

  /// The limit in percent of the instructions in the link; none for no limit.
  std::optional<double> Percent = DefaultPercent;
  /// Whether the user asked for it; then it is taken by its word.
  bool IsGiven = false;

  /// The value of EngineOptions::MaxInstructionsAdded. \p InLink: the
  /// instructions of all functions that are linked.
  std::optional<uint64_t> instructions(uint64_t InLink) const;
  /// The limit as the option is written: "none", "5", "0.5".
  std::string text() const;
};

/// What a link must have of its profile, or it fails.
struct LinkGates {
  /// How much of the profile's cold bytes may be lost, in percent.
  std::optional<double> MaxLostPercent;
  /// How much of it must be hinted.
  std::optional<Bytes> MinHinted;
};

/// Who compiles the modules of a link.
enum class Backends {
  /// The linker itself.
  InProcess,
  /// Compilers of LLVM alone, given written indexes. Not every decision can be
  /// carried out there.
  Stock,
  /// thermo-backend, given written indexes.
  Thermocline,
};

struct LinkOptions {
  /// Options of the engine, without MaxInstructionsAdded, which depends on the
  /// link.
  context::EngineOptions Engine;
  GrowthLimit Growth;
  LinkGates Gates;
  /// Indexed profile with more than the summaries have; empty for none.
  std::string ProfileFile;
  /// Who reads the indexes that the link writes, if the user says it.
  std::optional<Backends> IndexReaders;
  apply::HintOptions Hints;
  /// Whether programs lay small objects in order; nothing if the profile is to
  /// say it.
  std::optional<bool> Order;
  /// The program is linked with functions that take hints. The index of ThinLTO
  /// says so as well.
  bool SupportsHints = true;
  /// File for the report, format by extension; empty for none.
  std::string ReportFile;
  /// File for the list of decisions; empty for none.
  std::string DecisionsFile;
  /// File for the picture of decisions; empty for none.
  std::string DotFile;
  /// File for the program that the engine decided on; empty for none.
  std::string DumpFile;
  /// Say in one line what is hinted.
  bool Summary = false;
  /// Print what was done to standard error.
  bool Statistics = false;
  /// A sentence for each option of LLVM's that was given and means nothing
  /// here.
  std::vector<std::string> WithoutEffect;

  /// What of this steers the backends beyond the decisions, as text; empty for
  /// the defaults. Part of what the ThinLTO cache knows a module by.
  std::string backendSettings() const;
  /// Takes over what another process' backendSettings() said. Options that were
  /// given to this one stay. Returns whether it was all understood.
  bool takeBackendSettings(llvm::StringRef Text);
};

/// The options as the command line has set them. Called after it was parsed.
LinkOptions linkOptions();

/// What is done to modules as they are read.
struct InputOptions {
  /// Indexed profile to annotate modules with that no plugin of ours has
  /// compiled; empty for none.
  std::string ProfileFile;
  /// One was named, but the link hints nothing.
  bool IsProfileLeft = false;
  /// Their allocation functions, and the cold variants of these.
  std::vector<NamedAllocator> Allocators;
  /// No call takes the place of its caller's.
  bool KeepFrames = false;

  /// Whether all modules stay as they are in their files.
  bool isNothing() const { return ProfileFile.empty() && !KeepFrames; }
};

/// These options as the command line has set them. Called after it was parsed.
InputOptions inputOptions();

/// An argument for LLVM's option parser, in links without optimization (level
/// 0) that do not say whether to decide. Such links are for debugging.
inline constexpr char SwitchedOff[] = "-thinlto-memprof=off";

/// Whether \p Arguments of a link, in any spelling, say whether to decide. The
/// last word counts.
bool sayWhetherToDecide(llvm::ArrayRef<const char *> Arguments);

/// The `--thinlto-memprof-…` options, in the order to list them.
llvm::ArrayRef<llvm::cl::Option *> linkerOptions();

/// The options that mean nothing to a program that only compiles by an index.
std::vector<llvm::cl::Option *> decidingOptions();

/// The options that mean nothing to a program that looks at decisions after the
/// link.
std::vector<llvm::cl::Option *> linkOnlyOptions();

/// Whether \p Option, one of these, asks for a file to be written and nothing
/// else: no code depends on it.
bool onlyWrites(const llvm::cl::Option &Option);

/// What is wrong with \p Value for one of the linker's; empty if nothing.
/// Called by drivers that hand them on to LLVM's parser, for a message of their
/// own.
std::string problemWith(const llvm::cl::Option &Option, llvm::StringRef Value);

/// All options above, for the help of tools.
llvm::cl::OptionCategory &optionCategory();

} // namespace thermocline::lto

#endif
