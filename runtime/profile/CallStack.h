//===- profile/CallStack.h - Calling contexts ----------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: at each allocation, list the return addresses up to main, fast, in
// programs of which some parts (libc, libstdc++, assembler) keep no frame
// pointers, so that the register may hold anything.
//
// A frame is believed only if it is aligned, lies above the one before and
// within the stack that the thread runs on. Where that is not the stack that
// the thread was started with (coroutines, alternate signal stacks), each frame
// is read by a system call that fails instead of faulting. Cost: two loads a
// frame; a system call a frame on foreign stacks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_CALLSTACK_H
#define THERMOCLINE_RUNTIME_PROFILE_CALLSTACK_H

#include "Base.h"

namespace thermocline::runtime {

/// Where a function that the program called stands: made at its very beginning
/// by THERMOCLINE_CALLER.
struct Caller {
  /// Its frame: the saved frame pointer, then the return address.
  const uintptr_t *Frame;
  /// Where it returns to.
  uintptr_t ReturnAddress;
};

#define THERMOCLINE_CALLER                                                     \
  (::thermocline::runtime::Caller{                                             \
      static_cast<const uintptr_t *>(__builtin_frame_address(0)),              \
      reinterpret_cast<uintptr_t>(__builtin_return_address(0))})

/// Finds the main thread's stack. Called once, on any thread.
void initializeCallStacks();

/// How far apart the frames of a list of calls are.
struct FrameSteps {
  /// The ABI aligns frames to this much.
  static constexpr size_t UnitBytes = 16;
  /// Calls from the innermost on whose frame is at a known distance from the
  /// one before; the first one's is not used.
  size_t Count = 0;
  uint8_t *Units = nullptr;
};

/// Walks from a function that the program called outwards.
class CallWalk {
public:
  explicit CallWalk(Caller From)
      : Previous(reinterpret_cast<uintptr_t>(From.Frame)), Frame(*From.Frame),
        LastFrame(lastFrameOf(Previous)) {}

  /// On a stack that libc does not know, which is walked slowly.
  bool isForeign() const { return !LastFrame; }

  /// Where the frame of the last call lies.
  uintptr_t frame() const { return Previous; }

  /// The next call outwards, after the one that led to the function itself: the
  /// return address minus 1, which lies in the call instruction, as in LLVM's
  /// profiles. 0 at the end.
  uint64_t next() {
    if (__builtin_expect(Frame <= Previous || Frame % sizeof(uintptr_t), false))
      return 0;
    const auto *Words = reinterpret_cast<const uintptr_t *>(Frame);
    uintptr_t Foreign[2];
    if (__builtin_expect(Frame > LastFrame, false)) {
      if (LastFrame || !readForeign(Foreign, Frame))
        return 0;
      Words = Foreign;
    }
    // No code lies in the first page; beyond 47 bits it is no user address.
    if (__builtin_expect(Words[1] - PageBytes >= MaxCode, false))
      return 0;
    Previous = Frame;
    Frame = Words[0];
    return Words[1] - 1;
  }

  /// Goes on as long as calls \p Begin and following are those of \p Calls and
  /// their frames as far apart as \p Steps says. \returns the first that is
  /// not, or up to four before it; the walk stands there. On foreign stacks it
  /// stays where it is.
  size_t follow(const uint64_t *Calls, const FrameSteps &Steps, size_t Begin) {
    uintptr_t At = Previous, Saved = Frame;
    size_t I = Begin;
    for (; I + 4 <= Steps.Count; I += 4) {
      uintptr_t First = At + Steps.Units[I] * FrameSteps::UnitBytes;
      uintptr_t Second = First + Steps.Units[I + 1] * FrameSteps::UnitBytes;
      uintptr_t Third = Second + Steps.Units[I + 2] * FrameSteps::UnitBytes;
      uintptr_t Fourth = Third + Steps.Units[I + 3] * FrameSteps::UnitBytes;
      // Wherever they lead, it is a part of the stack.
      if (Fourth > LastFrame)
        break;
      auto Word = [](uintptr_t Frame, size_t Index) {
        return reinterpret_cast<const uintptr_t *>(Frame)[Index];
      };
      if (((Saved ^ First) | (Word(First, 0) ^ Second) |
           (Word(Second, 0) ^ Third) | (Word(Third, 0) ^ Fourth) |
           ((Word(First, 1) - 1) ^ Calls[I]) |
           ((Word(Second, 1) - 1) ^ Calls[I + 1]) |
           ((Word(Third, 1) - 1) ^ Calls[I + 2]) |
           ((Word(Fourth, 1) - 1) ^ Calls[I + 3])) != 0)
        break;
      At = Fourth;
      Saved = Word(Fourth, 0);
    }
    Previous = At;
    Frame = Saved;
    return I;
  }

private:
  static constexpr uintptr_t MaxCode = (uintptr_t(1) << 47) - PageBytes;
  /// The highest address that a frame can have on the stack that \p Frame lies
  /// on; 0 if it is a foreign one.
  static uintptr_t lastFrameOf(uintptr_t Frame);
  static bool readForeign(uintptr_t *Words, uintptr_t Frame);

  uintptr_t Previous;
  uintptr_t Frame;
  uintptr_t LastFrame;
};

/// Lists the calls that led to \p From, innermost first, at most \p Limit, and
/// how far apart their frames are in \p Steps, whose Units have room for as
/// many. \returns how many, at least 1.
size_t captureCalls(Caller From, uint64_t *Calls, size_t Limit,
                    FrameSteps *Steps);

/// Leaves out what recursion repeats: a sequence of at most 8 calls directly
/// after an equal one.
size_t captureFoldedCalls(Caller From, uint64_t *Calls, size_t Limit);

} // namespace thermocline::runtime

#endif
