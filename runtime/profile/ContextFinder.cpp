//===- profile/ContextFinder.cpp - The context of a stack -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextFinder.h"

using namespace thermocline::runtime;

/// Lists, hashes and looks up the calls.
__attribute__((noinline)) ContextId ContextFinder::capture(Caller From) {
  auto *Calls = static_cast<uint64_t *>(
      __builtin_alloca(Use.MaxCalls * sizeof(uint64_t)));
  if (Use.Unwind)
    return TheContexts->find(Calls, Use.Unwind(From, Calls, Use.MaxCalls));
  if (Use.FoldRecursion)
    return TheContexts->find(Calls,
                             captureFoldedCalls(From, Calls, Use.MaxCalls));
  FrameSteps Steps;
  Steps.Units = static_cast<uint8_t *>(__builtin_alloca(Use.MaxCalls));
  size_t NumCalls = captureCalls(From, Calls, Use.MaxCalls, &Steps);
  return TheContexts->find(Calls, NumCalls, &Steps);
}

/// Whether calls \p Same and following are those of \p Id, where \p Walk
/// stands.
__attribute__((noinline)) bool
ContextFinder::isSameFurther(ContextId Id, CallWalk Walk, size_t Same) const {
  Contexts::CallList Known = TheContexts->callsOf(Id);
  Same = Walk.follow(Known.First, TheContexts->stepsOf(Id), Same);
  for (; Same != Known.Size; ++Same)
    if (Walk.next() != Known.First[Same])
      return false;
  return Same == Use.MaxCalls || !Walk.next();
}

/// Whether the calls that led to \p From are those of \p Id. \p Walk has made
/// the step to the \p Second one, 0 if there is none.
inline bool ContextFinder::isSame(ContextId Id, Caller From, uint64_t Second,
                                  CallWalk Walk) const {
  // Up to so many calls the walk is as fast.
  constexpr size_t Few = 12;
  Contexts::CallList Known = TheContexts->callsOf(Id);
  if (Known.First[0] != From.ReturnAddress - 1)
    return false;
  size_t Same = 1;
  uint64_t Call = Second;
  while (Same != Known.Size && Known.First[Same] == Call) {
    if (__builtin_expect(++Same == Few, false) && Known.Size > 2 * Few)
      return isSameFurther(Id, Walk, Same);
    Call = Walk.next();
  }
  return Same == Known.Size && (!Call || Same == Use.MaxCalls);
}

ContextId ContextFinder::find(Caller From, ContextGuesses &Guesses) {
  if (__builtin_expect(Use.FoldRecursion || Use.Unwind, false))
    return capture(From);
  CallWalk Walk(From);
  uint64_t Second = Walk.next();
  uint64_t Seen = From.ReturnAddress ^
                  reinterpret_cast<uintptr_t>(From.Frame) << 20 ^ Second << 8;
  ContextId Id = Guesses.get(Seen);
  if (__builtin_expect(Id != ContextId::None && isSame(Id, From, Second, Walk),
                       true))
    return Id;
  Id = findByCalls(From, Id, Guesses);
  Guesses.set(Seen, Id);
  return Id;
}

/// \p Wrong is what the stack was compared with already.
__attribute__((noinline)) ContextId ContextFinder::findByCalls(
    Caller From, ContextId Wrong, ContextGuesses &Guesses) {
  constexpr unsigned MoreCalls = 4;
  CallWalk Walk(From);
  uint64_t Second = Walk.next();
  uint64_t Seen = From.ReturnAddress ^ Second << 20;
  CallWalk Outwards = Walk;
  for (unsigned I = 0; I != MoreCalls; ++I)
    Seen = Seen * 31 + Outwards.next();
  ContextId Id = Guesses.getByCalls(Seen);
  if (Id != ContextId::None && Id != Wrong && isSame(Id, From, Second, Walk))
    return Id;
  Id = capture(From);
  Guesses.setByCalls(Seen, Id);
  return Id;
}
