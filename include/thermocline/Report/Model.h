//===- Report/Model.h - What a report says, as plain data -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects what is known of every context of a link: what the profile says,
// what was decided, where it ends in the program, and why. The writers of
// Report/Writers.h print it; they compute nothing. Called by ld.lld and
// thermo-lto.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_MODEL_H
#define THERMOCLINE_REPORT_MODEL_H

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Context/Decisions.h"
#include "thermocline/Engine/EngineResult.h"
#include "thermocline/Placement/Order.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Report/Coverage.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::report {

/// What a report is made from. Nothing here is owned; everything must outlive
/// buildModel().
struct Sources {
  /// Who decided, for the headline: "thermocline", "stock LLVM".
  std::string DecidedBy = "thermocline";
  const context::ContextProgram &Program;
  const context::Decisions &Decided;
  const context::AuditResult &Audited;
  /// The engine's result, with the reasons for what was not hinted. Null for
  /// decisions that are not the engine's. Reasons are then only what the audit
  /// tells.
  const context::EngineResult *Engine = nullptr;
  /// The places of the frames of contexts. May be null.
  const profile::FrameTable *Frames = nullptr;
  /// May be null.
  const profile::FunctionNames *Names = nullptr;
};

/// What the contexts of a link save of it. Each sum includes the ones after it.
struct PredictedSavings {
  /// Cold contexts that are in the link.
  Bytes InLink;
  /// Cold contexts that can be told apart, whatever the budget.
  Bytes Separable;
  /// Cold contexts that are hinted, and those that perhaps are.
  Bytes Perhaps;
  /// Cold contexts that are hinted for sure.
  Bytes Hinted;
};

struct ReportContext {
  context::ContextId Id;
  uint64_t FullStackId = 0;
  /// The function that owns the allocation.
  std::string Owner;
  /// Where the source has the allocation, innermost first: in the owner, or in
  /// functions that were inlined into it. Empty if it is not known.
  std::vector<ReportFrame> Place;
  Bytes Size;
  /// What a hint for it saves of the working set, where that is known.
  std::optional<Bytes> Saved;
  context::Temperature Profiled = context::Temperature::NotCold;
  context::AuditedContext Audited;
  /// Whether a hint has an effect only where a pointer leads to an allocation
  /// function.
  bool IsIfPointer = false;
  /// "hinted cold", "not cold", or the reason why a cold context got no hint.
  std::string Outcome;
  /// The not-cold context that this one cannot be told apart from, where that
  /// is the reason and one can be named.
  context::ContextId CollidesWith;
  /// What the profile adds to the summary, if it is given.
  std::optional<context::ContextMeasures> Measured;
  /// The instructions of clones that were made for it, and its part of those
  /// that were made for several contexts. Nothing if nobody asked.
  std::optional<uint64_t> CloneCost;
  /// The frames of the context, from the caller of the allocation's function
  /// towards the root.
  std::vector<ReportFrame> Frames;

  /// Whether the context counts as hinted cold, by the rule of AuditResult.
  bool hintedCold() const {
    return Profiled == context::Temperature::Cold
               ? isDecidedCold() && !IsIfPointer && !Audited.isUnsure()
               : Audited.ReachesCold;
  }
  /// Whether every way of it reaches a cold hint, if that has an effect or not.
  bool isDecidedCold() const {
    return Audited.ReachesCold && !Audited.ReachesNotCold;
  }
};

struct ReportReason {
  std::string Outcome;
  context::AuditCell Count;
};

/// How small objects that are not cold lie (thermocline/Placement/Order.h).
struct ChosenOrder {
  enum class Cause : uint8_t {
    Profile,
    Option,  ///< An option of the link.
    NoHint,  ///< None was given: cold objects would lie between the others.
    Compiler ///< Stock clang, which cannot ask for order.
  };
  bool InOrder = false;
  Cause Reason = Cause::Profile;
  /// What the profile says; nothing if it does not, or if there are several
  /// that say different things.
  std::optional<placement::OrderVerdict> Verdict;

  /// "in order of allocation, as the profile says: order touches 0.37 of the
  /// pages and 0.85 of the pairs of lines that size classes do"
  std::string text() const;
};

struct ReportModel {
  std::string DecidedBy;
  /// What was linked, for the headline; empty if nobody set it.
  std::string Output;
  context::AuditCell ColdToCold, ColdToNotCold, NotColdToCold, NotColdToNotCold;
  context::AuditCell ColdIfPointer;
  context::AuditCell ColdNotSeparable;
  uint64_t Functions = 0;
  uint64_t Allocations = 0;
  uint64_t ClonesMade = 0;
  uint64_t FunctionsCloned = 0;
  uint64_t InstructionsAdded = 0;
  /// Cold hints by kind of call ("malloc", "operator new"), in the order to
  /// print; empty if nobody set it.
  std::vector<std::pair<std::string, uint64_t>> HintsByKind;
  std::vector<std::string> Malformed;
  /// Cold contexts without a hint, by reason, bytes descending.
  std::vector<ReportReason> Reasons;
  /// Contexts of all parts, copies included, which are not listed.
  uint64_t NumContexts = 0;
  /// Each context of the profile once: what saves most first, then by bytes,
  /// then by id.
  std::vector<ReportContext> Contexts;
  /// Nothing if the modules do not tell. The model does not compute it.
  std::optional<ProfileWorkingSet> WorkingSet;
  PredictedSavings Savings;
  /// Nothing if neither modules nor options tell. The model does not compute
  /// it.
  std::optional<ChosenOrder> SmallObjects;
  /// What part of the profile is in no part of the link; nothing if no profile
  /// is given. The model does not compute it.
  std::optional<ProfileCoverage> Coverage;

  /// Bytes of cold contexts that could be told apart.
  Bytes separableColdBytes() const {
    return Bytes(ColdToCold.Size.count() + ColdToNotCold.Size.count() -
                 ColdNotSeparable.Size.count());
  }
};

/// Describes the frame \p Id.
ReportFrame describeFrame(const Sources &Part, StackId Id);

/// Describes the place of the allocation \p Id; empty if it is not known.
std::vector<ReportFrame> describePlaceOf(const Sources &Part,
                                         context::AllocationId Id);

/// A frame as reports print it: "f +1:2", or "(call 0x12)".
std::string frameText(const ReportFrame &Frame);
/// Frames of one call as reports print them: "f +1:2, inlined into g +3:4".
std::string framesText(llvm::ArrayRef<ReportFrame> Frames);

/// Builds the model of all parts of one link, in their order.
ReportModel buildModel(llvm::ArrayRef<Sources> Parts);

/// Adds to \p Model another part of the same link, decided for itself: the
/// ThinLTO part to the regular one. Its contexts are numbered after those of
/// the model, whose headline and hints stay.
void addPart(ReportModel &Model, const Sources &Part);

} // namespace thermocline::report

#endif
