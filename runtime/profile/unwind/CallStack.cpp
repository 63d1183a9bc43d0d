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

bool StackAbove::switchTo(uintptr_t Pointer, uintptr_t Current) {
  uintptr_t NewLast = lastFrameOf(Pointer);
  // An alternate stack may be a part of the thread's.
  if (NewLast && NewLast == LastFrame && Pointer >= Current)
    return false;
  uintptr_t Word;
  if (!readAnyWord(roundDown(Pointer, sizeof(Word)), Word))
    NewLast = 0;
  LastFrame = NewLast;
  return true;
}

namespace {

using arch::SavedRegisters;

constexpr uintptr_t RecordBytes = 2 * sizeof(uintptr_t);

/// The link as it was when a signal came, for code that has not saved it. All
/// other code was left by a call, which changed it.
template <typename Registers, bool CallPushesReturn> class InterruptedLink {
public:
  void clear() { Link = 0; }
  /// Reads it where the kernel put registers. \returns false if it cannot.
  bool read(const StackAbove &Stack, uintptr_t Address) {
    return Stack.readWord(Address + Registers::Link, Link);
  }
  /// 0 if it is not known.
  uintptr_t returnAddress() const { return arch::returnAddress(Link); }

private:
  uintptr_t Link = 0;
};

/// Where calls push the return address, there is none.
template <typename Registers> class InterruptedLink<Registers, true> {
public:
  void clear() {}
  bool read(const StackAbove &, uintptr_t) { return true; }
  uintptr_t returnAddress() const { return 0; }
};

/// The frame that a walk has reached, where it has to be known apart from its
/// record.
template <bool CallPushesReturn> class FramePlace {
public:
  /// The stack pointer when the function returns; a lower bound unless it is
  /// exact.
  uintptr_t Pointer = 0;
  uintptr_t record() const { return Record; }
  bool isExact() const { return Exact; }

  /// The frame with the record \p NewRecord, which goes on \p Bytes from there;
  /// 0 if that is not known.
  void setByRecord(uintptr_t NewRecord, uintptr_t Bytes) {
    Record = NewRecord;
    Exact = Bytes;
    Pointer = NewRecord + (Bytes ? Bytes : RecordBytes);
  }
  /// The frame that ends at \p Cfa, with the return address at \p Return.
  void setByRule(uintptr_t Cfa, uintptr_t Return) {
    Record = Return - sizeof(uintptr_t);
    Pointer = Cfa;
  }
  /// What was interrupted with \p StackPointer, which has no frame yet.
  void setInterrupted(uintptr_t StackPointer) {
    Record = StackPointer - RecordBytes;
    Pointer = StackPointer;
    Exact = true;
  }

private:
  uintptr_t Record = 0;
  bool Exact = true;
};

/// If a call pushes the return address, the frame ends with its record.
template <> class FramePlace<true> {
public:
  uintptr_t Pointer = 0;
  uintptr_t record() const { return Pointer - RecordBytes; }
  static bool isExact() { return true; }
  void setByRecord(uintptr_t NewRecord, uintptr_t) {
    Pointer = NewRecord + RecordBytes;
  }
  void setByRule(uintptr_t Cfa, uintptr_t) { Pointer = Cfa; }
  void setInterrupted(uintptr_t StackPointer) { Pointer = StackPointer; }
};

/// Walks outwards like FrameWalk, but looks up the unwind rule of each frame.
class RuleWalk {
public:
  RuleWalk(Caller Site, UnwindRules *Rules)
      : Code(Site.ReturnAddress - 1), Base(*Site.Frame),
        Stack(reinterpret_cast<uintptr_t>(Site.Frame)), Rules(Rules) {
    Place.setByRecord(reinterpret_cast<uintptr_t>(Site.Frame),
                      frameBytes(Site.ownCode()));
  }

  /// See FrameWalk.
  uint64_t next() {
    UnwindRule Rule = Rules ? Rules->of(Code) : UnwindRule();
    if (__builtin_expect(Rule.How == UnwindRule::Kind::Signal, false))
      return stepToInterrupted();
    if (!arch::CallPushesReturn)
      Rule = withoutTable(Rule);
    KeptFramePointer = Rule.How == UnwindRule::Kind::FramePointer;
    uintptr_t ReturnAddress;
    if (!(KeptFramePointer ? stepByFramePointer(Rule, ReturnAddress)
                           : stepByRule(Rule, ReturnAddress)) ||
        !mayBeCode(ReturnAddress))
      return 0;
    RedZone = 0;
    Link.clear();
    return Code = ReturnAddress - 1;
  }

  /// Continues like followFrames(), if Calls[Begin - 1] was the last call.
  size_t follow(const uint64_t *Calls, const FrameSteps &Steps, size_t Begin) {
    uintptr_t Position = frame();
    size_t I = followFrames(Stack, Position, Base, Calls, Steps, Begin);
    if (I != Begin) {
      // The record is that of the function which the call before called from.
      Place.setByRecord(Position, frameBytes(I > 1 ? Calls[I - 2] : 0));
      Code = Calls[I - 1];
      RedZone = 0;
      Link.clear();
    }
    return I;
  }

  /// Whether the code that the last step led out of, or could not, keeps frame
  /// pointers.
  bool keptFramePointer() const { return KeptFramePointer; }

  /// How often a step led from a signal handler to what was interrupted.
  unsigned signalFrames() const { return SignalFrames; }

