//===- Annotate/Annotator.h - Annotates one module --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the calls of a module, asks the StackMatcher for each and has the
// MetadataBuilder write what it found.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_ANNOTATOR_H
#define THERMOCLINE_ANNOTATE_ANNOTATOR_H

#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Annotate/BinaryShares.h"
#include "thermocline/Annotate/CallTargets.h"
#include "thermocline/Annotate/Edits/EditedSource.h"
#include "thermocline/Annotate/InlinedStack.h"
#include "thermocline/Annotate/Metadata/Basis.h"
#include "thermocline/Annotate/Metadata/EditNotes.h"
#include "thermocline/Annotate/MetadataBuilder.h"
#include "thermocline/Annotate/Options.h"
#include "thermocline/Annotate/StackMatcher.h"
#include "thermocline/Annotate/Statistics.h"
#include <set>
#include <vector>

namespace thermocline::annotate {

class Annotator {
public:
  /// The remark emitter of a function with a body.
  using RemarksOf =
      std::function<llvm::OptimizationRemarkEmitter &(llvm::Function &)>;

  /// Returns the thresholds and the profile by which contexts were classified.
  /// This reads the whole profile, so it is called only if there are contexts.
  using BasisOf = std::function<llvm::Expected<Basis>()>;

  /// \p M and \p Options must outlive the annotator. \p Source classifies
  /// contexts by the thresholds that \p ClassifiedBy returns. \p RegularLTO
  /// tells whether that may link the module.
  Annotator(llvm::Module &M, ProfileSource Source,
            const AnnotateOptions &Options, bool RegularLTO,
            BasisOf ClassifiedBy, RemarksOf Remarks);

  /// Annotates every call of the module. May be called once. Returns an error
  /// if the profile cannot be read; some calls may be annotated by then.
  llvm::Error run();

  /// Compares the source, whose calls are \p Now, with that of the profile,
  /// whose calls are \p Then. To be called before run(), if at all: otherwise
  /// the source is taken for what it was.
  llvm::Error compareSource(const callsites::ModuleCalls &Now,
                            const profile::CallTable &Then);

  const AnnotateStats &stats() const { return Stats; }
  /// Lets run() collect the cold contexts that it attaches.
  void noteCold() { NotesCold = true; }
  const ColdContexts &coldContexts() const { return Cold; }
  /// Says that the profile lacks contexts, which may be of any allocation, so
  /// that no allocation's are all. Nothing may be packed then.
  void noteOmitted() { OmitsContexts = true; }
  const InlinedStackReader &stackReader() const { return Stacks; }

private:
  llvm::Error annotate(llvm::CallBase &Call);
  /// Counts profiled functions with statements that are not known.
  llvm::Error countUnread(const callsites::ModuleCalls &Now,
                          const profile::CallTable &Then);
  class FunctionKeys;
  llvm::Error comparePlaces(const callsites::ModuleCalls &Now,
                            const profile::CallTable &Then,
                            const FunctionKeys &Keys);
  llvm::Error noteEntered(const callsites::ModuleCalls &Now,
                          const FunctionKeys &Keys);
  /// What calls through pointers may lead to that the program did not have.
  std::vector<llvm::GlobalValue::GUID> enteredThroughPointers();
  /// The frames that the profile has for those of \p Call, as far as they are
  /// not stale.
  InlinedStack stackThen(const InlinedStack &Now);
  /// As annotateAllocation, of a call that was in the function's callers.
  llvm::Expected<bool> annotateWrapped(llvm::CallBase &Call,
                                       const SourceFrame &Frame);
  /// Attaches contexts to \p Call if it has any; tells whether it has.
  llvm::Expected<bool> annotateAllocation(llvm::CallBase &Call,
                                          const InlinedStack &Stack);
  /// Remembers \p Callee, an allocation function without a cold variant, if the
  /// profile has allocations of the call.
  llvm::Error noteUnknownFamily(const llvm::Function &Callee,
                                const InlinedStack &Stack);
  /// As annotateAllocation, of an indirect call that may be of an allocation
  /// function.
  llvm::Expected<bool> annotatePointerToAllocation(llvm::CallBase &Call,
                                                   const InlinedStack &Stack);
  /// \p Calls is what \p Call is of.
  void attachContexts(llvm::CallBase &Call, const AllocationMatch &Match,
                      CalledAllocator Calls);
  /// Counts a call in a function that is not optimized, and does not annotate
  /// it.
  llvm::Error passOver(llvm::CallBase &Call, const InlinedStack &Stack,
                       bool IsAllocation);
  llvm::Error annotateCallsite(llvm::CallBase &Call, const InlinedStack &Stack);
  /// Writes the thresholds of the classification where the link will see them.
  llvm::Error attachBasis();
  /// Names the profile to the link if the source lacks calls that it has, or if
  /// no contexts name it.
  llvm::Error noteProfile();
  /// Whether an edit took from a function of the module what \p Profile has.
  bool isOutdated(const FunctionProfile &Profile) const;
  bool isMixed(const FunctionProfile &Profile,
               const PlaceInFunction &Place) const;
  void countNotHintable(AllocationVerdict Verdict);
  llvm::Error reportMismatches();
  /// Says in a remark how \p Profile does not match \p F, if it does not.
  void reportMismatch(llvm::Function &F, const FunctionProfile &Profile);
  void countContexts();

  llvm::Module &M;
  const AnnotateOptions &Options;
  const bool RegularLTO;
  BasisOf ClassifiedBy;
  RemarksOf Remarks;
  InlinedStackReader Stacks;
  EditedSource Edits;
  /// Whether stackThen() moved a frame of the call that is looked at.
  bool IsSalvaged = false;
  EditNotes Notes;
  /// Owns the stacks of contexts that annotateWrapped made.
  llvm::BumpPtrAllocator MadeStacks;
  StackMatcher Matcher;
  MetadataBuilder Builder;
  CallTargets Targets;
  AnnotateStats Stats;
  bool NotesCold = false;
  bool OmitsContexts = false;
  ColdContexts Cold;
  /// The first allocation of each function whose contexts Thermocline wrote as
  /// metadata, in the order of the module.
  std::vector<llvm::CallBase *> WithContexts;
};

} // namespace thermocline::annotate

#endif
