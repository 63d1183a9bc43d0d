//===- Engine/Match/Unrecorded.h - Calls without a record -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a context ends at a frame of no callsite. The call is in native
// code, in a function that was edited since the profile, in a module without
// it, or goes through a pointer. Which versions does what is below run in?
//
// A call without a record is compiled as it is: it reaches version 0, in every
// version of its caller. So the function that was matched last, F, is entered
// in version 0. Two things may come between:
//
// * Tail calls. The call may be of another function that leads to F by tail
//   calls, which leave no frame. That one is entered in version 0, and F in the
//   version that its tail calls reach. Or the call is one of these tail calls:
//   it left a frame when the program was profiled, because it is not marked
//   musttail or was inlined, and an edit took its record. Beside a call that is
//   marked, which gives the others their versions, F is then entered in what it
//   reaches from any version of its caller.
// * Inlining. Where F was inlined into an edited function, its calls have lost
//   their records with it, so that the next function below is entered in
//   version 0. So may be the one below that. Contexts that are not cold are
//   bound in all these ways. A cold one is bound in the first alone: elsewhere
//   it goes without its hint, which harms nothing, and to bind it would cost
//   all others theirs.
//
// Below such a frame, and below several chains of tail calls, above which it
// may be, contexts that are not cold therefore have trie states of their own.
// All trie states of one function that are entered so are one. What is above
// them does not matter any more, so that contexts which differ there alone
// share all trie states below.
//
// A call through a pointer that is compared with its callee may have led there
// by another function, whose frame is missing: native code, a library, one that
// the linker folded with the callee. That is a call without a record as well.
// So it is where the callee may be entered again by tail calls through
// pointers. So contexts that are not cold are bound in both ways, and have trie
// states of their own below such a call. A cold one is bound in the first
// alone: targets are compared only where the profile vouches for them, and
// reports set what may be entered again apart.
//
// What resumes a coroutine that is still one function leads to the version that
// made it. All versions of it are bound.
//
// A call that has a record is taken to have left its frame, unless it is known
// that it may not. Where the profile
// lacks frames in spite of that, and the caller has no record, nothing tells.
//
// Cost: linear in the trie states and edges, if any context ends so; else
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_MATCH_UNRECORDED_H
#define THERMOCLINE_LIB_ENGINE_MATCH_UNRECORDED_H

#include "Resolution.h"
#include "llvm/ADT/DenseSet.h"

namespace thermocline::context {

struct UnrecordedEnds {
  /// The trie states that are entered by a call without a record.
  llvm::ArrayRef<TrieStateId> Entered;
  /// This is indexed by trie state, unless it is empty. It says how many frames
  /// are left if all ways end at a frame of no callsite; otherwise it is 0.
  llvm::ArrayRef<uint32_t> FramesLeft;
  /// Whether trie states end at several chains of tail calls.
  bool Ambiguous;
};

/// What leads on from a function without a frame.
struct CallsWithoutFrame {
  /// Calls that may be redirected, without a cycle.
  llvm::ArrayRef<CallId> Calls;
  /// What others lead to, in versions that contexts with their frames decide.
  const llvm::DenseSet<FunctionId> &CycleCallees;
};

/// Rebuilds the trie states of \p Result.
void bindUnrecorded(const ContextProgram &Program,
                    const CallsWithoutFrame &TailCalls,
                    const UnrecordedEnds &Ends, Resolution &Result);

} // namespace thermocline::context

#endif
