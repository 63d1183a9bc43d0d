//===- Report/Coverage.h - What of a profile reaches a link -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The audit speaks only of contexts that a link knows. Contexts of the profile
// that no allocation of the link carries are lost before that. Here they are
// counted, with the reason if it is known. lto/program/ProfileCoverage.h finds
// them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_COVERAGE_H
#define THERMOCLINE_REPORT_COVERAGE_H

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Placement/Horizon.h"
#include "thermocline/Support/Ids.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::report {

struct ReportFrame {
  StackId Id;
  /// The demangled name. It is empty if the frame is not in the frame table,
  /// and the GUID in hexadecimal if the function's name is unknown.
  std::string Function;
  uint32_t LineOffset = 0;
  uint32_t Column = 0;
  /// Where it is in the source; empty and 0 if that is not known.
  std::string File = {};
  uint32_t Line = 0;
};

/// Why no allocation of the link carries a context of the profile.
enum class LossReason : uint8_t {
  /// The link does not know the name of the function that allocates.
  NotInLink,
  /// The link knows the function, but has no bitcode of it.
  NotLTO,
  /// The function was dead code.
  Dead,
  /// No call in the function's module is at a place of the profile.
  NoProfile,
  /// The call at the place is no allocation, but allocates inside.
  InsideCallee,
  /// An allocation is at the place, without this context.
  OtherCallers,
  /// Modules that were not compiled here may have marked the call in their
  /// code, as stock clang does where all contexts of a call are alike.
  PerhapsMarked,
  /// The function has no profiled allocation at the place.
  NoSuchAllocation,
};

constexpr unsigned NumLossReasons =
    static_cast<unsigned>(LossReason::NoSuchAllocation) + 1;

/// "module has nothing of the profile".
llvm::StringRef describe(LossReason Reason);
/// What may have happened, and what to do: a sentence.
llvm::StringRef advice(LossReason Reason);

/// A cold context of the profile that no allocation of the link carries.
struct LostContext {
  uint64_t FullStackId = 0;
  Bytes Size;
  LossReason Reason = LossReason::NotInLink;
  /// Its frames, from the allocation towards the root.
  std::vector<ReportFrame> Frames;
};

/// What another binary of the process has, which is for its own link.
struct BinaryShare {
  /// The name of its file.
  std::string Name;
  context::AuditCell Cold, NotCold;
};

struct LossCount {
  LossReason Reason;
  context::AuditCell Count;
};

/// Lost cold contexts that machine code of one file allocates.
struct MachineCodeLoss {
  /// A file of the link, "archive(member)" for one of an archive; empty if the
  /// function is in none that is known.
  std::string File;
  /// The function with most of these bytes, demangled, and how many there are.
  std::string Function;
  uint64_t Functions = 0;
  context::AuditCell Count;
};

/// How a profile compares with the contexts of a link.
struct ProfileCoverage {
  /// The file of the profile.
  std::string Profile;
  /// The thresholds of the classification, in words.
  std::string ColdBy;
  /// The number of modules of the link that have contexts, and how many of them
  /// tell that they were compiled with these thresholds. If none tells its
  /// thresholds, the default ones are used.
  uint64_t Modules = 0, ModulesSoCompiled = 0;
  /// Whether the modules agree that they were compiled with another one.
  bool IsAnotherProfile = false;
  /// All contexts of the profile, or of the link's part of it.
  context::AuditCell Cold, NotCold;
  /// Contexts that were allocated in other binaries, and that no allocation of
  /// the link carries; they are in no other figure. By cold bytes descending,
  /// then by name. Empty if the profile is of one binary, or of those of the
  /// link.
  std::vector<BinaryShare> Elsewhere;
  /// What hints for these save of the working set.
  Bytes SavedElsewhere;
  /// The parts of Cold and NotCold that no allocation of the link carries.
  context::AuditCell ColdLost, NotColdLost;
  /// The part of Cold that the link has as not cold, and the part of NotCold
  /// that it has as cold. The modules were compiled with another profile, or
  /// with thresholds that they do not tell, like those of stock clang.
  context::AuditCell ColdAsNotCold, NotColdAsCold;
  /// How many places in the source have lost cold contexts.
  uint64_t PlacesOfColdLost = 0;
  /// The reasons why cold contexts are lost, bytes descending.
  std::vector<LossCount> Reasons;
  /// The lost cold contexts that machine code allocates, as far as its
  /// functions are known, bytes descending.
  std::vector<MachineCodeLoss> MachineCode;
  /// The largest lost cold contexts, bytes descending, then by id.
  std::vector<LostContext> Biggest;

  /// "libx.so 2 contexts, 1.2 MiB; liby.so …": what is cold in other binaries;
  /// empty if nothing is.
  std::string describeElsewhere() const;
  /// "the profile's cold bytes", or those of the link's part of it.
  llvm::StringRef coldBytesText() const;
  /// A sentence that says what is cold, and whether the modules tell so.
  std::string describeColdBy() const;
  /// Whether so much is lost that a user who did not ask should hear of it.
  bool isLossConsiderable() const;
};

/// "libfoo.so: foo_read and 2 more functions".
std::string describe(const MachineCodeLoss &Loss);

/// How many lost contexts a report names at most: with their frames they take
/// much more room than all counts.
constexpr size_t MaxLostContexts = 1000;

/// The working set that the model of touched pages predicts for the whole
/// profile: without hints, and with all that the profile asks for.
struct ProfileWorkingSet {
  Bytes Before;
  Bytes After;
  /// The horizon that was decided for, at which Before and After are.
  placement::Horizon Goal = placement::Horizon::Burst;
  /// Before and After at the other horizon; nothing if they are not known.
  std::optional<std::pair<Bytes, Bytes>> Other = std::nullopt;
};

/// What the profile's hints bring at the other horizon: "within windows 23.3
/// MiB
/// -> 9.1 MiB (-61.1 %)". Empty if that is not known.
std::string describeOtherHorizon(const ProfileWorkingSet &Set);

} // namespace thermocline::report

#endif
