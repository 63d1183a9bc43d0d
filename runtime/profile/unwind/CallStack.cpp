//===- profile/unwind/CallStack.cpp - Calling contexts by frame pointers --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallStack.h"
#include "ThreadStack.h"
#include "platform/System.h"
#include <stddef.h>
#include <ucontext.h>

using namespace thermocline::runtime;

uintptr_t StackAbove::lastFrameOf(uintptr_t Frame) {
  StackRange Range = stackOf(Frame);
  return Range.High ? Range.High - 2 * sizeof(uintptr_t) : 0;
}

bool StackAbove::readForeign(uintptr_t *Words, uintptr_t Address, size_t Size) {
  return sys::readMemory(Words, Address, Size);
}

bool StackAbove::readWord(uintptr_t Address, uintptr_t &Word) const {
  if (Address % sizeof(uintptr_t))
    return false;
  if (!LastFrame)
    return readForeign(&Word, Address, sizeof(Word));
  if (Address > LastFrame + sizeof(uintptr_t))
    return false;
  Word = *reinterpret_cast<const uintptr_t *>(Address);
  return true;
}

bool StackAbove::switchTo(uintptr_t Pointer, uintptr_t From) {
  uintptr_t NewLast = lastFrameOf(Pointer);
  // An alternate stack may be a part of the thread's.
  if (NewLast && NewLast == LastFrame && Pointer >= From)
    return false;
  uintptr_t Word;
  if (!readAnyWord(roundDown(Pointer, sizeof(Word)), Word))
    NewLast = 0;
  LastFrame = NewLast;
  return true;
}

namespace {

/// The part of a ucontext_t that holds registers. The kernel leaves it on the
/// stack for a handler to return with, from the stack pointer on.
struct SavedRegisters {
  static constexpr uintptr_t Base =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RBP * sizeof(greg_t);
  static constexpr uintptr_t Pointer =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RSP * sizeof(greg_t);
  static constexpr uintptr_t Code =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RIP * sizeof(greg_t);
};
// These offsets are part of the kernel's ABI.
static_assert(SavedRegisters::Base == 120 && SavedRegisters::Pointer == 160 &&
              SavedRegisters::Code == 168);

/// Walks outwards like FrameWalk, but looks up the unwind rule of each frame.
class RuleWalk {
public:
  RuleWalk(Caller From, UnwindRules *Rules)
      : Code(From.ReturnAddress - 1),
        Pointer(reinterpret_cast<uintptr_t>(From.Frame + 2)), Base(*From.Frame),
        Stack(reinterpret_cast<uintptr_t>(From.Frame)), Rules(Rules) {}

  /// See FrameWalk.
  uint64_t next() {
    UnwindRule Rule = Rules ? Rules->of(Code) : UnwindRule();
    if (__builtin_expect(Rule.How == UnwindRule::Kind::Signal, false))
      return stepToInterrupted();
    KeptFramePointer = Rule.How == UnwindRule::Kind::FramePointer;
    uintptr_t ReturnAddress;
    if (!(KeptFramePointer ? stepByFramePointer(ReturnAddress)
                           : stepByRule(Rule, ReturnAddress)) ||
        !mayBeCode(ReturnAddress))
      return 0;
    RedZone = 0;
    return Code = ReturnAddress - 1;
  }

  /// Continues like followFrames(), if Calls[Begin - 1] was the last call.
  size_t follow(const uint64_t *Calls, const FrameSteps &Steps, size_t Begin) {
    uintptr_t At = frame();
    size_t I = followFrames(Stack, At, Base, Calls, Steps, Begin);
    if (I != Begin) {
      Pointer = At + 2 * sizeof(uintptr_t);
      Code = Calls[I - 1];
      RedZone = 0;
    }
    return I;
  }

  /// Whether the code that the last step led out of, or could not, keeps frame
  /// pointers.
  bool keptFramePointer() const { return KeptFramePointer; }

  /// How often a step led from a signal handler to what was interrupted.
  unsigned signalFrames() const { return SignalFrames; }

