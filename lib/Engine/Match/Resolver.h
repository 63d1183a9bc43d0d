//===- Match/Resolver.h - Matches contexts to callsites ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: find every chain of callsites that a context may stand for. One
// source call may be there several times, inlined and not, or duplicated, so a
// context can have exponentially many chains.
//
// Idea: put all contexts into one trie of frames, root of the stack first. What
// lies above a trie state (function, trie node) depends on nothing else, so
// each trie state is resolved once, upwards from the allocations, and all
// chains share it. Callsites of one caller and callee with the same stack ids
// can never be told apart by a context and count as one *call*.
//
// Tail calls leave no frame. Where a frame has a callsite whose callee is
// another function than the one that was reached, the frames between may be
// missing: if exactly one chain of tail calls leads from that callee to the
// function, of at most MaxTailCalls calls, it is followed.
//
// Where no callsite matches, the call has no record: native or edited code, or
// a call through a pointer. It reaches version 0 (see Unrecorded.h).
//
// Where the allocation itself was inlined, its copies list the same context. A
// copy in which it ends at a frame of no callsite, if it gets further in
// another, is not where it ran; or else by a call without a record.
//
// Almost every node of the trie has one function, so the node's number is the
// trie state's: preorder, in which what is above comes first. Only where nodes
// have several functions are trie states numbered anew.
//
// Cost: one look-up per frame of a trie state; trie states are at most frames
// times the number of ways to inline a call. 24 bytes a trie state while it is
// built, 20 after.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_MATCH_RESOLVER_H
#define THERMOCLINE_LIB_ENGINE_MATCH_RESOLVER_H

#include "Resolution.h"

namespace thermocline::context {

Resolution resolve(const ContextProgram &Program);

} // namespace thermocline::context

#endif
