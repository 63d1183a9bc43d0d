//===- Audit/Audit.h - Judges decisions without trusting them ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The audit shares no code with the engine. It matches every context to
// callsites by itself, walks it through the recorded decisions in every way in
// which the program could run it, and counts where it ends.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_AUDIT_AUDIT_H
#define THERMOCLINE_AUDIT_AUDIT_H

#include "thermocline/Context/Decisions.h"
#include "llvm/ADT/SmallBitVector.h"
#include <memory>
#include <string>

namespace thermocline::context {

struct AuditCell {
  uint64_t Contexts = 0;
  Bytes Size;

  AuditCell &operator+=(const AuditCell &Other) {
    Contexts += Other.Contexts;
    Size += Other.Size;
    return *this;
  }
};

/// Where the audit found one context to end.
struct AuditedContext {
  /// Cold if some way of running the context reaches a cold hint ...
  bool ReachesCold = false;
  /// ... and NotCold if some way reaches an allocation without one. Both may
  /// hold for a context that matches several callsites.
  bool ReachesNotCold = false;
  /// Whether all its frames match redirectable callsites between clonable
  /// functions.
  bool Separable = false;
  /// Whether some way matches callsites up to where the context ends. If none
  /// does, but another copy of the same allocation has such a way, the calls of
  /// this copy were lost to inlining.
  bool Matched = false;
  /// If it is not matched: the fewest frames that are left over where a way
  /// ends at a frame of no callsite.
  unsigned FramesLeft = 0;
  /// Some function on its way may be entered again, without a frame and in
  /// another version: the context comes to what was found only if it is not.
  bool MayEnterAgain = false;
  /// It ends at a call without a record of an inline function, which may have
  /// that inlined, and so on: the context comes to what was found only if not.
  bool MayBeInlined = false;
  /// Another copy of the allocation matches more frames of the context. Here it
  /// can have run only below a call without a record.
  bool RanElsewhere = false;
  /// The context with the same id in the profile (Context::FullStackId) that
  /// counts for this one, too; none if this one counts itself.
  ContextId CountedAs = {};

  /// Whether a cold context that reaches only cold hints may have none.
  bool isUnsure() const { return MayEnterAgain || MayBeInlined; }
};

struct AuditResult {
  /// Each context of the profile counts once, though inlining or unrolling may
  /// have copied it with its allocation. It counts as what those of its copies
  /// are that match up to where they end; if no copy does, as what all copies
  /// are.
  ///
  /// The first word says how a context was profiled, the second how it is
  /// hinted. A context profiled cold counts as hinted cold only if every way
  /// reaches the hint. A context profiled not cold counts as hinted cold as
  /// soon as any way reaches the hint.
  AuditCell ColdToCold, ColdToNotCold, NotColdToCold, NotColdToNotCold;
  /// Contexts that are ColdToCold if the pointer through which they allocate
  /// leads to an allocation function, if no tail call through a pointer entered
  /// a function on their way again, or if no call without a record inlined one.
  /// They are not in ColdToCold.
  AuditCell ColdIfPointer;
  /// The part of ColdToNotCold that no decision could have told apart, for lack
  /// of a call that the link may redirect.
  AuditCell ColdNotSeparable;
  uint64_t ClonesMade = 0;
  uint64_t FunctionsCloned = 0;
  uint64_t InstructionsAdded = 0;
  /// The result for each context. Indexed by ContextId.
  std::vector<AuditedContext> Contexts;
  /// Decisions that are not well formed: wrong number of versions, a callee
  /// version that does not exist. Empty for sound decisions.
  std::vector<std::string> Malformed;

  /// Whether no context profiled not cold is hinted cold, and nothing is
  /// malformed.
  bool isSafe() const {
    return NotColdToCold.Contexts == 0 && Malformed.empty();
  }
};

AuditResult audit(const ContextProgram &Program, const Decisions &Decided);

/// How one context runs through the decisions: the functions that it may be in,
/// and the calls between them.
struct ContextWalk {
  /// A function that the context may be in after some of its frames.
  struct Stop {
    FunctionId Function;
    /// The first frame of the context above this function.
    size_t Frame;
    /// Whether nothing is known above: the context begins here, in any version.
    bool Begins = false;
    /// Whether a call without a record may lead here, to version 0.
    bool Unrecorded = false;
    /// Whether the context is complete above, or ends at a call that is known.
    bool Alive = false;
    llvm::SmallBitVector Versions = {};
  };
  /// A call that leads from one stop to another, as indices.
  struct Step {
    size_t Below;
    CallsiteId Via;
    size_t Above;
  };
  /// The first is the function that allocates.
  std::vector<Stop> Stops;
  /// Sorted by the frame of their lower end, ascending.
  std::vector<Step> Steps;
  AuditedContext Judged;
};

/// Walks single contexts as the audit does. Used to explain decisions.
class ContextWalker {
public:
  /// Both arguments must outlive the object.
  ContextWalker(const ContextProgram &Program, const Decisions &Decided);
  ~ContextWalker();

  /// Walks \p C. \p RanElsewhere is AuditedContext::RanElsewhere of the
  /// context.
  ContextWalk walk(ContextId C, bool RanElsewhere);

private:
  class Impl;
  std::unique_ptr<Impl> Walker;
};

} // namespace thermocline::context

#endif
