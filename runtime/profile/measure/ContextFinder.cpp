//===- profile/measure/ContextFinder.cpp - The context of a stack ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextFinder.h"
#include "platform/Thread.h"

using namespace thermocline::runtime;

/// Lists, hashes and looks up the calls.
__attribute__((noinline)) ContextGuesses::Guess
ContextFinder::capture(Caller Site) {
  auto *Calls =
      static_cast<uint64_t *>(__builtin_alloca(Use.Limit * sizeof(uint64_t)));
  StackShape Shape;
  if (!Use.FoldRecursion)
    Shape.Steps.Units = static_cast<uint8_t *>(__builtin_alloca(Use.Limit));
  size_t Count = captureCalls(Site, Use, Calls, Shape);
  if (Shape.LastFrame)
    thisThread().LastFrame = Shape.LastFrame;
  if (Shape.Steps.Count > Count)
    Shape.Steps.Count = Count;
  return {TheContexts->find(Calls, Count, &Shape.Steps), Shape.NeedsRules,
          Shape.LastFrame != 0};
}

/// Whether the stack ends as that of \p G with \p Frame, beyond which there is
/// another frame if \p HasNext.
inline bool ContextFinder::endsAt(Guess G, uintptr_t Frame,
                                  bool HasNext) const {
  return G.EndsInLastFrame ? Frame == thisThread().LastFrame : !HasNext;
}

/// Whether calls \p Same and following are those of \p G, where \p Walk
/// stands, and then the stack ends.
__attribute__((noinline)) bool
ContextFinder::isSameFurther(Guess G, FrameWalk Walk, size_t Same) const {
  Contexts::CallList Known = TheContexts->callsOf(G.Id);
  FrameSteps Steps = TheContexts->stepsOf(G.Id);
  // Frames may lie elsewhere than when the context was seen first.
  constexpr unsigned MaxFailures = 8;
  unsigned Failures = 0;
  while (Same != Known.Size) {
    if (Failures != MaxFailures) {
      size_t Reached = Walk.follow(Known.First, Steps, Same);
      Failures = Reached == Same ? Failures + 1 : 0;
      if ((Same = Reached) == Known.Size)
        break;
    }
    if (Walk.next() != Known.First[Same])
      return false;
    ++Same;
  }
  if (Same == Use.Limit)
    return true;
  uintptr_t Frame = Walk.frame();
  return endsAt(G, Frame, Walk.next() != 0);
}

/// Whether the calls that led to \p Site are those of \p G, as far as frame
/// pointers can prove it. \p Walk has made the step to the \p Second one, 0 if
/// there is none.
inline bool ContextFinder::isSame(Guess G, Caller Site, uint64_t Second,
                                  FrameWalk Walk) const {
  // Up to so many calls the walk is as fast.
  constexpr size_t Few = 12;
  if (G.Id == ContextId::None || G.NeedsRules)
    return false;
  Contexts::CallList Known = TheContexts->callsOf(G.Id);
  if (Known.First[0] != Site.ReturnAddress - 1)
    return false;
  auto Frame = reinterpret_cast<uintptr_t>(Site.Frame);
  size_t Same = 1;
  uint64_t Call = Second;
  while (Same != Known.Size) {
    if (Known.First[Same] != Call)
      return false;
    if (__builtin_expect(++Same == Few, false) && Known.Size > 2 * Few)
      return isSameFurther(G, Walk, Same);
    Frame = Walk.frame();
    Call = Walk.next();
  }
  return Same == Use.Limit || endsAt(G, Frame, Call != 0);
}

/// Compares by unwind rules what frame pointers alone cannot prove.
__attribute__((noinline)) bool ContextFinder::isSameByRules(Guess G,
                                                            Caller Site) const {
  if (Use.FoldRecursion || Use.KeepAll)
    return false;
  Contexts::CallList Known = TheContexts->callsOf(G.Id);
  return isStackOf(Site, Use, Known.First, Known.Size,
                   TheContexts->stepsOf(G.Id),
                   G.EndsInLastFrame ? thisThread().LastFrame : 0);
}

ContextId ContextFinder::find(Caller Site, ContextGuesses &Guesses) {
  FrameWalk Walk(Site);
  uint64_t Second = Walk.next();
  uint64_t Seen = Site.ReturnAddress ^
                  reinterpret_cast<uintptr_t>(Site.Frame) << 20 ^ Second << 8;
  Guess Known = Guesses.get(Seen);
  if (__builtin_expect(isSame(Known, Site, Second, Walk), true))
    return Known.Id;
  Known = findByCalls(Site, Known, Guesses);
  Guesses.set(Seen, Known);
  return Known.Id;
}

/// Finds the context when the guess \p Wrong, with which the stack was compared
/// as far as frame pointers go, is not right.
__attribute__((noinline)) ContextGuesses::Guess
ContextFinder::findByCalls(Caller Site, Guess Wrong, ContextGuesses &Guesses) {
  if (Wrong.NeedsRules)
    return isSameByRules(Wrong, Site) ? Wrong : capture(Site);
  constexpr unsigned MoreCalls = 4;
  FrameWalk Walk(Site);
  uint64_t Second = Walk.next();
  uint64_t Seen = Site.ReturnAddress ^ Second << 20;
  FrameWalk Outwards = Walk;
  for (unsigned I = 0; I != MoreCalls; ++I)
    Seen = Seen * 31 + Outwards.next();
  Guess Known = Guesses.getByCalls(Seen);
  if (Known.Id != Wrong.Id && isSame(Known, Site, Second, Walk))
    return Known;
  Known = capture(Site);
  Guesses.setByCalls(Seen, Known);
  return Known;
}
