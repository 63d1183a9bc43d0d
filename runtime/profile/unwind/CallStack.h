//===- profile/unwind/CallStack.h - Calling contexts ------------*- C++ -*-===//
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
// Solution: frame pointers where code keeps them, the rules of UnwindRules.h
// where it does not. Asking for the rule of each frame costs some nanoseconds,
// so that is done for stacks which were not seen before; whether a stack is one
// that was seen is checked by frame pointers alone, if no code without them was
// in its midst: captureCalls() says so, and of what to be sure then.
//
// The code that starts programs and threads, at the end of each stack, is left
// out but for one call. It keeps no frame pointers, and frame pointers alone
// end there. But the program's own code may not keep them either (objects of
// other compilers, assembler): that stays, out to its last call and one more.
//
// Behind a signal handler follows the code that the signal interrupted, at any
// instruction: before it has set up its frame, or without any. The kernel has
// saved its registers, and its rule is asked for at that instruction. Frame
// pointers alone would miss its caller, or it.
//
// A frame is believed only if it is aligned, lies above the one before and
// within the stack that the thread runs on. Where that is not the stack that
// the thread was started with (coroutines, alternate signal stacks), each word
// is read by a system call that fails instead of faulting. Only what a signal
// interrupted may be on another stack; if that is the thread's own, the memory
// at its stack pointer is asked for first, as what overflowed its stack may
// point below it.
//
// Cost: two loads a frame by frame pointers, a look-up more by rules; a system
// call a word on foreign stacks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_UNWIND_CALLSTACK_H
#define THERMOCLINE_RUNTIME_PROFILE_UNWIND_CALLSTACK_H

#include "UnwindRules.h"
#include "arch/AddressSpace.h"
#include "arch/Frames.h"

namespace thermocline::runtime {

using arch::Caller;

/// How far apart the frames of a list of calls are.
struct FrameSteps {
  /// The ABI aligns frames to this much.
  static constexpr size_t UnitBytes = 16;
  size_t Count = 0;
  /// For each call, how far its frame is from the one before. 0 if that is
  /// unknown, as for the first one, or if frame pointers do not lead there.
  uint8_t *Units = nullptr;
  /// Some but the first one's are 0. Known of those that a context has.
  bool HasUnknown = false;
};

/// The part of the stack above a frame.
class StackAbove {
public:
  /// The stack that \p Frame is on.
  explicit StackAbove(uintptr_t Frame) : LastFrame(lastFrameOf(Frame)) {}

  /// Reads what a frame pointer points to: the caller's, and where to return.
  bool readFrame(uintptr_t Frame, const uintptr_t *&Words,
                 uintptr_t (&Buffer)[2]) const {
    Words = reinterpret_cast<const uintptr_t *>(Frame);
    if (__builtin_expect(Frame <= LastFrame, true))
      return true;
    Words = Buffer;
    return !LastFrame && readForeign(Buffer, Frame, sizeof(Buffer));
  }
  /// Whether all frames up to \p Frame can be read without asking.
  bool holds(uintptr_t Frame) const { return Frame <= LastFrame; }
  /// Reads the word at \p Address.
  bool readWord(uintptr_t Address, uintptr_t &Word) const;
  /// Reads a word if nothing is known of \p Address.
  static bool readAnyWord(uintptr_t Address, uintptr_t &Word) {
    return readForeign(&Word, Address, sizeof(Word));
  }
  /// Goes over from \p Current to the stack of code that was interrupted, whose
  /// stack pointer is \p Pointer. \returns false if that is further up the same
  /// stack.
  bool switchTo(uintptr_t Pointer, uintptr_t Current);

private:
  static uintptr_t lastFrameOf(uintptr_t Frame);
  static bool readForeign(uintptr_t *Words, uintptr_t Address, size_t Size);