  /// See FrameWalk.
  uintptr_t frame() const { return Pointer - 2 * sizeof(uintptr_t); }

private:
  uint64_t stepToInterrupted() {
    // Not to be left out at the end as the code that starts threads.
    KeptFramePointer = true;
    ++SignalFrames;
    uintptr_t NewBase, NewPointer, NewCode;
    if (!Stack.readWord(Pointer + SavedRegisters::Base, NewBase) ||
        !Stack.readWord(Pointer + SavedRegisters::Pointer, NewPointer) ||
        !Stack.readWord(Pointer + SavedRegisters::Code, NewCode) ||
        !mayBeCode(NewCode))
      return 0;
    // The walk may go from one stack to another, but not in circles.
    constexpr unsigned MaxSwitches = 16;
    if (Stack.switchTo(NewPointer, Pointer + SavedRegisters::Code) &&
        ++Switches > MaxSwitches)
      return 0;
    Base = NewBase;
    Pointer = NewPointer;
    RedZone = RedZoneBytes;
    return Code = NewCode;
  }

  bool stepByFramePointer(uintptr_t &ReturnAddress) {
    const uintptr_t *Words;
    uintptr_t Foreign[2];
    if (Base < Pointer || Base % sizeof(uintptr_t) ||
        !Stack.readFrame(Base, Words, Foreign))
      return false;
    Pointer = Base + 2 * sizeof(uintptr_t);
    Base = Words[0];
    ReturnAddress = Words[1];
    return true;
  }

  bool stepByRule(UnwindRule Rule, uintptr_t &ReturnAddress) {
    if (Rule.How == UnwindRule::Kind::Outermost)
      return false;
    uintptr_t Cfa =
        (Rule.How == UnwindRule::Kind::StackPointer ? Pointer : Base) +
        static_cast<uintptr_t>(Rule.CfaOffset);
    if (Cfa <= Pointer ||
        !Stack.readWord(Cfa - sizeof(uintptr_t), ReturnAddress))
      return false;
    if (Rule.SavesRbp) {
      uintptr_t Saved =
          Cfa - sizeof(uintptr_t) * static_cast<uintptr_t>(-Rule.RbpOffset);
      if (Saved + RedZone < Pointer || Saved >= Cfa ||
          !(Saved < Pointer ? StackAbove::readAnyWord(Saved, Base)
                            : Stack.readWord(Saved, Base)))
        return false;
    }
    Pointer = Cfa;
    return true;
  }

  /// What code may use below its stack pointer. When a function has taken the
  /// caller's register from the stack, the table says that it still is there.
  static constexpr uintptr_t RedZoneBytes = 128;

  /// State of the function to step out of: its call, and the stack pointer and
  /// the base register as they are when that returns. For a function that was
  /// interrupted, they are as they were then.
  uintptr_t Code;
  uintptr_t Pointer;
  uintptr_t Base;
  /// Bytes below the stack pointer that are in use; not 0 if the function was
  /// interrupted.
  uintptr_t RedZone = 0;
  bool KeptFramePointer = true;
  unsigned SignalFrames = 0;
  unsigned Switches = 0;
  StackAbove Stack;
  UnwindRules *Rules;
};

} // namespace

/// How many of the last \p Count calls repeat the ones before them.
static size_t repetition(const uint64_t *Calls, size_t Count) {
  constexpr size_t MaxPeriod = 8;
  for (size_t Period = 1; Period <= MaxPeriod && 2 * Period <= Count;
       ++Period) {
    size_t Same = 0;
    while (Same != Period &&
           Calls[Count - 1 - Same] == Calls[Count - 1 - Same - Period])
      ++Same;
    if (Same == Period)
      return Period;
  }
  return 0;
}

/// Adds the frame of the next call, which is at \p Bytes from the one before,
/// or 0.
static void addStep(FrameSteps &Steps, uintptr_t Bytes) {
  if (!Steps.Units)
    return;
  bool Fits = Bytes % FrameSteps::UnitBytes == 0 &&
              Bytes / FrameSteps::UnitBytes <= UINT8_MAX;
  Steps.Units[Steps.Count++] =
      static_cast<uint8_t>(Fits ? Bytes / FrameSteps::UnitBytes : 0);
}

