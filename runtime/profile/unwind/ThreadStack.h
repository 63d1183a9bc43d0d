//===- unwind/ThreadStack.h - Where a thread's stack lies -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a walk up the stack may read what lies between the first frame and
// the stack's end, and nothing else, without asking the kernel. libc tells the
// bounds of a thread's stack (pthread_getattr_np), but takes the thread's lock
// for it, and allocates with that lock held: a thread whose first allocation is
// that one would wait for itself.
//
// Solution: libc keeps the bounds in the block that the thread pointer points
// to and that lies at the end of the stack itself. Where in the block is its
// own affair, so they are looked for: four words in a row, the stack's
// beginning, its size, the bytes of its guard and those of the guard as asked
// for. Only a size that leads from the beginning to right behind the block is
// one, which no other neighbours in the block are by chance. If a libc has none
// such, the stack counts as a foreign one: walks are right but slower.
//
// The main thread's stack is what the kernel made it.
//
// Cost: a look at some two hundred words, once a thread.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_UNWIND_THREADSTACK_H
#define THERMOCLINE_RUNTIME_PROFILE_UNWIND_THREADSTACK_H

#include "platform/Thread.h"

namespace thermocline::runtime {

/// Finds the main thread's stack. Called once, on any thread.
void initializeStacks();

/// The stack on which \p Frame lies: the main thread's or this one's, empty if
/// it is neither.
StackRange stackOf(uintptr_t Frame);

/// The stack of the thread whose block is at \p Block, with the guard, up to
/// the block. Empty if the block does not tell. For stackOf() and tests.
StackRange findStack(const uintptr_t *Block);

} // namespace thermocline::runtime

#endif