  /// The highest address that a frame can have; 0 if the stack is a foreign
  /// one.
  uintptr_t LastFrame;
};

/// Whether code can lie at \p Address: none lies in the first page, nor where
/// programs have no addresses.
inline bool mayBeCode(uintptr_t Address) {
  return Address - LeastPageBytes <
         (uintptr_t(1) << arch::UserBits) - LeastPageBytes;
}

/// The frame record of code with this value in the base register.
inline uintptr_t recordOf(uintptr_t Base) {
  return Base + static_cast<uintptr_t>(arch::RecordOffset);
}

/// Goes on from the frame \p Position, in which \p Saved is, as long as calls
/// \p Begin and following are those of \p Calls and their frames as far apart
/// as
/// \p Steps says. \returns the first that is not, or up to four before it; \p
/// Position and \p Saved are then the last frame's. On foreign stacks nothing
/// is followed.
inline size_t followFrames(const StackAbove &Stack, uintptr_t &Position,
                           uintptr_t &Saved, const uint64_t *Calls,
                           const FrameSteps &Steps, size_t Begin) {
  uintptr_t LastPosition = Position, LastSaved = Saved;
  size_t I = Begin;
  for (; I + 4 <= Steps.Count; I += 4) {
    if (Steps.HasUnknown) {
      uint32_t Units;
      __builtin_memcpy(&Units, Steps.Units + I, sizeof(Units));
      // Is one of the bytes 0?
      if ((Units - 0x01010101u) & ~Units & 0x80808080u)
        break;
    }
    uintptr_t First = LastPosition + Steps.Units[I] * FrameSteps::UnitBytes;
    uintptr_t Second = First + Steps.Units[I + 1] * FrameSteps::UnitBytes;
    uintptr_t Third = Second + Steps.Units[I + 2] * FrameSteps::UnitBytes;
    uintptr_t Fourth = Third + Steps.Units[I + 3] * FrameSteps::UnitBytes;
    // Wherever they lead, it is a part of the stack.
    if (!Stack.holds(Fourth))
      break;
    auto Word = [](uintptr_t Frame, size_t Index) {
      return reinterpret_cast<const uintptr_t *>(Frame)[Index];
    };
    auto Call = [&](uintptr_t Frame) {
      return arch::returnAddress(Word(Frame, 1)) - 1;
    };
    if (((recordOf(LastSaved) ^ First) | (recordOf(Word(First, 0)) ^ Second) |
         (recordOf(Word(Second, 0)) ^ Third) |
         (recordOf(Word(Third, 0)) ^ Fourth) | (Call(First) ^ Calls[I]) |
         (Call(Second) ^ Calls[I + 1]) | (Call(Third) ^ Calls[I + 2]) |
         (Call(Fourth) ^ Calls[I + 3])) != 0)
      break;
    LastPosition = Fourth;
    LastSaved = Word(Fourth, 0);
  }
  Position = LastPosition;
  Saved = LastSaved;
  return I;
}

/// Walks outwards by frame pointers alone from a function that the program
/// called.
class FrameWalk {
public:
  explicit FrameWalk(Caller Site)
      : Previous(reinterpret_cast<uintptr_t>(Site.Frame)), Next(*Site.Frame),
        Stack(Previous) {}

  /// The next call outwards, after the one that led to the function itself: the
  /// return address minus 1, which lies in the call instruction, as in LLVM's
  /// profiles. 0 at the end.
  uint64_t next() {
    const uintptr_t Record = recordOf(Next);
    if (__builtin_expect(Record <= Previous || Record % sizeof(uintptr_t),
                         false))
      return 0;
    const uintptr_t *Words;
    uintptr_t Foreign[2];
    if (__builtin_expect(!Stack.readFrame(Record, Words, Foreign), false))
      return 0;
    uintptr_t ReturnAddress = arch::returnAddress(Words[1]);
    if (__builtin_expect(!mayBeCode(ReturnAddress), false))
      return 0;
    Previous = Record;
    Next = Words[0];
    return ReturnAddress - 1;
  }

  /// Goes on as followFrames() does.
  size_t follow(const uint64_t *Calls, const FrameSteps &Steps, size_t Begin) {
    return followFrames(Stack, Previous, Next, Calls, Steps, Begin);
  }

  /// The frame that holds the return address of the call found last.
  uintptr_t frame() const { return Previous; }

private:
  uintptr_t Previous;
  uintptr_t Next;
  StackAbove Stack;
};

/// What kind of code a list of calls is from, for FrameWalk to recognize it.
struct StackShape {
  /// Code without frame pointers has called code that has them, or the
  /// allocation function: frame pointers alone do not prove the list.
  bool NeedsRules = false;
  /// The last call is in the code that starts programs and threads, which keeps
  /// no frame pointers, and its return address is in this frame: so that is
  /// where this thread's stack always ends. If 0, frame pointers end there.
  uintptr_t LastFrame = 0;
  /// Filled if it has Units, with room for as many as there may be calls.
  FrameSteps Steps;
};

/// How stacks are walked; from the runtime's options.
struct CaptureSettings {
  /// Calls that are kept, at least 1.
  size_t Limit = 256;
  /// Leaves out what recursion repeats: a sequence of at most 8 calls directly
  /// after an equal one.
  bool FoldRecursion = false;
  /// If null, everything is believed to keep frame pointers.
  UnwindRules *Rules = nullptr;
  /// Keeps the calls of the code that starts programs and threads, of which
  /// there is otherwise one.
  bool KeepAll = false;
};

/// Lists the calls that led to \p Site, innermost first. Behind the "call" by
/// which a signal handler returns, that is the address of the instruction
/// before which the signal came. \returns how many, at least 1.
size_t captureCalls(Caller Site, const CaptureSettings &Settings,
                    uint64_t *Calls, StackShape &Shape);

/// Whether captureCalls() would list exactly these \p Count calls, as it did
/// when it made \p Steps. \p LastFrame is where this thread's stack always ends
/// if these calls do, or 0. Not for folded lists, nor where all is kept.
bool isStackOf(Caller Site, const CaptureSettings &Settings,
               const uint64_t *Calls, size_t Count, const FrameSteps &Steps,
               uintptr_t LastFrame);

} // namespace thermocline::runtime

#endif
