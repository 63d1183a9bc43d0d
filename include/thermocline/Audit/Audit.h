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

/// Where one context ended.
struct AuditedContext {
  /// Cold if some way of running the context reaches a cold hint ...
  bool ReachesCold = false;
  /// ... and NotCold if some way reaches an allocation without one. Both may
  /// hold for a context that matches several callsites.
  bool ReachesNotCold = false;
  /// Whether all its frames match redirectable callsites between clonable
  /// functions.
  bool Separable = false;
  /// Whether some way matches callsites up to where the context ends. A context
  /// that does not has lost its calls to inlining, if another copy of the same
  /// allocation has them.
  bool Matched = false;
  /// If not, the fewest frames that are left where a way ends at a frame of no
  /// callsite.
  unsigned FramesLeft = 0;
  /// Another copy of the allocation matches more of its frames: here it ran, if
  /// at all, below a call without a record.
  bool RanElsewhere = false;
  /// The context of the same id in the profile (Context::FullStackId) that
  /// counts for this one too; none if this one counts.
  ContextId CountedAs = {};
};

struct AuditResult {
  /// Each context of the profile counts once, though inlining or unrolling may
  /// have made several of it, with its allocation: it is what all of those are
  /// that match up to where they end, or, if none does, all of them.
  ///
  /// First word: profiled; second: hinted. A context counts as hinted cold only
  /// if no way reaches an allocation without the hint when it is profiled cold,
  /// and as soon as any way reaches one with it when it is profiled not-cold.
  AuditCell ColdToCold, ColdToNotCold, NotColdToCold, NotColdToNotCold;
  /// Of ColdToNotCold, those that no decision could have told apart for lack of
  /// a call that the link may redirect.
  AuditCell ColdNotSeparable;
  uint64_t ClonesMade = 0;
  uint64_t FunctionsCloned = 0;
  uint64_t InstructionsAdded = 0;
  /// By ContextId.
  std::vector<AuditedContext> Contexts;
  /// Decisions that are not well formed: wrong number of versions, a callee
  /// version that does not exist. Empty for sound decisions.
  std::vector<std::string> Malformed;

  /// No context profiled not-cold is hinted cold, and nothing is malformed.
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
    /// The context's first frame above.
    size_t Frame;
    /// Nothing is known above: the context begins here, in any version.
    bool Begins = false;
    /// A call without a record may lead here, in version 0.
    bool Unrecorded = false;
    /// The context is complete above, or ends at a call that is known.
    bool Alive = false;
    llvm::SmallBitVector Versions = {};
  };
  /// Indices of stops, and the call that leads from one to the other.
  struct Step {
    size_t Below;
    CallsiteId Via;
    size_t Above;
  };
  /// The first is the function that allocates.
  std::vector<Stop> Stops;
  /// By rising frame of their lower end.
  std::vector<Step> Steps;
  AuditedContext Judged;
};

/// Walks single contexts as the audit does, for those who explain it.
class ContextWalker {
public:
  /// Both must outlive it.
  ContextWalker(const ContextProgram &Program, const Decisions &Decided);
  ~ContextWalker();

  /// \p RanElsewhere as AuditedContext says.
  ContextWalk walk(ContextId C, bool RanElsewhere);

private:
  class Impl;
  std::unique_ptr<Impl> Walker;
};

} // namespace thermocline::context

#endif