/// How many calls lie at the end of each stack in the code that starts threads,
/// which is the program's in a static one: in clone and start_thread, or in
/// _start and __libc_start_main.
static constexpr size_t StartCalls = 2;

static bool isInProgram(const CaptureSettings &Settings, uint64_t Call) {
  return Settings.Rules && Settings.Rules->of(Call).InProgram;
}

/// How many of all \p Count calls are to be kept, if those from \p Begin on are
/// of code without frame pointers: up to the last one of the program, and one
/// more.
static size_t withProgramsCalls(const CaptureSettings &Settings,
                                const uint64_t *Calls, size_t Begin,
                                size_t Count) {
  for (size_t I = Count; I-- > Begin + StartCalls;)
    if (isInProgram(Settings, Calls[I - StartCalls]))
      return I - StartCalls + 2;
  return Begin;
}

size_t thermocline::runtime::captureCalls(Caller From,
                                          const CaptureSettings &Settings,
                                          uint64_t *Calls, StackShape &Shape) {
  size_t Count = 0;
  Calls[Count++] = From.ReturnAddress - 1;
  RuleWalk Walk(From, Settings.Rules);
  addStep(Shape.Steps, 0);
  // The list as it was with the last call of code with frame pointers and one
  // more. Whether the last step led out of such code.
  size_t KeptCount = 0;
  bool Kept = true;
  while (true) {
    if (Kept) {
      KeptCount = Count;
      Shape.LastFrame = Walk.frame();
    }
    if (Count == Settings.Limit) {
      Shape.NeedsRules |= !Kept || Walk.signalFrames();
      Shape.LastFrame = 0;
      return Count;
    }
    uintptr_t Frame = Walk.frame();
    unsigned SignalFrames = Walk.signalFrames();
    uint64_t Call = Walk.next();
    Kept = Walk.keptFramePointer();
    bool WasCalled = Walk.signalFrames() == SignalFrames;
    if (Kept && KeptCount != Count) {
      Shape.NeedsRules = true;
      KeptCount = Count;
      Shape.LastFrame = Frame;
    }
    if (!Call)
      break;
    addStep(Shape.Steps, Kept && WasCalled ? Walk.frame() - Frame : 0);
    Calls[Count++] = Call;
    if (Settings.FoldRecursion) {
      Count -= repetition(Calls, Count);
      KeptCount = KeptCount < Count ? KeptCount : Count;
    }
  }
  // Behind a signal frame the stack need not end where it always does.
  if (Kept || Walk.signalFrames())
    Shape.LastFrame = 0;
  Shape.NeedsRules |=
      Settings.FoldRecursion || Settings.KeepAll || Walk.signalFrames();
  if (Settings.KeepAll)
    return Count;
  size_t Wanted = withProgramsCalls(Settings, Calls, KeptCount, Count);
  if (Wanted != KeptCount) {
    Shape.NeedsRules = true;
    Shape.LastFrame = 0;
  }
  return Wanted;
}

bool thermocline::runtime::isStackOf(Caller From,
                                     const CaptureSettings &Settings,
                                     const uint64_t *Calls, size_t Count,
                                     const FrameSteps &Steps,
                                     uintptr_t LastFrame) {
  if (Calls[0] != From.ReturnAddress - 1)
    return false;
  RuleWalk Walk(From, Settings.Rules);
  for (size_t I = 1; I != Count;) {
    size_t Reached = Walk.follow(Calls, Steps, I);
    if (Reached == I) {
      if (Walk.next() != Calls[I])
        return false;
      ++Reached;
    }
    I = Reached;
  }
  if (Count == Settings.Limit || (LastFrame && Walk.frame() == LastFrame))
    return true;
  // What follows must be what captureCalls() leaves out.
  // Not if one of the program comes before the last StartCalls.
  bool MayEnd[StartCalls] = {true, true};
  for (size_t Known = Count; Known != Settings.Limit; ++Known) {
    uint64_t Call = Walk.next();
    if (Walk.keptFramePointer())
      return Known == Count && !Call;
    if (!Call)
      return true;
    if (!MayEnd[Known % StartCalls])
      return false;
    MayEnd[Known % StartCalls] = !isInProgram(Settings, Call);
  }
  return false;
}