  /// See FrameWalk.
  uintptr_t frame() const { return Place.record(); }

private:
  /// How far the frame of the code at \p Address, which has a record, goes
  /// beyond the beginning of that; 0 if it is not known.
  uintptr_t frameBytes(uintptr_t Address) const {
    if (arch::CallPushesReturn || !Rules || !Address)
      return 0;
    const UnwindRule Rule = Rules->of(Address);
    if (Rule.How == UnwindRule::Kind::FramePointer)
      return static_cast<uintptr_t>(Rule.CfaOffset);
    // The record may be where the stack pointer does not lead to.
    const bool HasRecord = Rule.SavesBase && Rule.SavesReturn &&
                           Rule.ReturnDistance == 1 && Rule.SavedOffset < 0;
    return HasRecord
               ? sizeof(uintptr_t) * static_cast<uintptr_t>(-Rule.SavedOffset)
               : 0;
  }

  /// Replaces a rule that is not known, or that counts from a stack pointer
  /// which is not.
  UnwindRule withoutTable(UnwindRule Rule) const {
    const bool IsUnknown =
        Rule.How == UnwindRule::Kind::FramePointer && !Rule.CfaOffset;
    // Stubs and the like have no frame yet.
    if (IsUnknown && Link.returnAddress()) {
      Rule.How = UnwindRule::Kind::StackPointer;
    } else if (Rule.How == UnwindRule::Kind::StackPointer && !Place.isExact()) {
      Rule.How = UnwindRule::Kind::FramePointer;
      Rule.CfaOffset = 0;
    }
    return Rule;
  }

  uint64_t stepToInterrupted() {
    // Not to be left out at the end as the code that starts threads.
    KeptFramePointer = true;
    ++SignalFrames;
    const uintptr_t Registers = Place.Pointer;
    uintptr_t NewBase, NewPointer, NewCode;
    if (!Place.isExact() ||
        !Stack.readWord(Registers + SavedRegisters::Base, NewBase) ||
        !Stack.readWord(Registers + SavedRegisters::Pointer, NewPointer) ||
        !Stack.readWord(Registers + SavedRegisters::Code, NewCode) ||
        !Link.read(Stack, Registers) || !mayBeCode(NewCode))
      return 0;
    // The walk may go from one stack to another, but not in circles.
    constexpr unsigned MaxSwitches = 16;
    if (Stack.switchTo(NewPointer, Registers + SavedRegisters::Code) &&
        ++Switches > MaxSwitches)
      return 0;
    Base = NewBase;
    Place.setInterrupted(NewPointer);
    RedZone = arch::RedZoneBytes;
    return Code = NewCode;
  }

  bool stepByFramePointer(UnwindRule Rule, uintptr_t &ReturnAddress) {
    const uintptr_t *Words;
    uintptr_t Foreign[2];
    const uintptr_t Record = recordOf(Base);
    if (Record < Place.Pointer || Record % sizeof(uintptr_t) ||
        !Stack.readFrame(Record, Words, Foreign))
      return false;
    Place.setByRecord(Record, static_cast<uintptr_t>(Rule.CfaOffset));
    Base = Words[0];
    ReturnAddress = arch::returnAddress(Words[1]);
    return true;
  }

  bool stepByRule(UnwindRule Rule, uintptr_t &ReturnAddress) {
    if (Rule.How == UnwindRule::Kind::Outermost)
      return false;
    uintptr_t Cfa =
        (Rule.How == UnwindRule::Kind::StackPointer ? Place.Pointer : Base) +
        static_cast<uintptr_t>(Rule.CfaOffset);
    uintptr_t Return = Cfa - sizeof(uintptr_t);
    if (arch::CallPushesReturn) {
      if (Cfa <= Place.Pointer || !Stack.readWord(Return, ReturnAddress))
        return false;
    } else if (Rule.SavesReturn) {
      Return = below(Cfa, Rule.SavedOffset + Rule.ReturnDistance);
      if (Return < Place.Pointer || Return >= Cfa ||
          !Stack.readWord(Return, ReturnAddress))
        return false;
      ReturnAddress = arch::returnAddress(ReturnAddress);
    } else {
      ReturnAddress = Link.returnAddress();
      if (!ReturnAddress || Cfa < Place.Pointer)
        return false;
    }
    if (Rule.SavesBase) {
      uintptr_t Saved = below(Cfa, Rule.SavedOffset);
      if (Saved + RedZone < Place.Pointer || Saved >= Cfa ||
          !(Saved < Place.Pointer ? StackAbove::readAnyWord(Saved, Base)
                                  : Stack.readWord(Saved, Base)))
        return false;
    }
    Place.setByRule(Cfa, Return);
    return true;
  }

  /// The address at \p Offset, which is negative, from \p Cfa.
  static uintptr_t below(uintptr_t Cfa, int Offset) {
    return Cfa - sizeof(uintptr_t) * static_cast<uintptr_t>(-Offset);
  }

  /// State of the function to step out of: its call, and the stack pointer and
  /// the base register as they are when that returns. For a function that was
  /// interrupted, they are as they were then.
  uintptr_t Code;
  FramePlace<arch::CallPushesReturn> Place;
  uintptr_t Base;
  /// Bytes below the stack pointer that are in use; not 0 if the function was
  /// interrupted.
  uintptr_t RedZone = 0;
  InterruptedLink<SavedRegisters, arch::CallPushesReturn> Link;
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

size_t thermocline::runtime::captureCalls(Caller Site,
                                          const CaptureSettings &Settings,
                                          uint64_t *Calls, StackShape &Shape) {
  size_t Count = 0;
  Calls[Count++] = Site.ReturnAddress - 1;
  RuleWalk Walk(Site, Settings.Rules);
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

bool thermocline::runtime::isStackOf(Caller Site,
                                     const CaptureSettings &Settings,
                                     const uint64_t *Calls, size_t Count,
                                     const FrameSteps &Steps,
                                     uintptr_t LastFrame) {
  if (Calls[0] != Site.ReturnAddress - 1)
    return false;
  RuleWalk Walk(Site, Settings.Rules);
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
